#include <random>

#include "exec/lockstep.h"
#include "support/random.h"

namespace glsort::test {
namespace {

TEST_CASE("bitonic in shared memory: after every op compute agrees with the cpu, small tiles", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("bitonic in small tiles", [&](TestContext& context, const Limits& limits) {
        ComputeExecutor executor(api_of(context), {});
        for (const std::uint32_t tile : {4u, 16u, 64u}) {
            PlanRequest request = some_request(random, "bitonic:local", 1, limits);
            request.spec.tuning.networks.tile = tile;
            request.spec.capacity = 64 * tile;
            const auto any = static_cast<std::uint32_t>(random() % request.spec.capacity);
            for (const std::uint32_t n : {1u, 2u, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 1, 17 * tile, any + 1,
                                          request.spec.capacity}) {
                request.n = n;
                INFO("tile " << tile);
                check_in_lockstep(context, executor, request, some_distribution(random), random());
            }
        }
    });
}

TEST_CASE("bitonic in shared memory: after every op compute agrees with the cpu, its own tile", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("bitonic in large tiles", [&](TestContext& context, const Limits& limits) {
        ComputeExecutor executor(api_of(context), {});
        PlanRequest request = some_request(random, "bitonic:local", 1, limits);
        request.spec.capacity = 20000;
        for (const std::uint32_t n : {1u, 100u, 1025u, 4095u, 4096u, 4097u, 20000u}) {
            request.n = n;
            // Values above 4 bytes need buffers, and OpenGL ES writes no such images.
            const bool images = request.spec.payload.size <= 4 && !api_of(context)->es;
            request.spec.output = images && n == 20000 ? Medium::texture : Medium::buffer;
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

// Every number of windows per tile, and last windows that overlap.
TEST_CASE("bitonic in shared memory: tiles of every size", "[exec][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("bitonic in tiles of every size", [&](TestContext& context, const Limits& limits) {
        ComputeExecutor executor(api_of(context), {});
        for (std::uint32_t tile = 4; tile <= 1024; tile *= 2) {
            PlanRequest request = some_request(random, "bitonic:local", 1, limits);
            request.spec.tuning.networks.tile = tile;
            request.spec.capacity = 1u << 14;
            for (const std::uint32_t n : {5 * tile + 3, 1u << 13, request.spec.capacity}) {
                request.n = n;
                INFO("tile " << tile);
                check_in_lockstep(context, executor, request, some_distribution(random), random());
            }
        }
    });
}

}  // namespace
}  // namespace glsort::test
