#pragma once

#include <glsort/limits.h>
#include <glsort/plan/digit_counts.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_results.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <optional>
#include <vector>

/// The kernel that gives the elements of a scene their keys, in front of a sort that finds the visible items itself
/// (front_source.h). A *portion* is a number of neighbouring items of a source. Each item has a place, which is the
/// number of the item. The keys of the visible items of a portion lie at its *front*: one after the other, from the
/// place of its first item on.
///
/// `fronts` has a record of `front_words` words for the scene, then one for each front. The records behind have the
/// offset 0xffffffff, so that searches need not know the number of fronts.

namespace glsort::scene {

/// Words of a record of `fronts`.
///
/// The offset counts the visible items of all earlier fronts, and the place is where the front begins. Often all items
/// of a portion are visible, or all items up to some item. A group handles a portion in steps. If all items of the
/// first steps are visible, these items *lead*: the place of each key is the number of its item. The numbers of leading
/// items are therefore not stored. The record has the end of the places of leading items, unless keys hold the numbers.
enum : std::uint32_t { offset_word, place_word, end_of_leading_word, unused_word, front_words };
/// Where a word of a front's record is in `fronts`.
constexpr std::uint32_t word_of_front(std::uint32_t front, std::uint32_t word) {
    return (1 + front) * front_words + word;
}
/// Words of the record of the scene: the groups of the last op that are done, and the max items of a portion.
enum : std::uint32_t { groups_done_of_fronts_word, portion_word };
/// Records behind those of the fronts, for reads past the last front. A search doubles its steps, and each invocation
/// of a subgroup reads one record.
constexpr std::uint32_t records_behind(std::uint32_t fronts) {
    constexpr std::uint32_t largest_subgroup = 64;
    return fronts + largest_subgroup;
}
/// Words of all records.
constexpr std::uint32_t words_of_fronts(std::uint32_t fronts) {
    return (1 + fronts + records_behind(fronts)) * front_words;
}

/// The digits of a sort that are counted together with the keys, and the direction of the sort.
struct CountedKeys {
    DigitCounts digits;
    Direction direction = Direction::ascending;
};

/// `scene_key` (source_ops.h): calls `sort_key` for each element of a portion. Writes the keys of the visible items to
/// the front, and the numbers of the items that do not lead, unless a key holds the number. Each group has a portion.
/// At first the offset of a front is the number of its visible items. In the first front of a source, `clamped_bit`
/// says whether the source's count was clamped.
///
/// `counted`: also adds the digits of the visible keys to `sums`, and clears a part of the sort's status. `sums` is
/// zero before the first op and after the last.
///
/// `results`: what the op for the last source writes. This op runs after the other ops, for which `results` is null. No
/// group waits: the last group to be done sums up the offsets, moves the sums of digits to the totals of the sort, and
/// writes the results.
KernelPtr front_key_kernel(const std::vector<SceneSource>& sources, const KeyForm& form,
                           const std::optional<CountedKeys>& counted, const SceneResults* results,
                           const Limits& limits);
/// Storage blocks of the last op, beside those of the results and of the sources. No other op needs more.
std::uint32_t front_key_blocks(bool counts_digits);

/// The parameters of an op.
struct FrontParameters {
    std::uint32_t portion = 0;      ///< Max items of a portion.
    std::uint32_t first_front = 0;  ///< Of the op.
    std::uint32_t status = 0;       ///< If digits are counted: words of the sort's status.
    std::uint32_t status_each = 0;  ///< If digits are counted: the words that each group clears.
    std::uint32_t fronts = 0;       ///< Of all ops.
    std::uint32_t groups = 0;       ///< Of the op.
};
/// Appends to the parameters of the op those of `parameters` that the op's kernel has. The op must already have the
/// numbers of its `DepthRange`, if keys are quantised.
void add_front_parameters(Op& op, const FrontParameters& parameters);

/// Max items of a portion, if there are `items` in all.
std::uint32_t portion_of(std::uint32_t items, bool counts_digits, const Limits& limits);

}  // namespace glsort::scene
