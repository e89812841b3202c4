#pragma once

#include <glad/gl.h>

#include <glsort/base/browser.h>
#include <glsort/gl/current_context.h>
#include <glsort/gl_types.h>
#include <memory>
#include <string>
#include <string_view>

namespace glsort::gl {

/// The OpenGL functions of one context, and properties of the context.
struct Api : GladGLContext {
    bool es = false;
    int version = 0;             ///< Major times ten plus minor.
    bool compatibility = false;  ///< A compatibility profile of OpenGL.
    /// Whether glBufferSubData overtakes earlier commands, unless the buffer has since been bound as a uniform buffer
    /// (docs/driver-faults.md). True for NVIDIA's driver.
    bool updates_overtake_writes = false;
    // Limits that every draw needs, kept to avoid a query for each draw.
    int clip_distances = 0;  ///< The number of clip distances.
    int draw_buffers = 1;
    int viewport_size = 0;                   ///< The largest width and height that a viewport may have.
    ContextQuery current_context = nullptr;  ///< Null: the current context cannot be queried.
    void* context = nullptr;                 ///< The handle that the query returned at loading.
    bool abandoned = false;                  ///< Whether objects are forgotten, not deleted.
    /// Whether allocations are checked by reading OpenGL errors. Set while a sorter is constructed, after the
    /// application's errors have been read.
    bool reads_errors = false;
    ProgramBinaries binaries;      ///< Of the caller. Programs are loaded and stored there.
    std::string label = "glsort";  ///< What the labels of all objects begin with.

    /// Whether the context is current, so that its functions may be called. True without a query.
    bool is_current() const { return current_context == nullptr || current_context() == context; }
    /// Whether objects of the context may be deleted now.
    bool may_delete() const { return !abandoned && is_current(); }

    /// Whether the library reads buffers as textures. OpenGL ES has such textures from version 3.2 on, but only for
    /// shaders of version 3.20. The library's vertex and fragment shaders have version 3.00.
    bool has_texture_buffers() const { return at_least(33, 0); }
    /// glTextureBarrier or its extension variant. Null if there is none.
    PFNGLTEXTUREBARRIERPROC texture_barrier() const {
        return TextureBarrier != nullptr ? TextureBarrier : TextureBarrierNV;
    }

    /// Whether the context has at least OpenGL `gl`, or OpenGL ES `gles`. Numbered like `version`; 0: never.
    bool at_least(int gl, int gles) const {
        if constexpr (in_browser) return gles != 0 && gles <= 30;  // WebGL2 is OpenGL ES 3.0
        const int needed = es ? gles : gl;
        return needed != 0 && version >= needed;
    }
};

/// Loads the functions of the current context. Throws `Error` if no context is current, if the context is older than
/// OpenGL 3.3 or OpenGL ES 3.0, or if a function is missing.
std::shared_ptr<Api> load_api(const GetProcAddress& get_proc_address);

/// Ensures that later updates of a buffer take effect after earlier commands. Does nothing if the driver guarantees
/// this order. Otherwise unbinds uniform binding 0.
void order_updates(const Api& api, GLuint buffer);

/// glBufferSubData, guaranteed to take effect after all earlier commands. The buffer is bound to `target`.
void update_buffer(const Api& api, GLenum target, GLuint buffer, GLintptr offset, GLsizeiptr bytes, const void* data);

/// Gives an object a name for frame debuggers: `Api::label`, a space and `text`. `kind`: GL_BUFFER, GL_TEXTURE,
/// GL_PROGRAM, ... The object must exist: a name from glGen becomes an object only when the name is first bound. Does
/// nothing if the context has no labels.
void set_label(const Api& api, GLenum kind, GLuint name, std::string_view text);

/// Removes all errors from OpenGL's queue and returns their names: "GL_INVALID_ENUM, GL_OUT_OF_MEMORY". Empty if there
/// is no error.
std::string take_errors(const Api& api);

}  // namespace glsort::gl
