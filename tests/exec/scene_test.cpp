#include <glsort/plan/scene/front_source.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sinks.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/plan/scene/whole_scene.h>
#include <glsort/stream/count_rule.h>

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "exec/lockstep.h"
#include "support/fewer_modes.h"
#include "support/random.h"

/// The key program of a scene in lockstep: marks, offsets, keys and items after every op.

using namespace glsort;
using namespace glsort::test;

namespace {

/// A source whose keys need no rounding: lockstep compares them exactly.
SceneSource whole_numbers(std::uint32_t capacity, SceneInput::Type type, std::uint32_t stride, std::uint32_t offset) {
    return {.name = "whole numbers",
            .capacity = capacity,
            .inputs = {{.name = "data", .type = type, .components = 3, .stride = stride, .offset = offset}},
            .sort_key = type == SceneInput::Type::u32
                            ? "bool sort_key(uint element, out uint key) {\n"
                              "    key = data_at(element).y;\n"
                              "    return data_at(element).z % 3u != 0u && data_at(element).w == 1u;\n"
                              "}\n"
                            : "bool sort_key(uint element, out uint key) {\n"
                              "    key = floatBitsToUint(data_at(element).y);\n"
                              "    return data_at(element).z > 0.0 && data_at(element).w == 1.0;\n"
                              "}\n",
            .host = [type](const SceneElements& elements, std::uint32_t element, std::array<std::uint32_t, 2>& key) {
                if (type == SceneInput::Type::u32) {
                    const auto data = elements.uints(0, element);
                    key[0] = data[1];
                    return data[2] % 3 != 0 && data[3] == 1;
                }
                const auto data = elements.floats(0, element);
                key[0] = std::bit_cast<std::uint32_t>(data[1]);
                return data[2] > 0.0f && data[3] == 1.0f;
            }};
}

/// The same data in a texture.
SceneSource in_texture(std::uint32_t capacity, SceneInput::Type type) {
    SceneSource source = whole_numbers(capacity, type, 0, 0);
    source.inputs[0].medium = source.gpu_count_medium = Medium::texture;
    return source;
}

/// A number that is no NaN and not subnormal in any of its formats: GPUs may change such numbers.
std::uint32_t plain_word(std::mt19937_64& random) {
    const auto half = [&random] { return static_cast<std::uint32_t>((1 + random() % 30) << 10 | (random() & 0x83ff)); };
    return half() << 16 | half();
}

StreamContents contents_of(const StreamProgram& program, std::mt19937_64& random) {
    StreamContents contents;
    for (const Stream& stream : program.streams) {
        if (stream.role != StreamRole::input) continue;
        std::vector<std::uint32_t>& words = contents[stream.name];
        if (stream.name.ends_with(".gpu_count")) {
            words = {static_cast<std::uint32_t>(random() % 5000)};
            continue;
        }
        for (std::uint32_t i = 0; i < stream.records * stream.words; ++i)
            words.push_back(plain_word(random));
    }
    return contents;
}

/// The first word of an element, from a table that is shorter or longer than the capacity, times a value.
SceneSource looked_up(std::uint32_t capacity, std::uint32_t elements) {
    return {.name = "looked up",
            .capacity = capacity,
            .inputs = {{.name = "table", .type = SceneInput::Type::u16, .components = 2, .elements = elements}},
            .values = {"scale", "bound"},
            .sort_key = fmt::format("bool sort_key(uint element, out uint key) {{\n"
                                    "    key = floatBitsToUint(float(table_at(element % {}u).y) * scale().w);\n"
                                    "    return float(table_at(element % {}u).x) > bound().y;\n"
                                    "}}\n",
                                    elements, elements),
            .host = [elements](const SceneElements& scene, std::uint32_t element, std::array<std::uint32_t, 2>& key) {
                const auto entry = scene.uints(0, element % elements);
                key[0] = std::bit_cast<std::uint32_t>(static_cast<float>(entry[1]) * scene.value(0)[3]);
                return static_cast<float>(entry[0]) > scene.value(1)[1];
            }};
}

/// Whole numbers for the values of all sources.
void give_values(scene::ScenePlan& plan, const SceneSpec& spec, std::mt19937_64& random) {
    for (const scene::ScenePlan::Source& planned : plan.sources) {
        Op& op = plan.program.ops[planned.op];
        for (std::size_t i = 0; i < 4 * spec.sources[planned.number].values.size(); ++i) {
            const auto word = std::bit_cast<std::uint32_t>(static_cast<float>(random() % 100));
            const std::size_t parameter = scene::ScenePlan::first_value_parameter + i;
            if (planned.block)
                op.blocks[*planned.block].parameters[parameter] = word;
            else
                op.parameters[parameter] = word;
        }
    }
}

/// Depths from 0 to 1000, if keys are quantised.
void give_depths(scene::ScenePlan& plan, const SceneSpec& spec) {
    if (!spec.quantisation) return;
    const scene::DepthRange range = scene::depth_range(*spec.quantisation, 0.0f, 1000.0f);
    const std::array<float, 4> numbers{range.nearest, range.farthest, range.origin, range.factor};
    for (const scene::ScenePlan::Source& planned : plan.sources)
        for (std::size_t i = 0; i < numbers.size(); ++i)
            plan.program.ops[planned.op].parameters[planned.first_depth_parameter + i] =
                std::bit_cast<std::uint32_t>(numbers[i]);
}

/// Rules of all kinds, for numbers behind a status. Returns the words of the rules.
std::vector<std::uint32_t> some_rules(std::mt19937_64& random, std::uint32_t rules) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t i = 0; i < rules; ++i) {
        const CountRule rule{.word = count_status_words + 3 * i,
                             .kind = static_cast<CountRule::Kind>(random() % 3),
                             .extra = static_cast<std::uint32_t>(1 + random() % (max_count_bases - 1)),
                             .scale = static_cast<std::uint32_t>(random() % 5),
                             .per = static_cast<std::uint32_t>(1 + random() % 600),
                             .offset = static_cast<std::uint32_t>(random() % 3),
                             .first_group = static_cast<std::uint32_t>(random() % 2 * 100),
                             .most_groups = random() % 2 == 0 ? 50 : 0xffffffffu};
        const auto as_words = std::bit_cast<std::array<std::uint32_t, rule_words>>(rule);
        words.insert(words.end(), as_words.begin(), as_words.end());
    }
    return words;
}

