#pragma once

#include <glsort/gl/api.h>

#include <utility>

/// OpenGL objects that delete themselves. Objects are move-only, and are created in the current context. If another
/// context, or none, is current at destruction, the object is not deleted. In another context the name may belong to
/// another object.

namespace glsort::gl {

template <void (*GladGLContext::*Generate)(GLsizei, GLuint*), void (*GladGLContext::*Delete)(GLsizei, const GLuint*)>
class Object {
  public:
    Object() = default;
    explicit Object(std::shared_ptr<const Api> api) : api_(std::move(api)) { (api_.get()->*Generate)(1, &name_); }
    ~Object() { reset(); }
    Object(Object&& other) noexcept : api_(std::move(other.api_)), name_(std::exchange(other.name_, 0)) {}
    Object& operator=(Object&& other) noexcept {
        if (this != &other) {
            reset();
            api_ = std::move(other.api_);
            name_ = std::exchange(other.name_, 0);
        }
        return *this;
    }

    /// 0: no object.
    GLuint name() const { return name_; }

  private:
    void reset() {
        if (name_ != 0 && api_->may_delete()) (api_.get()->*Delete)(1, &name_);
        name_ = 0;
    }

    std::shared_ptr<const Api> api_;
    GLuint name_ = 0;
};

/// A fence behind the commands so far. Behaves as `Object`.
class Sync {
  public:
    Sync() = default;
    explicit Sync(std::shared_ptr<const Api> api)
        : api_(std::move(api)), sync_(api_->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0)) {}
    ~Sync() { reset(); }
    Sync(Sync&& other) noexcept : api_(std::move(other.api_)), sync_(std::exchange(other.sync_, nullptr)) {}
    Sync& operator=(Sync&& other) noexcept {
        if (this != &other) {
            reset();
            api_ = std::move(other.api_);
            sync_ = std::exchange(other.sync_, nullptr);
        }
        return *this;
    }

    /// Null: no fence.
    GLsync get() const { return sync_; }
    /// Whether the GPU has done what was issued before the fence. Does not wait.
    bool is_signaled() const {
        const GLenum state = api_->ClientWaitSync(sync_, 0, 0);
        return state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
    }
    void reset() {
        if (sync_ != nullptr && api_->may_delete()) api_->DeleteSync(sync_);
        sync_ = nullptr;
    }

  private:
    std::shared_ptr<const Api> api_;
    GLsync sync_ = nullptr;
};

using Buffer = Object<&GladGLContext::GenBuffers, &GladGLContext::DeleteBuffers>;
using Texture = Object<&GladGLContext::GenTextures, &GladGLContext::DeleteTextures>;
using Sampler = Object<&GladGLContext::GenSamplers, &GladGLContext::DeleteSamplers>;
using Framebuffer = Object<&GladGLContext::GenFramebuffers, &GladGLContext::DeleteFramebuffers>;
using VertexArray = Object<&GladGLContext::GenVertexArrays, &GladGLContext::DeleteVertexArrays>;
using TransformFeedback = Object<&GladGLContext::GenTransformFeedbacks, &GladGLContext::DeleteTransformFeedbacks>;

}  // namespace glsort::gl
