#include <glsort/sorter.h>

#include <array>
#include <memory>
#include <set>

#include "sorter/sorting.h"
#include "support/random.h"

namespace glsort::test {
namespace {

constexpr std::array key_types{KeyType::u32, KeyType::i32, KeyType::f32};
constexpr std::array orders{Direction::ascending, Direction::descending};
constexpr std::array payloads{Payload::none(), Payload::index(), Payload::bytes(4)};
constexpr std::array layouts{Layout::row_wise, Layout::z_order};

/// 0 ... 5, and every power of two up to `most` with its neighbours.
std::vector<std::uint32_t> small_counts(std::uint32_t most) {
    std::set<std::uint32_t> counts{0, 1, 2, 3, 4, 5};
    for (std::uint32_t power = 8; power <= most; power *= 2)
        for (const std::uint32_t n : {power - 1, power, power + 1})
            if (n <= most) counts.insert(n);
    return {counts.begin(), counts.end()};
}

/// Sorts several counts, one after the other, with varying distributions.
void check_counts(TestContext& context, Sorter& sorter, Caller& caller, const std::vector<std::uint32_t>& counts,
                  std::uint64_t seed) {
    const std::vector<demo::Distribution> distributions = demo::all_distributions();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto distribution = distributions[(seed + i) % distributions.size()];
        INFO("count " << counts[i] << ", " << demo::distribution_name(distribution));
        const Sample sample = make_sample(sorter.spec(), distribution, counts[i], seed + i);
        sorter.sort(caller.load(sample));
        CHECK(caller.wrong(sample) == "");
    }
    context.require_clean("sort");
}

TEST_CASE("buffers are sorted in place, and nothing around them is touched", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const KeyType key : key_types)
            for (const Direction order : orders)
                for (const Payload& payload : payloads) {
                    // Compilation of shaders takes most of the time, so a run has a sixth of the modes.
                    if (random() % 6 != 0) continue;
                    const auto turn = static_cast<std::uint32_t>(random());
                    const std::vector<std::uint32_t> counts = small_counts(turn % 6 == 0 ? 4097 : 513);
                    SortSpec spec;
                    spec.order.key = key;
                    spec.order.direction = order;
                    spec.payload = payload;
                    spec.backend = place.backend;
                    spec.capacity = counts.back();
                    spec.layout = layouts[turn / 2 % 2];
                    INFO(describe(place) << ": " << describe(spec));
                    Sorter sorter(spec, context.get_proc_address());
                    Arrangement arrangement;
                    arrangement.words_before_keys = turn % 5;
                    arrangement.words_before_values = turn % 67;
                    arrangement.one_buffer = turn % 3 == 1;
                    Caller caller(context.gl(), sorter, arrangement);
                    check_counts(context, sorter, caller, counts, random());
                }
    }
}

// Compilation of shaders takes most of the time, so modes take turns.
struct WideMode {
    KeyType key;
    Payload payload;
    const char* algorithm;
};

TEST_CASE("64-bit keys and values of several words are sorted in place, and nothing around them is touched",
          "[sorter]") {
    const Seed seed;
    constexpr std::array modes{
        WideMode{KeyType::f64, Payload::bytes(12), "merge"},   WideMode{KeyType::u64, Payload::bytes(16), "bitonic"},
        WideMode{KeyType::i64, Payload::index(), "merge"},     WideMode{KeyType::u32, Payload::bytes(64), "bitonic"},
        WideMode{KeyType::f64, Payload::none(), "merge"},      WideMode{KeyType::f64, Payload::bytes(4), "bitonic"},
        WideMode{KeyType::i32, Payload::bytes(12), "bitonic"}, WideMode{KeyType::i64, Payload::bytes(8), "bitonic"}};
    std::size_t turn = seed.value() % modes.size();
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const WideMode& mode = modes[++turn % modes.size()];
        SortSpec spec;
        spec.order.key = mode.key;
        spec.order.direction = orders[seed.value() / 8 % 2];
        spec.payload = mode.payload;
        spec.algorithm = mode.algorithm;
        spec.backend = place.backend;
        spec.capacity = 130;
        INFO(describe(place) << ": " << mode.algorithm << ", " << describe(spec));
        Sorter sorter(spec, context.get_proc_address());
        for (const bool one_buffer : {false, true}) {
            Arrangement arrangement;
            // An odd multiple of the required alignment, above one.
            arrangement.words_before_keys = 3 * key_words(spec.order.key);
            arrangement.words_before_values = 5 * chunk_words(spec.payload);
            arrangement.one_buffer = one_buffer;
            Caller caller(context.gl(), sorter, arrangement);
            check_counts(context, sorter, caller, {0, 1, 2, 3, 5, 64, 129, 130}, seed.value() + turn);
            const Sample sample = make_sample(spec, demo::Distribution::special, 130, seed.value());
            sorter.sort(caller.load(sample));
            CHECK(caller.wrong(sample) == "");
        }
    }
}

