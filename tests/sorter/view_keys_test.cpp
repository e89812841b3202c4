#include <glsort/plan/scene/key_form.h>

#include <bit>
#include <cmath>
#include <memory>
#include <optional>

#include "sorter/between_calls.h"
#include "sorter/scenes.h"
#include "support/random.h"

/// Keys and culling of a camera, against the geometry in double precision.

namespace glsort::test {
namespace {

using Catch::Contains;
using Matrix = std::array<float, 16>;
using Point = std::array<double, 3>;
using Clip = std::array<double, 4>;

/// Looks from (3, -5, 7) along -x: whole numbers, so that depths are exact in float.
constexpr Matrix view{0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 7, 5, -3, 1};

Matrix perspective(double fov, double aspect, double near, double far) {
    const double f = 1.0 / std::tan(fov / 2);
    Matrix m{};
    m[0] = static_cast<float>(f / aspect);
    m[5] = static_cast<float>(f);
    m[10] = static_cast<float>((far + near) / (near - far));
    m[11] = -1.0f;
    m[14] = static_cast<float>(2 * far * near / (near - far));
    return m;
}

Matrix orthographic(double half_width, double half_height, double near, double far) {
    Matrix m{};
    m[0] = static_cast<float>(1 / half_width);
    m[5] = static_cast<float>(1 / half_height);
    m[10] = static_cast<float>(2 / (near - far));
    m[14] = static_cast<float>((far + near) / (near - far));
    m[15] = 1.0f;
    return m;
}

/// Depths in clip space from 1 at `near` to 0 at infinity.
Matrix reversed(double fov, double aspect, double near) {
    Matrix m = perspective(fov, aspect, 1, 2);
    m[10] = 0.0f;
    m[14] = static_cast<float>(near);
    return m;
}

Clip times(const Matrix& m, const Clip& p) {
    Clip result{};
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t i = 0; i < 4; ++i)
            result[row] += double{m[4 * i + row]} * p[i];
    return result;
}

Clip to_view(const Point& p) {
    return times(view, {p[0], p[1], p[2], 1.0});
}

struct Case {
    ViewKeys keys;
    Matrix projection;
    bool zero_to_one = false;
};

/// How far a point is inside of each plane, in units of positions. Gradients are found by differences.
std::array<double, 6> inside(const Case& seen, const Point& p) {
    const auto distances = [&](const Point& at) {
        const Clip c = times(seen.projection, to_view(at));
        const double first_depth = seen.zero_to_one ? c[2] : c[3] + c[2];
        return std::array{c[3] + c[0], c[3] - c[0], c[3] + c[1], c[3] - c[1], first_depth, c[3] - c[2]};
    };
    std::array<double, 6> result = distances(p);
    std::array<double, 6> squares{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Point moved = p;
        moved[axis] += 1.0;
        const std::array<double, 6> there = distances(moved);
        for (std::size_t i = 0; i < 6; ++i)
            squares[i] += (there[i] - result[i]) * (there[i] - result[i]);
    }
    for (std::size_t i = 0; i < 6; ++i)
        result[i] /= std::sqrt(squares[i]);
    return result;
}

std::vector<Case> cases() {
    using Measure = ViewKeys::Measure;
    const Matrix near_and_far = perspective(1.1, 1.5, 2.25, 60.25);
    return {{{.measure = Measure::depth, .frustum = false}, near_and_far},
            {{.measure = Measure::distance, .frustum = false}, near_and_far},
            {{.measure = Measure::depth, .frustum = true}, near_and_far},
            {{.measure = Measure::depth, .radius = "radius", .frustum = true}, near_and_far},
            {{.measure = Measure::distance, .radius = "radius", .frustum = true, .small = true}, near_and_far},
            {{.measure = Measure::depth, .radius = "radius", .frustum = true}, orthographic(20.3, 15.7, 2.2, 50.9)},
            {{.measure = Measure::depth, .radius = "radius", .frustum = true, .small = true},
             orthographic(20.3, 15.7, 2.2, 50.9)},
            {{.measure = Measure::depth, .radius = "radius", .frustum = true}, reversed(1.2, 1.25, 3.2), true},
            {{.measure = Measure::depth, .corners = "corners", .frustum = true}, near_and_far}};
}

constexpr float viewport_height = 701.0f;
constexpr float min_pixels = 5.3f;

struct Content {
    std::vector<Point> positions;
    std::vector<double> radii;
    std::vector<std::array<std::uint32_t, 3>> corners;
};

/// Positions in quarters of a unit around the camera, so that no sum is rounded.
Content some_content(std::uint32_t points, std::uint32_t triangles, std::mt19937_64& random) {
    Content content;
    for (std::uint32_t i = 0; i < points; ++i) {
        Point p{};
        for (double& x : p)
            x = (static_cast<double>(random() % 512) - 256.0) / 4.0;
        content.positions.push_back(p);
        content.radii.push_back(static_cast<double>(random() % 64) / 16.0);
    }
    // Centroids are rounded. Equal shifts of a point keep them exact: a, a + d, a - d.
    for (std::uint32_t i = 0; i < triangles; ++i) {
        const auto at = static_cast<std::uint32_t>(content.positions.size());
        const Point a = content.positions[random() % points];
        const auto shift = static_cast<double>(random() % 40);
        content.positions.push_back({a[0] + shift, a[1], a[2] - shift});
        content.positions.push_back({a[0] - shift, a[1], a[2] + shift});
        content.positions.push_back(a);
        content.radii.resize(content.positions.size());
        content.corners.push_back({at + 2, at, at + 1});
    }
    return content;
}

/// The key in double precision, or nothing.
std::optional<double> expected_key(const Case& c, const Content& content, std::uint32_t element) {
    std::vector<Point> points{content.positions[element]};
    Point center = points[0];
    double radius = c.keys.radius.empty() ? 0.0 : content.radii[element];
    if (!c.keys.corners.empty()) {
        points.clear();
        for (const std::uint32_t corner : content.corners[element])
            points.push_back(content.positions[corner]);
        center = points[0];
    }
    for (std::size_t plane = 0; c.keys.frustum && plane < 6; ++plane)
        if (std::none_of(points.begin(), points.end(), [&](const Point& p) { return inside(c, p)[plane] >= -radius; }))
            return std::nullopt;
    const Clip v = to_view(center);
    if (c.keys.small) {
        // The depth for a perspective, and 1 for an orthographic projection.
        const double w = times(c.projection, v)[3];
        const double pixels = 2 * radius * double{c.projection[5]} / w * viewport_height / 2;
        if (w > 0 && pixels < min_pixels) return std::nullopt;
    }
    return c.keys.measure == ViewKeys::Measure::depth ? -v[2] : v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/// The values of a source for the camera of a case.
std::vector<std::array<float, 4>> values_for(const Case& c) {
    return view_values(c.keys, {.view = view,
                                .projection = c.projection,
                                .zero_to_one = c.zero_to_one,
                                .viewport_height = viewport_height,
                                .min_pixels = min_pixels});
}

SceneSource source_of(const Case& c, const Content& content, std::uint32_t capacity) {
    SceneSource source{
        .name = "seen", .capacity = capacity, .inputs = {{.name = "position", .components = 3, .stride = 16}}};
    if (!c.keys.radius.empty())
        source.inputs.push_back({.name = "radius", .components = 1, .stride = 16, .offset = 12});
    if (!c.keys.corners.empty()) {
        source.inputs[0].elements = static_cast<std::uint32_t>(content.positions.size());
        source.inputs.push_back({.name = "corners", .type = SceneInput::Type::u16, .components = 3});
    }
    compute_view_keys(source, c.keys);
    return source;
}

Words words_of(const Content& content) {
    Words words;
    for (std::size_t i = 0; i < content.positions.size(); ++i) {
        for (const double x : content.positions[i])
            words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(x)));
        words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(content.radii[i])));
    }
    return words;
}

