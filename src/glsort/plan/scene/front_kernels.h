#pragma once

#include <glsort/limits.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_results.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>

#include <cstdint>
#include <vector>

/// The kernel that gives the elements of a scene their keys, in front of a sort that finds the visible items itself
/// (front_source.h). Items lie in tiles of `tile` places, and a source begins with a new tile. The visible items of a
/// tile lie at its *front*, one after the other.
///
/// `front_offsets` has a word for the groups of the last op that are done, then a word for each tile: the visible items
/// of all earlier tiles. As many words behind are 0xffffffff, so that searches need not know the number of tiles.

namespace glsort::scene {

/// Where a tile's word is in `front_offsets`, minus the tile's number.
inline constexpr std::uint32_t first_tile_offset = 1;
/// Words of `front_offsets`.
constexpr std::uint32_t offset_words(std::uint32_t tiles) {
    return first_tile_offset + 2 * tiles;
}

/// `scene_key` (source_ops.h): calls `sort_key` for each element of a tile. Writes the keys of the visible items to the
/// front of the tile, and the numbers of the items beside them, unless a key holds the number. Each group has a tile.
/// The tile's word of `front_offsets` is at first the number of its visible items, and `clamped_bit` if the source's
/// count was clamped.
///
/// `results`: of the op for the last source, which runs after the others. Null for all others. No group waits: the last
/// group to be done sums up the words of all tiles, and writes the results. The last parameters before those of results
/// are the tiles of all ops and the groups of the op.
KernelPtr front_key_kernel(const std::vector<SceneSource>& sources, const KeyForm& form, const SceneResults* results,
                           const Limits& limits);
/// Storage blocks of an op, without results, beside those of the sources.
inline constexpr std::uint32_t front_key_blocks = 3;

}  // namespace glsort::scene
