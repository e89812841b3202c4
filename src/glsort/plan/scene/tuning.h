#pragma once

#include <glsort/plan/tuning.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace glsort::scene {

/// The values of the ops in front of the sort of a scene. The sections are in docs/experiments/scenes.md.
struct Tuning {
    // On compute. Section "What changed, in turn".

    /// Invocations for a tile, or for a portion if digits are not counted: a power of two.
    std::uint32_t tile_invocations = 256;
    /// Invocations of a group that sums up tiles, a power of two, and the tiles of each of these invocations.
    std::uint32_t scan_invocations = 256;
    std::uint32_t scanned_tiles = 4;
    /// Items of a portion: a power of two. If digits are counted, the items of a portion are a multiple of this number.
    std::uint32_t portion = 1024;
    /// Max fronts of a scene whose sort counts no digits.
    std::uint32_t most_fronts = 1024;
    /// Invocations of a group that also counts the digits of keys: a power of two.
    std::uint32_t counting_invocations = 1024;
    /// Such groups for each multiprocessor, for a scene of one source. Each further source may add a group. Each group
    /// adds its counts to those of the others. Groups have equal portions, so all groups should run at once.
    std::uint32_t counting_groups = 2;
    /// Keys that an invocation of such a group computes side by side, at most 32.
    std::uint32_t keys_at_once = 2;
    /// Multiprocessors of a device that does not report their number.
    std::uint32_t assumed_multiprocessors = 128;

    // On fragments. Section "What changed, in turn".

    /// Neighbouring places of the result that share a descent through the pyramid of counts. A sort loads runs of this
    /// length at most.
    std::uint32_t neighbours = 32;
};

extern const TuningTable<Tuning> tuning_table;
extern const TuningFamily tuning_family;

/// The values for a device.
inline const Tuning& tuning_of(const Limits& limits) {
    return tuning_table[tuning_row(limits)];
}

/// Invocations of a group: a power of two, at most `most` and what the device allows.
inline std::uint32_t invocations_of(const Limits& limits, std::uint32_t most) {
    return std::min(std::bit_floor(limits.invocations), most);
}

}  // namespace glsort::scene
