#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/chunks.h>
#include <glsort/plan/radix/one_sweep.h>
#include <glsort/plan/radix/packed_digit.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace glsort::radix {
namespace {

std::span<const MoveSize> sizes_of(const SortFrame& frame, const ElementType& element_type) {
    return in_use(tuning_of(frame).sizes.at(shape_of(element_type)));
}

/// The max count of a size.
std::uint32_t end_of(const SortFrame& frame, const MoveSize& size) {
    if (size.tiles == 0) return 0xffffffffu;
    const std::uint32_t known = frame.limits().multiprocessors;
    const std::uint32_t multiprocessors = known != 0 ? known : tuning_of(frame).assumed_multiprocessors;
    return size.tiles * multiprocessors * size.shape.invocations * size.shape.elements;
}

}  // namespace

OneSweep::OneSweep(SortFrame& frame, const ElementType& element_type, std::uint32_t capacity, const BitRange& bits)
    : frame_(frame), ends_(counts(frame, element_type)), element_type_(element_type), bits_(bits) {
    // The word of a tile in `status` is a number of 30 bits, above two bits for the kind of the number.
    constexpr std::uint32_t largest = (1u << 30) - 1;
    if (capacity > largest)
        throw Error(fmt::format("{} elements exceed the limit of {} of radix:one-sweep", capacity, largest));
    if (counted_source()) {
        // The last two streams of the source.
        status_ = frame.program.caller.source.back();
        totals_ = *(frame.program.caller.source.end() - 2);
        if (packs(digits_of(bits_, policy_of(capacity).digit_bits)))
            packed_ = frame.add_stream("packed", 1, 1, capacity);
        return;
    }
    std::uint32_t status_size = 0;
    std::uint32_t columns = 0;
    for (const std::uint32_t end : ends_) {
        const std::uint32_t count = std::min(end, capacity);
        const Status status = status_of(policy_of(count), count);
        status_size = std::max(status_size, status.size().value());
        columns = std::max(columns, status.passes * status.digits);
    }
    sums_ = frame.add_stream("sums", 1, 1, columns);
    frame.begin_zero(sums_);
    totals_ = frame.add_stream("totals", 1, 1, columns);
    status_ = frame.add_stream("status", 1, 1, status_size);
}

const ElementSource* OneSweep::counted_source() const {
    const ElementSource* const source = frame_.request.source.get();
    return source != nullptr && source->digits ? source : nullptr;
}

std::vector<std::uint32_t> OneSweep::counts(const SortFrame& frame, const ElementType& element_type) {
    std::vector<std::uint32_t> ends;
    for (const MoveSize& size : sizes_of(frame, element_type))
        ends.push_back(end_of(frame, size));
    return ends;
}

Policy OneSweep::policy_of(std::uint32_t count) const {
    const auto fits = [count](std::uint32_t end) { return count <= end; };
    const auto size = static_cast<std::size_t>(std::find_if(ends_.begin(), ends_.end(), fits) - ends_.begin());
    Policy policy = moving_of(frame_, element_type_, sizes_of(frame_, element_type_)[size].shape);
    policy.max_partitions = tuning_of(frame_).histogram_partitions;
    return policy;
}

Status OneSweep::status_of(const Policy& policy, const Counted& count) const {
    const std::vector<Digit> digits = digits_of(bits_, policy.digit_bits);
    return {static_cast<std::uint32_t>(digits.size()), parts_of(count, policy.tile() * Status::block), policy.digits()};
}

DigitCounts OneSweep::digits(std::uint32_t count) const {
    const Policy policy = policy_of(count);
    const Status status = status_of(policy, count);
    DigitCounts digits = policy.digit_counts(status.passes);
    digits.bits = bits_;
    digits.status = status.size();
    return digits;
}

bool OneSweep::any_order() const {
    // If elements are keys alone, and all bits are sorted, elements that agree in all bits are equal. So their order
    // does not show.
    const std::uint32_t words = element_type_.code_words();
    return counted_source() == nullptr && element_type_.words() == words && bits_.first == 0 && bits_.end == 32 * words;
}

