#include "check_buffer.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace glsort::check {
namespace {

/// Binds a buffer to a target. The destructor restores the previous binding.
class Bound {
  public:
    Bound(const GladGLContext& gl, GLenum target, GLenum binding, GLuint buffer) : gl_(gl), target_(target) {
        gl_.GetIntegerv(binding, &before_);
        gl_.BindBuffer(target_, buffer);
    }
    ~Bound() { gl_.BindBuffer(target_, static_cast<GLuint>(before_)); }
    Bound(const Bound&) = delete;
    Bound& operator=(const Bound&) = delete;

  private:
    const GladGLContext& gl_;
    GLenum target_;
    GLint before_ = 0;
};

Bound bound_to_read(const GladGLContext& gl, GLuint buffer) {
    return {gl, GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER_BINDING, buffer};
}
Bound bound_to_write(const GladGLContext& gl, GLuint buffer) {
    return {gl, GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER_BINDING, buffer};
}

GLuint make_buffer(const GladGLContext& gl, const void* words, GLsizeiptr bytes) {
    GLuint name = 0;
    gl.GenBuffers(1, &name);
    const Bound bound = bound_to_write(gl, name);
    gl.BufferData(GL_COPY_WRITE_BUFFER, bytes, words, GL_STREAM_COPY);
    return name;
}

GLsizeiptr bytes_of(const WordRange& range) {
    return static_cast<GLsizeiptr>(4 * (range.end - range.begin));
}
GLintptr offset_of(const WordRange& range) {
    return static_cast<GLintptr>(4 * range.begin);
}

}  // namespace

CheckedBuffer::CheckedBuffer(const GladGLContext& gl, Copies& copies, Words words, Storage storage)
    : expected(std::move(words)), gl_(gl), copies_(copies), storage_(storage) {
    gl_.GenBuffers(1, &name_);
    const Bound bound = bound_to_write(gl_, name_);
    if (storage_ == Storage::plain) {
        gl_.BufferData(GL_COPY_WRITE_BUFFER, bytes(), expected.data(), GL_DYNAMIC_COPY);
        return;
    }
    GLbitfield access = 0;
    if (stays_mapped(storage_)) access = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT;
    if (storage_ == Storage::mapped) access |= GL_MAP_COHERENT_BIT;
    copies_.buffer_storage()(GL_COPY_WRITE_BUFFER, bytes(), expected.data(), access | GL_DYNAMIC_STORAGE_BIT);
    if (!stays_mapped(storage_)) return;
    if (storage_ == Storage::flushed) access |= GL_MAP_FLUSH_EXPLICIT_BIT;
    mapped_ = gl_.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, bytes(), access);
    if (mapped_ == nullptr) throw std::runtime_error("glMapBufferRange gave null for a mapping that stays");
}

CheckedBuffer::~CheckedBuffer() {
    gl_.DeleteBuffers(1, &name_);
}

/// Makes a later glBufferSubData or glBufferData wait for all earlier commands. OpenGL requires this anyway. One driver
/// waits only if the buffer was bound as a uniform buffer right before (docs/driver-faults.md).
void CheckedBuffer::settle() const {
    GLint before = 0;
    GLint64 start = 0;
    GLint64 size = 0;
    GLint generic = 0;
    gl_.GetIntegeri_v(GL_UNIFORM_BUFFER_BINDING, 0, &before);
    gl_.GetInteger64i_v(GL_UNIFORM_BUFFER_START, 0, &start);
    gl_.GetInteger64i_v(GL_UNIFORM_BUFFER_SIZE, 0, &size);
    gl_.GetIntegerv(GL_UNIFORM_BUFFER_BINDING, &generic);
    gl_.BindBufferBase(GL_UNIFORM_BUFFER, 0, name_);
    if (size == 0)
        gl_.BindBufferBase(GL_UNIFORM_BUFFER, 0, static_cast<GLuint>(before));
    else
        gl_.BindBufferRange(GL_UNIFORM_BUFFER, 0, static_cast<GLuint>(before), static_cast<GLintptr>(start),
                            static_cast<GLsizeiptr>(size));
    gl_.BindBuffer(GL_UNIFORM_BUFFER, static_cast<GLuint>(generic));
}

