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

void put_tile(CpuInvocation& k, const GroupSetting& setting, std::vector<Element>& records) {
    std::sort(records.begin(), records.end(), [&k](const Element& a, const Element& b) { return k.precedes(a, b); });
    for (std::uint32_t i = 0; i < records.size(); ++i)
        k.scatter(0, k.instance * setting.tile() + i, records[i]);
}

/// The specification of shaders/merge/merge_tile.glsl.
void sort_tile(CpuInvocation& k, const GroupSetting& setting) {
    const std::uint32_t begin = k.instance * setting.tile();
    const std::uint32_t end = std::min(begin + setting.tile(), k.parameter(count_parameter));
    std::vector<Element> records;
    for (std::uint32_t i = begin; i < end; ++i)
        records.push_back(k.read(0, i));
    put_tile(k, setting, records);
}

/// The specification of shaders/merge/merge_shared.glsl. The order is total, so merging gives the same result as
/// sorting.
void merge_window(CpuInvocation& k, const GroupSetting& setting, std::uint32_t count) {
    constexpr std::size_t splits_port = 1;
    const Runs runs(k, setting.windows(), count);
    const std::uint32_t begin = k.instance * setting.tile();
    const std::uint32_t group = runs.group_of(begin);
    const auto from = bounds_at(k, splits_port, setting.windows(), runs, group, begin);
    const auto to = bounds_at(k, splits_port, setting.windows(), runs, group, begin + setting.tile());
    std::vector<Element> records;
    for (std::uint32_t run = 0; run < count; ++run)
        for (std::uint32_t i = from[run]; i < to[run]; ++i)
            records.push_back(k.read(0, i));
    put_tile(k, setting, records);
}

/// Gives a kernel a tile of shared memory.
void declare_tile(Kernel& kernel, const GroupSetting& setting) {
    kernel.defines = {{"GLSORT_TILE", literal(setting.tile())}, {"GLSORT_ELEMENTS", literal(setting.elements)}};
    kernel.group_size = setting.invocations;
    kernel.shared_words = setting.record.words() * setting.tile();
}

/// What both kernels share: a group reads elements and writes a tile.
Kernel group_kernel(const char* name, const GroupSetting& setting) {
    Kernel kernel;
    kernel.name = name;
    kernel.inputs = {setting.record.port("source", Access::gather, setting.tile())};
    kernel.outputs = {setting.record.port("target", Access::scatter, setting.tile())};
    kernel.parameters = {{"count"}};
    declare_tile(kernel, setting);
    return kernel;
}

}  // namespace

GroupSetting group_setting_of(const SortFrame& frame, const RecordType& record) {
    const Tuning& tuning = tuning_of(frame);
    GroupSetting setting{.record = record, .elements = tuning.elements};
    const std::uint32_t wanted = std::clamp(frame.capacity() / (tuning.tiles * setting.elements),
                                            tuning.min_invocations, tuning.max_invocations);
    const std::uint32_t fitting = frame.limits().shared_memory / (4 * setting.record.words() * setting.elements);
    setting.invocations = std::bit_floor(std::max(std::min({wanted, fitting, frame.limits().invocations}), 2u));
    return setting;
}

void declare_tile_sort(Kernel& kernel, const GroupSetting& setting) {
    declare_tile(kernel, setting);
    kernel.defines.emplace_back("GLSORT_SORTING_NETWORK", odd_even_merge_sort_text(setting.elements));
}

KernelPtr tile_kernel(const GroupSetting& setting) {
    Kernel kernel = group_kernel("merge_tile", setting);
    declare_tile_sort(kernel, setting);
    kernel.shape.count = KernelNumber::parameter(count_parameter);
    kernel.shape.tile = setting.tile();
    kernel.shape.makes = SortedRuns{.length = setting.tile()};
    kernel.cpu = [setting](CpuInvocation& k) { sort_tile(k, setting); };
    setting.record.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr shared_kernel(const GroupSetting& setting, std::uint32_t runs) {
    Kernel kernel = group_kernel("merge_shared", setting);
    const KernelSetting windows = setting.windows();
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
    kernel.cpu = [setting, runs](CpuInvocation& k) { merge_window(k, setting, runs); };
    setting.record.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

std::vector<Op> shared_sort(const GroupSetting& setting, StreamId records, StreamId splits, const Counted& count) {
    std::vector<Op> ops;
    const KernelSetting windows = setting.windows();
    const Substream tiles = Substream::first(parts_of(count, setting.tile()));
    const Substream all = Substream::first(count);
    auto log_run = static_cast<std::uint32_t>(std::bit_width(setting.tile()) - 1);
    ops.push_back(
        make_op(tile_kernel(setting), {{records, all}}, {records, all}, tiles, {count}, static_cast<int>(log_run)));

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
        ops.push_back(make_op(shared_kernel(setting, runs), {{records, all}, {splits, tiles}}, {records, all}, tiles,
                              parameters, level));
        log_run += levels;
    }
    return ops;
}

CountRange counts_like(const GroupSetting& setting, std::uint32_t count) {
    return count <= setting.tile() ? CountRange{1, setting.tile()} : between_powers(count);
}

/// Runs are a power of two of tiles long. That determines the number of merges and the runs of each.
std::vector<std::uint32_t> counts_of_shared_sort(const GroupSetting& setting, std::uint32_t limit) {
    std::vector<std::uint32_t> counts;
    for (std::uint64_t count = setting.tile(); count < limit; count *= 2)
        counts.push_back(static_cast<std::uint32_t>(count));
    return counts;
}

}  // namespace merge

std::vector<std::uint32_t> counts_of_merge_shared(const SortFrame& largest) {
    return merge::counts_of_shared_sort(merge::group_setting_of(largest, largest.record()), largest.capacity());
}

void plan_merge_shared(SortFrame& frame) {
    using namespace merge;
    if (frame.n() == 0) return;
    const GroupSetting setting = group_setting_of(frame, frame.record());
    const StreamId records = frame.add_stream("records", setting.record.words());
    const StreamId splits = frame.add_spaced_stream("splits", 4, setting.windows().split_elements(), setting.tile());
    frame.set_result(records);
    for (Op& op : shared_sort(setting, records, splits, frame.count()))
        frame.add(std::move(op));
    frame.set_counts(counts_like(setting, frame.n()));
}

}  // namespace glsort
