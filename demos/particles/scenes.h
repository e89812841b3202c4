#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "splats.h"
#include "support/scene.h"

namespace glsort::demo {

/// How particles move.
struct Movement {
    Motion motion;
    /// A flow about the circle of this radius around the y axis, in radians per second. The flow comes before the
    /// motion. With the turn of the motion, the flow runs along torus knots.
    float ring_radius = 0.0f;
    float roll_speed = 0.0f;
};

/// The elements of a scene, and their movement: particles, or splats at rest.
struct ParticleScene {
    std::vector<Particle> particles;
    std::vector<Splat> splats;
    Movement movement;
    /// Whether the particles lie on surfaces that face the circle of the flow, and shine there.
    bool silk = false;
    float yaw = 0.5f;     ///< First yaw of the camera, in radians.
    float pitch = 0.35f;  ///< First pitch of the camera, in radians.

    std::uint32_t count() const {
        return static_cast<std::uint32_t>(splats.empty() ? particles.size() : splats.size());
    }
};

/// The scenes that need no file. The first scene is the default.
const std::vector<std::string>& scene_names();

/// Makes one scene, with any number of particles.
class SceneMaker {
  public:
    /// `scene` is a name of scene_names() or a file, which is read here; `-` is standard input.
    ///
    /// Throws std::runtime_error that names the file and the reason. Throws UsageError if the splats of the file need
    /// more memory than is free.
    SceneMaker(std::string scene, std::uint64_t seed);

    /// What a person should know of the file; empty: nothing.
    std::string remark() const;

    /// 200,000 particles, 40,000 splats, or as many as the file has; of a mesh 200,000 at the least.
    std::uint32_t usual_count() const;
    /// 3 for scenes that the program makes of particles, otherwise 1.
    std::uint32_t usual_emitters() const;
    /// The max number. For a file with splats, the number of its splats, because a splat cannot be drawn twice.
    std::uint32_t largest_count() const;
    bool makes_splats() const;
    /// The emitters have first_of_emitter() elements each, one emitter after the other. Those of `knot` and `galaxy`
    /// differ in place and colour. All others share out one scene, which looks the same with any number of emitters.
    ///
    /// A mesh gives particles on its faces. A cloud with more points or splats than `count` gives a random choice of
    /// them, one with fewer points gives each several times. The same arguments give the same particles, up to the
    /// rounding of sin, cos, log and exp. Throws std::runtime_error above largest_count().
    ParticleScene make(std::uint32_t count, std::uint32_t emitters) const;

  private:
    ParticleScene choose_splats(std::uint32_t count) const;

    std::string scene_;
    Shape shape_;
    std::vector<Splat> splats_;
    std::uint64_t seed_;
};

}  // namespace glsort::demo
