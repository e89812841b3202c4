#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "sorter/scenes.h"
#include "support/compile.h"
#include "support/random.h"

/// Pictures of three emitters whose clouds overlap in depth and on the screen. Blended points show their order. A
/// picture in the order of a GPU must equal a picture in the order of a CPU, pixel by pixel.

namespace glsort::test {
namespace {

constexpr std::size_t emitter_count = 3;
constexpr std::array<std::uint32_t, emitter_count> emitter_capacities{300, 200, 400};
constexpr std::array<std::uint32_t, emitter_count> emitter_particles{280, 200, 333};

/// The clouds reach this far from their middles. The middles lie close to each other, so the clouds overlap.
constexpr double cloud_reach = 8.0;
constexpr std::array<std::array<double, 3>, emitter_count> cloud_middles{{{-1, 0, 1}, {0, 1, -1}, {1, -1, 0}}};

using ParticlePosition = std::array<float, 3>;
/// A position for each item. Elements behind the count of an emitter have positions, too. They must not be drawn.
using ParticleCloud = std::vector<ParticlePosition>;

ViewKeys camera_keys() {
    return {.measure = ViewKeys::Measure::depth, .frustum = true};
}

SceneSpec three_emitters(Backend backend) {
    SceneSpec spec{.direction = Direction::descending, .backend = backend};
    for (std::size_t i = 0; i < emitter_count; ++i) {
        spec.sources.push_back({.name = fmt::format("emitter {}", i),
                                .capacity = emitter_capacities[i],
                                .inputs = {{.name = "position", .components = 3, .stride = 16}}});
        compute_view_keys(spec.sources.back(), camera_keys());
    }
    return spec;
}

std::uint32_t items_of(const SceneSpec& spec) {
    return base_of(spec.sources, spec.sources.size());
}

std::uint32_t particles_in_all() {
    return std::accumulate(emitter_particles.begin(), emitter_particles.end(), 0u);
}

double random_number(std::mt19937_64& random, double from, double to) {
    return from + (to - from) * static_cast<double>(random() >> 11) * 0x1p-53;
}

/// A perspective with an angle of view of 90 degrees in both directions.
std::array<float, 16> right_angled(double near, double far) {
    std::array<float, 16> m{};
    m[0] = 1.0f;
    m[5] = 1.0f;
    m[10] = static_cast<float>((far + near) / (near - far));
    m[11] = -1.0f;
    m[14] = static_cast<float>(2 * far * near / (near - far));
    return m;
}

/// Looks from a distance of 10 at the origin, from a random side that is not along an axis.
View turned_camera(std::mt19937_64& random) {
    const double yaw = random_number(random, 0.3, 1.2);
    const double pitch = random_number(random, 0.3, 1.2);
    const auto c = static_cast<float>(std::cos(yaw));
    const auto s = static_cast<float>(std::sin(yaw));
    const auto up = static_cast<float>(std::sin(pitch));
    const auto level = static_cast<float>(std::cos(pitch));
    return {.view = {c, up * s, -level * s, 0, 0, level, up, 0, s, -up * c, level * c, 0, 0, 0, -10, 1},
            .projection = right_angled(5.125, 14.125)};
}

/// Looks along -x, from x = 10. The depth of a position is 10 - x. With positions in quarters, depths are exact.
///
/// On the two other axes, the camera lies an eighth beside the quarters. So do the near plane and the far plane on the
/// axis of depth. Hence no position in quarters lies on or near a plane of the frustum.
View straight_camera() {
    return {.view = {0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0.125f, -0.125f, -10, 1},
            .projection = right_angled(5.125, 14.125)};
}

std::array<double, 4> transformed(const std::array<float, 16>& matrix, const std::array<double, 4>& p) {
    std::array<double, 4> result{};
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t i = 0; i < 4; ++i)
            result[row] += double{matrix[4 * i + row]} * p[i];
    return result;
}

/// How a camera sees a position, in double precision.
struct ParticleSight {
    double depth = 0;   ///< The distance along the direction of view.
    double inside = 0;  ///< How far inside of the frustum, in clip space. Negative: outside.
};

ParticleSight sight_of(const View& camera, const ParticlePosition& p) {
    const std::array<double, 4> seen = transformed(camera.view, {p[0], p[1], p[2], 1.0});
    const std::array<double, 4> clip = transformed(camera.projection, seen);
    ParticleSight sight{.depth = -seen[2], .inside = std::numeric_limits<double>::infinity()};
    for (std::size_t axis = 0; axis < 3; ++axis)
        sight.inside = std::min(sight.inside, clip[3] - std::abs(clip[axis]));
    return sight;
}

/// Whether roundings in single precision could decide if a position is visible.
bool near_a_plane(const ParticleSight& sight) {
    return std::abs(sight.inside) < 0.01;
}

ParticlePosition random_position(std::size_t emitter, std::mt19937_64& random) {
    ParticlePosition position{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        position[axis] =
            static_cast<float>(cloud_middles[emitter][axis] + random_number(random, -cloud_reach, cloud_reach));
    return position;
}

/// Random positions. Where roundings could decide whether a position is visible, another one is taken. With `apart`,
/// no two depths are so close to each other that roundings could decide their order.
ParticleCloud random_cloud(const SceneSpec& spec, const View& camera, bool apart, std::mt19937_64& random) {
    ParticleCloud cloud;
    std::vector<double> depths;
    const auto fits = [&](const ParticleSight& sight) {
        const auto close = [&](double depth) { return std::abs(depth - sight.depth) < 0.001; };
        return !near_a_plane(sight) && !(apart && std::any_of(depths.begin(), depths.end(), close));
    };
    while (cloud.size() < items_of(spec)) {
        const SceneItem where = item_of(spec.sources, static_cast<std::uint32_t>(cloud.size()));
        const ParticlePosition position = random_position(where.source, random);
        const ParticleSight sight = sight_of(camera, position);
        if (!fits(sight)) continue;
        cloud.push_back(position);
        depths.push_back(sight.depth);
    }
    return cloud;
}

/// Random positions in quarters.
ParticleCloud quarter_cloud(const SceneSpec& spec, std::mt19937_64& random) {
    ParticleCloud cloud;
    for (std::uint32_t item = 0; item < items_of(spec); ++item) {
        cloud.push_back(random_position(item_of(spec.sources, item).source, random));
        for (float& x : cloud.back())
            x = std::round(4.0f * x) / 4.0f;
    }
    return cloud;
}

/// The visible items, the lowest number first.
Words seen_items(const SceneSpec& spec, const View& camera, const ParticleCloud& cloud) {
    Words seen;
    for (std::uint32_t item = 0; item < cloud.size(); ++item) {
        const SceneItem where = item_of(spec.sources, item);
        const bool is_alive = where.element < emitter_particles[where.source];
        if (is_alive && sight_of(camera, cloud[item]).inside > 0) seen.push_back(item);
    }
    return seen;
}

/// Items by descending keys. Items with equal keys stay as they are.
template <class KeyOf>
Words from_back_to_front(Words items, const KeyOf& key_of) {
    std::stable_sort(items.begin(), items.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key_of(a) > key_of(b); });
    return items;
}

Words in_reverse(Words items) {
    std::reverse(items.begin(), items.end());
    return items;
}

/// Draws the first emitter, then the second, then the third: each from back to front.
Words emitter_by_emitter(const SceneSpec& spec, Words order) {
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return item_of(spec.sources, a).source < item_of(spec.sources, b).source;
    });
    return order;
}

