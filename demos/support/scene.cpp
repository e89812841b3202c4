#include "support/scene.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>

#include "support/file_access.h"
#include "support/ply.h"

namespace glsort::demo {

namespace {

constexpr float two_pi = 2.0f * std::numbers::pi_v<float>;

// Colours of files are those of displays (sRGB, roughly).
glm::vec3 linear_of(const aiColor4D& colour) {
    return glm::pow(glm::clamp(glm::vec3(colour.r, colour.g, colour.b), 0.0f, 1.0f), glm::vec3(2.2f));
}

void collect(const aiScene& scene, const aiNode& node, const aiMatrix4x4& parent, Shape& shape) {
    const aiMatrix4x4 transform = parent * node.mTransformation;
    for (unsigned int i = 0; i < node.mNumMeshes; ++i) {
        const aiMesh& mesh = *scene.mMeshes[node.mMeshes[i]];
        const auto first = static_cast<std::uint32_t>(shape.points.size());
        const aiColor4D* colours = mesh.mColors[0];
        // Where another mesh has colours and this one has none, it is white.
        if (colours != nullptr) shape.colours.resize(shape.points.size(), glm::vec3(1.0f));
        for (unsigned int k = 0; k < mesh.mNumVertices; ++k) {
            const aiVector3D p = transform * mesh.mVertices[k];
            shape.points.emplace_back(p.x, p.y, p.z);
            if (colours != nullptr) shape.colours.push_back(linear_of(colours[k]));
        }
        for (unsigned int k = 0; k < mesh.mNumFaces; ++k) {
            const aiFace& face = mesh.mFaces[k];
            for (unsigned int corner = 2; corner < face.mNumIndices; ++corner)
                shape.triangles.push_back(
                    {first + face.mIndices[0], first + face.mIndices[corner - 1], first + face.mIndices[corner]});
        }
    }
    for (unsigned int i = 0; i < node.mNumChildren; ++i)
        collect(scene, *node.mChildren[i], transform, shape);
    if (!shape.colours.empty()) shape.colours.resize(shape.points.size(), glm::vec3(1.0f));
}

// Uniform and normal numbers. The distributions of <random> differ between libraries.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}
    float uniform() { return static_cast<float>(random_() >> 40) * 0x1p-24f; }
    float uniform(float low, float high) { return low + (high - low) * uniform(); }
    float normal() {  // Box and Muller.
        const float radius = std::sqrt(-2.0f * std::log(1.0f - uniform()));
        return radius * std::cos(two_pi * uniform());
    }

