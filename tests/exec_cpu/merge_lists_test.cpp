#include <glsort/error.h>
#include <glsort/planner.h>
#include <glsort/sorter.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "support/random.h"
#include "support/sorted_lists.h"

using namespace glsort;
using namespace glsort::test;

namespace {

// Merges lists with these lengths, and compares the result with std::stable_sort.
void check_merge(const PlanRequest& request, const std::vector<std::uint32_t>& lengths, std::uint64_t distinct,
                 std::mt19937_64& random) {
    const std::uint32_t n = std::accumulate(lengths.begin(), lengths.end(), 0u);
    const std::vector<std::uint32_t> keys =
        sorted_lists(request.spec.order.key, request.spec.order.direction, lengths, distinct, random);
    const std::vector<std::uint32_t> order =
        stable_order(request.spec.order.key, request.spec.order.direction, keys, 0, n);
    const std::uint32_t value_words = request.spec.payload.size / 4;
    std::vector<std::uint32_t> values(std::size_t{n} * value_words);
    for (std::uint32_t& value : values)
        value = static_cast<std::uint32_t>(random());
    std::vector<std::uint32_t> expected_values = permuted(values, value_words, order);
    if (request.spec.payload.kind == Payload::Kind::index) expected_values = order;

    std::vector<std::uint32_t> merged = keys;
    CpuSorter(request.spec, request.limits).merge(merged, values, lengths);
    if (merged != permuted(keys, key_bytes(request.spec.order.key) / 4, order) || values != expected_values) {
        std::string text;
        for (const std::uint32_t length : lengths)
            text += " " + std::to_string(length);
        FAIL(to_string(request.spec.backend)
             << " program, attachments " << request.limits.attachments << ", " << to_string(request.spec.order.key)
             << " " << to_string(request.spec.order.direction) << ", payload " << to_string(request.spec.payload)
             << ", lists of" << text);
    }
}

PlanRequest random_request(std::mt19937_64& random) {
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.backend = std::array{Backend::cpu, Backend::fragment, Backend::compute}[random() % 3];
    request.limits.attachments = std::array{8u, 4u, 2u, 1u}[random() % 4];
    request.spec.order.key =
        std::array{KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64}[random() % 5];
    request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
    request.spec.payload =
        std::array{Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)}[random() % 4];
    return request;
}

}  // namespace

TEST_CASE("merge makes one order of any sorted lists", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const std::uint32_t n : {0u, 1u, 2u, 7u, 31u, 64u, 255u, 256u, 257u, 600u, 1500u})
        for (const std::uint32_t lists : {1u, 2u, 3u, 4u, 5u, 8u, 9u, 16u, 17u, 40u, 63u, 64u}) {
            const std::uint64_t distinct = random() % 2 == 0 ? 5 : ~std::uint64_t{0};
            check_merge(random_request(random), list_lengths(n, lists, random), distinct, random);
        }
    SUCCEED();
}

TEST_CASE("merge takes lists around records, sides and windows", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const std::uint32_t attachments : {8u, 1u})
        for (const std::uint32_t length : {1u, 15u, 16u, 17u, 31u, 32u, 33u, 64u, 127u, 128u})
            for (const std::uint32_t lists : {2u, 8u, 9u, 64u}) {
                PlanRequest request = random_request(random);
                request.limits.attachments = attachments;
                std::vector<std::uint32_t> lengths(lists, length);
                if (random() % 2 == 0) lengths[random() % lists] = length + 1;
                check_merge(request, lengths, 50, random);
            }
    SUCCEED();
}