/// A colour of its own for each item, half transparent: red is the lowest byte. The factor is odd, so different items
/// have different colours.
std::uint32_t colour_of(std::uint32_t item) {
    return (item * 0x9e3779b1u & 0xffffffu) | 0x80000000u;
}

/// The vertex of each item: position and colour. The sort reads the positions from these words.
Words vertices_of(const ParticleCloud& cloud) {
    Words words;
    for (std::uint32_t item = 0; item < cloud.size(); ++item) {
        for (const float x : cloud[item])
            words.push_back(std::bit_cast<std::uint32_t>(x));
        words.push_back(colour_of(item));
    }
    return words;
}

constexpr const char* points_vertex_shader = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 colour;
uniform mat4 to_view;
uniform mat4 to_clip;
flat out vec4 point_colour;
void main() {
    point_colour = colour;
    gl_Position = to_clip * (to_view * vec4(position, 1.0));
    gl_PointSize = 8.0;
}
)";

constexpr const char* points_fragment_shader = R"(
flat in vec4 point_colour;
layout(location = 0) out vec4 pixel;
void main() {
    pixel = point_colour;
}
)";

/// Draws items as blended points, by an index buffer.
class PointPainter {
  public:
    explicit PointPainter(TestContext& context)
        : gl_(context.gl()), is_es_(tier_api(context.tier()) == demo::Api::gles), program_(gl_.CreateProgram()) {
        const std::string head = is_es_ ? "#version 300 es\nprecision highp float;\n" : "#version 330 core\n";
        const GLuint vertex = compile(gl_, GL_VERTEX_SHADER, head + points_vertex_shader);
        const GLuint fragment = compile(gl_, GL_FRAGMENT_SHADER, head + points_fragment_shader);
        link_program(gl_, program_, vertex, fragment);
        gl_.GenVertexArrays(1, &array_);
        gl_.GenRenderbuffers(1, &renderbuffer_);
        gl_.BindRenderbuffer(GL_RENDERBUFFER, renderbuffer_);
        gl_.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, side, side);
        gl_.GenFramebuffers(1, &framebuffer_);
        gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        gl_.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer_);
        REQUIRE(gl_.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        reset_state(gl_);
    }
    ~PointPainter() {
        gl_.DeleteProgram(program_);
        gl_.DeleteVertexArrays(1, &array_);
        gl_.DeleteFramebuffers(1, &framebuffer_);
        gl_.DeleteRenderbuffers(1, &renderbuffer_);
    }
    PointPainter(const PointPainter&) = delete;
    PointPainter& operator=(const PointPainter&) = delete;

    /// What a camera sees of the first `count` items of the order: a word for each pixel. Leaves the state of a new
    /// context.
    Words paint(const View& camera, GLuint vertices, const BufferSlice& order, std::size_t count) const {
        gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        gl_.Viewport(0, 0, side, side);
        gl_.Clear(GL_COLOR_BUFFER_BIT);
        set_blending();
        set_vertices(vertices);
        gl_.UseProgram(program_);
        set_matrix("to_view", camera.view);
        set_matrix("to_clip", camera.projection);
        gl_.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, order.name);
        gl_.DrawElements(GL_POINTS, static_cast<GLsizei>(count), GL_UNSIGNED_INT, offset_in_buffer(order.offset));
        Words pixels(std::size_t{side} * side);
        gl_.ReadPixels(0, 0, side, side, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        reset_state(gl_);
        return pixels;
    }

  private:
    static constexpr GLsizei side = 64;

    static const void* offset_in_buffer(std::uint64_t offset) {
        return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(offset));
    }

    void set_blending() const {
        gl_.Disable(GL_DITHER);
        gl_.Enable(GL_BLEND);
        gl_.BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        // OpenGL ES always takes the size from the shader.
        if (!is_es_) gl_.Enable(GL_PROGRAM_POINT_SIZE);
    }

    void set_vertices(GLuint vertices) const {
        gl_.BindVertexArray(array_);
        gl_.BindBuffer(GL_ARRAY_BUFFER, vertices);
        gl_.EnableVertexAttribArray(0);
        gl_.VertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 16, offset_in_buffer(0));
        gl_.EnableVertexAttribArray(1);
        gl_.VertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, 16, offset_in_buffer(12));
    }

    void set_matrix(const char* name, const std::array<float, 16>& matrix) const {
        gl_.UniformMatrix4fv(gl_.GetUniformLocation(program_, name), 1, GL_FALSE, matrix.data());
    }

    const GladGLContext& gl_;
    bool is_es_;
    GLuint program_ = 0;
    GLuint array_ = 0;
    GLuint renderbuffer_ = 0;
    GLuint framebuffer_ = 0;
};