  private:
    std::mt19937_64 random_;
};

glm::vec3 in_disc(float radius, float angle, float height) {
    return {radius * std::cos(angle), height, radius * std::sin(angle)};
}

// The angle of an arm at a distance from the axis. An arm is a logarithmic spiral.
float arm_angle(float radius, int arm) {
    constexpr float pitch = 0.34f;
    return std::log(radius / 0.05f) / pitch + static_cast<float>(arm) * std::numbers::pi_v<float>;
}

Particle bulge_star(Dice& dice) {
    Particle star;
    star.position = glm::vec3(dice.normal(), 0.62f * dice.normal(), dice.normal()) * 0.045f;
    star.colour = glm::mix(glm::vec4(1.0f, 0.72f, 0.38f, 0.30f), glm::vec4(1.0f, 0.93f, 0.74f, 0.45f), dice.uniform());
    star.size = dice.uniform(0.004f, 0.010f);
    return star;
}

Particle arm_particle(Dice& dice) {
    const float radius = 0.05f + 0.43f * std::pow(dice.uniform(), 0.75f);
    const int arm = dice.uniform() < 0.5f ? 0 : 1;
    const float width = 0.16f + 0.25f * radius;
    const float thickness = 0.010f + 0.012f * radius;
    const float kind = dice.uniform();
    Particle particle;
    if (kind < 0.16f) {  // Dust, ahead of the arm. A wrong order shows, because dust is dark.
        const float angle = arm_angle(radius, arm) - 0.30f + 0.35f * width * dice.normal();
        particle.position = in_disc(radius, angle, 0.5f * thickness * dice.normal());
        particle.colour = glm::vec4(0.055f, 0.028f, 0.02f, dice.uniform(0.25f, 0.5f));
        particle.size = dice.uniform(0.012f, 0.026f);
    } else if (kind < 0.22f) {  // Nebulae.
        const float angle = arm_angle(radius, arm) + 0.4f * width * dice.normal();
        particle.position = in_disc(radius, angle, 0.6f * thickness * dice.normal());
        particle.colour = glm::vec4(0.95f, 0.22f + 0.2f * dice.uniform(), 0.42f, 0.22f);
        particle.size = dice.uniform(0.010f, 0.022f);
    } else {  // Young stars.
        const float angle = arm_angle(radius, arm) + width * dice.normal();
        particle.position = in_disc(radius, angle, thickness * dice.normal());
        particle.colour =
            glm::mix(glm::vec4(0.42f, 0.60f, 1.0f, 0.35f), glm::vec4(0.88f, 0.93f, 1.0f, 0.55f), dice.uniform());
        particle.size = dice.uniform(0.003f, 0.008f);
    }
    return particle;
}

Particle disc_star(Dice& dice) {
    const float radius = 0.48f * std::sqrt(dice.uniform());
    Particle star;
    star.position = in_disc(radius, two_pi * dice.uniform(), 0.018f * dice.normal());
    star.colour = glm::mix(glm::vec4(1.0f, 0.78f, 0.55f, 0.22f), glm::vec4(0.8f, 0.85f, 1.0f, 0.3f), dice.uniform());
    star.size = dice.uniform(0.002f, 0.006f);
    return star;
}

Particle halo_star(Dice& dice) {
    const float y = dice.uniform(-1.0f, 1.0f);
    const float angle = two_pi * dice.uniform();
    const float across = std::sqrt(std::max(0.0f, 1.0f - y * y));
    Particle star;
    star.position = in_disc(across, angle, y) * (0.47f * std::sqrt(dice.uniform()));
    star.colour = glm::vec4(0.9f, 0.85f, 0.8f, 0.18f);
    star.size = dice.uniform(0.002f, 0.005f);
    return star;
}

/// Throws where a corner of a face is no point of its mesh. Assimp takes the indices of a file as they are.
void check_face(const std::filesystem::path& path, const aiScene& scene, unsigned int mesh, unsigned int face) {
    const unsigned int points = scene.mMeshes[mesh]->mNumVertices;
    const aiFace& corners = scene.mMeshes[mesh]->mFaces[face];
    for (unsigned int i = 0; i < corners.mNumIndices; ++i)
        if (corners.mIndices[i] >= points)
            fail_reading(path, fmt::format("mesh {}, face {}: index {} names no point; the mesh has {} points", mesh,
                                           face, corners.mIndices[i], points));
}

void check_faces(const std::filesystem::path& path, const aiScene& scene) {
    for (unsigned int mesh = 0; mesh < scene.mNumMeshes; ++mesh)
        for (unsigned int face = 0; face < scene.mMeshes[mesh]->mNumFaces; ++face)
            check_face(path, scene, mesh, face);
}

/// Throws if a PLY file has fewer coordinates than its header says. Assimp would invent the rest.
void check_coordinates(const std::filesystem::path& path) {
    try {
        read_ply_header(path);
    } catch (const std::runtime_error&) {
        return;  // Another format, or a header that Assimp may read.
    }
    read_ply(path, "vertex", {"x", "y", "z"});
}

}  // namespace

Shape load_shape(const std::filesystem::path& path) {
    const auto fail = [&path](const std::string& reason) { fail_reading(path, reason); };
    check_readable(path);
    check_coordinates(path);

    // No post-processing: several steps that Assimp offers drop vertices that no face uses.
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(path.string(), 0);
    if (scene == nullptr || scene->mRootNode == nullptr) {
        std::string reason = importer.GetErrorString();
        reason.erase(reason.find_last_not_of(" \n") + 1);
        fail(reason.empty() ? "Assimp gave no reason" : reason);
    }
    check_faces(path, *scene);
    Shape shape;
    collect(*scene, *scene->mRootNode, aiMatrix4x4(), shape);
    if (shape.points.empty()) fail("it holds no points");
    for (std::size_t i = 0; i < shape.points.size(); ++i) {
        const glm::vec3& p = shape.points[i];
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            fail("point " + std::to_string(i) + " is not finite");
    }
    return shape;
}

