#include <glsort/exec/cpu_executor.h>
#include <glsort/plan/sample/sample_levels.h>
#include <glsort/planner.h>
#include <glsort/sorter.h>
#include <glsort/stream/scheduler.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "plan/reference_sort.h"
#include "support/distributions.h"
#include "support/dividing_keys.h"
#include "support/keys.h"
#include "support/outgrown_cases.h"
#include "support/random.h"

using namespace glsort;
using namespace glsort::test;

namespace {

constexpr std::array sampled_keys{KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64, KeyType::f64};

PlanRequest sample_request(const char* algorithm, std::uint32_t n, std::uint32_t tile, std::uint32_t samples) {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.spec.backend = Backend::cpu;
    request.n = n;
    request.spec.tuning.sample.tile = tile;
    request.spec.tuning.sample.samples = samples;
    return request;
}

void check_sample(const PlanRequest& request, demo::Distribution distribution, std::uint64_t seed) {
    const std::vector<std::uint32_t> keys = make_keys(distribution, request.spec.order.key, request.n, seed);
    const std::vector<std::uint32_t> order = sorted_order(request.spec.order.key, request.spec.order.direction, keys);
    const std::uint32_t words = value_words(request.spec.payload);
    std::vector<std::uint32_t> values(std::size_t{request.n} * words);
    for (std::uint32_t i = 0; i < values.size(); ++i)
        values[i] = i * 0x9e3779b9u;
    const std::vector<std::uint32_t> expected_values =
        request.spec.payload.kind == Payload::Kind::index ? order : gathered(values, words, order);
    std::vector<std::uint32_t> sorted = keys;
    CpuSorter(request.spec, request.limits).sort(sorted, values);
    if (sorted != gathered(keys, key_words(request.spec.order.key), order) || values != expected_values)
        FAIL(request.spec.algorithm << ", tile " << request.spec.tuning.sample.tile << ", samples "
                                    << request.spec.tuning.sample.samples << ", n " << request.n << ", "
                                    << to_string(request.spec.order.key) << " "
                                    << to_string(request.spec.order.direction) << ", payload "
                                    << to_string(request.spec.payload) << ", "
                                    << demo::distribution_name(distribution));
}

/// Runs the program. After every `sample_prefix`, calls `visit` with the sizes of the buckets and with the op.
void for_each_level(const PlanRequest& request, std::vector<std::uint32_t> keys,
                    const std::function<void(const std::vector<std::uint32_t>&, const Op&)>& visit) {
    const StreamProgram program = plan(request);
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(program, request.limits);
    std::vector<std::uint32_t> values(request.n);
    executor.bind(program.stream("keys"), keys);
    executor.bind(program.stream("values"), values);
    for (std::size_t number = 0; scheduler.step(); ++number) {
        const Op& op = program.ops[number];
        if (op.kernel->name != "sample_prefix") continue;
        const std::vector<std::uint32_t> begins = scheduler.read(op.writes.back().stream);
        std::vector<std::uint32_t> sizes;
        for (std::uint32_t i = 0; i + 1 < op.writes.back().records.end(); ++i)
            sizes.push_back(begins[i + 1] - begins[i]);
        visit(sizes, op);
    }
}

}  // namespace

TEST_CASE("sample sorts around tiles, levels and powers of two", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto distributions = demo::all_distributions();
    std::size_t turn = random() % distributions.size();
    for (const char* algorithm : {"sample", "sample:paper", "sample:randomized"})
        for (const auto& [tile, samples] : {std::pair{16u, 16u}, {64u, 4u}, {64u, 16u}, {64u, 64u}, {0u, 0u}}) {
            std::vector<std::uint32_t> sizes = {0, 1, 2, 3, 15, 17};
            for (std::uint32_t power = 32; power <= 4096; power *= 2)
                for (const std::uint32_t n : {power - 1, power, power + 1, power + power / 2})
                    sizes.push_back(n);
            for (const std::uint32_t n : sizes) {
                PlanRequest request = sample_request(algorithm, n, tile, samples);
                // Larger counts exceed such small tiles or few samples.
                if (algorithm != std::string("sample:paper") && ((tile == 16 && n > 300) || (samples == 4 && n > 1024)))
                    continue;
                request.spec.order.key = sampled_keys[random() % sampled_keys.size()];
                request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
                request.spec.payload =
                    std::array{Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)}[random() % 4];
                check_sample(request, distributions[++turn % distributions.size()], random());
            }
        }
    SUCCEED();
}

TEST_CASE("sample sorts every distribution with tiles as they are chosen", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const demo::Distribution distribution : demo::all_distributions())
        for (const char* algorithm : {"sample", "sample:paper", "sample:randomized"}) {
            PlanRequest request = sample_request(algorithm, 20000 + static_cast<std::uint32_t>(random() % 30000), 0, 0);
            request.spec.order.key = sampled_keys[random() % sampled_keys.size()];
            request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
            check_sample(request, distribution, random());
        }
    SUCCEED();
}

