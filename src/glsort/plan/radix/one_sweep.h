#pragma once

#include <glsort/plan/element_source.h>
#include <glsort/plan/radix/halves.h>
#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/plan/sort_frame.h>

#include <cstdint>
#include <vector>

namespace glsort::radix {

/// The ops of `radix:one-sweep` (plan/radix/radix.h). These ops can sort any stream of a program by codes.
class OneSweep {
  public:
    /// Declares the streams `totals`, `sums` and `status`, for up to `capacity` elements of the given type, sorted by
    /// the given bits of their codes. The request or the device decides how long digits are. If the request has a
    /// source whose digits are counted, the source gives `totals` and `status`. Then there is no `sums`, but a stream
    /// `packed` if elements are packed. Throws `Error` for too many elements.
    OneSweep(SortFrame& frame, const ElementType& element_type, std::uint32_t capacity, const BitRange& bits);

    /// Adds the ops that sort the first `count` elements of a stream stably. `count` must be above 0. `labels`: the
    /// labels of the ops. The stage of a sweep is set to the number of the digit. `halves`: the halves that take the
    /// place of the stream between two sweeps. Null: elements stay in the stream.
    void add(StreamId records, const Counted& count, Labels labels = {}, const Halves* halves = nullptr);

    /// What is counted before the first sweep of up to `count` elements.
    DigitCounts digits(std::uint32_t count) const;

    /// The range of counts around `count` whose programs have the ops of `count`. Only numbers that follow the count
    /// differ.
    CountRange counts_alike(std::uint32_t count) const;

    /// The counts after which the kernels change.
    static std::vector<std::uint32_t> counts(const SortFrame& frame, const ElementType& element_type);

  private:
    /// The source of elements whose digits are counted. Null: the sort counts digits.
    const ElementSource* counted_source() const;
    Policy policy_of(std::uint32_t count) const;
    /// Whether elements with equal digits may leave the first sweep in any order.
    bool any_order() const;
    bool packs(const std::vector<Digit>& digits) const;
    Status status_of(const Policy& policy, const Counted& count) const;

    SortFrame& frame_;
    std::vector<std::uint32_t> ends_;  ///< The max count of each of the `MoveSizes`.
    ElementType element_type_;
    BitRange bits_;
    StreamId sums_ = 0;
    StreamId totals_ = 0;
    StreamId status_ = 0;
    StreamId packed_ = 0;  ///< In front of the last sweep (packed_digit.h), if elements are packed there.
};

}  // namespace glsort::radix
