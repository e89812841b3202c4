#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/element_source.h>
#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace glsort::radix {
namespace {

// Parameters of radix_count and radix_scatter. Parameters of other kernels that have these names also have these
// indices.
enum : std::size_t { count_parameter, shift_parameter, bits_parameter, parts_parameter, length_parameter };

/// Bits of a digit that are scanned at once, and the number of words for the counters of their values
/// (shaders/radix/radix_tile.glsl).
constexpr std::uint32_t round_bits = 4;
constexpr std::uint32_t counter_words = (1u << round_bits) / 2;

// A look at a block takes two words (shaders/radix/look_back.glsl).
static_assert(Tuning{}.look_back >= 2);

/// `bits` bits of an element's code, from bit `shift` on.
std::uint64_t bits_of(const Policy& policy, const Element& element, std::uint32_t shift, std::uint32_t bits) {
    return policy.element_type.code_of(element) >> shift & (~std::uint64_t{0} >> (64 - bits));
}

/// The digit in a kernel's parameters, and its value in an element.
Digit digit_of(const CpuInvocation& k) {
    return {k.parameter(shift_parameter), k.parameter(bits_parameter)};
}
std::uint64_t digit_of(const CpuInvocation& k, const Policy& policy, const Element& element) {
    return bits_of(policy, element, digit_of(k).shift, digit_of(k).bits);
}

/// A part of a partition that is counted apart: elements `begin` to `end` - 1.
struct Part {
    std::uint32_t number = 0;  ///< Of the parts of all partitions.
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

/// The parts of the group's partition.
std::vector<Part> parts_of_group(const CpuInvocation& k, const Policy& policy) {
    const std::uint32_t length = k.parameter(length_parameter) / policy.counted_parts();
    std::vector<Part> parts;
    for (std::uint32_t i = 0; i < policy.counted_parts(); ++i) {
        const std::uint32_t number = k.instance * policy.counted_parts() + i;
        const std::uint32_t begin = std::min(number * length, k.parameter(count_parameter));
        parts.push_back({number, begin, std::min(begin + length, k.parameter(count_parameter))});
    }
    return parts;
}

/// Calls `visit` with each element of the part.
template <class Visit>
void for_part(CpuInvocation& k, const Part& part, const Visit& visit) {
    for (std::uint32_t i = part.begin; i < part.end; ++i)
        visit(k.read(0, i));
}

/// The specification of shaders/radix/radix_count.glsl and radix_count_alone.glsl.
void count(CpuInvocation& k, const Policy& policy) {
    for (const Part& part : parts_of_group(k, policy)) {
        std::vector<std::uint32_t> counts(policy.digits());
        for_part(k, part, [&](const Element& element) { ++counts[digit_of(k, policy, element)]; });
        for (std::uint32_t digit = 0; digit < counts.size(); ++digit)
            k.scatter(0, digit * k.parameter(parts_parameter) + part.number, {counts[digit]});
    }
}

/// The specification of shaders/radix/radix_scan.glsl.
void scan(CpuInvocation& k) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < k.parameter(0); ++i) {
        k.scatter(0, i, {sum});
        sum += k.read(0, i)[0];
    }
}

/// Ranks the elements of a group, one after the other, among the elements with an equal digit value.
class Ranks {
  public:
    /// `first`: the index of the group's first element. `by_ballots`: whether subgroups rank by ballots.
    Ranks(CpuInvocation& k, const Policy& policy, std::uint32_t first, const Digit& digit, bool by_ballots)
        : k_(k),
          policy_(policy),
          first_(first),
          element_(first),
          digit_(digit),
          by_ballots_(by_ballots),
          taken_(std::size_t{1} << digit.bits) {}

    /// The rank of the next element.
    std::uint32_t next(std::uint32_t value) {
        const std::uint32_t rank = taken_[value]++;
        if (k_.traced()) note(value, rank);
        ++element_;
        return rank;
    }

  private:
    std::uint32_t lane() const { return (element_ - first_) % policy_.subgroup; }

