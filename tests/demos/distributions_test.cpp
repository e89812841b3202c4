#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

#include "support/distributions.h"
#include "support/random.h"

using glsort::KeyType;
using glsort::demo::all_distributions;
using glsort::demo::Distribution;
using glsort::demo::distribution_from_name;
using glsort::demo::distribution_name;
using glsort::demo::make_keys32;
using glsort::demo::make_keys64;

namespace {

constexpr KeyType types32[] = {KeyType::u32, KeyType::i32, KeyType::f32};
constexpr KeyType types64[] = {KeyType::u64, KeyType::i64, KeyType::f64};

// The keys as numbers, exact for 32 bits, rounded for 64.
std::vector<double> numbers32(KeyType type, const std::vector<std::uint32_t>& keys) {
    std::vector<double> numbers;
    for (const std::uint32_t key : keys)
        numbers.push_back(type == KeyType::u32   ? static_cast<double>(key)
                          : type == KeyType::i32 ? static_cast<double>(std::bit_cast<int>(key))
                                                 : static_cast<double>(std::bit_cast<float>(key)));
    return numbers;
}

std::vector<double> numbers64(KeyType type, const std::vector<std::uint64_t>& keys) {
    std::vector<double> numbers;
    for (const std::uint64_t key : keys)
        numbers.push_back(type == KeyType::u64   ? static_cast<double>(key)
                          : type == KeyType::i64 ? static_cast<double>(std::bit_cast<std::int64_t>(key))
                                                 : std::bit_cast<double>(key));
    return numbers;
}

// All six types as numbers.
std::vector<std::vector<double>> make_all(Distribution distribution, std::size_t n, std::uint64_t seed) {
    std::vector<std::vector<double>> all;
    for (const KeyType type : types32)
        all.push_back(numbers32(type, make_keys32(distribution, type, n, seed)));
    for (const KeyType type : types64)
        all.push_back(numbers64(type, make_keys64(distribution, type, n, seed)));
    return all;
}

double unit(std::uint32_t key) {
    return static_cast<double>(key) * 0x1p-32;
}

double mean(const std::vector<std::uint32_t>& keys) {
    double sum = 0.0;
    for (const std::uint32_t key : keys)
        sum += unit(key);
    return sum / static_cast<double>(keys.size());
}

double deviation(const std::vector<std::uint32_t>& keys) {
    const double centre = mean(keys);
    double sum = 0.0;
    for (const std::uint32_t key : keys)
        sum += (unit(key) - centre) * (unit(key) - centre);
    return std::sqrt(sum / static_cast<double>(keys.size()));
}

}  // namespace

TEST_CASE("every distribution has a name that is read back", "[demos]") {
    const std::vector<Distribution> all = all_distributions();
    CHECK(all.size() == 14);
    for (const Distribution distribution : all)
        CHECK(distribution_from_name(distribution_name(distribution)) == distribution);
    CHECK(distribution_name(Distribution::one_out_of_place) == "one-out-of-place");
    CHECK_THROWS_WITH(
        distribution_from_name("bucket_sorted"),
        Catch::Contains("unknown distribution \"bucket_sorted\"") && Catch::Contains("organ-pipe, constant"));
}

TEST_CASE("distributions give n keys, the same for the same seed", "[demos]") {
    const glsort::test::Seed seed;
    for (const Distribution distribution : all_distributions()) {
        CAPTURE(distribution_name(distribution));
        for (const std::size_t n : {0u, 1u, 2u, 3u, 5u, 31u, 32u, 33u, 64u, 1000u, 4097u}) {
            for (const KeyType type : types32) {
                const auto keys = make_keys32(distribution, type, n, seed.value());
                CHECK(keys.size() == n);
                CHECK(keys == make_keys32(distribution, type, n, seed.value()));
            }
            for (const KeyType type : types64) {
                const auto keys = make_keys64(distribution, type, n, seed.value());
                CHECK(keys.size() == n);
                CHECK(keys == make_keys64(distribution, type, n, seed.value()));
            }
        }
    }
    CHECK(make_keys32(Distribution::uniform, KeyType::u32, 100, 1) !=
          make_keys32(Distribution::uniform, KeyType::u32, 100, 2));
}

