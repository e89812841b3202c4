#pragma once

#include <glad/gl.h>

#include <glsort/gl/current_context.h>
#include <glsort/gl_types.h>
#include <memory>
#include <string>

namespace glsort::gl {

/// The OpenGL functions of one context, and which API it is.
struct Api : GladGLContext {
    bool es = false;
    int version = 0;             ///< Major times ten plus minor.
    bool compatibility = false;  ///< A compatibility profile of OpenGL.
    /// glBufferSubData overtakes commands that came before it, unless the buffer has been bound as a uniform buffer
    /// since (docs/driver-faults.md). So it is with NVIDIA's driver.
    bool updates_overtake_writes = false;
    // Limits that every draw needs, so that it does not ask for them.
    int clip_distances = 0;  ///< That can be enabled.
    int draw_buffers = 1;
    ContextQuery current_context = nullptr;  ///< Null where nothing tells which context is current.
    void* context = nullptr;                 ///< The one that was current at loading, as the query names it.
    bool abandoned = false;                  ///< The objects are let go of, and not deleted.
    /// Allocations are checked by OpenGL's errors: while a sorter is made, after a look at those of
    /// the application.
    bool reads_errors = false;

    /// Whether the functions may be called now. True where nothing tells.
    bool is_current() const { return current_context == nullptr || current_context() == context; }
    /// Whether the objects of the context are deleted now, or left alone.
    bool may_delete() const { return !abandoned && is_current(); }

    /// glTextureBarrier, or what an extension calls it; null where there is none.
    PFNGLTEXTUREBARRIERPROC texture_barrier() const {
        return TextureBarrier != nullptr ? TextureBarrier : TextureBarrierNV;
    }

    /// Whether the context is OpenGL `gl` or OpenGL ES `gles`, or later; as `version`, 0 for never.
    bool at_least(int gl, int gles) const {
        const int needed = es ? gles : gl;
        return needed != 0 && version >= needed;
    }
};

/// Loads the functions of the current context. Throws `Error` where none is current, where it is
/// neither OpenGL 3.3 nor OpenGL ES 3.0 or later, and where a function is missing. `caller` begins
/// the message.
std::shared_ptr<Api> load_api(GetProcAddress get_proc_address, const char* caller);

/// Keeps the updates of a buffer that follow behind the commands that came before. Where the driver does so by itself,
/// nothing is called; else uniform binding 0 is none afterwards.
void order_updates(const Api& api, GLuint buffer);

/// glBufferSubData, behind all commands that came before. `target`: where the buffer is bound.
void update_buffer(const Api& api, GLenum target, GLuint buffer, GLintptr offset, GLsizeiptr bytes, const void* data);

/// Takes every error off OpenGL's queue: their names, "GL_INVALID_ENUM, GL_OUT_OF_MEMORY". Empty
/// where there is none.
std::string take_errors(const Api& api);

}  // namespace glsort::gl
