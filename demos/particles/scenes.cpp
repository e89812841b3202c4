#include "scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec4.hpp>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "cloud.h"
#include "device.h"
#include "dice.h"
#include "emitters.h"
#include "support/console.h"
#include "support/memory.h"
#include "support/spooled_file.h"

namespace glsort::demo {

namespace {

constexpr float two_pi = 2.0f * std::numbers::pi_v<float>;

constexpr Movement at_rest{
    .motion = {.turn_speed = 0.0f, .wave_height = 0.0f, .wave_number = 0.0f, .wave_speed = 0.0f}};

bool is_name(const std::string& scene) {
    return std::find(scene_names().begin(), scene_names().end(), scene) != scene_names().end();
}

// A message about a copy names the file that was copied.
std::string with_name(std::string message, const SpooledFile& file) {
    const std::string path = file.path().string();
    for (std::size_t i = message.find(path); i != std::string::npos; i = message.find(path, i + 1))
        message.replace(i, path.size(), file.name().string());
    return message;
}

// Silk ribbons wound around each other, each thrice about a ring. Each ribbon is an emitter. They are in the array one
// after the other, the one that is in front at first comes first: drawn in that order, what lies behind covers what
// lies before it.
ParticleScene make_knot(std::uint32_t count, std::uint32_t ribbons, std::uint64_t seed) {
    constexpr float windings = 3.0f;
    constexpr float ring_radius = 0.30f;
    constexpr float tube_radius = 0.125f;
    // In radians about the ring. Many ribbons are narrower, so that gaps show what lies behind.
    const float half_width = 0.62f * std::min(1.0f, 3.0f / static_cast<float>(ribbons));

    ParticleScene scene;
    const Motion motion{.turn_speed = 0.10f, .wave_height = 0.0f, .wave_number = 0.0f, .wave_speed = 0.0f};
    scene.movement = {.motion = motion,
                      .ring_radius = ring_radius,
                      .roll_speed = windings * motion.turn_speed};  // Along the ribbons.
    scene.silk = true;
    scene.pitch = 0.55f;
    scene.particles.reserve(count);

    Dice dice(seed);
    // With fewer particles each is larger, so that the ribbons stay closed.
    const float scale = std::clamp(std::sqrt(200000.0f / static_cast<float>(count)), 0.35f, 6.0f);
    // The places on a ribbon form a low-discrepancy sequence (R2 of M. Roberts), because silk has no holes.
    double along = dice.uniform();
    double across = dice.uniform();
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto ribbon = static_cast<std::uint32_t>(std::uint64_t{ribbons} * i / count);
        const Dye dye = dye_of(ribbon);
        along = std::fmod(along + 0.7548776662466927, 1.0);
        across = std::fmod(across + 0.5698402909980532, 1.0);
        const bool loose = dice.uniform() < 0.04f;  // A loose thread, off the ribbon.

        const float turn = two_pi * static_cast<float>(along);
        const float u = static_cast<float>(2.0 * across - 1.0) + 0.01f * dice.normal();
        const float v = (loose ? 0.075f : 0.015f) * dice.normal();
        const float aside = loose ? u * (1.2f + 0.3f * dice.normal()) : u;
        const float phase = two_pi * static_cast<float>(ribbons - 1 - ribbon) / static_cast<float>(ribbons);
        const float roll = windings * turn + phase + half_width * aside;
        const float radius = tube_radius * (1.0f + 0.08f * std::cos(0.25f * two_pi * u) + v);  // Bulges.
        const float distance = ring_radius + radius * std::cos(roll);

        const float seam = std::pow(std::abs(u), 6.0f);
        const float threads = 0.5f + 0.5f * std::sin(26.0f * u + 2.5f * std::sin(2.0f * turn));
        const float folds = 0.5f + 0.5f * std::sin(7.0f * u - 3.0f * std::sin(3.0f * turn + phase));
        const float pale = 0.8f * seam + 0.35f * threads * folds + 0.15f * dice.uniform();
        const float dense = std::max(seam, 0.35f + 0.65f * threads * folds);

        Particle particle;
        particle.position = {distance * std::cos(turn), radius * std::sin(roll), -distance * std::sin(turn)};
        particle.colour = glm::vec4(glm::mix(dye.deep, dye.pale, std::min(pale, 1.0f)) * (0.75f + 0.25f * folds),
                                    (loose ? 0.4f : 0.5f) * (0.35f + 0.65f * dense));
        particle.size = 0.0085f * scale * (loose ? 0.5f : 1.0f) * dice.uniform(0.7f, 1.2f) * (1.0f - 0.55f * seam);
        scene.particles.push_back(particle);
    }
    return scene;
}

// Each emitter is a galaxy in its own colours. Several galaxies are tilted in all directions, and pass through each
// other. Each galaxy is in the array behind the one before.
ParticleScene make_galaxies(std::uint32_t count, std::uint32_t emitters, std::uint64_t seed) {
    ParticleScene scene;
    scene.particles.reserve(count);
    for (std::uint32_t emitter = 0; emitter < emitters; ++emitter) {
        const std::uint32_t particles =
            first_of_emitter(emitter + 1, emitters, count) - first_of_emitter(emitter, emitters, count);
        Scene galaxy = make_galaxy(particles, seed + emitter);
        scene.movement.motion = galaxy.motion;
        const float turn = two_pi * static_cast<float>(emitter) / static_cast<float>(emitters);
        const glm::vec3 aside{std::cos(turn), 0.0f, std::sin(turn)};
        const float lean = emitters > 1 ? 0.6f : 0.0f;
        const float across = emitters > 1 ? 0.17f : 0.0f;
        const float size = emitters > 1 ? 0.66f : 1.0f;
        for (Particle& particle : galaxy.particles) {
            // The disc leans inwards, about the tangent of the circle that the galaxies lie on.
            const glm::vec3 p = particle.position;
            const glm::vec3 tangent{-aside.z, 0.0f, aside.x};
            const float out = glm::dot(p, aside);
            const glm::vec3 leant = (std::cos(lean) * out - std::sin(lean) * p.y) * aside +
                                    glm::dot(p, tangent) * tangent +
                                    glm::vec3(0.0f, std::sin(lean) * out + std::cos(lean) * p.y, 0.0f);
            particle.position = size * leant + across * aside;
            if (emitters > 1) {
                const glm::vec3 own = particle.colour;
                const float light = std::max({own.r, own.g, own.b});  // Dust stays dark.
                particle.colour = glm::vec4(light * glm::mix(own, dye_of(emitter).pale, 0.8f), particle.colour.a);
            }
            scene.particles.push_back(particle);
        }
    }
    return scene;
}

}  // namespace

