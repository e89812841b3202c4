#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace glsort::demo {

/// Looks at a point, at first 0, from an orbit around it, y up. Angles in radians, lengths in the
/// unit of the scene.
class Camera {
  public:
    /// Where the camera stands at first: `yaw` about the y axis, `pitch` above the x-z plane.
    explicit Camera(float yaw = 0.0f, float pitch = 0.35f);

    /// Chooses the distance at which balls of this radius around all the positions stay in view,
    /// from every yaw at the first pitch, in a picture `aspect` as wide as it is high. Linear in
    /// the positions; those outside of the cube from -0.5 to 0.5, which scenes fill, count as at
    /// its sides: a few that are far away must not make the rest small.
    void frame(const std::vector<glm::vec3>& positions, float radius, float aspect);

    void orbit(float yaw, float pitch);  ///< Adds; the pitch stops short of the poles.
    void zoom(float factor);             ///< Multiplies the distance, within limits.
    /// Moves the point looked at, and so the camera, in the plane of the picture: by parts of the
    /// picture's height at that point.
    void pan(float right, float up);
    void reset();  ///< To where the camera stood at first.

    glm::mat4 view() const;
    /// With a near plane that leaves out nothing further away than a hundredth of the distance.
    /// `covered` is the part of the picture's width, from its left, that something lies over: the
    /// point looked at is in the middle of what remains.
    glm::mat4 projection(float aspect, float covered = 0.0f) const;
    float distance() const { return fitting_distance_ * zoom_; }
    /// Half the vertical field of view, as a tangent.
    static float half_height();

  private:
    float yaw_;
    float pitch_;
    float first_yaw_;
    float first_pitch_;
    glm::vec3 target_{0.0f};
    float fitting_distance_ = 1.5f;
    float zoom_ = 1.0f;
    float shift_ = 0.0f;  // of the picture's middle as a tangent, divided by the pitch's sine
};

}  // namespace glsort::demo