    /// Subgroups rank neighbours by a ballot for each bit (shaders/radix/radix_rank.glsl). A subgroup of ties holds no
    /// ballots (ties.glsl). The trace has ballots nevertheless, since the ranks are the ballots' ranks.
    void begin_ballots() {
        if (!by_ballots_ || lane() != 0) return;
        for (std::uint32_t bit = 0; bit < digit_.bits; ++bit)
            k_.trace->ballots.push_back({k_.instance, element_, digit_.shift + bit, 0});
    }
    void note(std::uint32_t value, std::uint32_t rank) {
        k_.trace->ranks.push_back({k_.instance, element_, digit_.shift, value, rank});
        begin_ballots();
        if (!by_ballots_) return;
        std::vector<OpTrace::Ballot>& ballots = k_.trace->ballots;
        for (std::uint32_t bit = 0; bit < digit_.bits; ++bit)
            ballots[ballots.size() - digit_.bits + bit].votes |= std::uint64_t{value >> bit & 1} << lane();
    }

    CpuInvocation& k_;
    const Policy& policy_;
    std::uint32_t first_;
    std::uint32_t element_;
    Digit digit_;
    bool by_ballots_;
    std::vector<std::uint32_t> taken_;
};

/// The specification of shaders/radix/radix_scatter.glsl and radix_scatter_alone.glsl.
void scatter(CpuInvocation& k, const Policy& policy) {
    for (const Part& part : parts_of_group(k, policy)) {
        Ranks ranks(k, policy, part.begin, digit_of(k), policy.subgroups != Subgroups::none);
        for_part(k, part, [&](const Element& element) {
            const auto digit = static_cast<std::uint32_t>(digit_of(k, policy, element));
            const std::uint32_t first = k.read(1, digit * k.parameter(parts_parameter) + part.number)[0];
            k.scatter(0, first + ranks.next(digit), element);
        });
    }
}

// Further parameters of radix_histogram, and of radix_sweep.
enum : std::size_t { first_bit_parameter = 1, end_bit_parameter, status_parameter };
enum : std::size_t { pass_parameter = 3, first_status_parameter, stale_parameter };

// Outputs of radix_histogram.
enum : std::size_t { status_port, sums_port };

// Outputs of a first sweep that moves the sums. Other sweeps have the totals as input 1.
enum : std::size_t { swept_sums_port = 2, swept_totals_port };

/// The specification of shaders/radix/radix_histogram.glsl.
void histogram(CpuInvocation& k, const Policy& policy, std::uint32_t passes) {
    const DigitCounts digits{.bits = {k.parameter(first_bit_parameter), k.parameter(end_bit_parameter)},
                             .digit_bits = policy.digit_bits,
                             .passes = passes};
    std::vector<std::uint32_t> counts(digits.columns());
    for_part(k, parts_of_group(k, policy).front(),
             [&](const Element& element) { count_digits(policy.element_type.code_of(element), digits, counts); });
    if (k.instance == 0)
        for (std::uint32_t i = 0; i < k.parameter(status_parameter); ++i)
            k.scatter(status_port, i, {});
    for (std::uint32_t column = 0; column < counts.size(); ++column)
        k.add(sums_port, column, counts[column]);
}

