#pragma once

#include <glsort/stream/program.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "moment.h"

/// What the ops of a sample sort do, read from what their kernels say of themselves, and from their labels (Dehne and
/// Zaboli, "Deterministic Sample Sort For GPUs", 2010).
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
    {"sort all samples", "of all tiles together"},
    {"global sampling", "take s of these: the splitters"},
    {"sample indexing", "find the splitters in each tile"},
    {"prefix sum", "add up where each bucket begins"},
    {"data relocation", "move all elements to their buckets"},
    {"sublist sort", "sort each bucket"},
}};

/// The steps that an op makes, the first and the last: all since the op before it, as far as that makes any.
struct SampleSteps {
    int first = 0;
    int last = 0;
};
/// Nothing for ops that are no sample sort's.
std::optional<SampleSteps> sample_steps_of(const StreamProgram& program, std::size_t number);

/// A level of a sample sort: each of its segments, of which the first level has one, becomes as many buckets.
struct SampleLevel {
    int number = 1;
    std::uint32_t segments = 1;
    std::uint32_t of_buckets = 0;  ///< Of the level before, that make up a segment; 0: of all elements.
    std::uint32_t tiles = 1;       ///< Of a segment, at the most.
    std::uint32_t tile = 0;        ///< Elements.
    std::uint32_t samples = 0;     ///< Of a tile.
    std::uint32_t each = 0;        ///< Buckets of a segment.
    bool random = false;           ///< Samples are drawn at random: the bound is a hope.
    bool expected = false;         ///< Buckets are expected to fit a tile: the next level divides what does not.
    std::size_t prefix_op = 0;     ///< The op that says where buckets begin.

    /// Whether it divides only segments of which a bucket has outgrown a tile.
    bool again() const { return of_buckets > 1; }
    std::uint32_t buckets() const { return segments * each; }
    /// The most elements of a bucket that are wanted: a tile, or 2n/s of the paper, for segments of n elements in whole
    /// tiles, which none can exceed.
    std::uint32_t bound() const { return expected ? tile : 2 * tiles * tile / each; }
};

/// The levels of a program; none where everything fits a tile.
std::vector<SampleLevel> sample_levels(const StreamProgram& program);
/// The level that op `number` belongs to; for the ops behind all levels, the last one that divides all elements.
std::optional<SampleLevel> sample_level_of(const StreamProgram& program, std::size_t number);

/// Where the segments of a level begin, and where the last one ends, at a moment after one of its ops, or behind.
std::vector<std::uint32_t> segment_bounds(const Moment& moment, const SampleLevel& level);
/// The segments that the level divides: all, or those of which a bucket has outgrown a tile.
std::vector<bool> divided_segments(const Moment& moment, const SampleLevel& level);
/// Where the buckets of a level begin, and where the last one ends; empty where that is not known yet.
std::vector<std::uint32_t> bucket_bounds(const Moment& moment, const SampleLevel& level);
/// Where the tiles of a segment begin, and where it ends.
std::vector<std::uint32_t> tile_bounds(const SampleLevel& level, std::uint32_t begin, std::uint32_t end);

/// Where in a tile each bucket begins, and where the tile ends: what `sample_place` has found.
std::vector<std::uint32_t> bucket_places(const Moment& moment, const SampleLevel& level, std::uint32_t segment,
                                         std::uint32_t tile, std::uint32_t size);

}  // namespace glsort::demo
