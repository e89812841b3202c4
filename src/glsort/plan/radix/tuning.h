#pragma once

#include <glsort/plan/sort_frame.h>
#include <glsort/plan/tuning.h>

#include <array>
#include <cstdint>

namespace glsort::radix {

/// Invocations of a group, and elements that each of them has.
struct GroupShape {
    std::uint32_t invocations = 0;
    std::uint32_t elements = 0;
};

/// The same for a tile that is moved: it goes through shared memory in parts, whose number divides `elements`.
struct MoveShape {
    std::uint32_t invocations = 0;
    std::uint32_t elements = 0;
    std::uint32_t parts = 1;
};

/// By the words of a record: of 1, 2 and 3.
using MoveShapes = std::array<MoveShape, 3>;

/// The values of the radix sorts. Sections are of docs/experiments.md. Defaults are those of the GPUs that are known,
/// H100 and H200.
struct Tuning {
    /// Whether `automatic` takes radix on the compute backend. Section "Against CUB"; on software rasterisers merges
    /// by gather pay no barriers ("Multiway merge: in shared memory").
    bool automatic = true;

    // Kernels that assume nothing of subgroups: `radix:reduce-then-scan`. Section "Reduce, scan, scatter".

    /// Bits of a digit, 1 to `most_digit_bits`.
    std::uint32_t digit_bits = 8;
    /// Invocations of a group, a power of two from `scan_row` on. Software rasterisers do best with few that do much.
    std::uint32_t invocations = 128;
    /// Elements of an invocation, a power of two.
    std::uint32_t elements = 16;
    /// The same for `radix_scan`, from `scan_row` on.
    std::uint32_t scan_invocations = as_device_allows;
    /// Words that an invocation of it adds up.
    std::uint32_t scan_elements = 4;
    /// Whether a stretch is one tile: barriers in a loop take a software rasteriser several times as long.
    bool one_tile = false;
    /// Stretches that elements are counted in, at the most: as many as keep a GPU busy.
    std::uint32_t stretches = 256;
    /// The scatter where subgroups rank elements. Parts save shared memory, of which a software rasteriser has enough,
    /// and cost barriers.
    MoveShapes scatter = {{{512, 8, 1}, {512, 8, 2}, {512, 8, 4}}};

    /// Groups that sort all in one op, from small to large. Section "One group".
    std::array<GroupShape, 4> groups = {{{256, 4}, {512, 4}, {512, 8}, {1024, 8}}};

    // `radix:one-sweep`. Section "What changed in turn, and what it brought".

    /// Stretches of the histogram, whose elements are only counted, and once.
    std::uint32_t histogram_stretches = 512;
    /// Up to so many elements: the smallest tiles, which fill most multiprocessors.
    std::uint32_t small_count = 1u << 18;
    MoveShapes small = {{{512, 4, 1}, {512, 4, 1}, {512, 4, 2}}};
    /// Up to so many: tiles that leave no multiprocessor without one.
    std::uint32_t medium_count = 1u << 20;
    MoveShapes medium = {{{512, 16, 1}, {512, 16, 2}, {512, 16, 4}}};
    /// Beyond: as many groups to a multiprocessor as its registers hold, in tiles of no power of two. In such tiles
    /// sorted input does not write to the same channels of memory all at once.
    MoveShapes large = {{{384, 18, 2}, {512, 12, 3}, {512, 8, 4}}};
    /// Words of tiles before its own that an invocation asks for at once.
    std::uint32_t look_back = 4;
    /// How often a group looks at a word that another has not written before it counts that one's tile itself.
    /// llvmpipe ends loops after 65535 rounds, all of a shader's together ("What llvmpipe does").
    std::uint32_t longest_wait = 1u << 16;

    // Gaps between records that have a value (Gaps): of keys alone arithmetic is what takes the time. Section "Pages".

    /// From so many bytes on, the elements of 256 digits, evenly spread, begin a page of 2 MiB or more apart.
    std::uint64_t bytes_with_gaps = std::uint64_t{512} << 20;
    /// Elements between two gaps, a power of two, and elements of a gap.
    std::uint32_t gap_run = 1u << 14;
    std::uint32_t gap_length = 1u << 8;

    // Enumeration (plan/radix/enumeration.h). Section "Enumeration".

    /// Elements that are enumerated, at the most; 0: none. Needs the number of multiprocessors.
    std::uint32_t enumerated = 1u << 15;
    /// Elements that a group ranks, powers of two: ranking 512 takes so long that a radix sort is faster.
    std::uint32_t fewest_targets = 32;
    std::uint32_t most_targets = 256;
    /// Elements that the last group moves itself, at the most: of more another op moves them sooner.
    std::uint32_t enumerated_in_place = 8192;
};

extern const TuningTable<Tuning> tuning_table;
extern const TuningFamily tuning_family;

/// The values of the row that the frame has.
inline const Tuning& tuning_of(const SortFrame& frame) {
    return tuning_table[frame.tuning_row()];
}

}  // namespace glsort::radix
