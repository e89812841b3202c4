#pragma once

#include <glsort/spec.h>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Scenes of elements whose keys lie in memory, and of which a random part is visible.

namespace glsort::demo {

/// Whether an element is visible, if the fraction `visible` of all is. Equal seeds show equal elements.
bool is_shown(double visible, std::uint64_t seed, std::size_t element);

/// `sources` copies of a source, with capacities that differ by at most one and add up to `count`.
std::vector<SceneSource> divided(const SceneSource& source, std::uint32_t count, std::uint32_t sources);

/// A source without elements yet. Input 0 has the keys: f32, i32, u32 or u64. With `marked`, input 1 has a word for
/// each element: 0 if the element is not visible.
SceneSource source_of_keys(KeyType key, bool marked);

}  // namespace glsort::demo