void CheckedBuffer::upload(Upload way, const std::vector<WordRange>& ranges) {
    switch (way) {
        case Upload::data:
        case Upload::orphan:
        case Upload::map_invalidate:
        case Upload::map_unsynchronized:
            replace(way);
            return;
        default:
            for (const WordRange& range : ranges)
                if (range.begin < range.end) write(way, range);
    }
}

void CheckedBuffer::replace(Upload way) {
    settle();
    const Bound bound = bound_to_write(gl_, name_);
    if (way == Upload::data) {
        gl_.BufferData(GL_COPY_WRITE_BUFFER, bytes(), expected.data(), GL_STREAM_DRAW);
        return;
    }
    if (way != Upload::map_invalidate) gl_.BufferData(GL_COPY_WRITE_BUFFER, bytes(), nullptr, GL_DYNAMIC_DRAW);
    if (way == Upload::orphan) {
        settle();
        gl_.BufferSubData(GL_COPY_WRITE_BUFFER, 0, bytes(), expected.data());
        return;
    }
    const GLbitfield how = way == Upload::map_invalidate ? GL_MAP_INVALIDATE_BUFFER_BIT : GL_MAP_UNSYNCHRONIZED_BIT;
    void* mapped = gl_.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, bytes(), GL_MAP_WRITE_BIT | how);
    if (mapped == nullptr) throw std::runtime_error("glMapBufferRange gave null for an upload");
    std::memcpy(mapped, expected.data(), 4 * expected.size());
    gl_.UnmapBuffer(GL_COPY_WRITE_BUFFER);
}

void CheckedBuffer::write(Upload way, const WordRange& range) {
    const std::uint32_t* words = expected.data() + range.begin;
    const auto sub_data = [&] {
        settle();
        const Bound bound = bound_to_write(gl_, name_);
        gl_.BufferSubData(GL_COPY_WRITE_BUFFER, offset_of(range), bytes_of(range), words);
    };
    switch (way) {
        case Upload::sub_data_array: {
            settle();
            const Bound bound(gl_, GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING, name_);
            gl_.BufferSubData(GL_ARRAY_BUFFER, offset_of(range), bytes_of(range), words);
            return;
        }
        case Upload::named_sub_data:
            settle();
            gl_.NamedBufferSubData(name_, offset_of(range), bytes_of(range), words);
            return;
        case Upload::map:
        case Upload::map_flush:
        case Upload::map_range: {
            const Bound bound = bound_to_write(gl_, name_);
            const GLbitfield how = way == Upload::map_range   ? GL_MAP_INVALIDATE_RANGE_BIT
                                   : way == Upload::map_flush ? GL_MAP_FLUSH_EXPLICIT_BIT
                                                              : 0;
            void* mapped =
                gl_.MapBufferRange(GL_COPY_WRITE_BUFFER, offset_of(range), bytes_of(range), GL_MAP_WRITE_BIT | how);
            if (mapped == nullptr) throw std::runtime_error("glMapBufferRange gave null for an upload");
            std::memcpy(mapped, words, static_cast<std::size_t>(bytes_of(range)));
            if (way == Upload::map_flush) {
                // Flushes in two parts. Offsets count from the start of the mapping.
                const GLsizeiptr half = bytes_of(range) / 8 * 4;
                gl_.FlushMappedBufferRange(GL_COPY_WRITE_BUFFER, half, bytes_of(range) - half);
                gl_.FlushMappedBufferRange(GL_COPY_WRITE_BUFFER, 0, half);
            }
            gl_.UnmapBuffer(GL_COPY_WRITE_BUFFER);
            return;
        }
        case Upload::persistent: {
            wait_for_gpu();
            std::memcpy(static_cast<std::uint32_t*>(mapped_) + range.begin, words,
                        static_cast<std::size_t>(bytes_of(range)));
            if (storage_ == Storage::flushed) {
                const Bound bound = bound_to_write(gl_, name_);
                gl_.FlushMappedBufferRange(GL_COPY_WRITE_BUFFER, offset_of(range), bytes_of(range));
            }
            return;
        }
        case Upload::shared:
            copies_.elsewhere([&](const GladGLContext& gl) {
                gl.BindBufferBase(GL_UNIFORM_BUFFER, 0, name_);  // Like settle().
                gl.BindBufferBase(GL_UNIFORM_BUFFER, 0, 0);
                gl.BindBuffer(GL_COPY_WRITE_BUFFER, name_);
                gl.BufferSubData(GL_COPY_WRITE_BUFFER, offset_of(range), bytes_of(range), words);
                gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
            });
            return;
        case Upload::copy:
        case Upload::feedback:
        case Upload::compute: {
            const std::size_t size = range.end - range.begin;
            const GLuint staging = make_buffer(gl_, words, bytes_of(range));
            if (way == Upload::copy) {
                const Bound source = bound_to_read(gl_, staging);
                const Bound bound = bound_to_write(gl_, name_);
                gl_.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, offset_of(range), bytes_of(range));
            } else if (way == Upload::feedback) {
                copies_.feedback(staging, 0, name_, range.begin, size);
            } else {
                copies_.compute(staging, 0, name_, range.begin, size);
            }
            gl_.DeleteBuffers(1, &staging);
            return;
        }
        case Upload::clear: {
            {
                const Bound bound = bound_to_write(gl_, name_);
                // Zeros. Mesa would read a value of ours behind as many others as GL_UNPACK_SKIP_PIXELS says.
                gl_.ClearBufferSubData(GL_COPY_WRITE_BUFFER, GL_R32UI, offset_of(range), bytes_of(range),
                                       GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
            }
            sub_data();
            return;
        }
        default:
            sub_data();
    }
}