TEST_CASE("distributions are the same bits on every platform", "[demos]") {
    // FNV-1a over the bits of 1000 keys of every distribution and type.
    std::uint64_t hash = 0xCBF29CE484222325u;
    const auto mix = [&hash](std::uint64_t word) {
        for (int shift = 0; shift < 64; shift += 8)
            hash = (hash ^ ((word >> shift) & 0xFF)) * 0x100000001B3u;
    };
    for (const Distribution distribution : all_distributions()) {
        for (const KeyType type : types32)
            for (const std::uint32_t key : make_keys32(distribution, type, 1000, 42))
                mix(key);
        for (const KeyType type : types64)
            for (const std::uint64_t key : make_keys64(distribution, type, 1000, 42))
                mix(key);
    }
    CHECK(hash == 0x21F57D2B78EEED33u);
}

TEST_CASE("key types of the wrong width are refused", "[demos]") {
    CHECK_THROWS_AS(make_keys32(Distribution::uniform, KeyType::f64, 1, 0), std::invalid_argument);
    CHECK_THROWS_AS(make_keys64(Distribution::uniform, KeyType::i32, 1, 0), std::invalid_argument);
}

TEST_CASE("uniform and gaussian keys have their moments", "[demos]") {
    const glsort::test::Seed seed;
    constexpr std::size_t n = 100000;
    const auto uniform = make_keys32(Distribution::uniform, KeyType::u32, n, seed.value());
    CHECK(mean(uniform) == Approx(0.5).margin(0.01));
    CHECK(deviation(uniform) == Approx(std::sqrt(1.0 / 12.0)).margin(0.01));
    const auto gaussian = make_keys32(Distribution::gaussian, KeyType::u32, n, seed.value());
    CHECK(mean(gaussian) == Approx(0.5).margin(0.01));
    CHECK(deviation(gaussian) == Approx(std::sqrt(1.0 / 48.0)).margin(0.01));

    const auto floats = numbers32(KeyType::f32, make_keys32(Distribution::uniform, KeyType::f32, n, seed.value()));
    CHECK(*std::min_element(floats.begin(), floats.end()) == Approx(-1.0).margin(0.01));
    CHECK(*std::max_element(floats.begin(), floats.end()) == Approx(1.0).margin(0.01));
}

TEST_CASE("zipf keys fall off as 1/k", "[demos]") {
    const glsort::test::Seed seed;
    constexpr std::size_t n = 200000;
    std::map<std::uint32_t, std::size_t> counts;
    for (const std::uint32_t key : make_keys32(Distribution::zipf, KeyType::u32, n, seed.value()))
        ++counts[key];
    std::vector<double> by_value;
    for (const auto& [key, count] : counts)
        by_value.push_back(static_cast<double>(count));
    REQUIRE(by_value.size() > 1000);
    CHECK(by_value[0] / by_value[1] == Approx(2.0).epsilon(0.15));
    CHECK(by_value[0] / by_value[3] == Approx(4.0).epsilon(0.15));
    CHECK(by_value[0] / static_cast<double>(n) == Approx(1.0 / 11.667).epsilon(0.1));
    CHECK(counts.begin()->first == 0);
    CHECK(counts.rbegin()->first > 0xC0000000u);
}

TEST_CASE("ordered distributions are ordered in every key type", "[demos]") {
    const glsort::test::Seed seed;
    for (const std::size_t n : {2u, 3u, 1000u, 1001u}) {
        for (const auto& keys : make_all(Distribution::sorted, n, seed.value()))
            CHECK(std::is_sorted(keys.begin(), keys.end()));
        for (const auto& keys : make_all(Distribution::reversed, n, seed.value()))
            CHECK(std::is_sorted(keys.rbegin(), keys.rend()));
        for (const auto& keys : make_all(Distribution::organ_pipe, n, seed.value())) {
            const auto top = keys.begin() + static_cast<std::ptrdiff_t>(n / 2);
            CHECK(std::is_sorted(keys.begin(), top));
            CHECK(std::is_sorted(keys.rbegin(), std::make_reverse_iterator(top)));
        }
    }
}

TEST_CASE("one key is out of place", "[demos]") {
    const glsort::test::Seed seed;
    for (std::uint64_t i = 0; i < 20; ++i) {
        const auto keys = make_keys64(Distribution::one_out_of_place, KeyType::u64, 100, seed.value() + i);
        CHECK_FALSE(std::is_sorted(keys.begin(), keys.end()));
        bool mended = false;
        for (std::size_t k = 0; k < keys.size() && !mended; ++k) {
            auto rest = keys;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
            mended = std::is_sorted(rest.begin(), rest.end());
        }
        CHECK(mended);
    }
}

