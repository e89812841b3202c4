#include <glsort/exec/compute_executor.h>

#include <algorithm>
#include <random>

#include "exec/lockstep.h"
#include "support/random.h"

namespace glsort::test {
namespace {

/// A request for a sort by splitters on a GPU with this number of multiprocessors.
PlanRequest splitter_request(std::mt19937_64& random, std::uint32_t n, std::uint32_t multiprocessors, Limits limits) {
    limits.multiprocessors = multiprocessors;
    return some_request(random, "radix:one-sweep", n, limits);
}

/// Calls `check` in every tier whose context can sort by splitters. One executor serves all sorts of a tier, so its
/// scratch keeps what the sort before has left.
template <class Check>
void in_splitter_tiers(const Check& check) {
    in_compute_tiers("splitters", [&](TestContext& context, const Limits& limits) {
        if (limits.subgroup_size == 0 || limits.storage_blocks < 5) return;
        ComputeExecutor executor(api_of(context), {});
        check(context, limits, executor);
    });
}

bool has_splitters(const PlanRequest& request) {
    const StreamProgram program = plan(request);
    return std::any_of(program.ops.begin(), program.ops.end(),
                       [](const Op& op) { return op.kernel->name == "splitter_bucket"; });
}

TEST_CASE("splitters: after every op compute agrees with the cpu, around tiles and samples", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        // Tiles of 256, 512, 1024 and 2048 elements, at most 40 of them. One group sorts up to 8192 elements.
        PlanRequest request = splitter_request(random, 1, 40, limits);
        request.spec.capacity = 40 * 2048;
        for (const std::uint32_t n :
             {8193u, 8449u, 10239u, 10240u, 10241u, 10752u, 20480u, 20481u, 40960u, 40961u, 40u * 2048}) {
            request.n = n;
            CHECK(has_splitters(request));
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

TEST_CASE("splitters: every distribution, on a GPU with many multiprocessors", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        for (const demo::Distribution distribution : demo::all_distributions()) {
            const auto n = static_cast<std::uint32_t>(16385 + random() % 10000);
            const PlanRequest request = splitter_request(random, n, 64, limits);
            CHECK(has_splitters(request));
            check_in_lockstep(context, executor, request, distribution, random());
        }
    });
}

TEST_CASE("splitters: any range of bits, any keys and values", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        for (int i = 0; i < 8; ++i) {
            const auto n = static_cast<std::uint32_t>(8193 + random() % 9000);
            PlanRequest request = splitter_request(random, n, 40, limits);
            CHECK(has_splitters(request));
            request.spec.order.bits = some_bits(random, request.spec.order.key);
            INFO("bits " << request.spec.order.bits.first << " to " << request.spec.order.bits.end);
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

TEST_CASE("splitters: a count on the GPU, from one element to the capacity", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        for (const std::uint32_t count : {1u, 15u, 33u, 511u, 513u, 4000u, 20479u, 20480u}) {
            PlanRequest request = splitter_request(random, 20480, 40, limits);
            request.spec.payload = Payload::index();
            REQUIRE(has_splitters(request));
            StreamProgram program = plan(request);
            // The GPU does not ask whether another program would sort this count faster.
            program.counts->first = 1;
            set_count(program, count);
            INFO("count " << count);
            const StreamContents contents = contents_for(program, some_distribution(random), random());
            const auto mismatch = run_in_lockstep(api_of(context), executor, program, request.limits, contents);
            CHECK((mismatch ? mismatch->text : "") == "");
        }
    });
}

/// Keys whose samples are in dense clusters, so that nearly all keys lie between the samples: sample i of each tile is
/// about i * cluster, and the keys between two samples are larger than sample i of all other tiles.
std::vector<std::uint32_t> keys_between_samples(std::mt19937_64& random, std::uint32_t n, std::uint32_t tile) {
    constexpr std::uint32_t samples = 16;
    constexpr std::uint32_t cluster = 1u << 20;
    const std::uint32_t spacing = tile / samples;
    std::vector<std::uint32_t> keys;
    for (std::uint32_t first = 0; first < n; first += tile) {
        const std::uint32_t number = first / tile;
        const std::uint32_t phase = (number * 0x9e3779b9u >> 16) * spacing >> 16;
        std::vector<std::uint32_t> sorted;
        for (std::uint32_t place = 0; place < std::min(tile, n - first); ++place) {
            // The sample at or before the place.
            const std::uint32_t behind = (place + spacing - phase) / spacing;
            const bool sample = place % spacing == phase;
            sorted.push_back(behind * cluster + (sample ? number : 1000 + static_cast<std::uint32_t>(random() % 5)));
        }
        std::shuffle(sorted.begin(), sorted.end(), random);
        keys.insert(keys.end(), sorted.begin(), sorted.end());
    }
    return keys;
}

TEST_CASE("splitters: a bucket that outgrows its group is merged in global memory", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        for (const Payload payload : {Payload::none(), Payload::bytes(4)}) {
            constexpr std::uint32_t n = 128 * 512;
            PlanRequest request = splitter_request(random, n, 128, limits);
            request.spec.order = {};
            request.spec.payload = payload;
            REQUIRE(has_splitters(request));
            const StreamProgram program = plan(request);
            StreamContents contents = contents_for(program, demo::Distribution::uniform, random());
            const std::vector<std::uint32_t> keys = keys_between_samples(random, n, 512);
            // The largest bucket has nearly all keys between two samples.
            std::copy(keys.begin(), keys.end(), contents.at("keys").begin());
            const auto mismatch = run_in_lockstep(api_of(context), executor, program, request.limits, contents);
            CHECK((mismatch ? mismatch->text : "") == "");
        }
    });
}

}  // namespace
}  // namespace glsort::test