TEST_CASE("64-bit keys are sorted from and to textures", "[sorter]") {
    const Seed seed;
    constexpr std::array modes{
        WideMode{KeyType::f64, Payload::bytes(4), "bitonic"}, WideMode{KeyType::u64, Payload::none(), "bitonic"},
        WideMode{KeyType::i64, Payload::index(), "bitonic"}, WideMode{KeyType::f64, Payload::index(), "merge"},
        WideMode{KeyType::u64, Payload::bytes(4), "bitonic"}};
    std::size_t turn = seed.value() % modes.size();
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        const WideMode& mode = modes[++turn % modes.size()];
        SortSpec spec;
        spec.order.key = mode.key;
        spec.payload = mode.payload;
        spec.algorithm = mode.algorithm;
        spec.order.direction = orders[turn % 2];
        spec.backend = place.backend;
        spec.capacity = 130;
        spec.layout = layouts[turn / 2 % 2];
        spec.input = seed.value() / 8 % 2 == turn % 2 ? Medium::buffer : Medium::texture;
        spec.output = Medium::texture;
        INFO(describe(place) << ": " << mode.algorithm << ", " << describe(spec));
        Sorter sorter(spec, context.get_proc_address());
        for (const bool own_shapes : {true, false}) {
            Arrangement arrangement;
            arrangement.wide_input = own_shapes;
            if (own_shapes) {
                arrangement.input = TextureView{0, 37, 5, Layout::row_wise};
                arrangement.output = TextureView{0, 17, 19, Layout::z_order};
            }
            Caller caller(context.gl(), sorter, arrangement);
            const Sample sample = make_sample(spec, demo::Distribution::special, 130, seed.value());
            check_counts(context, sorter, caller, {1, 2, 3, 65, 129}, seed.value() + turn);
            sorter.sort(caller.load(sample));
            CHECK(caller.wrong(sample) == "");
        }
        context.require_clean("64-bit keys in textures");
    }
}

