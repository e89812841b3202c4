#pragma once

#include <glsort/plan/sort_frame.h>
#include <glsort/plan/tuning.h>

#include <cstdint>

namespace glsort::merge {

/// The values of the merge sorts. Sections are of docs/experiments.md. Defaults are those of the GPUs that are known,
/// H100 and H200.
struct Tuning {
    // `merge:shared`. Section "In shared memory" of "Multiway merge".

    /// Whether a request that names no variant gets this one on the compute backend. Software rasterisers pay for
    /// barriers: gathers are cheaper there.
    bool shared = true;
    /// Elements that an invocation sorts, or merges, in registers: a power of two. With 16 an H100 takes 1.3 to 1.7
    /// times as long for 2^24 pairs: fewer groups fit a multiprocessor.
    std::uint32_t elements = 8;
    /// Invocations of a group, from 2 on. With 512 an H100 takes as much longer as with 16 elements.
    std::uint32_t least_invocations = 64;
    std::uint32_t most_invocations = 256;
    /// Where there are fewer tiles, smaller ones keep more multiprocessors busy.
    std::uint32_t tiles = 128;

    // `merge:multiway`. Sections "Kept" and "What each op takes".

    /// Elements of a record of `merge_gather`, at the most, but where keys alone can be merged: 32 of one word are too
    /// many values for an instance.
    std::uint32_t gathered_elements = 16;
    /// The longest run that is sorted in registers, a power of two. 64 pairs would take 128 registers and 543
    /// comparators, in each of four instances: on an H100 no faster than a merge more, and minutes to compile on
    /// llvmpipe.
    std::uint32_t sorted_run = 32;
    /// Sides of windows that keep a GPU busy, and elements of a side at least: where there are few elements, shorter
    /// windows keep more instances busy.
    std::uint32_t sides = 4096;
    std::uint32_t least_side = 32;
    /// On the fragment backend, elements that one draw sorts, every instance all of them: the network's size at least,
    /// and at the most. Section "Splits by blocks, a last gather without a copy".
    std::uint32_t least_in_one_draw = 16;
    std::uint32_t most_in_one_draw = 32;

    // Keys alone. Section "Keys alone, on hardware".

    /// Elements for each window that an instance of `merge_keys_split` searches for: of few elements, more instances
    /// keep a GPU busier than longer ones save.
    std::uint32_t elements_of_split = 1u << 18;
};

extern const TuningTable<Tuning> tuning_table;
extern const TuningFamily tuning_family;

/// The values of the row that the frame has.
inline const Tuning& tuning_of(const SortFrame& frame) {
    return tuning_table[frame.tuning_row()];
}

}  // namespace glsort::merge
