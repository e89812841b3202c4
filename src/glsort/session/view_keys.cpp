#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/base/in_function.h>
#include <glsort/error.h>
#include <glsort/scene.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

/// Keys of a camera, written as any caller could write them: GLSL, values, and the function of the GLSL in C++.

namespace glsort {
namespace {

using Vec4 = std::array<float, 4>;

constexpr std::size_t plane_count = 6;

// Names of values.
constexpr const char* direction_name = "view_direction";
constexpr std::array row_names{"view_row_0", "view_row_1", "view_row_2"};
constexpr const char* size_name = "view_size";

std::string plane_name(std::size_t number) {
    return fmt::format("view_plane_{}", number);
}

/// The number of an input.
std::size_t find_input(const SceneSource& source, const char* member, const std::string& name) {
    for (std::size_t i = 0; i < source.inputs.size(); ++i)
        if (source.inputs[i].name == name) return i;
    throw Error(fmt::format("{} \"{}\" is no input of source {}", member, name, source.name));
}

bool is_float(const SceneInput& input) {
    return input.type == SceneInput::Type::f32 || input.type == SceneInput::Type::f16;
}

std::size_t find_floats(const SceneSource& source, const char* member, const std::string& name) {
    const std::size_t number = find_input(source, member, name);
    if (!is_float(source.inputs[number]))
        throw Error(
            fmt::format("{} \"{}\" of source {} has integers; it must be f32 or f16", member, name, source.name));
    return number;
}

/// Inputs by their numbers, and values by their numbers, for the function in C++.
struct Numbers {
    ViewKeys keys;
    std::size_t position = 0;
    std::size_t corners = 0;
    std::size_t radius = 0;
    std::size_t planes = 0;  ///< The first of six values.
    std::size_t size = 0;
};

bool are_triangles(const ViewKeys& keys) {
    return !keys.corners.empty();
}

Numbers find(const SceneSource& source, const ViewKeys& keys) {
    Numbers numbers{.keys = keys, .position = find_floats(source, "position", keys.position)};
    if (are_triangles(keys)) {
        if (!keys.radius.empty()) throw Error("corners exclude radius: a triangle has no radius");
        numbers.corners = find_input(source, "corners", keys.corners);
        const SceneInput& input = source.inputs[numbers.corners];
        if (is_float(input) || input.components != 3)
            throw Error(fmt::format("corners \"{}\" of source {} must be u32 or u16 with 3 components; it has {} {}",
                                    keys.corners, source.name, input.components,
                                    is_float(input) ? "floats" : "integers"));
        if (source.inputs[numbers.position].elements == 0)
            throw Error(
                fmt::format("position \"{}\" of source {} has elements 0; with corners it must be the number "
                            "of vertices",
                            keys.position, source.name));
    }
    if (!keys.radius.empty()) numbers.radius = find_floats(source, "radius", keys.radius);
    if (keys.small && keys.radius.empty()) throw Error("small needs radius, the name of an input");
    numbers.planes = keys.measure == ViewKeys::Measure::depth ? 1 : row_names.size();
    numbers.size = numbers.planes + (keys.frustum ? plane_count : 0);
    return numbers;
}

std::vector<std::string> names_of(const ViewKeys& keys) {
    std::vector<std::string> names;
    if (keys.measure == ViewKeys::Measure::depth)
        names.emplace_back(direction_name);
    else
        names.assign(row_names.begin(), row_names.end());
    for (std::size_t i = 0; keys.frustum && i < plane_count; ++i)
        names.push_back(plane_name(i));
    if (keys.small) names.emplace_back(size_name);
    return names;
}

/// Whether the element is not outside of a plane. Comparisons with a position that is not a number are false, so such a
/// point is outside of every plane. A triangle may have one such corner, while other corners are inside. `glsl_of`
/// therefore also tests the centroid, which is then no number either.
std::string inside_in_glsl(const ViewKeys& keys, const std::string& plane) {
    if (!are_triangles(keys)) return fmt::format("dot({}(), position) >= -radius", plane);
    return fmt::format("(dot({0}(), a) >= 0.0 || dot({0}(), b) >= 0.0 || dot({0}(), c) >= 0.0)", plane);
}

std::string glsl_of(const ViewKeys& keys) {
    std::string text = "bool sort_key(uint element, out float key) {\n";
    if (are_triangles(keys)) {
        text += fmt::format("    uvec3 corners = {}_at(element).xyz;\n", keys.corners);
        for (const auto& [name, member] : {std::pair{"a", "x"}, std::pair{"b", "y"}, std::pair{"c", "z"}})
            text += fmt::format("    vec4 {} = vec4({}_at(corners.{}).xyz, 1.0);\n", name, keys.position, member);
        text += "    vec4 position = vec4((a.xyz + b.xyz + c.xyz) / 3.0, 1.0);\n";
    } else {
        text += fmt::format("    vec4 position = vec4({}_at(element).xyz, 1.0);\n", keys.position);
        text += keys.radius.empty() ? "    float radius = 0.0;\n"
                                    : fmt::format("    float radius = {}_at(element).x;\n", keys.radius);
    }
    if (keys.measure == ViewKeys::Measure::depth)
        text += fmt::format("    key = dot({}(), position);\n", direction_name);
    else
        text += fmt::format(
            "    vec3 way = vec3(dot({}(), position), dot({}(), position), dot({}(), position));\n"
            "    key = dot(way, way);\n",
            row_names[0], row_names[1], row_names[2]);
    text += "    bool visible = true;\n";
    if (keys.frustum && are_triangles(keys))
        text += fmt::format("    visible = dot({}(), position) >= -3.0e38;\n", plane_name(0));
    for (std::size_t i = 0; keys.frustum && i < plane_count; ++i)
        text += fmt::format("    visible = {} && visible;\n", inside_in_glsl(keys, plane_name(i)));
    // A length of 1 covers `pixels_of(view)` / w pixels, with w of clip space. The product with `view_size` is
    // therefore the length that covers `min_pixels`.
    if (keys.small) text += fmt::format("    visible = 2.0 * radius >= dot({}(), position) && visible;\n", size_name);
    return text + "    return visible;\n}\n";
}

float dot(const Vec4& plane, const Vec4& point) {
    return plane[0] * point[0] + plane[1] * point[1] + plane[2] * point[2] + plane[3] * point[3];
}

Vec4 point_at(const SceneElements& elements, std::size_t input, std::uint32_t element) {
    Vec4 point = elements.floats(input, element);
    point[3] = 1.0f;
    return point;
}

bool key_on_cpu(const Numbers& numbers, const SceneElements& elements, std::uint32_t element,
                std::array<std::uint32_t, 2>& key) {
    const ViewKeys& keys = numbers.keys;
    std::vector<Vec4> points;
    Vec4 position{0.0f, 0.0f, 0.0f, 1.0f};
    float radius = 0.0f;
    if (are_triangles(keys)) {
        const std::array<std::uint32_t, 4> corners = elements.uints(numbers.corners, element);
        for (std::size_t i = 0; i < 3; ++i)
            points.push_back(point_at(elements, numbers.position, corners[i]));
        for (std::size_t i = 0; i < 3; ++i)
            position[i] = (points[0][i] + points[1][i] + points[2][i]) / 3.0f;
    } else {
        position = point_at(elements, numbers.position, element);
        points.push_back(position);
        if (!keys.radius.empty()) radius = elements.floats(numbers.radius, element)[0];
    }
    float measure = 0.0f;
    if (keys.measure == ViewKeys::Measure::depth)
        measure = dot(elements.value(0), position);
    else
        for (std::size_t i = 0; i < row_names.size(); ++i) {
            const float way = dot(elements.value(i), position);
            measure += way * way;
        }
    key[0] = std::bit_cast<std::uint32_t>(measure);
    if (keys.frustum && are_triangles(keys) && !(dot(elements.value(numbers.planes), position) >= -3.0e38f))
        return false;
    for (std::size_t i = 0; keys.frustum && i < plane_count; ++i) {
        const Vec4 plane = elements.value(numbers.planes + i);
        if (std::none_of(points.begin(), points.end(), [&](const Vec4& point) { return dot(plane, point) >= -radius; }))
            return false;
    }
    return !keys.small || 2.0f * radius >= dot(elements.value(numbers.size), position);
}

using Row = std::array<double, 4>;

Row row_of(const std::array<float, 16>& matrix, std::size_t row) {
    return {matrix[row], matrix[4 + row], matrix[8 + row], matrix[12 + row]};
}

Row sum(const Row& a, const Row& b, double factor) {
    return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2], a[3] + factor * b[3]};
}

