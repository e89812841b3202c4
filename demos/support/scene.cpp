#include "support/scene.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <unordered_set>

namespace glsort::demo {

namespace {

constexpr float two_pi = 2.0f * std::numbers::pi_v<float>;

struct SamePosition {
    bool operator()(const glm::vec3& a, const glm::vec3& b) const { return a == b; }
};

struct HashPosition {
    std::size_t operator()(const glm::vec3& p) const {
        std::uint64_t hash = 0;
        for (int i = 0; i < 3; ++i) {
            // -0 and +0 compare equal. The addition of +0 gives both equal bits.
            hash ^= std::bit_cast<std::uint32_t>(p[i] + 0.0f);
            hash *= 0x9E3779B97F4A7C15u;
            hash ^= hash >> 29;
        }
        return static_cast<std::size_t>(hash);
    }
};

void collect_points(const aiScene& scene, const aiNode& node, const aiMatrix4x4& parent,
                    std::vector<glm::vec3>& points) {
    const aiMatrix4x4 transform = parent * node.mTransformation;
    for (unsigned int i = 0; i < node.mNumMeshes; ++i) {
        const aiMesh& mesh = *scene.mMeshes[node.mMeshes[i]];
        const bool has_faces = (mesh.mPrimitiveTypes & ~unsigned{aiPrimitiveType_POINT}) != 0;
        std::unordered_set<glm::vec3, HashPosition, SamePosition> seen;
        for (unsigned int k = 0; k < mesh.mNumVertices; ++k) {
            const aiVector3D p = transform * mesh.mVertices[k];
            const glm::vec3 point(p.x, p.y, p.z);
            if (!has_faces || seen.insert(point).second) points.push_back(point);
        }
    }
    for (unsigned int i = 0; i < node.mNumChildren; ++i)
        collect_points(scene, *node.mChildren[i], transform, points);
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

}  // namespace

std::vector<glm::vec3> load_points(const std::filesystem::path& path) {
    const auto fail = [&path](const std::string& reason) {
        throw std::runtime_error("cannot load points from " + path.string() + ": " + reason);
    };
    std::error_code error;
    if (!std::filesystem::exists(path, error)) fail("no such file");

    // No post-processing: all steps of Assimp concern faces, and several drop vertices without a face.
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(path.string(), 0);
    if (scene == nullptr || scene->mRootNode == nullptr) {
        std::string reason = importer.GetErrorString();
        reason.erase(reason.find_last_not_of(" \n") + 1);
        fail(reason.empty() ? "Assimp gave no reason" : reason);
    }
    std::vector<glm::vec3> points;
    collect_points(*scene, *scene->mRootNode, aiMatrix4x4(), points);
    if (points.empty()) fail("it holds no points");
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!std::isfinite(points[i].x) || !std::isfinite(points[i].y) || !std::isfinite(points[i].z))
            fail("point " + std::to_string(i) + " is not finite");
    return points;
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

Scene make_point_scene(const std::vector<glm::vec3>& points, float size) {
    Scene scene;
    scene.motion = {.turn_speed = 0.25f, .wave_height = 0.0f, .wave_number = 0.0f, .wave_speed = 0.0f};
    scene.particles.reserve(points.size());
    for (const glm::vec3& point : points) {
        Particle particle;
        particle.position = point;
        // From blue below to amber above, lighter towards the front.
        const glm::vec3 base = glm::mix(glm::vec3(0.10f, 0.34f, 0.78f), glm::vec3(1.0f, 0.66f, 0.24f),
                                        glm::clamp(point.y + 0.5f, 0.0f, 1.0f));
        const float light = 0.75f + 0.5f * glm::clamp(point.z, -0.5f, 0.5f);
        particle.colour = glm::vec4(base * light, 0.45f);
        particle.size = size;
        scene.particles.push_back(particle);
    }
    return scene;
}

}  // namespace glsort::demo
