#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include <glsort/gl/api.h>
#include <glsort/gl/state_table.h>
#include <glsort/gl_types.h>

#include "check_lockstep.h"
#include "sorter/sorting.h"
#include "support/random.h"
#include "support/skip.h"
#include "support/state_names.h"

namespace glsort::test {
namespace {

/// Media, each with a payload that takes a different path.
struct StateMode {
    Medium input;
    Medium output;
    Payload payload;
    bool own_output = false;
    const char* algorithm = "automatic";
};
constexpr std::array state_modes{
    StateMode{Medium::buffer, Medium::buffer, Payload::none()},
    StateMode{Medium::buffer, Medium::buffer, Payload::index()},
    StateMode{Medium::buffer, Medium::buffer, Payload::bytes(4)},
    StateMode{Medium::buffer, Medium::texture, Payload::index()},
    StateMode{Medium::buffer, Medium::texture, Payload::bytes(4)},
    StateMode{Medium::texture, Medium::texture, Payload::none()},
    StateMode{Medium::texture, Medium::texture, Payload::bytes(4)},
    StateMode{Medium::texture, Medium::texture, Payload::index(), true},
    StateMode{Medium::buffer, Medium::buffer, Payload::bytes(4), false, "abisort"},
};

bool offered(const Place& place, const StateMode& mode) {
    // GPU-ABiSort only if both backends store in place.
    if (mode.algorithm == std::string("abisort") && place.tier != Tier::gl45) return false;
    return mode.output == Medium::buffer || writes_textures(place);
}

SortSpec spec_of(const Place& place, const StateMode& mode, std::uint32_t capacity) {
    SortSpec spec;
    spec.algorithm = mode.algorithm;
    spec.payload = mode.payload;
    spec.backend = place.backend;
    spec.capacity = capacity;
    spec.input = mode.input;
    spec.output = mode.output;
    spec.own_output = mode.own_output;
    return spec;
}

std::string text_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += "\n" + line;
    return text;
}

/// The changes of the state by `action`. Empty if there are none.
template <class Action>
std::string changes(const GladGLContext& gl, const Action& action) {
    const StateSnapshot before = take_snapshot(gl);
    action();
    return text_of(diff(before, take_snapshot(gl)));
}

/// Sorts in all modes from states that `seed` chooses, and checks results and states.
void check_states(TestContext& context, const Place& place, std::uint64_t seed, double share) {
    constexpr std::uint32_t capacity = 601;
    const GladGLContext& gl = context.gl();
    for (std::size_t m = 0; m < state_modes.size(); ++m) {
        if (!offered(place, state_modes[m])) continue;
        SortSpec spec = spec_of(place, state_modes[m], capacity);
        spec.layout = m % 2 == 0 ? Layout::row_wise : Layout::z_order;
        INFO(describe(place) << ": " << describe(spec));
        std::unique_ptr<Sorter> sorter;
        const std::uint64_t mode_seed = seed + m;
        const DirtyOptions options{.active_transform_feedback = m % 2 == 1, .active_query = m % 3 == 1, .share = share};
        {
            const DirtyState dirty(gl, mode_seed, options);
            CHECK(changes(gl, [&] { sorter = std::make_unique<Sorter>(spec, context.get_proc_address()); }) == "");
        }
        Arrangement arrangement;
        if (m % 2 == 1) arrangement.output = TextureView{0, 37, 41, Layout::row_wise};
        Caller caller(gl, *sorter, arrangement);
        for (const std::uint32_t n : {capacity, 256u, 1u, 0u, 333u}) {
            // One tier also sorts a power of two, and sorts after a sort of no elements.
            if (place.tier != Tier::gl45 && (n == 256 || n == 333)) continue;
            const Sample sample = make_sample(spec, demo::Distribution::uniform, n, mode_seed);
            const SortArguments& arguments = caller.load(sample);
            {
                const DirtyState dirty(gl, mode_seed + n, options);
                CHECK(changes(gl, [&] {
                          if (spec.own_output)
                              sorter->sort_to_texture(arguments);
                          else
                              sorter->sort(arguments);
                      }) == "");
            }
            CHECK(caller.wrong(sample, own_texture_of(*sorter)) == "");
            context.require_clean("sort");
            const Sample again = make_sample(spec, demo::Distribution::special, n, mode_seed);
            caller.load(again);
            {
                const DirtyState dirty(gl, mode_seed + n + 1, options);
                CHECK(changes(gl, [&] {
                          Stepper stepper(*sorter);
                          stepper.begin(arguments);
                          while (stepper.step())
                              for (StreamId id = 0; id < 2; ++id)
                                  stepper.read(id);
                      }) == "");
            }
            CHECK(caller.wrong(again, own_texture_of(*sorter)) == "");
            context.require_clean("steps");
        }
        {
            const DirtyState dirty(gl, mode_seed, options);
            CHECK(changes(gl, [&] {
                      sorter->program(17);
                      sorter->texture_for(17);
                      describe_context(context.get_proc_address());
                      sorter.reset();
                  }) == "");
        }
        context.require_clean("state");
    }
}

TEST_CASE("whatever state the caller is in, a sort works and leaves it", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn())
        check_states(clean_context(place.tier), place, seed.value(), 1.0);
}