TEST_CASE("merge keeps the order of lists whose keys are all equal, or all ones", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Direction order : {Direction::ascending, Direction::descending})
        for (const std::uint32_t key : {0u, 0xffffffffu})
            for (const std::uint32_t lists : {3u, 20u}) {
                PlanRequest request;
                request.spec.algorithm = "merge";
                request.spec.order.direction = order;
                const std::vector<std::uint32_t> lengths = list_lengths(700, lists, random);
                std::vector<std::uint32_t> keys(700, key);
                std::vector<std::uint32_t> values(700);
                CpuSorter(request.spec, request.limits).merge(keys, values, lengths);
                std::vector<std::uint32_t> expected(700);
                std::iota(expected.begin(), expected.end(), 0u);
                CHECK(values == expected);
                CHECK(keys == std::vector<std::uint32_t>(700, key));
            }
}

TEST_CASE("merge takes lists in the order of a comparison", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    Comparison comparison;
    comparison.name = "by_last_digit";
    comparison.glsl = "bool comes_before(uint a, uint b) { return a % 10u < b % 10u; }";
    comparison.host = [](const Comparison::Key& a, const Comparison::Key& b) { return a[0] % 10 < b[0] % 10; };
    for (const std::uint32_t lists : {1u, 3u, 8u, 30u})
        for (const Direction order : {Direction::ascending, Direction::descending}) {
            const auto before = [order](std::uint32_t a, std::uint32_t b) {
                return order == Direction::ascending ? a % 10 < b % 10 : b % 10 < a % 10;
            };
            PlanRequest request;
            request.spec.algorithm = "merge";
            request.spec.order.comparison = comparison;
            request.spec.order.direction = order;
            request.spec.payload = Payload::none();
            const std::vector<std::uint32_t> lengths = list_lengths(900, lists, random);
            std::vector<std::uint32_t> keys(900);
            for (std::uint32_t& key : keys)
                key = static_cast<std::uint32_t>(random());
            auto begin = keys.begin();
            for (const std::uint32_t length : lengths) {
                std::stable_sort(begin, begin + length, before);
                begin += length;
            }
            std::vector<std::uint32_t> expected = keys;
            std::ranges::stable_sort(expected, before);
            CpuSorter(request.spec, request.limits).merge(keys, {}, lengths);
            CHECK(keys == expected);
        }
}

TEST_CASE("a cpu sorter merges step by step, and sorts afterwards", "[exec_cpu]") {
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.payload = Payload::none();
    CpuSorter sorter(request.spec, request.limits);
    std::vector<std::uint32_t> keys{2, 5, 9, 1, 5, 0};
    const std::vector<std::uint32_t> lists{3, 2, 0, 1};
    sorter.begin(keys, {}, lists);
    while (sorter.step()) {
    }
    CHECK(sorter.steps_done() == sorter.program().ops.size());
    CHECK(keys == std::vector<std::uint32_t>{0, 1, 2, 5, 5, 9});
    keys = {3, 1, 2, 9, 8, 7};
    sorter.sort(keys);
    CHECK(keys == std::vector<std::uint32_t>{1, 2, 3, 7, 8, 9});
}

TEST_CASE("a cpu sorter refuses lists that are not those of the keys", "[exec_cpu]") {
    PlanRequest request;
    request.spec.payload = Payload::none();
    std::vector<std::uint32_t> keys{1, 2, 3};
    const std::vector<std::uint32_t> short_lists{1, 1};
    const std::vector<std::uint32_t> many(65, 0);
    CHECK_THROWS_WITH(CpuSorter(request.spec, request.limits).merge(keys, {}, short_lists),
                      "CpuSorter::merge: the lists add up to 2 elements; n is 3");
    CHECK_THROWS_WITH(CpuSorter(request.spec, request.limits).merge(keys, {}, many),
                      "CpuSorter::merge: 65 lists exceed the limit of 64");
    CHECK_THROWS_WITH(CpuSorter(request.spec, request.limits).merge(keys, {}, {}),
                      "CpuSorter::merge: there are keys, but no lists");
    request.spec.algorithm = "bitonic";
    const std::vector<std::uint32_t> lists{3};
    CHECK_THROWS_WITH(CpuSorter(request.spec, request.limits).merge(keys, {}, lists),
                      "CpuSorter::merge: bitonic:step takes no lists; merge:multiway does");
}
