#include "cpu_keys.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

namespace glsort::demo {

namespace {

// The flow about the ring, given by an angle about the ring. Leaves the angle about the y axis as it is.
glm::vec3 flowed(const glm::vec3& p, const Movement& movement, float roll) {
    const float across = std::hypot(p.x, p.z);
    const float x = across - movement.ring_radius;
    const float c = std::cos(roll);
    const float s = std::sin(roll);
    const float radius = movement.ring_radius + c * x + s * p.y;
    const glm::vec3 outwards = across > 0.0f ? glm::vec3(p.x, 0.0f, p.z) / across : glm::vec3(1.0f, 0.0f, 0.0f);
    return radius * outwards + glm::vec3(0.0f, c * p.y - s * x, 0.0f);
}

}  // namespace

glm::vec3 moved(const glm::vec3& position, const Movement& movement, double seconds) {
    const float roll = static_cast<float>(movement.roll_speed * seconds);
    return moved(flowed(position, movement, roll), movement.motion, static_cast<float>(seconds));
}

std::vector<float> cpu_keys(const std::vector<glm::vec3>& positions, const Movement& movement, double seconds,
                            const glm::mat4& view, SortKey key) {
    std::vector<float> keys;
    keys.reserve(positions.size());
    for (const glm::vec3& position : positions) {
        const glm::vec3 p = view * glm::vec4(moved(position, movement, seconds), 1.0f);
        keys.push_back(key == SortKey::depth ? p.z : -glm::length(p));
    }
    return keys;
}

}  // namespace glsort::demo
