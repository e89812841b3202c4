#pragma once

#include <glad/gl.h>

#include "support/picture.h"
#include "support/window.h"

namespace glsort::demo {

/// The lower left `size` pixels of a framebuffer, opaque. 0 is the framebuffer of the window. Waits for the GPU. Leaves
/// the framebuffer bound for reading.
Picture picture_of_framebuffer(const GladGLContext& gl, GLuint framebuffer, Size size);

}  // namespace glsort::demo
