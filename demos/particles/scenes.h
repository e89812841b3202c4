#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "support/scene.h"

namespace glsort::demo {

/// How particles move.
struct Movement {
    Motion motion;
    /// A flow about the circle of this radius around the y axis, in radians per second, before the
    /// motion. Together with the motion's turn it runs along torus knots.
    float ring_radius = 0.0f;
    float roll_speed = 0.0f;
};

/// What is drawn, and how it moves.
struct ParticleScene {
    std::vector<Particle> particles;
    Movement movement;
    /// Whether the particles lie on surfaces that face that circle, and shine there.
    bool silk = false;
    float yaw = 0.5f;     ///< Of the camera, at first; radians.
    float pitch = 0.35f;  ///< Of the camera, at first; radians.
};

/// The scenes that need no file; the first is the default.
const std::vector<std::string>& scene_names();

/// Makes one scene, with any number of particles.
class SceneMaker {
  public:
    /// `scene` is a name of scene_names() or a file, which is read here.
    ///
    /// Throws std::runtime_error naming the file and the reason.
    SceneMaker(std::string scene, std::uint64_t seed);

    /// 200,000, or as many as the file has points.
    std::uint32_t usual_count() const;
    /// A file with more points than `count` gives a random choice of them, one with fewer gives
    /// each several times. The same arguments give the same particles, up to the rounding of sin,
    /// cos, log and exp.
    ParticleScene make(std::uint32_t count) const;

  private:
    std::string scene_;
    std::vector<glm::vec3> points_;
    std::uint64_t seed_;
};

}  // namespace glsort::demo