/// The caller's objects for one picture: vertices, and room for the order.
class EmittersCaller {
  public:
    EmittersCaller(TestContext& context, const SceneSpec& spec, const View& camera, const ParticleCloud& cloud)
        : camera_(camera),
          items_(items_of(spec)),
          caller_(context.gl(), spec),
          vertices_(caller_.buffer(vertices_of(cloud))) {
        for (std::size_t i = 0; i < emitter_count; ++i) {
            const BufferSlice positions{vertices_, std::uint64_t{16} * base_of(spec.sources, i)};
            arguments().sources.push_back(
                {.inputs = {positions}, .count = emitter_particles[i], .values = view_values(camera_keys(), camera)});
        }
    }

    SceneArguments& arguments() { return caller_.arguments; }

    /// How many items the last sort has found visible.
    std::uint32_t visible(const SceneSorter& sorter) const {
        const std::uint32_t number = caller_.read(sorter.status(), 1)[0];
        REQUIRE(number <= items_);
        return number;
    }

    /// Gives the next sort another buffer for the order, so that an earlier order cannot pass for a later one.
    void renew_order() { arguments().order = {caller_.buffer(Words(items_)), 0}; }

    /// The picture in the order of the last sort. The order stays on the GPU. Only its length is read back.
    Words picture_of(const PointPainter& painter, const SceneSorter& sorter) const {
        return painter.paint(camera_, vertices_, caller_.arguments.order, visible(sorter));
    }

