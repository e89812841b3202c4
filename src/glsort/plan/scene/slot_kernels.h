#pragma once

#include <glsort/limits.h>
#include <glsort/plan/digit_counts.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_results.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Kernels that give the elements of a scene their keys, in front of a sort that skips invisible items itself
/// (slot_source.h).
///
/// Each item has a *slot*, whether the item is visible or not. Slots form the tiles of tile_kernels.h, and a source
/// begins with a new tile. Each tile has a *mark*: a bit for each slot, 1 if the item is visible, and the number of the
/// first item. A word has as many bits as a subgroup has invocations, but at most 32: then a ballot gives whole words.

namespace glsort::scene {

/// The form of the marks.
struct SlotMarks {
    std::uint32_t bits = 32;  ///< Of a word.

    std::uint32_t bit_words() const { return tile / bits; }
    std::uint32_t words() const { return bit_words() + 1; }
    /// The word of a mark with the number of the first item.
    std::uint32_t first_item_word() const { return bit_words(); }
};
SlotMarks slot_marks(const Limits& limits);

/// `scene_key`: calls `sort_key` for each element of neighbouring sources, which are `alike` (sort_key.h), and writes
/// the key to the slot of the item. Keys of invisible items are 0. Adds the digits of the visible keys to `sums`.
/// Clears a part of the sort's status. A packed key holds the number of its item, too. Each source is a block of the
/// domain. Inputs: those of the sources, then their counts if the GPU alone knows the counts.
///
/// `results`: of the op for the last source, which runs after the others. Null for all others. No group waits: the last
/// group to be done moves the sums of digits to the totals of the sort, and writes the results. Behind the digits,
/// `sums` counts the sources whose counts were clamped, and the groups of the last op that are done. `sums` is zero
/// before the first op and after the last.
KernelPtr slot_key_kernel(const std::vector<SceneSource>& sources, const KeyForm& form, const DigitCounts& digits,
                          Direction direction, const SceneResults* results, const Limits& limits);
/// Words of `sums` behind the digits.
enum : std::uint32_t { clamped_sources_word, finished_groups_word, words_behind_sums };
/// Storage blocks of an op, and of the last op without results, beside those of the sources.
enum : std::uint32_t { slot_key_blocks = 4, last_slot_key_blocks };
/// The parameters of an op: the depths if keys are quantised, then these, then those of results.
struct SlotParameters {
    std::uint32_t tiles_each = 1;   ///< Neighbouring tiles of a group.
    std::uint32_t status = 0;       ///< Words of the sort's status.
    std::uint32_t status_each = 0;  ///< For each tile, the words that its group clears.
    std::uint32_t groups = 0;       ///< Of the op.
};
/// Appends the parameters to those of an op, which are there up to the depths.
void add_slot_parameters(Op& op, const SlotParameters& parameters);

/// `SlotParameters::tiles_each`, if there are `tiles` in all.
std::uint32_t tiles_of_a_group(std::uint32_t tiles, const Limits& limits);

}  // namespace glsort::scene
