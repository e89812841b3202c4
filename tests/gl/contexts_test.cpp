#include <glad/gl.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/gl_contexts.h"
#include "support/gl_state_snapshot.h"
#include "support/headless_context.h"
#include "support/random.h"
#include "support/skip.h"

using namespace glsort::test;
using Catch::Contains;
using glsort::demo::Api;
using glsort::demo::HeadlessContext;

namespace {

// The tiers of this driver. All of them, unless a version override is in the environment.
std::vector<Tier> tiers() {
    std::vector<Tier> found;
    for (const Tier tier : all_tiers()) {
        std::string why;
        if (available(tier, &why))
            found.push_back(tier);
        else
            WARN("left out: " << why);
    }
    REQUIRE_FALSE(found.empty());
    return found;
}

std::string string_of(const GLubyte* text) {
    return text != nullptr ? reinterpret_cast<const char*>(text) : "";
}

GLint integer(const GladGLContext& gl, GLenum name) {
    GLint value = -1;
    gl.GetIntegerv(name, &value);
    return value;
}

std::set<std::string> extensions(const GladGLContext& gl) {
    std::set<std::string> names;
    for (GLint i = 0; i < integer(gl, GL_NUM_EXTENSIONS); ++i)
        names.insert(string_of(gl.GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i))));
    return names;
}

void set_source(const GladGLContext& gl, const std::string& source) {
    const GLuint shader = gl.CreateShader(GL_VERTEX_SHADER);
    const char* text = source.c_str();
    gl.ShaderSource(shader, 1, &text, nullptr);
    gl.DeleteShader(shader);
}

std::string value_of(const StateSnapshot& state, std::string_view name) {
    const auto found = std::find_if(state.begin(), state.end(), [&](const auto& entry) { return entry.first == name; });
    return found == state.end() ? "(not there)" : found->second;
}

std::set<std::string> changed_names(const StateSnapshot& before, const StateSnapshot& after) {
    std::set<std::string> names;
    for (const std::string& line : diff(before, after))
        names.insert(line.substr(0, line.find(": ")));
    return names;
}

}  // namespace

// ctest names the tiers that llvmpipe must have. Other tests leave out a tier that is not there.
TEST_CASE("llvmpipe has the tiers that GLSORT_TEST_TIERS lists, and no others", "[gl][tiers]") {
    const std::optional<std::set<Tier>> expected = tiers_listed_in("GLSORT_TEST_TIERS");
    if (!expected) return skip("GLSORT_TEST_TIERS is not set");
    // Other drivers have the tiers that they have, and no variable holds them back.
    if (available(Tier::gl33)) {
        const std::string renderer = string_of(context(Tier::gl33).driver().GetString(GL_RENDERER));
        if (renderer.find("llvmpipe") == std::string::npos) return skip("the list is for llvmpipe, not " + renderer);
    }
    for (const Tier tier : every_tier()) {
        std::string why;
        INFO("tier " << tier_name(tier) << " of GLSORT_TEST_TIERS=" << std::getenv("GLSORT_TEST_TIERS"));
        const bool there = available(tier, &why);
        INFO(why);
        CHECK(there == expected->contains(tier));
    }
}

TEST_CASE("headless contexts of both families live side by side", "[gl]") {
    if (skipped_without(Tier::gl33) || skipped_without(Tier::es30)) return;
    HeadlessContext first({.api = Api::gl, .major = 3, .minor = 3});
    CHECK(first.is_current());
    CHECK(first.version() >= 33);
    CHECK_FALSE(first.renderer().empty());
    CHECK_FALSE(first.platform().empty());
    HeadlessContext second({.api = Api::gles, .major = 3, .minor = 0, .debug = true});
    CHECK(second.is_current());
    CHECK_FALSE(first.is_current());
    CHECK_THAT(second.version_string(), Contains("OpenGL ES 3."));

    first.make_current();
    CHECK(first.is_current());
    {
        const HeadlessContext third = std::move(first);
        CHECK(third.is_current());
        CHECK_FALSE(first.is_current());
    }
    second.release_current();
    second.make_current();
    CHECK(second.is_current());
    second.release_current();
    CHECK_FALSE(second.is_current());
    HeadlessContext fourth({.api = Api::gl, .major = 3, .minor = 3});
    second = std::move(fourth);
    CHECK(second.is_current());
    CHECK(second.api() == Api::gl);
}

