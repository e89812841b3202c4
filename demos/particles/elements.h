#pragma once

#include <glad/gl.h>

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "gl_objects.h"
#include "scenes.h"

namespace glsort::demo {

/// A scene's particles in GPU memory, with a place for their keys and for their order.
class Elements {
  public:
    /// Throws std::runtime_error where the driver has no memory, or cannot draw that many.
    Elements(const GladGLContext& gl, bool es, const ParticleScene& scene);

    std::uint32_t count() const { return count_; }
    const std::vector<glm::vec3>& positions() const { return positions_; }  ///< At first.
    float largest_radius() const { return largest_radius_; }
    const Movement& movement() const { return movement_; }
    bool silk() const { return silk_; }

    GLuint keys() const { return keys_.name(); }        ///< A buffer of count floats.
    GLuint indices() const { return indices_.name(); }  ///< A buffer of count uints.
    /// Vertices for the keys: attribute 0, the position.
    GLuint key_vertices() const { return key_vertices_.name(); }
    /// Vertices for sprites: attributes 0 position, 1 colour, 2 size; the indices are their
    /// element buffer.
    GLuint sprite_vertices() const { return sprite_vertices_.name(); }

  private:
    std::uint32_t count_;
    std::vector<glm::vec3> positions_;
    float largest_radius_ = 0.0f;
    Movement movement_;
    bool silk_;
    GlBuffer particles_;
    GlBuffer keys_;
    GlBuffer indices_;
    GlVertexArray key_vertices_;
    GlVertexArray sprite_vertices_;
};

}  // namespace glsort::demo