TEST_CASE("textures of any shape are read and written, and no texel past the count is touched", "[sorter]") {
    const Seed seed;
    auto turn = static_cast<std::uint32_t>(seed.value() % 2);
    const std::vector<std::uint32_t> counts = small_counts(513);
    const std::uint32_t capacity = counts.back();
    const std::array<std::optional<TextureView>, 5> shapes{
        std::nullopt, TextureView{0, 37, (capacity + 36) / 37, Layout::row_wise},
        TextureView{0, 32, 32, Layout::z_order}, TextureView{0, 61, 83, Layout::row_wise},
        TextureView{0, 45, 77, Layout::z_order}};
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        for (const Medium input : {Medium::buffer, Medium::texture})
            for (const Payload& payload : payloads)
                for (const Layout layout : layouts) {
                    ++turn;
                    if ((turn + turn / 2) % 2 == 0) continue;
                    SortSpec spec;
                    spec.order.key = key_types[turn % 3];
                    spec.order.direction = orders[turn / 3 % 2];
                    spec.payload = payload;
                    spec.backend = place.backend;
                    spec.capacity = capacity;
                    spec.layout = layout;
                    spec.input = input;
                    spec.output = Medium::texture;
                    INFO(describe(place) << ": " << describe(spec));
                    Sorter sorter(spec, context.get_proc_address());
                    // One sorter gets textures of several shapes.
                    for (std::size_t i = 0; i < shapes.size(); ++i) {
                        if ((i + turn) % 2 == 0) continue;
                        Arrangement arrangement;
                        arrangement.input = shapes[i];
                        arrangement.output = shapes[(i + turn) % shapes.size()];
                        arrangement.wide_input = i % 2 == 1;
                        INFO("shapes " << i << " and " << (i + turn) % shapes.size());
                        Caller caller(context.gl(), sorter, arrangement);
                        std::vector<std::uint32_t> some;
                        for (std::size_t c = 0; c < counts.size(); ++c)
                            if ((c + i) % shapes.size() == 0 || c + 1 == counts.size()) some.push_back(counts[c]);
                        check_counts(context, sorter, caller, some, seed.value() + turn);
                    }
                }
    }
}

TEST_CASE("every distribution is sorted, for every key and order", "[sorter]") {
    const Seed seed;
    constexpr std::uint32_t n = 777;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const KeyType key : key_types)
            for (const Direction order : orders) {
                SortSpec spec;
                spec.order.key = key;
                spec.order.direction = order;
                spec.backend = place.backend;
                spec.capacity = n;
                Sorter sorter(spec, context.get_proc_address());
                Caller caller(context.gl(), sorter);
                for (const demo::Distribution distribution : demo::all_distributions()) {
                    INFO(describe(place) << ": " << describe(spec) << ", " << demo::distribution_name(distribution));
                    const Sample sample = make_sample(spec, distribution, n, seed.value());
                    sorter.sort(caller.load(sample));
                    CHECK(caller.wrong(sample) == "");
                }
            }
        context.require_clean("distributions");
    }
}

TEST_CASE("every algorithm sorts in place, and nothing around is touched", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        if (place.tier != Tier::gl45) continue;
        TestContext& context = clean_context(place.tier);
        for (const Algorithm& algorithm : algorithms())
            for (const Algorithm::Variant& variant : algorithm.variants) {
                if (place.backend == Backend::fragment && !variant.takes.fragment) continue;
                SortSpec spec;
                spec.algorithm = algorithm.name + ":" + variant.name;
                spec.order.key = key_types[random() % key_types.size()];
                spec.order.direction = orders[random() % orders.size()];
                spec.payload = payloads[random() % payloads.size()];
                spec.backend = place.backend;
                spec.capacity = 9001;
                INFO(describe(spec) << ", " << spec.algorithm);
                Sorter sorter(spec, context.get_proc_address());
                Caller caller(context.gl(), sorter);
                check_counts(context, sorter, caller, {9001, 4097, 2048, 33, 2, 1, 0, 5000}, random());
            }
    }
}

TEST_CASE("larger counts, even and odd, are sorted", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SortSpec spec;
        spec.order.key = KeyType::f32;
        spec.payload = Payload::bytes(4);
        spec.backend = place.backend;
        // One tier sorts the largest count.
        spec.capacity = place.tier == Tier::gl45 ? 1u << 16 : 1u << 14;
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(context.gl(), sorter);
        const auto odd = static_cast<std::uint32_t>(5000 + random() % (spec.capacity - 5000)) | 1u;
        INFO(describe(place));
        check_counts(context, sorter, caller, {spec.capacity, odd, spec.capacity - 1}, seed.value());
    }
}

