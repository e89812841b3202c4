#include <glsort/gl/capabilities.h>
#include <glsort/plan/key_code.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "sorter/scenes.h"
#include "support/hostile_state.h"
#include "support/random.h"
#include "support/state_names.h"

/// A scene is sorted as on the CPU: keys from GLSL, culling, counts, several sources.

namespace glsort::test {
namespace {

/// Elements that a radix sort sorts by sweeps.
std::uint32_t enough_for_sweeps(const TestContext& context) {
    const auto api = gl::load_api(context.get_proc_address());
    // Devices with known multiprocessors sort up to 2^19 elements by splitters.
    return gl::query_limits(api).multiprocessors == 0 ? 9000 : (1u << 19) + 1000;
}

/// The contexts in which a radix sort may sweep, so that the scene counts the digits.
std::vector<Place> places_with_sweeps() {
    std::vector<Place> places;
    for (const Place& place : places_in_turn()) {
        if (place.backend != Backend::compute) continue;
        const auto api = gl::load_api(clean_context(place.tier).get_proc_address());
        if (gl::query_limits(api).subgroup_size != 0) places.push_back(place);
    }
    if (places.empty()) skip("no subgroups");
    return places;
}

TEST_CASE("a scene of one source is sorted, whatever its count and whatever is visible", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const std::uint32_t capacity : {1u, 2u, 31u, 1023u, 1024u, 1025u, 5000u})
            for (const bool gpu_count : {false, true}) {
                SceneSpec spec{.sources = {weighted(capacity)}, .key = KeyType::u32, .backend = place.backend};
                spec.sources[0].gpu_count = gpu_count;
                spec.direction = capacity % 2 == 0 ? Direction::ascending : Direction::descending;
                SceneSorter sorter(spec, context.get_proc_address());
                for (const std::uint32_t hidden : {0u, 7u, 10u})
                    for (const std::uint32_t count : {0u, 1u, capacity / 2, capacity, capacity + 9}) {
                        if (count > capacity && !gpu_count) continue;
                        INFO(describe(place) << ", capacity " << capacity << ", count " << count << ", hidden "
                                             << hidden << " of 10, gpu_count " << gpu_count);
                        const std::vector<Filled> contents = {filled(capacity, hidden, random)};
                        SceneCaller caller(context.gl(), spec, contents, {count});
                        sorter.sort(caller.arguments);
                        CHECK(caller.wrong(sorter, expected_order(spec, contents, {count}), count > capacity) == "");
                        context.require_clean("a scene");
                    }
            }
    }
}

TEST_CASE("a scene whose digits are counted with the keys is sorted, whatever its counts", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_with_sweeps()) {
        TestContext& context = clean_context(place.tier);
        for (const std::uint32_t piece : {0u, 1000u}) {
            const std::vector<std::uint32_t> capacities{enough_for_sweeps(context), 0, 1500, 4096};
            SceneSpec spec{
                .sources = {}, .key = KeyType::u32, .algorithm = "radix:one-sweep", .backend = place.backend};
            for (const std::uint32_t capacity : capacities)
                spec.sources.push_back(weighted(capacity));
            spec.sources[2].gpu_count = true;
            if (random() % 2 == 0) spec.direction = Direction::descending;
            SorterOptions options;
            options.max_elements_per_draw = piece;
            SceneSorter sorter(spec, context.get_proc_address(), options);
            for (const std::uint32_t hidden : {0u, 7u, 10u})
                for (const std::uint32_t count : {0u, 1u, 1500u, 1509u}) {
                    INFO(describe(place) << ", count " << count << ", hidden " << hidden << " of 10, piece " << piece);
                    std::vector<Filled> contents;
                    std::vector<std::uint32_t> counts;
                    for (const std::uint32_t capacity : capacities) {
                        contents.push_back(filled(capacity, hidden, random));
                        counts.push_back(capacity == 1500 ? count : std::min(capacity, 6 * count));
                    }
                    SceneCaller caller(context.gl(), spec, contents, counts);
                    sorter.sort(caller.arguments);
                    CHECK(caller.wrong(sorter, expected_order(spec, contents, counts), count > 1500) == "");
                    context.require_clean("a scene whose digits are counted with the keys");
                }
        }
    }
}