/// Gives the numbers of the sort rules, if the program writes them. Returns the words of the rules.
std::vector<std::uint32_t> give_rules(scene::ScenePlan& plan, std::mt19937_64& random) {
    if (!plan.sort_numbers) return {};
    const scene::ScenePlan::SortNumbers& numbers = *plan.sort_numbers;
    // One rule, or more rules than a group has invocations.
    const std::uint32_t rules = random() % 2 == 0 ? 1 : 1100;
    scene::set_rules(plan.program, numbers, rules, count_status_words + 3 * rules);
    std::vector<Counted>& parameters = plan.program.ops[numbers.op].parameters;
    parameters[numbers.first_parameter] = rules;
    parameters[numbers.first_parameter + 1] = static_cast<std::uint32_t>(random() % 2 == 0 ? 7 : 65535);
    for (std::uint32_t i = 0; i < max_count_bases; ++i)
        parameters[numbers.first_parameter + 2 + i] = static_cast<std::uint32_t>(random());
    return some_rules(random, rules);
}

SceneSpec scene_of(std::uint32_t capacity, bool gpu_count) {
    using Type = SceneInput::Type;
    SceneSpec spec{
        .sources = {whole_numbers(capacity, Type::u32, 0, 0), whole_numbers(0, Type::u32, 0, 0),
                    // Components begin in the middle of a word.
                    whole_numbers(capacity / 2, Type::f32, 14, 2), whole_numbers(2 * capacity, Type::f16, 10, 6),
                    looked_up(capacity, 7), looked_up(capacity, 4001), in_texture(capacity, Type::u32),
                    in_texture(capacity + 3, Type::f32)},
        .key = KeyType::u32,
        .commands = {{.per_item = 3}, {.kind = SceneCommand::Kind::arrays, .instanced = true}}};
    for (SceneSource& source : spec.sources)
        source.gpu_count = gpu_count;
    scene::check_spec(spec);
    return spec;
}

