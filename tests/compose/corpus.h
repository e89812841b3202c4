#pragma once

#include <glsort/error.h>
#include <glsort/exec/gl_executor.h>
#include <glsort/exec/program_shaders.h>
#include <glsort/plan/scene/front_source.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sinks.h>
#include <glsort/plan/scene/scene_sort.h>
#include <glsort/planner.h>
#include <glsort/scene.h>
#include <glsort/spec.h>
#include <glsort/stream/program.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Programs of all algorithms, for tests of their shaders.

namespace glsort::test {

/// A comparison of keys of 4 bytes or 12 bytes. Its names are names that shaders could also use.
inline Comparison corpus_comparison(bool wide) {
    Comparison comparison;
    comparison.name = "by bits";
    comparison.key_bytes = wide ? 12 : 4;
    comparison.glsl =
        "#define SIDE 3u\n"
        "#define element(x) ((x) * SIDE)\n"
        "struct Record { uint value; };\n"
        "struct Node { Record record; };\n"
        "const uint RUNS = 2u;\n"
        "uint load(uint k) { return element(k) * RUNS; }\n"
        "uint key(uint k) { uint LANE = load(k); return LANE; }\n"
        "uint count(uint k) { Node ELEMENTS = Node(Record(key(k))); return ELEMENTS.record.value; }\n"
        "uint source_gather(uint k) { return count(k); }\n"
        "bool precedes(uint a, uint b) { return source_gather(a) < source_gather(b); }\n";
    comparison.glsl += wide ? "bool comes_before(uvec3 a, uvec3 b) { return precedes(a.x, b.x); }\n"
                            : "bool comes_before(uint a, uint b) { return precedes(a, b); }\n";
    return comparison;
}

/// Limits of several contexts. Each set leads to other kernels, or to other forms of kernels.
inline std::vector<Limits> corpus_limits() {
    std::vector<Limits> all(4);
    for (Limits& limits : all)
        limits.storage_bytes = std::numeric_limits<std::uint64_t>::max();
    // A GPU whose subgroups have the operations of KHR.
    for (Limits* limits : {&all[1], &all[3]}) {
        limits->shared_memory = 49152;
        limits->subgroup_size = 32;
        limits->look_back = true;
        limits->multiprocessors = 132;
        limits->texture_barrier = true;
    }
    // A software rasteriser with ballots, and the least limits of a context.
    all[2].software = true;
    all[2].subgroup_size = 8;
    all[2].subgroups = Subgroups::ballot;
    all[2].attachments = 1;
    all[2].storage_blocks = 4;
    all[1].texture_buffer = 1u << 27;
    all[3].attachments = 4;
    all[3].shared_memory = 16384;
    all[3].invocations = 128;
    all[3].pixel_pack = false;
    return all;
}

/// Gives a scene all sinks but a texture. The GLSL of the result has names that shaders could also use.
inline void add_sinks(SceneSpec& spec, std::uint32_t corners) {
    spec.triangles = {.type = SceneInput::Type::u16, .indices = 9000, .corners = corners};
    spec.results = {{.name = "of the corpus",
                     .inputs = {{.name = "sorted", .type = SceneInput::Type::f16, .components = 2, .elements = 8}},
                     .values = {"result"},
                     .vectors = 3,
                     .sort_result = "uint place(uint item) { return scene_item(item).y % 8u; }\n"
                                    "void sort_result(uint item, out uvec4 words[3]) {\n"
                                    "    words[0] = floatBitsToUint(sorted_at(place(item)));\n"
                                    "    words[1] = floatBitsToUint(result());\n"
                                    "    words[2] = uvec4(scene_item(item), item, 1u);\n"
                                    "}\n"}};
}

template <class Use>
void use_scene(const SceneSpec& spec, const Use& use) {
    scene::check_spec(spec);
    use(scene::plan_scene(spec, Limits{}, true).program);
    if (const StreamProgram program = scene::plan_sinks(spec, Limits{}).program; !program.ops.empty()) use(program);
    if (spec.backend != Backend::compute) return;
    // A sort whose digits are counted with the keys. Fewer elements are sorted by one group.
    SceneSpec swept = spec;
    swept.algorithm = "radix:one-sweep";
    swept.sources.front().capacity = 9000;
    use(scene::plan_scene(swept, Limits{}, true).program);
    const SortSpec sort = scene::sort_spec(swept, Limits{});
    use(make_program({.spec = sort,
                      .n = sort.capacity,
                      .limits = Limits{},
                      .lists = {},
                      .source = scene::source_of_sort(swept, Limits{})}));
}

/// Calls `use` with the programs of scenes. The GLSL of the sources has names that shaders could also use.
template <class Use>
void for_each_corpus_scene(const Use& use) {
    struct Case {
        KeyType key;
        const char* type;
        std::uint32_t corners;
    };
    for (const Backend backend : {Backend::fragment, Backend::compute})
        for (const Case& c : {Case{KeyType::f32, "float", 3}, Case{KeyType::i32, "int", 2},
                              Case{KeyType::u32, "uint", 1}, Case{KeyType::u64, "uvec2", 3}})
            for (const bool gpu_count : {false, true}) {
                SceneSource source{.name = "of the corpus", .capacity = 3000, .gpu_count = gpu_count};
                source.inputs = {
                    {.name = "keys"},
                    {.name = "tile", .type = SceneInput::Type::f16, .components = 3, .offset = 2},
                    {.name = "count", .type = SceneInput::Type::u32, .components = 2, .stride = 6},
                    {.name = "texel", .components = 3, .medium = Medium::texture},
                    {.name = "width", .type = SceneInput::Type::u32, .components = 1, .medium = Medium::texture}};
                source.gpu_count_medium = gpu_count && backend == Backend::compute ? Medium::texture : Medium::buffer;
                source.sort_key =
                    std::string("#define base 2.0\n#define KEY(k) ") + c.type +
                    "(k)\n"
                    "float element(uint instance) { return keys_at(instance).x * base; }\n"
                    "bool sort_key(uint number, out " +
                    c.type +
                    " key) {\n"
                    "    key = KEY(element(number) + tile_at(number).w);\n"
                    "    return float(count_at(number).y + width_at(number).x) > items().w + texel_at(number).z;\n"
                    "}\n";
                source.values = {"items", "of_no_use"};
                SceneSpec spec{.sources = {source, source}, .key = c.key, .backend = backend, .commands = {{}}};
                if (c.key == KeyType::f32)
                    for (const ViewKeys& keys :
                         {ViewKeys{.position = "keys", .radius = "tile", .small = true},
                          ViewKeys{.measure = ViewKeys::Measure::distance, .position = "keys", .corners = "corners"}}) {
                        spec.sources.push_back(source);
                        spec.sources.back().inputs.push_back(
                            {.name = "corners", .type = SceneInput::Type::u16, .components = 3, .elements = 5});
                        spec.sources.back().inputs[0].elements = 77;
                        compute_view_keys(spec.sources.back(), keys);
                    }
                use_scene(spec, use);
                add_sinks(spec, c.corners);
                for (const SceneTexture::Form form :
                     {SceneTexture::Form::items, SceneTexture::Form::keys_and_items, SceneTexture::Form::four_items}) {
                    spec.texture = {.form = form};
                    use_scene(spec, use);
                }
                if (c.key != KeyType::f32) continue;
                for (const auto scale : {SceneQuantisation::Scale::linear, SceneQuantisation::Scale::reciprocal})
                    for (const std::uint32_t bits : {12u, 32u}) {
                        spec.quantisation = {.scale = scale, .key_bits = bits};
                        spec.texture = {.form = SceneTexture::Form::keys_and_items};
                        use_scene(spec, use);
                    }
            }
}

/// Calls `use` with programs of every variant, backend, kind of key, payload and order, at some counts and limits. Some
/// of the programs merge lists.
template <class Use>
void for_each_corpus_program(const Use& use) {
    const auto plan_at = [&use](PlanRequest request, std::uint32_t n) {
        request.n = n;
        StreamProgram program;
        try {
            program = plan(request);
            validate(program, request.limits);
        } catch (const Error&) {
            return;  // A variant or a limit rules the program out.
        }
        use(program);
    };
    const auto plan_all = [&](PlanRequest request) {
        for (const std::uint32_t n : {1u, 300u, 5000u, 1u << 24})
            plan_at(request, n);
        for (const Layout layout : {Layout::z_order, Layout::row_wise}) {
            request.spec.layout = layout;
            if (request.spec.backend == Backend::fragment) plan_at(request, 300);
        }
        request.spec.layout = std::nullopt;
        if (request.spec.payload == Payload::index()) {
            request.spec.order.direction = Direction::descending;
            plan_at(request, 300);
        }
        if (!request.spec.algorithm.starts_with("merge")) return;
        for (const std::size_t lists : {2u, 20u}) {
            request.lists.assign(lists, 100);
            plan_at(request, static_cast<std::uint32_t>(100 * lists));
        }
    };
    PlanRequest request;
    const auto with_keys = [&] {
        for (const KeyType key : {KeyType::u32, KeyType::i32, KeyType::f64})
            for (const Payload& payload : {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)}) {
                if (key == KeyType::i32 && payload.kind != Payload::Kind::index) continue;
                request.spec.order.key = key;
                request.spec.payload = payload;
                request.spec.order.comparison.reset();
                plan_all(request);
                if (key == KeyType::i32) continue;
                request.spec.order.comparison = corpus_comparison(key == KeyType::f64);
                plan_all(request);
            }
    };
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const Limits& limits : corpus_limits())
                for (const Backend backend : {Backend::fragment, Backend::compute})
                    for (const Medium medium : {Medium::buffer, Medium::texture}) {
                        request.spec.algorithm = algorithm.name + ":" + variant.name;
                        request.limits = limits;
                        request.spec.backend = backend;
                        request.spec.input = request.spec.output = medium;
                        with_keys();
                    }
}

