#pragma once

#include <glsort/plan/scene/key_form.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>

#include <cstdint>
#include <optional>
#include <vector>

/// How a kernel calls the `sort_key` of a source.

namespace glsort::scene {

/// The C++ specification of `sort_key` and of what becomes of its key: the words of the stored key, or nothing if the
/// element is not drawn. Throws `Error` if the source has no host function.
using StoredKey = HostFunction<std::optional<Element>(CpuInvocation& k, std::uint32_t element)>;

/// Adds the inputs of the source as the first inputs of the kernel, and its values as further parameters. Also adds the
/// caller's GLSL, and the functions that the GLSL may call. The kernel has `ScenePlan::first_value_parameter`
/// parameters before. Behind the values come the four numbers of a `DepthRange`, if keys are quantised. Defines the
/// macros that shaders/scene/stored_key.glsl expects.
StoredKey declare_sort_key(Kernel& kernel, const SceneSource& source, const KeyForm& form);
/// For a kernel whose ops serve several sources, which are `alike`: a block of the domain each. Each input has a port
/// for each source, and values are parameters of blocks.
StoredKey declare_sort_keys(Kernel& kernel, const std::vector<SceneSource>& sources, const KeyForm& form);

/// Whether an op can serve both sources: GLSL, inputs and values are equal. Capacities may differ.
bool alike(const SceneSource& a, const SceneSource& b);

}  // namespace glsort::scene
