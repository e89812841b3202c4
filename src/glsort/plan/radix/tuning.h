#pragma once

#include <glsort/plan/sort_frame.h>
#include <glsort/plan/tuning.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace glsort::radix {

/// Invocations of a group, and elements per invocation.
struct GroupShape {
    std::uint32_t invocations = 0;
    std::uint32_t elements = 0;
};

/// The shape of groups that move a tile. The tile goes through shared memory in parts. Their number divides `elements`.
struct MoveShape {
    std::uint32_t invocations = 0;
    std::uint32_t elements = 0;
    std::uint32_t parts = 1;
    /// Whether unused slots spread sorted elements over all banks of shared memory. Unsorted elements then take up to
    /// 3% longer. Section "Banks".
    bool spread = false;
};

/// The groups of a sort by splitters.
struct SplitterGroups {
    std::uint32_t tile_invocations = 0;
    std::uint32_t tile = 0;         ///< Elements of a tile.
    std::uint32_t tiles = 0;        ///< Max tiles.
    std::uint32_t bucket_bits = 0;  ///< Bits of a bucket's number. There are 2^bucket_bits buckets.
    /// Samples: a multiple of 8. With s samples for each bucket, the standard deviation of a bucket is the mean divided
    /// by the square root of s.
    std::uint32_t samples = 0;
    std::uint32_t targets = 0;  ///< Samples that a group ranks: a power of two.
    std::uint32_t bucket_invocations = 0;
    std::uint32_t bucket = 0;  ///< Max elements of a bucket: at least five standard deviations above the mean.
    /// Bits of a cell's number. Most cells should have one or two elements, because the elements of a cell are compared
    /// with each other. If `one_word` is set, only codes of two words use this value.
    std::uint32_t cell_bits = 0;
    std::uint32_t piece_lanes = 0;  ///< Invocations that take a piece of a bucket: a power of two above most pieces.
    /// If the count is on the GPU: elements of a tile. There are `tiles` groups. Each group divides several tiles, one
    /// after the other.
    std::uint32_t counted_tile = 0;
    /// Whether one word holds the number of an element and the rest of its code, where codes have one word. There are
    /// then at least as many cells as a bucket may have elements: a power of two.
    bool one_word = false;
};

/// Shapes for elements without and with a value: first for codes of one word, then for codes of two words.
using MoveShapes = std::array<MoveShape, 4>;

/// The shape for a range of counts.
struct MoveSize {
    /// Max tiles for each multiprocessor. 0: any number.
    std::uint32_t tiles = 0;
    MoveShape shape;
};

/// The shapes for all counts, from few elements to many. The list ends with the first entry for any number of tiles.
using MoveSizes = std::array<MoveSize, 7>;

/// The entries up to the end of the list.
constexpr std::span<const MoveSize> in_use(const MoveSizes& sizes) {
    std::size_t number = 1;
    while (sizes[number - 1].tiles != 0)
        ++number;
    return {sizes.data(), number};
}

/// The values of the radix sorts. The sections are in docs/experiments/radix.md, and "What llvmpipe does" is in
/// docs/experiments/drivers.md. The defaults are measured on H100 and H200.
struct Tuning {
    /// Min capacity with which `automatic` takes radix on the compute backend. Section "Against CUB". On software
    /// rasterisers merges are faster for few elements ("Each invocation alone").
    std::uint32_t min_automatic = 0;

    // Kernels without subgroups: `radix:reduce-then-scan`. Section "Reduce, scan, scatter".

    /// Bits of a digit, 1 to `max_digit_bits`.
    std::uint32_t digit_bits = 8;
    /// Invocations of a group: a power of two, at least `scan_row`. Software rasterisers prefer few invocations with
    /// much work.
    std::uint32_t invocations = 128;
    /// Elements per invocation: a power of two.
    std::uint32_t elements = 16;
    /// Invocations of `radix_scan`, at least `scan_row`.
    std::uint32_t scan_invocations = as_device_allows;
    /// Words that an invocation of `radix_scan` adds up.
    std::uint32_t scan_elements = 4;
    /// Max partitions in which elements are counted. 256 keep a GPU busy.
    std::uint32_t partitions = 256;
    /// The scatter if subgroups rank elements. Parts save shared memory but cost barriers.
    MoveShapes scatter = {{{512, 8, 1}, {512, 8, 2}, {512, 8, 2}, {512, 8, 4}}};

    // Invocations that count and move elements alone (Policy::alone). Section "Each invocation alone".

    /// Invocations of a group. 0: no invocation works alone. With one invocation for each lane of the CPU's vectors, a
    /// group is one loop.
    std::uint32_t alone_invocations = 0;
    /// The part of an invocation is a multiple of this number of elements. A power of two would be slow: parts would
    /// begin at places that share a set of the CPU's cache.
    std::uint32_t alone_elements = 48;
    /// Max partitions, unless the parts would be too long. More partitions keep more CPU cores busy, but have more
    /// counts.
    std::uint32_t alone_partitions = 4;
    /// Max elements of an invocation. An iteration handles four. llvmpipe ends loops after 65535 iterations, counted
    /// over all loops of a shader ("What llvmpipe does").
    std::uint32_t longest_alone = 1u << 17;
    /// Max bits of a digit from `min_long_digits` elements on. Fewer elements have digits of up to `digit_bits` bits:
    /// the counts of long digits would take most of the time.
    std::uint32_t alone_digit_bits = 11;
    std::uint32_t min_long_digits = 1u << 19;

