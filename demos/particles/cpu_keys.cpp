#include "cpu_keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
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

// The planes of a frustum, in the space of the positions. The first three numbers of a plane have length 1.
std::array<glm::dvec4, 6> planes_of(const glm::dmat4& clip) {
    const glm::dmat4 rows = glm::transpose(clip);
    std::array<glm::dvec4, 6> planes = {rows[3] + rows[0], rows[3] - rows[0], rows[3] + rows[1],
                                        rows[3] - rows[1], rows[3] + rows[2], rows[3] - rows[2]};
    for (glm::dvec4& plane : planes)
        plane /= glm::length(glm::dvec3(plane));
    return planes;
}

// A sum of products, and a bound for its error in single precision.
struct Product {
    double value;
    double error;
};

Product product(const glm::dvec4& a, const glm::dvec4& b) {
    constexpr double steps = 16 * 0x1p-24;  // More than the roundings of a product of four numbers.
    return {glm::dot(a, b), steps * glm::dot(glm::abs(a), glm::abs(b))};
}

}  // namespace

glm::vec3 moved(const glm::vec3& position, const Movement& movement, double seconds) {
    const float roll = static_cast<float>(movement.roll_speed * seconds);
    return moved(flowed(position, movement, roll), movement.motion, static_cast<float>(seconds));
}

std::vector<CpuKey> cpu_keys(const std::vector<Place>& places, const View& view, const KeyOptions& options) {
    const glm::dmat4 to_camera = glm::make_mat4(view.view.data());
    const glm::dmat4 rows = glm::transpose(to_camera);
    const std::array<glm::dvec4, 6> planes = planes_of(glm::dmat4(glm::make_mat4(view.projection.data())) * to_camera);
    std::vector<CpuKey> keys;
    keys.reserve(places.size());
    for (const Place& place : places) {
        const glm::dvec4 p(glm::dvec3(place.position), 1.0);
        double key = 0.0;
        double error = 0.0;
        if (options.by == SortKey::depth) {
            const Product depth = product(-rows[2], p);
            key = depth.value;
            error = depth.error;
        } else {
            for (int row = 0; row < 3; ++row) {
                const Product way = product(rows[row], p);
                key += way.value * way.value;
                error += 2.0 * std::abs(way.value) * way.error + way.error * way.error;
            }
            error += 8 * 0x1p-24 * key;
        }
        double inside = 1.0;
        for (std::size_t i = 0; options.frustum && i < planes.size(); ++i) {
            const Product distance = product(planes[i], p);
            inside = i == 0 ? distance.value : std::min(inside, distance.value);
            error = std::max(error, distance.error);
        }
        if (options.frustum) inside += place.radius;
        keys.push_back({static_cast<float>(key), static_cast<float>(inside), static_cast<float>(error)});
    }
    return keys;
}

}  // namespace glsort::demo