/// A source whose first `visible` elements of every `of` neighbours are visible. Keys of floats and the lower half of
/// 64-bit keys occur several times.
SceneSource neighbours(KeyType type, std::uint32_t capacity, std::uint32_t visible, std::uint32_t of) {
    const char* const name = type == KeyType::u64 ? "uvec2" : type == KeyType::f32 ? "float" : "uint";
    const char* const key = type == KeyType::u64   ? "uvec2(element * 2654435761u, element % 5u)"
                            : type == KeyType::f32 ? "float(element % 256u)"
                                                   : "element * 2654435761u";
    return {
        .name = "neighbours",
        .capacity = capacity,
        .sort_key = fmt::format("bool sort_key(uint element, out {} key) {{\n"
                                "    key = {};\n"
                                "    return element % {}u < {}u;\n"
                                "}}\n",
                                name, key, of, visible),
        .host = [type, of, visible](const SceneElements&, std::uint32_t element, std::array<std::uint32_t, 2>& words) {
            words = {element * 2654435761u, element % 5};
            if (type == KeyType::f32) words[0] = std::bit_cast<std::uint32_t>(static_cast<float>(element % 256));
            return element % of < visible;
        }};
}

/// Adds such sources to a scene, and returns how many elements are visible.
std::uint32_t add_neighbours(SceneSpec& spec, const std::vector<std::uint32_t>& capacities, std::uint32_t visible,
                             std::uint32_t of) {
    std::uint32_t sum = 0;
    for (const std::uint32_t capacity : capacities) {
        spec.sources.push_back(neighbours(spec.key, capacity, visible, of));
        sum += capacity / of * visible + std::min(capacity % of, visible);
    }
    return sum;
}

}  // namespace

TEST_CASE("the key program of a scene agrees with the cpu after every op", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_backends("the key program of a scene", [&](const auto& api, Limits limits, Backend backend) {
        // The least that a context may have, in half of the cases.
        const std::uint32_t blocks = limits.storage_blocks;
        for (const std::uint32_t capacity : {1u, 2u, 5u, 1023u, 1024u, 1025u, 3000u})
            for (const bool gpu_count : {false, true}) {
                limits.storage_blocks = random() % 2 == 0 ? blocks : 4;
                SceneSpec spec = scene_of(capacity, gpu_count);
                spec.backend = backend;
                scene::ScenePlan plan = scene::plan_scene(spec, limits, true);
                CHECK(plan.sort_numbers.has_value() == (backend == Backend::compute && limits.storage_blocks > 4));
                give_values(plan, spec, random);
                const std::vector<std::uint32_t> rules = give_rules(plan, random);
                StreamContents contents = contents_of(plan.program, random);
                if (plan.sort_numbers) contents["rules"] = rules;
                INFO("capacity " << capacity << ", gpu_count " << gpu_count << ", storage blocks "
                                 << limits.storage_blocks);
                const auto executor = make_executor(api, backend, random() % 2 == 0 ? 300 : 0);
                check_in_lockstep(api, *executor, plan.program, limits, contents);
            }
    });
}