Words corners_of(const Content& content) {
    std::vector<std::uint32_t> halves;
    for (const auto& corners : content.corners)
        halves.insert(halves.end(), corners.begin(), corners.end());
    if (halves.size() % 2 != 0) halves.push_back(0);
    Words words;
    for (std::size_t i = 0; i < halves.size(); i += 2)
        words.push_back(halves[i] | halves[i + 1] << 16);
    return words;
}

TEST_CASE("points and triangles are sorted and culled as a camera sees them", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const Case& c : cases()) {
            const bool triangles = !c.keys.corners.empty();
            const Content content = some_content(1500, triangles ? 1300 : 0, random);
            const std::uint32_t capacity = triangles ? 1300 : 1500;
            const SceneSpec spec{.sources = {source_of(c, content, capacity)}, .backend = place.backend};
            SceneSorter sorter(spec, context.get_proc_address());
            SceneCaller caller(context.gl(), spec);
            const BufferSlice positions{caller.buffer(words_of(content)), 0};
            SceneArguments::Source source{.count = capacity};
            source.inputs = {positions};
            if (!c.keys.radius.empty()) source.inputs.push_back(positions);
            if (triangles) source.inputs.push_back({caller.buffer(corners_of(content)), 0});
            source.values = values_for(c);
            caller.arguments.sources = {source};
            std::vector<std::pair<double, std::uint32_t>> visible;
            for (std::uint32_t i = 0; i < capacity; ++i)
                if (const auto key = expected_key(c, content, i)) visible.emplace_back(*key, i);
            std::stable_sort(visible.begin(), visible.end(),
                             [](const auto& a, const auto& b) { return a.first > b.first; });
            Words order;
            for (const auto& [key, item] : visible)
                order.push_back(item);
            INFO(describe(place) << "\n" << spec.sources[0].sort_key);
            // A case that sees all or nothing would show little.
            CHECK(order.size() > (c.keys.frustum ? 20u : 0u));
            CHECK((order.size() < capacity) == c.keys.frustum);
            sorter.sort(caller.arguments);
            CHECK(caller.wrong(sorter, order, false) == "");
            context.require_clean("keys of a camera");
        }
    }
}

