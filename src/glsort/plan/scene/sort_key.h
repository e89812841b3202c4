#pragma once

#include <glsort/spec.h>
#include <glsort/stream/kernel.h>

#include <cstdint>
#include <optional>

/// How a kernel calls the `sort_key` of a source.

namespace glsort::scene {

/// Adds the inputs of the source as the first inputs of the kernel, its values as further parameters, the caller's
/// GLSL, and the functions that the GLSL may call. The kernel has `ScenePlan::first_value_parameter` parameters before.
/// Defines GLSORT_SCENE_KEY, the type `K`, and GLSORT_SCENE_KEY_BITS, a function from `K` to the words of a key.
void declare_sort_key(Kernel& kernel, const SceneSource& source, KeyType key);

/// The specification of a call: the words of the key, or nothing if the element is not drawn. Throws `Error` if the
/// source has no host function.
std::optional<Element> sort_key(CpuInvocation& k, const SceneSource& source, std::uint32_t element);

}  // namespace glsort::scene