TEST_CASE("a scene reads elements of four words wherever they lie", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_backends("elements of four words", [&](const auto& api, const Limits& limits, Backend backend) {
        // In lockstep, the buffers of four sources that follow each other begin at four different words of texels.
        SceneSpec spec{.key = KeyType::u32, .backend = backend};
        for (const std::uint32_t capacity : {1u, 1023u, 700u, 1025u, 0u}) {
            const bool floats = random() % 2 == 0;
            const std::uint32_t stride = 16 * static_cast<std::uint32_t>(1 + random() % 3);
            const std::uint32_t offset = 16 * static_cast<std::uint32_t>(random() % 3);
            SceneSource source =
                whole_numbers(capacity, floats ? SceneInput::Type::f32 : SceneInput::Type::u32, stride, offset);
            source.inputs[0].components = 4;
            // Each word decides: one by its bits, the others by the key.
            source.sort_key = fmt::format(
                "bool sort_key(uint element, out uint key) {{\n"
                "    uvec4 words = {}(data_at(element));\n"
                "    key = words.x ^ words.y << 1u ^ words.z << 2u;\n"
                "    return (words.w & 3u) != 0u;\n"
                "}}\n",
                floats ? "floatBitsToUint" : "");
            source.host = [floats](const SceneElements& elements, std::uint32_t element,
                                   std::array<std::uint32_t, 2>& key) {
                const auto words = floats ? std::bit_cast<std::array<std::uint32_t, 4>>(elements.floats(0, element))
                                          : elements.uints(0, element);
                key[0] = words[0] ^ words[1] << 1 ^ words[2] << 2;
                return (words[3] & 3) != 0;
            };
            spec.sources.push_back(source);
        }
        scene::check_spec(spec);
        const StreamProgram program = scene::plan_scene(spec, limits).program;
        const auto executor = make_executor(api, backend, 0);
        check_in_lockstep(api, *executor, program, limits, contents_of(program, random));
    });
}

TEST_CASE("a scene with more tiles than one group adds up agrees with the cpu after every op", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Tier tier : available_tiers()) {
        const std::vector<Backend> backends = backends_of(tier);
        if (std::find(backends.begin(), backends.end(), Backend::compute) == backends.end()) continue;
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        const Limits limits = gl::query_limits(api);
        // The second source begins in the middle of a group of the scan, and ends in another group.
        const std::uint32_t tiles = scene::tiles_together(limits);
        SceneSpec spec{.sources = {}, .key = KeyType::u32, .backend = Backend::compute, .commands = {{}}};
        for (const std::uint32_t capacity : {scene::tile * (tiles / 2) + 3, scene::tile * tiles, 700u})
            spec.sources.push_back(whole_numbers(capacity, SceneInput::Type::u32, 0, 0));
        spec.sources[1].gpu_count = random() % 2 == 0;
        scene::check_spec(spec);
        INFO(tier_name(tier) << ", tiles of a group " << tiles);
        const StreamProgram program = scene::plan_scene(spec, limits).program;
        const auto executor = make_executor(api, Backend::compute, 0);
        check_in_lockstep(api, *executor, program, limits, contents_of(program, random));
        context.require_clean("a scene of many tiles");
    }
}