/// Points with radii around 1/8, at all depths.
Content points_around_an_eighth() {
    constexpr float eighth = 0.125f;
    Content content;
    for (const double depth : {3.0, -5.0, 30.0, 0.0})
        for (const float radius : {eighth, std::nextafter(eighth, 0.0f), std::nextafter(eighth, 1.0f), 0.0f, 2.0f}) {
            // A distance to the side changes nothing, either.
            content.positions.push_back({3.0 - depth, 4.0 * depth, 1.0});
            content.radii.push_back(radius);
        }
    return content;
}

TEST_CASE("an orthographic projection leaves out points by their radius alone", "[scene]") {
    // A unit of length has 512 / 2 / 16 = 16 pixels, so a radius of 1/8 has a diameter of 4 pixels.
    View camera{.view = view, .projection = orthographic(16, 16, 2, 50), .viewport_height = 512};
    const ViewKeys keys{.radius = "radius", .frustum = false, .small = true};
    const Content content = points_around_an_eighth();
    const auto capacity = static_cast<std::uint32_t>(content.positions.size());
    struct Exact {
        float min_pixels;
        float least_radius;
    };
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const SceneSpec spec{.sources = {source_of({.keys = keys, .projection = camera.projection}, content, capacity)},
                             .backend = place.backend};
        SceneSorter sorter(spec, context.get_proc_address());
        SceneCaller caller(context.gl(), spec);
        const BufferSlice points{caller.buffer(words_of(content)), 0};
        for (const Exact& exact : {Exact{4.0f, 0.125f}, Exact{64.0f, 2.0f}, Exact{65.0f, 2.03125f}, Exact{0.0f, 0.0f},
                                   Exact{std::nextafter(4.0f, 5.0f), std::nextafter(0.125f, 1.0f)}}) {
            camera.min_pixels = exact.min_pixels;
            caller.arguments.sources = {
                {.inputs = {points, points}, .count = capacity, .values = view_values(keys, camera)}};
            Words order;
            for (std::uint32_t i = 0; i < capacity; ++i)
                if (content.radii[i] >= double{exact.least_radius}) order.push_back(i);
            std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
                return content.positions[a][0] < content.positions[b][0];
            });
            INFO(describe(place) << ", min_pixels " << exact.min_pixels);
            sorter.sort(caller.arguments);
            CHECK(caller.wrong(sorter, order, false) == "");
        }
        context.require_clean("small points of an orthographic projection");
    }
}

