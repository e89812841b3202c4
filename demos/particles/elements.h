#pragma once

#include <glad/gl.h>

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "gl_objects.h"
#include "scenes.h"

namespace glsort::demo {

/// Bytes of GPU memory that a particle or a splat takes, with key and index.
std::uint32_t bytes_of_element(bool splat);

/// A scene's particles or splats in GPU memory, with a place for their keys and for their order.
class Elements {
  public:
    /// Throws std::runtime_error if the driver lacks memory, or cannot draw `scene.count()` elements.
    Elements(const GladGLContext& gl, bool es, const ParticleScene& scene);

    std::uint32_t count() const { return count_; }
    const std::vector<glm::vec3>& positions() const { return positions_; }  ///< At first.
    float largest_radius() const { return largest_radius_; }
    const Movement& movement() const { return movement_; }
    bool silk() const { return silk_; }

    GLuint keys() const { return keys_.name(); }        ///< A buffer of count floats.
    GLuint indices() const { return indices_.name(); }  ///< A buffer of count uints.
    /// The vertex array for the keys. Attribute 0: the position.
    GLuint key_vertices() const { return key_vertices_.name(); }
    /// The vertex array for the draw. For particles: attribute 0 is the position, 1 the colour, 2 the size. The indices
    /// are the element buffer. For splats: attribute 0 is the index of the splat for an instance, in sorted order.
    GLuint vertices() const { return vertices_.name(); }

    bool are_splats() const { return per_row_ > 0; }
    /// A texture with the splats, four texels each, row by row.
    GLuint splats() const { return splats_.name(); }
    GLint splats_per_row() const { return per_row_; }

  private:
    void add_particles(const GladGLContext& gl, const std::vector<Particle>& particles);
    void add_splats(const GladGLContext& gl, const std::vector<Splat>& splats);

    std::uint32_t count_;
    std::vector<glm::vec3> positions_;
    float largest_radius_ = 0.0f;
    Movement movement_;
    bool silk_;
    GlBuffer particles_;  // For splats: their positions.
    GlBuffer keys_;
    GlBuffer indices_;
    GlVertexArray key_vertices_;
    GlVertexArray vertices_;
    GlTexture splats_;
    GLint per_row_ = 0;
};

}  // namespace glsort::demo
