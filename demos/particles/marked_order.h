#pragma once

#include <glad/gl.h>

#include <glsort/sorter.h>
#include <cstdint>

#include "gl_objects.h"
#include "support/headless_context.h"

namespace glsort::demo {

/// The order for contexts without indirect draws: OpenGL before 4.0, OpenGL ES 3.0. There, the CPU gives the count of a
/// draw, and does not know how many items are visible. It would have to wait for the GPU, or use the count of an older
/// frame, which is wrong as soon as the camera moves.
///
/// So the draw is one of all items. Transform feedback copies the order, and puts a mark in the places behind the
/// visible items. A mark is the index that restarts primitives: glDrawElements() draws no point for it. Shaders of
/// instances drop it. The count comes from the status of the sorter, which is copied to a uniform buffer.
class MarkedOrder {
  public:
    static constexpr std::uint32_t mark = 0xFFFFFFFFu;

    /// For orders of `count` items.
    MarkedOrder(const GladGLContext& gl, Api api, std::uint32_t count);

    /// The buffer for the order that a sort writes.
    GLuint order() const { return order_.name(); }
    /// Writes the order with its marks to the buffer `target`. `status` is that of the sorter. A complete framebuffer
    /// must be bound.
    void write(BufferSlice status, GLuint target) const;

  private:
    const GladGLContext& gl_;
    std::uint32_t count_;
    GlProgram program_;
    GlBuffer order_;
    GlBuffer status_;
    GlVertexArray vertices_;
};

}  // namespace glsort::demo