TEST_CASE("a context that cannot be had says what was tried", "[gl]") {
    CHECK_THROWS_WITH(HeadlessContext({.api = Api::gl, .major = 9, .minor = 9}),
                      Contains("OpenGL 9.9 core") && Contains("EGL device") && Contains("EGL_BAD") &&
                          Contains("surfaceless platform") && Contains("default display"));
    CHECK_THROWS_WITH(HeadlessContext({.api = Api::gles, .major = 9, .minor = 0}), Contains("OpenGL ES 9.0 context"));
}

TEST_CASE("a tier reports its version and nothing newer", "[gl]") {
    for (const Tier tier : tiers()) {
        CAPTURE(tier_name(tier));
        const GladGLContext& gl = context(tier).gl();
        const int version = tier_version(tier);
        const std::string digits = std::to_string(version / 10) + "." + std::to_string(version % 10);
        const bool es = tier_api(tier) == Api::gles;
        // By the specifications, a release number may follow the version, and then text of the driver.
        const std::string number = es ? "OpenGL ES " + digits : digits;
        CHECK_THAT(string_of(gl.GetString(GL_VERSION)),
                   Catch::StartsWith(number + " ") || Catch::StartsWith(number + "."));
        CHECK(string_of(gl.GetString(GL_SHADING_LANGUAGE_VERSION)) == (es ? "OpenGL ES GLSL ES " : "") + digits + "0");
        CHECK(integer(gl, GL_MAJOR_VERSION) == version / 10);
        CHECK(integer(gl, GL_MINOR_VERSION) == version % 10);

        CHECK((gl.VERSION_3_3 != 0) == !es);
        CHECK((gl.VERSION_4_0 != 0) == (tier == Tier::gl45));
        CHECK((gl.VERSION_4_5 != 0) == (tier == Tier::gl45));
        CHECK(gl.VERSION_4_6 == 0);
        CHECK((gl.ES_VERSION_3_0 != 0) == es);
        CHECK((gl.ES_VERSION_3_1 != 0) == (tier == Tier::es31));
        CHECK(gl.ES_VERSION_3_2 == 0);
        context(tier).require_clean("version queries");
    }
}

TEST_CASE("the loader of a tier gives null for newer functions", "[gl]") {
    struct Row {
        const char* name;
        std::set<Tier> tiers;
    };
    const std::vector<Row> rows = {
        {"glDrawArrays", {Tier::gl45, Tier::gl33, Tier::es30, Tier::es31}},
        {"glGetStringi", {Tier::gl45, Tier::gl33, Tier::es30, Tier::es31}},
        {"glVertexAttribDivisor", {Tier::gl45, Tier::gl33, Tier::es30, Tier::es31}},
        {"glTexBuffer", {Tier::gl45, Tier::gl33}},
        {"glQueryCounter", {Tier::gl45, Tier::gl33}},
        {"glTexStorage2D", {Tier::gl45, Tier::es30, Tier::es31}},
        {"glPauseTransformFeedback", {Tier::gl45, Tier::es30, Tier::es31}},
        {"glDispatchCompute", {Tier::gl45, Tier::es31}},
        {"glMemoryBarrier", {Tier::gl45, Tier::es31}},
        {"glClearDepthf", {Tier::gl45, Tier::es30, Tier::es31}},
        {"glPushDebugGroup", {Tier::gl45}},
        {"glCopyImageSubData", {Tier::gl45}},
        {"glCreateBuffers", {Tier::gl45}},
        {"glSpecializeShader", {}},
    };
    for (const Tier tier : tiers()) {
        context(tier);
        for (const Row& row : rows) {
            CAPTURE(tier_name(tier), row.name);
            const bool found = TestContext::get_proc_address()(row.name) != nullptr;
            CHECK(found == row.tiers.contains(tier));
        }
        // gl45 passes unknown names to EGL, which may return an address for any name.
        if (tier == Tier::gl45) continue;
        for (const char* name : {"glBufferStorageEXT", "glDebugMessageCallbackKHR", "glNoSuch", ""})
            CHECK(TestContext::get_proc_address()(name) == nullptr);
    }
}

