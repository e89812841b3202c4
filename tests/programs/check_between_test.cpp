// The actions of glsort check between calls. Also tests that glsort check notices libraries that handle the actions
// wrongly.

#include <catch2/catch.hpp>
#include <string>

#include "check_run.h"

using Catch::StartsWith;
using namespace glsort;
using namespace glsort::check;

namespace {

SortSpec fragment_spec(Medium medium) {
    SortSpec spec;
    spec.algorithm = "bitonic:step";
    spec.backend = Backend::fragment;
    spec.capacity = 60;
    spec.input = spec.output = medium;
    return spec;
}

/// One sorter that sorts twice. The action `between` precedes the second sort.
Round round_with(ContextId context, const SortSpec& spec, Between between, std::uint32_t number = 0,
                 const SorterOptions& options = {}) {
    SorterPlan sorter;
    sorter.tier = context.tier;
    sorter.extensions = context.extensions;
    sorter.spec = spec;
    sorter.options = options;
    sorter.slots = {SlotPlan{}};
    sorter.samples = {{.count = 60, .seed = 7}, {.count = 41, .seed = 8}};
    Call call;
    call.upload = spec.input == Medium::texture ? Upload::sub_image : Upload::sub_data;
    call.reading = spec.input == Medium::texture ? Reading::pixels : Reading::map;
    Visit visit;
    visit.compare = true;
    visit.calls = {call, call};
    visit.calls.back().sample = 1;
    visit.calls.back().between = between;
    visit.calls.back().number = number;
    Round round;
    round.sorters = {sorter};
    round.visits = {visit};
    return round;
}

std::string what_of(const std::optional<Failure>& failure) {
    return failure ? failure->what : "";
}

// Faulty libraries.

PFNGLUSEPROGRAMPROC use_program = nullptr;
PFNGLGETERRORPROC get_error = nullptr;
void GLAD_API_PTR use_program_and_take_error(GLuint program) {
    get_error();
    use_program(program);
}

PFNGLBINDTEXTUREPROC bind_texture = nullptr;
PFNGLTEXPARAMETERIPROC texture_parameter = nullptr;
void GLAD_API_PTR bind_texture_and_set_filter(GLenum target, GLuint texture) {
    bind_texture(target, texture);
    if (texture != 0 && target == GL_TEXTURE_2D) texture_parameter(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
}

PFNGLGETBUFFERPARAMETERI64VPROC buffer_parameter = nullptr;
void GLAD_API_PTR never_mapped(GLenum target, GLenum name, GLint64* value) {
    buffer_parameter(target, name, value);
    if (name == GL_BUFFER_MAPPED) *value = 0;
}

template <class Function>
GlProcedure replaced(const char* name, Function& own, Function with) {
    own = reinterpret_cast<Function>(TestContext::get_proc_address()(name));
    return reinterpret_cast<GlProcedure>(with);
}

GlProcedure takes_errors(const char* name) {
    get_error = reinterpret_cast<PFNGLGETERRORPROC>(TestContext::get_proc_address()("glGetError"));
    if (name == std::string("glUseProgram")) return replaced(name, use_program, &use_program_and_take_error);
    return TestContext::get_proc_address()(name);
}
GlProcedure sets_filters(const char* name) {
    texture_parameter = reinterpret_cast<PFNGLTEXPARAMETERIPROC>(TestContext::get_proc_address()("glTexParameteri"));
    if (name == std::string("glBindTexture")) return replaced(name, bind_texture, &bind_texture_and_set_filter);
    return TestContext::get_proc_address()(name);
}
GlProcedure knows_no_mapping(const char* name) {
    if (name == std::string("glGetBufferParameteri64v")) return replaced(name, buffer_parameter, &never_mapped);
    return TestContext::get_proc_address()(name);
}

}  // namespace

TEST_CASE("all that an application may do between calls is done, and borne", "[programs]") {
    Contexts contexts({Tier::gl33, Tier::es30});
    Totals totals;
    Runner runner(contexts, totals);
    for (const Offer& offer : contexts.offers())
        for (const Medium medium : {Medium::buffer, Medium::texture}) {
            SortSpec spec = fragment_spec(medium);
            for (std::size_t i = 0; i < betweens; ++i) {
                const auto between = static_cast<Between>(i);
                if (between == Between::mapped && medium == Medium::texture) continue;
                INFO(name_of(offer.context()) << ": " << to_string(between));
                SorterOptions options;
                options.debug_groups = between == Between::full_groups;
                for (const std::uint32_t number : {0u, 1u, 4u, 5u})
                    CHECK(what_of(runner.run(round_with(offer.context(), spec, between, number, options))) == "");
            }
        }
    CHECK(totals.refused_calls > 4 * contexts.offers().size());
    for (const Farewell farewell : {Farewell::own_context, Farewell::other_context, Farewell::no_context,
                                    Farewell::abandoned, Farewell::context_gone})
        for (const Offer& offer : contexts.offers()) {
            INFO(name_of(offer.context()) << ": " << to_string(farewell));
            Round round = round_with(offer.context(), fragment_spec(Medium::buffer), Between::nothing);
            round.sorters.front().farewell = farewell;
            round.sorters.front().born_with_error = true;
            CHECK(what_of(runner.run(round)) == "");
        }
}

TEST_CASE("a library that takes an error, changes a texture or sorts a mapped buffer is found out", "[programs]") {
    struct Case {
        demo::GetProcAddress library;
        Medium medium;
        Between between;
        const char* what;
    };
    for (const Case& each :
         {Case{&takes_errors, Medium::buffer, Between::pending_error, "pending error: "},
          Case{&sets_filters, Medium::texture, Between::nothing, "texture changed by sort: input texture: parameter"},
          Case{&knows_no_mapping, Medium::buffer, Between::mapped, "refusal: a mapped buffer was accepted"}}) {
        Contexts contexts({Tier::gl33}, each.library);
        if (contexts.offers().empty()) return;
        Totals totals;
        Runner runner(contexts, totals);
        CHECK_THAT(what_of(runner.run(round_with(Tier::gl33, fragment_spec(each.medium), each.between))),
                   StartsWith(each.what));
    }
}

TEST_CASE("a context that hides extensions has a twin that shows them", "[programs]") {
    Contexts contexts({Tier::gl33});
    if (contexts.offers().empty()) return;
    REQUIRE(contexts.offers().size() == 2);
    const auto extensions_of = [&](ContextId id) {
        GLint count = 0;
        contexts.use(id).gl().GetIntegerv(GL_NUM_EXTENSIONS, &count);
        return count;
    };
    CHECK(extensions_of(Tier::gl33) == 1);
    CHECK(extensions_of({Tier::gl33, true}) > 1);
    CHECK(name_of({Tier::gl33, true}) == "gl33 with extensions");
}
