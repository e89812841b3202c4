#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "check_copies.h"
#include "check_round.h"

/// A buffer of the caller, with every way to fill and to read a buffer.

namespace glsort::check {

/// The words from `begin` up to, but not including, `end`.
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

    /// Writes ranges of `expected`. A way that replaces the storage writes all words. Quiet ways (check_ways.h) restore
    /// the bindings that they change.
    void upload(Upload way, const std::vector<WordRange>& ranges);
    /// All words. Waits for the GPU.
    Words read(Reading way) const;
    /// Returns a new buffer with a copy of the words, made by the GPU. The caller deletes the new buffer.
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

/// Maps a buffer and returns all its words.
Words read_mapped(const GladGLContext& gl, GLuint buffer, std::size_t words);

}  // namespace glsort::check