TEST_CASE("a tier shows the extensions that were allowed", "[gl]") {
    for (const Tier tier : tiers()) {
        CAPTURE(tier_name(tier));
        TestContext& kept = context(tier);
        const std::set<std::string> names = extensions(kept.gl());
        CHECK(names.contains("GL_GLSORT_test_tier"));
        CHECK((names.size() == 1) == (tier != Tier::gl45));
        CHECK(kept.gl().GetStringi(GL_EXTENSIONS, static_cast<GLuint>(integer(kept.gl(), GL_NUM_EXTENSIONS))) ==
              nullptr);
        CHECK_FALSE(kept.problems().empty());
        kept.clear();

        if (kept.driver().KHR_debug == 0) continue;
        TestContext debug(tier, {"GL_KHR_debug", "GL_no_such_extension"});
        CHECK(extensions(debug.gl()).contains("GL_KHR_debug"));
        CHECK_FALSE(extensions(debug.gl()).contains("GL_no_such_extension"));
        const bool es = tier_api(tier) == Api::gles;
        const auto push = es ? debug.gl().PushDebugGroupKHR : debug.gl().PushDebugGroup;
        const auto pop = es ? debug.gl().PopDebugGroupKHR : debug.gl().PopDebugGroup;
        REQUIRE(push != nullptr);
        push(GL_DEBUG_SOURCE_APPLICATION, 7, -1, "radix pass 3");
        pop();
        const auto& messages = debug.messages();
        CHECK(std::count_if(messages.begin(), messages.end(), [](const DebugMessage& message) {
                  return message.type == GL_DEBUG_TYPE_PUSH_GROUP && message.id == 7 && message.text == "radix pass 3";
              }) == 1);
        debug.require_clean("debug groups");
    }
}

TEST_CASE("errors are collected, reported and forgotten", "[gl]") {
    for (const Tier tier : tiers()) {
        CAPTURE(tier_name(tier));
        TestContext& kept = context(tier);
        kept.require_clean("nothing done");
        kept.gl().Enable(0x1234);
        CHECK_THROWS_WITH(
            kept.require_clean("the culprit"),
            Contains("the culprit, tier " + std::string(tier_name(tier))) && Contains("glGetError: GL_INVALID_ENUM"));
        kept.require_clean("forgotten");
        if (kept.driver().KHR_debug != 0) {
            kept.gl().Enable(0x1234);
            CHECK_THROWS_WITH(kept.require_clean("here"), Contains("debug message: "));
        }
        kept.gl().Enable(0x1234);
        context(tier).require_clean("forgotten by the next user");
    }
}

TEST_CASE("shaders of another version are problems", "[gl]") {
    for (const Tier tier : tiers()) {
        CAPTURE(tier_name(tier));
        TestContext& kept = context(tier);
        const bool es = tier_api(tier) == Api::gles;
        set_source(kept.gl(),
                   es ? "#version 300 es\nvoid main() {}\n" : "// comment\n  #version 330 core\nvoid main() {}\n");
        kept.require_clean("portable shader");
        set_source(kept.gl(), es ? "#version 330 core\n" : "#version 300 es\n");
        CHECK(kept.problems().size() == 1);
        kept.clear();
        set_source(kept.gl(), es ? "#version 320 es\n" : "#version 460 core\n");
        CHECK_THROWS_WITH(kept.require_clean("here"), Contains("glShaderSource: #version"));
        set_source(kept.gl(), "void main() {}\n");
        CHECK_THROWS_WITH(kept.require_clean("here"), Contains("without #version"));
        set_source(kept.gl(), std::string(es ? "#version 300 es\n" : "#version 330\n") +
                                  "#extension GL_KHR_shader_subgroup_basic: require\n");
        CHECK(kept.problems().size() == (tier == Tier::gl45 ? 0 : 1));
        kept.clear();
    }
}