constexpr std::uint32_t untouched = 0x5eedf00du;

/// Two sources of points with quantised keys of a camera. The sort also writes commands and a texture where it can.
SceneSpec camera_scene(const Place& place, const Case& c, const std::array<Content, 2>& contents, int turn) {
    using Form = SceneTexture::Form;
    SceneSpec spec{.sources = {}, .backend = place.backend};
    for (const Content& content : contents)
        spec.sources.push_back(source_of(c, content, static_cast<std::uint32_t>(content.positions.size())));
    spec.sources[1].gpu_count = turn % 2 == 0;
    // Keys of 16 bits share a word with their item. Keys of 24 bits do not.
    spec.quantisation = SceneQuantisation{.key_bits = turn % 3 == 0 ? 24u : 16u};
    spec.commands = {{.per_item = 3, .first = 6},
                     {.kind = SceneCommand::Kind::arrays, .per_item = 4, .instanced = true}};
    if (writes_textures(place)) spec.texture = SceneTexture{.form = turn < 3 ? Form::items : Form::four_items};
    return spec;
}

/// The visible items in the order of their codes.
Words order_of_codes(const SceneSpec& spec, const Case& c, const std::array<Content, 2>& contents,
                     const std::array<std::uint32_t, 2>& counts, const SceneArguments& arguments) {
    const scene::KeyForm form = scene::key_form(spec);
    const scene::DepthRange range = scene::depth_range(*spec.quantisation, arguments.nearest, arguments.farthest);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> visible;
    for (std::size_t source = 0; source < contents.size(); ++source)
        for (std::uint32_t i = 0; i < counts[source]; ++i)
            if (const auto key = expected_key(c, contents[source], i))
                visible.emplace_back(scene::code_of_depth(form, range, static_cast<float>(*key)),
                                     base_of(spec.sources, source) + i);
    // The items ascend already, so items with equal codes keep their order.
    std::sort(visible.begin(), visible.end());
    Words order;
    for (const auto& [code, item] : visible)
        order.push_back(item);
    return order;
}

/// A texture for the order of a scene, with rows behind the last item.
std::unique_ptr<CallerTexture> texture_for_order(const GladGLContext& gl, const SceneTexture& sink,
                                                 std::uint32_t items) {
    const std::uint32_t channels = sink.form == SceneTexture::Form::four_items ? 4 : 1;
    const TextureView shape{.width = 37, .height = items / channels / 37 + 3};
    return std::make_unique<CallerTexture>(gl, shape, channels,
                                           Words(std::size_t{37} * shape.height * channels, untouched));
}

