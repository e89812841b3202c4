#include <glsort/plan/algorithm.h>
#include <glsort/plan/radix/enumeration.h>
#include <glsort/plan/radix/one_sweep.h>
#include <glsort/plan/radix/radix.h>
#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/plan/radix/splitter_sort.h>
#include <glsort/plan/radix/tuning.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

namespace glsort {
namespace {

using radix::Partitions;
using radix::Policy;

/// The kernels without subgroups, for every n.
Policy portable_policy_of(const SortFrame& frame) {
    const radix::Tuning& tuning = radix::tuning_of(frame);
    Policy policy;
    policy.element_type = frame.element_type();
    policy.digit_bits = frame.tuning().radix.digit_bits != 0 ? frame.tuning().radix.digit_bits : tuning.digit_bits;
    policy.max_partitions = tuning.partitions;
    policy.invocations = std::bit_floor(std::clamp(frame.limits().invocations, scan_row, tuning.invocations));
    policy.elements = tuning.elements;
    while (4 * policy.shared_words() > frame.limits().shared_memory && policy.elements > 1)
        policy.elements /= 2;
    return policy;
}

/// Whether the digits of `n` elements are long, if invocations work alone. A count on the GPU may be small.
bool has_long_digits(const SortFrame& frame, std::uint32_t n) {
    return n >= radix::tuning_of(frame).min_long_digits && !frame.request.spec.gpu_count;
}

/// The kernels for up to `n` elements on software rasterisers, whose invocations work alone.
Policy alone_policy_of(const SortFrame& frame, std::uint32_t n) {
    const radix::Tuning& tuning = radix::tuning_of(frame);
    Policy policy;
    policy.element_type = frame.element_type();
    policy.alone = true;
    policy.invocations = std::min(tuning.alone_invocations, frame.limits().invocations);
    policy.elements = tuning.alone_elements;
    policy.digit_bits = frame.tuning().radix.digit_bits;
    if (policy.digit_bits == 0) {
        // Digits of about equal length, as few as possible.
        const std::uint32_t bits = frame.bits().end - frame.bits().first;
        const std::uint32_t longest = has_long_digits(frame, n) ? tuning.alone_digit_bits : tuning.digit_bits;
        policy.digit_bits = records_for(bits, records_for(bits, longest));
    }
    policy.max_partitions = tuning.alone_partitions;
    policy.max_tiles = tuning.longest_alone / policy.elements;
    return policy;
}

bool works_alone(const SortFrame& frame) {
    return radix::tuning_of(frame).alone_invocations != 0 && frame.limits().array_stores;
}

/// Whether subgroups rank elements. A request may ask for digits that are too long for subgroups.
bool ranks(const SortFrame& frame) {
    const Limits& limits = frame.limits();
    return limits.has_subgroups() && frame.tuning().radix.digit_bits <= radix::max_ranked_bits(limits);
}

/// The kernels of reduce-then-scan for up to `n` elements.
Policy scatter_policy_of(const SortFrame& frame, std::uint32_t n) {
    const radix::MoveShapes& shapes = radix::tuning_of(frame).scatter;
    if (works_alone(frame)) return alone_policy_of(frame, n);
    if (!ranks(frame)) return portable_policy_of(frame);
    return radix::moving_of(frame, frame.element_type(), shapes.at(radix::shape_of(frame.element_type())));
}

void add(SortFrame& frame, KernelPtr kernel, std::vector<StreamUse> reads, std::vector<StreamUse> writes,
         const Substream& groups, std::vector<Counted> parameters, int pass) {
    Op op;
    op.kernel = std::move(kernel);
    op.reads = std::move(reads);
    op.writes = std::move(writes);
    op.domain = groups;
    op.parameters = std::move(parameters);
    op.labels = {.stage = pass};
    frame.add(std::move(op));
}

/// Adds padding, but only to elements with a value: keys alone are limited by integer arithmetic, not by memory.
/// Padding depends on the capacity and not on n, so all n share the storage. `elements`: what the stream holds of the
/// capacity.
void add_padding(SortFrame& frame, StreamId stream, std::uint32_t elements) {
    const radix::Tuning& tuning = radix::tuning_of(frame);
    const Padding padding{tuning.padding_run, tuning.padding_length};
    const std::uint64_t element_bytes = 4 * frame.program.streams[stream].words;
    if (frame.element_type().indexed() && element_bytes * frame.capacity() >= tuning.padded_bytes &&
        element_bytes * padding.place(elements) <= frame.limits().storage_bytes)
        frame.add_padding(stream, padding);
}

/// Sorts all elements in one op, as one tile.
void add_group(SortFrame& frame, const Policy& policy, StreamId records) {
    const BitRange bits = frame.bits();
    const Substream all = frame.elements_of(records);
    add(frame, radix::group_kernel(policy), {{records, all}}, {{records, all}}, Substream::range(0, 1),
        {frame.count(), bits.first, bits.end - bits.first}, -1);
}

/// Sorts all elements in one op, with subgroups, by the smallest tile that fits. Returns false if no tile fits.
bool add_ranked_group(SortFrame& frame, StreamId records) {
    for (const radix::GroupShape& group : radix::tuning_of(frame).groups) {
        const Policy policy = radix::ranking_of(frame, group.invocations, group.elements);
        if (frame.n() > policy.tile()) continue;
        add_group(frame, policy, records);
        return true;
    }
    return false;
}

/// The counts of enumeration, and the counts that one group ranks.
Counts counts_of_few(const SortFrame& frame) {
    Counts counts = enumeration::counts(frame);
    for (const radix::GroupShape& group : radix::tuning_of(frame).groups)
        counts.push_back(radix::ranking_of(frame, group.invocations, group.elements).tile());
    return counts;
}

Counts counts_of_reduce_then_scan(const SortFrame& frame) {
    Counts counts = ranks(frame) ? counts_of_few(frame) : enumeration::counts(frame);
    if (!ranks(frame)) counts.push_back(portable_policy_of(frame).tile());
    if (works_alone(frame)) counts.push_back(radix::tuning_of(frame).min_long_digits - 1);
    return counts;
}

/// Sorts all elements in one op, if one group can.
bool add_one_group(SortFrame& frame, StreamId records) {
    if (ranks(frame)) return add_ranked_group(frame, records);
    const Policy policy = portable_policy_of(frame);
    if (frame.n() > policy.tile()) return false;
    add_group(frame, policy, records);
    return true;
}

/// The max counts of the ops that sort without sweeps. `of_scene`: in the sort of a scene.
Counts counts_without_sweeps(const SortFrame& frame, bool of_scene) {
    Counts counts = counts_of_few(frame);
    for (const std::uint32_t count : splitters::SplitterSort::counts(frame, of_scene))
        counts.push_back(count);
    return counts;
}

/// The largest count that is sorted without sweeps.
std::uint32_t largest_without_sweeps(const SortFrame& frame) {
    const Counts counts = counts_without_sweeps(frame, frame.request.source != nullptr);
    return *std::max_element(counts.begin(), counts.end());
}

Counts counts_of_one_sweep(const SortFrame& frame) {
    Counts counts = counts_without_sweeps(frame, frame.request.source != nullptr);
    for (const std::uint32_t count : radix::OneSweep::counts(frame, frame.element_type()))
        counts.push_back(count);
    return counts;
}

/// Empty for few elements. Other ops than sweeps sort these elements, and need no counts of digits.
std::optional<DigitCounts> digits_of_one_sweep(const SortFrame& frame) {
    for (const std::uint32_t count : counts_without_sweeps(frame, true))
        if (frame.capacity() <= count) return std::nullopt;
    SortFrame other = frame;
    return radix::OneSweep(other, other.element_type(), other.capacity(), other.bits()).digits(other.capacity());
}

/// The part of `counts` around `count` that no count of `ends` cuts in two.
CountRange between(const Counts& ends, std::uint32_t count, CountRange counts) {
    for (const std::uint32_t end : ends)
        counts = counts.cut_behind(end, count);
    return counts;
}

constexpr CountRange all_counts{1, 0xffffffffu};

}  // namespace

void plan_radix_reduce_then_scan(SortFrame& frame) {
    const std::uint32_t n = frame.n();
    if (n == 0) return;
    const Policy policy = scatter_policy_of(frame, n);
    const Policy largest = scatter_policy_of(frame, frame.capacity());
    const StreamId records = frame.add_stream("records", policy.element_type.words());
    const std::uint32_t counters = largest.counters() * radix::partitions_up_to(largest, frame.capacity());
    const StreamId counts = frame.add_stream("counts", 1, 1, counters);
    const StreamId offsets = frame.add_stream("offsets", 1, 1, counters);
    frame.set_result(records);

    const Counts ends = counts_of_reduce_then_scan(frame);
    frame.set_counts(between(ends, n, all_counts));
    if (enumeration::add(frame, records) || add_one_group(frame, records)) return;
    const Substream all = frame.elements_of(records);
    const Substream one = Substream::range(0, 1);
    const auto count = radix::count_kernel(policy);
    const auto scan = radix::scan_kernel(frame);
    const auto scatter = radix::scatter_kernel(policy);
    const Partitions partitions = radix::partitions_of(policy, frame.count());
    const Substream groups = Substream::first(partitions.number);
    const Counted counters_used = partitions.number * policy.counters();
    const Substream counted = Substream::first(counters_used);
    int pass = 0;
    for (const radix::Digit& digit : radix::digits_of(frame.bits(), policy.digit_bits)) {
        const std::vector<Counted> parameters{frame.count(), digit.shift, digit.bits,
                                              partitions.number * policy.counted_parts(), partitions.length};
        add(frame, count, {{records, all}}, {{counts, counted}}, groups, parameters, pass);
        add(frame, scan, {{counts, counted}}, {{offsets, counted}}, one, {counters_used}, pass);
        add(frame, scatter, {{records, all}, {offsets, counted}}, {{records, all}}, groups, parameters, pass);
        ++pass;
    }
    frame.set_counts(between(ends, n, radix::counts_with_partitions_of(policy, n)));
}

void plan_radix_one_sweep(SortFrame& frame) {
    const std::uint32_t n = frame.n();
    if (n == 0) return;
    std::optional<radix::Halves> halves;
    if (radix::Halves::needed(frame)) {
        halves.emplace(frame);
        for (const StreamId half : halves->streams())
            add_padding(frame, half, frame.program.streams[half].records.value());
    }
    // With halves, only counts without sweeps need the stream.
    const std::uint32_t size = halves ? largest_without_sweeps(frame) : 0;
    const StreamId records = frame.add_stream("records", frame.element_type().words(), 1, size);
    add_padding(frame, records, frame.capacity());
    frame.set_result(records);
    radix::OneSweep sweeps(frame, frame.element_type(), frame.capacity(), frame.bits());
    const splitters::SplitterSort splitter_sort(frame);
    const Counts ends = counts_of_one_sweep(frame);
    frame.set_counts(between(ends, n, all_counts));
    if (enumeration::add(frame, records, splitter_sort.max_enumerated()) || add_ranked_group(frame, records) ||
        splitter_sort.add(records))
        return;
    sweeps.add(records, frame.count(), {}, halves ? &*halves : nullptr);
    frame.set_counts(between(ends, n, sweeps.counts_alike(n)));
}

namespace {

constexpr Takes taken_by_radix{.bits = true, .digit_bits = max_digit_bits, .gpu_count = true};

enum : std::size_t { reduce_then_scan, one_sweep };
constexpr VariantDescriptor radix_variants[] = {
    {.name = "reduce-then-scan",
     .summary = "radix sort, three kernels a digit",
     .source = "Merrill and Grimshaw 2010",
     .takes = taken_by_radix,
     .form = ElementType::Form::key_value,
     .plan = plan_radix_reduce_then_scan,
     .counts = counts_of_reduce_then_scan,
     .tuning = {&radix::tuning_family}},
    {.name = "one-sweep",
     .summary = "radix sort, one kernel a digit by decoupled look-back",
     .source = "Adinets and Merrill 2022",
     .takes = taken_by_radix,
     .form = ElementType::Form::key_value,
     .plan = plan_radix_one_sweep,
     .counts = counts_of_one_sweep,
     .digits = digits_of_one_sweep,
     .tuning = {&radix::tuning_family}},
};

const VariantDescriptor& fitting_radix(const PlanRequest& request) {
    // Storage blocks of the first sweep. OpenGL ES guarantees only four.
    constexpr std::uint32_t blocks_of_sweep = 6;
    const Limits& limits = request.limits;
    const bool sweeps = limits.look_back && limits.has_subgroups() && limits.storage_blocks >= blocks_of_sweep;
    return radix_variants[sweeps ? one_sweep : reduce_then_scan];
}

/// Whether `automatic` takes radix on the compute backend. Without a capacity, the count decides.
bool is_fastest(const PlanRequest& request) {
    const radix::Tuning& tuning = radix::tuning_table[tuning_row(request.limits)];
    const bool is_large = std::max(request.spec.capacity, request.n) >= tuning.min_automatic;
    return is_large && (request.limits.array_stores || tuning.alone_invocations == 0);
}

/// The best choice on the compute backend, and the only choice for requests with digits. By few bits, radix is faster
/// from a thousand elements on, also on software rasterisers (docs/experiments/merge.md, "Bits and index in one word").
int preference_for_radix(const PlanRequest& request) {
    const SortSpec& spec = request.spec;
    const bool can = spec.backend == Backend::compute && !spec.order.comparison && request.lists.empty();
    const bool best = can && (compares_part(spec.order) || is_fastest(request));
    return best || spec.tuning.radix.digit_bits != 0 ? 2 : 0;
}

}  // namespace

extern constinit const AlgorithmDescriptor radix_algorithm{
    .name = "radix",
    .variants = radix_variants,
    .fitting = fitting_radix,
    .preference = preference_for_radix,
};

}  // namespace glsort