const std::vector<std::string>& scene_names() {
    static const std::vector<std::string> names = {"knot", "galaxy", "splats"};
    return names;
}

SceneMaker::SceneMaker(std::string scene, std::uint64_t seed) : scene_(std::move(scene)), seed_(seed) {
    if (is_name(scene_)) return;
    const SpooledFile file(scene_, free_memory() / 4);
    try {
        if (holds_splats(file.path())) {
            require_memory("--scene " + scene_, bytes_to_load_splats(file.path()), free_memory(), "the computer's");
            splats_ = load_splats(file.path());
        } else {
            shape_ = load_shape(file.path());
            normalise(shape_.points);
        }
    } catch (const UsageError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(with_name(error.what(), file));
    }
    if (std::max(shape_.points.size(), splats_.size()) > std::numeric_limits<std::uint32_t>::max())
        throw std::runtime_error(scene_ + " has more points than a 32-bit index can name");
}

std::string SceneMaker::remark() const {
    const std::size_t loose = loose_points(shape_);
    if (loose == 0) return {};
    return fmt::format("{}: {} of {} points belong to no face, and are not shown", scene_, loose, shape_.points.size());
}

std::uint32_t SceneMaker::usual_count() const {
    constexpr std::uint32_t usual = 200000;
    if (scene_ == "splats") return 40000;
    if (is_name(scene_)) return usual;
    const auto own = static_cast<std::uint32_t>(std::max(shape_.points.size(), splats_.size()));
    if (shape_.triangles.empty()) return own;
    // Formats without shared corners have three points of a triangle.
    const auto triangles = static_cast<std::uint32_t>(std::min<std::size_t>(shape_.triangles.size(), most_particles));
    return std::clamp(std::min(own, triangles), usual, most_particles);
}

std::uint32_t SceneMaker::usual_emitters() const {
    return scene_ == "knot" || scene_ == "galaxy" ? 3 : 1;
}

std::uint32_t SceneMaker::largest_count() const {
    return splats_.empty() ? UINT32_MAX : static_cast<std::uint32_t>(splats_.size());
}

bool SceneMaker::makes_splats() const {
    return scene_ == "splats" || !splats_.empty();
}

ParticleScene SceneMaker::choose_splats(std::uint32_t count) const {
    if (count > largest_count())
        throw UsageError(fmt::format("--count {}: the limit is the {} splats of {}", count, splats_.size(), scene_));
    ParticleScene scene;
    scene.movement = at_rest;
    scene.splats = splats_;
    Dice dice(seed_);
    for (std::uint32_t i = 0; i < count && count < splats_.size(); ++i)
        std::swap(scene.splats[i], scene.splats[i + dice.below(splats_.size() - i)]);
    scene.splats.resize(count);
    return scene;
}

ParticleScene SceneMaker::make(std::uint32_t count, std::uint32_t emitters) const {
    if (scene_ == "knot") return make_knot(count, emitters, seed_);
    if (scene_ == "galaxy") return make_galaxies(count, emitters, seed_);
    if (!splats_.empty()) return choose_splats(count);
    ParticleScene scene;
    if (scene_ == "splats") {
        scene.splats = make_flower(count, seed_);
        scene.movement = at_rest;
        scene.pitch = 0.7f;
    } else {
        scene.particles = make_cloud(shape_, count, seed_);
        scene.movement.motion = {.turn_speed = 0.25f, .wave_height = 0.0f, .wave_number = 0.0f, .wave_speed = 0.0f};
        scene.pitch = 0.25f;
    }
    return scene;
}

}  // namespace glsort::demo
