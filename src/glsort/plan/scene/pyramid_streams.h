#pragma once

#include <glsort/limits.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/stream/program.h>

#include <array>
#include <cstddef>
#include <cstdint>

/// The textures by which fragment shaders find the visible items of a scene (pyramid_kernels.h).

namespace glsort::scene {

/// The textures, in the order of the ports by which `scene_find`, `scene_gather` and `load_visible` read them.
enum : std::size_t { odd_levels, even_levels, found_items, keyed_items };

/// The levels of odd and of even numbers, what `scene_find` finds, and the keys of all items. Scratch.
std::array<Stream, 4> pyramid_streams(std::uint32_t items, const KeyForm& form, const Limits& limits);

}  // namespace glsort::scene