TEST_CASE("a scene of 64 sources whose digits are counted with the keys is sorted", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_with_sweeps()) {
        TestContext& context = clean_context(place.tier);
        SceneSpec spec{.sources = {}, .key = KeyType::u32, .algorithm = "radix:one-sweep", .backend = place.backend};
        for (int i = 0; i < 63; ++i)
            spec.sources.push_back(weighted(static_cast<std::uint32_t>(random() % 1500)));
        spec.sources.push_back(weighted(enough_for_sweeps(context)));
        SceneSorter sorter(spec, context.get_proc_address());
        for (const std::uint32_t hidden : {0u, 7u}) {
            INFO(describe(place) << ", hidden " << hidden << " of 10");
            std::vector<Filled> contents;
            std::vector<std::uint32_t> counts;
            for (const SceneSource& source : spec.sources) {
                contents.push_back(filled(source.capacity, hidden, random));
                counts.push_back(static_cast<std::uint32_t>(random() % (source.capacity + 1)));
            }
            SceneCaller caller(context.gl(), spec, contents, counts);
            sorter.sort(caller.arguments);
            CHECK(caller.wrong(sorter, expected_order(spec, contents, counts), false) == "");
            context.require_clean("a scene of 64 sources whose digits are counted with the keys");
        }
    }
}

TEST_CASE("a scene is sorted in pieces", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    struct Case {
        std::uint32_t limit;
        std::uint32_t capacity;
    };
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const auto& [limit, capacity] : {Case{1, 40}, Case{7, 130}, Case{1000, 5000}}) {
            SceneSpec spec{
                .sources = {weighted(capacity), weighted(capacity / 3)}, .key = KeyType::u32, .backend = place.backend};
            spec.sources[1].gpu_count = true;
            SorterOptions options;
            options.max_elements_per_draw = limit;
            SceneSorter sorter(spec, context.get_proc_address(), options);
            for (const std::uint32_t count : {capacity, 0u, 1u, capacity / 3}) {
                INFO(describe(place) << ", capacity " << capacity << ", count " << count << ", limit " << limit);
                const std::vector<Filled> contents = {filled(capacity, 3, random), filled(capacity / 3, 3, random)};
                const std::vector<std::uint32_t> counts{count, std::min(count, capacity / 3)};
                SceneCaller caller(context.gl(), spec, contents, counts);
                {
                    const trial::DirtyState dirty(context.gl(), random());
                    const StateSnapshot before = take_snapshot(context.gl());
                    sorter.sort(caller.arguments);
                    CHECK(diff(before, take_snapshot(context.gl())).empty());
                }
                CHECK(caller.wrong(sorter, expected_order(spec, contents, counts), false) == "");
                context.require_clean("a scene in pieces");
            }
        }
    }
}

TEST_CASE("several sources become one order", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const std::size_t sources : {std::size_t{2}, std::size_t{5}, max_scene_sources}) {
            SceneSpec spec{.sources = {}, .key = KeyType::u32, .backend = place.backend};
            std::vector<Filled> contents;
            std::vector<std::uint32_t> counts;
            bool clamped = false;
            for (std::size_t i = 0; i < sources; ++i) {
                // Sources of 0 elements, too.
                const auto capacity = static_cast<std::uint32_t>(i % 4 == 1 ? 0 : 1 + random() % 3000);
                spec.sources.push_back(weighted(capacity));
                spec.sources.back().gpu_count = i % 3 == 0;
                const bool above = i % 6 == 0;
                counts.push_back(static_cast<std::uint32_t>(above ? capacity + 5 : random() % (capacity + 1)));
                clamped = clamped || (above && capacity > 0);
                contents.push_back(filled(capacity, 4, random));
            }
            INFO(describe(place) << ", " << sources << " sources");
            SceneSorter sorter(spec, context.get_proc_address());
            SceneCaller caller(context.gl(), spec, contents, counts);
            for (int repeat = 0; repeat < 2; ++repeat) {
                sorter.sort(caller.arguments);
                CHECK(caller.wrong(sorter, expected_order(spec, contents, counts), clamped) == "");
                context.require_clean("a scene of several sources");
            }
        }
    }
}

