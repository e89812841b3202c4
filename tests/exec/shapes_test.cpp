#include <random>

#include "exec/lockstep.h"
#include "support/random.h"

// Textures of the caller may change their shape from one call to the next. Ops that read or write them are then
// resolved anew, after other objects were bound.

namespace glsort::test {
namespace {

TEST_CASE("a result texture of another shape moves no buffer", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_tiers(available_tiers(), "textures of several shapes", [&](TestContext& context, const Limits& limits) {
        const auto api = api_of(context);
        for (const Backend backend : backends_of(context.tier())) {
            if (backend == Backend::compute && api->es) continue;  // Its shaders write no textures of one word.
            const auto executor = make_executor(api, backend);
            PlanRequest request;
            request.spec.backend = backend;
            request.spec.layout = Layout::row_wise;
            request.spec.algorithm = "bitonic:step";
            request.spec.payload = Payload::bytes(4);
            request.spec.input = Medium::buffer;
            request.spec.output = Medium::texture;
            request.limits = limits;
            // Each capacity has a texture of its own width.
            for (const std::uint32_t capacity : {33u, 5000u, 2u, 300u}) {
                request.spec.capacity = capacity;
                request.n = std::min(capacity, 40u);
                check_in_lockstep(context, *executor, request, some_distribution(random), random());
            }
        }
    });
}

}  // namespace
}  // namespace glsort::test