/// The specification of shaders/radix/radix_sweep.glsl. Tiles run in order, so each tile knows the sums of all earlier
/// tiles.
void sweep(CpuInvocation& k, const Policy& policy, SweepOrder order, const std::optional<DigitCounts>& counts) {
    const std::uint32_t digits = policy.digits();
    const auto total_of = [&](std::uint32_t digit) {
        return counts ? k.shared(swept_sums_port, digit)[0]
                      : k.read(1, k.parameter(pass_parameter) * digits + digit)[0];
    };
    const std::uint32_t begin = k.instance * policy.tile();
    const std::uint32_t end = std::min(begin + policy.tile(), k.parameter(count_parameter));
    const std::uint32_t first_status = k.parameter(first_status_parameter);
    const auto status_of = [&](std::uint32_t tile) { return first_status + Status::row_of(tile) * digits; };
    std::vector<std::uint32_t> goals(digits);
    std::uint32_t start = 0;
    for (std::uint32_t digit = 0; digit < digits; ++digit) {
        goals[digit] = k.instance == 0 ? start : k.add(1, status_of(k.instance - 1) + digit, 0) >> 2;
        if (k.instance == 0)
            start += total_of(digit);
        else if (k.traced())
            k.trace->look_backs.push_back({k.instance, k.instance - 1, digit, goals[digit]});
    }
    Ranks ranks(k, policy, begin, digit_of(k), order != SweepOrder::any);
    std::vector<std::uint32_t> ends = goals;
    for (std::uint32_t i = begin; i < end; ++i) {
        const Element element = k.read(0, i);
        const auto digit = static_cast<std::uint32_t>(digit_of(k, policy, element));
        k.scatter(0, goals[digit] + ranks.next(digit), element);
        ++ends[digit];
    }
    for (std::uint32_t digit = 0; digit < digits; ++digit)
        k.scatter(1, status_of(k.instance) + digit, {ends[digit] << 2 | 2});
    if (counts && k.instance == 0) move_sums(k, swept_sums_port, swept_totals_port, *counts);
    const std::uint32_t stale = k.parameter(stale_parameter);
    if (stale == first_status) return;
    for (std::uint32_t digit = 0; digit < digits; ++digit)
        k.scatter(1, stale + Status::row_of(k.instance) * digits + digit, {});
}

/// The elements in the order of a digit. Elements with equal digits keep their order. `first`: the index of the first
/// element, for the trace.
std::vector<Element> sorted_by(CpuInvocation& k, const Policy& policy, const std::vector<Element>& records,
                               const Digit& digit, std::uint32_t first) {
    const auto value_of = [&](const Element& element) {
        return static_cast<std::uint32_t>(bits_of(policy, element, digit.shift, digit.bits));
    };
    std::vector<std::uint32_t> goals((std::size_t{1} << digit.bits) + 1);
    for (const Element& element : records)
        ++goals[value_of(element) + 1];
    for (std::size_t value = 1; value < goals.size(); ++value)
        goals[value] += goals[value - 1];
    Ranks ranks(k, policy, first, digit, policy.subgroups != Subgroups::none);
    std::vector<Element> sorted(records.size());
    for (const Element& element : records)
        sorted[goals[value_of(element)] + ranks.next(value_of(element))] = element;
    return sorted;
}

/// Bits that each round handles, in a group that sorts by many bits.
std::uint32_t round_bits_of(const Policy& policy) {
    return policy.subgroups == Subgroups::none ? round_bits : policy.digit_bits;
}

/// The specification of shaders/radix/radix_group.glsl.
void sort_group(CpuInvocation& k, const Policy& policy) {
    std::vector<Element> records;
    for (std::uint32_t i = 0; i < k.parameter(count_parameter); ++i)
        records.push_back(k.read(0, i));
    const std::uint32_t shift = k.parameter(shift_parameter);
    sort_by_digits(k, policy, {shift, shift + k.parameter(bits_parameter)}, records);
    for (std::uint32_t i = 0; i < records.size(); ++i)
        k.scatter(0, i, records[i]);
}

/// Declares that `kernel` ranks the elements of a tile by subgroups (shaders/radix/radix_rank.glsl).
void declare_digit_ranks(Kernel& kernel, const Policy& policy) {
    declare_subgroups(kernel, policy.subgroups, policy.subgroup);
    kernel.defines.emplace_back("GLSORT_DIGIT_BITS", literal(policy.digit_bits));
    kernel.defines.emplace_back("GLSORT_PARTS", literal(policy.parts));
    kernel.defines.emplace_back("GLSORT_MEMORY", literal(policy.memory_words()));
    if (policy.keeps_counts) kernel.defines.emplace_back("GLSORT_KEEPS_COUNTS", "1");
    if (policy.bank_row != 0) kernel.defines.emplace_back("GLSORT_BANK_ROW", literal(policy.bank_row));
    if (policy.counts_in_halves) kernel.defines.emplace_back("GLSORT_COUNTS_IN_HALVES", "1");
    kernel.shared_words = policy.sweep_words();
}

}  // namespace

std::uint32_t Policy::tile_words() const {
    return element_type.words() * tile() + counter_words * invocations + scan_words(invocations);
}

