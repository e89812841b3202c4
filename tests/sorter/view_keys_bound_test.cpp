#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "sorter/scenes.h"
#include "support/random.h"

/// How far the keys of a camera may lie from the keys that the C++ function of the source computes.

namespace glsort::test {
namespace {

constexpr std::uint32_t element_count = 3000;
constexpr std::uint32_t vertex_count = 500;

/// Points, or triangles with these vertices.
class Geometry final : public SceneElements {
  public:
    Geometry(std::vector<std::array<float, 4>> values, std::mt19937_64& random) : values_(std::move(values)) {
        std::uniform_real_distribution<float> coordinate(-100.0f, 100.0f);
        for (std::uint32_t i = 0; i < 4 * element_count; ++i)
            positions.push_back(coordinate(random));
        for (std::uint32_t i = 0; i < 3 * element_count; ++i)
            corners.push_back(static_cast<std::uint32_t>(random() % vertex_count));
    }

    std::array<float, 4> floats(std::size_t, std::uint32_t element) const override {
        return {positions[4 * element], positions[4 * element + 1], positions[4 * element + 2], 1.0f};
    }
    std::array<std::uint32_t, 4> uints(std::size_t, std::uint32_t element) const override {
        return {corners[3 * element], corners[3 * element + 1], corners[3 * element + 2], 1};
    }
    std::array<float, 4> value(std::size_t number) const override { return values_[number]; }

    std::vector<float> positions;
    Words corners;

  private:
    std::vector<std::array<float, 4>> values_;
};

/// A camera that is turned about two axes and moved.
View random_view(std::mt19937_64& random) {
    std::uniform_real_distribution<double> angle(0.0, 6.2);
    const double a = angle(random);
    const double b = angle(random);
    const auto f = [](double x) { return static_cast<float>(x); };
    View view;
    view.view = {f(std::cos(a)),
                 f(std::sin(a) * std::sin(b)),
                 f(-std::sin(a) * std::cos(b)),
                 0.0f,
                 0.0f,
                 f(std::cos(b)),
                 f(std::sin(b)),
                 0.0f,
                 f(std::sin(a)),
                 f(-std::cos(a) * std::sin(b)),
                 f(std::cos(a) * std::cos(b)),
                 0.0f,
                 f(20.0 * angle(random)),
                 f(-10.0 * angle(random)),
                 f(-30.0 * angle(random)),
                 1.0f};
    view.projection = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -1, 0};
    return view;
}

/// The sum of the absolute values of the products that a value and a position have.
double sum_of_products(const std::array<float, 4>& value, const std::array<double, 3>& position) {
    double sum = std::abs(double{value[3]});
    for (std::size_t i = 0; i < 3; ++i)
        sum += std::abs(double{value[i]} * position[i]);
    return sum;
}

/// The unit of errors that `compute_view_keys` documents, for one element.
double unit_of_error(const ViewKeys& keys, const Geometry& geometry, std::uint32_t element) {
    std::array<double, 3> position{};
    const auto add = [&](const std::array<float, 4>& corner, double part) {
        for (std::size_t i = 0; i < 3; ++i)
            position[i] += part * std::abs(double{corner[i]});
    };
    if (keys.corners.empty())
        add(geometry.floats(0, element), 1.0);
    else
        for (std::size_t i = 0; i < 3; ++i)
            add(geometry.floats(0, geometry.uints(1, element)[i]), 1.0 / 3.0);
    constexpr double last_bit = 1.0 / (1 << 23);
    if (keys.measure == ViewKeys::Measure::depth) return last_bit * sum_of_products(geometry.value(0), position);
    double squares = 0.0;
    for (std::size_t i = 0; i < 3; ++i)
        squares += std::pow(sum_of_products(geometry.value(i), position), 2);
    return last_bit * squares;
}

SceneSpec scene_of(const ViewKeys& keys, Backend backend) {
    SceneSpec spec{.backend = backend, .texture = SceneTexture{.form = SceneTexture::Form::keys_and_items}};
    SceneSource source{.capacity = element_count, .inputs = {{.name = "position"}}};
    if (!keys.corners.empty()) {
        source.inputs[0].elements = vertex_count;
        source.inputs.push_back({.name = "corners", .type = SceneInput::Type::u32, .components = 3});
    }
    compute_view_keys(source, keys);
    spec.sources = {source};
    spec.order = false;
    return spec;
}

TEST_CASE("keys of a camera lie as close to those of C++ as documented", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        // Compute in OpenGL ES writes no texture from which keys could be read.
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        for (const auto measure : {ViewKeys::Measure::depth, ViewKeys::Measure::distance})
            for (const bool triangles : {false, true}) {
                const bool depth = measure == ViewKeys::Measure::depth;
                INFO(describe(place) << ", " << (depth ? "depth" : "distance") << (triangles ? " of triangles" : ""));
                const ViewKeys keys{
                    .measure = measure, .corners = triangles ? "corners" : "", .radius = {}, .frustum = false};
                const SceneSpec spec = scene_of(keys, place.backend);
                const Geometry geometry(view_values(keys, random_view(random)), random);
                const Words bits(reinterpret_cast<const std::uint32_t*>(geometry.positions.data()),
                                 reinterpret_cast<const std::uint32_t*>(geometry.positions.data()) + 4 * element_count);
                const CallerBuffer positions(context.gl(), bits);
                const CallerBuffer corners(context.gl(), geometry.corners);
                CallerTexture result(context.gl(), {.width = 64, .height = 47}, 2, Words(2 * 64 * 47));
                SceneArguments arguments;
                arguments.sources = {{.inputs = {{positions.name()}}, .count = element_count}};
                if (triangles) arguments.sources[0].inputs.push_back({corners.name()});
                for (std::size_t i = 0; i < spec.sources[0].values.size(); ++i)
                    arguments.sources[0].values.push_back(geometry.value(i));
                arguments.texture = result.view();
                SceneSorter sorter(spec, context.get_proc_address());
                sorter.sort(arguments);
                const Words found = result.read();
                const double limit = (depth ? 4.0 : 12.0) * (triangles ? 3.0 : 1.0);
                double largest = 0.0;
                for (std::uint32_t i = 0; i < element_count; ++i) {
                    const std::uint32_t item = found[2 * i + 1];
                    REQUIRE(item < element_count);
                    std::array<std::uint32_t, 2> expected{};
                    spec.sources[0].host(geometry, item, expected);
                    const double error = std::abs(double{std::bit_cast<float>(found[2 * i])} -
                                                  double{std::bit_cast<float>(expected[0])});
                    INFO("item " << item << ": " << std::bit_cast<float>(found[2 * i]) << " instead of "
                                 << std::bit_cast<float>(expected[0]));
                    REQUIRE(std::isfinite(error));  // The largest of a number and a NaN may be the number.
                    largest = std::max(largest, error / unit_of_error(keys, geometry, item));
                }
                INFO("the largest error is " << largest << " units");
                CHECK(largest <= limit);
                context.require_clean("keys of a camera");
            }
    }
}

}  // namespace
}  // namespace glsort::test