TEST_CASE("a texture of the sorter's own takes the result", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        for (const Medium input : {Medium::buffer, Medium::texture})
            for (const Layout layout : layouts) {
                SortSpec spec;
                spec.order.key = input == Medium::buffer ? KeyType::f64 : KeyType::u32;
                spec.payload = layout == Layout::row_wise ? Payload::index() : Payload::none();
                spec.backend = place.backend;
                spec.capacity = 1000;
                spec.layout = layout;
                spec.input = input;
                spec.output = Medium::texture;
                spec.own_output = true;
                INFO(describe(place) << ": " << describe(spec));
                Sorter sorter(spec, context.get_proc_address());
                Caller caller(gl, sorter);
                for (const std::uint32_t n : {1000u, 1u, 999u}) {
                    const Sample sample = make_sample(spec, demo::Distribution::special, n, seed.value());
                    const TextureView view = sorter.sort_to_texture(caller.load(sample));
                    CHECK(caller.changed() == "");
                    CHECK(view.layout == layout);
                    CHECK(gl.IsTexture(view.name) == GL_TRUE);

                    const Words texels = texels_of(gl, view);
                    Words found_keys;
                    Words found_values;
                    for (std::uint32_t i = 0; i < n; ++i) {
                        const Texel texel = texel_of({view.layout, view.width}, i);
                        const std::size_t place_of = 4 * (std::size_t{texel.y} * view.width + texel.x);
                        const std::uint32_t words = key_words(spec.order.key);
                        for (std::uint32_t w = 0; w < words; ++w)
                            found_keys.push_back(texels[place_of + w]);
                        found_values.push_back(texels[place_of + words]);
                    }
                    CHECK(difference(sample.sorted_keys, found_keys, "keys") == "");
                    if (spec.payload.kind == Payload::Kind::index)
                        CHECK(difference(sample.sorted_values, found_values, "indices") == "");
                }
            }
        context.require_clean("sort_to_texture");
    }
}

TEST_CASE("repeated runs give the same bits, whatever was sorted in between", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SortSpec spec;
        spec.order.key = KeyType::f32;
        spec.backend = place.backend;
        spec.capacity = 3000;
        INFO(describe(place));
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(context.gl(), sorter);
        const Sample one = make_sample(spec, demo::Distribution::few_distinct, 3000, seed.value());
        const Sample other = make_sample(spec, demo::Distribution::special, 2047, seed.value());
        for (int repeat = 0; repeat < 3; ++repeat) {
            sorter.sort(caller.load(one));
            CHECK(caller.wrong(one) == "");
            sorter.sort(caller.load(other));
            CHECK(caller.wrong(other) == "");
            // A sorted input does not change.
            sorter.sort(caller.arguments());
            Sample sorted = other;
            std::iota(sorted.sorted_values.begin(), sorted.sorted_values.end(), 0u);
            CHECK(caller.wrong(sorted) == "");
        }
        context.require_clean("repeated sorts");
    }
}

TEST_CASE("the shortcuts for buffers sort as the long form does", "[sorter]") {
    TestContext& context = clean_context(Tier::gl33);
    SortSpec spec;
    spec.backend = Backend::fragment;
    spec.capacity = 100;
    const Sample sample = make_sample(spec, demo::Distribution::uniform, 100, 1);
    {
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(context.gl(), sorter);
        const SortArguments& all = caller.load(sample);
        sorter.sort(buffers_of(all).keys, buffers_of(all).values, all.count);
        CHECK(caller.wrong(sample) == "");
    }
    {
        SortSpec keys_only = spec;
        keys_only.payload = Payload::none();
        Sorter sorter(keys_only, context.get_proc_address());
        Caller caller(context.gl(), sorter);
        const SortArguments& all = caller.load(sample);
        sorter.sort(buffers_of(all).keys, all.count);
        CHECK(caller.wrong(sample) == "");
    }
    context.require_clean("shortcuts");
}