/// Calls `use` with programs whose count only the GPU knows: of every variant that takes such a count.
template <class Use>
void for_each_corpus_counted_program(const Use& use) {
    PlanRequest request;
    request.spec.gpu_count = true;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const Limits& limits : corpus_limits())
                for (const Backend backend : {Backend::fragment, Backend::compute})
                    for (const Medium medium : {Medium::buffer, Medium::texture})
                        for (const Payload& payload : {Payload::none(), Payload::index(), Payload::bytes(4)})
                            for (const std::uint32_t capacity : {300u, 5000u, 1u << 24}) {
                                request.spec.algorithm = algorithm.name + ":" + variant.name;
                                request.limits = limits;
                                request.spec.backend = backend;
                                request.spec.input = request.spec.output = medium;
                                request.spec.payload = payload;
                                request.n = request.spec.capacity = capacity;
                                StreamProgram program;
                                try {
                                    program = plan(request);
                                    validate(program, request.limits);
                                } catch (const Error&) {
                                    continue;  // The variant takes no such count, or a limit rules the program out.
                                }
                                use(program);
                            }
}

/// Whether an op reads the caller's buffer in a shader that draws, which OpenGL alone can.
inline bool reads_buffer_as_texture(const StreamProgram& program, const Op& op) {
    return program.backend == Backend::fragment &&
           std::any_of(op.reads.begin(), op.reads.end(),
                       [&](const StreamUse& use) { return program.streams[use.stream].medium == Medium::buffer; });
}

/// Calls `use` with those ops of a program whose shaders may differ, and with the accesses of the ops to their streams.
template <class Use>
void for_each_shader_request(const StreamProgram& program, bool es, const Use& use) {
    ExternalStreams external;
    external.follow(program);
    std::set<std::vector<std::uintptr_t>> known;
    for (const Op& op : program.ops) {
        if (op.kernel->transfer || (es && reads_buffer_as_texture(program, op))) continue;
        std::vector<std::uintptr_t> parts = {reinterpret_cast<std::uintptr_t>(op.kernel.get()),
                                             reinterpret_cast<std::uintptr_t>(op.load.get()),
                                             reinterpret_cast<std::uintptr_t>(op.store.get()), block_capacity(op)};
        for (const auto* uses : {&op.reads, &op.writes})
            for (const StreamUse& stream : *uses)
                parts.push_back(stream.stream);
        if (known.insert(std::move(parts)).second)
            use(op, shader_request(program, op, stage_of(program, op), es, external));
    }
}

}  // namespace glsort::test
