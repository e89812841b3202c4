#include "splats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>
#include <numbers>
#include <stdexcept>
#include <string>

#include "dice.h"
#include "support/ply.h"

namespace glsort::demo {

namespace {

const std::vector<std::string> splat_properties = {"x",       "y",      "z",      "scale_0", "scale_1",
                                                   "scale_2", "rot_0",  "rot_1",  "rot_2",   "rot_3",
                                                   "opacity", "f_dc_0", "f_dc_1", "f_dc_2"};

// Squares of radii, and sums of them, stay finite.
constexpr float largest_log_scale = 40.0f;

Splat splat_of(const float* p) {
    constexpr float constant_harmonic = 0.28209479177387814f;  // 1 / (2 sqrt(pi))
    Splat splat;
    splat.position = {p[0], p[1], p[2]};
    // The square of its length may be too large or too small for a float.
    const glm::dquat rotation = glm::normalize(glm::dquat(p[6], p[7], p[8], p[9]));
    splat.set_shape(glm::mat3(glm::mat3_cast(rotation)), {std::exp(p[3]), std::exp(p[4]), std::exp(p[5])});
    splat.opacity = 1.0f / (1.0f + std::exp(-p[10]));
    splat.colour = glm::max(0.5f + constant_harmonic * glm::vec3(p[11], p[12], p[13]), glm::vec3(0.0f));
    return splat;
}

// More than any header of splats has.
std::string beginning_of(const std::filesystem::path& path) {
    std::string text(1u << 16, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

// The box between the outermost hundredths along an axis.
std::array<float, 2> extent(const std::vector<Splat>& splats, int axis) {
    std::vector<float> places;
    places.reserve(splats.size());
    for (const Splat& splat : splats)
        places.push_back(splat.position[axis]);
    const auto outside = static_cast<std::ptrdiff_t>(places.size() / 100);
    const auto low = places.begin() + outside;
    const auto high = places.end() - 1 - outside;
    std::nth_element(places.begin(), low, places.end());
    const float lowest = *low;
    std::nth_element(places.begin(), high, places.end());
    return {lowest, *high};
}

// In double precision: the extent of floats, and its inverse, may be too large for a float.
void normalise(std::vector<Splat>& splats) {
    glm::dvec3 centre(0.0);
    double longest = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const auto [low, high] = extent(splats, axis);
        centre[axis] = 0.5 * low + 0.5 * high;
        longest = std::max(longest, static_cast<double>(high) - low);
    }
    const double scale = longest > 0.0 ? 1.0 / longest : 1.0;
    for (Splat& splat : splats) {
        splat.position = scale * (glm::dvec3(splat.position) - centre) * glm::dvec3(1.0, -1.0, -1.0);
        splat.variance = scale * scale * glm::dvec3(splat.variance);
        splat.covariance = scale * scale * glm::dvec3(splat.covariance) * glm::dvec3(-1.0, -1.0, 1.0);
    }
}

bool is_finite(const glm::vec3& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

// A petal's surface: `along` from 0 at its root to 1 at its tip, `across` from -1 to 1.
struct Petal {
    float turn;    // About the y axis, in radians.
    float length;  // Length of the petal.
    float rise;    // Of the root above the horizon, in radians.
    float bend;    // Outwards from root to tip, in radians.

    glm::vec3 at(float along, float across) const {
        // A circular arc in the plane through the y axis.
        const float end = rise - bend * along;
        const float radius = length / bend;
        const float out = 0.035f + radius * (std::sin(rise) - std::sin(end));
        const float up = radius * (std::cos(end) - std::cos(rise));
        const float width = 0.27f * length * std::pow(std::sin(3.0f * std::pow(along, 0.75f)), 0.8f);
        const float cup = 0.35f * width * across * across;
        const glm::vec3 outwards(std::cos(turn), 0.0f, std::sin(turn));
        const glm::vec3 aside(-std::sin(turn), 0.0f, std::cos(turn));
        const glm::vec3 over = -std::sin(end) * outwards + glm::vec3(0.0f, std::cos(end), 0.0f);
        return out * outwards + glm::vec3(0.0f, up, 0.0f) + width * across * aside + cup * over;
    }
};

}  // namespace

void Splat::set_shape(const glm::mat3& axes, const glm::vec3& radii) {
    const glm::mat3 scaled(axes[0] * radii[0], axes[1] * radii[1], axes[2] * radii[2]);
    const glm::mat3 matrix = scaled * glm::transpose(scaled);
    variance = {matrix[0][0], matrix[1][1], matrix[2][2]};
    covariance = {matrix[1][0], matrix[2][0], matrix[2][1]};
}

bool holds_splats(const std::filesystem::path& path) {
    const std::string beginning = beginning_of(path);
    if (!is_first_line_of_ply(beginning.substr(0, beginning.find_first_of("\r\n")))) return false;
    try {
        const PlyHeader header = read_ply_header(path);
        const PlyElement* vertex = header.find("vertex");
        return vertex != nullptr && (vertex->has("scale_0") || vertex->has("rot_0"));
    } catch (const std::runtime_error&) {
        // A header that others may read. Splats are not shown as points without a word.
        if (beginning.find(" scale_0") != std::string::npos || beginning.find(" rot_0") != std::string::npos) throw;
        return false;
    }
}

std::vector<Splat> load_splats(const std::filesystem::path& path) {
    const std::vector<float> values = read_ply(path, "vertex", splat_properties);
    const std::size_t columns = splat_properties.size();
    const auto refuse = [&](std::size_t row, const std::string& reason) {
        throw std::runtime_error(fmt::format("cannot read {}: vertex {}: {}", path.string(), row, reason));
    };
    std::vector<Splat> splats;
    splats.reserve(values.size() / columns);
    for (std::size_t row = 0; row < values.size() / columns; ++row) {
        const float* p = values.data() + row * columns;
        for (std::size_t i = 0; i < columns; ++i)
            if (!std::isfinite(p[i])) refuse(row, splat_properties[i] + " is not finite");
        for (const int i : {3, 4, 5})
            if (p[i] > largest_log_scale)
                refuse(row, fmt::format("{} {} exceeds the limit of {}", splat_properties[i], p[i], largest_log_scale));
        if (p[6] == 0.0f && p[7] == 0.0f && p[8] == 0.0f && p[9] == 0.0f) refuse(row, "its rotation is 0");
        splats.push_back(splat_of(p));
    }
    if (splats.empty()) throw std::runtime_error("cannot read " + path.string() + ": no splats");
    normalise(splats);
    for (std::size_t row = 0; row < splats.size(); ++row) {
        if (!is_finite(splats[row].position)) refuse(row, "its place is too far from the others");
        if (!is_finite(splats[row].variance) || !is_finite(splats[row].covariance))
            refuse(row, "its scales are too large beside the places");
    }
    return splats;
}

std::uint64_t bytes_to_load_splats(const std::filesystem::path& path) {
    const PlyHeader header = read_ply_header(path);
    const PlyElement* vertex = header.find("vertex");
    // The numbers of the file, the splat, and its place along an axis.
    const std::uint64_t bytes_of_one = splat_properties.size() * sizeof(float) + sizeof(Splat) + sizeof(float);
    return vertex == nullptr ? 0 : vertex->count * bytes_of_one;
}

std::vector<Splat> make_flower(std::uint32_t count, std::uint64_t seed) {
    constexpr int petals = 144;
    constexpr float golden_angle = 2.39996323f;
    const glm::vec3 light = glm::normalize(glm::vec3(-0.4f, 0.8f, 0.45f));
    const glm::vec3 middle(0.0f, 0.15f, 0.0f);
    Dice dice(seed);
    // With fewer splats each is larger, so that the petals stay closed.
    const float size = std::sqrt(12000.0f / static_cast<float>(std::max(count, 500u)));
    std::vector<Splat> splats;
    splats.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        // The first petal is the innermost. The last petal is the outermost and lies below.
        const auto number = static_cast<int>(std::uint64_t{petals} * i / count);
        const float age = (static_cast<float>(number) + 0.5f) / petals;
        const Petal petal{.turn = golden_angle * static_cast<float>(number),
                          .length = 0.10f + 0.33f * std::sqrt(age),
                          .rise = 1.5f - 1.45f * age,
                          .bend = -0.9f + 1.9f * age};
        const float along = std::sqrt(dice.uniform(0.002f, 0.99f));
        const float across = dice.uniform(-1.0f, 1.0f);

        constexpr float step = 0.01f;
        const glm::vec3 here = petal.at(along, across);
        const glm::vec3 forwards = glm::normalize(petal.at(along + step, across) - here);
        const glm::vec3 aside = petal.at(along, across + step) - here;
        const glm::vec3 normal = glm::normalize(glm::cross(aside, forwards));
        Splat splat;
        splat.position = here - middle;
        splat.set_shape(glm::mat3(forwards, glm::cross(normal, forwards), normal),
                        size * petal.length * glm::vec3(0.075f, 0.026f, 0.004f));

        const float vein = 0.5f + 0.5f * std::cos(9.0f * std::numbers::pi_v<float> * across);
        const glm::vec3 deep = glm::mix(glm::vec3(0.66f, 0.05f, 0.30f), glm::vec3(0.88f, 0.17f, 0.34f), age);
        const glm::vec3 pale = glm::mix(glm::vec3(1.0f, 0.72f, 0.42f), glm::vec3(1.0f, 0.88f, 0.78f), age);
        const glm::vec3 lit = glm::mix(deep, pale, std::pow(along, 2.5f) * (0.75f + 0.25f * vein));
        // Shadows of petals are red, not grey.
        const glm::vec3 dark = lit * glm::vec3(0.62f, 0.34f, 0.46f);
        const float shade = std::abs(glm::dot(normal, light));
        splat.colour = glm::mix(dark, lit, glm::smoothstep(0.0f, 0.75f, shade));
        splat.colour = glm::min(splat.colour * dice.uniform(0.9f, 1.1f), 1.0f);
        splat.opacity = 0.75f - 0.25f * std::abs(across);
        splats.push_back(splat);
    }
    return splats;
}

}  // namespace glsort::demo
