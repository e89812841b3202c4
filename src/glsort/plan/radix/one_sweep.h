#pragma once

#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/plan/sort_frame.h>

#include <cstdint>
#include <vector>

namespace glsort::radix {

/// The ops of `radix:one-sweep` (plan/radix/radix.h), for whatever stream of a program is to be sorted by codes.
class OneSweep {
  public:
    /// Declares the streams for up to `most` records of that type, sorted by those bits of their codes: `totals`,
    /// `sums`, `status`. Throws `Error` where they are too many. Digits are as the frame's request says.
    OneSweep(SortFrame& frame, const RecordType& record, std::uint32_t most, const BitRange& bits);

    /// Adds the ops that sort the first `count` records of a stream, above 0, stably. `labels`: what those of the
    /// sweeps say besides the stage, which is the number of the digit.
    void add(StreamId records, const Counted& count, Labels labels = {});

    /// The counts for which these ops are the same, but for numbers that follow the count.
    CountRange counts_alike(std::uint32_t count) const;

    /// The counts behind which the kernels change.
    static std::vector<std::uint32_t> counts(const SortFrame& frame);

  private:
    Setting setting_of(std::uint32_t count) const;
    Status status_of(const Counted& count) const;

    SortFrame& frame_;
    const Tuning& tuning_;
    RecordType record_;
    BitRange bits_;
    StreamId sums_ = 0;
    StreamId totals_ = 0;
    StreamId status_ = 0;
};

}  // namespace glsort::radix
