#include <glsort/sorter.h>

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "plan/abisort/abisort_variants.h"
#include "plan/reference_sort.h"
#include "support/distributions.h"
#include "support/random.h"

// The comparisons of GPU-ABiSort depend on the data, unlike those of a network. A test of all zeros and ones is
// therefore not enough. Every length is tested with permutations and with equal keys.

namespace glsort::test {
namespace {

constexpr Backend abisort_backends[] = {Backend::fragment, Backend::compute};

// One sorter of a variant for each backend, key type, order and payload.
class AbisortSorters {
  public:
    explicit AbisortSorters(const std::string& algorithm) : algorithm_(algorithm) {
        for (const Backend backend : abisort_backends)
            for (const KeyType key : {KeyType::u32, KeyType::i32, KeyType::f32})
                for (const Direction order : {Direction::ascending, Direction::descending})
                    for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4)}) {
                        PlanRequest request;
                        request.spec.algorithm = algorithm;
                        request.spec.backend = backend;
                        request.spec.order.key = key;
                        request.spec.order.direction = order;
                        request.spec.payload = payload;
                        requests_.push_back(request);
                        sorters_.emplace_back(request.spec, request.limits);
                    }
    }

    std::size_t size() const { return sorters_.size(); }
    const PlanRequest& request(std::size_t i) const { return requests_[i]; }
    CpuSorter& sorter(std::size_t i) { return sorters_[i]; }

    // Sorts `keys` by the i-th sorter. Fails if the result differs from std::stable_sort.
    void check(std::size_t i, const std::vector<std::uint32_t>& keys) {
        const PlanRequest& request = requests_[i];
        const std::vector<std::uint32_t> order =
            sorted_order(request.spec.order.key, request.spec.order.direction, keys);
        std::vector<std::uint32_t> sorted = keys;
        std::vector<std::uint32_t> values;
        std::vector<std::uint32_t> sorted_values = order;
        if (request.spec.payload.kind != Payload::Kind::none) values.resize(keys.size());
        if (request.spec.payload.kind == Payload::Kind::bytes)
            for (std::size_t v = 0; v < values.size(); ++v) {
                values[v] = 0x9e3779b9u * static_cast<std::uint32_t>(v);
                sorted_values[v] = 0x9e3779b9u * order[v];
            }
        sorters_[i].sort(sorted, values);
        bool right = values.empty() || values == sorted_values;
        for (std::size_t k = 0; k < keys.size(); ++k)
            right = right && sorted[k] == keys[order[k]];
        if (!right)
            FAIL(algorithm_ << " on " << to_string(request.spec.backend) << ", " << to_string(request.spec.order.key)
                            << " " << to_string(request.spec.order.direction) << ", payload "
                            << to_string(request.spec.payload) << ", n " << keys.size());
    }

  private:
    std::string algorithm_;
    std::vector<PlanRequest> requests_;
    std::vector<CpuSorter> sorters_;
};

std::vector<std::uint32_t> random_permutation(std::mt19937_64& random, std::size_t n) {
    std::vector<std::uint32_t> permutation(n);
    std::iota(permutation.begin(), permutation.end(), 0u);
    std::shuffle(permutation.begin(), permutation.end(), random);
    return permutation;
}

// About sqrt(n) different keys.
std::vector<std::uint32_t> random_duplicates(std::mt19937_64& random, std::size_t n) {
    std::vector<std::uint32_t> keys(n);
    std::uint32_t different = 1;
    while (std::size_t{different} * different < n)
        ++different;
    for (std::uint32_t& key : keys)
        key = static_cast<std::uint32_t>(random() % different);
    return keys;
}

