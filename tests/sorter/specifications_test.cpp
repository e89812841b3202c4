#include <functional>

#include "sorter/between_calls.h"

namespace glsort::test {
namespace {

using Catch::Contains;

TEST_CASE("values that an enumeration does not have are refused, with argument, value and limit", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const auto check = [&](const std::function<void(SortSpec&)>& spoil, const std::vector<std::string>& words) {
            for (const Backend backend : {place.backend, Backend::automatic}) {
                SortSpec spec = small_spec(backend);
                spoil(spec);
                const std::string message = error_of([&] { Sorter(spec, context.get_proc_address()); });
                INFO(describe(place) << ": " << message);
                CHECK_THAT(message, Contains("Sorter::Sorter"));
                for (const std::string& word : words)
                    CHECK_THAT(message, Contains(word));
            }
            context.require_clean("values out of range");
        };
        check([](SortSpec& s) { s.order.key = static_cast<KeyType>(6); }, {"key type 6", "5 (f64)"});
        check([](SortSpec& s) { s.order.key = static_cast<KeyType>(-1); }, {"key type -1", "5 (f64)"});
        check([](SortSpec& s) { s.order.direction = static_cast<Direction>(2); }, {"direction 2", "1 (descending)"});
        check([](SortSpec& s) { s.input = static_cast<Medium>(9); }, {"input 9", "1 (texture)"});
        check([](SortSpec& s) { s.output = static_cast<Medium>(9); }, {"output 9", "1 (texture)"});
        check([](SortSpec& s) { s.layout = static_cast<Layout>(2); }, {"layout 2", "1 (z-order)"});
        check([](SortSpec& s) { s.payload.kind = static_cast<Payload::Kind>(3); }, {"payload kind 3", "2 (bytes)"});
        check([](SortSpec& s) { s.payload = {Payload::Kind::index, 8}; }, {"payload index of 8 bytes", "4"});
        check([](SortSpec& s) { s.payload = {Payload::Kind::index, 0}; }, {"payload index of 0 bytes", "4"});
        check([](SortSpec& s) { s.payload = {Payload::Kind::none, 4}; }, {"payload none of 4 bytes", "0"});
        check([](SortSpec& s) { s.payload = Payload::bytes(0); }, {"payload of 0 bytes", "Payload::none()"});
        check([](SortSpec& s) { s.payload = Payload::bytes(6); }, {"payload of 6 bytes", "multiple of 4"});
    }
    TestContext& context = clean_context(Tier::gl33);
    SorterOptions options;
    options.state = static_cast<StatePolicy>(2);
    CHECK_THAT(error_of([&] { Sorter(small_spec(Backend::automatic), context.get_proc_address(), options); }),
               Contains("Sorter::Sorter: state 2") && Contains("1 (caller_resets)"));
    // A value outside the enumeration of backends.
    SortSpec spec = small_spec(static_cast<Backend>(4));
    CHECK_THAT(error_of([&] { Sorter(spec, context.get_proc_address()); }),
               Contains("backend 4") && Contains("3 (cpu)"));
    context.require_clean("a backend that is none");
}

TEST_CASE("a layout that is none is refused in a view", "[sorter]") {
    TestContext& context = clean_context(Tier::gl33);
    SortSpec spec = small_spec(Backend::fragment);
    spec.input = spec.output = Medium::texture;
    Bench bench(context, spec);
    SortArguments arguments = bench.caller.load(bench.sample(1));
    input_of(arguments).layout = static_cast<Layout>(7);
    CHECK_THAT(error_of([&] { bench.sorter.sort(arguments); }), Contains("Sorter::sort: input.layout 7"));
    context.require_clean("a layout that is none");
}

TEST_CASE("errors name the function that was called", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        SortSpec spec = small_spec(place.backend);
        spec.algorithm = "merge";
        spec.max_lists = 2;
        const bool textures = writes_textures(place);
        if (textures) spec.output = Medium::texture;
        spec.own_output = textures;
        Bench bench(context, spec);
        Sorter& sorter = bench.sorter;
        Stepper& stepper = bench.stepper;
        SortArguments arguments = bench.caller.load(bench.sample(1));
        const std::vector<std::uint32_t> lists{20, 30};
        // The order of the checks is not specified. With several errors, each message has the function's name.
        const auto check_all = [&](const std::string& what) {
            const auto check = [&](const char* function, const auto& call) {
                CHECK_THAT(error_of(call), Contains(std::string(function) + ": ") && Contains(what));
            };
            check("Sorter::sort", [&] { sorter.sort(arguments); });
            check("Stepper::begin", [&] { stepper.begin(arguments); });
            check("Stepper::begin", [&] { stepper.begin(arguments, lists); });
            check("Sorter::merge", [&] { sorter.merge(arguments, lists); });
            if (!textures) return;
            check("Sorter::sort_to_texture", [&] { sorter.sort_to_texture(arguments); });
            check("Sorter::merge_to_texture", [&] { sorter.merge_to_texture(arguments, lists); });
        };
        const SortArguments right = arguments;
        buffers_of(arguments).keys.offset += 2;
        check_all("keys.offset");
        arguments = right;
        buffers_of(arguments).keys.name = 1000000;
        check_all("keys.name 1000000 is not a buffer");
        arguments = right;
        buffers_of(arguments).values.offset = 4000;
        check_all("values at offset 4000");
        const std::vector<std::uint32_t> short_lists{20, 20};
        CHECK_THAT(error_of([&] { sorter.merge(right, short_lists); }), Contains("Sorter::merge: lists add up to 40"));
        if (textures)
            CHECK_THAT(error_of([&] { sorter.merge_to_texture(right, short_lists); }),
                       Contains("Sorter::merge_to_texture: lists add up to 40"));
        context.require_clean("functions in messages");
    }
}

