#include <glsort/exec/compute_executor.h>

#include <algorithm>
#include <random>

#include "exec/lockstep.h"
#include "support/fewer_modes.h"
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
        if (lacks_subgroups(limits)) return;
        if (limits.storage_blocks < 8) return leave_out(fmt::format("{} storage blocks of 8", limits.storage_blocks));
        ComputeExecutor executor(api_of(context), {});
        check(context, limits, executor);
    });
}

bool has_splitters(const PlanRequest& request) {
    const StreamProgram program = plan(request);
    return std::any_of(program.ops.begin(), program.ops.end(),
                       [](const Op& op) { return op.kernel->name == "splitter_bucket"; });
}

/// From this count on, codes of one word share it with the numbers of elements (`SplitterGroups::one_word`).
constexpr std::uint32_t more_than_numbered = (1u << 16) + 1;

TEST_CASE("splitters: after every op compute agrees with the cpu, around tiles and samples", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        // Tiles of 512 and of 1024 elements. Up to 8192 elements need no tiles.
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

TEST_CASE("splitters: any distribution, on a GPU with many multiprocessors", "[exec][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        for (const demo::Distribution distribution : demo::all_distributions()) {
            // Half of them, by the seed.
            if (random() % 2 == 0) continue;
            const std::uint32_t least = random() % 4 == 0 ? more_than_numbered : 16385;
            const auto n = static_cast<std::uint32_t>(least + random() % 10000);
            const PlanRequest request = splitter_request(random, n, 64, limits);
            CHECK(has_splitters(request));
            check_in_lockstep(context, executor, request, distribution, random());
        }
    });
}

TEST_CASE("splitters: any range of bits, any keys and values", "[exec][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        for (int i = 0; i < (fewer_modes ? 3 : 8); ++i) {
            const auto n = static_cast<std::uint32_t>(8193 + random() % 9000);
            PlanRequest request = splitter_request(random, n, 40, limits);
            CHECK(has_splitters(request));
            request.spec.order.bits = some_bits(random, request.spec.order.key);
            INFO("bits " << request.spec.order.bits.first << " to " << request.spec.order.bits.end);
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

TEST_CASE("splitters: a count on the GPU, from one element to the capacity", "[exec][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        for (const std::uint32_t count : {1u, 15u, 33u, 511u, 513u, 4000u, 20479u, 20480u}) {
            PlanRequest request = splitter_request(random, 20480, 40, limits);
            request.spec.payload = Payload::index();
            request.spec.gpu_count = true;
            REQUIRE(has_splitters(request));
            StreamProgram program = plan(request);
            // The GPU does not ask whether another program would sort this count faster.
            program.counts->first = 1;
            set_count(program, count);
            INFO("count " << count);
            const StreamContents contents = contents_for(program, some_distribution(random), random());
            check_in_lockstep(api_of(context), executor, program, request.limits, contents);
        }
    });
}

TEST_CASE("splitters: ops in pieces choose all splitters in the first piece", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor&) {
        for (const std::uint32_t limit : {512u, 5000u, 20000u}) {
            INFO("max_elements_per_draw " << limit);
            ComputeExecutor executor(api_of(context), {.max_elements_per_draw = limit});
            const auto n = static_cast<std::uint32_t>(8193 + random() % 9000);
            const PlanRequest request = splitter_request(random, n, 40, limits);
            REQUIRE(has_splitters(request));
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

/// Keys of which nearly all come from `key_of`, which gets the index of a key. All samples come from `sample_of`.
template <class KeyOf, class SampleOf>
std::vector<std::uint32_t> keys_apart_from_samples(std::uint32_t n, const KeyOf& key_of, const SampleOf& sample_of) {
    // As shaders/radix/splitter_choose.glsl, for the smallest tiles.
    constexpr std::uint32_t cluster = 8;
    constexpr std::uint32_t clusters = 256;
    std::vector<std::uint32_t> keys(n);
    for (std::uint32_t i = 0; i < n; ++i)
        keys[i] = key_of(i);
    const std::uint32_t length = n / clusters;
    for (std::uint32_t i = 0; i < clusters; ++i) {
        const std::uint32_t begin = i * length + std::min(i, n % clusters);
        const std::uint32_t place = begin + ((i * 0x9e3779b9u >> 16) * (length - cluster) >> 16);
        for (std::uint32_t k = 0; k < cluster; ++k)
            keys[place + k] = sample_of();
    }
    return keys;
}

/// Keys of which nearly all lie between two neighbouring samples, in one bucket.
std::vector<std::uint32_t> keys_between_samples(std::mt19937_64& random, std::uint32_t n) {
    return keys_apart_from_samples(
        n, [&](std::uint32_t) { return 0x40000000u + static_cast<std::uint32_t>(random() % 5000) * 7; },
        // The lower half of the samples lies below all other keys, and the upper half above.
        [&] { return static_cast<std::uint32_t>(random() >> 34) | (random() % 2 == 0 ? 0u : 0x80000000u); });
}

/// Sorts `keys` in lockstep, with and without values.
void check_keys(TestContext& context, ComputeExecutor& executor, PlanRequest request,
                const std::vector<std::uint32_t>& keys, std::mt19937_64& random) {
    for (const Payload payload : {Payload::none(), Payload::bytes(4)}) {
        request.spec.payload = payload;
        REQUIRE(has_splitters(request));
        const StreamProgram program = plan(request);
        StreamContents contents = contents_for(program, demo::Distribution::uniform, random());
        REQUIRE(contents.at("keys").size() == keys.size());
        std::copy(keys.begin(), keys.end(), contents.at("keys").begin());
        check_in_lockstep(api_of(context), executor, program, request.limits, contents);
    }
}

TEST_CASE("splitters: a bucket that outgrows its group is merged in global memory", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        for (std::uint32_t n : {60000u, more_than_numbered}) {
            // llvmpipe ends loops of a shader after 65535 iterations, and long merges take more.
            if (limits.software) n = 20000;
            n += static_cast<std::uint32_t>(random() % 5000);
            PlanRequest request = splitter_request(random, n, 128, limits);
            request.spec.order = {};
            check_keys(context, executor, request, keys_between_samples(random, n), random);
            if (limits.software) break;
        }
    });
}

