#include <bit>

#include "sorter/between_calls.h"
#include "sorter/scenes.h"
#include "support/random.h"

/// A scene that is made for many elements sorts few, in buffers that have room for the few.

namespace glsort::test {
namespace {

using Catch::Contains;

constexpr std::uint32_t most_triangles = 3000;
constexpr std::uint32_t most_vertices = 2000;

/// Triangles with whole numbers as depths, so that their sums are exact.
struct Mesh {
    std::vector<float> vertices;  ///< x, y, z.
    std::vector<std::uint32_t> corners;

    Mesh(std::uint32_t triangles, std::uint32_t vertex_count, std::mt19937_64& random) {
        for (std::uint32_t i = 0; i < 3 * vertex_count; ++i)
            vertices.push_back(-3.0f * static_cast<float>(random() % 4000));
        for (std::uint32_t i = 0; i < 3 * triangles; ++i)
            corners.push_back(static_cast<std::uint32_t>(random() % vertex_count));
    }
    std::uint32_t triangles() const { return static_cast<std::uint32_t>(corners.size() / 3); }
    float depth(std::uint32_t triangle) const {
        float sum = 0;
        for (std::uint32_t i = 0; i < 3; ++i)
            sum -= vertices[3 * corners[3 * triangle + i] + 2];
        return sum;
    }
    /// The corners from back to front.
    Words sorted() const {
        Words order(triangles());
        for (std::uint32_t i = 0; i < triangles(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return depth(a) > depth(b); });
        Words all;
        for (const std::uint32_t triangle : order)
            all.insert(all.end(), corners.begin() + 3 * triangle, corners.begin() + 3 * triangle + 3);
        return all;
    }
};

const ViewKeys triangle_keys{.corners = "corners", .frustum = false};

SceneSpec mesh_scene(const Place& place, SceneInput::Type corner_type) {
    SceneSource source;
    source.name = "mesh";
    source.capacity = most_triangles;
    source.inputs = {{.name = "position", .components = 3, .elements = most_vertices},
                     {.name = "corners", .type = corner_type, .components = 3}};
    compute_view_keys(source, triangle_keys);
    SceneSpec spec;
    spec.sources = {source};
    spec.backend = place.backend;
    spec.order = false;
    spec.triangles = {.type = corner_type, .indices = 3 * most_triangles};
    return spec;
}

class MeshCaller {
  public:
    MeshCaller(const GladGLContext& gl, const SceneSpec& spec, const Mesh& mesh)
        : caller_(gl, spec), words_(mesh.corners.size()) {
        Words positions;
        for (const float number : mesh.vertices)
            positions.push_back(std::bit_cast<std::uint32_t>(number));
        Words indices = mesh.corners;
        if (spec.triangles->type == SceneInput::Type::u16) {
            indices.assign((mesh.corners.size() + 1) / 2, 0);
            for (std::size_t i = 0; i < mesh.corners.size(); ++i)
                indices[i / 2] |= mesh.corners[i] << (16 * (i % 2));
        }
        constexpr std::array<float, 16> unit{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        SceneArguments::Source source;
        source.count = mesh.triangles();
        source.table_elements = {static_cast<std::uint32_t>(mesh.vertices.size() / 3)};
        arguments.indices = {caller_.buffer(indices), 0};
        arguments.index_count = static_cast<std::uint32_t>(mesh.corners.size());
        source.inputs = {{caller_.buffer(positions), 0}, arguments.indices};
        source.values = view_values(triangle_keys, {.view = unit, .projection = unit});
        arguments.sources = {source};
        arguments.triangles = {caller_.buffer(Words(words_ + 2, mark)), 4};
    }
    Words sorted() const { return caller_.read(arguments.triangles, words_); }
    bool kept_neighbours() const {
        const Words all = caller_.read({arguments.triangles.name, 0}, words_ + 2);
        return all.front() == mark && all.back() == mark;
    }

    SceneArguments arguments;

  private:
    static constexpr std::uint32_t mark = 0x5a17c0deu;

    SceneCaller caller_;
    std::size_t words_;
};

TEST_CASE("a scene made for a large mesh sorts small ones, in buffers of their size", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn())
        for (const SceneInput::Type type : {SceneInput::Type::u32, SceneInput::Type::u16}) {
            TestContext& context = clean_context(place.tier);
            const SceneSpec spec = mesh_scene(place, type);
            SceneSorter sorter(spec, context.get_proc_address());
            for (const auto& [triangles, vertices] :
                 {std::pair{7u, 5u}, {most_triangles, most_vertices}, {1u, 3u}, {1025u, 40u}, {2u, most_vertices}}) {
                INFO(describe(place) << ", " << triangles << " triangles of " << vertices << " vertices, "
                                     << component_bytes(type) << " bytes an index");
                const Mesh mesh(triangles, vertices, random);
                MeshCaller caller(context.gl(), spec, mesh);
                sorter.sort(caller.arguments);
                CHECK(caller.sorted() == mesh.sorted());
                CHECK(caller.kept_neighbours());
                context.require_clean("a small mesh");
            }
        }
}

TEST_CASE("a call whose tables or buffers do not fit the call is refused", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const SceneSpec spec = mesh_scene(place, SceneInput::Type::u32);
        SceneSorter sorter(spec, context.get_proc_address());
        const Mesh mesh(20, 15, random);
        MeshCaller caller(context.gl(), spec, mesh);
        const auto refusal = [&](const auto& change) {
            SceneArguments arguments = caller.arguments;
            change(arguments);
            return error_of([&] { sorter.sort(arguments); });
        };
        INFO(describe(place));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[0].table_elements = {2001}; }),
                   Contains("sources[0].table_elements[0] 2001 exceeds the 2000 elements of input position"));
        CHECK_THAT(refusal([](SceneArguments& a) {
                       a.sources[0].table_elements = {15, 20};
                   }),
                   Contains("sources[0].table_elements has 2 numbers; 1 inputs have elements"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[0].table_elements = {16}; }),
                   Contains("sources[0].inputs[0] (position) at offset 0 with 192 bytes reaches past the end"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[0].table_elements = {}; }),
                   Contains("sources[0].inputs[0] (position) at offset 0 with 24000 bytes"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[0].count = 21; }),
                   Contains("triangles at offset 4 with 252 bytes reaches past the end"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.index_count = 59; }),
                   Contains("sources[0].first_index 0 and the 60 corners behind exceed the 59 indices"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.index_count = 9001; }),
                   Contains("index_count 9001 exceeds the 9000 indices given at construction"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.index_count = 0; }), Contains("indices at offset 0"));
        context.require_clean("calls that do not fit");
        sorter.sort(caller.arguments);
        CHECK(caller.sorted() == mesh.sorted());
    }
}

}  // namespace
}  // namespace glsort::test