TEST_CASE("limits are lowered until they are not", "[gl]") {
    for (const Tier tier : tiers()) {
        CAPTURE(tier_name(tier));
        TestContext& kept = context(tier);
        const GLint before = integer(kept.gl(), GL_MAX_COLOR_ATTACHMENTS);
        kept.limit(GL_MAX_COLOR_ATTACHMENTS, 1);
        CHECK(integer(kept.gl(), GL_MAX_COLOR_ATTACHMENTS) == 1);
        CHECK(integer(kept.driver(), GL_MAX_COLOR_ATTACHMENTS) == before);
        kept.limit_to_minimum();
        CHECK(integer(kept.gl(), GL_MAX_COLOR_ATTACHMENTS) == (tier_api(tier) == Api::gles ? 4 : 8));
        CHECK(integer(kept.gl(), GL_MAX_TEXTURE_SIZE) <= 16384);
        if (tier == Tier::es31) {
            CHECK(integer(kept.gl(), GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS) == 4);
            GLint size = 0;
            kept.gl().GetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_SIZE, 2, &size);
            CHECK(size <= 64);
            GLint64 shared = 0;
            kept.gl().GetInteger64v(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &shared);
            CHECK(shared == 16384);
        }
        CHECK(integer(context(tier).gl(), GL_MAX_COLOR_ATTACHMENTS) == before);
        kept.require_clean("limits");
    }
}

TEST_CASE("a snapshot of nothing done shows no difference and no error", "[gl]") {
    for (const Tier tier : tiers()) {
        TestContext& kept = context(tier);
        // The functions as the tier sees them, and as the driver has them.
        for (const GladGLContext* gl : {&kept.gl(), &kept.driver()}) {
            CAPTURE(tier_name(tier));
            const StateSnapshot before = take_snapshot(*gl);
            kept.require_clean("take_snapshot");
            CHECK(before.size() > 500);
            std::set<std::string> names;
            for (const auto& entry : before)
                names.insert(entry.first);
            CHECK(names.size() == before.size());
            CHECK(diff(before, take_snapshot(*gl)).empty());
        }
    }
}

TEST_CASE("a snapshot shows single changes", "[gl]") {
    for (const Tier tier : tiers()) {
        CAPTURE(tier_name(tier));
        TestContext& kept = context(tier);
        const GladGLContext& gl = kept.gl();
        GLuint texture = 0;
        GLuint buffer = 0;
        gl.GenTextures(1, &texture);
        gl.GenBuffers(1, &buffer);
        gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl.BufferData(GL_ARRAY_BUFFER, 4096, nullptr, GL_STATIC_DRAW);
        gl.BindBuffer(GL_ARRAY_BUFFER, 0);

        struct Change {
            std::function<void()> make;
            std::set<std::string> names;
        };
        const std::vector<Change> changes = {
            {[&] { gl.Enable(GL_DEPTH_TEST); }, {"GL_DEPTH_TEST"}},
            {[&] { gl.DepthMask(GL_FALSE); }, {"GL_DEPTH_WRITEMASK"}},
            {[&] { gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1); }, {"GL_UNPACK_ALIGNMENT"}},
            {[&] { gl.ActiveTexture(GL_TEXTURE0 + 9); }, {"GL_ACTIVE_TEXTURE"}},
            {[&] { gl.BindTexture(GL_TEXTURE_2D_ARRAY, texture); }, {"GL_TEXTURE_BINDING_2D_ARRAY[9]"}},
            {[&] { gl.BindBuffer(GL_COPY_READ_BUFFER, buffer); }, {"GL_COPY_READ_BUFFER_BINDING"}},
            {[&] { gl.BindBufferRange(GL_UNIFORM_BUFFER, 3, buffer, 256, 512); },
             {"GL_UNIFORM_BUFFER_BINDING", "GL_UNIFORM_BUFFER[3]"}},
            {[&] { gl.BindBufferRange(GL_UNIFORM_BUFFER, 3, buffer, 256, 256); }, {"GL_UNIFORM_BUFFER[3]"}},
            {[&] { gl.VertexAttrib4f(5, 1.0f, 2.0f, 3.0f, 4.0f); }, {"current vertex attribute[5]"}},
            {[&] { gl.StencilMaskSeparate(GL_BACK, 3); }, {"GL_STENCIL_BACK_WRITEMASK"}},
        };
        for (const Change& change : changes) {
            const StateSnapshot before = take_snapshot(gl);
            change.make();
            const StateSnapshot after = take_snapshot(gl);
            CHECK(changed_names(before, after) == change.names);
        }
        gl.StencilMask(0xFF);
        gl.DeleteTextures(1, &texture);
        gl.DeleteBuffers(1, &buffer);
        reset_state(gl);
        kept.require_clean("single changes");
    }
    CHECK(diff({{"a", "1"}, {"b", "2"}}, {{"b", "3"}, {"c", "4"}}) ==
          std::vector<std::string>{"a: 1 -> (not there)", "b: 2 -> 3", "c: (not there) -> 4"});
}