/// The bits of a normal float of either sign, an infinity, or a quiet NaN. Conversions may change other floats.
std::uint32_t some_float(std::mt19937_64& random) {
    constexpr std::array<std::uint32_t, 6> special{0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc00000u, 0, 0x3f800000u};
    if (random() % 8 == 0) return special[random() % special.size()];
    const auto sign = static_cast<std::uint32_t>(random() % 2) << 31;
    return sign | 0x20000000u | static_cast<std::uint32_t>(random() % 0x40000000u);
}

/// The items of one source in the order of their keys: the weights, with the tags as high words of 64-bit keys.
Words order_of_keys(const SceneSpec& spec, const Filled& contents) {
    const auto code = [&](std::uint32_t item) {
        if (spec.key == KeyType::u64) {
            const std::uint64_t key = std::uint64_t{contents.tags[item]} << 32 | contents.weights[item];
            return encode_key(KeyType::u64, spec.direction, key);
        }
        return std::uint64_t{encode_key(spec.key, spec.direction, contents.weights[item])};
    };
    Words order(contents.weights.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, {}, code);
    return order;
}

TEST_CASE("floats, integers and 64-bit keys of a scene sort in both directions", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    struct Case {
        KeyType key;
        const char* type;
        const char* from_bits;
    };
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const Case& c :
             {Case{KeyType::f32, "float", "uintBitsToFloat(data_at(element).x)"},
              Case{KeyType::i32, "int", "int(data_at(element).x)"}, Case{KeyType::u64, "uvec2", "data_at(element).xy"}})
            for (const Direction direction : {Direction::ascending, Direction::descending}) {
                INFO(describe(place) << ", " << to_string(c.key) << " " << to_string(direction));
                SceneSpec spec{
                    .sources = {weighted(700)}, .key = c.key, .direction = direction, .backend = place.backend};
                spec.sources[0].sort_key =
                    fmt::format("bool sort_key(uint element, out {} key) {{\n    key = {};\n    return true;\n}}\n",
                                c.type, c.from_bits);
                std::vector<Filled> contents = {filled(700, 0, random)};
                for (std::uint32_t& weight : contents[0].weights)
                    weight = c.key == KeyType::f32 ? some_float(random) : static_cast<std::uint32_t>(random());
                // The high words of 64-bit keys. Few differ, so that low words decide, too.
                for (std::uint32_t& tag : contents[0].tags)
                    tag = static_cast<std::uint32_t>(random() % 5) << 30;
                SceneSorter sorter(spec, context.get_proc_address());
                SceneCaller caller(context.gl(), spec, contents, {700});
                sorter.sort(caller.arguments);
                CHECK(caller.wrong(sorter, order_of_keys(spec, contents[0]), false) == "");
                context.require_clean("keys of a scene");
            }
    }
}