TEST_CASE("whatever state the caller is in, a scene of a camera writes commands and a texture", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    // No sum of a depth and a radius is exactly at the near plane or the far plane.
    const Case c{{.radius = "radius", .frustum = true, .small = true}, perspective(1.1, 1.5, 2.2, 60.4)};
    const std::array<std::uint32_t, 2> counts{850, 280};
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (int turn = 0; turn < 6; ++turn) {
            INFO(describe(place) << ", turn " << turn);
            const std::array<Content, 2> contents{some_content(900, 0, random), some_content(300, 0, random)};
            const SceneSpec spec = camera_scene(place, c, contents, turn);
            SceneCaller caller(context.gl(), spec);
            for (std::size_t i = 0; i < 2; ++i) {
                const BufferSlice points{caller.buffer(words_of(contents[i])), 0};
                caller.arguments.sources.push_back({.inputs = {points, points}, .values = values_for(c)});
                if (spec.sources[i].gpu_count)
                    caller.arguments.sources[i].gpu_count = {caller.buffer({7, counts[i]}), 4};
                else
                    caller.arguments.sources[i].count = counts[i];
            }
            // Some depths lie outside. No code is rounded on the way.
            caller.arguments.nearest = 4.0f;
            caller.arguments.farthest = 36.0f;
            const GLuint commands = caller.buffer(Words(11, untouched));
            caller.arguments.commands = {{commands, 4}, {commands, 24}};
            std::unique_ptr<CallerTexture> texture;
            if (spec.texture) {
                texture = texture_for_order(context.gl(), *spec.texture, 1200);
                caller.arguments.texture = texture->view();
            }
            SceneSorter sorter(spec, context.get_proc_address());
            {
                const DirtyState dirty(context.gl(), random(),
                                       {.active_transform_feedback = turn % 2 == 1,
                                        .active_query = turn % 3 == 1,
                                        .share = turn < 3 ? 1.0 : 0.2});
                const StateSnapshot before = take_snapshot(context.gl());
                sorter.sort(caller.arguments);
                const std::vector<std::string> changed = diff(before, take_snapshot(context.gl()));
                CHECK((changed.empty() ? "" : changed.front()) == "");
            }
            const Words order = order_of_codes(spec, c, contents, counts, caller.arguments);
            const auto visible = static_cast<std::uint32_t>(order.size());
            CHECK(visible > 20);
            CHECK(caller.wrong(sorter, order, false) == "");
            CHECK(caller.read({commands, 0}, 11) ==
                  Words{untouched, 3 * visible, 1, 6, 0, 0, 4, visible, 0, 0, untouched});
            if (texture) {
                std::fill_n(texture->expected.begin(), 1200, 0xffffffffu);
                std::copy(order.begin(), order.end(), texture->expected.begin());
                CHECK(difference(texture->expected, texture->read(), "texture") == "");
            }
            context.require_clean("a scene of a camera in a hostile state");
        }
    }
}

TEST_CASE("inputs that a camera's keys cannot use are refused by name", "[scene]") {
    const auto refusal = [](const ViewKeys& keys) {
        SceneSource source{.name = "smoke",
                           .capacity = 5,
                           .inputs = {{.name = "position", .components = 3},
                                      {.name = "id", .type = SceneInput::Type::u32, .components = 1},
                                      {.name = "size", .components = 1},
                                      {.name = "triangle", .type = SceneInput::Type::u16, .components = 3}}};
        return error_of([&] { compute_view_keys(source, keys); });
    };
    const char* fine = "(nothing thrown)";
    CHECK(refusal({}) == fine);
    CHECK(refusal({.radius = "size", .small = true}) == fine);
    CHECK_THAT(refusal({.position = "place"}),
               Contains("compute_view_keys: position \"place\" is no input of source smoke"));
    CHECK_THAT(refusal({.position = "id"}), Contains("position \"id\" of source smoke has integers"));
    CHECK_THAT(refusal({.radius = "id"}), Contains("radius \"id\" of source smoke has integers"));
    CHECK_THAT(refusal({.corners = "size"}), Contains("corners \"size\" of source smoke must be u32 or u16 with 3"));
    CHECK_THAT(refusal({.corners = "id"}), Contains("it has 1 integers"));
    CHECK_THAT(refusal({.corners = "triangle"}), Contains("position \"position\" of source smoke has elements 0"));
    CHECK_THAT(refusal({.corners = "id", .radius = "size"}), Contains("corners exclude radius"));
    CHECK_THAT(refusal({.small = true}), Contains("small needs radius"));
}

/// The plane of a value, at a point.
double at(const std::array<float, 4>& plane, const Point& p) {
    return double{plane[0]} * p[0] + double{plane[1]} * p[1] + double{plane[2]} * p[2] + double{plane[3]};
}

TEST_CASE("planes far from the origin and far from the near plane are exact enough", "[scene]") {
    const double n = 0.001;
    const double f = 1000.0;
    Matrix projection = perspective(1.0, 1.0, n, f);
    projection[10] = static_cast<float>(f / (n - f));
    projection[14] = static_cast<float>(n * f / (n - f));
    // Looks along -x, from (5000, 20, 3000).
    const Matrix far_away{0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 3000, -20, -5000, 1};
    const auto values = view_values({}, {.view = far_away, .projection = projection, .zero_to_one = true});
    REQUIRE(values.size() == 7);
    // Where the rounded projection has its far plane.
    const double p10 = double{projection[10]};
    const double far_plane = double{projection[14]} / (-1.0 - p10) * -1.0;
    CHECK(at(values[6], {5000 - far_plane * 0.99, 20, 3000}) > 0);
    CHECK(at(values[6], {5000 - far_plane * 1.01, 20, 3000}) < 0);
    CHECK(std::abs(values[6][1]) + std::abs(values[6][2]) < 1e-5);
}