    /// Groups that sort all elements in one op, from small to large. Section "One group".
    std::array<GroupShape, 4> groups = {{{256, 4}, {512, 4}, {512, 8}, {1024, 8}}};

    /// Max elements per invocation with which a group that ranks also keeps counts in registers. Section "Splitters".
    std::uint32_t max_with_counts = 8;

    // `radix:one-sweep`. Section "What changed in turn, and what it brought".

    /// Max partitions of the histogram. Elements are only counted there, and only once.
    std::uint32_t histogram_partitions = 512;
    /// The shapes for elements without and with a value: first for codes of one word, then for codes of two words. As
    /// long as there is at most one tile for each multiprocessor, small tiles keep more multiprocessors busy. Then a
    /// shape serves counts whose groups fill all multiprocessors a whole number of times, or nearly. For still more
    /// elements, the largest tiles whose elements fit the registers have the fewest sums to look back at. Sections
    /// "Tiles by the number of multiprocessors", "Three groups on a multiprocessor" and "Tiles that fill whole rounds".
    std::array<MoveSizes, 4> sizes = {{{{{1, {512, 4, 1}},
                                         {1, {512, 8, 1}},
                                         {2, {512, 16, 2, true}},
                                         {2, {576, 20, 2}},
                                         {4, {512, 16, 2, true}},
                                         {16, {384, 18, 2}},
                                         {0, {512, 22, 2}}}},
                                       {{{1, {512, 4, 1}},
                                         {1, {512, 8, 2}},
                                         {2, {512, 16, 4}},
                                         {6, {384, 12, 3}},
                                         {4, {512, 16, 4}},
                                         {12, {384, 12, 3}},
                                         {0, {512, 16, 4, true}}}},
                                       {{{1, {512, 4, 1}}, {2, {512, 8, 2}}, {2, {512, 12, 3}}, {0, {384, 12, 3}}}},
                                       {{{1, {512, 4, 2}}, {1, {512, 8, 4}}, {2, {512, 16, 4}}, {0, {512, 8, 4}}}}}};
    /// Min capacity of a sort that packs elements in front of its last sweep (packed_digit.h). Fewer elements stay in
    /// the cache, and short pieces of memory are written no faster. Section "Packed elements in front of the last
    /// sweep".
    std::uint32_t packed_capacity = 1u << 23;
    /// Multiprocessors of a device that does not report their number.
    std::uint32_t assumed_multiprocessors = 128;
    /// Words of earlier tiles and blocks that an invocation fetches at once, at least 2.
    std::uint32_t look_back = 4;
    /// How often a group reads a word that another group has not written. After that, the group counts the other
    /// group's tile. llvmpipe ends loops after 65535 iterations, counted over all loops of a shader ("What llvmpipe
    /// does").
    std::uint32_t longest_wait = 1u << 16;
    /// How often a group looks for a splitter before the group chooses splitters itself. Splitters come within
    /// microseconds.
    std::uint32_t longest_wait_for_splitters = 1u << 12;

    // Padding between elements that have a value (Padding). Keys alone are limited by arithmetic. Section "Pages".

    /// Min bytes of elements that get padding. At this size the starts of 256 evenly filled buckets are at least a page
    /// of 2 MiB apart.
    std::uint64_t padded_bytes = std::uint64_t{512} << 20;
    /// Elements between padding, a power of two, and elements of padding.
    std::uint32_t padding_run = 1u << 14;
    std::uint32_t padding_length = 1u << 8;

    // Enumeration (plan/radix/enumeration.h). Section "Enumeration".

    /// Max elements that are enumerated. 0: nothing is enumerated. Enumeration needs the number of multiprocessors.
    std::uint32_t enumerated = 1u << 15;
    /// Min and max elements that a group ranks: powers of two. Ranking 512 takes so long that a radix sort is faster.
    std::uint32_t min_targets = 32;
    std::uint32_t max_targets = 256;
    /// Max elements that the last group moves by itself. For more elements, a copy by another op is faster.
    std::uint32_t enumerated_in_place = 8192;

    // Splitters (plan/radix/splitter_sort.h). Sections "Splitters", "Buckets by cells", "What a group waits for" and
    // "Number and code in one word". Also "Two ops instead of three" and "Tiles one after the other".

    /// Min elements that are sorted by splitters instead of enumeration.
    std::uint32_t min_split = (1u << 14) + 1;
    /// Max compared bits that count as few. By few bits, sweeps sort scenes, and more than `max_split_by_few_bits`
    /// elements.
    std::uint32_t max_swept_bits = 16;
    /// Max elements that splitters sort by few bits.
    std::uint32_t max_split_by_few_bits = 1u << 18;
    /// Max elements of a scene that are sorted by splitters.
    std::uint32_t max_split_of_scene = 1u << 18;
    /// From small counts to large ones.
    std::array<SplitterGroups, 5> splitters = {{{512, 512, 128, 7, 2048, 16, 512, 1536, 10, 8, 512},
                                                {1024, 1024, 128, 7, 2048, 16, 1024, 3072, 10, 16, 1024, true},
                                                {512, 2048, 128, 7, 4096, 32, 1024, 4096, 11, 32, 1024, true},
                                                {1024, 4096, 128, 8, 8192, 64, 1024, 4096, 11, 32, 1536, true},
                                                {1024, 8192, 128, 9, 16384, 128, 1024, 4096, 11, 32, 2560, true}}};
};

extern const TuningTable<Tuning> tuning_table;
extern const TuningFamily tuning_family;

/// The values for the frame's device.
inline const Tuning& tuning_of(const SortFrame& frame) {
    return tuning_table[frame.tuning_row()];
}

}  // namespace glsort::radix
