#include <glsort/exec/compute_executor.h>

#include <random>

#include "exec/lockstep.h"
#include "support/random.h"

namespace glsort::test {
namespace {

/// The limits of a context, changed to a GPU whose driver reports the number of multiprocessors.
Limits many_multiprocessors(Limits limits) {
    limits.multiprocessors = 132;
    // No GPU has subgroups like those of a software rasteriser.
    if (limits.software) {
        limits.software = false;
        limits.subgroup_size = 0;
    }
    return limits;
}

TEST_CASE("enumeration sort: compute agrees with the cpu, up to the most elements", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, const Limits& limits) {
        // One executor for all sorts: each sort must reset the counter of groups to zero.
        ComputeExecutor executor(api_of(context), {});
        PlanRequest request = some_request(random, "radix:reduce-then-scan", 1, many_multiprocessors(limits));
        request.spec.capacity = 1u << 15;
        std::size_t enumerated = 0;
        for (const std::uint32_t n : {1u, 2u, 31u, 32u, 33u, 127u, 1000u, 1023u, 1025u, 2048u, 2049u, 4096u, 4097u,
                                      8192u, 8193u, 20000u, 1u << 15}) {
            request.n = n;
            const StreamProgram program = plan(request);
            for (const Op& op : program.ops)
                enumerated += op.kernel->name == "enumeration_sort" ? 1 : 0;
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
        if (limits.storage_blocks >= 5) CHECK(enumerated == 17);
    });
}

TEST_CASE("enumeration sort: any range of bits, any keys and values", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, const Limits& limits) {
        ComputeExecutor executor(api_of(context), {});
        for (int i = 0; i < 8; ++i) {
            const auto n = static_cast<std::uint32_t>(1 + random() % (i < 6 ? 700 : 12000));
            PlanRequest request = some_request(random, "radix:reduce-then-scan", n, many_multiprocessors(limits));
            request.spec.order.bits = some_bits(random, request.spec.order.key);
            INFO("bits " << request.spec.order.bits.first << " to " << request.spec.order.bits.end);
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

}  // namespace
}  // namespace glsort::test
