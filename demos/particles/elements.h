#pragma once

#include <glad/gl.h>

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "gl_objects.h"
#include "scenes.h"

namespace glsort::demo {

/// Bytes of GPU memory that a particle or a splat takes, with its place in the order.
std::uint32_t bytes_of_element(bool splat);

/// Where an element is: what the sort reads, and the first attribute of the draw.
struct Place {
    glm::vec3 position{0.0f};
    float radius = 0.0f;  ///< The element lies in the ball of this radius.
};
static_assert(sizeof(Place) == 16);

/// Splats are drawn by an approximate projection, which may reach further than the ball of the splat. The factor is the
/// bound for a slope that shaders::splat_vertex() limits.
inline constexpr float splat_reach = 1.3f;

/// A scene's particles or splats in GPU memory, with room for their order.
///
/// The elements of all emitters lie in one buffer, one emitter after the other, because one draw takes its vertices
/// from one buffer. The sort gets a slice for each emitter. The number of an item of the sort is then the number of the
/// vertex.
class Elements {
  public:
    /// Throws std::runtime_error if the driver lacks memory, or cannot draw `scene.count()` elements.
    Elements(const GladGLContext& gl, bool es, const ParticleScene& scene);

    std::uint32_t count() const { return static_cast<std::uint32_t>(positions_.size()); }
    const std::vector<glm::vec3>& positions() const { return positions_; }  ///< At first.
    const std::vector<float>& radii() const { return radii_; }
    /// For the camera: a few elements may be larger.
    float largest_radius() const { return largest_radius_; }
    const Movement& movement() const { return movement_; }
    bool silk() const { return silk_; }

    GLuint places() const { return places_.name(); }    ///< A buffer of `Place`. Splats do not move.
    GLuint indices() const { return indices_.name(); }  ///< A buffer of count uints: what is drawn, in order.
    /// The vertex array to move particles. Attribute 0: the first position, 1: the diameter.
    GLuint first_vertices() const { return first_vertices_.name(); }
    /// The vertex array for the draw. For particles: attribute 0 is the place, 1 the colour. The indices are the
    /// element buffer. For splats: attribute 0 is the index of the splat for an instance, in sorted order.
    GLuint vertices() const { return vertices_.name(); }

    bool are_splats() const { return per_row_ > 0; }
    /// A texture with the splats, four texels each, row by row.
    GLuint splats() const { return splats_.name(); }
    GLint splats_per_row() const { return per_row_; }

  private:
    void add_particles(const GladGLContext& gl, const std::vector<Particle>& particles);
    void add_splats(const GladGLContext& gl, const std::vector<Splat>& splats);

    std::vector<glm::vec3> positions_;
    std::vector<float> radii_;
    float largest_radius_ = 0.0f;
    Movement movement_;
    bool silk_;
    GlBuffer particles_;  // Not for splats.
    GlBuffer places_;
    GlBuffer indices_;
    GlVertexArray first_vertices_;
    GlVertexArray vertices_;
    GlTexture splats_;
    GLint per_row_ = 0;
};

}  // namespace glsort::demo
