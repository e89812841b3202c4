#pragma once

#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/plan/sort_frame.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace glsort::splitters {

/// Sample sort in two ops, for counts at which a sort waits more than it works. After W. D. Frazer and A. C.
/// McKellar, "Samplesort: a sampling approach to minimal storage tree sorting" (1970). Stable. Runs on compute with
/// subgroup operations (eight storage blocks) and on cpu.
///
/// `splitter_divide` ranks samples of the input, takes equidistant ones as splitters, and divides each tile into
/// buckets: the elements between two splitters. Groups wait for the splitters of other groups. A group that has waited
/// too long chooses splitters itself. `splitter_bucket` has a group for each bucket, which sorts the pieces of all
/// tiles by cells, and moves the elements to their places.
///
/// The samples are random, so regular input rarely makes large buckets. A group has room for at least twice the
/// expected elements of a bucket. A larger bucket outgrows its group. The group then sorts the bucket in parts, and
/// merges the parts in global memory, which is slow. Equal elements never outgrow a group, since equal elements only
/// move.
class SplitterSort {
  public:
    /// Values that the kernels for one size of tiles share.
    struct Shape {
        /// Neighbours that are samples together, in one access to memory.
        static constexpr std::uint32_t cluster = 8;

        radix::Policy tile{};                  ///< Divides a tile. Its digits are the buckets.
        std::uint32_t bucket_invocations = 0;  ///< Of a group that sorts a bucket.
        std::uint32_t bucket_elements = 0;     ///< Of an invocation, at most.
        std::uint32_t clusters = 0;            ///< Of samples.
        std::uint32_t targets = 0;             ///< Samples that a group ranks: a power of two.
        std::uint32_t choosing = 0;            ///< Max groups that rank samples.
        bool one_word = false;          ///< Whether one word has the number of an element and the rest of its code.
        std::uint32_t cell_bits = 0;    ///< Of the number of a cell. A bucket's codes are divided into cells.
        std::uint32_t piece_lanes = 0;  ///< Invocations that take a piece together: a power of two.
        std::uint32_t tiles = 0;        ///< Max tiles.
        std::uint32_t max_count = 0;    ///< Max elements.
        std::uint32_t tile_groups = 0;  ///< Max groups that divide tiles.
        /// The fewest buckets of a sort whose count is on the GPU. Small counts use fewer samples and buckets than the
        /// capacity. 0: the CPU knows the count.
        std::uint32_t min_buckets = 0;

        const ElementType& element_type() const { return tile.element_type; }
        /// Max samples and buckets.
        std::uint32_t samples() const { return cluster * clusters; }
        std::uint32_t buckets() const { return tile.digits(); }
        /// Max elements of a bucket that a group sorts at once.
        std::uint32_t bucket_size() const { return bucket_invocations * bucket_elements; }
        /// Max expected elements of a bucket: half of what a group has room for.
        std::uint32_t expected() const { return bucket_size() / 2; }
        bool follows_count() const { return min_buckets != 0; }
        /// `tiles`, rounded up to a power of two. A bucket's group has room for this number of pieces.
        std::uint32_t max_tiles() const { return std::bit_ceil(tiles); }
        /// Samples that an invocation loads at once. The number that a whole group loads at once divides the number of
        /// all samples.
        std::uint32_t samples_at_once() const { return std::clamp(samples() / tile.invocations, 1u, 4u); }
        /// Max tiles that a group divides.
        std::uint32_t tiles_of_group() const { return records_for(tiles, tile_groups); }

        // For a number of elements:
        std::uint32_t buckets_of(std::uint32_t count) const;
        std::uint32_t samples_of(std::uint32_t count) const;
        std::uint32_t cells() const { return 1u << cell_bits; }
    };

    /// Declares the streams `splitters`, `marks`, `tiles`, `starts` and `spare`, if the device can sort by splitters.
    /// The device cannot if the number of multiprocessors is unknown, or if there are no subgroups. The device may also
    /// have too little shared memory, too few invocations or too few storage blocks. Splitters do not serve requests
    /// with a digit length, a comparison, or a source whose digits are counted. No stream is declared if enumeration
    /// sorts every count up to the capacity.
    explicit SplitterSort(SortFrame& frame);

    /// Max elements that enumeration sorts faster than splitters. Any number if the device cannot sort by splitters.
    std::uint32_t max_enumerated() const;

    /// If a shape fits the frame's n, sorts `records` and returns true. `records` is then the result.
    bool add(StreamId records) const;

    /// The counts after which the ops change. `of_scene`: in the sort of a scene.
    static std::vector<std::uint32_t> counts(const SortFrame& frame, bool of_scene);

  private:
    SortFrame& frame_;
    std::vector<Shape> shapes_;  ///< From small tiles to large ones.
    StreamId splitters_ = 0;
    StreamId tiles_ = 0;
    StreamId starts_ = 0;
    StreamId marks_ = 0;
    StreamId spare_ = 0;
};

}  // namespace glsort::splitters