Words read_mapped(const GladGLContext& gl, GLuint buffer, std::size_t words) {
    const Bound bound = bound_to_read(gl, buffer);
    const void* mapped = gl.MapBufferRange(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(4 * words), GL_MAP_READ_BIT);
    if (mapped == nullptr) throw std::runtime_error("glMapBufferRange gave null for a result");
    const auto* first = static_cast<const std::uint32_t*>(mapped);
    Words found(first, first + words);
    gl.UnmapBuffer(GL_COPY_READ_BUFFER);
    return found;
}

GLuint CheckedBuffer::copy() const {
    const GLuint held = make_buffer(gl_, nullptr, bytes());
    const Bound source = bound_to_read(gl_, name_);
    const Bound bound = bound_to_write(gl_, held);
    gl_.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, bytes());
    return held;
}

void CheckedBuffer::wait_for_gpu() const {
    const GLsync fence = gl_.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl_.ClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, ~GLuint64{0});
    gl_.DeleteSync(fence);
}

Words CheckedBuffer::read(Reading way) const {
    if (way == Reading::mapping) {
        // A coherent mapping needs no barrier.
        if (storage_ == Storage::flushed) gl_.MemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
        wait_for_gpu();
        const auto* first = static_cast<const std::uint32_t*>(mapped_);
        return Words(first, first + expected.size());
    }
    if (way == Reading::map) return read_mapped(gl_, name_, expected.size());
    if (way == Reading::get) {
        Words found(expected.size());
        const Bound bound = bound_to_read(gl_, name_);
        gl_.GetBufferSubData(GL_COPY_READ_BUFFER, 0, bytes(), found.data());
        return found;
    }
    const GLuint held = way == Reading::copy ? copy() : make_buffer(gl_, nullptr, bytes());
    if (way == Reading::vertex) copies_.feedback(name_, 0, held, 0, expected.size());
    if (way == Reading::storage) {
        copies_.compute(name_, 0, held, 0, expected.size());
        gl_.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    }
    Words found = read_mapped(gl_, held, expected.size());
    gl_.DeleteBuffers(1, &held);
    return found;
}

}  // namespace glsort::check