TEST_CASE("a picture that is shifted has points of equal size", "[scene]") {
    ViewKeys keys{.radius = "radius", .frustum = false, .small = true};
    Matrix projection = perspective(1.0, 1.0, 1, 100);
    const View straight{.view = view, .projection = projection, .viewport_height = 1000, .min_pixels = 3};
    View shifted = straight;
    shifted.projection[9] = 1.0f;
    CHECK(view_values(keys, straight)[1] == view_values(keys, shifted)[1]);
}

TEST_CASE("cameras that cannot be are refused", "[scene]") {
    const View good{.view = view, .projection = perspective(1, 1, 1, 9), .viewport_height = 9};
    const ViewKeys small{.radius = "radius", .small = true};
    const auto refusal = [&](const auto& change) {
        View changed = good;
        change(changed);
        return error_of([&] { view_values(small, changed); });
    };
    CHECK(refusal([](View&) {}) == "(nothing thrown)");
    CHECK_THAT(refusal([](View& v) { v.view = {}; }), Contains("view_values: view is all zeros"));
    CHECK_THAT(refusal([](View& v) { v.projection = {}; }), Contains("projection is all zeros"));
    CHECK_THAT(refusal([](View& v) { v.view[3] = NAN; }), Contains("view has a number that is not finite"));
    CHECK_THAT(refusal([](View& v) { v.projection[5] = 0; }), Contains("projection gives lengths no pixels"));
    CHECK_THAT(refusal([](View& v) { v.viewport_height = 0; }), Contains("viewport_height 0; it must be above 0"));
    CHECK_THAT(refusal([](View& v) { v.min_pixels = -1; }), Contains("min_pixels -1; it must be 0 or more"));
}

/// Values of a caller's GLSL: another sort, other values.
TEST_CASE("values of a scene change from sort to sort", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SceneSpec spec{.sources = {weighted(700), weighted(900)}, .key = KeyType::u32, .backend = place.backend};
        for (std::size_t i = 0; i < 2; ++i) {
            spec.sources[i].values = {"unused", "bounds"};
            spec.sources[i].sort_key =
                "bool sort_key(uint element, out uint key) {\n"
                "    key = data_at(element).x;\n"
                "    return float(key) >= bounds().x && float(key) < bounds().w;\n"
                "}\n";
        }
        SceneSorter sorter(spec, context.get_proc_address());
        const std::vector<Filled> contents = {filled(700, 0, random), filled(900, 0, random)};
        SceneCaller caller(context.gl(), spec, contents, {700, 900});
        for (int repeat = 0; repeat < 3; ++repeat) {
            std::vector<Filled> bounded = contents;
            for (std::size_t i = 0; i < 2; ++i) {
                const auto low = static_cast<std::uint32_t>(random() % 900);
                const auto high = low + static_cast<std::uint32_t>(random() % 300);
                caller.arguments.sources[i].values = {{5, 5, 5, 5},
                                                      {static_cast<float>(low), 0, 0, static_cast<float>(high)}};
                for (std::size_t j = 0; j < bounded[i].weights.size(); ++j)
                    bounded[i].tags[j] = bounded[i].weights[j] >= low && bounded[i].weights[j] < high ? 0 : 1;
            }
            INFO(describe(place) << ", sort " << repeat);
            sorter.sort(caller.arguments);
            CHECK(caller.wrong(sorter, expected_order(spec, bounded, {700, 900}), false) == "");
            context.require_clean("values of a scene");
        }
        caller.arguments.sources[1].values.pop_back();
        CHECK_THAT(error_of([&] { sorter.sort(caller.arguments); }),
                   Contains("SceneSorter::sort: sources[1].values has 1 values; the specification has 2"));
        context.require_clean("values that are missing");
    }
}

}  // namespace
}  // namespace glsort::test
