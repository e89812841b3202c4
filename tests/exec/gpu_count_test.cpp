#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "exec/lockstep.h"
#include "support/random.h"

/// Sorts whose count is on the GPU, in lockstep with the cpu, which knows the count.

namespace glsort::test {
namespace {

std::vector<std::string> algorithms_of(Backend backend) {
    if (backend == Backend::fragment) return {"merge:multiway", "bitonic:step"};
    return {"radix:one-sweep", "radix:reduce-then-scan", "merge:multiway", "bitonic:step"};
}

/// A request that the limits of this context allow, or nothing.
std::optional<PlanRequest> counted_request(std::mt19937_64& random, Backend backend, const std::string& algorithm,
                                           std::uint32_t capacity, const Limits& limits) {
    PlanRequest request = some_request(random, algorithm, capacity, limits);
    request.spec.backend = backend;
    if (backend == Backend::fragment && request.spec.payload == Payload::bytes(12))
        request.spec.payload = Payload::bytes(4);
    request.spec.capacity = capacity;
    request.spec.gpu_count = true;
    request.spec.gpu_count_medium = random() % 2 == 0 ? Medium::buffer : Medium::texture;
    if (algorithm == "radix:one-sweep" && lacks_subgroups(limits)) return std::nullopt;
    return request;
}

TEST_CASE("each op of a sort follows a count on the GPU", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_backends("counts on the GPU", [&](const auto& api, const Limits& limits, Backend backend) {
        for (const std::string& algorithm : algorithms_of(backend))
            for (const std::uint32_t capacity : {1u, 70u, 3000u, 20001u}) {
                // A network has many ops.
                if (algorithm == "bitonic:step" && capacity > 3000) continue;
                const auto request = counted_request(random, backend, algorithm, capacity, limits);
                if (!request) continue;
                const StreamProgram program = plan(*request);
                const auto executor =
                    make_executor(api, backend, random() % 3 == 0 ? 300 : 0, request->spec.gpu_count_medium);
                // The last count is clamped.
                const std::array counts{1u, capacity / 3 + 1, capacity, capacity + 5};
                for (const std::uint32_t count : counts) {
                    const demo::Distribution distribution = some_distribution(random);
                    INFO(algorithm << ", count " << count << " in a " << to_string(request->spec.gpu_count_medium)
                                   << ", capacity " << capacity << ", " << name_of_key(*request) << ", payload "
                                   << to_string(request->spec.payload) << ", "
                                   << demo::distribution_name(distribution));
                    const CountOnGpu on_gpu(api, request->spec.gpu_count_medium, count);
                    check_in_lockstep(api, *executor, program, limits, contents_for(program, distribution, random()),
                                      &on_gpu);
                }
            }
    });
}

}  // namespace
}  // namespace glsort::test