bool OneSweep::packs(const std::vector<Digit>& digits) const {
    const ElementSource* const source = counted_source();
    return source != nullptr && digits.size() > 1 && frame_.capacity() >= tuning_of(frame_).packed_capacity &&
           packs_last_digit(*source, element_type_, digits.back());
}

CountRange OneSweep::counts_alike(std::uint32_t count) const {
    CountRange alike = counts_with_partitions_of(policy_of(count), count);
    for (const std::uint32_t end : ends_) {
        if (count <= end) alike.last = std::min(alike.last, end);
        if (count > end) alike.first = std::max(alike.first, end + 1);
    }
    return alike;
}

void OneSweep::add(StreamId records, const Counted& count, Labels labels, const Halves* halves) {
    const auto add_op = [&](KernelPtr kernel, std::vector<StreamUse> reads, std::vector<StreamUse> writes,
                            const Counted& groups, std::vector<Counted> parameters) {
        Op op;
        op.kernel = std::move(kernel);
        op.reads = std::move(reads);
        op.writes = std::move(writes);
        op.domain = Substream::first(groups);
        op.parameters = std::move(parameters);
        op.labels = labels;
        frame_.add(std::move(op));
    };
    const Policy policy = policy_of(count);
    const bool follows = frame_.request.spec.gpu_count;
    const Partitions partitions = follows ? partitions_by_number(policy, count) : partitions_of(policy, count);
    const std::vector<Digit> digits = digits_of(bits_, policy.digit_bits);
    const ElementSource* const source = counted_source();
    const Status words = status_of(policy, count);
    const std::uint32_t columns = words.passes * words.digits;

    const StreamUse all{records, Substream::first(count)};
    const StreamUse added_up{totals_, Substream::range(0, columns)};
    const StreamUse watched{status_, Substream::first(words.size())};
    const StreamUse counted{sums_, Substream::range(0, columns)};
    if (source == nullptr) {
        add_op(histogram_kernel(policy, words.passes), {all}, {watched, counted}, partitions.number,
               {count, bits_.first, bits_.end, words.size(), partitions.length});
    }
    const bool any = any_order();
    const SweepOrder order = any ? SweepOrder::any_before : SweepOrder::stable;
    const auto sweep = sweep_kernel(policy, order, std::nullopt, halves != nullptr);
    // The chunk of packed elements loads one element at a time.
    const bool packed = packs(digits);
    const auto last_sweep = packed && halves != nullptr ? sweep_kernel(policy, order) : sweep;
    const auto first_sweep = source == nullptr ? sweep_kernel(policy, any ? SweepOrder::any : SweepOrder::stable,
                                                              policy.digit_counts(words.passes))
                                               : sweep_kernel(policy, SweepOrder::stable, std::nullopt, true);
    for (std::uint32_t pass = 0; pass < words.passes; ++pass) {
        labels.stage = static_cast<int>(pass);
        std::vector<StreamUse> reads{all};
        std::vector<StreamUse> writes{all, watched};
        if (pass == 0 && source == nullptr)
            writes.insert(writes.end(), {counted, added_up});
        else
            reads.push_back(added_up);
        const bool is_last = pass + 1 == words.passes;
        add_op(pass == 0 ? first_sweep
               : is_last ? last_sweep
                         : sweep,
               std::move(reads), std::move(writes), parts_of(count, policy.tile()),
               {count, digits[pass].shift, digits[pass].bits, pass, words.first(pass), words.stale(pass)});
    }
    std::vector<Op>& ops = frame_.program.ops;
    const std::size_t last = ops.size() - 1;
    for (std::size_t reader = ops.size() - words.passes + 1; reader <= last; ++reader) {
        if (reader == last && packed)
            exchange(ops[reader - 1], ops[reader], store_packed_chunk(element_type_, digits.back()),
                     load_packed_chunk(element_type_, digits.back(), policy.tile()), {{packed_, all.records}});
        else if (halves != nullptr)
            halves->put_between(ops[reader - 1], ops[reader], policy.tile());
    }
}

}  // namespace glsort::radix