// Sorts a permutation, equal keys and keys of some distribution in turn, by a random sorter of all, or of one backend.
void check_in_turn(AbisortSorters& sorters, std::size_t n, std::size_t& turn, std::mt19937_64& random,
                   std::optional<std::size_t> backend = {}) {
    const std::vector<demo::Distribution> distributions = demo::all_distributions();
    // The sorters of a backend follow each other.
    const std::size_t of_each = sorters.size() / std::size(abisort_backends);
    const std::size_t i = backend ? *backend * of_each + random() % of_each : random() % sorters.size();
    switch (turn++ % 3) {
        case 0:
            return sorters.check(i, random_permutation(random, n));
        case 1:
            return sorters.check(i, random_duplicates(random, n));
        default:
            break;
    }
    const demo::Distribution distribution = distributions[random() % distributions.size()];
    INFO(demo::distribution_name(distribution));
    sorters.check(i, demo::make_keys32(distribution, sorters.request(i).spec.order.key, n, random()));
}

}  // namespace

TEST_CASE("abisort sorts every length up to 600, and some more", "[exec_cpu][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const std::string& algorithm : abisort_variants()) {
        AbisortSorters sorters(algorithm);
        std::size_t turn = random() % 3;
        for (std::size_t n = 0; n <= 600; ++n)
            for (int i = 0; i < 3; ++i)
                check_in_turn(sorters, n, turn, random);
        for (int i = 0; i < 60; ++i)
            check_in_turn(sorters, 601 + random() % 4000, turn, random);
    }
    SUCCEED();
}

// The test above sorts the shorter lengths. This test sorts each length once. Variants and backends take turns, and
// each run begins with another one: all of them at each length would take a minute. Appendix A is left out, because it
// takes O(log^3 n) ops.
TEST_CASE("abisort sorts every third length from 601 to 4096", "[exec_cpu][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    std::vector<AbisortSorters> variants;
    for (const std::string& algorithm : abisort_variants())
        if (algorithm != "abisort:appendix-a") variants.emplace_back(algorithm);
    REQUIRE_FALSE(variants.empty());
    std::size_t at = random() % 64;
    for (std::size_t n = 601 + random() % 3; n <= 4096; n += 3, ++at) {
        std::size_t kind_of_keys = random() % 3;  // Random, because otherwise the kind would follow the variant.
        check_in_turn(variants[at % variants.size()], n, kind_of_keys, random,
                      at / variants.size() % std::size(abisort_backends));
    }
}

TEST_CASE("abisort sorts keys of all distributions", "[exec_cpu][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const std::string& algorithm : abisort_variants()) {
        AbisortSorters sorters(algorithm);
        // Each sorter gets every distribution and every kind of length, but not every pair of them.
        std::size_t turn = random() % 3;
        for (std::size_t i = 0; i < sorters.size(); ++i)
            for (const demo::Distribution distribution : demo::all_distributions()) {
                INFO(demo::distribution_name(distribution));
                const std::array<std::size_t, 3> lengths{1 + random() % 16, 64, 65 + random() % 200};
                sorters.check(i, demo::make_keys32(distribution, sorters.request(i).spec.order.key,
                                                   lengths[turn++ % lengths.size()], random()));
            }
    }
    SUCCEED();
}

namespace {

void check_permutations(const std::string& algorithm, Backend backend, std::uint32_t n) {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.spec.backend = backend;
    CpuSorter sorter(request.spec, request.limits);
    CAPTURE(algorithm, to_string(backend), n);
    std::vector<std::uint32_t> identity(n);
    std::iota(identity.begin(), identity.end(), 0u);
    std::vector<std::uint32_t> permutation = identity;
    do {
        std::vector<std::uint32_t> keys = permutation;
        std::vector<std::uint32_t> values(n);
        sorter.sort(keys, values);
        if (keys != identity) FAIL("not sorted: " << Catch::Detail::stringify(keys));
    } while (std::next_permutation(permutation.begin(), permutation.end()));
}

}  // namespace

TEST_CASE("abisort sorts every permutation of up to 6 keys", "[exec_cpu]") {
    for (const std::string& algorithm : abisort_variants())
        for (const Backend backend : abisort_backends)
            for (std::uint32_t n = 1; n <= 6; ++n)
                check_permutations(algorithm, backend, n);
    SUCCEED();
}

// Six times as many permutations as for all shorter lengths together.
TEST_CASE("abisort sorts every permutation of 7 keys", "[exec_cpu][slow]") {
    for (const std::string& algorithm : abisort_variants())
        for (const Backend backend : abisort_backends)
            check_permutations(algorithm, backend, 7);
    SUCCEED();
}

