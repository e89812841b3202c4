#pragma once

#include <glsort/limits.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_results.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>

#include <cstddef>
#include <cstdint>

/// Kernels that give the elements of a scene their keys, and move the visible ones together (stream compaction).
///
/// The compute backend handles tiles of `tile` items. Each tile has a *mark* of `mark_words` words. The first words
/// have a bit for each item, 1 if the item is visible. The last word has the number of visible items. `clamped_bit` of
/// this word says whether the source's count was clamped. Tiles are numbered through all sources, and a source begins
/// with a new tile.

namespace glsort::scene {

inline constexpr std::uint32_t tile = 1024;
enum : std::uint32_t { bit_words = tile / 32, visible_word = bit_words, mark_words };
inline constexpr std::uint32_t clamped_bit = 1u << 31;

/// Tiles of all sources.
std::uint32_t tiles_of(const SceneSpec& spec);

/// `scene_key`: calls `sort_key` for each element of a tile, and writes keys and marks. The keys of the visible
/// elements come first in the tile, in their order: memory takes whole rows faster than rows with gaps. Inputs: those
/// of the source, then the count if the GPU alone knows the count. A packed key holds the number of its item, too.
KernelPtr key_kernel(const SceneSource& source, const KeyForm& form, const Limits& limits);
/// The first parameters of `scene_key`. Those of values follow.
enum : std::size_t { key_count_parameter, key_base_parameter, key_first_tile_parameter };

/// Tiles that a group of `scene_scan` adds up.
std::uint32_t tiles_together(const Limits& limits);

/// The word of `offsets` in front of the words for tiles: 0 between ops.
enum : std::uint32_t { groups_done_word, first_offset_word };

/// `scene_scan`: where the visible items of each tile go. Behind the first word, `offsets` has a word for each tile:
/// the number of visible items in the earlier tiles of its group. Then follows a word for each group: the number of
/// visible items in all earlier groups. Parameters: tiles and groups. The last group to be done also writes `results`.
KernelPtr scan_kernel(const SceneResults& results, const Limits& limits);
/// Storage blocks of `scene_scan` without results.
inline constexpr std::uint32_t scan_blocks = 2;

/// What `scene_compact` moves.
enum class Compacted { keys, items, both };

/// `scene_compact`: moves the keys of visible items, their numbers, or both to their places among all visible items.
/// Parameter: where the words for groups begin in `offsets`. The block parameter `shift` is the difference between the
/// number of an item and its place in the tiles.
KernelPtr compact_kernel(Compacted what, std::uint32_t key_words, const Limits& limits);

}  // namespace glsort::scene