    /// The picture in an order of the CPU's.
    Words picture_of(const PointPainter& painter, const Words& order) {
        return painter.paint(camera_, vertices_, {caller_.buffer(order), 0}, order.size());
    }

    /// The order of the last sort.
    Words order(const SceneSorter& sorter) const { return caller_.read(caller_.arguments.order, visible(sorter)); }

  private:
    View camera_;
    std::uint32_t items_;
    SceneCaller caller_;
    GLuint vertices_;
};

/// Compares two pictures: one in the order of the last sort, one in the order that the CPU expects. Also checks that
/// pictures in two other orders differ: a wrong order can be seen.
void check_pictures(EmittersCaller& caller, const PointPainter& painter, const SceneSorter& sorter,
                    const SceneSpec& spec, const Words& expected) {
    CHECK(expected.size() > 100);
    CHECK(expected.size() < particles_in_all());
    REQUIRE(caller.visible(sorter) == expected.size());
    const Words picture = caller.picture_of(painter, expected);
    CHECK(difference(picture, caller.picture_of(painter, sorter), "pixels") == "");
    CHECK(difference(expected, caller.order(sorter), "order") == "");
    CHECK(difference(picture, caller.picture_of(painter, in_reverse(expected)), "reversed") != "");
    CHECK(difference(picture, caller.picture_of(painter, emitter_by_emitter(spec, expected)), "by emitters") != "");
}

/// The stored keys of the visible items, by item. Keys and items lie in a texture.
std::map<std::uint32_t, float> stored_keys(const CallerTexture& texture, std::uint32_t visible) {
    const Words texels = texture.read();
    std::map<std::uint32_t, float> keys;
    for (std::uint32_t i = 0; i < visible; ++i)
        keys[texels[texture.place(i, 1)]] = std::bit_cast<float>(texels[texture.place(i, 0)]);
    return keys;
}

/// The largest difference between a stored key and the depth in double precision.
double worst_key(const std::map<std::uint32_t, float>& keys, const View& camera, const ParticleCloud& cloud) {
    double worst = 0;
    for (const auto& [item, key] : keys) {
        INFO("item " << item << ", key " << key);
        REQUIRE(std::isfinite(key));  // The largest of a number and a NaN may be the number.
        worst = std::max(worst, std::abs(double{key} - sight_of(camera, cloud[item]).depth));
    }
    return worst;
}

/// A sorter of the emitters, and the keys that the sorter stored.
///
/// Usually the sort itself writes its keys to a texture. The compute backend writes no textures in OpenGL ES: images
/// with two channels are missing there. No other result contains keys. The keys then come from a second sort, whose
/// fragment shaders run in the same context. The last bits of the two sorts may differ.
class SorterWithKeys {
  public:
    SorterWithKeys(TestContext& context, const Place& place)
        : texture_(context.gl(), {.width = 32, .height = 29}, 2, Words(std::size_t{2} * 32 * 29)),
          keyed_(spec_with_keys(writes_textures(place) ? place.backend : Backend::fragment),
                 context.get_proc_address()) {
        if (!writes_textures(place)) other_.emplace(three_emitters(place.backend), context.get_proc_address());
    }

    /// Whether the keys are those of the sort itself, bit by bit.
    bool keys_are_exact() const { return !other_; }
    const SceneSorter& sorter() const { return other_ ? *other_ : keyed_; }