// Section 4.1. An adaptive merge of 2^j keys takes 2^(k) comparisons for each of the j - k phases of stage k: 2^(j+1) -
// j - 2 in all. Without the last `cut` stages, stages 0 ... j-1-cut remain:
//
//     sum over k = 0 ... j-1-cut of 2^k (j - k)  =  2^(j-cut) (cut + 2) - j - 2
//
// (sum 2^k = 2^s - 1 and sum k 2^k = (s - 2) 2^s + 2 over k < s, with s = j - cut).
std::uint64_t adaptive_comparisons(std::uint64_t j, std::uint64_t cut) {
    std::uint64_t sum = 0;
    for (std::uint64_t k = 0; k + cut < j; ++k)
        sum += (std::uint64_t{1} << k) * (j - k);
    const std::uint64_t closed = (std::uint64_t{1} << (j - cut)) * (cut + 2) - j - 2;
    CHECK(sum == closed);
    return closed;
}

// Comparisons of all adaptive merges of a sort of 2^m keys.
std::uint64_t adaptive_levels(std::uint64_t m, std::uint64_t cut) {
    std::uint64_t sum = 0;
    for (std::uint64_t j = cut + 1; j <= m; ++j)
        sum += (std::uint64_t{1} << (m - j)) * adaptive_comparisons(j, cut);
    return sum;
}

// Comparisons of a sort of n = 2^m keys.
std::uint64_t expected_comparisons(const std::string& algorithm, std::uint64_t m) {
    const std::uint64_t n = std::uint64_t{1} << m;
    if (algorithm == "abisort:paper") {
        // Runs of 8 by odd-even transition take 8 * 7 / 2 comparisons each. A short run is padded.
        const std::uint64_t runs = std::max<std::uint64_t>(1, n / 8) * 28;
        // Two instances merge 16 elements, each with 8 comparisons and 3 rounds of 4.
        const std::uint64_t merges = m >= 4 ? (m - 3) * (n / 16) * 40 : 0;
        return runs + merges + adaptive_levels(m, 4);
    }
    if (algorithm == "abisort:fused") {
        const std::uint64_t runs = std::max<std::uint64_t>(1, n / 16) * 120;
        // 4 rounds of 8.
        const std::uint64_t merges = m >= 5 ? (m - 4) * (n / 16) * 32 : 0;
        return runs + merges + adaptive_levels(m, 4);
    }
    return adaptive_levels(m, 0);
}

TEST_CASE("abisort compares as often as the closed forms say", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const std::string& algorithm : abisort_variants()) {
        AbisortSorters sorters(algorithm);
        for (std::uint64_t m = 0; m <= 12; ++m) {
            CAPTURE(algorithm, m);
            const std::uint64_t n = std::uint64_t{1} << m;
            // The number of comparisons does not depend on the keys.
            for (int repeat = 0; repeat < 3; ++repeat) {
                const std::size_t i = random() % sorters.size();
                sorters.check(i, repeat == 0 ? random_permutation(random, n) : random_duplicates(random, n));
                CHECK(sorters.sorter(i).comparisons() == expected_comparisons(algorithm, m));
            }
        }
    }
}

// Slow under sanitizers, which find nothing here that the tests above do not show.
TEST_CASE("abisort of any length makes fewer than 2 n log n comparisons", "[exec_cpu][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const std::string algorithm : {"abisort:appendix-a", "abisort:overlapped"}) {
        AbisortSorters sorters(algorithm);
        for (std::size_t n = 2; n <= 4096; n += n < 300 ? 1 : 1 + random() % 200) {
            const std::size_t i = random() % sorters.size();
            sorters.check(i, random_permutation(random, n));
            CAPTURE(algorithm, n);
            const std::uint64_t comparisons = sorters.sorter(i).comparisons();
            CHECK(comparisons < 2 * n * static_cast<std::uint64_t>(std::bit_width(n - 1)));
        }
        sorters.check(0, {7});
        CHECK(sorters.sorter(0).comparisons() == 0);
    }
}

}  // namespace glsort::test
