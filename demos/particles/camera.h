#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace glsort::demo {

/// Looks at a point, at first 0, from an orbit around the point. y is up. Angles in radians, lengths in the unit of the
/// scene.
class Camera {
  public:
    /// The first position: `yaw` about the y axis, `pitch` above the x-z plane, `nearer` times nearer than where all
    /// positions are in view.
    explicit Camera(float yaw = 0.0f, float pitch = 0.35f, float nearer = 1.0f);

    /// Chooses the distance of the camera. Balls of this radius around all positions then stay in view from every yaw
    /// at the first pitch. `aspect` is the width of the picture divided by the height.
    ///
    /// Scenes fill the cube from -0.5 to 0.5. Positions outside of the cube count as positions on its sides, so that a
    /// few distant positions do not make the rest small. Time: linear in the positions.
    void frame(const std::vector<glm::vec3>& positions, float radius, float aspect);

    void orbit(float yaw, float pitch);  ///< Adds to the angles. The pitch stops short of the poles.
    void zoom(float factor);             ///< Multiplies the distance, within limits.
    /// Moves the point looked at, and the camera, in the plane of the picture. 1 is the height of the picture at the
    /// distance of the point.
    void pan(float right, float up);
    void reset();  ///< Returns to the first position.

    glm::mat4 view() const;
    /// The near plane lies at a hundredth of the distance to the point looked at. `covered` is the fraction of the
    /// picture's width, from the left, that a panel covers. The point looked at is in the middle of the rest.
    glm::mat4 projection(float aspect, float covered = 0.0f) const;
    float distance() const { return fitting_distance_ * zoom_; }
    /// Half the vertical field of view, as a tangent.
    static float half_height();

  private:
    float yaw_;
    float pitch_;
    float first_yaw_;
    float first_pitch_;
    float first_zoom_;
    glm::vec3 target_{0.0f};
    float fitting_distance_ = 1.5f;
    float zoom_;
    float shift_ = 0.0f;  // The shift of the picture's middle: a tangent, divided by the sine of the pitch.
};

}  // namespace glsort::demo