TEST_CASE("whatever state the caller is in, a scene is sorted and leaves it", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (int repeat = 0; repeat < 6; ++repeat) {
            INFO(describe(place) << ", repeat " << repeat);
            SceneSpec spec{.sources = {weighted(900), weighted(300)}, .key = KeyType::u32, .backend = place.backend};
            spec.sources[1].gpu_count = repeat % 2 == 0;
            const std::vector<Filled> contents = {filled(900, 5, random), filled(300, 5, random)};
            SceneCaller caller(context.gl(), spec, contents, {900, 200});
            SceneSorter sorter(spec, context.get_proc_address());
            {
                const DirtyState dirty(context.gl(), random(),
                                       {.active_transform_feedback = repeat % 2 == 1,
                                        .active_query = repeat % 3 == 1,
                                        .share = repeat < 2 ? 1.0 : 0.2});
                const StateSnapshot before = take_snapshot(context.gl());
                sorter.sort(caller.arguments);
                const std::vector<std::string> changed = diff(before, take_snapshot(context.gl()));
                CHECK((changed.empty() ? "" : changed.front()) == "");
            }
            CHECK(caller.wrong(sorter, expected_order(spec, contents, {900, 200}), false) == "");
            context.require_clean("a scene in a hostile state");
        }
    }
}

TEST_CASE("scenes and sorters share scratch memory, which may grow", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const auto scratch = std::make_shared<Scratch>(context.get_proc_address());
        const SceneSpec spec{.sources = {weighted(900)}, .key = KeyType::u32, .backend = place.backend};
        const std::vector<Filled> contents = {filled(900, 3, random)};
        SceneCaller caller(context.gl(), spec, contents, {900});
        SceneSorter small(spec, context.get_proc_address(), {.shared_scratch = scratch});
        small.sort(caller.arguments);
        SceneSpec large_spec = spec;
        large_spec.sources[0].capacity = 20000;
        SceneSorter large(large_spec, context.get_proc_address(), {.shared_scratch = scratch});
        // The memory that the first scene used is gone.
        SceneCaller again(context.gl(), spec, contents, {900});
        small.sort(again.arguments);
        CHECK(again.wrong(small, expected_order(spec, contents, {900}), false) == "");
        const std::vector<Filled> more = {filled(20000, 3, random)};
        SceneCaller large_caller(context.gl(), large_spec, more, {20000});
        large.sort(large_caller.arguments);
        CHECK(large_caller.wrong(large, expected_order(large_spec, more, {20000}), false) == "");
        context.require_clean("scenes in shared scratch memory");
    }
}

TEST_CASE("a scene leaves no program of the library in use", "[scene]") {
    std::mt19937_64 random(3);
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const SceneSpec spec{.sources = {weighted(300)}, .key = KeyType::u32, .backend = place.backend};
        SceneSorter sorter(spec, context.get_proc_address(), {.state = StatePolicy::caller_resets});
        SceneCaller caller(context.gl(), spec, {filled(300, 3, random)}, {300});
        sorter.sort(caller.arguments);
        GLint program = -1;
        context.gl().GetIntegerv(GL_CURRENT_PROGRAM, &program);
        INFO(describe(place));
        CHECK(program == 0);
        trial::reset_state(context.gl());
        context.require_clean("a scene whose caller resets");
    }
}

TEST_CASE("a scene with more inputs than storage blocks takes fragment shaders by itself", "[scene]") {
    for (const Place& place : places_in_turn()) {
        if (place.backend != Backend::compute) continue;
        TestContext& context = clean_context(place.tier);
        const std::uint32_t blocks = describe_context(context.get_proc_address()).limits.storage_blocks;
        const std::uint32_t textures = describe_context(context.get_proc_address()).limits.textures_read;
        INFO(describe(place) << ", storage blocks " << blocks << ", textures " << textures);
        SceneSpec spec{.sources = {weighted(300)}, .key = KeyType::u32};
        while (spec.sources[0].inputs.size() < blocks - 1)
            spec.sources[0].inputs.push_back(
                {.name = fmt::format("more_{}", spec.sources[0].inputs.size()), .components = 1});
        if (spec.sources[0].inputs.size() > textures) continue;
        CHECK(SceneSorter(spec, context.get_proc_address()).spec().backend == Backend::fragment);
        context.require_clean("a scene of many inputs");
    }
}

}  // namespace
}  // namespace glsort::test
