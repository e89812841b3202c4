#include <glsort/exec/compute_executor.h>

#include <random>

#include "exec/lockstep.h"
#include "support/random.h"

namespace glsort::test {
namespace {

TEST_CASE("padding between the elements of streams changes nothing that is sorted", "[exec][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("padding", [&](TestContext& context, const Limits& limits) {
        const auto api = api_of(context);
        ComputeExecutor executor(api, {});
        for (const char* algorithm :
             {"radix:reduce-then-scan", "radix:one-sweep", "merge", "bitonic:local", "sample"}) {
            if (algorithm == std::string("radix:one-sweep") && lacks_subgroups(limits)) continue;
            StreamProgram program = plan(some_request(random, algorithm, 9000, limits));
            for (Stream& stream : program.streams)
                if (stream.role == StreamRole::scratch) stream.padding = some_padding(random);
            INFO(algorithm);
            check_in_lockstep(api, executor, program, limits,
                              contents_for(program, some_distribution(random), random()));
        }
    });
}

TEST_CASE("padding between the elements of halves changes nothing that is sorted", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("padding", [&](TestContext& context, const Limits& limits) {
        if (lacks_subgroups(limits)) return;
        const auto api = api_of(context);
        ComputeExecutor executor(api, {});
        constexpr std::uint32_t n = 30'000;
        PlanRequest request = some_request(random, "radix:one-sweep", n, limits);
        // Planned for buffers that are too small for pairs. Halves with padding are larger, so they run within the
        // context's own limits.
        request.limits.multiprocessors = 0;
        request.limits.storage_bytes = std::uint64_t{8} * n - 1;
        request.spec.order.key = KeyType::f32;
        request.spec.payload = Payload::bytes(4);
        StreamProgram program = plan(request);
        int halves = 0;
        for (Stream& stream : program.streams)
            if (stream.name.ends_with("_half")) {
                stream.padding = {1u << random() % 8, 1 + static_cast<std::uint32_t>(random() % 8)};
                ++halves;
            }
        REQUIRE(halves == 2);
        check_in_lockstep(api, executor, program, limits, contents_for(program, some_distribution(random), random()));
    });
}

}  // namespace
}  // namespace glsort::test