    /// Sorts, and returns the keys of the visible items by item.
    std::map<std::uint32_t, float> sort(EmittersCaller& caller) {
        caller.arguments().texture = texture_.view();
        keyed_.sort(caller.arguments());
        std::map<std::uint32_t, float> keys = stored_keys(texture_, caller.visible(keyed_));
        if (other_) {
            caller.arguments().texture = {};
            caller.renew_order();
            other_->sort(caller.arguments());
        }
        return keys;
    }

  private:
    static SceneSpec spec_with_keys(Backend backend) {
        SceneSpec spec = three_emitters(backend);
        spec.texture = SceneTexture{.form = SceneTexture::Form::keys_and_items};
        return spec;
    }

    CallerTexture texture_;
    SceneSorter keyed_;
    std::optional<SceneSorter> other_;
};

TEST_CASE("three overlapping emitters are drawn pixel by pixel as a CPU sorts the keys read back", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const SceneSpec spec = three_emitters(place.backend);
        const PointPainter painter(context);
        SorterWithKeys sorting(context, place);
        for (int repeat = 0; repeat < 3; ++repeat) {
            INFO(describe(place) << ", repeat " << repeat);
            const View camera = turned_camera(random);
            const ParticleCloud cloud = random_cloud(spec, camera, !sorting.keys_are_exact(), random);
            EmittersCaller caller(context, spec, camera, cloud);
            const std::map<std::uint32_t, float> keys = sorting.sort(caller);
            Words items;
            for (const auto& [item, key] : keys)
                items.push_back(item);
            REQUIRE(difference(seen_items(spec, camera, cloud), items, "items with keys") == "");
            CHECK(worst_key(keys, camera, cloud) < 1e-4);
            const Words expected = from_back_to_front(items, [&](std::uint32_t item) { return keys.at(item); });
            check_pictures(caller, painter, sorting.sorter(), spec, expected);
        }
        context.require_clean("pictures by the keys of emitters");
    }
}

/// Items next to each other in the order that have equal depths.
struct EqualNeighbours {
    std::size_t of_one_emitter = 0;
    std::size_t of_two_emitters = 0;
};

template <class DepthOf>
EqualNeighbours equal_neighbours(const SceneSpec& spec, const Words& order, const DepthOf& depth_of) {
    EqualNeighbours found;
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (depth_of(order[i - 1]) != depth_of(order[i])) continue;
        const bool one = item_of(spec.sources, order[i - 1]).source == item_of(spec.sources, order[i]).source;
        ++(one ? found.of_one_emitter : found.of_two_emitters);
    }
    return found;
}

/// Whether no rounding can change a depth, or which positions are visible.
bool is_exact(const View& camera, const ParticleCloud& cloud) {
    return std::all_of(cloud.begin(), cloud.end(), [&](const ParticlePosition& position) {
        const ParticleSight sight = sight_of(camera, position);
        return double{static_cast<float>(sight.depth)} == sight.depth && !near_a_plane(sight);
    });
}

TEST_CASE("three overlapping emitters are drawn pixel by pixel as a CPU sorts positions of exact depths", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const SceneSpec spec = three_emitters(place.backend);
        const PointPainter painter(context);
        SceneSorter sorter(spec, context.get_proc_address());
        const View camera = straight_camera();
        for (int repeat = 0; repeat < 3; ++repeat) {
            INFO(describe(place) << ", repeat " << repeat);
            const ParticleCloud cloud = quarter_cloud(spec, random);
            REQUIRE(is_exact(camera, cloud));
            const auto depth_of = [&](std::uint32_t item) { return sight_of(camera, cloud[item]).depth; };
            const Words seen = seen_items(spec, camera, cloud);
            const Words expected = from_back_to_front(seen, depth_of);
            const EqualNeighbours equal = equal_neighbours(spec, expected, depth_of);
            CHECK(equal.of_one_emitter > 20);
            CHECK(equal.of_two_emitters > 20);
            EmittersCaller caller(context, spec, camera, cloud);
            sorter.sort(caller.arguments());
            check_pictures(caller, painter, sorter, spec, expected);
            // The order of equal depths can be seen, too.
            const Words ties_reversed = from_back_to_front(in_reverse(seen), depth_of);
            CHECK(difference(caller.picture_of(painter, expected), caller.picture_of(painter, ties_reversed), "ties") !=
                  "");
        }
        context.require_clean("pictures by the depths of emitters");
    }
}

}  // namespace
}  // namespace glsort::test
