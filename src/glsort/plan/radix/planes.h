#pragma once

#include <glsort/plan/sort_frame.h>
#include <glsort/planner.h>
#include <glsort/stream/program.h>

#include <array>
#include <cstdint>

/// Elements between sweeps in two streams: one of keys, one of indices or values. A storage buffer may have room for a
/// stream where no storage buffer has room for whole elements. With buffers of less than 2 GiB, as on NVIDIA GPUs, 2^28
/// pairs need planes.
///
/// The chunks for the caller's keys and values also serve planes, so there are no shaders of planes. The chunks convert
/// codes to keys and back. This arithmetic costs little in sweeps, which memory limits.

namespace glsort::radix {

class Planes {
  public:
    /// Declares the streams, for elements of one word of code and one word besides.
    explicit Planes(SortFrame& frame);

    /// Whether the elements of the capacity need planes, and whether planes can hold the elements. A sort in a single
    /// sweep has no elements between sweeps.
    static bool needed(const SortFrame& frame);

    /// The keys, and the indices or values.
    std::array<StreamId, 2> streams() const { return {keys_, values_}; }

    /// Sends the elements that `writer` writes and `reader` reads through the planes. `tile`: the max number of
    /// elements that an instance of `reader` loads.
    void put_between(Op& writer, Op& reader, const Counted& count, std::uint32_t tile) const;

  private:
    PlanRequest request_;
    StreamId keys_ = 0;
    StreamId values_ = 0;
};

}  // namespace glsort::radix
