#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/gl/state_guard.h>
#include <glsort/session/ranges.h>

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

/// Asks OpenGL for the buffer's size and mapping. Throws `Error` if the buffer is too small, or mapped without
/// GL_MAP_PERSISTENT_BIT.
void check_buffer(const gl::Api& api, const Range& range) {
    const StateGuard guard(api, {.copy = true});
    api.BindBuffer(GL_COPY_READ_BUFFER, range.buffer.name);
    GLint64 size = 0;
    api.GetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &size);
    const auto there = static_cast<std::uint64_t>(size);
    if (range.bytes > there || range.buffer.offset > there - range.bytes)
        throw Error(
            fmt::format("{} at offset {} with {} bytes reaches past the end of "
                        "buffer {}, which has {}",
                        range.name.text(), range.buffer.offset, range.bytes, range.buffer.name, size));
    GLint64 mapped = GL_FALSE;
    api.GetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_MAPPED, &mapped);
    if (mapped == GL_FALSE) return;
    GLint64 access = 0;
    api.GetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_ACCESS_FLAGS, &access);
    if ((access & GL_MAP_PERSISTENT_BIT) == 0)
        throw Error(fmt::format("{}.name {} is mapped, and not persistently: unmap the buffer before",
                                range.name.text(), range.buffer.name));
}

bool overlap(const Range& a, const Range& b) {
    return a.buffer.name == b.buffer.name && a.buffer.offset < b.buffer.offset + b.bytes &&
           b.buffer.offset < a.buffer.offset + a.bytes;
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
