#pragma once

#include <glsort/plan/scene/key_form.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/stream.h>

#include <cstdint>
#include <memory>
#include <vector>

/// Kernels that give the elements of a scene their keys, and gather the visible ones, for fragment shaders.
///
/// Fragment shaders cannot scatter. A pyramid of counts therefore lies over the items (Ziegler et al. 2006, "GPU point
/// list generation through histogram pyramids"). Each record of each level has `fan` words:
/// - level 1: a bit for each item, 1 if the item is visible;
/// - level 2: how many bits are set in each of `fan` records of level 1;
/// - each further level: the sums of `fan` records of the level below. The last level has one record, whose sum is the
///   number of visible items. Words past the end of a level are 0.

namespace glsort::scene {

inline constexpr std::uint32_t fan = 4;
inline constexpr std::uint32_t items_of_record = 32 * fan;  ///< Of level 1.

/// A level of the pyramid, in the stream of its parity. The levels of one parity lie one after the other.
struct Level {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
};
/// Levels 1, 2, ... above `items` items. At least two levels.
std::vector<Level> levels_above(std::uint32_t items);
/// No number of items has more levels.
inline constexpr std::size_t max_levels = 15;

/// `scene_take_count`: the caller's count, at most the capacity, and 1 if the count was greater. Parameter: capacity.
KernelPtr take_count_kernel();

/// `scene_key_record`: calls `sort_key` for an element. Writes {key, 1 if visible}. If `KeyForm::marked`, writes the
/// key or the mark. Parameters: count, base (of the source's items) and place (of the count on the GPU).
KernelPtr key_record_kernel(const SceneSource& source, const KeyForm& form);

/// `scene_bits`: a record of level 1. Parameter: the number of items.
KernelPtr bits_kernel(const KeyForm& form);

/// `scene_sum`: a record of a level from 2 on. If `of_bits`, the level is level 2. Parameters: the size and the start
/// of the level below, and the start of this level.
KernelPtr sum_kernel(bool of_bits);

/// `scene_find`: first a header of `header_records` records: the number of visible items, then the parameters. The sort
/// takes its count from the first record. Then the first item of each block of `neighbours` neighbouring visible items.
/// 0 for blocks behind the visible items. There is at least one such block. Parameters: the number of levels,
/// then the start of each level, then zeros. The zeros are there so that one shader serves every number of levels.
KernelPtr find_kernel(std::size_t levels, std::uint32_t neighbours);
inline constexpr std::uint32_t header_records = 2 + max_levels;
/// Records that `scene_find` writes.
constexpr std::uint32_t found_records(std::uint32_t items, std::uint32_t neighbours) {
    return header_records + records_for(items, neighbours) + 1;
}

/// `scene_gather`: item k of the visible items, as {key, number of the item}, or packed. Behind the last one, the
/// number or the packed word is 0xffffffff.
KernelPtr gather_kernel(const KeyForm& form, std::size_t levels, std::uint32_t neighbours);

/// The load chunk of a sort that finds the visible items itself: `load_visible`. `order`: of the sort.
std::shared_ptr<const Chunk> visible_chunk(const KeyForm& form, const SortOrder& order, std::size_t levels,
                                           std::uint32_t neighbours, std::uint32_t elements);

/// `scene_status`: {visible items, 1 if a count was clamped, 0, 0}. `counts`: whether there are counts on the GPU.
/// Parameters: the place of the last level's record, and the number of counts on the GPU.
KernelPtr status_kernel(bool counts);

}  // namespace glsort::scene
