#pragma once

#include <glsort/plan/scene/key_form.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>

/// Kernels that write the results of a scene, one instance for each place of the order. The first inputs are always
/// what the sort wrote, and the status, whose first word is the number of visible items.
///
/// Behind the visible items, a compute shader writes nothing to buffers, so that the cost follows the visible items.
/// Transform feedback cannot leave out a vertex, and texels behind the visible items must hold a mark. Such shaders
/// write 0xffffffff in place of each item. The key is then 0.

namespace glsort::scene {

/// How the sort leaves the order.
struct SortedForm {
    KeyForm key;
    bool in_texture = false;  ///< On the fragment backend.
    bool has_keys = false;    ///< Whether elements are {key, item}, in a texture. Otherwise they are items, or packed.

    /// Words of an element.
    std::uint32_t words() const { return has_keys ? key.words() + 1 : 1; }
};

/// `scene_order`: the number of an item.
KernelPtr order_kernel(const SortedForm& form);

/// `scene_triangles`: the corners of a triangle, a line or a point, from the caller's indices. Parameters: for each
/// source, the place of the first index, and the base vertex.
KernelPtr triangles_kernel(const SortedForm& form, const SceneSpec& spec);

/// `scene_texture`: a texel of the caller's texture.
KernelPtr texture_kernel(const SortedForm& form, const SceneSpec& spec);

/// `scene_result`: calls the caller's `sort_result`. Inputs of the result follow; parameters are its values.
KernelPtr result_kernel(const SortedForm& form, const SceneSpec& spec, const SceneResult& result);

}  // namespace glsort::scene