/// A row of the product with a matrix.
Row times(const Row& row, const std::array<float, 16>& matrix) {
    Row result{};
    for (std::size_t column = 0; column < 4; ++column)
        for (std::size_t i = 0; i < 4; ++i)
            result[column] += row[i] * matrix[4 * column + i];
    return result;
}

/// The product of the first three numbers.
double dot3(const Row& a, const Row& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vec4 scaled(const Row& row, double factor) {
    Vec4 result{};
    for (std::size_t i = 0; i < 4; ++i)
        result[i] = static_cast<float>(factor * row[i]);
    return result;
}

/// A plane whose first three numbers have length 1, so that a radius can be compared. A plane at infinity, as the far
/// plane of some projections, leaves out nothing.
Vec4 normalised(const Row& plane) {
    const double length = std::sqrt(dot3(plane, plane));
    constexpr double least = 1e-20;
    constexpr float far_away = std::numeric_limits<float>::max();
    if (length < least) return {0.0f, 0.0f, 0.0f, plane[3] < 0 ? -far_away : far_away};
    return scaled(plane, 1 / length);
}

/// Pixels that a unit of length covers where `w` of clip space is 1. A projection may shift the picture by a part of
/// `w`, which changes no lengths.
double pixels_of(const View& view) {
    const Row w = row_of(view.projection, 3);
    Row y = row_of(view.projection, 1);
    if (const double size = dot3(w, w); size > 0) y = sum(y, w, -dot3(y, w) / size);
    const Row in_world = times(y, view.view);
    return 0.5 * view.viewport_height * std::sqrt(dot3(in_world, in_world));
}

bool is_finite(const std::array<float, 16>& matrix) {
    return std::all_of(matrix.begin(), matrix.end(), [](float x) { return std::isfinite(x); });
}

void check_view(const ViewKeys& keys, const View& view) {
    for (const auto& [name, matrix] : {std::pair{"view", &view.view}, std::pair{"projection", &view.projection}}) {
        if (!is_finite(*matrix)) throw Error(fmt::format("{} has a number that is not finite", name));
        if (*matrix == std::array<float, 16>{}) throw Error(fmt::format("{} is all zeros", name));
    }
    if (!keys.small) return;
    if (!(view.viewport_height > 0.0f) || !std::isfinite(view.viewport_height))
        throw Error(fmt::format("viewport_height {}; it must be above 0 for small", view.viewport_height));
    if (!(view.min_pixels >= 0.0f) || !std::isfinite(view.min_pixels))
        throw Error(fmt::format("min_pixels {}; it must be 0 or more", view.min_pixels));
    if (!(pixels_of(view) > 0)) throw Error("projection gives lengths no pixels");
}

}  // namespace

