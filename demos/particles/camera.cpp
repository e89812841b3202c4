#include "camera.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <numbers>

namespace glsort::demo {

namespace {

// The direction from the point looked at to the camera.
glm::vec3 direction(float yaw, float pitch) {
    return {std::cos(pitch) * std::sin(yaw), std::sin(pitch), std::cos(pitch) * std::cos(yaw)};
}

}  // namespace

Camera::Camera(float yaw, float pitch, float nearer)
    : yaw_(yaw), pitch_(pitch), first_yaw_(yaw), first_pitch_(pitch), first_zoom_(1.0f / nearer), zoom_(first_zoom_) {}

float Camera::half_height() {
    static const float tangent = std::tan(0.5f * 35.0f * std::numbers::pi_v<float> / 180.0f);
    return tangent;
}

void Camera::frame(const std::vector<glm::vec3>& positions, float radius, float aspect) {
    constexpr float margin = 0.94f;
    const float up_limit = margin * half_height();
    const float right_limit = up_limit * aspect;

    // At one pitch, an orbit of the camera equals a turn of the positions about the y axis. Only the circles of the
    // positions matter, and at each height only the largest circle.
    constexpr int levels = 256;
    float lowest = 0.0f;
    float highest = 0.0f;
    const auto inside = [](const glm::vec3& p) { return glm::clamp(p, -0.5f, 0.5f); };
    for (const glm::vec3& p : positions) {
        lowest = std::min(lowest, inside(p).y);
        highest = std::max(highest, inside(p).y);
    }
    const float step = std::max(highest - lowest, 1e-6f) / (levels - 1);
    std::vector<float> across(levels, -1.0f);
    for (const glm::vec3& position : positions) {
        const glm::vec3 p = inside(position);
        float& largest = across[static_cast<std::size_t>(std::lround((p.y - lowest) / step))];
        largest = std::max(largest, std::hypot(p.x, p.z));
    }

    struct Place {
        float right, up, towards;
    };
    std::vector<Place> places;
    const float c = std::cos(first_pitch_);
    const float s = std::sin(first_pitch_);
    for (int level = 0; level < levels; ++level) {
        if (across[level] < 0.0f) continue;
        const float y = lowest + step * static_cast<float>(level);
        constexpr int turns = 48;
        for (int turn = 0; turn < turns; ++turn) {
            const float angle = 2.0f * std::numbers::pi_v<float> * static_cast<float>(turn) / turns;
            const float z = across[level] * std::cos(angle);
            places.push_back({across[level] * std::sin(angle), c * y - s * z, s * y + c * z});
        }
    }

    // The nearest distance from which all places fit, by bisection. The middle of the picture lies between the highest
    // and the lowest place. This is not at 0, because near places look larger.
    float near = 0.0f;
    float far = 1.0f;
    float shift = 0.0f;
    const auto fits = [&](float distance) {
        float top = -1e9f;
        float bottom = 1e9f;
        float side = 0.0f;
        for (const Place& place : places) {
            const float depth = distance - place.towards;
            if (depth < 0.05f * distance) return false;
            top = std::max(top, (place.up + radius) / depth);
            bottom = std::min(bottom, (place.up - radius) / depth);
            side = std::max(side, (place.right + radius) / depth);
        }
        shift = 0.5f * (top + bottom);
        return top - bottom <= 2.0f * up_limit && side <= right_limit;
    };
    while (!fits(far))
        far *= 2.0f;
    for (int i = 0; i < 30; ++i) {
        const float middle = 0.5f * (near + far);
        (fits(middle) ? far : near) = middle;
    }
    fits(far);
    fitting_distance_ = std::max(far, 1e-3f);
    shift_ = std::abs(s) < 0.2f ? 0.0f : shift / s;
}

void Camera::orbit(float yaw, float pitch) {
    constexpr float pole = 0.495f * std::numbers::pi_v<float>;
    yaw_ = std::remainder(yaw_ + yaw, 2.0f * std::numbers::pi_v<float>);
    pitch_ = std::clamp(pitch_ + pitch, -pole, pole);
}

void Camera::zoom(float factor) {
    zoom_ = std::clamp(zoom_ * factor, 0.05f, 10.0f);
}

void Camera::pan(float right, float up) {
    constexpr float furthest = 2.0f;  // The size of a scene is about 1.
    const glm::mat4 axes = glm::transpose(view());
    const float height = 2.0f * distance() * half_height();
    target_ += height * (right * glm::vec3(axes[0]) + up * glm::vec3(axes[1]));
    target_ = glm::clamp(target_, -furthest, furthest);
}

void Camera::reset() {
    yaw_ = first_yaw_;
    pitch_ = first_pitch_;
    zoom_ = first_zoom_;
    target_ = glm::vec3(0.0f);
}

glm::mat4 Camera::view() const {
    return glm::lookAt(target_ + distance() * direction(yaw_, pitch_), target_, glm::vec3(0.0f, 1.0f, 0.0f));
}

glm::mat4 Camera::projection(float aspect, float covered) const {
    const float nearest = 0.01f * distance();
    const float up = nearest * half_height();
    const float right = up * aspect;
    const float shift = nearest * shift_ * std::sin(pitch_);
    const float aside = -right * covered;
    return glm::frustum(aside - right, aside + right, shift - up, shift + up, nearest,
                        distance() + 10.0f * fitting_distance_);
}

}  // namespace glsort::demo