TEST_CASE("the whole program of a scene agrees with the cpu after every op", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_backends("the whole program of a scene", [&](const auto& api, const Limits& limits, Backend backend) {
        for (const std::uint32_t capacity : {1u, 1000u})
            for (const bool none : {false, true}) {
                // The key of an element is its number: how many are visible is known before anything runs. Floats
                // mark invisible items on the fragment backend.
                const bool floats = random() % 2 == 0;
                SceneSpec spec{.key = floats ? KeyType::f32 : KeyType::u32, .backend = backend};
                spec.sources = {{.name = "every third",
                                 .capacity = capacity,
                                 .sort_key = fmt::format("bool sort_key(uint element, out {} key) {{\n"
                                                         "    key = {};\n"
                                                         "    return {} && element % 3u == 0u;\n"
                                                         "}}\n",
                                                         floats ? "float" : "uint",
                                                         floats ? "float(element % 256u)" : "element * 2654435761u",
                                                         none ? "false" : "true"),
                                 .host = [none, floats](const SceneElements&, std::uint32_t element,
                                                        std::array<std::uint32_t, 2>& key) {
                                     key[0] = floats ? std::bit_cast<std::uint32_t>(static_cast<float>(element % 256))
                                                     : element * 2654435761u;
                                     return !none && element % 3 == 0;
                                 }}};
                spec.triangles = SceneTriangles{.indices = 3 * capacity};
                if (!(backend == Backend::compute && api->es)) spec.texture = SceneTexture{};
                scene::check_spec(spec);
                const std::uint32_t visible = none ? 0 : (capacity + 2) / 3;
                const scene::WholeScene whole = scene::join(spec, limits, scene::plan_scene(spec, limits),
                                                            scene::plan_sinks(spec, limits), visible);
                INFO("capacity " << capacity << ", " << visible << " visible, " << to_string(spec.key) << "\n"
                                 << to_text(whole.program));
                const auto executor = make_executor(api, backend, random() % 2 == 0 ? 300 : 0);
                check_in_lockstep(api, *executor, whole.program, limits, contents_of(whole.program, random));
            }
    });
}

TEST_CASE("a sort whose digits a scene counts agrees with the cpu after every op", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("a sort whose digits a scene counts", [&](TestContext& context, Limits limits) {
        // Devices that do not report this number sort few elements by sweeps, too.
        limits.multiprocessors = 0;
        const auto api = api_of(context);
        if (lacks_subgroups(limits)) return;
        bool packed = false;
        struct Case {
            std::vector<std::uint32_t> capacities;
            std::uint32_t visible;  ///< Visible items of `neighbours`.
            KeyType key = KeyType::u32;
            bool packed = false;
            std::uint32_t neighbours = 7;
        };
        const std::uint32_t many = scene::tile * scene::tiles_together(limits) + 5;
        // Most fronts are empty, and some elements of a tile of the sort lie in distant fronts.
        const std::uint32_t sparse = 100 * scene::tile;
        for (const Case& c :
             {Case{{9000}, 7}, Case{{9000}, 0}, Case{{20000}, 2}, Case{{8192, 0, 1, 1024, 3000}, 7},
              Case{{5000, 0, 7000, 1}, 4, KeyType::u64}, Case{{9000, 700}, 5, KeyType::f32, true}, Case{{many}, 1},
              Case{std::vector<std::uint32_t>(64, 300), 5}, Case{{sparse}, 1, KeyType::u32, false, 50000},
              Case{{many}, 20000, KeyType::u32, false, 50000}}) {
            if (fewer_modes && !c.packed && random() % 2 == 0) continue;
            SceneSpec spec{.sources = {}, .key = c.key, .algorithm = "radix:one-sweep", .backend = Backend::compute};
            const std::uint32_t visible = add_neighbours(spec, c.capacities, c.visible, c.neighbours);
            if (c.packed) spec.quantisation = SceneQuantisation{.key_bits = 16};
            if (random() % 2 == 0) spec.direction = Direction::descending;
            spec.triangles = SceneTriangles{.indices = 3 * scene::items_of(spec)};
            scene::check_spec(spec);
            const std::optional<scene::Fronts> fronts = scene::fronts_of(spec, limits);
            CHECK((fronts && fronts->digits) == (limits.storage_blocks >= 8));
            scene::ScenePlan plan = scene::plan_scene(spec, limits);
            give_depths(plan, spec);
            const scene::WholeScene whole =
                scene::join(spec, limits, std::move(plan), scene::plan_sinks(spec, limits), visible);
            for (const Op& op : whole.program.ops)
                packed = packed || (op.load && op.load->name == "load_packed");
            INFO(c.capacities.size() << " sources, " << visible << " visible\n" << to_text(whole.program));
            const auto executor = make_executor(api, Backend::compute, 0);
            check_in_lockstep(api, *executor, whole.program, limits, contents_of(whole.program, random));
        }
        // On hardware, larger scenes are packed.
        CHECK((packed || limits.storage_blocks < 8 || !limits.software));
    });
}