TEST_CASE("constant, zero and few-distinct keys", "[demos]") {
    const glsort::test::Seed seed;
    for (const auto& keys : make_all(Distribution::constant, 1000, seed.value()))
        CHECK(std::set<double>(keys.begin(), keys.end()).size() == 1);
    for (const auto& keys : make_all(Distribution::zero, 1000, seed.value())) {
        CHECK(std::set<double>(keys.begin(), keys.end()) == std::set<double>{0.0});
        CHECK_FALSE(std::signbit(keys.front()));
    }
    for (const auto& keys : make_all(Distribution::few_distinct, 1000, seed.value()))
        CHECK(std::set<double>(keys.begin(), keys.end()).size() == 16);
}

TEST_CASE("special float keys hold every class of float", "[demos]") {
    const glsort::test::Seed seed;
    std::set<std::uint32_t> nans;
    std::map<int, int> classes;
    bool negative_nan = false;
    bool negative_zero = false;
    bool negative_denormal = false;
    bool signalling = false;
    for (const std::uint32_t key : make_keys32(Distribution::special, KeyType::f32, 64, seed.value())) {
        const float value = std::bit_cast<float>(key);
        ++classes[std::fpclassify(value)];
        const bool negative = (key >> 31) != 0;
        if (std::isnan(value)) {
            nans.insert(key);
            negative_nan |= negative;
            signalling |= (key & 0x00400000u) == 0;
        }
        if (std::fpclassify(value) == FP_ZERO) negative_zero |= negative;
        if (std::fpclassify(value) == FP_SUBNORMAL) negative_denormal |= negative;
    }
    CHECK(nans.size() >= 10);
    CHECK(negative_nan);
    CHECK(negative_zero);
    CHECK(negative_denormal);
    CHECK(signalling);
    for (const int kind : {FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL})
        CHECK(classes[kind] >= 2);

    const auto doubles = make_keys64(Distribution::special, KeyType::f64, 64, seed.value());
    for (const std::uint64_t key : std::initializer_list<std::uint64_t>{
             0x0u, 0x8000000000000000u, 0x7FF0000000000000u, 0xFFF0000000000000u, 0x7FF8000000000000u,
             0xFFFFFFFFFFFFFFFFu, 0x1u, 0x000FFFFFFFFFFFFFu, 0x7FEFFFFFFFFFFFFFu})
        CHECK(std::find(doubles.begin(), doubles.end(), key) != doubles.end());
}

TEST_CASE("special integer keys hold the extremes", "[demos]") {
    const glsort::test::Seed seed;
    for (const KeyType type : {KeyType::u32, KeyType::i32}) {
        const auto keys = make_keys32(Distribution::special, type, 64, seed.value());
        for (const std::uint32_t key :
             {0u, 1u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu, 0xFFu, 0x100u, 0xFFFFFFu, 0x1000000u})
            CHECK(std::find(keys.begin(), keys.end(), key) != keys.end());
    }
}

TEST_CASE("bucket-sorted keys: 32 blocks of 32 ascending parts", "[demos]") {
    const glsort::test::Seed seed;
    constexpr std::size_t part = 4;
    const auto keys = make_keys32(Distribution::bucket_sorted, KeyType::u32, 32 * 32 * part, seed.value());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < keys.size(); ++i)
        wrong += keys[i] >> 27 != i / part % 32;
    CHECK(wrong == 0);
}

TEST_CASE("staggered keys: each block its own 64th of the range, out of order", "[demos]") {
    const glsort::test::Seed seed;
    constexpr std::size_t block = 10;
    const auto keys = make_keys64(Distribution::staggered, KeyType::u64, 64 * block, seed.value());
    std::size_t wrong = 0;
    std::set<std::uint64_t> parts;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::size_t b = i / block + 1;
        wrong += keys[i] >> 58 != (b <= 32 ? 2 * b - 1 : 2 * b - 66);
        parts.insert(keys[i] >> 58);
    }
    CHECK(wrong == 0);
    CHECK(parts.size() == 64);
}

TEST_CASE("duplicates: halves of equal logarithms", "[demos]") {
    const auto keys = make_keys32(Distribution::duplicates, KeyType::u32, 16, 0);
    CHECK(keys == std::vector<std::uint32_t>{4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 2, 2, 1, 0});
    const auto floats = make_keys32(Distribution::duplicates, KeyType::f32, 2, 0);
    CHECK(floats == std::vector<std::uint32_t>{std::bit_cast<std::uint32_t>(1.0f), 0});
}