std::uint32_t Policy::memory_words() const {
    const std::uint32_t counts = invocations / subgroup * digits();
    const std::uint32_t places = tile() / parts;
    const std::uint32_t slots = bank_row == 0 ? places : places + (places >> bank_row);
    return std::max(slots * words_at_once, counts_in_halves ? counts / 2 : counts);
}

std::uint32_t Policy::sweep_words() const {
    // Beyond the memory: a word for each digit, two single words, of which a sweep uses one, and the words of a scan.
    const bool by_subgroups = subgroups == Subgroups::khr;
    return memory_words() + digits() + 2 + (by_subgroups ? invocations / subgroup : scan_words(invocations));
}

DigitCounts Policy::digit_counts(std::uint32_t passes) const {
    return {.bits = {}, .digit_bits = digit_bits, .passes = passes, .status = 0};
}

std::uint32_t Policy::shared_words() const {
    return tile_words() + 2 * digits();
}

Kernel kernel_of_groups(const char* name, const Policy& policy) {
    Kernel kernel;
    kernel.name = name;
    kernel.group_size = policy.invocations;
    kernel.defines = {{"GLSORT_ELEMENTS", literal(policy.elements)},
                      {"GLSORT_TILE", literal(policy.tile())},
                      {"GLSORT_DIGITS", literal(policy.digits())},
                      {"GLSORT_ROUND_BITS", literal(round_bits)},
                      {"GLSORT_SCAN_ROW", literal(scan_row)}};
    if (policy.aligned) kernel.defines.emplace_back("GLSORT_ALIGNED", "1");
    return kernel;
}

namespace {

/// The shape for the digit in a kernel's parameters. `tile`: the elements of a group.
KernelShape shape_by_digit(const KernelNumber& tile, std::uint32_t rounds = 0) {
    KernelShape shape;
    shape.count = KernelNumber::parameter(count_parameter);
    shape.tile = tile;
    shape.digit = DigitShape{KernelNumber::parameter(shift_parameter), KernelNumber::parameter(bits_parameter), rounds};
    return shape;
}

}  // namespace

void declare_digit_sort(Kernel& kernel, const Policy& policy) {
    declare_digit_ranks(kernel, policy);
    if (policy.words_at_once == policy.element_type.words()) kernel.defines.emplace_back("GLSORT_WHOLE_RECORDS", "1");
}

void sort_by_digits(CpuInvocation& k, const Policy& policy, const BitRange& bits, std::vector<Element>& records,
                    std::uint32_t first) {
    for (const Digit& digit : digits_of(bits, round_bits_of(policy)))
        records = sorted_by(k, policy, records, digit, first);
}

std::uint32_t max_ranked_bits(const Limits& limits) {
    // Each subgroup has its own counts, so smaller subgroups have room for fewer digit values. Each value takes an
    // invocation.
    const std::uint32_t bits = limits.subgroup_size >= 16 ? 8 : limits.subgroup_size == 8 ? 7 : 6;
    return std::min(bits, static_cast<std::uint32_t>(std::bit_width(std::max(limits.invocations, 2u)) - 1));
}

std::uint32_t ranked_bits(const SortFrame& frame) {
    const std::uint32_t asked = frame.tuning().radix.digit_bits;
    return asked != 0 ? asked : max_ranked_bits(frame.limits());
}

