#include "cloud.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec4.hpp>
#include <numeric>

#include "dice.h"

namespace glsort::demo {

namespace {

// A grid over the cube from -0.5 to 0.5, with the number and the mean of the points in each cell.
class Grid {
  public:
    Grid(const std::vector<glm::vec3>& points, int side)
        : side_(side), cells_(static_cast<std::size_t>(side) * side * side) {
        for (const glm::vec3& p : points) {
            const glm::ivec3 cell = cell_of(p);
            glm::vec4& sum = cells_[index(cell)];
            if (sum.w == 0.0f) ++occupied_;
            sum += glm::vec4(p - middle(cell), 1.0f);
        }
    }

    int side() const { return side_; }
    std::size_t occupied() const { return occupied_; }  // Cells with points.

    /// The rough area of the surface that the points lie on. Each occupied cell counts as the square of its side.
    float area() const { return static_cast<float>(occupied_) / static_cast<float>(side_ * side_); }

    /// The direction from the middle of the neighbouring points to p: outwards, if the surface bulges.
    glm::vec3 outwards(const glm::vec3& p) const {
        const glm::ivec3 centre = cell_of(p);
        const glm::ivec3 low = glm::max(centre - reach, glm::ivec3(0));
        const glm::ivec3 high = glm::min(centre + reach, glm::ivec3(side_ - 1));
        glm::vec3 offset(0.0f);
        float total = 0.0f;
        for (int z = low.z; z <= high.z; ++z)
            for (int y = low.y; y <= high.y; ++y)
                for (int x = low.x; x <= high.x; ++x) {
                    const glm::ivec3 cell(x, y, z);
                    const glm::vec4& sum = cells_[index(cell)];
                    if (sum.w == 0.0f) continue;
                    const glm::vec3 from_p = middle(cell) + glm::vec3(sum) / sum.w - p;
                    // Weights are smooth in p, so that cells do not show.
                    const glm::vec3 of_reach = from_p * (static_cast<float>(side_) / reach);
                    const float near = 1.0f - glm::dot(of_reach, of_reach);
                    if (near <= 0.0f) continue;
                    offset += near * near * from_p;
                    total += near * near;
                }
        const float length = glm::length(offset);
        return length > 1e-6f * total ? -offset / length : glm::vec3(0.0f, 1.0f, 0.0f);
    }

  private:
    static constexpr int reach = 5;  // In cells.

    glm::ivec3 cell_of(const glm::vec3& p) const {
        return glm::clamp(glm::ivec3((p + 0.5f) * static_cast<float>(side_)), 0, side_ - 1);
    }
    glm::vec3 middle(const glm::ivec3& cell) const {
        return (glm::vec3(cell) + 0.5f) / static_cast<float>(side_) - 0.5f;
    }
    std::size_t index(const glm::ivec3& cell) const {
        return (static_cast<std::size_t>(cell.z) * side_ + cell.y) * side_ + cell.x;
    }

    int side_;
    std::vector<glm::vec4> cells_;  // The sum of the offsets from the middle, and the number of points.
    std::size_t occupied_ = 0;
};

// The grid is as fine as the points allow. If cells held one point each, most of the surface would lie in empty cells.
Grid make_grid(const std::vector<glm::vec3>& points) {
    Grid grid(points, 80);
    while (grid.side() > 5 && 2 * grid.occupied() > points.size())
        grid = Grid(points, grid.side() / 2);
    return grid;
}

// The colour of a skin in the light. Without a colour of the file's, the skin goes from petrol below to amber above.
glm::vec3 colour_of(const glm::vec3& p, const glm::vec3& normal, const glm::vec3* own) {
    const glm::vec3 key_light = glm::normalize(glm::vec3(-0.45f, 0.75f, 0.5f));
    const glm::vec3 back_light = glm::normalize(glm::vec3(0.7f, 0.1f, -0.6f));
    const glm::vec3 skin = own != nullptr ? *own
                                          : glm::mix(glm::vec3(0.02f, 0.36f, 0.42f), glm::vec3(0.95f, 0.55f, 0.14f),
                                                     glm::smoothstep(-0.35f, 0.4f, p.y));
    // A light that tints belongs to the skin that was chosen for it.
    const glm::vec3 back_colour = own != nullptr ? 0.3f * skin : glm::vec3(0.55f, 0.10f, 0.30f);
    const float key = 0.5f + 0.5f * glm::dot(normal, key_light);
    const float back = std::max(0.0f, glm::dot(normal, back_light));
    return skin * (0.12f + 1.0f * key * key) + back_colour * (back * back) +
           0.25f * glm::vec3(1.0f, 0.9f, 0.75f) * std::pow(key, 16.0f);
}

}  // namespace

std::vector<Particle> make_cloud(const Shape& shape, std::uint32_t count, std::uint64_t seed) {
    if (!shape.triangles.empty()) return make_cloud(sample_surface(shape, count, seed), count, seed);
    const std::vector<glm::vec3>& points = shape.points;
    Dice dice(seed);
    const Grid grid = make_grid(points);

    // The order of a scanner may happen to be back to front, so the points are shuffled.
    std::vector<std::uint32_t> order(points.size());
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[dice.below(i)]);

    std::vector<glm::vec3> normals;
    for (std::size_t i = 0; i < std::min<std::size_t>(count, points.size()); ++i)
        normals.push_back(shape.normals.empty() ? grid.outwards(points[order[i]]) : shape.normals[order[i]]);

    const float spacing = std::sqrt(grid.area() / static_cast<float>(count));
    const float point_spacing = std::sqrt(grid.area() / static_cast<float>(points.size()));
    std::vector<Particle> particles;
    particles.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t source = order[i % points.size()];
        const glm::vec3& point = points[source];
        const glm::vec3& normal = normals[i % points.size()];
        Particle particle;
        particle.position = point;
        if (i >= points.size()) {
            const glm::vec3 aside = glm::vec3(dice.normal(), dice.normal(), dice.normal());
            particle.position += 0.5f * point_spacing * (aside - normal * glm::dot(aside, normal));
        }
        particle.colour =
            glm::vec4(glm::min(colour_of(point, normal, shape.colours.empty() ? nullptr : &shape.colours[source]) *
                                   dice.uniform(0.9f, 1.1f),
                               1.0f),
                      0.6f);
        particle.size = std::clamp(3.6f * spacing, 0.001f, 0.08f);
        particles.push_back(particle);
    }
    return particles;
}

}  // namespace glsort::demo
