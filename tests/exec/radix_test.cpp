#include <glsort/exec/compute_executor.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

#include "exec/lockstep.h"
#include "support/random.h"

namespace glsort::test {
namespace {

/// A request for a sort by digits on any GPU, even for few elements.
PlanRequest digit_request(std::mt19937_64& random, const char* algorithm, std::uint32_t n, Limits limits) {
    limits.multiprocessors = 0;
    return some_request(random, algorithm, n, limits);
}

TEST_CASE("radix: after every op compute agrees with the cpu, around tiles", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    // On software rasterisers invocations work alone, and on GPUs they share a tile.
    using Kind = std::pair<const char*, bool>;
    in_compute_tiers("radix", [&](TestContext& context, Limits limits) {
        for (const auto& [algorithm, software] :
             {Kind{"radix:reduce-then-scan", true}, Kind{"radix:reduce-then-scan", false},
              Kind{"radix:one-sweep", true}}) {
            if (algorithm == std::string("radix:one-sweep") && limits.subgroup_size == 0) continue;
            limits.software = software;
            INFO("software " << software);
            ComputeExecutor executor(api_of(context), {});
            PlanRequest request = digit_request(random, algorithm, 1, limits);
            request.spec.capacity = 9000;
            for (const std::uint32_t n : {1u, 2u, 511u, 512u, 513u, 2047u, 2048u, 2049u, 4097u, 9000u}) {
                request.n = n;
                // Values above 4 bytes need buffers, and OpenGL ES writes no such images.
                const bool images = request.spec.payload.size <= 4 && !api_of(context)->es;
                request.spec.output = images && n == 9000 ? Medium::texture : Medium::buffer;
                check_in_lockstep(context, executor, request, some_distribution(random), random());
            }
        }
    });
}

TEST_CASE("radix: invocations that work alone, around their parts and with long digits", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, Limits limits) {
        if (!limits.array_stores) return;  // softpipe: docs/driver-faults.md, "Stores to arrays share an index"
        limits.software = true;
        limits.subgroup_size = 0;  // Otherwise one group sorts few elements.
        ComputeExecutor executor(api_of(context), {});
        // 2688 elements are seven whole parts of 384, and 3072 are eight. Digits are long from 2^19 on.
        for (const std::uint32_t n : {2687u, 2688u, 2689u, 3071u, 3072u, 3073u, 3074u, 12289u, (1u << 19) + 3}) {
            const PlanRequest request = digit_request(random, "radix:reduce-then-scan", n, limits);
            const StreamProgram program = plan(request);
            CHECK(std::any_of(program.ops.begin(), program.ops.end(),
                              [](const Op& op) { return op.kernel->name == "radix_scatter_alone"; }));
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

TEST_CASE("radix: sweeps of large tiles, also in parts", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, const Limits& limits) {
        if (limits.subgroup_size == 0) return;
        ComputeExecutor executor(api_of(context), {});
        // The shapes of tiles change behind these numbers on a device that does not report its multiprocessors.
        for (const std::uint32_t n : {(1u << 18) + 1, (1u << 19) + 1, (1u << 22) + 1}) {
            PlanRequest request = digit_request(random, "radix:one-sweep", n, limits);
            request.spec.order.key = n > 1u << 20 ? KeyType::u32 : request.spec.order.key;
            request.spec.payload = n > 1u << 20 ? Payload::none() : request.spec.payload;
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

TEST_CASE("radix: pairs that no storage buffer holds lie in planes between sweeps", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, Limits limits) {
        if (limits.subgroup_size == 0) return;
        ComputeExecutor executor(api_of(context), {});
        const std::uint32_t capacity = 20'000 + static_cast<std::uint32_t>(random() % 30'000);
        limits.storage_bytes = std::uint64_t{8} * capacity - 1;
        for (const KeyType key : {KeyType::u32, KeyType::i32, KeyType::f32}) {
            PlanRequest request = digit_request(random, "radix:one-sweep", capacity, limits);
            request.spec.order.key = key;
            request.spec.payload = random() % 2 == 0 ? Payload::index() : Payload::bytes(4);
            request.spec.capacity = capacity;
            for (const std::uint32_t n : {capacity, 12'000u}) {
                request.n = n;
                check_in_lockstep(context, executor, request, some_distribution(random), random());
            }
        }
    });
}

TEST_CASE("radix: any range of bits, any digit", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, Limits limits) {
        ComputeExecutor executor(api_of(context), {});
        for (int i = 0; i < 6; ++i) {
            limits.software = i % 2 == 0;
            PlanRequest request = digit_request(random, "radix:reduce-then-scan", 5000, limits);
            request.spec.order.bits = some_bits(random, request.spec.order.key);
            request.spec.tuning.radix.digit_bits = 1 + static_cast<std::uint32_t>(random() % 11);
            INFO("bits " << request.spec.order.bits.first << " to " << request.spec.order.bits.end << ", digits of "
                         << request.spec.tuning.radix.digit_bits);
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

TEST_CASE("radix: a sweep that never waits counts the tiles before its own", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, const Limits& limits) {
        if (limits.subgroup_size == 0) return;
        const auto api = api_of(context);
        // More than two blocks of tiles (radix::Status).
        StreamProgram program = plan(digit_request(random, "radix:one-sweep", 80'000, limits));
        std::size_t impatient = 0;
        for (Op& op : program.ops)
            if (op.kernel->name == "radix_sweep") {
                Kernel kernel = *op.kernel;
                for (auto& [name, value] : kernel.defines)
                    if (name == "GLSORT_LONGEST_WAIT") {
                        value = "0u";
                        ++impatient;
                    }
                op.kernel = std::make_shared<Kernel>(std::move(kernel));
            }
        REQUIRE(impatient > 3);
        ComputeExecutor executor(api, {});
        const auto mismatch =
            run_in_lockstep(api, executor, program, limits, contents_for(program, some_distribution(random), random()));
        CHECK((mismatch ? mismatch->text : "") == "");
    });
}

}  // namespace
}  // namespace glsort::test
