#include <glsort/gl/capabilities.h>
#include <glsort/gl/subgroups.h>

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exec/lockstep.h"

namespace glsort::test {
namespace {

/// Whether the driver promises all that the probe needs of an extension.
bool promises(const gl::Api& api, Subgroups extension) {
    if (extension == Subgroups::ballot) return api.ARB_shader_ballot != 0 && api.ARB_gpu_shader_int64 != 0;
    if (api.KHR_shader_subgroup == 0) return false;
    constexpr GLint needed = GL_SUBGROUP_FEATURE_BASIC_BIT_KHR | GL_SUBGROUP_FEATURE_BALLOT_BIT_KHR |
                             GL_SUBGROUP_FEATURE_SHUFFLE_BIT_KHR | GL_SUBGROUP_FEATURE_ARITHMETIC_BIT_KHR;
    GLint stages = 0;
    GLint features = 0;
    api.GetIntegerv(GL_SUBGROUP_SUPPORTED_STAGES_KHR, &stages);
    api.GetIntegerv(GL_SUBGROUP_SUPPORTED_FEATURES_KHR, &features);
    return (stages & GL_COMPUTE_SHADER_BIT) != 0 && (features & needed) == needed;
}

// Most tests of radix sort need subgroups, and apply nowhere if the probe finds none. A GPU may have subgroups of a
// size that the library does not take. Software rasterisers have subgroups as wide as a vector of the CPU.
TEST_CASE("the probe finds the subgroups that a software rasteriser promises", "[gl]") {
    in_compute_tiers("subgroups", [](TestContext& context, const Limits& limits) {
        if (!limits.software) return;
        const auto api = api_of(context);
        const bool ballot = promises(*api, Subgroups::ballot);
        const bool khr = promises(*api, Subgroups::khr);
        INFO(reinterpret_cast<const char*>(context.gl().GetString(GL_RENDERER))
             << ", ballot " << ballot << ", KHR " << khr);
        if (ballot || khr) CHECK(limits.subgroup_size != 0);
        if (!ballot) return;
        gl::Api less = *api;
        less.KHR_shader_subgroup = 0;
        const gl::SubgroupProbe probe = gl::probe_subgroups(std::make_shared<const gl::Api>(less));
        CHECK(probe.size != 0);
        CHECK(probe.extension == Subgroups::ballot);
    });
}

TEST_CASE("subgroups are those of the extension that was probed", "[gl]") {
    in_compute_tiers("subgroups", [](TestContext& context, const Limits& limits) {
        const auto api = api_of(context);
        const gl::SubgroupProbe probe = gl::probe_subgroups(api);
        CHECK(probe.size == limits.subgroup_size);
        CHECK((probe.size == 0) == (probe.extension == Subgroups::none));
        CHECK(probe.extension == limits.subgroups);
        if (probe.extension == Subgroups::ballot) CHECK(limits.software);

        gl::Api less = *api;
        less.KHR_shader_subgroup = 0;
        const gl::SubgroupProbe second = gl::probe_subgroups(std::make_shared<const gl::Api>(less));
        CHECK(second.extension != Subgroups::khr);
        CHECK((second.size == 0) == (second.extension == Subgroups::none));
        less.ARB_shader_ballot = 0;
        CHECK(gl::probe_subgroups(std::make_shared<const gl::Api>(less)).size == 0);
    });
}

// Functions in place of the driver's have no state of their own.
PFNGLSHADERSOURCEPROC drivers_shader_source = nullptr;
const std::pair<std::string, std::string>* fault = nullptr;
std::size_t faults = 0;

void GLAPIENTRY faulty_shader_source(GLuint shader, GLsizei count, const GLchar* const* texts, const GLint* lengths) {
    std::string text = texts[0];
    const std::size_t place = text.find(fault->first);
    if (place != std::string::npos) {
        text.replace(place, fault->first.size(), fault->second);
        ++faults;
    }
    const GLchar* const pointer = text.c_str();
    drivers_shader_source(shader, count, &pointer, lengths);
}

TEST_CASE("the probe notices each operation that goes wrong", "[gl]") {
    const std::vector<std::pair<std::string, std::string>> khr_faults = {
        {"subgroupBallot(value(i) < 3u)", "subgroupBallot(value(i) < 2u)"},
        {"subgroupShuffle(value(i), gl_SubgroupInvocationID ^ 1u)", "subgroupShuffle(value(i), 0u)"},
        {"subgroupExclusiveAdd(value(i))", "subgroupInclusiveAdd(value(i))"},
        {"subgroupAdd(value(i))", "subgroupMax(value(i))"},
        {"subgroupMax(value(i))", "subgroupMin(value(i))"},
        {"gl_SubgroupInvocationID, gl", "gl_SubgroupInvocationID ^ 1u, gl"},
    };
    const std::vector<std::pair<std::string, std::string>> ballot_faults = {
        {"ballotARB(value(i) < 3u)", "ballotARB(value(i) < 2u)"},
        {"readInvocationARB(value(i), 1u)", "readInvocationARB(value(i), 2u)"},
        {"gl_SubGroupInvocationARB, gl", "gl_SubGroupInvocationARB ^ 1u, gl"},
    };
    in_compute_tiers("subgroups", [&](TestContext& context, const Limits& limits) {
        if (limits.subgroup_size == 0) return leave_out("no subgroups");
        gl::Api faulty = *api_of(context);
        if (limits.subgroups == Subgroups::khr) faulty.ARB_shader_ballot = 0;
        drivers_shader_source = faulty.ShaderSource;
        faulty.ShaderSource = faulty_shader_source;
        for (const auto& made : limits.subgroups == Subgroups::khr ? khr_faults : ballot_faults) {
            fault = &made;
            faults = 0;
            CAPTURE(made.first);
            CHECK(gl::probe_subgroups(std::make_shared<const gl::Api>(faulty)).size == 0);
            CHECK(faults == 1);
        }
    });
}

const GLubyte* GLAPIENTRY another_vendor(GLenum) {
    return reinterpret_cast<const GLubyte*>("Intel");
}

std::size_t shaders_made = 0;
GLuint GLAPIENTRY no_shader(GLenum) {
    ++shaders_made;
    return 0;
}

TEST_CASE("KHR subgroups count for nothing where shaders may differ in the size", "[gl]") {
    in_compute_tiers("subgroups", [&](TestContext& context, const Limits&) {
        gl::Api other = *api_of(context);
        other.KHR_shader_subgroup = 1;
        other.GetString = another_vendor;
        other.CreateShader = no_shader;
        shaders_made = 0;
        CHECK(gl::probe_subgroups(std::make_shared<const gl::Api>(other)).size == 0);
        CHECK(shaders_made == 0);
    });
}

TEST_CASE("radix is right by ballots where KHR subgroups come first", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, const Limits& limits) {
        gl::Api less = *api_of(context);
        less.KHR_shader_subgroup = 0;
        const gl::SubgroupProbe second = gl::probe_subgroups(std::make_shared<const gl::Api>(less));
        // On other devices the radix tests cover subgroups.
        if (second.size == 0) return leave_out("no subgroups by ballots");
        if (limits.subgroups == Subgroups::ballot) return;
        PlanRequest request = some_request(random, "radix:reduce-then-scan", 5000, limits);
        request.limits.subgroup_size = second.size;
        request.limits.subgroups = second.extension;
        request.limits.multiprocessors = 0;
        ComputeExecutor executor(api_of(context), {});
        check_in_lockstep(context, executor, request, some_distribution(random), random());
    });
}

}  // namespace
}  // namespace glsort::test