namespace {

/// `digit_bits`: max bits of a digit. 0: the request or the device decides.
Policy ranking_of(const SortFrame& frame, std::uint32_t invocations, std::uint32_t elements, std::uint32_t parts,
                  std::uint32_t words_at_once, std::uint32_t digit_bits = 0, bool halves = false) {
    const Limits& limits = frame.limits();
    if (limits.invocations == 0)
        throw Error("radix:one-sweep needs groups of invocations; the limit is 0 (invocations)");
    Policy policy;
    policy.element_type = frame.element_type();
    // A device without subgroups cannot run these kernels, but their program can be printed.
    policy.subgroups = limits.has_subgroups() ? limits.subgroups : Subgroups::khr;
    policy.look_back = tuning_of(frame).look_back;
    policy.longest_wait = tuning_of(frame).longest_wait;
    policy.max_partitions = tuning_of(frame).partitions;
    if (limits.subgroup_size != 0) policy.subgroup = limits.subgroup_size;
    const std::uint32_t max_bits = max_ranked_bits(limits);
    if (frame.tuning().radix.digit_bits > max_bits)
        throw Error(fmt::format("digits of {} bits exceed the limit of {} of radix:one-sweep with subgroups of {}",
                                frame.tuning().radix.digit_bits, max_bits, limits.subgroup_size));
    policy.digit_bits = ranked_bits(frame);
    policy.invocations = std::min(policy.subgroup < 32 ? 1u << max_bits : invocations, limits.invocations);
    // Each digit value takes an invocation.
    if (digit_bits != 0)
        policy.digit_bits = std::min(digit_bits, static_cast<std::uint32_t>(std::bit_width(policy.invocations) - 1));
    policy.parts = parts;
    policy.words_at_once = words_at_once;
    policy.elements = parts;
    const auto fits = [&] { return 4 * policy.sweep_words() <= limits.shared_memory; };
    // The counts of each subgroup need room first.
    policy.counts_in_halves =
        halves && !fits() && policy.subgroups == Subgroups::khr && policy.invocations >= 2 * policy.subgroup;
    while (!fits() && policy.invocations / 2 >= std::max(policy.digits(), policy.subgroup))
        policy.invocations /= 2;
    while (!fits() && policy.digit_bits > 1)
        --policy.digit_bits;
    if (frame.tuning().radix.digit_bits > policy.digit_bits)
        throw Error(
            fmt::format("the counts of digits of {} bits exceed the limit of {} bytes of shared memory (shared_memory)",
                        frame.tuning().radix.digit_bits, limits.shared_memory));
    policy.elements = elements;
    while (!fits() && policy.elements > parts)
        policy.elements -= parts;
    policy.keeps_counts = policy.elements <= tuning_of(frame).max_with_counts;
    policy.aligned = 32 % policy.digit_bits == 0 && frame.bits().first % policy.digit_bits == 0;
    return policy;
}

/// The number of banks of shared memory, each a word wide. Another number on a device costs nothing but time.
constexpr std::uint32_t banks = 32;

/// The `Policy::bank_row` that spreads the elements of a policy. 0 if groups are no multiple of a row, or if shared
/// memory has no room for unused slots.
std::uint32_t bank_row_of(Policy policy, const Limits& limits) {
    // The fewest elements whose words reach all banks equally often.
    const std::uint32_t row = banks / (policy.words_at_once & (0u - policy.words_at_once));
    if (policy.invocations % row != 0) return 0;
    policy.bank_row = static_cast<std::uint32_t>(std::countr_zero(row));
    return 4 * policy.sweep_words() <= limits.shared_memory ? policy.bank_row : 0;
}

}  // namespace

Policy ranking_of(const SortFrame& frame, std::uint32_t invocations, std::uint32_t elements) {
    return ranking_of(frame, invocations, elements, 1, 1);
}

std::optional<Policy> ranking_tile_of(const SortFrame& frame, std::uint32_t invocations, std::uint32_t tile,
                                      std::uint32_t words_at_once, std::uint32_t digit_bits, bool halves) {
    const std::uint32_t elements = tile / ranking_of(frame, invocations, 1, 1, 1, digit_bits, halves).invocations;
    if (elements == 0) return std::nullopt;
    const Policy policy = ranking_of(frame, invocations, elements, 1, words_at_once, digit_bits, halves);
    return policy.tile() == tile ? std::optional(policy) : std::nullopt;
}

std::size_t shape_of(const ElementType& element_type) {
    const bool wide = element_type.code_words() == 2;
    return element_type.words() - (wide ? 0 : 1);
}

Policy moving_of(const SortFrame& frame, const ElementType& element_type, const MoveShape& shape) {
    Policy policy = ranking_of(frame, shape.invocations, shape.elements, shape.parts, element_type.words());
    policy.element_type = element_type;
    if (shape.spread) policy.bank_row = bank_row_of(policy, frame.limits());
    return policy;
}

std::vector<Digit> digits_of(const BitRange& bits, std::uint32_t digit_bits) {
    std::vector<Digit> digits;
    for (std::uint32_t shift = bits.first; shift < bits.end; shift += digit_bits)
        digits.push_back({shift, std::min(digit_bits, bits.end - shift)});
    return digits;
}