TEST_CASE("texture_for gives the shape that the sorter's own streams have", "[sorter]") {
    TestContext& context = clean_context(Tier::gl33);
    for (const Layout layout : layouts) {
        SortSpec spec;
        spec.backend = Backend::fragment;
        spec.capacity = 1000;
        spec.layout = layout;
        const Sorter sorter(spec, context.get_proc_address());
        for (const std::uint32_t count : {0u, 1u, 2u, 31u, 32u, 33u, 999u, 1000u}) {
            const TextureView view = sorter.texture_for(count);
            const Rectangle box = bounding_box({view.layout, view.width}, std::max(count, 1u));
            INFO(to_string(layout) << ", count " << count);
            CHECK(view.name == 0);
            CHECK(view.layout == layout);
            CHECK(box.x1 <= view.width);
            CHECK(box.y1 == view.height);
            if (layout == Layout::row_wise) CHECK(view.width == sorter.texture_for(1000).width);
        }
    }
    context.require_clean("texture_for");
}

/// Whether a large sort of n elements uses the distribution. The largest sorts use fewer distributions.
bool is_leading(demo::Distribution distribution, std::uint32_t n) {
    if (n > 1u << 18)
        return distribution == demo::Distribution::uniform || distribution == demo::Distribution::few_distinct;
    return distribution == demo::Distribution::uniform || distribution == demo::Distribution::sorted ||
           distribution == demo::Distribution::few_distinct || distribution == demo::Distribution::special;
}

TEST_CASE("fragment, compute and cpu agree bit for bit, up to 2^20", "[sorter][slow]") {
    if (skipped_without(Tier::gl45)) return;
    const Seed seed;
    TestContext& context = clean_context(Tier::gl45);
    const GladGLContext& gl = context.gl();
    SortSpec spec;
    spec.order.key = KeyType::f32;
    PlanRequest request;
    request.spec.order.key = spec.order.key;
    CpuSorter cpu(request.spec, request.limits);
    for (const std::uint32_t n : {1u << 10, 1u << 12, 1u << 14, 1u << 16, 1u << 18, 1u << 20}) {
        spec.capacity = n;
        spec.backend = Backend::fragment;
        Sorter fragment(spec, context.get_proc_address());
        spec.backend = Backend::compute;
        Sorter compute(spec, context.get_proc_address());
        for (const demo::Distribution distribution : demo::all_distributions()) {
            if (n > 1u << 16 && !is_leading(distribution, n)) continue;
            INFO("n " << n << ", " << demo::distribution_name(distribution));
            const Words input = demo::make_keys32(distribution, spec.order.key, n, seed.value());
            const auto sort_with = [&](Sorter& sorter) {
                const CallerBuffer key_buffer(gl, input);
                const CallerBuffer value_buffer(gl, Words(n, 0xffffffffu));
                sorter.sort({key_buffer.name()}, {value_buffer.name()}, n);
                return std::pair{key_buffer.read(), value_buffer.read()};
            };
            const auto [fragment_keys, fragment_indices] = sort_with(fragment);
            const auto [compute_keys, compute_indices] = sort_with(compute);
            CHECK(difference(fragment_keys, compute_keys, "keys, fragment, compute") == "");
            CHECK(difference(fragment_indices, compute_indices, "indices, fragment, compute") == "");
            if (n > 1u << 16) {
                // The cpu backend would take too long. The test still checks the order.
                bool right = true;
                for (std::uint32_t i = 0; i < n && right; ++i) {
                    const std::uint32_t index = fragment_indices[i];
                    right = index < n && fragment_keys[i] == input[index];
                    if (i == 0 || !right) continue;
                    const std::uint32_t before = fragment_indices[i - 1];
                    right = key_precedes(spec.order.key, input[before], input[index]) ||
                            (input[before] == input[index] && before < index);
                }
                CHECK(right);
                continue;
            }
            Words cpu_keys = input;
            Words cpu_indices(n);
            cpu.sort(cpu_keys, cpu_indices);
            CHECK(difference(cpu_keys, fragment_keys, "keys, cpu, fragment") == "");
            CHECK(difference(cpu_indices, fragment_indices, "indices, cpu, fragment") == "");
        }
        context.require_clean("agreement");
    }
}

}  // namespace
}  // namespace glsort::test
