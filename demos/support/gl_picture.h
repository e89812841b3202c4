#pragma once

#include <glad/gl.h>

#include "support/picture.h"
#include "support/window.h"

namespace glsort::demo {

/// What was drawn to a framebuffer, 0 for the window's, in its lower left `size` pixels; opaque. Waits. Leaves the
/// framebuffer bound for reading.
Picture picture_of_framebuffer(const GladGLContext& gl, GLuint framebuffer, Size size);

}  // namespace glsort::demo
