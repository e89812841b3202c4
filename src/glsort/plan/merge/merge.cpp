#include <glsort/base/browser.h>
#include <glsort/plan/algorithm.h>
#include <glsort/plan/merge/merge.h>
#include <glsort/plan/merge/merge_kernels.h>
#include <glsort/plan/merge/merge_keys.h>
#include <glsort/plan/merge/merge_lists.h>
#include <glsort/plan/merge/merge_shared.h>
#include <glsort/plan/merge/tuning.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace glsort {
namespace {

/// The number of levels that merge runs of `run` elements into one run of n.
int levels_above(std::uint32_t run, std::uint32_t n) {
    int levels = 0;
    while ((std::uint64_t{run} << levels) < n)
        ++levels;
    return levels;
}

int merges_above(const merge::KernelPolicy& policy, std::uint32_t run, std::uint32_t n) {
    return (levels_above(run, n) + policy.max_levels() - 1) / policy.max_levels();
}

/// Does not depend on n: streams must be alike for every n up to the capacity.
merge::KernelPolicy policy_of(const SortFrame& frame) {
    const merge::Tuning& tuning = merge::tuning_of(frame);
    merge::KernelPolicy policy;
    policy.element_type = frame.element_type();
    policy.sorted_run = tuning.sorted_run;
    policy.loads_runs = frame.request.source != nullptr && frame.request.source->loads_runs;
    // A record is one texel of each attachment. `texels_written` limits the attachments: a byte must count the elements
    // that a side takes of a run.
    const std::uint32_t texels = merge::texels_written(frame.limits());
    // An element of three words takes four words. A sort of keys alone uses records with more elements than
    // `merge_gather` handles fast, and merges of lists share these records.
    policy.elements = texels * 4 / std::bit_ceil(policy.element_type.words());
    if (!can_merge_keys(frame)) policy.elements = std::min(policy.elements, tuning.gathered_elements);
    policy.max_runs = texels > 1 ? 8 : 4;
    // An instance of `merge_order` writes the sources of a side, 16 per texel.
    const std::uint32_t longest = 16 * texels;
    const std::uint32_t wanted = std::bit_floor(std::max(frame.capacity() / tuning.sides, tuning.min_side));
    policy.side = std::clamp(wanted, std::max(policy.elements, 16u), longest);
    return policy;
}

/// The number of runs in the last merge.
std::uint64_t last_runs(const merge::KernelPolicy& policy, std::uint32_t run, std::uint32_t n) {
    const int merges = std::max(merges_above(policy, run, n), 1);
    const std::uint64_t length = std::uint64_t{run} << (policy.max_levels() * (merges - 1));
    return (n + length - 1) / length;
}

/// The length of the runs that are sorted in registers. A run exceeds a record if this saves a merge, or if the last
/// merge would have `max_runs` runs. A run also exceeds a record if the number of the last merge's runs would not be a
/// power of two. In every case the first merge fills a window.
std::uint32_t first_run(const merge::KernelPolicy& policy, std::uint32_t n) {
    std::uint32_t run = policy.elements;
    for (std::uint32_t more = 2 * run; more <= policy.sorted_run; more *= 2) {
        const std::uint64_t last = last_runs(policy, run, n);
        if (merges_above(policy, more, n) < merges_above(policy, run, n) || last == policy.max_runs ||
            !std::has_single_bit(last))
            run = more;
    }
    while (run << policy.max_levels() < policy.window())
        run *= 2;
    return run;
}

struct Streams {
    StreamId records;
    StreamId splits;
    StreamId sources;
};

/// A merge of groups of `runs` runs. The longest run has `run` elements. The merge writes the first `places` places.
struct Merge {
    std::uint32_t runs;
    std::uint32_t run;
    Substream read;  ///< The records that the merge reads.
    Counted places;
    bool split;  ///< Whether some window neither begins nor ends with a group.
    std::vector<Counted> parameters;
    int level;
    bool last;
};

void add_merge(SortFrame& frame, const merge::KernelPolicy& policy, const Streams& streams, const Merge& merge) {
    const auto add = [&](KernelPtr kernel, std::vector<StreamUse> reads, const StreamUse& write) {
        frame.add(
            merge::make_op(std::move(kernel), std::move(reads), write, write.records, merge.parameters, merge.level));
    };
    const auto of = [&](std::uint32_t per_record) { return Substream::first(parts_of(merge.places, per_record)); };
    const StreamUse read{streams.records, merge.read};
    const StreamUse splits{streams.splits, merge.split ? of(policy.window()) : Substream{}};
    const StreamUse sources{streams.sources, of(policy.side)};
    if (merge.split) add(merge::split_kernel(policy, merge.runs, merge.run), {read}, splits);
    add(merge::order_kernel(policy, merge.runs), {read, splits}, sources);
    if (merge.last) {
        // One element at a time if the op can then write the caller's output. No copy needs to follow.
        merge::KernelPolicy single = policy;
        single.elements = 1;
        single.fills = frame.fills();
        const Substream elements = frame.stored_elements();
        Op op = merge::make_op(merge::gather_kernel(single, merge.runs), {read, splits, sources},
                               {streams.records, elements}, elements, merge.parameters, merge.level);
        if (frame.can_store(op)) return frame.add(std::move(op));
    }
    add(merge::gather_kernel(policy, merge.runs), {read, splits, sources}, {streams.records, of(policy.elements)});
}

void merge_lists(SortFrame& frame, merge::KernelPolicy policy) {
    const std::uint32_t runs = policy.max_runs;
    const merge::ListMerge merge = merge::merge_of_lists(frame.lists(), runs, policy.window());
    const auto lists = static_cast<std::uint32_t>(
        std::count_if(frame.lists().begin(), frame.lists().end(), [](std::uint32_t length) { return length > 0; }));
    // Streams have room for any lists of this number and sum.
    const std::uint32_t places = merge::max_places(frame.n(), lists, runs, policy.window());
    const std::uint32_t max_sides = records_for(places, policy.side);
    const std::uint32_t max_records = records_for(places, policy.elements);
    const StreamId records =
        can_merge_keys(frame) ? add_key_records(frame, policy.elements, max_records)
                              : frame.add_stream("records", policy.element_type.words(), policy.elements, max_records);
    const StreamId splits =
        frame.add_spaced_stream("splits", 4, policy.split_elements(), policy.window(), (max_sides + 1) / 2);
    const StreamId sources = frame.add_spaced_stream("sources", 4, policy.source_elements(), policy.side, max_sides);
    frame.set_result(records);

    frame.add_load();
    Substream filled = frame.elements_of(records);
    int number = 0;
    for (const merge::ListLevel& level : merge.levels) {
        policy.groups = level.table_groups;
        // The last merge also writes all places that the first merge filled. The result is at their start.
        add_merge(frame, policy, {records, splits, sources},
                  {.runs = runs,
                   .run = level.longest_run(),
                   .read = filled,
                   .places = merge.places,
                   .split = true,
                   .parameters = level.parameters(runs),
                   .level = ++number,
                   .last = &level == &merge.levels.back()});
        filled = Substream::range(0, records_for(merge.places, policy.elements));
    }
}

/// One merge of a sort.
struct MergeShape {
    std::uint32_t run;
    std::uint32_t runs;
    bool split;
    friend bool operator==(const MergeShape&, const MergeShape&) = default;
};

/// The first runs of a sort of n elements, and its merges.
struct Merges {
    std::uint32_t first_run;
    std::vector<MergeShape> merges;
    friend bool operator==(const Merges&, const Merges&) = default;
};

Merges merges_of(const merge::KernelPolicy& policy, std::uint32_t n) {
    std::uint32_t run = first_run(policy, n);
    Merges merges{run, {}};
    const int count = merges_above(policy, run, n);
    for (int merge = 0; merge < count; ++merge) {
        // The last merge has the fewest runs. If n is slightly above a power of two, the last merge joins a long and a
        // short run, which is cheap.
        const int levels = std::min(levels_above(run, n), policy.max_levels());
        const std::uint32_t runs = 1u << levels;
        merges.merges.push_back({run, runs, n > policy.window() && std::uint64_t{run} * runs > policy.window()});
        run <<= levels;
    }
    return merges;
}

/// The counts with the merges of n. The merges change after c runs of a power-of-two length, c up to 8: there the
/// number of merges changes, or the number of runs in the last merge.
CountRange counts_alike(const SortFrame& frame, const merge::KernelPolicy& policy, std::uint32_t n) {
    CountRange alike = between_powers(n);
    const std::uint32_t length = std::max((alike.first - 1) / 4, 1u);
    for (const std::uint32_t runs : {5, 6, 7})
        if (const std::uint32_t end = length * runs;
            alike.contains(end) && merges_of(policy, end) != merges_of(policy, end + 1))
            alike = alike.cut_behind(end, n);
    return merge::narrowed_to_one_draw(frame, alike, n);
}

}  // namespace

