#pragma once

#include <glsort/plan/scene/key_form.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>

#include <cstdint>
#include <vector>

/// Kernels that give the elements of a scene their keys, and gather the visible ones, for fragment shaders.
///
/// Fragment shaders cannot scatter. A pyramid of counts therefore lies over the items (Ziegler et al. 2006, "GPU point
/// list generation through histogram pyramids"). Level 0 are the items: 1 if visible. Each number of a level is the sum
/// of `fan` numbers of the level below, and the last level has one number. Item k of the result descends from there.

namespace glsort::scene {

inline constexpr std::uint32_t fan = 4;

/// A level of the pyramid, in the stream of its parity. The levels of one parity lie one after the other.
struct Level {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
};
/// Levels 1, 2, ... above that many items. At least one level.
std::vector<Level> levels_above(std::uint32_t items);

/// `scene_take_count`: a count from the caller's buffer, as {count, 1 if clamped}. Parameter: capacity.
KernelPtr take_count_kernel();

/// `scene_key_record`: calls `sort_key` for an element. Writes {key, 1 if visible}. Parameters: count, base (of the
/// source's items) and place (of the count on the GPU).
KernelPtr key_record_kernel(const SceneSource& source, const KeyForm& form);

/// `scene_sum`: the sum of up to `fan` numbers of the level below. If `items`, that level is the items. Parameters: the
/// size and the begin of the level below, and the begin of this level.
KernelPtr sum_kernel(bool items, std::uint32_t key_words);

/// `scene_gather`: item k of the visible items, as {key, number of the item}, or packed. Behind the last one, the
/// number or the packed word is 0xffffffff. Parameters: levels, then the begin of each level.
KernelPtr gather_kernel(const KeyForm& form, std::size_t levels);

/// `scene_status`: {visible items, 1 if a count was clamped, 0, 0}. `counts`: whether there are counts on the GPU.
/// Parameters: the place of the last level, and the number of counts on the GPU.
KernelPtr status_kernel(bool counts);

}  // namespace glsort::scene
