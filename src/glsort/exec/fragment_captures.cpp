#include <glsort/exec/fragment_captures.h>
#include <glsort/exec/gl_executor.h>
#include <glsort/gl/capabilities.h>

namespace glsort {

FragmentCaptures::FragmentCaptures(const std::shared_ptr<const gl::Api>& api)
    : api_(api), most_points_(gl::most_numbered_vertices(*api)), blank_texture_(api) {
    if (api_->at_least(40, 30)) feedback_ = gl::TransformFeedback(api_);
    allocate_texels(*api_, blank_texture_.name(), 1, 1, 1);
    gl::set_label(*api_, GL_TEXTURE, blank_texture_.name(), "blank");
    const std::size_t framebuffers = gl::joins_captures(*api_) ? 2 : 1;
    while (blank_framebuffers_.size() < framebuffers) {
        const GLuint framebuffer = blank_framebuffers_.emplace_back(api_).name();
        api_->BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
        api_->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, blank_texture_.name(), 0);
        // WebGL2 refuses draw buffers for which the fragment shader has no output.
        const GLenum none = GL_NONE;
        api_->DrawBuffers(1, &none);
        gl::set_label(*api_, GL_FRAMEBUFFER, framebuffer, "blank");
    }
    if (!gl::continues_captures(*api_)) return;
    between_ = gl::Buffer(api_);
    api_->BindBuffer(GL_ARRAY_BUFFER, between_.name());
    api_->BufferData(GL_ARRAY_BUFFER, sizeof(GLuint), nullptr, GL_DYNAMIC_DRAW);
    gl::set_label(*api_, GL_BUFFER, between_.name(), "between captures");
}

void FragmentCaptures::bind_feedback() const {
    if (feedback_.name() != 0) api_->BindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback_.name());
}

/// Even a draw without fragments needs a complete framebuffer, whose textures the draw does not read. On ANGLE each
/// capture has another framebuffer than the capture before (docs/driver-faults.md).
void FragmentCaptures::begin() {
    blank_ = (blank_ + 1) % blank_framebuffers_.size();
    api_->BindFramebuffer(GL_DRAW_FRAMEBUFFER, blank_framebuffers_[blank_].name());
    bind_feedback();
    api_->Enable(GL_RASTERIZER_DISCARD);
}

void FragmentCaptures::points(GLint first, GLsizei count) const {
    api_->BeginTransformFeedback(GL_POINTS);
    api_->DrawArrays(GL_POINTS, first, count);
    api_->EndTransformFeedback();
}

/// Some drivers append the next capture to the buffers of this capture, behind the last vertex
/// (`gl::continues_captures`). On such a driver, an empty capture to another buffer in between makes the next capture
/// begin at the start.
void FragmentCaptures::end(std::size_t buffers) const {
    const auto bind = [&](GLuint buffer) {
        for (std::size_t i = 0; i < buffers; ++i)
            api_->BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLuint>(i), buffer);
    };
    if (between_.name() != 0) {
        bind(between_.name());
        api_->BeginTransformFeedback(GL_POINTS);
        api_->EndTransformFeedback();
    }
    api_->Disable(GL_RASTERIZER_DISCARD);
    bind(0);  // A buffer that stays bound would outlive its deletion.
}

}  // namespace glsort