Shape sample_surface(const Shape& shape, std::uint32_t count, std::uint64_t seed) {
    // Across a triangle, as long as twice its area.
    const auto across = [&shape](const std::array<std::uint32_t, 3>& triangle) {
        const glm::dvec3 origin = shape.points[triangle[0]];
        return glm::cross(glm::dvec3(shape.points[triangle[1]]) - origin,
                          glm::dvec3(shape.points[triangle[2]]) - origin);
    };
    // Twice the areas up to each triangle, and six times the volume: below 0 where the corners go round clockwise.
    std::vector<double> areas;
    areas.reserve(shape.triangles.size());
    double sum = 0.0;
    double volume = 0.0;
    for (const auto& triangle : shape.triangles) {
        const glm::dvec3 normal = across(triangle);
        sum += glm::length(normal);
        volume += glm::dot(normal, glm::dvec3(shape.points[triangle[0]]));
        areas.push_back(sum);
    }
    Dice dice(seed);
    Shape sampled;
    sampled.points.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        // In equal steps along the areas: no triangle gets many more points than another of its size.
        const double at = sum * (static_cast<double>(i) + static_cast<double>(dice.uniform())) / count;
        const auto found = std::upper_bound(areas.begin(), areas.end(), at);
        const auto triangle = std::min(static_cast<std::size_t>(found - areas.begin()), areas.size() - 1);
        const auto& corners = shape.triangles[triangle];
        float u = dice.uniform();
        float v = dice.uniform();
        if (u + v > 1.0f) {
            u = 1.0f - u;
            v = 1.0f - v;
        }
        const auto between = [&](const std::vector<glm::vec3>& values) {
            return (1.0f - u - v) * values[corners[0]] + u * values[corners[1]] + v * values[corners[2]];
        };
        sampled.points.push_back(between(shape.points));
        const glm::dvec3 normal = (volume < 0.0 ? -1.0 : 1.0) * across(shape.triangles[triangle]);
        const double length = glm::length(normal);
        sampled.normals.push_back(length > 0.0 ? glm::vec3(normal / length) : glm::vec3(0.0f, 1.0f, 0.0f));
        if (!shape.colours.empty()) sampled.colours.push_back(between(shape.colours));
    }
    return sampled;
}

std::size_t loose_points(const Shape& shape) {
    if (shape.triangles.empty()) return 0;
    std::vector<bool> used(shape.points.size());
    for (const auto& triangle : shape.triangles)
        for (const std::uint32_t corner : triangle)
            used[corner] = true;
    return static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
}

void normalise(std::vector<glm::vec3>& points) {
    if (points.empty()) return;
    glm::vec3 low = points.front();
    glm::vec3 high = points.front();
    for (const glm::vec3& point : points) {
        low = glm::min(low, point);
        high = glm::max(high, point);
    }
    // Halves before the sum: the sum of two large coordinates may not be finite.
    const glm::vec3 centre = 0.5f * low + 0.5f * high;
    const glm::vec3 half = 0.5f * high - 0.5f * low;
    const float longest = std::max({half.x, half.y, half.z});
    for (glm::vec3& point : points)
        point = longest > 0.0f ? 0.5f * ((point - centre) / longest) : glm::vec3(0.0f);
}

glm::vec3 moved(const glm::vec3& position, const Motion& motion, float seconds) {
    const float angle = motion.turn_speed * seconds;
    const float c = std::cos(angle);
    const float s = std::sin(angle);
    const float radius = std::sqrt(position.x * position.x + position.z * position.z);
    const float phase = motion.wave_number * radius - motion.wave_speed * seconds;
    return {c * position.x + s * position.z, position.y + motion.wave_height * std::sin(phase),
            c * position.z - s * position.x};
}

Scene make_galaxy(std::size_t n, std::uint64_t seed) {
    Dice dice(seed);
    Scene scene;
    scene.particles.reserve(n);
    // With fewer particles each is larger, so that the picture keeps its brightness.
    const float scale = n == 0 ? 1.0f : std::clamp(std::cbrt(100000.0f / static_cast<float>(n)), 0.35f, 6.0f);
    for (std::size_t i = 0; i < n; ++i) {
        const float kind = dice.uniform();
        Particle particle = kind < 0.20f   ? bulge_star(dice)
                            : kind < 0.80f ? arm_particle(dice)
                            : kind < 0.97f ? disc_star(dice)
                                           : halo_star(dice);
        const float distance = glm::length(particle.position);
        if (distance > 0.5f) particle.position *= 0.5f / distance;
        particle.size *= scale;
        scene.particles.push_back(particle);
    }
    return scene;
}

}  // namespace glsort::demo