TEST_CASE("a dirty state leaves next to nothing initial, and cleans up", "[gl]") {
    const Seed seed;
    for (const Tier tier : tiers()) {
        for (const bool active : {false, true}) {
            CAPTURE(tier_name(tier), active);
            TestContext& kept = context(tier);
            const GladGLContext& gl = kept.gl();
            // A setter of all viewports would overwrite values that earlier tests left in single viewports.
            reset_state(gl);
            const StateSnapshot before = take_snapshot(kept.driver());
            const StateSnapshot before_by_tier = take_snapshot(gl);
            {
                const DirtyState dirty(gl, seed.value(), {active, active});
                kept.require_clean("DirtyState");
                const StateSnapshot after = take_snapshot(gl);
                const std::set<std::string> changed = changed_names(before_by_tier, after);
                std::vector<std::string> unchanged;
                for (const auto& [name, value] : before_by_tier) {
                    const bool excepted = name.starts_with("GL_DEBUG_") || name.starts_with("GL_DRAW_BUFFER[") ||
                                          name.starts_with("GL_TRANSFORM_FEEDBACK_ACTIVE") ||
                                          name.starts_with("GL_TRANSFORM_FEEDBACK_PAUSED") ||
                                          name.starts_with("active query");
                    if (!changed.contains(name) && !excepted) unchanged.push_back(name);
                }
                CHECK(unchanged.empty());
                CHECK(changed.contains("GL_DRAW_BUFFER[1]"));
                // Without a surface, a context begins with GL_NONE, the value that DirtyState sets. Mesa differs.
                const bool begins_with_none = value_of(before_by_tier, "GL_DRAW_BUFFER[0]") == "0x0";
                CHECK(changed.contains("GL_DRAW_BUFFER[0]") == !begins_with_none);
                CHECK(changed.contains("active query GL_ANY_SAMPLES_PASSED") == active);
                CHECK(changed.contains("GL_TRANSFORM_FEEDBACK_ACTIVE") == (active && tier != Tier::gl33));
            }
            CHECK(diff(before, take_snapshot(kept.driver())) == std::vector<std::string>{});
            kept.require_clean("after DirtyState");
        }
    }
}

TEST_CASE("a dirty state depends on its seed, and on nothing else", "[gl]") {
    TestContext& kept = context(tiers().front());
    const auto settings = [&](std::uint64_t seed) {
        const DirtyState dirty = dirty_state(kept.gl(), seed);
        StateSnapshot state = take_snapshot(kept.gl());
        // Names of objects are the driver's choice.
        std::erase_if(state, [](const auto& entry) {
            return !entry.first.starts_with("GL_") || entry.first.find("_BINDING") != std::string::npos ||
                   entry.first.ends_with("_PROGRAM") || entry.second.starts_with("buffer");
        });
        return state;
    };
    const StateSnapshot first = settings(1);
    CHECK(diff(first, settings(1)).empty());
    CHECK(diff(first, settings(2)).size() > 10);
    kept.require_clean("dirty_state");
}
