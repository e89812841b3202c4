#include "support/gl_buffer.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

namespace glsort::demo {

void check_gl(const GladGLContext& gl, const char* when) {
    const GLenum error = gl.GetError();
    if (error != GL_NO_ERROR) throw std::runtime_error(fmt::format("OpenGL error 0x{:04x} {}", error, when));
}

GlBuffer::GlBuffer(const GladGLContext& gl, std::span<const std::uint32_t> words) : gl_(gl), words_(words.size()) {
    gl_.GenBuffers(1, &name_);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, name_);
    gl_.BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(words.size_bytes()), words.data(), GL_DYNAMIC_COPY);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    check_gl(gl_, "as a buffer was made");
}

GlBuffer::~GlBuffer() {
    gl_.DeleteBuffers(1, &name_);
}

void GlBuffer::copy_from(const GlBuffer& source) {
    gl_.BindBuffer(GL_COPY_READ_BUFFER, source.name_);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, name_);
    gl_.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, static_cast<GLsizeiptr>(4 * words_));
    gl_.BindBuffer(GL_COPY_READ_BUFFER, 0);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

std::vector<std::uint32_t> GlBuffer::download() const {
    std::vector<std::uint32_t> words(words_);
    if (words.empty()) return words;
    // Not glGetBufferSubData: OpenGL ES lacks it.
    gl_.BindBuffer(GL_COPY_READ_BUFFER, name_);
    const void* mapped =
        gl_.MapBufferRange(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(4 * words_), GL_MAP_READ_BIT);
    if (mapped != nullptr) {
        std::memcpy(words.data(), mapped, 4 * words_);
        gl_.UnmapBuffer(GL_COPY_READ_BUFFER);
    }
    gl_.BindBuffer(GL_COPY_READ_BUFFER, 0);
    check_gl(gl_, "as a buffer was read");
    return words;
}

}  // namespace glsort::demo
