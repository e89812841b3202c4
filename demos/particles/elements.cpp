#include "elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace glsort::demo {

namespace {

const void* at(std::size_t offset) {
    return reinterpret_cast<const void*>(offset);
}

void allocate(const GladGLContext& gl, GLenum target, const GlBuffer& buffer, std::size_t bytes,
              const void* data, GLenum usage) {
    gl.BindBuffer(target, buffer.name());
    gl.BufferData(target, static_cast<GLsizeiptr>(bytes), data, usage);
    if (gl.GetError() == GL_OUT_OF_MEMORY)
        throw std::runtime_error(fmt::format(
            "the driver has no memory for a buffer of {} MiB: ask for a smaller --count",
            bytes >> 20));
}

void check_count(const GladGLContext& gl, bool es, std::uint32_t count) {
    if (!es) return;
    GLint64 largest_index = 0;  // may be 2^24 - 1; OpenGL has always had 2^32 - 1
    gl.GetInteger64v(GL_MAX_ELEMENT_INDEX, &largest_index);
    if (static_cast<GLint64>(count) - 1 > largest_index)
        throw std::runtime_error(fmt::format("--count {}: the driver draws at most {} particles",
                                             count, largest_index + 1));
}

}  // namespace

Elements::Elements(const GladGLContext& gl, bool es, const ParticleScene& scene)
    : count_(static_cast<std::uint32_t>(scene.particles.size())),
      movement_(scene.movement),
      silk_(scene.silk),
      particles_(gl),
      keys_(gl),
      indices_(gl),
      key_vertices_(gl),
      sprite_vertices_(gl) {
    check_count(gl, es, count_);
    positions_.reserve(count_);
    for (const Particle& particle : scene.particles) {
        positions_.push_back(particle.position);
        largest_radius_ = std::max(largest_radius_, 0.5f * particle.size);
    }

    gl.BindVertexArray(0);
    allocate(gl, GL_ARRAY_BUFFER, keys_, count_ * sizeof(float), nullptr, GL_DYNAMIC_COPY);
    allocate(gl, GL_ARRAY_BUFFER, particles_, count_ * sizeof(Particle), scene.particles.data(),
             GL_STATIC_DRAW);
    const auto attribute = [&gl](GLuint location, GLint components, std::size_t offset) {
        gl.EnableVertexAttribArray(location);
        gl.VertexAttribPointer(location, components, GL_FLOAT, GL_FALSE, sizeof(Particle),
                               at(offset));
    };
    gl.BindVertexArray(key_vertices_.name());
    attribute(0, 3, offsetof(Particle, position));
    gl.BindVertexArray(sprite_vertices_.name());
    attribute(0, 3, offsetof(Particle, position));
    attribute(1, 4, offsetof(Particle, colour));
    attribute(2, 1, offsetof(Particle, size));
    // The binding is part of the vertex array: whatever the sorter writes there is drawn.
    allocate(gl, GL_ELEMENT_ARRAY_BUFFER, indices_, count_ * sizeof(std::uint32_t), nullptr,
             GL_DYNAMIC_COPY);
    gl.BindVertexArray(0);
}

}  // namespace glsort::demo
