#pragma once

#include <glad/gl.h>

#include <glsort/sorter.h>
#include <array>
#include <cstdint>
#include <optional>

#include "gl_objects.h"

namespace glsort::demo {

/// The number of visible items, read back some frames later: nothing waits for the number, and no draw needs it.
class VisibleCount {
  public:
    explicit VisibleCount(const GladGLContext& gl);
    ~VisibleCount();
    VisibleCount(const VisibleCount&) = delete;
    VisibleCount& operator=(const VisibleCount&) = delete;

    /// Copies the first word of a sorter's status. If all copies are in flight, this one is skipped.
    void copy(BufferSlice status);
    /// Returns the oldest number that has arrived and was not taken yet. `wait`: waits for numbers in flight.
    std::optional<std::uint32_t> take(bool wait);

  private:
    static constexpr std::size_t depth = 4;  // Max copies in flight.
    struct Copy {
        GlBuffer buffer;
        GLsync done = nullptr;
    };

    const GladGLContext& gl_;
    std::array<Copy, depth> copies_;
    std::size_t copied_ = 0;  // Counts up. The next copy is copies_[copied_ % depth].
    std::size_t taken_ = 0;
};

}  // namespace glsort::demo