TEST_CASE("whatever state extensions of an old version bring, a sort works and leaves it", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        if (place.tier == Tier::gl45) continue;  // Tested above.
        TestContext context(place.tier, {"*"});
        check_states(context, place, seed.value(), 1.0);
        // Some settings hide others. With a low share, each setting is sometimes alone.
        check_states(context, place, seed.value() + 1, 0.25);
    }
}

/// Steps in a state that `seed` chooses. Compares the streams after each step with the cpu's.
void check_reads(TestContext& context, const Place& place, std::uint64_t seed) {
    const GladGLContext& gl = context.gl();
    const Limits limits = describe_context(context.get_proc_address()).limits;
    for (std::size_t m = 0; m < state_modes.size(); ++m) {
        if (!offered(place, state_modes[m])) continue;
        const SortSpec spec = spec_of(place, state_modes[m], 100);
        INFO(describe(place) << ": " << describe(spec));
        Sorter sorter(spec, context.get_proc_address());
        Stepper stepper(sorter);
        Caller caller(gl, sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 83, seed + m);
        stepper.begin(caller.load(sample));
        check::Sample contents;
        contents.count = sample.count;
        contents.keys = sample.keys;
        contents.values = sample.values;
        std::uint64_t steps = 0;
        std::string wrong;
        {
            const DirtyState dirty(gl, seed + m, {.active_transform_feedback = m % 2 == 1});
            wrong = check::step_in_lockstep(sorter, stepper, contents, limits, steps);
        }
        CHECK(wrong == "");
        CHECK(steps > 0);
        CHECK(caller.wrong(sample, own_texture_of(sorter)) == "");
        context.require_clean("reads");
    }
}

TEST_CASE("whatever state the caller is in, what is read is what the steps have made", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        check_reads(clean_context(place.tier), place, seed.value());
        if (place.tier == Tier::gl45) continue;
        TestContext context(place.tier, {"*"});
        check_reads(context, place, seed.value() + 100);
    }
}

TEST_CASE("whatever state a compatibility profile is in, a sort works and leaves it", "[sorter]") {
    const Seed seed;
    if (skipped_without(Tier::compat)) return;
    for (const Backend backend : {Backend::fragment, Backend::compute}) {
        TestContext context(Tier::compat);
        check_states(context, {Tier::compat, backend}, seed.value(), 1.0);
        check_states(context, {Tier::compat, backend}, seed.value() + 1, 0.25);
    }
}

