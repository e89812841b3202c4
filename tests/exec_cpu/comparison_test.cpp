#include <glsort/error.h>
#include <glsort/sorter.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "plan/abisort/abisort_variants.h"
#include "support/comparisons.h"
#include "support/random.h"

// Sorts that look up keys: by comparisons of the caller, and by abisort, which looks up low words of 64-bit keys.

namespace glsort::test {
namespace {

using Catch::Contains;
using Words = std::vector<std::uint32_t>;

constexpr std::array orders{Direction::ascending, Direction::descending};
constexpr std::array backends{Backend::cpu, Backend::fragment, Backend::compute};

// Sorts by `sorter`, made for `request`. Fails if the result differs from std::stable_sort.
void check_sort(CpuSorter& sorter, const PlanRequest& request, const Words& keys, std::mt19937_64& random) {
    const Words order = sorted_order_of(request, keys);
    const std::uint32_t size = value_words(request.spec.payload);
    Words values(order.size() * size);
    for (std::uint32_t& word : values)
        word = static_cast<std::uint32_t>(random());
    const Words expected_values =
        request.spec.payload.kind == Payload::Kind::index ? order : gathered(values, size, order);
    Words sorted = keys;
    sorter.sort(sorted, values);
    if (sorted != gathered(keys, words_of_key(request), order) || values != expected_values)
        FAIL(request.spec.algorithm << ", " << to_string(request.spec.backend) << " program, " << name_of_key(request)
                                    << " " << to_string(request.spec.order.direction) << ", payload "
                                    << to_string(request.spec.payload) << ", attachments " << request.limits.attachments
                                    << ", shared memory " << request.limits.shared_memory << ", " << order.size()
                                    << " keys");
}

struct Taker {
    std::string algorithm;
    Takes takes;
};

// All variants that support a comparison.
std::vector<Taker> takers_of_comparisons() {
    std::vector<Taker> takers;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            if (variant.takes.comparison) takers.push_back({algorithm.name + ":" + variant.name, variant.takes});
    return takers;
}

}  // namespace

TEST_CASE("a caller's comparison sorts as std::stable_sort does", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const auto& [algorithm, takes] : takers_of_comparisons())
        for (const Backend backend : backends) {
            if (!takes.fragment && backend == Backend::fragment) continue;
            for (const std::uint32_t key_bytes : comparison_key_bytes)
                for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)})
                    for (const Direction order : orders) {
                        PlanRequest request;
                        request.spec.algorithm = algorithm;
                        request.spec.backend = backend;
                        request.spec.order.comparison = comparison_of(key_bytes);
                        request.spec.payload = payload;
                        request.spec.order.direction = order;
                        // Small tiles, so that there are several.
                        request.limits.shared_memory = 256;
                        request.limits.attachments = std::array{8u, 4u, 1u}[random() % 3];
                        CpuSorter sorter(request.spec, request.limits);
                        for (const std::uint32_t n : {0u, 1u, 2u, 3u, 15u, 17u, 33u, 100u, 300u})
                            check_sort(sorter, request, make_keys(*request.spec.order.comparison, n, random()), random);
                    }
        }
    SUCCEED();
}

TEST_CASE("a caller's comparison sorts more keys, by several merges", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const auto& [algorithm, takes] : takers_of_comparisons())
        for (const std::uint32_t key_bytes : comparison_key_bytes) {
            PlanRequest request;
            request.spec.algorithm = algorithm;
            request.spec.backend = Backend::compute;
            request.spec.order.comparison = comparison_of(key_bytes);
            request.spec.order.direction = orders[random() % 2];
            CpuSorter sorter(request.spec, request.limits);
            for (const std::size_t n : {std::size_t{2048}, 3000 + random() % 3000})
                check_sort(sorter, request, make_keys(*request.spec.order.comparison, n, random()), random);
        }
    SUCCEED();
}