TEST_CASE("an op that serves several sources of a scene agrees with the cpu", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("an op that serves several sources", [&](TestContext& context, Limits limits) {
        limits.multiprocessors = 0;
        const auto api = api_of(context);
        if (lacks_subgroups(limits)) return;
        for (const bool gpu_count : {false, true})
            for (const std::uint32_t tables : {1u, 40u}) {
                SceneSpec spec{.key = KeyType::u32, .backend = Backend::compute, .commands = {{.per_item = 3}}};
                // Equal sources in front of one that differs, and behind it more than one op serves.
                for (std::uint32_t i = 0; i < 3 + tables; ++i) {
                    const std::uint32_t capacity = i % 5 == 4 ? 0 : static_cast<std::uint32_t>(1 + random() % 3000);
                    spec.sources.push_back(i == 2 ? whole_numbers(capacity, SceneInput::Type::f16, 10, 6)
                                                  : looked_up(capacity, 7));
                    spec.sources.back().gpu_count = gpu_count;
                }
                scene::check_spec(spec);
                scene::ScenePlan plan = scene::plan_scene(spec, limits);
                if (plan.unsorted.empty()) return;
                give_values(plan, spec, random);
                const std::size_t ops = plan.program.ops.size();
                CHECK((ops < plan.sources.size()) == limits.block_arrays);
                INFO("GPU counts " << gpu_count << ", " << plan.sources.size() << " sources, " << ops << " ops\n"
                                   << to_text(plan.program));
                const auto executor = make_executor(api, Backend::compute, random() % 2 == 0 ? 3000 : 0);
                check_in_lockstep(api, *executor, plan.program, limits, contents_of(plan.program, random));
            }
    });
}

TEST_CASE("a sort that reads the fronts of a scene agrees with the cpu after every op", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("a sort that reads fronts", [&](TestContext& context, Limits limits) {
        if (limits.storage_blocks < 8) return;
        const auto api = api_of(context);
        struct Case {
            const char* algorithm;
            std::vector<std::uint32_t> capacities;
            std::uint32_t visible;  ///< Of each seven neighbours.
            KeyType key = KeyType::u32;
            bool packed = false;
        };
        // Software rasterisers read few fronts only. A device of few multiprocessors sorts some of these counts by
        // splitters.
        limits.software = false;
        limits.multiprocessors = 16;
        bool split = false;
        for (const Case& c : {Case{"radix", {1}, 7}, Case{"radix", {300}, 0}, Case{"radix", {3000, 0, 1, 1025}, 3},
                              Case{"radix:one-sweep", {20000, 1000}, 5}, Case{"radix", {40000}, 1, KeyType::u64},
                              Case{"radix:reduce-then-scan", {9000}, 6}, Case{"merge", {5000, 3000}, 4, KeyType::u64},
                              Case{"merge", {5000}, 2, KeyType::f32, true}, Case{"bitonic", {2500, 30}, 5}}) {
            SceneSpec spec{.sources = {}, .key = c.key, .algorithm = c.algorithm, .backend = Backend::compute};
            const std::uint32_t visible = add_neighbours(spec, c.capacities, c.visible, 7);
            if (c.packed) spec.quantisation = SceneQuantisation{.key_bits = 16};
            if (random() % 2 == 0) spec.direction = Direction::descending;
            scene::check_spec(spec);
            const std::optional<scene::Fronts> fronts = scene::fronts_of(spec, limits);
            CHECK(fronts.has_value());
            if (fronts->digits && !limits.has_subgroups()) continue;
            scene::ScenePlan plan = scene::plan_scene(spec, limits);
            give_depths(plan, spec);
            const scene::WholeScene whole =
                scene::join(spec, limits, std::move(plan), scene::plan_sinks(spec, limits), visible);
            INFO(c.algorithm << ", " << c.capacities.size() << " sources, " << visible << " visible\n"
                             << to_text(whole.program));
            for (const Op& op : whole.program.ops)
                split = split || op.kernel->name == "splitter_divide";
            const auto executor = make_executor(api, Backend::compute, 0);
            check_in_lockstep(api, *executor, whole.program, limits, contents_of(whole.program, random));
        }
        CHECK((split || !limits.has_subgroups()));
    });
}

