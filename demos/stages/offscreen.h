#pragma once

#include <glad/gl.h>

#include "support/picture.h"
#include "support/window.h"

namespace glsort::demo {

/// A framebuffer to draw into where there is no window.
class Offscreen {
  public:
    /// Throws std::runtime_error where the driver has none of that size.
    Offscreen(const GladGLContext& gl, Size size);
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    /// What is drawn next goes there; it is cleared.
    void begin();
    /// What was drawn. Waits.
    Picture picture() const;

  private:
    const GladGLContext& gl_;
    Size size_;
    GLuint framebuffer_ = 0;
    GLuint pixels_ = 0;
};

}  // namespace glsort::demo
