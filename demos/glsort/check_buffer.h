#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "check_copies.h"
#include "check_round.h"

/// A buffer of the caller's, filled and read by every way that there is.

namespace glsort::check {

/// Words `begin` up to but not including `end`.
struct WordRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

class CheckedBuffer {
  public:
    CheckedBuffer(const GladGLContext& gl, Copies& copies, Words words, Storage storage);
    ~CheckedBuffer();
    CheckedBuffer(const CheckedBuffer&) = delete;
    CheckedBuffer& operator=(const CheckedBuffer&) = delete;

    GLuint name() const { return name_; }

    /// Writes ranges of `expected`; a way that replaces the storage writes all of it. Quiet ways (check_ways.h)
    /// put back what they bind.
    void upload(Upload way, const std::vector<WordRange>& ranges);
    /// All words. Waits.
    Words read(Reading way) const;
    /// A new buffer that the GPU copies this one's words to; the caller deletes it.
    GLuint copy() const;

    Words expected;

  private:
    void write(Upload way, const WordRange& range);
    void replace(Upload way);
    void settle() const;
    void wait_for_gpu() const;
    GLsizeiptr bytes() const { return static_cast<GLsizeiptr>(4 * expected.size()); }

    const GladGLContext& gl_;
    Copies& copies_;
    Storage storage_;
    GLuint name_ = 0;
    void* mapped_ = nullptr;
};

/// All words of a buffer, by mapping it.
Words read_mapped(const GladGLContext& gl, GLuint buffer, std::size_t words);

}  // namespace glsort::check
