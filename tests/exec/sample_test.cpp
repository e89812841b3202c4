#include <glsort/exec/compute_executor.h>

#include <array>
#include <random>
#include <string>

#include "exec/lockstep.h"
#include "support/dividing_keys.h"
#include "support/outgrown_cases.h"
#include "support/random.h"

// The sample sorts on compute, compared with the cpu after every op.

namespace glsort::test {
namespace {

constexpr std::array sample_variants{"sample", "sample:paper", "sample:randomized"};

PlanRequest sampling_request(const char* algorithm, const Limits& limits) {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.spec.backend = Backend::compute;
    request.limits = limits;
    return request;
}

TEST_CASE("sample: after every op compute agrees with the cpu, around tiles and levels", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("sample", [&](TestContext& context, const Limits& limits) {
        for (const char* algorithm : sample_variants) {
            ComputeExecutor executor(api_of(context), {});
            PlanRequest request = sampling_request(algorithm, limits);
            request.spec.tuning.sample.tile = 64;
            request.spec.tuning.sample.samples = 16;
            request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
            request.spec.capacity = 3000;
            // One tile; one level, whose last tile has one record, all but one, or all; a power of two; three levels.
            for (const std::uint32_t n : {0u, 1u, 2u, 63u, 64u, 65u, 127u, 128u, 512u, 1025u, 3000u}) {
                request.n = n;
                check_in_lockstep(context, executor, request, some_distribution(random), random());
            }
        }
    });
}

TEST_CASE("sample: any keys, payloads and numbers of samples, with tiles as they are chosen", "[exec][slow]") {
    constexpr std::array types{KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64, KeyType::f64};
    constexpr std::array loads{Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)};
    const Seed seed;
    std::mt19937_64 random(seed.value());
    std::size_t turn = random() % 24;
    in_compute_tiers("sample", [&](TestContext& context, const Limits& limits) {
        for (int i = 0; i < 6; ++i) {
            ++turn;
            ComputeExecutor executor(api_of(context), {});
            PlanRequest request = sampling_request(sample_variants[turn % 3], limits);
            // By digits if possible, and by merges.
            if (i % 2 == 0) request.limits.subgroup_size = 0;
            request.spec.order.key = types[turn % 6];
            request.spec.payload = loads[turn % 4];
            request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
            request.spec.tuning.sample.tile = std::array{0u, 0u, 16u, 128u}[random() % 4];
            // The largest count for tiles of 16.
            request.n =
                request.spec.tuning.sample.tile == 16 ? 200 : 3000 + static_cast<std::uint32_t>(random() % 3000);
            const bool images = request.spec.payload.size <= 4 && !api_of(context)->es;
            request.spec.output = images && turn % 2 == 0 ? Medium::texture : Medium::buffer;
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

TEST_CASE("sample: by a caller's comparison", "[exec][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("sample", [&](TestContext& context, const Limits& limits) {
        // Keys that are looked up take a fifth storage block.
        if (limits.storage_blocks < 5) return;
        for (const char* algorithm : sample_variants) {
            ComputeExecutor executor(api_of(context), {});
            PlanRequest request = sampling_request(algorithm, limits);
            request.spec.order.comparison = comparison_of(comparison_key_bytes[random() % comparison_key_bytes.size()]);
            request.spec.payload = random() % 2 == 0 ? Payload::index() : Payload::bytes(4);
            request.spec.tuning.sample.tile = 64;
            for (const std::uint32_t n : {40u, 1500u}) {
                request.n = n;
                check_in_lockstep(context, executor, request, demo::Distribution::few_distinct, random());
            }
        }
    });
}

TEST_CASE("sample: buckets that outgrow a tile are divided again", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("sample", [&](TestContext& context, const Limits& limits) {
        // Tiles by digits and samples by sweeps, which a software rasteriser would not get by default; and by merges.
        for (const bool digits : {true, false}) {
            ComputeExecutor executor(api_of(context), {});
            PlanRequest request = sampling_request("sample", limits);
            if (!digits) request.limits.subgroup_size = 0;
            request.limits.look_back = digits && limits.subgroup_size != 0 ? 1 : 0;
            request.spec.payload = random() % 2 == 0 ? Payload::bytes(4) : Payload::none();
            request.spec.tuning.sample.tile = 256;
            request.spec.tuning.sample.samples = 16;
            request.spec.capacity = 32 * 256;
            request.n = request.spec.capacity;
            const StreamProgram program = plan(request);
            StreamContents contents = contents_for(program, demo::Distribution::uniform, random());
            contents.at("keys") = badly_dividing_keys(32, 256, 16, random);
            check_in_lockstep(api_of(context), executor, program, request.limits, contents);
            for (const std::uint32_t n : {32u * 256, 6001u, 4097u}) {
                request.n = n;
                check_in_lockstep(context, executor, request, some_distribution(random), random());
            }
        }
    });
}

TEST_CASE("sample:randomized: buckets that outgrow their room", "[exec]") {
    const Seed seed;
    in_compute_tiers("sample", [&](TestContext& context, const Limits& limits) {
        ComputeExecutor executor(api_of(context), {});
        // exec_cpu/sample_test.cpp checks that these buckets outgrow their room.
        for (const OutgrownCase& bad : outgrown_cases()) {
            PlanRequest request = sampling_request("sample:randomized", limits);
            request.spec.tuning.sample.tile = bad.tile;
            request.spec.tuning.sample.samples = 4;
            request.spec.capacity = 4 * bad.tile;
            request.n = bad.n;
            check_in_lockstep(context, executor, request, bad.distribution, seed.value());
        }
    });
}

}  // namespace
}  // namespace glsort::test
