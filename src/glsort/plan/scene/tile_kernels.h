#pragma once

#include <glsort/limits.h>
#include <glsort/plan/element_source.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// Kernels that give the elements of a scene their keys, and move the visible ones together (stream compaction).
///
/// The compute backend handles tiles of `tile` items. Each tile has a *mark* of `mark_words` words: a bit for each
/// item, 1 if the item is visible; the number of visible items, below `clamped_bit`, which says whether the source's
/// count was clamped; and the number of the tile's first item. Tiles are numbered through all sources, and a source
/// begins with a new tile.
///
/// The keys of the visible items of a tile lie at the *front* of the tile. Some sorts read the fronts themselves
/// (front_source.h). Then `scene_key` also counts the digits of the keys.

namespace glsort::scene {

inline constexpr std::uint32_t tile = 1024;
enum : std::uint32_t { bit_words = tile / 32, visible_word = bit_words, first_item_word, mark_words };
inline constexpr std::uint32_t clamped_bit = 1u << 31;

/// `scene_key`: calls `sort_key` for each element of a tile, and writes keys and marks. The keys of the visible
/// elements come first in the tile, in their order: memory takes whole rows faster than rows with gaps. Inputs: those
/// of the source, then the count if the GPU alone knows the count. A packed key holds the number of its item, too.
/// A group handles `tiles_each` neighbouring tiles.
///
/// With `digits` the fronts serve the sort. A tile that is not full then also has the numbers of its visible items at
/// its front, unless keys are packed. The digits are added to `sums`, and a part of the sort's status is cleared.
KernelPtr key_kernel(const SceneSource& source, const KeyForm& form, const std::optional<DigitCounts>& digits,
                     Direction direction, const Limits& limits);
/// The first parameters of `scene_key`. Those of values follow, and `TileParameters` come last.
enum : std::size_t { key_count_parameter, key_base_parameter, key_first_tile_parameter };
/// The last parameters of `scene_key`.
struct TileParameters {
    std::uint32_t place = 0;        ///< Where the front of the source's first tile is.
    std::uint32_t tiles = 0;        ///< Of the source.
    std::uint32_t tiles_each = 1;   ///< Of a group.
    std::uint32_t status = 0;       ///< Words of the sort's status.
    std::uint32_t status_each = 0;  ///< For each tile, the words that its group clears.
};
/// Sets the last parameters of an op. The others are there, up to those of values, which become 0.
void set_tile_parameters(Op& op, const TileParameters& parameters);

/// Tiles of a group of `scene_key` that counts digits, of all `tiles`.
std::uint32_t tiles_of_a_counting_group(std::uint32_t tiles, const Limits& limits);

/// Tiles that a group of `scene_scan` adds up.
std::uint32_t tiles_together(const Limits& limits);

/// Words of `offsets` in front of the words for tiles: all visible items; a word that is 0 between ops; the number of
/// tiles; the number of groups.
enum : std::uint32_t { all_visible_word, groups_done_word, tiles_word, groups_word, first_offset_word };

/// `scene_scan`: where the visible items of each tile go. Behind the first words, `offsets` has for each tile the
/// visible items of the earlier tiles of its group, and for each group the visible items of all earlier groups. Also
/// writes the status: {visible items, 1 if a count was clamped, 0, 0}. Parameters: tiles and groups. The last group to
/// be done also writes `commands` (scene_command.h), and with `numbers` the numbers of the sort
/// (`ScenePlan::sort_numbers`). `columns`: if not 0, moves so many sums of digits to the totals of the sort.
KernelPtr scan_kernel(const std::vector<SceneCommand>& commands, bool numbers, std::uint32_t columns,
                      const Limits& limits);
/// Storage blocks of `scene_scan` without commands, numbers and totals.
inline constexpr std::uint32_t scan_blocks = 3;

/// What `scene_compact` moves.
enum class Compacted { keys, items, both };

/// `scene_compact`: moves the keys of visible items, their numbers, or both to their places among all visible items.
/// Parameter: where the words for groups begin in `offsets`. The block parameter `shift` is the difference between the
/// number of an item and its place in the tiles.
KernelPtr compact_kernel(Compacted what, std::uint32_t key_words, const Limits& limits);

}  // namespace glsort::scene
