#include <array>
#include <random>

#include "exec/lockstep.h"
#include "plan/networks/every_network.h"
#include "support/random.h"

namespace glsort::test {
namespace {

TEST_CASE("sorting networks: after every op the backends agree with the cpu", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        for (const Backend backend : backends_of(tier)) {
            const Limits limits = gl::query_limits(api_of(context));
            for (const std::string& algorithm : stepwise_networks()) {
                const auto executor = make_executor(api_of(context), backend);
                PlanRequest request = some_request(random, algorithm, 1, limits);
                request.spec.backend = backend;
                request.spec.layout = random() % 2 == 0 ? Layout::row_wise : Layout::z_order;
                request.spec.capacity = 3000;
                const auto any = static_cast<std::uint32_t>(random() % 3000);
                for (const std::uint32_t n : {1u, 2u, 3u, 7u, 16u, 33u, 255u, 256u, 257u, any + 1}) {
                    request.n = n;
                    check_in_lockstep(context, *executor, request, some_distribution(random), random());
                }
            }
        }
        context.require_clean("sorting networks in lockstep");
    }
}

}  // namespace
}  // namespace glsort::test
