#include "marked_order.h"

#include "capture.h"
#include "shaders.h"

namespace glsort::demo {

namespace {

constexpr GLsizeiptr status_bytes = 4 * sizeof(std::uint32_t);

}  // namespace

MarkedOrder::MarkedOrder(const GladGLContext& gl, Api api, std::uint32_t count)
    : gl_(gl),
      count_(count),
      program_(gl, shaders::mark_vertex(api), shaders::no_fragment(api), {"marked"}),
      order_(gl),
      status_(gl),
      vertices_(gl) {
    gl.BindVertexArray(vertices_.name());
    gl.BindBuffer(GL_ARRAY_BUFFER, order_.name());
    gl.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(count * sizeof(std::uint32_t)), nullptr, GL_DYNAMIC_COPY);
    gl.EnableVertexAttribArray(0);
    gl.VertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, nullptr);
    gl.BindVertexArray(0);
    gl.BindBuffer(GL_UNIFORM_BUFFER, status_.name());
    gl.BufferData(GL_UNIFORM_BUFFER, status_bytes, nullptr, GL_DYNAMIC_COPY);
    gl.BindBuffer(GL_UNIFORM_BUFFER, 0);
    gl.UniformBlockBinding(program_.name(), gl.GetUniformBlockIndex(program_.name(), "Status"), 0);
}

void MarkedOrder::write(BufferSlice status, GLuint target) const {
    gl_.BindBuffer(GL_COPY_READ_BUFFER, status.name);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, status_.name());
    gl_.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(status.offset), 0,
                          status_bytes);
    gl_.BindBuffer(GL_COPY_READ_BUFFER, 0);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    gl_.UseProgram(program_.name());
    gl_.BindBufferBase(GL_UNIFORM_BUFFER, 0, status_.name());
    capture(gl_, vertices_.name(), target, count_);
    gl_.BindBufferBase(GL_UNIFORM_BUFFER, 0, 0);
}

}  // namespace glsort::demo
