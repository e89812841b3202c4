#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/error.h>
#include <glsort/gl/capabilities.h>
#include <glsort/gl/state_guard.h>
#include <glsort/session/ranges.h>

#include <optional>

namespace glsort {
namespace {

using gl::StateGuard;

void check_slice(const Range& range, std::uint64_t alignment) {
    if (range.buffer.offset % alignment != 0)
        throw Error(fmt::format("{}.offset {} is not a multiple of {} bytes", range.name.text(), range.buffer.offset,
                                alignment));
    if (range.buffer.name == 0) throw Error(fmt::format("{}.name 0 is not a buffer", range.name.text()));
}

/// Rejects names of deleted buffers. Shaders that find no buffer can hang a GPU.
void check_name(const gl::Api& api, const Range& range) {
    if (api.IsBuffer(range.buffer.name) == GL_FALSE)
        throw Error(fmt::format("{}.name {} is not a buffer", range.name.text(), range.buffer.name));
}

/// Reads parameters of a buffer. With direct state access (OpenGL 4.5) no binding changes, so none must be saved.
class BufferParameters {
  public:
    BufferParameters(const gl::Api& api, GLuint buffer) : api_(api), buffer_(buffer) {
        if (api_.GetNamedBufferParameteri64v != nullptr) return;
        guard_.emplace(api_, gl::StateScope{.copy = true});
        api_.BindBuffer(GL_COPY_READ_BUFFER, buffer_);
    }
    GLint64 operator[](GLenum parameter) const {
        GLint64 value = 0;
        if (api_.GetNamedBufferParameteri64v != nullptr)
            api_.GetNamedBufferParameteri64v(buffer_, parameter, &value);
        else
            api_.GetBufferParameteri64v(GL_COPY_READ_BUFFER, parameter, &value);
        return value;
    }

  private:
    const gl::Api& api_;
    GLuint buffer_;
    std::optional<StateGuard> guard_;
};

/// Asks OpenGL for the buffer's size and mapping. Throws `Error` if the buffer is too small, or mapped without
/// GL_MAP_PERSISTENT_BIT, or if the driver cannot write the buffer while the buffer is mapped.
void check_buffer(const gl::Api& api, const Range& range) {
    const BufferParameters buffer(api, range.buffer.name);
    const auto size = static_cast<std::uint64_t>(buffer[GL_BUFFER_SIZE]);
    if (range.bytes > size || range.buffer.offset > size - range.bytes)
        throw Error(
            fmt::format("{} at offset {} with {} bytes reaches past the end of "
                        "buffer {}, which has {}",
                        range.name.text(), range.buffer.offset, range.bytes, range.buffer.name, size));
    if (in_browser || buffer[GL_BUFFER_MAPPED] == GL_FALSE) return;  // WebGL maps no buffers
    if ((buffer[GL_BUFFER_ACCESS_FLAGS] & GL_MAP_PERSISTENT_BIT) == 0)
        throw Error(fmt::format("{}.name {} is mapped, and not persistently: unmap the buffer before",
                                range.name.text(), range.buffer.name));
    if (range.captured && gl::refuses_mapped_feedback(api))
        throw Error(
            fmt::format("{}.name {} is mapped, and the transform feedback of ANGLE writes no mapped buffers: unmap the "
                        "buffer before, or sort on the compute backend",
                        range.name.text(), range.buffer.name));
}

bool overlap(const Range& a, const Range& b) {
    return a.bytes != 0 && b.bytes != 0 && a.buffer.name == b.buffer.name &&
           a.buffer.offset < b.buffer.offset + b.bytes && b.buffer.offset < a.buffer.offset + a.bytes;
}

}  // namespace

std::string ArgumentName::text() const {
    return fmt::format(fmt::runtime(pattern_), first_, second_, detail_);
}

void check_range(const gl::Api& api, const Range& range, std::uint64_t alignment, bool ask) {
    check_slice(range, alignment);
    check_name(api, range);
    if (ask) check_buffer(api, range);
}

void check_apart(const Range& a, const Range& b) {
    if (!overlap(a, b)) return;
    throw Error(fmt::format("{} and {} overlap in buffer {}: bytes {} to {} and {} to {}", a.name.text(), b.name.text(),
                            a.buffer.name, a.buffer.offset, a.buffer.offset + a.bytes, b.buffer.offset,
                            b.buffer.offset + b.bytes));
}

}  // namespace glsort
