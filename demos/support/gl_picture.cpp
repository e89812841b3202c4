#include "support/gl_picture.h"

#include <cstddef>

namespace glsort::demo {

Picture picture_of_framebuffer(const GladGLContext& gl, GLuint framebuffer, Size size) {
    Picture picture{size.width, size.height, {}};
    picture.rgba.resize(std::size_t{4} * static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
    // Also for drawing: Mesa's llvmpipe may read old pixels otherwise (docs/driver-faults.md).
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.PixelStorei(GL_PACK_ALIGNMENT, 4);
    gl.ReadPixels(0, 0, size.width, size.height, GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba.data());
    for (std::size_t i = 3; i < picture.rgba.size(); i += 4)
        picture.rgba[i] = 255;
    flip_vertically(picture);
    return picture;
}

}  // namespace glsort::demo