void plan_merge_multiway(SortFrame& frame) {
    const std::uint32_t n = frame.n();
    if (n == 0) return;
    if (frame.lists().empty() && can_merge_keys(frame)) return plan_merge_keys(frame);
    const merge::KernelPolicy policy = policy_of(frame);
    if (!frame.lists().empty()) return merge_lists(frame, policy);
    const StreamId records = frame.add_stream("records", policy.element_type.words(), policy.elements);
    const StreamId splits = frame.add_spaced_stream("splits", 4, policy.split_elements(), policy.window());
    const StreamId sources = frame.add_spaced_stream("sources", 4, policy.source_elements(), policy.side);
    frame.set_result(records);

    const Substream all = frame.elements_of(records);
    if (merge::sort_in_one_draw(frame, policy, records)) return;
    const Counted count = frame.count();
    const Merges merges = merges_of(policy, n);
    frame.add(merge::make_op(merge::runs_kernel(policy, merges.first_run), {{records, all}}, {records, all}, all,
                             {count}, std::bit_width(merges.first_run) - 1));
    for (const MergeShape& merge : merges.merges) {
        const auto log_run = static_cast<std::uint32_t>(std::bit_width(merge.run) - 1);
        add_merge(frame, policy, {records, splits, sources},
                  {.runs = merge.runs,
                   .run = merge.run,
                   .read = all,
                   .places = count,
                   .split = merge.split,
                   .parameters = {count, merge.run, log_run},
                   .level = static_cast<int>(log_run + std::bit_width(merge.runs)) - 1,
                   .last = &merge == &merges.merges.back()});
    }
    frame.set_counts(counts_alike(frame, policy, n));
}

