#include "visible_count.h"

#include "read_buffer.h"

namespace glsort::demo {

VisibleCount::VisibleCount(const GladGLContext& gl)
    : gl_(gl), copies_{Copy{GlBuffer(gl)}, Copy{GlBuffer(gl)}, Copy{GlBuffer(gl)}, Copy{GlBuffer(gl)}} {
    for (const Copy& copy : copies_) {
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, copy.buffer.name());
        gl.BufferData(GL_COPY_WRITE_BUFFER, sizeof(std::uint32_t), nullptr, GL_STREAM_READ);
    }
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

VisibleCount::~VisibleCount() {
    for (const Copy& copy : copies_)
        gl_.DeleteSync(copy.done);
}

void VisibleCount::copy(BufferSlice status) {
    if (copied_ - taken_ == depth) return;
    Copy& copy = copies_[copied_++ % depth];
    gl_.BindBuffer(GL_COPY_READ_BUFFER, status.name);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, copy.buffer.name());
    gl_.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(status.offset), 0,
                          sizeof(std::uint32_t));
    gl_.BindBuffer(GL_COPY_READ_BUFFER, 0);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    copy.done = gl_.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

std::optional<std::uint32_t> VisibleCount::take(bool wait) {
    if (taken_ == copied_) return std::nullopt;
    Copy& copy = copies_[taken_ % depth];
    const GLuint64 patience = wait ? GLuint64{1'000'000'000} : 0;
    GLenum state = GL_TIMEOUT_EXPIRED;
    do
        state = gl_.ClientWaitSync(copy.done, GL_SYNC_FLUSH_COMMANDS_BIT, patience);
    while (wait && state == GL_TIMEOUT_EXPIRED);
    if (state == GL_TIMEOUT_EXPIRED) return std::nullopt;
    gl_.DeleteSync(copy.done);
    copy.done = nullptr;
    ++taken_;
    return read_buffer<std::uint32_t>(gl_, copy.buffer.name(), 1).front();
}

}  // namespace glsort::demo
