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

TEST_CASE("sample: any keys, payloads and numbers of samples, with tiles as they are chosen", "[exec][slow]") {
    constexpr std::array types{KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64, KeyType::f64};
    constexpr std::array loads{Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)};
    const Seed seed;
    std::mt19937_64 random(seed.value());
    std::size_t turn = random() % 24;
    in_sampling_tiers([&](TestContext& context, const Limits& limits) {
        for (int i = 0; i < 6; ++i) {
            ++turn;
            ComputeExecutor executor(api_of(context), false);
            PlanRequest request = sampling_request(sample_variants[turn % 3], limits);
            // By digits, where that is possible, and by merges.
            if (i % 2 == 0) request.limits.subgroup_size = 0;
            request.key = types[turn % 6];
            request.payload = loads[turn % 4];
            request.order = random() % 2 == 0 ? Order::ascending : Order::descending;
            request.tile = std::array{0u, 0u, 16u, 128u}[random() % 4];
            // The most that tiles of 16 take.
            request.n = request.tile == 16 ? 200 : 3000 + static_cast<std::uint32_t>(random() % 3000);
            const bool images = request.payload.size <= 4 && !api_of(context)->es;
            request.output = images && turn % 2 == 0 ? Medium::texture : Medium::buffer;
            check_in_lockstep(context, executor, request, any_distribution(random), random());
        }
    });
}

TEST_CASE("sample: by a caller's comparison", "[exec][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_sampling_tiers([&](TestContext& context, const Limits& limits) {
        // Keys that are looked up take a fifth storage block.
        if (limits.storage_blocks < 5) return;
        for (const char* algorithm : sample_variants) {
            ComputeExecutor executor(api_of(context), false);
            PlanRequest request = sampling_request(algorithm, limits);
            request.comparison = comparison_of(comparison_key_bytes[random() % comparison_key_bytes.size()]);
            request.payload = random() % 2 == 0 ? Payload::index() : Payload::bytes(4);
            request.tile = 64;
            for (const std::uint32_t n : {40u, 1500u}) {
                request.n = n;
                check_in_lockstep(context, executor, request, demo::Distribution::few_distinct, random());
            }
        }
    });
}

TEST_CASE("sample:randomized: buckets that outgrow their room", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_sampling_tiers([&](TestContext& context, const Limits& limits) {
        ComputeExecutor executor(api_of(context), false);
        PlanRequest request = sampling_request("sample:randomized", limits);
        // As few samples as there can be, which divide segments badly (exec_cpu/sample_test.cpp counts how often).
        request.tile = 128;
        request.samples = 4;
        request.capacity = 256;
        for (std::uint32_t n = 192; n <= 256; n += 8) {
            request.n = n;
            check_in_lockstep(context, executor, request, demo::Distribution::uniform, random());
        }
    });
}

}  // namespace
}  // namespace glsort::test