TEST_CASE("by a comparison that is no order, sorts end, and give keys of the input", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const auto& [algorithm, takes] : takers_of_comparisons())
        for (const Backend backend : backends) {
            if (!takes.fragment && backend == Backend::fragment) continue;
            for (const Comparison& comparison : comparisons_without_order()) {
                PlanRequest request;
                request.spec.algorithm = algorithm;
                request.spec.backend = backend;
                request.spec.order.comparison = comparison;
                request.spec.payload = Payload::index();
                request.limits.attachments = std::array{8u, 4u, 1u}[random() % 3];
                for (const std::uint32_t shared_memory : {256u, 2048u}) {
                    request.limits.shared_memory = shared_memory;
                    CpuSorter sorter(request.spec, request.limits);
                    for (const std::size_t n : {std::size_t{40}, 100 + random() % 300, 1000 + random() % 1500}) {
                        CAPTURE(algorithm, to_string(backend), comparison.name, shared_memory, n);
                        Words keys = make_keys(comparison, n, random());
                        Words indices(n);
                        const Words before = keys;
                        sorter.sort(keys, indices);
                        CHECK(std::all_of(indices.begin(), indices.end(), [n](std::uint32_t i) { return i < n; }));
                        if (std::all_of(indices.begin(), indices.end(), [n](std::uint32_t i) { return i < n; }))
                            CHECK(keys == gathered(before, words_of_key(request), indices));
                    }
                }
            }
        }
}

TEST_CASE("keys that are equal to a comparison keep their order, ascending and descending", "[exec_cpu]") {
    for (const Direction order : orders)
        for (const auto& [algorithm, takes] : takers_of_comparisons()) {
            PlanRequest request;
            request.spec.algorithm = algorithm;
            request.spec.order.comparison = comparison_of(4);
            request.spec.order.direction = order;
            request.limits.shared_memory = 256;
            CpuSorter sorter(request.spec, request.limits);
            // The high bits differ. Some are all ones.
            Words keys(300);
            for (std::uint32_t i = 0; i < keys.size(); ++i)
                keys[i] = ~(i << 16);
            const Words before = keys;
            Words indices(keys.size());
            sorter.sort(keys, indices);
            CHECK(keys == before);
            for (std::uint32_t i = 0; i < indices.size(); ++i)
                CHECK(indices[i] == i);
        }
}

TEST_CASE("the cpu sorter needs the host function of a comparison, and no other", "[exec_cpu]") {
    PlanRequest request;
    request.spec.order.comparison = comparison_of(8);
    request.spec.order.comparison->glsl.clear();
    CHECK_NOTHROW(CpuSorter(request.spec, request.limits));
    request.spec.order.comparison = comparison_of(8);
    request.spec.order.comparison->host = nullptr;
    for (const Backend backend : backends) {
        request.spec.backend = backend;
        CHECK_THROWS_WITH(CpuSorter(request.spec, request.limits),
                          Contains("depth, then material") && Contains("no host function"));
    }
    request.spec.order.comparison = comparison_of(12);
    CpuSorter sorter(request.spec, request.limits);
    Words keys(5), values(5);
    CHECK_THROWS_WITH(sorter.sort(keys, values), Contains("5 words of keys, which take 3 each"));
}

namespace {

// Keys with few different high words, whose low words decide the order. Or keys of all distributions.
Words make_wide_keys(KeyType type, std::size_t n, std::mt19937_64& random) {
    const auto distributions = demo::all_distributions();
    if (random() % 2 == 0) return make_keys(distributions[random() % distributions.size()], type, n, random());
    // Negative, positive, and all ones.
    constexpr std::uint32_t high[] = {0xbff00000u, 0x3ff00000u, 0xffffffffu, 0x00000000u};
    Words words;
    for (std::size_t i = 0; i < n; ++i) {
        words.push_back(random() % 3 == 0 ? 0xffffffffu - static_cast<std::uint32_t>(random() % 2)
                                          : static_cast<std::uint32_t>(random()));
        words.push_back(high[random() % 4]);
    }
    return words;
}

}  // namespace

TEST_CASE("abisort sorts 64-bit keys, whose high words may be equal", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const std::string& algorithm : abisort_variants())
        for (const Backend backend : {Backend::fragment, Backend::compute})
            for (const KeyType key : {KeyType::u64, KeyType::i64, KeyType::f64})
                for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(24)})
                    for (const Direction order : orders) {
                        PlanRequest request;
                        request.spec.algorithm = algorithm;
                        request.spec.backend = backend;
                        request.spec.order.key = key;
                        request.spec.payload = payload;
                        request.spec.order.direction = order;
                        CpuSorter sorter(request.spec, request.limits);
                        std::vector<std::size_t> sizes{0, 1, 2, 3, 4 + random() % 12, 16, 17, 18 + random() % 200};
                        if (random() % 8 == 0) sizes.push_back(1000 + random() % 1000);
                        for (const std::size_t n : sizes)
                            check_sort(sorter, request, make_wide_keys(key, n, random), random);
                    }
    SUCCEED();
}

}  // namespace glsort::test