TEST_CASE("a sort on fragments finds the visible items of a scene, however far apart", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    struct Case {
        const char* algorithm;
        std::vector<std::uint32_t> capacities;
        std::uint32_t visible;  ///< Visible items of `neighbours`.
        std::uint32_t neighbours;
        KeyType key = KeyType::f32;
        bool packed = false;
    };
    in_tiers(available_tiers(), "visible items far apart", [&](TestContext& context, const Limits& limits) {
        const auto api = api_of(context);
        bool sort_finds = false;
        bool op_gathers = false;
        // From records without gaps to one item of many records. A walk ends after four records. Runs of 16 or 32 items
        // and records of 128 begin and end at each other's places, and stretches without gaps anywhere.
        for (const Case& c : {Case{"merge", {1}, 1, 1},
                              Case{"merge", {16}, 1, 1},
                              Case{"merge", {31}, 1, 1},
                              Case{"merge", {33}, 1, 1},
                              Case{"merge", {127}, 1, 1},
                              Case{"merge", {1024}, 1, 1},
                              Case{"merge", {4129}, 1, 1},
                              Case{"merge", {9000, 77}, 31, 32},
                              Case{"merge", {9000}, 127, 129},
                              Case{"merge", {40000, 3}, 701, 1000},
                              Case{"merge", {30000}, 1, 1},
                              Case{"merge", {28000, 9}, 701, 1000},
                              Case{"merge", {40000}, 45, 90, KeyType::u32},
                              Case{"merge", {70000}, 9000, 33000},
                              Case{"merge", {127, 0, 130}, 9, 10},
                              Case{"merge", {20000}, 1, 100},
                              Case{"merge", {9000, 700}, 1, 640, KeyType::u32},
                              Case{"merge", {30000}, 17, 5000},
                              Case{"merge", {60000}, 1, 20000},
                              Case{"merge", {4000}, 2, 900, KeyType::u64},
                              Case{"merge", {20000}, 3, 2000, KeyType::f32, true},
                              Case{"bitonic:step", {5000}, 2, 1100, KeyType::u32}}) {
            SceneSpec spec{.sources = {}, .key = c.key, .algorithm = c.algorithm, .backend = Backend::fragment};
            const std::uint32_t visible = add_neighbours(spec, c.capacities, c.visible, c.neighbours);
            if (c.packed) spec.quantisation = SceneQuantisation{.key_bits = 16};
            if (random() % 2 == 0) spec.direction = Direction::descending;
            spec.texture = SceneTexture{};
            // Without an order in a buffer, the sort may write the texture itself.
            spec.order = random() % 2 == 0;
            scene::check_spec(spec);
            scene::ScenePlan plan = scene::plan_scene(spec, limits);
            (plan.visible ? op_gathers : sort_finds) = true;
            give_depths(plan, spec);
            const scene::WholeScene whole =
                scene::join(spec, limits, std::move(plan), scene::plan_sinks(spec, limits), visible);
            INFO(c.algorithm << ", " << c.capacities.size() << " sources, " << visible << " visible\n"
                             << to_text(whole.program));
            const auto executor = make_executor(api, Backend::fragment, random() % 2 == 0 ? 300 : 0);
            check_in_lockstep(api, *executor, whole.program, limits, contents_of(whole.program, random));
        }
        CHECK(sort_finds);
        CHECK(op_gathers);
    });
}
