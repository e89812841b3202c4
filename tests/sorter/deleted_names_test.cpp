#include <array>
#include <set>

#include "sorter/between_calls.h"

/// Calls with names that are deleted.

namespace glsort::test {
namespace {

using Catch::Contains;

/// Deletes one of the names in the arguments.
void delete_name(const GladGLContext& gl, const SortArguments& arguments, std::size_t number) {
    const auto [argument, name] = names_in(arguments)[number];
    const std::string_view what = argument;
    if (what == "keys" || what == "values")
        gl.DeleteBuffers(1, &name);
    else
        gl.DeleteTextures(1, &name);
}

std::vector<std::pair<Way, StatePolicy>> ways_and_policies(const Place& place) {
    std::vector<std::pair<Way, StatePolicy>> all;
    for (const Way& way : ways_of(place))
        for (const StatePolicy policy : {StatePolicy::restore, StatePolicy::caller_resets})
            all.emplace_back(way, policy);
    return all;
}

TEST_CASE("a name that is deleted between steps is refused at the next one", "[sorter]") {
    for (const Place& place : places_in_turn())
        for (const auto& [way, policy] : ways_and_policies(place)) {
            TestContext& context = clean_context(place.tier);
            const GladGLContext& gl = context.gl();
            const SortSpec spec = spec_for(place, way);
            INFO(describe(place) << ": " << describe(spec) << ", policy " << static_cast<int>(policy));
            Sorter sorter(spec, context.get_proc_address(), options_with(policy));
            Stepper stepper(sorter);
            const std::size_t ops = sorter.program(50).ops.size();
            for (std::size_t number = 0; number < 3; ++number)
                for (const std::size_t steps : std::set<std::size_t>{0, 1, ops - 1}) {
                    Caller caller(gl, sorter);
                    const Sample sample = make_sample(spec, demo::Distribution::uniform, 50, 1);
                    const SortArguments& arguments = caller.load(sample);
                    const auto names = names_in(arguments);
                    if (number >= names.size()) continue;
                    INFO(names[number].first << " after " << steps << " of " << ops << " steps");
                    stepper.begin(arguments);
                    for (std::size_t i = 0; i < steps; ++i)
                        stepper.step();
                    delete_name(gl, arguments, number);
                    const std::string gone = name_text(names[number].first, names[number].second) + " is not a";
                    CHECK_THAT(error_of([&] { stepper.step(); }), Contains("Stepper::step: " + gone));
                    CHECK_THAT(error_of([&] { stepper.read(0); }), Contains("Stepper::read: " + gone));
                    CHECK(stepper.steps_done() == steps);
                }
            reset_state(gl);
            // Other names can still be sorted.
            Caller caller(gl, sorter);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, 50, 2);
            sorter.sort(caller.load(sample));
            CHECK(caller.wrong(sample) == "");
            reset_state(gl);
            context.require_clean("names deleted between steps");
        }
}

TEST_CASE("a name that is deleted before a call is refused under both policies", "[sorter]") {
    for (const Place& place : places_in_turn())
        for (const auto& [way, policy] : ways_and_policies(place)) {
            TestContext& context = clean_context(place.tier);
            const GladGLContext& gl = context.gl();
            SortSpec spec = spec_for(place, way);
            spec.max_lists = 2;
            INFO(describe(place) << ": " << describe(spec) << ", policy " << static_cast<int>(policy));
            Sorter sorter(spec, context.get_proc_address(), options_with(policy));
            Stepper stepper(sorter);
            for (std::size_t number = 0; number < 3; ++number) {
                Caller caller(gl, sorter);
                const SortArguments& arguments = caller.load(make_sample(spec, demo::Distribution::uniform, 50, 1));
                const auto names = names_in(arguments);
                if (number >= names.size()) continue;
                INFO(names[number].first);
                delete_name(gl, arguments, number);
                const std::string gone = name_text(names[number].first, names[number].second) + " is not a";
                const std::array<std::uint32_t, 2> lists{20, 30};
                CHECK_THAT(error_of([&] { sorter.sort(arguments); }), Contains("Sorter::sort: " + gone));
                CHECK_THAT(error_of([&] { sorter.merge(arguments, lists); }), Contains("Sorter::merge: " + gone));
                CHECK_THAT(error_of([&] { stepper.begin(arguments); }), Contains("Stepper::begin: " + gone));
                CHECK_THAT(error_of([&] { stepper.begin(arguments, lists); }), Contains("Stepper::begin: " + gone));
                CHECK_THAT(error_of([&] { stepper.step(); }), Contains("no sort has begun"));
            }
            // The calls touched no object, and caused no OpenGL error.
            context.require_clean("names deleted before calls");
            Caller caller(gl, sorter);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, 50, 2);
            sorter.sort(caller.load(sample));
            reset_state(gl);
            CHECK(caller.wrong(sample) == "");
            context.require_clean("a sort after names were refused");
        }
}

}  // namespace
}  // namespace glsort::test
