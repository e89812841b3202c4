#pragma once

#include <glad/gl.h>

#include "support/picture.h"
#include "support/window.h"

namespace glsort::demo {

/// A framebuffer to draw into without a window.
class Offscreen {
  public:
    /// Throws std::runtime_error if the driver makes no framebuffer of that size.
    Offscreen(const GladGLContext& gl, Size size);
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    /// Clears the framebuffer and binds it for drawing.
    void begin();
    /// The drawn picture. Waits for the GPU.
    Picture picture() const;

  private:
    const GladGLContext& gl_;
    Size size_;
    GLuint framebuffer_ = 0;
    GLuint pixels_ = 0;
};

}  // namespace glsort::demo