namespace {

std::uint32_t tiles_of_a_partition(const Policy& policy, std::uint32_t n) {
    return std::min(records_for(records_for(n, policy.tile()), policy.max_partitions), policy.max_tiles);
}

}  // namespace

Partitions partitions_of(const Policy& policy, const Counted& n) {
    const std::uint32_t length = tiles_of_a_partition(policy, n) * policy.tile();
    return {parts_of(n, length), length};
}

Partitions partitions_by_number(const Policy& policy, const Counted& n) {
    const std::uint32_t number = partitions_of(policy, n).number;
    return {number, parts_of(n, number * policy.tile()) * policy.tile()};
}

CountRange counts_with_partitions_of(const Policy& policy, std::uint32_t n) {
    constexpr std::uint64_t largest = 0xffffffffu;
    // Every `step` elements, partitions become one tile longer.
    const std::uint64_t step = std::uint64_t{policy.tile()} * policy.max_partitions;
    const std::uint64_t tiles = tiles_of_a_partition(policy, n);
    return {static_cast<std::uint32_t>((tiles - 1) * step + 1),
            static_cast<std::uint32_t>(tiles == policy.max_tiles ? largest : std::min(tiles * step, largest))};
}

std::uint32_t partitions_up_to(const Policy& policy, std::uint32_t count) {
    const std::uint32_t tiles = records_for(count, policy.tile());
    return std::max(std::min(tiles, policy.max_partitions), records_for(tiles, policy.max_tiles));
}