TEST_CASE("what takes compute shaders says so where there are none", "[sorter]") {
    for (const Tier tier : {Tier::gl33, Tier::es30}) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        const std::string version = tier == Tier::gl33 ? "this is OpenGL 3.3" : "this is OpenGL ES 3.0";
        const auto message_for = [&](const std::function<void(SortSpec&)>& change) {
            SortSpec spec = small_spec(Backend::automatic);
            change(spec);
            return error_of([&] { Sorter(spec, context.get_proc_address()); });
        };
        INFO(tier_name(tier));
        CHECK_THAT(message_for([](SortSpec& s) { s.algorithm = "radix"; }),
                   Contains("radix:") && Contains("use backend compute, which needs OpenGL 4.3 or OpenGL ES 3.1") &&
                       Contains(version));
        CHECK_THAT(message_for([](SortSpec& s) { s.algorithm = "sample"; }),
                   Contains("sample:") && Contains("use backend compute, which needs") && Contains(version));
        CHECK_THAT(message_for([](SortSpec& s) { s.tuning.radix.digit_bits = 4; }),
                   Contains("digit_bits 4 requires algorithm radix: ") && Contains(version));
        // The fragment backend may be requested although there are compute shaders.
        CHECK_THAT(
            message_for([](SortSpec& s) {
                s.tuning.radix.digit_bits = 4;
                s.backend = Backend::fragment;
            }),
            Contains("digit_bits 4 requires algorithm radix: ") && Contains("fragment backend; use backend compute"));
        CHECK_THAT(message_for([](SortSpec& s) {
                       s.order.bits = {8, 16};
                       s.algorithm = "abisort";
                   }),
                   Contains("takes no range of bits; merge and radix do"));
        context.require_clean("without compute shaders");
    }
}

TEST_CASE("keys alone may lie in a texture with room for values", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        SortSpec spec = small_spec(place.backend);
        spec.payload = Payload::none();
        spec.input = spec.output = Medium::texture;
        Sorter sorter(spec, context.get_proc_address());
        Arrangement arrangement;
        arrangement.wide_input = true;
        Caller caller(context.gl(), sorter, arrangement);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 50, 1);
        sorter.sort(caller.load(sample));
        CHECK(caller.wrong(sample) == "");
        context.require_clean("keys alone");
    }
}

}  // namespace
}  // namespace glsort::test
