#pragma once

#include <glad/gl.h>

#include <glsort/sorter.h>
#include <memory>

namespace glsort::gl {

/// The OpenGL functions of one context, and which API it is.
struct Api : GladGLContext {
    bool es = false;
    int version = 0;  ///< Major times ten plus minor.
    bool compatibility = false;  ///< A compatibility profile of OpenGL.
    /// glBufferSubData overtakes what the GPU writes to a buffer, unless the buffer has been bound as a uniform
    /// buffer since (docs/driver-faults.md). So it is with NVIDIA's driver.
    bool updates_overtake_writes = false;
    // Limits that every draw needs, so that it does not ask for them.
    int clip_distances = 0;  ///< That can be enabled.
    int draw_buffers = 1;

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

/// Loads the functions of the current context. Throws `Error` where none is current, or it is
/// neither OpenGL 3.3 nor OpenGL ES 3.0 or later. `caller` begins the message.
std::shared_ptr<const Api> load_api(GetProcAddress get_proc_address, const char* caller);

}  // namespace glsort::gl
