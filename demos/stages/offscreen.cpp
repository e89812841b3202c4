#include "offscreen.h"

#include <fmt/format.h>

#include <stdexcept>

#include "support/gl_picture.h"

namespace glsort::demo {

Offscreen::Offscreen(const GladGLContext& gl, Size size) : gl_(gl), size_(size) {
    GLint largest = 0;
    gl_.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    if (size.width > largest || size.height > largest)
        throw std::runtime_error(
            fmt::format("--size {}x{}: each side has a limit of {} pixels here", size.width, size.height, largest));
    gl_.GenRenderbuffers(1, &pixels_);
    gl_.BindRenderbuffer(GL_RENDERBUFFER, pixels_);
    gl_.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, size.width, size.height);
    gl_.GenFramebuffers(1, &framebuffer_);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    gl_.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, pixels_);
    if (gl_.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw std::runtime_error(fmt::format("the driver makes no framebuffer of {}x{}", size.width, size.height));
}

Offscreen::~Offscreen() {
    gl_.DeleteFramebuffers(1, &framebuffer_);
    gl_.DeleteRenderbuffers(1, &pixels_);
}

void Offscreen::begin() {
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    gl_.Viewport(0, 0, size_.width, size_.height);
    gl_.ClearColor(0.09f, 0.10f, 0.12f, 1.0f);
    gl_.Clear(GL_COLOR_BUFFER_BIT);
}

Picture Offscreen::picture() const {
    return picture_of_framebuffer(gl_, framebuffer_, size_);
}

}  // namespace glsort::demo