TEST_CASE("where nothing can be drawn in a compatibility profile, calls are refused", "[sorter]") {
    if (skipped_without(Tier::compat)) return;
    TestContext context(Tier::compat);
    const GladGLContext& gl = context.gl();
    const auto old_function = [](const char* name) { return demo::HeadlessContext::get_proc_address()(name); };
    const auto render_mode = reinterpret_cast<GLint (*)(GLenum)>(old_function("glRenderMode"));
    const auto select_buffer = reinterpret_cast<void (*)(GLsizei, GLuint*)>(old_function("glSelectBuffer"));
    const auto new_list = reinterpret_cast<void (*)(GLuint, GLenum)>(old_function("glNewList"));
    const auto end_list = reinterpret_cast<void (*)()>(old_function("glEndList"));
    constexpr GLenum render = 0x1C00;
    constexpr GLenum select = 0x1C02;
    constexpr GLenum compile_list = 0x1300;
    std::array<GLuint, 64> names{};
    for (const Backend backend : {Backend::fragment, Backend::compute}) {
        SortSpec spec;
        spec.backend = backend;
        spec.capacity = 100;
        Sorter sorter(spec, context.get_proc_address());
        Stepper stepper(sorter);
        Caller caller(gl, sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 100, 1);
        const auto check_refused = [&](const std::string& part) {
            const auto check = [&](const char* function, const auto& call) {
                INFO(to_string(backend) << " " << function);
                CHECK_THROWS_WITH(call(), Catch::Contains(function) && Catch::Contains(part));
            };
            check("Sorter::sort", [&] { sorter.sort(caller.arguments()); });
            check("Stepper::begin", [&] { stepper.begin(caller.arguments()); });
            check("Sorter::Sorter", [&] { Sorter(spec, context.get_proc_address()); });
            check("describe_context", [&] { describe_context(context.get_proc_address()); });
        };
        caller.load(sample);
        select_buffer(static_cast<GLsizei>(names.size()), names.data());
        render_mode(select);
        check_refused("glRenderMode(GL_RENDER)");
        render_mode(render);
        new_list(7, compile_list);
        check_refused("display list 7");
        end_list();
        CHECK(caller.changed() == "");
        sorter.sort(caller.arguments());
        CHECK(caller.wrong(sample, own_texture_of(sorter)) == "");
        context.require_clean("refusals");
    }
}

TEST_CASE("steps between which the caller's state changes sort all the same", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec = spec_of(place, state_modes[2], 33);
        // merge:multiway has several ops on all devices. The automatic choice may have one.
        spec.algorithm = "merge:multiway";
        Sorter sorter(spec, context.get_proc_address());
        Stepper stepper(sorter);
        Caller caller(gl, sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 33, seed.value());
        stepper.begin(caller.load(sample));
        std::uint64_t turn = seed.value();
        for (bool ran = true; ran;) {
            const DirtyState dirty(gl, ++turn);
            ran = stepper.step();
        }
        INFO(describe(place));
        CHECK(caller.wrong(sample, own_texture_of(sorter)) == "");
        context.require_clean("steps in dirty states");
    }
}

TEST_CASE("the state that a sort changes is said in words", "[sorter]") {
    CHECK(clobbered_state(Backend::cpu).empty());
    for (const Backend backend : {Backend::fragment, Backend::compute}) {
        const auto& words = clobbered_state(backend);
        for (const StateItem& item : state_items()) {
            INFO(item.names);
            CHECK_FALSE(item.origin.empty());
            const bool changed = backend == Backend::fragment ? item.fragment : item.compute;
            CHECK_FALSE((changed && item.precondition));
            const auto is_item = [&](const std::string& text) {
                return text == fmt::format("{} ({})", item.words, item.set_to);
            };
            CHECK(std::ranges::count_if(words, is_item) == (changed ? 1 : 0));
        }
    }
}

/// The rows of the table that the contexts of a driver have, and the settings that tests change there.
struct Reached {
    std::vector<std::string> changed;  ///< Lines of diff().
    std::vector<bool> there;           ///< By row.
};

void reach(TestContext& context, Reached& reached) {
    const GladGLContext& gl = context.gl();
    const std::shared_ptr<gl::Api> api = gl::load_api(context.get_proc_address());
    const std::string vendor = reinterpret_cast<const char*>(gl.GetString(GL_VENDOR));
    const std::string driver = vendor.find("NVIDIA") != std::string::npos ? "NVIDIA" : "Mesa";
    std::size_t number = 0;
    for (const gl::StateRow& row : gl::state_table()) {
        if (gl::has_state(*api, row)) reached.there[number] = true;
        ++number;
        for (const gl::Extension& extension : row.extensions) {
            if (extension.loaded == nullptr || gl.*extension.loaded == 0) continue;
            INFO(extension.name << " is there, and the table does not say so");
            CHECK(extension.drivers.find(driver) != std::string_view::npos);
        }
    }
    const StateSnapshot before = take_snapshot(gl);
    const DirtyState dirty(gl, run_seed(), {.active_transform_feedback = true});
    for (const std::string& line : diff(before, take_snapshot(gl)))
        reached.changed.push_back(line);
}

