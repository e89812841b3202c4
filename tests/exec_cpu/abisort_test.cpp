#include <glsort/cpu_sorter.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "plan/abisort_variants.h"
#include "plan/reference_sort.h"
#include "support/distributions.h"
#include "support/random.h"

// What GPU-ABiSort sorts depends on the data, unlike a network: that it sorts all zeros and ones
// says nothing. So every length, with permutations and with keys that are equal.

namespace glsort::test {
namespace {

constexpr Backend abisort_backends[] = {Backend::fragment, Backend::compute};

// One sorter of a variant for each backend, key type, order and payload.
class AbisortSorters {
  public:
    explicit AbisortSorters(const std::string& algorithm) : algorithm_(algorithm) {
        for (const Backend backend : abisort_backends)
            for (const KeyType key : {KeyType::u32, KeyType::i32, KeyType::f32})
                for (const Order order : {Order::ascending, Order::descending})
                    for (const Payload payload :
                         {Payload::none(), Payload::index(), Payload::bytes(4)}) {
                        PlanRequest request;
                        request.algorithm = algorithm;
                        request.backend = backend;
                        request.key = key;
                        request.order = order;
                        request.payload = payload;
                        requests_.push_back(request);
                        sorters_.emplace_back(request);
                    }
    }

    std::size_t size() const { return sorters_.size(); }
    const PlanRequest& request(std::size_t i) const { return requests_[i]; }
    CpuSorter& sorter(std::size_t i) { return sorters_[i]; }

    // Sorts `keys` by the i-th sorter; fails where that is not what std::stable_sort makes.
    void check(std::size_t i, const std::vector<std::uint32_t>& keys) {
        const PlanRequest& request = requests_[i];
        const std::vector<std::uint32_t> order = sorted_order(request.key, request.order, keys);
        std::vector<std::uint32_t> sorted = keys;
        std::vector<std::uint32_t> values;
        std::vector<std::uint32_t> sorted_values = order;
        if (request.payload.kind != Payload::Kind::none) values.resize(keys.size());
        if (request.payload.kind == Payload::Kind::bytes)
            for (std::size_t v = 0; v < values.size(); ++v) {
                values[v] = 0x9e3779b9u * static_cast<std::uint32_t>(v);
                sorted_values[v] = 0x9e3779b9u * order[v];
            }
        sorters_[i].sort(sorted, values);
        bool right = values.empty() || values == sorted_values;
        for (std::size_t k = 0; k < keys.size(); ++k)
            right = right && sorted[k] == keys[order[k]];
        if (!right)
            FAIL(algorithm_ << " on " << to_string(request.backend) << ", "
                            << to_string(request.key) << " " << to_string(request.order)
                            << ", payload " << to_string(request.payload) << ", n " << keys.size());
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

// A permutation, equal keys and keys of some distribution in turn, with any of the sorters.
void check_in_turn(AbisortSorters& sorters, std::size_t n, std::size_t& turn,
                   std::mt19937_64& random) {
    const std::vector<demo::Distribution> distributions = demo::all_distributions();
    const std::size_t i = random() % sorters.size();
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
    sorters.check(i, demo::make_keys32(distribution, sorters.request(i).key, n, random()));
}

}  // namespace

TEST_CASE("abisort sorts every length up to 600, and some more", "[exec_cpu]") {
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

TEST_CASE("abisort sorts every length up to 4096", "[exec_cpu][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const std::string& algorithm : abisort_variants()) {
        AbisortSorters sorters(algorithm);
        std::size_t turn = random() % 3;
        for (std::size_t n = 0; n <= 4096; ++n)
            check_in_turn(sorters, n, turn, random);
    }
    SUCCEED();
}

TEST_CASE("abisort sorts keys of all distributions", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const std::string& algorithm : abisort_variants()) {
        AbisortSorters sorters(algorithm);
        for (std::size_t i = 0; i < sorters.size(); ++i)
            for (const demo::Distribution distribution : demo::all_distributions()) {
                INFO(demo::distribution_name(distribution));
                for (const std::size_t n : {std::size_t{1 + random() % 16}, std::size_t{64},
                                            std::size_t{65 + random() % 200}})
                    sorters.check(
                        i, demo::make_keys32(distribution, sorters.request(i).key, n, random()));
            }
    }
    SUCCEED();
}

TEST_CASE("abisort sorts every permutation of up to 7 keys", "[exec_cpu]") {
    for (const std::string& algorithm : abisort_variants())
        for (const Backend backend : abisort_backends) {
            PlanRequest request;
            request.algorithm = algorithm;
            request.backend = backend;
            CpuSorter sorter(request);
            for (std::uint32_t n = 1; n <= 7; ++n) {
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
        }
    SUCCEED();
}

// Section 4.1: a merge of n keys takes 2n - log n - 2 comparisons, where n is a power of two.
TEST_CASE("abisort compares as often as adaptive bitonic sorting does", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const std::string& algorithm :
         existing_variants({"abisort:appendix-a", "abisort:overlapped"})) {
        AbisortSorters sorters(algorithm);
        for (std::uint64_t m = 0; m <= 12; ++m) {
            CAPTURE(algorithm, m);
            const std::uint64_t n = std::uint64_t{1} << m;
            std::uint64_t expected = 0;
            for (std::uint64_t j = 1; j <= m; ++j)
                expected += (std::uint64_t{1} << (m - j)) * (2 * (std::uint64_t{1} << j) - j - 2);
            for (int repeat = 0; repeat < 3; ++repeat) {
                const std::size_t i = random() % sorters.size();
                sorters.check(i, random_duplicates(random, n));
                CHECK(sorters.sorter(i).comparisons() == expected);
                if (m > 0) CHECK(sorters.sorter(i).comparisons() < 2 * n * m);
            }
        }
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
