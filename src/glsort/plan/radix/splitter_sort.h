#pragma once

#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/plan/sort_frame.h>

#include <cstdint>
#include <vector>

namespace glsort::splitters {

/// Sample sort in two ops, for counts at which a sort waits more than it works. After H. Shi and J. Schaeffer,
/// "Parallel sorting by regular sampling" (1992), section 2. Stable. Runs on compute with subgroup operations (five
/// storage blocks) and on cpu.
///
/// `splitter_tile` sorts each tile by digits, and takes equidistant samples of the sorted tile. `splitter_bucket` has a
/// group for each bucket. The group chooses two samples by their ranks among all samples: the splitters in front of the
/// bucket and at its end. A search in each tile tells where the bucket begins and ends there. The group then sorts the
/// pieces of all tiles by digits, and moves the elements to their places. No group waits for another.
///
/// The max number of tiles is at most the number of multiprocessors. The number of buckets is always this max. In each
/// tile the samples begin at a different place, so regular input rarely makes large buckets. A group has room for about
/// twice the elements of a tile. If a bucket has more, its group merges the pieces in global memory, which is slow.
class SplitterSort {
  public:
    /// Values that the kernels for one size of tiles share.
    struct Shape {
        radix::Policy tile;          ///< Sorts a tile.
        radix::Policy bucket;        ///< Sorts a bucket.
        std::uint32_t samples = 32;  ///< Samples of a whole tile: a power of two.
        std::uint32_t tiles = 128;   ///< Max tiles. Also the number of buckets.

        const ElementType& element_type() const { return tile.element_type; }
        std::uint32_t max_count() const { return tiles * tile.tile(); }
        /// Elements for each sample.
        std::uint32_t spacing() const { return tile.tile() / samples; }
        std::uint32_t all_samples() const { return tiles * samples; }
    };

    /// Declares the streams `tiles`, `samples` and `spare`, if the device can sort by splitters. The device cannot if
    /// the number of multiprocessors is unknown, or if there is too little shared memory, too few invocations or no
    /// subgroups. A request with a digit length is not sorted by splitters either.
    explicit SplitterSort(SortFrame& frame);

    /// Max elements that enumeration sorts faster than splitters. Any number if the device cannot sort by splitters.
    std::uint32_t max_enumerated() const;

    /// If the frame's n is small enough, sorts `records` and returns true. `records` is then the result.
    bool add(StreamId records) const;

    /// The counts after which the ops change.
    static std::vector<std::uint32_t> counts(const SortFrame& frame);

  private:
    SortFrame& frame_;
    std::vector<Shape> shapes_;  ///< From small tiles to large ones.
    StreamId tiles_ = 0;
    StreamId samples_ = 0;
    StreamId spare_ = 0;
};

}  // namespace glsort::splitters
