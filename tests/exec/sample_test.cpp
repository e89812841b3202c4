#include <glsort/exec/compute_executor.h>

#include <array>
#include <random>
#include <string>

#include "exec/lockstep.h"
#include "support/random.h"

// The sample sorts on compute, against the cpu after every op.

namespace glsort::test {
namespace {

constexpr std::array sample_variants{"sample", "sample:paper", "sample:randomized"};

/// Calls `check` in every tier that has compute shaders, with what it offers.
template <class Check>
void in_sampling_tiers(const Check& check) {
    for (const Tier tier : available_tiers()) {
        if (backends_of(tier).size() < 2) continue;
        TestContext& context = test::context(tier);
        INFO("tier " << tier_name(tier));
        check(context, gl::query_limits(api_of(context)));
        context.require_clean("sample");
    }
}

PlanRequest sampling_request(const char* algorithm, const Limits& limits) {
    PlanRequest request;
    request.algorithm = algorithm;
    request.backend = Backend::compute;
    request.limits = limits;
    return request;
}

demo::Distribution any_distribution(std::mt19937_64& random) {
    const auto distributions = demo::all_distributions();
    return distributions[random() % distributions.size()];
}

TEST_CASE("sample: after every op compute agrees with the cpu, around tiles and levels", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_sampling_tiers([&](TestContext& context, const Limits& limits) {
        for (const char* algorithm : sample_variants) {
            ComputeExecutor executor(api_of(context), false);
            PlanRequest request = sampling_request(algorithm, limits);
            request.tile = 64;
            request.samples = 16;
            request.order = random() % 2 == 0 ? Order::ascending : Order::descending;
            request.capacity = 3000;
            // A tile; one level, whose last tile has one record, all but one, all; a power of two; three levels.
            for (const std::uint32_t n : {0u, 1u, 2u, 63u, 64u, 65u, 127u, 128u, 512u, 1025u, 3000u}) {
                request.n = n;
                check_in_lockstep(context, executor, request, any_distribution(random), random());
            }
        }
    });
}

}  // namespace
}  // namespace glsort::test
