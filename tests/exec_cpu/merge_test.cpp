#include <glsort/exec/cpu_executor.h>
#include <glsort/planner.h>
#include <glsort/sorter.h>
#include <glsort/stream/cpu_invocation.h>
#include <glsort/stream/scheduler.h>

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "support/comparisons.h"
#include "support/distributions.h"
#include "support/keys.h"
#include "support/random.h"

using namespace glsort;
using namespace glsort::test;

namespace {

constexpr std::array key_types{KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64, KeyType::f64};

// Sorts keys of a distribution. The request has the count, the attachments and the capacity.
void check_merge(const PlanRequest& request, demo::Distribution distribution, std::uint64_t seed) {
    const std::vector<std::uint32_t> keys = make_keys(distribution, request.spec.order.key, request.n, seed);
    const std::vector<std::uint32_t> order = sorted_order_of(request, keys);
    std::vector<std::uint32_t> sorted = keys;
    std::vector<std::uint32_t> values;
    if (request.spec.payload.kind != Payload::Kind::none) values.resize(request.n);
    for (std::uint32_t i = 0; i < values.size(); ++i)
        values[i] = i;
    CpuSorter(request.spec, request.limits).sort(sorted, values);
    if (sorted != gathered(keys, key_words(request.spec.order.key), order) || (!values.empty() && values != order))
        FAIL(to_string(request.spec.backend)
             << " program, attachments " << request.limits.attachments << ", shared memory "
             << request.limits.shared_memory << ", capacity " << request.spec.capacity << ", n " << request.n << ", "
             << to_string(request.spec.order.key) << " " << to_string(request.spec.order.direction) << ", bits "
             << request.spec.order.bits.first << " to " << request.spec.order.bits.end << ", payload "
             << to_string(request.spec.payload) << ", " << demo::distribution_name(distribution));
}

}  // namespace

TEST_CASE("merge sorts around records, runs, sides and windows, for any number of attachments", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto distributions = demo::all_distributions();
    std::size_t turn = random() % distributions.size();
    PlanRequest request;
    request.spec.algorithm = "merge";
    for (const std::uint32_t attachments : {8u, 4u, 2u, 1u})
        for (const std::uint32_t capacity : {0u, 70000u, 600000u}) {
            std::vector<std::uint32_t> sizes = {0, 1, 3};
            for (std::uint32_t power = 2; power <= 2048; power *= 2)
                for (const std::uint32_t n : {power - 1, power, power + 1})
                    sizes.push_back(n);
            for (const std::uint32_t n : sizes) {
                request.limits.attachments = attachments;
                request.spec.capacity = capacity;
                request.n = n;
                request.spec.order.key = key_types[random() % key_types.size()];
                request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
                request.spec.payload = random() % 2 == 0 ? Payload::index() : Payload::none();
                check_merge(request, distributions[++turn % distributions.size()], random());
            }
        }
    SUCCEED();
}

TEST_CASE("merge of keys alone, as fragments do it, sorts every distribution", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.backend = Backend::fragment;
    request.spec.payload = Payload::none();
    for (const demo::Distribution distribution : demo::all_distributions())
        for (const std::uint32_t attachments : {8u, 4u, 2u})
            // With the last two capacities, an instance of merge_keys_split handles two and four windows.
            for (const std::uint32_t capacity : {0u, 600000u, 1200000u})
                for (const std::uint32_t most : {70u, 300u, 1100u, 5000u}) {
                    request.limits.attachments = attachments;
                    request.spec.capacity = capacity;
                    request.n = most - static_cast<std::uint32_t>(random() % (most / 2));
                    if (random() % 4 == 0) request.n = std::bit_floor(request.n);
                    if (capacity == 0) request.spec.capacity = request.n;
                    request.spec.order.key = std::array{KeyType::u32, KeyType::i32, KeyType::f32}[random() % 3];
                    request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
                    check_merge(request, distribution, random());
                }
    SUCCEED();
}