namespace {

/// The kernels of a sort of n elements. Each entry has a letter for the kernel and the number of runs or elements.
std::set<std::pair<char, std::uint32_t>> kernels_of(const merge::KernelPolicy& policy, std::uint32_t n) {
    const Merges merges = merges_of(policy, n);
    std::set<std::pair<char, std::uint32_t>> kernels{{'f', merges.first_run}};
    for (const MergeShape& merge : merges.merges) {
        if (merge.split) kernels.insert({'s', merge.runs});
        kernels.insert({&merge == &merges.merges.back() ? 'l' : 'm', merge.runs});
    }
    return kernels;
}

/// The shape of a program may change after c runs of a power-of-two length.
Counts counts_of_multiway(const SortFrame& frame) {
    if (can_merge_keys(frame)) return counts_of_merge_keys(frame);
    const merge::KernelPolicy policy = policy_of(frame);
    Counts counts = merge::counts_in_one_draw(frame);
    const std::uint32_t in_one_draw = *std::max_element(counts.begin(), counts.end());
    std::set<std::pair<char, std::uint32_t>> known;
    bool larger = false;
    for (std::uint64_t length = 1; length < frame.capacity(); length *= 2)
        for (const std::uint64_t runs : {5, 6, 7, 8}) {
            const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(length * runs, frame.capacity()));
            // One draw may sort few elements, by other kernels.
            if (n > in_one_draw && !std::exchange(larger, true)) known.clear();
            const std::size_t before = known.size();
            known.merge(kernels_of(policy, n));
            if (known.size() > before) counts.push_back(n);
        }
    for (const std::uint32_t n : {1u, 2u, 3u, 4u})
        counts.push_back(n);
    return counts;
}

/// One list is only loaded and stored. Two lists need a last merge. More lists need other merges before it.
std::vector<std::vector<std::uint32_t>> lists_of_multiway(const SortFrame& frame, std::uint32_t limit) {
    const std::uint32_t n = frame.capacity();
    std::vector<std::vector<std::uint32_t>> all;
    for (const std::uint32_t number : {1u, 2u, policy_of(frame).max_runs + 1}) {
        if (number > limit || number > n) continue;
        all.emplace_back(number, 1u).front() = n - (number - 1);
    }
    return all;
}

constexpr const char* merge_path_paper = "Odeh et al. 2012";

enum : std::size_t { multiway, shared };
constexpr VariantDescriptor merge_variants[] = {
    {.name = "multiway",
     .summary = "multiway merge sort of up to 8 runs, by gather alone",
     .source = merge_path_paper,
     .takes = {.fragment = true, .comparison = true, .bits = !in_browser, .lists = true, .gpu_count = true},
     .plan = plan_merge_multiway,
     .counts = counts_of_multiway,
     .lists = lists_of_multiway,
     .fills = true,
     .tuning = {&merge::tuning_family}},
#if GLSORT_GROUPS
    {.name = "shared",
     .summary = "multiway merge sort in shared memory",
     .source = merge_path_paper,
     .takes = {.comparison = true, .bits = !in_browser, .gpu_count = true},
     .plan = plan_merge_shared,
     .counts = counts_of_merge_shared,
     .tuning = {&merge::tuning_family}},
#endif
};

/// The kernels that merge lists are portable, so lists use multiway.
const VariantDescriptor& fitting_merge(const PlanRequest& request) {
    const bool groups = GLSORT_GROUPS != 0 && request.spec.backend == Backend::compute &&
                        merge::tuning_table[tuning_row(request.limits)].shared;
    return merge_variants[groups && request.lists.empty() ? shared : multiway];
}

}  // namespace

extern constinit const AlgorithmDescriptor merge_algorithm{
    .name = "merge",
    .variants = merge_variants,
    .fitting = fitting_merge,
    // Merge sorts any keys on any backend.
    .preference = [](const PlanRequest&) { return 1; },
};

}  // namespace glsort
