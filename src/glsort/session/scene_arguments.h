#pragma once

#include <glsort/gl/api.h>
#include <glsort/scene.h>

namespace glsort {

/// The properties of a scene sorter that its calls are checked against.
struct SceneTerms {
    const gl::Api& api;
    const SceneSpec& spec;
    const SorterOptions& options;
    BufferSlice status;
};

/// Checks the context and all arguments of a sort, before any OpenGL call that changes state. Throws `Error`.
void check_scene_arguments(const SceneTerms& terms, const SceneArguments& arguments);

}  // namespace glsort
