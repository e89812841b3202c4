#pragma once

#include <glsort/stream/program.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "moment.h"

/// The work of the ops of a sample sort (Dehne and Zaboli, "Deterministic Sample Sort For GPUs", 2010). Derived from
/// the descriptions of their kernels, and from their labels.
namespace glsort::demo {

/// The steps of the paper's algorithm, 1 to 9.
struct SampleStep {
    std::string_view name;
    std::string_view does;
};
inline constexpr std::array<SampleStep, 9> sample_steps{{
    {"split", "cut the elements into tiles"},
    {"local sort", "sort each tile"},
    {"local sampling", "take s samples of each tile"},
    {"sort all samples", "sort the samples of all tiles together"},
    {"global sampling", "take s of the samples: the splitters"},
    {"sample indexing", "find the splitters in each tile"},
    {"prefix sum", "add up where each bucket begins"},
    {"data relocation", "move all elements to their buckets"},
    {"sublist sort", "sort each bucket"},
}};

/// The first and last step that an op performs. Includes steps after the previous op that need no op.
struct SampleSteps {
    int first = 0;
    int last = 0;
};
/// Nothing for ops that do not belong to a sample sort.
std::optional<SampleSteps> sample_steps_of(const StreamProgram& program, std::size_t number);

/// A level of a sample sort. The level divides each segment into `each` buckets. The first level has one segment.
struct SampleLevel {
    int number = 1;
    std::uint32_t segments = 1;
    std::uint32_t of_buckets = 0;  ///< Buckets of the previous level per segment; 0: one segment of all elements.
    std::uint32_t tiles = 1;       ///< Max tiles per segment.
    std::uint32_t tile = 0;        ///< Elements per tile.
    std::uint32_t samples = 0;     ///< Samples per tile.
    std::uint32_t each = 0;        ///< Buckets per segment.
    bool random = false;           ///< Whether samples are random. The bound is then not guaranteed.
    bool expected = false;         ///< Whether buckets should fit a tile. The next level divides others.
    std::size_t prefix_op = 0;     ///< The op that finds the starts of buckets.

    /// Whether the level divides only segments with an outgrown bucket.
    bool again() const { return of_buckets > 1; }
    std::uint32_t buckets() const { return segments * each; }
    /// Max elements that a bucket should have: a tile, or 2n/s of the paper, for segments of n elements in full tiles.
    /// No bucket can exceed 2n/s.
    std::uint32_t bound() const { return expected ? tile : 2 * tiles * tile / each; }
};

/// The levels of a program. Empty if all elements fit a tile.
std::vector<SampleLevel> sample_levels(const StreamProgram& program);
/// The level that op `number` belongs to. For ops after all levels: the last level that divides all elements.
std::optional<SampleLevel> sample_level_of(const StreamProgram& program, std::size_t number);

/// The starts of a level's segments, and the end of the last, at a moment after one of the level's ops.
std::vector<std::uint32_t> segment_bounds(const Moment& moment, const SampleLevel& level);
/// The segments that the level divides: all segments, or the segments with an outgrown bucket.
std::vector<bool> divided_segments(const Moment& moment, const SampleLevel& level);
/// The starts of a level's buckets, and the end of the last. Empty if that is not known yet.
std::vector<std::uint32_t> bucket_bounds(const Moment& moment, const SampleLevel& level);
/// The starts of a segment's tiles, and the segment's end.
std::vector<std::uint32_t> tile_bounds(const SampleLevel& level, std::uint32_t begin, std::uint32_t end);

/// The starts of buckets in a tile, and the tile's end, as `sample_place` has found these places.
std::vector<std::uint32_t> bucket_places(const Moment& moment, const SampleLevel& level, std::uint32_t segment,
                                         std::uint32_t tile, std::uint32_t size);

}  // namespace glsort::demo