TEST_CASE("merge sorts by some bits of the keys, for any number of bits of the index", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto distributions = demo::all_distributions();
    PlanRequest request;
    request.spec.algorithm = "merge";
    for (const Backend backend : {Backend::fragment, Backend::compute, Backend::cpu})
        for (const std::uint32_t capacity : {1u, 2u, 3u, 64u, 65u, 1024u, 1025u, 3000u})
            for (const KeyType key : key_types) {
                request.spec.backend = backend;
                request.spec.order.key = key;
                request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
                request.spec.payload = random() % 2 == 0 ? Payload::index() : Payload::none();
                request.spec.capacity = capacity;
                request.n = capacity - static_cast<std::uint32_t>(random() % ((capacity + 1) / 2));
                // From the lowest bit or up to the highest one. The index then has one bit too many, just fits, or fits
                // with one bit to spare.
                const auto index_bits = std::max<std::uint32_t>(std::bit_width(capacity - 1), 1);
                const std::uint32_t all = 8 * key_bytes(key);
                for (const std::uint32_t most : {31 - index_bits, 32 - index_bits, 33 - index_bits, all - 1}) {
                    const std::uint32_t bits = std::min(most, all - 1);
                    request.spec.order.bits = random() % 2 == 0 ? BitRange{0, bits} : BitRange{all - bits, all};
                    check_merge(request, distributions[random() % distributions.size()], random());
                }
            }
    SUCCEED();
}

TEST_CASE("splits that leave a merge too few keys are refused", "[exec_cpu]") {
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.backend = Backend::fragment;
    request.spec.payload = Payload::none();
    request.n = request.spec.capacity = 300;
    StreamProgram program = plan(request);
    for (Op& op : program.ops) {
        if (op.kernel->name != "merge_keys_split") continue;
        auto wrong = std::make_shared<Kernel>(*op.kernel);
        wrong->cpu = [](CpuInvocation& k) { k.write(0, 0, Element{}); };
        op.kernel = std::move(wrong);
    }
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(program, request.limits);
    std::vector<std::uint32_t> keys(request.n, 7);
    executor.bind(scheduler.program().stream("keys"), keys);
    CHECK_THROWS_WITH(scheduler.run(), Catch::Matchers::Contains("the splits give instance"));
}

TEST_CASE("merge sorts every distribution", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    PlanRequest request;
    request.spec.algorithm = "merge";
    for (const demo::Distribution distribution : demo::all_distributions())
        for (const Payload payload : {Payload::none(), Payload::index()})
            for (const Direction order : {Direction::ascending, Direction::descending}) {
                request.spec.order.key = key_types[random() % key_types.size()];
                request.spec.payload = payload;
                request.spec.order.direction = order;
                request.n = 3000 + static_cast<std::uint32_t>(random() % 2000);
                for (const Backend backend : {Backend::cpu, Backend::compute}) {
                    request.spec.backend = backend;
                    check_merge(request, distribution, random());
                }
            }
    SUCCEED();
}

TEST_CASE("merge for compute moves long values with their keys, however many merges there are", "[exec_cpu]") {
    const Seed seed;
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.backend = Backend::compute;
    request.limits.shared_memory = 1024;
    request.spec.payload = Payload::bytes(12);
    for (const std::uint32_t n : {1u, 100u, 1000u, 10000u}) {
        const std::vector<std::uint32_t> keys =
            demo::make_keys32(demo::Distribution::uniform, request.spec.order.key, n, seed.value());
        std::vector<std::uint32_t> sorted = keys;
        std::vector<std::uint32_t> values(3 * n);
        for (std::uint32_t i = 0; i < values.size(); ++i)
            values[i] = i;
        CpuSorter(request.spec, request.limits).sort(sorted, values);
        std::vector<std::uint32_t> expected;
        for (const std::uint32_t i : sorted_order(request.spec.order.key, request.spec.order.direction, keys))
            for (std::uint32_t word = 0; word < 3; ++word)
                expected.push_back(3 * i + word);
        CAPTURE(n);
        CHECK((values == expected));
    }
}

TEST_CASE("merge for compute sorts around tiles, windows and merges", "[exec_cpu][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto distributions = demo::all_distributions();
    std::size_t turn = random() % distributions.size();
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.backend = Backend::compute;
    // Tiles of 32, 128 (pairs) or 256 (keys) and 1024 records.
    for (const std::uint32_t shared_memory : {256u, 1024u, 32768u})
        for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4)}) {
            std::vector<std::uint32_t> sizes = {0, 1, 2, 15, 17};
            for (std::uint32_t power = 32; power <= 8192; power *= 2)
                for (const std::uint32_t n : {power - 1, power, power + 1, power + power / 2})
                    sizes.push_back(n);
            for (const std::uint32_t n : sizes) {
                request.limits.shared_memory = shared_memory;
                request.spec.payload = payload;
                request.spec.capacity = std::max(n, 8192u);
                request.n = n;
                request.spec.order.key = std::array{KeyType::u32, KeyType::i32, KeyType::f32}[random() % 3];
                request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
                check_merge(request, distributions[++turn % distributions.size()], random());
            }
        }
    SUCCEED();
}
