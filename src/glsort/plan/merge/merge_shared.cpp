#include <fmt/format.h>

#include <glsort/plan/merge/merge.h>
#include <glsort/plan/merge/merge_bounds.h>
#include <glsort/plan/merge/merge_shared.h>
#include <glsort/plan/merge/tuning.h>
#include <glsort/plan/networks/sorting_network.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace glsort {
namespace merge {
namespace {

void put_tile(CpuInvocation& k, const GroupPolicy& policy, std::vector<Element>& records) {
    policy.element_type.sort(k, records);
    for (std::uint32_t i = 0; i < records.size(); ++i)
        k.scatter(0, k.instance * policy.tile() + i, records[i]);
}

/// The specification of shaders/merge/merge_tile.glsl.
void sort_tile(CpuInvocation& k, const GroupPolicy& policy) {
    const std::uint32_t begin = k.instance * policy.tile();
    const std::uint32_t end = std::min(begin + policy.tile(), k.parameter(count_parameter));
    std::vector<Element> records;
    for (std::uint32_t i = begin; i < end; ++i)
        records.push_back(k.read(0, i));
    put_tile(k, policy, records);
}

/// The specification of shaders/merge/merge_shared.glsl. The order is total, so a merge gives the result of a sort.
void merge_window(CpuInvocation& k, const GroupPolicy& policy, std::uint32_t count) {
    constexpr std::size_t splits_port = 1;
    const Runs runs(k, policy.windows(), count);
    const std::uint32_t begin = k.instance * policy.tile();
    const std::uint32_t group = runs.group_of(begin);
    const auto from = bounds_at(k, splits_port, policy.windows(), runs, group, begin);
    const auto to = bounds_at(k, splits_port, policy.windows(), runs, group, begin + policy.tile());
    // If the caller's comparison is no order, a part may end before its start. Later parts are then cut off where the
    // window ends.
    const std::uint32_t size = std::min(policy.tile(), k.parameter(count_parameter) - begin);
    std::vector<Element> records;
    for (std::uint32_t run = 0; run < count; ++run)
        for (std::uint32_t i = from[run]; i < to[run] && records.size() < size; ++i)
            records.push_back(k.read(0, i));
    put_tile(k, policy, records);
}

/// Gives a kernel a tile of shared memory.
void declare_tile(Kernel& kernel, const GroupPolicy& policy) {
    kernel.defines = {{"GLSORT_TILE", literal(policy.tile())}, {"GLSORT_ELEMENTS", literal(policy.elements)}};
    kernel.group_size = policy.invocations;
    kernel.shared_words = policy.element_type.words() * policy.tile();
}

/// The common part of both kernels: a group reads elements and writes a tile.
Kernel group_kernel(const char* name, const GroupPolicy& policy) {
    Kernel kernel;
    kernel.name = name;
    kernel.inputs = {policy.element_type.port("source", Access::gather, policy.tile())};
    kernel.outputs = {policy.element_type.port("target", Access::scatter, policy.tile())};
    kernel.parameters = {{"count"}};
    declare_tile(kernel, policy);
    return kernel;
}

}  // namespace

GroupPolicy group_policy_of(const SortFrame& frame, const ElementType& element_type) {
    const Tuning& tuning = tuning_of(frame);
    GroupPolicy policy{.element_type = element_type, .elements = tuning.elements};
    const std::uint32_t wanted =
        std::clamp(frame.capacity() / (tuning.tiles * policy.elements), tuning.min_invocations, tuning.max_invocations);
    const std::uint32_t fitting = frame.limits().shared_memory / (4 * policy.element_type.words() * policy.elements);
    policy.invocations = std::bit_floor(std::max(std::min({wanted, fitting, frame.limits().invocations}), 2u));
    return policy;
}

void declare_tile_sort(Kernel& kernel, const GroupPolicy& policy) {
    declare_tile(kernel, policy);
    kernel.defines.emplace_back("GLSORT_SORTING_NETWORK", odd_even_merge_sort_text(policy.elements));
}

KernelPtr tile_kernel(const GroupPolicy& policy) {
    Kernel kernel = group_kernel("merge_tile", policy);
    declare_tile_sort(kernel, policy);
    kernel.shape.count = KernelNumber::parameter(count_parameter);
    kernel.shape.tile = policy.tile();
    kernel.shape.makes = SortedRuns{.length = policy.tile()};
    kernel.cpu = [policy](CpuInvocation& k) { sort_tile(k, policy); };
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr shared_kernel(const GroupPolicy& policy, std::uint32_t runs) {
    Kernel kernel = group_kernel("merge_shared", policy);
    const KernelPolicy windows = policy.windows();
    kernel.inputs.push_back({.name = "splits",
                             .access = Access::gather,
                             .words = 4,
                             .elements = 2 * windows.split_elements(),
                             .role = PortRole::splits});
    kernel.parameters = {{"count"}, {"run"}, {"log_run"}};
    kernel.defines.emplace_back("GLSORT_RUNS", fmt::format("{}", runs));
    kernel.defines.emplace_back("GLSORT_WINDOW", literal(windows.window()));
    kernel.defines.emplace_back("GLSORT_SPLIT_TEXELS", literal(windows.split_elements()));
    kernel.defines.emplace_back("GLSORT_ANY_LENGTH", "1");
    kernel.defines.emplace_back("GLSORT_BY_KEY", "1");
    kernel.shape = shape_of_merge(windows, runs);
    kernel.cpu = [policy, runs](CpuInvocation& k) { merge_window(k, policy, runs); };
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

std::vector<Op> shared_sort(const GroupPolicy& policy, StreamId records, StreamId splits, const Counted& count) {
    std::vector<Op> ops;
    const KernelPolicy windows = policy.windows();
    const Substream tiles = Substream::first(parts_of(count, policy.tile()));
    const Substream all = Substream::first(count);
    auto log_run = static_cast<std::uint32_t>(std::bit_width(policy.tile()) - 1);
    ops.push_back(
        make_op(tile_kernel(policy), {{records, all}}, {records, all}, tiles, {count}, static_cast<int>(log_run)));

    const auto log_runs = static_cast<std::uint32_t>(std::bit_width(tiles.end() - 1));
    const std::uint32_t end = log_run + log_runs;
    const auto max_levels = static_cast<std::uint32_t>(windows.max_levels());
    for (std::uint32_t merges = (log_runs + max_levels - 1) / max_levels; merges > 0; --merges) {
        const std::uint32_t levels = (end - log_run + merges - 1) / merges;
        const std::uint32_t runs = 1u << levels;
        const std::vector<Counted> parameters{count, 1u << log_run, log_run};
        const int level = static_cast<int>(log_run + levels);
        ops.push_back(make_op(split_kernel(windows, runs, 1u << log_run), {{records, all}}, {splits, tiles}, tiles,
                              parameters, level));
        ops.push_back(make_op(shared_kernel(policy, runs), {{records, all}, {splits, tiles}}, {records, all}, tiles,
                              parameters, level));
        log_run += levels;
    }
    return ops;
}

CountRange counts_alike(const GroupPolicy& policy, std::uint32_t count) {
    return count <= policy.tile() ? CountRange{1, policy.tile()} : between_powers(count);
}

/// Runs are a power of two of tiles long. The number of tiles determines the number of merges and the runs of each
/// merge.
std::vector<std::uint32_t> counts_of_shared_sort(const GroupPolicy& policy, std::uint32_t limit) {
    std::vector<std::uint32_t> counts;
    for (std::uint64_t count = policy.tile(); count < limit; count *= 2)
        counts.push_back(static_cast<std::uint32_t>(count));
    return counts;
}

}  // namespace merge

std::vector<std::uint32_t> counts_of_merge_shared(const SortFrame& largest) {
    return merge::counts_of_shared_sort(merge::group_policy_of(largest, largest.element_type()), largest.capacity());
}

void plan_merge_shared(SortFrame& frame) {
    using namespace merge;
    if (frame.n() == 0) return;
    const GroupPolicy policy = group_policy_of(frame, frame.element_type());
    const StreamId records = frame.add_stream("records", policy.element_type.words());
    const StreamId splits = frame.add_spaced_stream("splits", 4, policy.windows().split_elements(), policy.tile());
    frame.set_result(records);
    for (Op& op : shared_sort(policy, records, splits, frame.count()))
        frame.add(std::move(op));
    frame.set_counts(counts_alike(policy, frame.n()));
}

}  // namespace glsort
