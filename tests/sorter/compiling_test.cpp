#include <string>

#include "sorter/gl_spy.h"
#include "sorter/sorting.h"

/// Compilation has two halves. First the driver gets all programs. Then the library asks its first question about a
/// program.

namespace glsort::test {
namespace {

/// The log of calls. L: a program is linked. Q: a question about a shader or a program.
std::string& calls() {
    static std::string text;
    return text;
}

template <auto member>
struct Logged;
template <class Result, class... Arguments, Result (GLAD_API_PTR* GladGLContext::*member)(Arguments...)>
struct Logged<member> {
    static Result GLAD_API_PTR link(Arguments... arguments) {
        calls() += 'L';
        return (GlSpy::gl().*member)(arguments...);
    }
    static Result GLAD_API_PTR ask(Arguments... arguments) {
        calls() += 'Q';
        return (GlSpy::gl().*member)(arguments...);
    }
};

void log_calls(GlSpy& spy) {
    spy.replace("glLinkProgram", &Logged<&GladGLContext::LinkProgram>::link);
    spy.replace("glGetShaderiv", &Logged<&GladGLContext::GetShaderiv>::ask);
    spy.replace("glGetProgramiv", &Logged<&GladGLContext::GetProgramiv>::ask);
    spy.replace("glGetUniformLocation", &Logged<&GladGLContext::GetUniformLocation>::ask);
    // These calls name a program, so a driver may have to wait for the program.
    spy.replace("glUseProgram", &Logged<&GladGLContext::UseProgram>::ask);
}

TEST_CASE("nothing is asked about a program before all programs are given to the driver", "[sorter]") {
    for (const Place& place : all_places()) {
        if (place.tier != Tier::gl33 && place.tier != Tier::gl45) continue;  // The other tiers behave alike.
        for (const Medium medium : {Medium::buffer, Medium::texture}) {
            TestContext& context = clean_context(place.tier);
            GlSpy spy(context);
            log_calls(spy);
            SortSpec spec;
            spec.algorithm = "merge:multiway";
            spec.backend = place.backend;
            spec.payload = Payload::bytes(4);
            spec.capacity = 700;
            spec.max_lists = 8;
            spec.input = spec.output = medium;
            calls().clear();
            Sorter sorter(spec, spy.loader());
            INFO(describe(place) << ", " << (medium == Medium::buffer ? "buffers" : "textures") << ": " << calls());
            // A question about subgroups may come before, with a shader of its own.
            const std::size_t first = calls().find("LL");
            REQUIRE(first != std::string::npos);
            const std::size_t questions = calls().find('Q', first);
            REQUIRE(questions != std::string::npos);
            CHECK(questions - first > 5);
            CHECK(calls().find('L', questions) == std::string::npos);
            context.require_clean("compiling");
        }
    }
}

}  // namespace
}  // namespace glsort::test
