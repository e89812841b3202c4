#include <glsort/error.h>
#include <glsort/plan/merge/merge_bounds.h>
#include <glsort/plan/merge/merge_kernels.h>
#include <glsort/plan/merge/merge_keys.h>
#include <glsort/plan/merge/tuning.h>
#include <glsort/plan/networks/sorting_network.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace glsort {
namespace {

using merge::KernelPolicy;
using merge::Runs;

constexpr std::uint32_t runs_of_a_merge = 4;

/// A bit in the first word of a split: the runs of the group, one after the other, are already in order.
constexpr std::uint32_t in_order_bit = 1u << 31;

/// Whether each run of a group begins with a key not less than the last key of the run before.
bool is_in_order(CpuInvocation& k, const Runs& runs, std::uint32_t group) {
    for (std::uint32_t i = 1; i < runs_of_a_merge; ++i)
        if (runs.size(group, i) > 0 && k.precedes(k.read(0, runs.begin(group, i)), k.read(0, runs.begin(group, i) - 1)))
            return false;
    return true;
}

/// The specification of shaders/merge/merge_keys_split.glsl.
void split_keys(CpuInvocation& k, const KernelPolicy& policy, std::uint32_t windows) {
    const Runs runs(k, policy, runs_of_a_merge);
    for (std::uint32_t window = 0; window < windows; ++window) {
        const std::uint32_t place = (k.instance * windows + window) * policy.window();
        const std::uint32_t group = runs.group_of(place);
        const auto before = merge::elements_before(k, runs, group, place - group);
        Element splits{};
        std::copy_n(before.begin(), runs_of_a_merge, splits.begin());
        if (is_in_order(k, runs, group)) splits[0] |= in_order_bit;
        k.write(0, window, splits);
    }
}

/// Writes the half of the window's sorted keys that the instance keeps: the smallest keys, or if `down` the greatest.
/// Throws `Error` if there are fewer keys, because the splits are not those of the runs.
void write_side(CpuInvocation& k, const KernelPolicy& policy, std::vector<Element>& keys, bool down) {
    if (keys.size() < policy.side)
        throw Error(fmt::format("cpu backend: the splits give instance {} {} keys, and it writes {}", k.instance,
                                keys.size(), policy.side));
    std::sort(keys.begin(), keys.end(), [&k](const Element& a, const Element& b) { return k.precedes(a, b); });
    const std::size_t first = down ? keys.size() - policy.side : 0;
    for (std::uint32_t i = 0; i < policy.side; ++i)
        k.write(0, i, keys[first + i]);
}

/// The specification of shaders/merge/merge_keys_runs.glsl. Parameter: count.
void sort_side(CpuInvocation& k, const KernelPolicy& policy) {
    const std::uint32_t window = k.instance / 2 * policy.window();
    const std::uint32_t end = std::min(window + policy.window(), k.parameter(merge::count_parameter));
    std::vector<Element> keys;
    for (std::uint32_t i = window; i < end; ++i)
        keys.push_back(k.read(0, i));
    keys.resize(policy.window(), merge::missing);
    write_side(k, policy, keys, k.instance % 2 != 0);
}

/// The specification of shaders/merge/merge_keys.glsl: the smallest keys from the start of a window, or the greatest
/// keys from its end.
void merge_side(CpuInvocation& k, const KernelPolicy& policy) {
    constexpr std::size_t splits_port = 1;
    const Runs runs(k, policy, runs_of_a_merge);
    const bool down = k.instance % 2 != 0;
    const std::uint32_t window = k.instance / 2 * policy.window();
    const std::uint32_t place = window + (down ? policy.window() : 0);
    const std::uint32_t group = runs.group_of(window);
    const auto bound = merge::bounds_at(k, splits_port, policy, runs, group, place);
    std::vector<Element> keys;
    for (std::uint32_t i = 0; i < runs_of_a_merge; ++i) {
        const std::uint32_t begin = runs.begin(group, i);
        const std::uint32_t first = bound[i] & ~in_order_bit;
        const std::uint32_t left = down ? first - begin : begin + runs.size(group, i) - first;
        for (std::uint32_t taken = 0; taken < std::min(left, policy.side); ++taken)
            keys.push_back(k.read(0, down ? first - 1 - taken : first + taken));
    }
    // The last window may lack keys.
    const std::uint32_t end = runs.elements_end(window);
    const std::uint32_t lacking = down ? place - std::min(place, end) : policy.side;
    keys.insert(keys.end(), lacking, merge::missing);
    write_side(k, policy, keys, down);
}

Port source(std::uint32_t elements) {
    return {.name = "source",
            .access = Access::gather,
            .words = 1,
            .elements = elements,
            .by_fours = true,
            .role = PortRole::elements};
}

/// `merge_keys_runs`: sorts runs of one window. An instance writes half a run.
KernelPtr keys_runs_kernel(const KernelPolicy& policy) {
    Kernel kernel;
    kernel.name = "merge_keys_runs";
    kernel.inputs = {policy.element_type.port("source", Access::gather, policy.window())};
    kernel.outputs = {policy.element_type.port("target", Access::linear, policy.elements)};
    kernel.parameters = {{"count"}};
    kernel.elements_per_instance = policy.elements;
    kernel.defines = {{"GLSORT_WINDOW", literal(policy.window())},
                      {"GLSORT_ELEMENTS", literal(policy.elements)},
                      {"GLSORT_SORTING_NETWORK", odd_even_merge_sort_text(policy.elements)}};
    kernel.shape.count = KernelNumber::parameter(merge::count_parameter);
    kernel.shape.makes = SortedRuns{.length = policy.window()};
    kernel.cpu = [policy](CpuInvocation& k) { sort_side(k, policy); };
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

Kernel keys_kernel(const char* name, const KernelPolicy& policy) {
    Kernel kernel = merge::window_kernel(name, policy, runs_of_a_merge);
    kernel.defines.emplace_back("GLSORT_IN_ORDER", literal(in_order_bit));
    return kernel;
}

/// `merge_keys_split`, with `windows` windows per instance, in runs of `run` elements.
KernelPtr keys_split_kernel(const KernelPolicy& policy, std::uint32_t windows, std::uint32_t run) {
    Kernel kernel = keys_kernel("merge_keys_split", policy);
    kernel.defines.emplace_back("GLSORT_SPLITS", fmt::format("{}", windows));
    // For each run: the first and last key. For each block size: the next key and about one key after it, twice if the
    // search skipped too much. For each window: some blocks and texels.
    const auto sizes = static_cast<std::uint32_t>(std::bit_width(run));
    kernel.inputs = {source(runs_of_a_merge * (4 + 2 * sizes + windows * 16))};
    kernel.outputs = {{.name = "splits", .words = 4, .elements = windows, .role = PortRole::splits}};
    kernel.elements_per_instance = windows;
    kernel.cpu = [policy, windows](CpuInvocation& k) { split_keys(k, policy, windows); };
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

/// `merge_keys`: an instance writes half a window, which is one record.
KernelPtr keys_side_kernel(const KernelPolicy& policy) {
    Kernel kernel = keys_kernel("merge_keys", policy);
    kernel.inputs = {source((runs_of_a_merge + 1) * (policy.elements / 2 + 4)),
                     {.name = "splits", .access = Access::gather, .words = 4, .role = PortRole::splits}};
    kernel.outputs = {policy.element_type.port("target", Access::linear, policy.elements)};
    kernel.elements_per_instance = policy.elements;
    kernel.cpu = [policy](CpuInvocation& k) { merge_side(k, policy); };
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace

bool can_merge_keys(const SortFrame& frame) {
    const ElementType& element_type = frame.element_type();
    // The shaders need a bit and a sign above a place. No texture holds more elements.
    constexpr std::uint32_t limit = 1u << 30;
    return frame.backend() == Backend::fragment && frame.limits().attachments >= 2 && element_type.words() == 1 &&
           element_type.code_words() == 1 && frame.capacity() <= limit;
}

StreamId add_key_records(SortFrame& frame, std::uint32_t elements, std::uint32_t records) {
    return frame.add_narrow_stream("records", 1, elements, records);
}

namespace {

KernelPolicy keys_policy_of(const SortFrame& frame) {
    KernelPolicy policy;
    policy.element_type = frame.element_type();
    policy.elements = policy.side = 4 * merge::texels_written(frame.limits());
    policy.max_runs = runs_of_a_merge;
    return policy;
}

/// The wanted number of windows of an instance of `merge_keys_split`.
std::uint32_t windows_of_split(const SortFrame& frame) {
    const merge::Tuning& tuning = merge::tuning_of(frame);
    if (frame.capacity() >= tuning.four_windows_from) return 4;
    return frame.capacity() >= tuning.two_windows_from ? 2 : 1;
}

}  // namespace

/// The thresholds of one draw, and of a window that needs no merge. All merges share their kernels.
std::vector<std::uint32_t> counts_of_merge_keys(const SortFrame& largest) {
    std::vector<std::uint32_t> counts = merge::counts_in_one_draw(largest);
    counts.push_back(keys_policy_of(largest).window());
    return counts;
}

void plan_merge_keys(SortFrame& frame) {
    const std::uint32_t n = frame.n();
    const Counted count = frame.count();
    const KernelPolicy policy = keys_policy_of(frame);
    // The windows of an instance belong to one group: the first groups have runs of one window.
    const std::uint32_t windows =
        std::min({windows_of_split(frame), merge::texels_written(frame.limits()), runs_of_a_merge});

    const StreamId records = add_key_records(frame, policy.elements);
    const StreamId splits = frame.add_spaced_stream("key_splits", 4, windows, windows * policy.window());
    frame.set_result(records);
    if (merge::sort_in_one_draw(frame, policy, records)) return;

    const Substream all = frame.elements_of(records);
    std::uint64_t run = policy.window();
    const auto log_run = [&run] { return static_cast<std::uint32_t>(std::bit_width(run) - 1); };
    frame.add(merge::make_op(keys_runs_kernel(policy), {{records, all}}, {records, all}, all, {count},
                             static_cast<int>(log_run())));
    frame.set_counts(merge::narrowed_to_one_draw(frame, {1, static_cast<std::uint32_t>(run)}, n));
    while (run < n) {
        const auto length = static_cast<std::uint32_t>(run);
        const std::vector<Counted> parameters{count, length, log_run()};
        const StreamUse found{splits, frame.records_of(windows * policy.window())};
        run *= runs_of_a_merge;
        const int level = static_cast<int>(log_run());
        frame.add(merge::make_op(keys_split_kernel(policy, windows, length), {{records, all}}, found, found.records,
                                 parameters, level));
        frame.add(
            merge::make_op(keys_side_kernel(policy), {{records, all}, found}, {records, all}, all, parameters, level));
        // Counts with this number of merges.
        const std::uint64_t last = std::min<std::uint64_t>(run, 0xffffffffu);
        frame.set_counts(merge::narrowed_to_one_draw(frame, {length + 1, static_cast<std::uint32_t>(last)}, n));
    }
}

}  // namespace glsort
