#pragma once

#include <glsort/plan/sort_frame.h>
#include <glsort/plan/tuning.h>

#include <cstdint>

namespace glsort::merge {

/// The values of the merge sorts. The sections are in docs/experiments.md. The defaults are measured on H100 and H200.
struct Tuning {
    // `merge:shared`. Section "In shared memory" of "Multiway merge".

    /// Whether merge:shared is the default variant on the compute backend. On software rasterisers barriers are
    /// expensive and gathers are cheaper.
    bool shared = true;
    /// Elements that an invocation sorts or merges in registers: a power of two. With 16 elements an H100 takes 1.3 to
    /// 1.7 times as long for 2^24 pairs, because fewer groups fit on a multiprocessor.
    std::uint32_t elements = 8;
    /// Min and max invocations of a group, at least 2. With 512 invocations an H100 is as slow as with 16 elements.
    std::uint32_t min_invocations = 64;
    std::uint32_t max_invocations = 256;
    /// The wanted min number of tiles. With few elements, smaller tiles keep more multiprocessors busy.
    std::uint32_t tiles = 128;

    // `merge:multiway`. Sections "Kept" and "What each op takes".

    /// Max elements of a record of `merge_gather`, unless keys alone can be merged. 32 elements of one word are too
    /// many values for an instance.
    std::uint32_t gathered_elements = 16;
    /// Max elements of a run that is sorted in registers: a power of two. 64 pairs would take 128 registers and 543
    /// comparators in each of four instances. On an H100 this is no faster than one more merge, and llvmpipe compiles
    /// for minutes.
    std::uint32_t sorted_run = 32;
    /// The number of sides of windows that keeps a GPU busy, and the min elements of a side. With few elements, shorter
    /// windows keep more instances busy.
    std::uint32_t sides = 4096;
    std::uint32_t min_side = 32;
    /// On the fragment backend, one draw sorts few elements, and every instance sorts all of them. The values are the
    /// min and max size of the draw's network. Section "Splits by blocks, a last gather without a copy".
    std::uint32_t min_in_one_draw = 16;
    std::uint32_t max_in_one_draw = 32;

    // Keys alone. Section "Keys alone, on hardware".

    /// The number of elements from which an instance of `merge_keys_split` handles two windows, and four. With fewer
    /// elements, more instances are better than more windows each. A software rasteriser runs one instance after the
    /// other, and gains by fewer instances earlier.
    std::uint32_t two_windows_from = 1u << 19;
    std::uint32_t four_windows_from = 1u << 22;
};

extern const TuningTable<Tuning> tuning_table;
extern const TuningFamily tuning_family;

/// The values for the frame's device.
inline const Tuning& tuning_of(const SortFrame& frame) {
    return tuning_table[frame.tuning_row()];
}

}  // namespace glsort::merge