void compute_view_keys(SceneSource& source, const ViewKeys& keys) {
    const Numbers numbers = in_function("compute_view_keys", [&] { return find(source, keys); });
    source.sort_key = glsl_of(keys);
    source.values = names_of(keys);
    source.host = [numbers](const SceneElements& elements, std::uint32_t element, std::array<std::uint32_t, 2>& key) {
        return key_on_cpu(numbers, elements, element, key);
    };
}

std::vector<std::array<float, 4>> view_values(const ViewKeys& keys, const View& view) {
    in_function("view_values", [&] { check_view(keys, view); });
    std::vector<Vec4> values;
    // One allocation in place of several. This function runs in every frame.
    if (!in_browser) values.reserve(row_names.size() + plane_count + 1);
    if (keys.measure == ViewKeys::Measure::depth)
        values.push_back(scaled(row_of(view.view, 2), -1));
    else
        for (std::size_t row = 0; row < row_names.size(); ++row)
            values.push_back(scaled(row_of(view.view, row), 1));
    const Row w = row_of(view.projection, 3);
    if (keys.frustum)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            // The far plane is a small difference of large numbers. The difference is exact only before the product
            // with the view matrix.
            const Row row = row_of(view.projection, axis);
            const bool begins_at_zero = axis == 2 && view.zero_to_one;
            values.push_back(normalised(times(begins_at_zero ? row : sum(w, row, 1), view.view)));
            values.push_back(normalised(times(sum(w, row, -1), view.view)));
        }
    if (keys.small) values.push_back(scaled(times(w, view.view), view.min_pixels / pixels_of(view)));
    return values;
}

}  // namespace glsort
