#include "elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace glsort::demo {

namespace {

const void* at(std::size_t offset) {
    return reinterpret_cast<const void*>(offset);
}

void allocate(const GladGLContext& gl, GLenum target, const GlBuffer& buffer, std::size_t bytes, const void* data,
              GLenum usage) {
    gl.BindBuffer(target, buffer.name());
    gl.BufferData(target, static_cast<GLsizeiptr>(bytes), data, usage);
    if (gl.GetError() == GL_OUT_OF_MEMORY)
        throw std::runtime_error(
            fmt::format("the driver has no memory for a buffer of {} MiB: ask for a smaller --count", bytes >> 20));
}

void check_count(const GladGLContext& gl, bool es, std::uint32_t count) {
    if (!es) return;
    GLint64 largest_index = 0;  // OpenGL ES may limit indices to 2^24 - 1. OpenGL reaches 2^32 - 1.
    gl.GetInteger64v(GL_MAX_ELEMENT_INDEX, &largest_index);
    if (static_cast<GLint64>(count) - 1 > largest_index)
        throw std::runtime_error(
            fmt::format("--count {}: the driver draws at most {} particles", count, largest_index + 1));
}

// The radius of the ball beyond which a splat is too faint to be drawn.
float radius_of(const Splat& splat) {
    const float faintest = 255.0f * splat.opacity;
    if (faintest <= 1.0f) return 0.0f;
    // The largest variance along any axis is at most the sum of those along three.
    const glm::vec3& v = splat.variance;
    return splat_reach * std::sqrt(2.0f * std::log(faintest) * (v.x + v.y + v.z));
}

}  // namespace

std::uint32_t bytes_of_element(bool splat) {
    return static_cast<std::uint32_t>((splat ? sizeof(Splat) : sizeof(Particle)) + sizeof(Place) +
                                      sizeof(std::uint32_t));
}

Elements::Elements(const GladGLContext& gl, bool es, const ParticleScene& scene)
    : movement_(scene.movement),
      silk_(scene.silk),
      particles_(gl),
      places_(gl),
      indices_(gl),
      first_vertices_(gl),
      vertices_(gl),
      splats_(gl) {
    check_count(gl, es, scene.count());
    gl.BindVertexArray(0);
    allocate(gl, GL_ARRAY_BUFFER, indices_, scene.count() * sizeof(std::uint32_t), nullptr, GL_DYNAMIC_COPY);
    positions_.reserve(scene.count());
    radii_.reserve(scene.count());
    if (scene.splats.empty())
        add_particles(gl, scene.particles);
    else
        add_splats(gl, scene.splats);
    gl.BindVertexArray(0);
}

void Elements::add_particles(const GladGLContext& gl, const std::vector<Particle>& particles) {
    for (const Particle& particle : particles) {
        positions_.push_back(particle.position);
        radii_.push_back(0.5f * particle.size);
        largest_radius_ = std::max(largest_radius_, radii_.back());
    }
    const auto attribute = [&gl](GLuint location, GLint components, std::size_t stride, std::size_t offset) {
        gl.EnableVertexAttribArray(location);
        gl.VertexAttribPointer(location, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride), at(offset));
    };
    allocate(gl, GL_ARRAY_BUFFER, places_, particles.size() * sizeof(Place), nullptr, GL_DYNAMIC_COPY);
    gl.BindVertexArray(vertices_.name());
    attribute(0, 4, sizeof(Place), 0);
    allocate(gl, GL_ARRAY_BUFFER, particles_, particles.size() * sizeof(Particle), particles.data(), GL_STATIC_DRAW);
    attribute(1, 4, sizeof(Particle), offsetof(Particle, colour));
    // The binding is part of the vertex array, so a draw uses the indices that the sort writes.
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.name());
    gl.BindVertexArray(first_vertices_.name());
    attribute(0, 3, sizeof(Particle), offsetof(Particle, position));
    attribute(1, 1, sizeof(Particle), offsetof(Particle, size));
}

void Elements::add_splats(const GladGLContext& gl, const std::vector<Splat>& splats) {
    std::vector<Place> places;
    places.reserve(splats.size());
    for (const Splat& splat : splats) {
        places.push_back({splat.position, radius_of(splat)});
        positions_.push_back(splat.position);
        radii_.push_back(places.back().radius);
        const glm::vec3& v = splat.variance;
        largest_radius_ = std::max(largest_radius_, 2.0f * std::sqrt(std::max({v.x, v.y, v.z})));
    }
    largest_radius_ = std::min(largest_radius_, 0.05f);  // Large splats, such as skies, may reach further.
    allocate(gl, GL_ARRAY_BUFFER, places_, places.size() * sizeof(Place), places.data(), GL_STATIC_DRAW);

    gl.BindVertexArray(vertices_.name());
    gl.BindBuffer(GL_ARRAY_BUFFER, indices_.name());
    gl.EnableVertexAttribArray(0);
    gl.VertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, nullptr);
    gl.VertexAttribDivisor(0, 1);

    // A texture, because an instance reads the splat at its place in the order.
    constexpr GLint texels = sizeof(Splat) / (4 * sizeof(float));
    GLint side = 0;
    gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
    per_row_ = side / texels;
    const auto n = static_cast<GLint>(splats.size());
    const GLint full_rows = n / per_row_;
    const GLint rest = n % per_row_;
    if (full_rows + (rest > 0 ? 1 : 0) > side)
        throw std::runtime_error(fmt::format("--count {}: the driver's textures hold {} splats", splats.size(),
                                             std::int64_t{side} * per_row_));
    gl.BindTexture(GL_TEXTURE_2D, splats_.name());
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, texels * per_row_, full_rows + (rest > 0 ? 1 : 0), 0, GL_RGBA, GL_FLOAT,
                  nullptr);
    if (gl.GetError() == GL_OUT_OF_MEMORY) throw std::runtime_error("the driver has no memory for so many splats");
    if (full_rows > 0)
        gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, texels * per_row_, full_rows, GL_RGBA, GL_FLOAT, splats.data());
    if (rest > 0)
        gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, full_rows, texels * rest, 1, GL_RGBA, GL_FLOAT,
                         splats.data() + static_cast<std::ptrdiff_t>(full_rows) * per_row_);
    gl.BindTexture(GL_TEXTURE_2D, 0);
}

}  // namespace glsort::demo