TEST_CASE("sample: no bucket has more than 2n/s records, whatever the keys are", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    std::uint32_t largest_of_all = 0;
    for (const demo::Distribution distribution : demo::all_distributions())
        for (const char* algorithm : {"sample", "sample:paper"})
            for (const std::uint32_t n : {4096u, 5000u, 64u * 37, 64u * 37 + 1, 64u * 38 - 1}) {
                const PlanRequest request = sample_request(algorithm, n, 64, 16);
                std::uint32_t room = n;
                CAPTURE(demo::distribution_name(distribution), algorithm, n);
                for_each_level(request, make_keys(distribution, KeyType::u32, n, random()),
                               [&](const std::vector<std::uint32_t>& sizes, const Op& op) {
                                   const auto buckets = static_cast<std::uint32_t>(sizes.size());
                                   const std::uint32_t samples = buckets / op.parameters[2];
                                   const std::uint32_t largest = *std::ranges::max_element(sizes);
                                   std::uint32_t sum = 0;
                                   for (const std::uint32_t size : sizes)
                                       sum += size;
                                   CHECK(sum == n);
                                   if (room == n && n % 64 == 0) CHECK(largest <= 2 * n / samples);
                                   room = sample::bucket_bound(room, {64, samples});
                                   CHECK(largest <= room);
                                   if (room < n && buckets == samples)
                                       largest_of_all = std::max(largest_of_all, largest);
                               });
            }
    // The bound is close: 5000 records in 16 even buckets have 312 records each.
    CHECK(largest_of_all > 320);
}

TEST_CASE("sample: what outgrows a tile is divided again, and nothing else", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    constexpr std::uint32_t tile = 256;
    constexpr std::uint32_t samples = 16;
    for (const std::uint32_t tiles : {20u, 32u, 33u})
        for (const bool bad : {false, true}) {
            const PlanRequest request = sample_request("sample", tiles * tile, tile, samples);
            CAPTURE(tiles, bad);
            REQUIRE(plan(request).ops.back().parameters.size() == 5);
            const std::vector<std::uint32_t> keys =
                bad ? badly_dividing_keys(tiles, tile, samples, random)
                    : make_keys(demo::Distribution::uniform, KeyType::u32, request.n, random());
            std::vector<std::uint32_t> first;
            std::size_t outgrown = 0;
            for_each_level(request, keys, [&](const std::vector<std::uint32_t>& sizes, const Op& op) {
                const std::uint32_t segments = op.parameters[2];
                if (segments == 1) {
                    first = sizes;
                    return;
                }
                const std::size_t parts = first.size() / segments;
                const std::size_t divided = sizes.size() / segments;
                const std::uint32_t bound =
                    sample::bucket_bound(op.parameters[1] * tile, {tile, static_cast<std::uint32_t>(divided)});
                for (std::uint32_t i = 0; i < segments; ++i) {
                    const std::span<const std::uint32_t> before(first.data() + i * parts, parts);
                    const std::span<const std::uint32_t> after(sizes.data() + i * divided, divided);
                    const bool again = std::ranges::max(before) > tile;
                    outgrown += again ? 1 : 0;
                    // A segment that is not divided lies in the last of its buckets.
                    if (again)
                        CHECK(std::ranges::max(after) <= bound);
                    else
                        CHECK(after.back() == std::reduce(before.begin(), before.end()));
                }
            });
            CHECK(first.size() >= tiles);
            if (bad) CHECK(outgrown > 0);
            CHECK(outgrown < first.size());
            std::vector<std::uint32_t> sorted = keys;
            std::vector<std::uint32_t> values(request.n);
            CpuSorter(request.spec, request.limits).sort(sorted, values);
            const std::vector<std::uint32_t> order =
                sorted_order(request.spec.order.key, request.spec.order.direction, keys);
            CHECK(values == order);
            CHECK(sorted == gathered(keys, 1, order));
        }
}

TEST_CASE("sample:randomized sorts where buckets outgrow their room", "[exec_cpu]") {
    const Seed seed;
    // Two tiles with the fewest samples can divide badly. The drawn samples depend on n alone. Keys in order are
    // therefore divided alike, whatever their values.
    for (const OutgrownCase& bad : outgrown_cases()) {
        PlanRequest request = sample_request("sample:randomized", bad.n, bad.tile, 4);
        request.spec.capacity = 4 * bad.tile;
        CAPTURE(bad.tile, bad.n);
        std::uint32_t outgrown = 0;
        std::uint32_t passed_on = 0;
        std::uint32_t room = bad.n;
        for_each_level(request, make_keys(bad.distribution, KeyType::u32, bad.n, seed.value()),
                       [&](const std::vector<std::uint32_t>& sizes, const Op& op) {
                           const std::uint32_t segments = op.parameters[2];
                           const auto samples = static_cast<std::uint32_t>(sizes.size()) / segments;
                           // A segment with more records than its tiles hold stays whole.
                           for (std::size_t first = 0; segments > 1 && first < sizes.size(); first += samples)
                               if (sizes[first + samples - 1] > op.parameters[1] * bad.tile) ++passed_on;
                           room = sample::bucket_bound(room, {bad.tile, samples});
                           for (const std::uint32_t size : sizes)
                               outgrown += size > room ? 1 : 0;
                       });
        CHECK(outgrown > 0);
        CHECK(passed_on > 0);
        check_sample(request, bad.distribution, seed.value());
    }
}
