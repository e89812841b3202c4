#include <glsort/gl/capabilities.h>
#include <glsort/gl/subgroups.h>

#include <catch2/catch.hpp>
#include <memory>

#include "exec/lockstep.h"

namespace glsort::test {
namespace {

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

TEST_CASE("radix is right by ballots where KHR subgroups come first", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, const Limits& limits) {
        gl::Api less = *api_of(context);
        less.KHR_shader_subgroup = 0;
        const gl::SubgroupProbe second = gl::probe_subgroups(std::make_shared<const gl::Api>(less));
        // On other devices the radix tests cover subgroups.
        if (second.size == 0 || limits.subgroups == Subgroups::ballot) return;
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
