#include "gl_calls.h"

#include <GL/gl.h>
#include <GL/glx.h>

#include <array>

namespace gl_calls {

std::string version() {
    return reinterpret_cast<const char*>(glGetString(GL_VERSION));
}

unsigned int error() {
    return glGetError();
}

void finish() {
    glFinish();
}

void stipple(bool on) {
    std::array<GLubyte, 128> pattern;
    pattern.fill(0x55);
    glPolygonStipple(pattern.data());
    (on ? glEnable : glDisable)(GL_POLYGON_STIPPLE);
}

void leave_context() {
    glXMakeCurrent(glXGetCurrentDisplay(), None, nullptr);
}

}  // namespace gl_calls
