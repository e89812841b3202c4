#pragma once

#include <glsort/plan/sort_frame.h>
#include <glsort/stream/program.h>

#include <array>
#include <cstdint>

/// Elements between sweeps in two streams: the lower and the upper half of all places. Two storage buffers may have
/// room where one does not. With buffers of less than 2 GiB, as on NVIDIA GPUs, 2^28 pairs need halves. Section
/// "Halves" of docs/experiments/radix.md.

namespace glsort::radix {

class Halves {
  public:
    /// Declares the streams.
    explicit Halves(SortFrame& frame);

    /// Whether the elements of the capacity need halves, and whether each half fits a storage buffer. A sort in a
    /// single sweep has no elements between sweeps.
    static bool needed(const SortFrame& frame);

    /// The lower and the upper half.
    std::array<StreamId, 2> streams() const { return {lower_, upper_}; }

    /// Sends the elements that `writer` writes and `reader` reads through the halves. `tile`: the max number of
    /// elements that an instance of `reader` loads.
    void put_between(Op& writer, Op& reader, std::uint32_t tile) const;

  private:
    std::uint32_t words_;
    std::uint32_t capacity_;
    std::uint32_t middle_;  ///< The first place of the upper half.
    StreamId lower_;
    StreamId upper_;
};

}  // namespace glsort::radix