KernelPtr count_kernel(const Policy& policy) {
    Kernel kernel = kernel_of_groups(policy.alone ? "radix_count_alone" : "radix_count", policy);
    kernel.inputs = {policy.element_type.port("source", Access::gather, any_elements)};
    kernel.outputs = {
        {.name = "counts", .access = Access::scatter, .elements = policy.counters(), .role = PortRole::counts}};
    kernel.parameters = {{"count"}, {"shift"}, {"bits"}, {"parts"}, {"length"}};
    if (!policy.alone) kernel.shared_words = policy.digits();
    kernel.shape = shape_by_digit(KernelNumber::parameter(length_parameter));
    kernel.cpu = [policy](CpuInvocation& k) { count(k, policy); };
    policy.element_type.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr scan_kernel(const SortFrame& frame) {
    const Limits& limits = frame.limits();
    const std::uint32_t row = tuning_of(frame).scan_elements;
    Kernel kernel;
    kernel.name = "radix_scan";
    kernel.group_size = std::bit_floor(std::min(limits.invocations, tuning_of(frame).scan_invocations));
    while (4 * (row * kernel.group_size + scan_words(kernel.group_size)) > limits.shared_memory &&
           kernel.group_size > scan_row)
        kernel.group_size /= 2;
    kernel.inputs = {{.name = "counts", .access = Access::gather, .elements = any_elements, .role = PortRole::counts}};
    kernel.outputs = {
        {.name = "offsets", .access = Access::scatter, .elements = any_elements, .role = PortRole::offsets}};
    kernel.parameters = {{"elements"}};
    kernel.defines = {{"GLSORT_ROW", literal(row)}};
    kernel.shared_words = row * kernel.group_size;
    declare_group_scan(kernel, limits);
    kernel.cpu = [](CpuInvocation& k) { scan(k); };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr scatter_kernel(const Policy& policy) {
    Kernel kernel = kernel_of_groups(policy.alone ? "radix_scatter_alone" : "radix_scatter", policy);
    kernel.inputs = {
        policy.element_type.port("source", Access::gather, any_elements),
        {.name = "offsets", .access = Access::gather, .elements = policy.counters(), .role = PortRole::offsets}};
    kernel.outputs = {policy.element_type.port("target", Access::scatter, any_elements)};
    kernel.parameters = {{"count"}, {"shift"}, {"bits"}, {"parts"}, {"length"}};
    if (!policy.alone) kernel.shared_words = policy.shared_words();
    if (policy.subgroups != Subgroups::none) declare_digit_ranks(kernel, policy);
    kernel.shape = shape_by_digit(KernelNumber::parameter(length_parameter));
    kernel.cpu = [policy](CpuInvocation& k) { scatter(k, policy); };
    policy.element_type.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr histogram_kernel(const Policy& policy, std::uint32_t passes) {
    Kernel kernel = kernel_of_groups("radix_histogram", policy);
    kernel.inputs = {policy.element_type.port("source", Access::gather, any_elements)};
    const DigitCounts digits = policy.digit_counts(passes);
    kernel.outputs = {{.name = "status", .access = Access::scatter, .elements = any_elements, .role = PortRole::status},
                      {.name = "sums",
                       .access = Access::shared,
                       .elements = digits.columns(),
                       .adds_only = true,
                       .role = PortRole::sums}};
    kernel.parameters = {{"count"}, {"first"}, {"end"}, {"status"}, {"length"}};
    declare_digit_counts(kernel, digits);
    kernel.shape.count = KernelNumber::parameter(count_parameter);
    kernel.shape.tile = KernelNumber::parameter(length_parameter);
    kernel.cpu = [policy, passes](CpuInvocation& k) { histogram(k, policy, passes); };
    policy.element_type.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr sweep_kernel(const Policy& policy, SweepOrder order, const std::optional<DigitCounts>& counts,
                       bool loads_runs) {
    Kernel kernel = kernel_of_groups("radix_sweep", policy);
    kernel.inputs = {policy.element_type.port("source", Access::gather, policy.tile())};
    kernel.outputs = {policy.element_type.port("target", Access::scatter, policy.tile()),
                      {.name = "status",
                       .access = Access::shared,
                       .elements = any_elements,
                       .specified = false,
                       .role = PortRole::status}};
    if (counts) {
        kernel.outputs.push_back(
            {.name = "sums", .access = Access::shared, .elements = counts->columns(), .role = PortRole::sums});
        kernel.outputs.push_back(
            {.name = "totals", .access = Access::scatter, .elements = counts->columns(), .role = PortRole::totals});
        kernel.defines.emplace_back("GLSORT_MOVES_SUMS", "1");
        kernel.defines.emplace_back("GLSORT_COLUMNS", literal(counts->columns()));
    } else {
        kernel.inputs.push_back(
            {.name = "totals", .access = Access::gather, .elements = policy.digits(), .role = PortRole::totals});
    }
    kernel.parameters = {{"count"}, {"shift"}, {"bits"}, {"pass"}, {"first_status"}, {"stale"}};
    if (loads_runs) kernel.defines.emplace_back("GLSORT_RUNS", "1");
    if (order == SweepOrder::any) kernel.defines.emplace_back("GLSORT_ANY_ORDER", "1");
    if (order == SweepOrder::any_before) kernel.defines.emplace_back("GLSORT_ANY_BEFORE", "1");
    declare_digit_ranks(kernel, policy);
    kernel.defines.emplace_back("GLSORT_BLOCK_BITS", literal(Status::block_bits));
    kernel.defines.emplace_back("GLSORT_LOOK_BACK", literal(policy.look_back));
    kernel.defines.emplace_back("GLSORT_LONGEST_WAIT", literal(policy.longest_wait));
    kernel.shape = shape_by_digit(policy.tile());
    kernel.shape.digit->leaves_order_open = order != SweepOrder::stable;
    kernel.cpu = [policy, order, counts](CpuInvocation& k) { sweep(k, policy, order, counts); };
    policy.element_type.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr group_kernel(const Policy& policy) {
    Kernel kernel = kernel_of_groups("radix_group", policy);
    kernel.inputs = {policy.element_type.port("source", Access::gather, policy.tile())};
    kernel.outputs = {policy.element_type.port("target", Access::scatter, policy.tile())};
    kernel.parameters = {{"count"}, {"shift"}, {"bits"}};
    kernel.shared_words = policy.tile_words();
    if (policy.subgroups != Subgroups::none) declare_digit_sort(kernel, policy);
    kernel.reads_first = ReadsFirst::one_group;
    kernel.shape = shape_by_digit(policy.tile(), round_bits_of(policy));
    kernel.cpu = [policy](CpuInvocation& k) { sort_group(k, policy); };
    policy.element_type.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace glsort::radix