TEST_CASE("splitters: each part of an outgrown bucket at either end has bounds of its own", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        for (const bool first : {true, false})
            for (const bool wide : {false, true}) {
                INFO((first ? "first" : "last") << " bucket, codes of " << (wide ? 2 : 1) << " words");
                const auto n = static_cast<std::uint32_t>((limits.software ? 20000 : 60000) + random() % 5000);
                PlanRequest request = splitter_request(random, n, 128, limits);
                request.spec.order = {};
                // A group sorts the bucket part by part, in the order of the input. Each part lies beyond the one
                // before, seen from the samples.
                const auto key_of = [&](std::uint32_t i) {
                    const std::uint32_t far =
                        0x20000000u + i / 256 * 0x100000u + static_cast<std::uint32_t>(random() >> 48);
                    return first ? ~far : far;
                };
                const auto sample_of = [&] {
                    const auto near = static_cast<std::uint32_t>(random() >> 36);
                    return first ? ~near : near;
                };
                const std::vector<std::uint32_t> high = keys_apart_from_samples(n, key_of, sample_of);
                std::vector<std::uint32_t> keys;
                for (const std::uint32_t word : high) {
                    if (wide) keys.push_back(static_cast<std::uint32_t>(random()));
                    keys.push_back(word);
                }
                if (wide) request.spec.order.key = KeyType::u64;
                check_keys(context, executor, request, keys, random);
            }
    });
}

TEST_CASE("splitters: a bucket whose codes crowd in a few cells is sorted by digits", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        for (const auto& [least, wide] : {std::pair{20000u, false}, {20000u, true}, {more_than_numbered, false}}) {
            const auto n = static_cast<std::uint32_t>(least + random() % 9000);
            PlanRequest request = splitter_request(random, n, 128, limits);
            request.spec.order = {};
            // Clusters of 1000 values, far apart. Some buckets reach from one cluster to the next.
            std::vector<std::uint32_t> keys;
            for (std::uint32_t i = 0; i < n; ++i) {
                const auto cluster = static_cast<std::uint32_t>(random() % 8) << 28;
                const auto value = static_cast<std::uint32_t>(random() % 1000);
                if (wide)
                    keys.insert(keys.end(), {value, cluster});
                else
                    keys.push_back(cluster + value);
            }
            if (wide) request.spec.order.key = KeyType::u64;
            check_keys(context, executor, request, keys, random);
        }
    });
}

TEST_CASE("splitters: equal keys fill the buckets between equal splitters", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        for (const std::uint32_t least : {30000u, more_than_numbered}) {
            const auto n = static_cast<std::uint32_t>(least + random() % 9000);
            PlanRequest request = splitter_request(random, n, 128, limits);
            request.spec.order = {};
            std::vector<std::uint32_t> keys(n);
            // Half of all keys are 0, a quarter is the largest key, and some other values are frequent.
            for (std::uint32_t& key : keys) {
                const std::uint64_t choice = random() % 100;
                key = choice < 50   ? 0u
                      : choice < 75 ? 0xffffffffu
                      : choice < 90 ? 77u
                                    : static_cast<std::uint32_t>(random());
            }
            check_keys(context, executor, request, keys, random);
        }
    });
}

TEST_CASE("splitters: a small count on the GPU in a large capacity", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        PlanRequest request = splitter_request(random, 1u << 20, 132, limits);
        request.spec.payload = Payload::index();
        request.spec.gpu_count = true;
        // Groups of a software rasteriser are too small for these tiles.
        if (!has_splitters(request)) return leave_out("groups of this device are too small for these tiles");
        for (const std::uint32_t count : {1u, 8191u, 8193u, 100000u, 1u << 20}) {
            StreamProgram program = plan(request);
            program.counts->first = 1;
            set_count(program, count);
            INFO("count " << count);
            const StreamContents contents = contents_for(program, some_distribution(random), random());
            check_in_lockstep(api_of(context), executor, program, request.limits, contents);
        }
    });
}

TEST_CASE("splitters: the largest tiles and buckets", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_splitter_tiers([&](TestContext& context, const Limits& limits, ComputeExecutor& executor) {
        for (const std::uint32_t n : {(1u << 18) + 1, (1u << 19) + 1, (1u << 20) - 1, 1u << 20}) {
            PlanRequest request = splitter_request(random, n, 132, limits);
            request.spec.payload = Payload::index();
            // Groups of a software rasteriser are too small for these tiles.
            if (!has_splitters(request)) {
                leave_out(fmt::format("groups of this device are too small for the tiles of {} elements", n));
                continue;
            }
            INFO("n " << n);
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

}  // namespace
}  // namespace glsort::test