TEST_CASE("what a sort changes is made hostile wherever a driver has it", "[sorter]") {
    Reached reached;
    reached.there.resize(gl::state_table().size());
    for (const Tier tier : every_tier()) {
        // With a version override, a driver lacks the features of newer versions.
        if (skipped_without(tier)) return;
        TestContext context(tier, {"*"});
        reset_state(context.gl());
        reach(context, reached);
    }
    const std::vector<std::string> known = hostile_extension_names();
    const std::vector<StateItem> items = state_items();
    for (std::size_t i = 0; i < items.size(); ++i) {
        const StateItem& item = items[i];
        if (item.precondition) continue;
        INFO(item.names << " of " << item.origin);
        const auto is_item = [&](const std::string& setting) { return stands_for(item, setting); };
        if (reached.there[i])
            CHECK(std::ranges::any_of(reached.changed, is_item));
        else
            CHECK(std::ranges::any_of(known, is_item));
    }
}

TEST_CASE("the table says which of its state no test reaches", "[sorter]") {
    const std::string text = gl::unreached_state();
    for (const gl::StateRow& row : gl::state_table()) {
        INFO(row.names);
        const bool told = text.find(fmt::format("(`{}`)", row.names)) != std::string::npos;
        CHECK(told == !row.unreached.empty());
        // A precondition has a test of its refusal, or no driver here has it, or its row has a reason.
        const bool is_refused = row.names == "GL_RENDER_MODE" || row.names == "GL_LIST_INDEX";
        const bool is_of_version = row.gl != 0 || row.es != 0;
        if (row.cells == 0 && is_of_version) CHECK(is_refused == row.unreached.empty());
        for (const gl::Extension& extension : row.extensions)
            if (!extension.name.empty() && extension.drivers.empty() && row.unreached.empty())
                CHECK(text.find(extension.name) != std::string::npos);
    }
}

TEST_CASE("where the caller resets, the begin of a sort in steps leaves no program", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SortSpec spec = spec_of(place, state_modes.front(), 100);
        spec.gpu_count = true;
        SorterOptions options;
        options.state = StatePolicy::caller_resets;
        Sorter sorter(spec, context.get_proc_address(), options);
        Caller caller(context.gl(), sorter);
        const CallerBuffer count(context.gl(), {100});
        SortArguments arguments = caller.load(make_sample(spec, demo::Distribution::uniform, 100, 1));
        arguments.count = 0;
        arguments.gpu_count = {count.name(), 0};
        Stepper stepper(sorter);
        stepper.begin(arguments);
        GLint program = 0;
        context.gl().GetIntegerv(GL_CURRENT_PROGRAM, &program);
        CHECK(program == 0);
        reset_state(context.gl());
        context.require_clean("begin");
    }
}

TEST_CASE("where the caller resets, what a sort changes is what clobbered_state names", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        for (const StateMode& mode : state_modes) {
            if (!offered(place, mode)) continue;
            SortSpec spec = spec_of(place, mode, 300);
            SorterOptions options;
            options.state = StatePolicy::caller_resets;
            INFO(describe(place) << ": " << describe(spec));
            std::unique_ptr<Sorter> sorter;
            {
                const DirtyState dirty(gl, seed.value());
                CHECK(changes(gl, [&] {
                          sorter = std::make_unique<Sorter>(spec, context.get_proc_address(), options);
                      }) == "");
            }
            Caller caller(gl, *sorter);
            for (const std::uint32_t n : {300u, 300u, 64u}) {
                const Sample sample = make_sample(spec, demo::Distribution::uniform, n, seed.value());
                const SortArguments& arguments = caller.load(sample);
                {
                    const DirtyState dirty(gl, seed.value() + n);
                    const StateSnapshot before = take_snapshot(gl);
                    if (spec.own_output) {
                        sorter->sort_to_texture(arguments);
                    } else if (n == 64) {
                        Stepper stepper(*sorter);
                        stepper.begin(arguments);
                        while (stepper.step()) {
                            GLint program = 0;
                            gl.GetIntegerv(GL_CURRENT_PROGRAM, &program);
                            CHECK(program == 0);
                        }
                    } else {
                        sorter->sort(arguments);
                    }
                    for (const std::string& line : diff(before, take_snapshot(gl))) {
                        INFO(line);
                        CHECK(is_clobbered(place.backend, line));
                    }
                }
                reset_state(gl);
                CHECK(caller.wrong(sample, own_texture_of(*sorter)) == "");
            }
            context.require_clean("caller_resets");
        }
    }
}

}  // namespace
}  // namespace glsort::test
