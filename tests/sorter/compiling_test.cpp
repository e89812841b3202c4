#include <set>
#include <string>

#include "sorter/gl_spy.h"
#include "sorter/sorting.h"
#include "support/random.h"

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
    for (const Place& place : places_in_turn()) {
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

/// Programs that a draw or a dispatch has used.
struct UsedPrograms {
    GLuint current = 0;
    std::set<GLuint> used;
};

UsedPrograms& programs() {
    static UsedPrograms found;
    return found;
}

void GLAD_API_PTR note_current(GLuint program) {
    programs().current = program;
    GlSpy::gl().UseProgram(program);
}

template <auto member>
struct NotesUse;
template <class... Arguments, void (GLAD_API_PTR* GladGLContext::*member)(Arguments...)>
struct NotesUse<member> {
    static void GLAD_API_PTR call(Arguments... arguments) {
        programs().used.insert(programs().current);
        (GlSpy::gl().*member)(arguments...);
    }
};

void note_uses(GlSpy& spy) {
    programs() = {};
    spy.replace("glUseProgram", &note_current);
    spy.replace("glDrawArrays", &NotesUse<&GladGLContext::DrawArrays>::call);
    spy.replace("glDispatchCompute", &NotesUse<&GladGLContext::DispatchCompute>::call);
    spy.replace("glDispatchComputeIndirect", &NotesUse<&GladGLContext::DispatchComputeIndirect>::call);
}

TEST_CASE("each program is used before a call with textures of the usual shape needs it", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        GlSpy spy(context);
        note_uses(spy);
        SortSpec spec;
        spec.backend = place.backend;
        spec.payload = Payload::bytes(4);
        spec.capacity = 700;
        spec.input = spec.output = Medium::texture;
        Sorter sorter(spec, spy.loader());
        const std::set<GLuint> before = programs().used;
        CHECK(before.size() > 3);
        Caller caller(context.gl(), sorter);
        for (const std::uint32_t count : {700u, 699u, 64u, 1u}) {
            INFO(count << " elements");
            const Sample sample = make_sample(spec, demo::Distribution::uniform, count, seed.value());
            sorter.sort(caller.load(sample));
            CHECK(caller.wrong(sample) == "");
        }
        for (const GLuint program : programs().used) {
            INFO("program " << program);
            CHECK(before.count(program) == 1);
        }
        context.require_clean("uses of programs");
    }
}

}  // namespace
}  // namespace glsort::test
