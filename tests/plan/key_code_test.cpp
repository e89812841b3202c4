#include <glsort/plan/key_code.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "plan/reference_sort.h"
#include "support/random.h"

using namespace glsort;
using namespace glsort::test;

namespace {

constexpr KeyType types[] = {KeyType::u32, KeyType::i32, KeyType::f32};
constexpr Order orders[] = {Order::ascending, Order::descending};

// Bits around which something changes, and their neighbours.
std::vector<std::uint32_t> special_bits() {
    std::vector<std::uint32_t> all;
    for (const std::uint32_t bits :
         {0x00000000u, 0x80000000u, 0x00800000u, 0x80800000u, 0x3f800000u, 0xbf800000u, 0x7f800000u,
          0xff800000u, 0x7fc00000u, 0xffc00000u, 0x7fffffffu, 0xffffffffu, 0x007fffffu,
          0x807fffffu})
        for (std::uint32_t i = 0; i < 130; ++i)
            all.push_back(bits + i - 65);
    return all;
}

}  // namespace

TEST_CASE("codes of the landmarks", "[plan]") {
    constexpr auto code = [](std::uint32_t bits) {
        return encode_key(KeyType::f32, Order::ascending, bits);
    };
    STATIC_REQUIRE(code(0xff800000u) == 0);                      // -Inf
    STATIC_REQUIRE(code(0xff7fffffu) == 1);                      // the lowest finite number
    STATIC_REQUIRE(code(0x00000000u) == code(0x80000000u) + 1);  // -0, +0
    STATIC_REQUIRE(code(0x00000001u) == code(0x00000000u) + 1);
    STATIC_REQUIRE(code(0x7f800001u) == code(0x7f800000u) + 1);  // the first NaN after +Inf
    STATIC_REQUIRE(code(0xffffffffu) == code(0x7fffffffu) + 1);  // then those with a sign
    STATIC_REQUIRE(code(0xff800001u) == 0xffffffffu);
    STATIC_REQUIRE(encode_key(KeyType::u32, Order::ascending, 7u) == 7);
    STATIC_REQUIRE(encode_key(KeyType::i32, Order::ascending, 0x80000000u) == 0);
    STATIC_REQUIRE(encode_key(KeyType::i32, Order::ascending, 0x7fffffffu) == 0xffffffffu);
}

TEST_CASE("codes have the order of the keys", "[plan]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    const std::vector<std::uint32_t> special = special_bits();
    for (const KeyType type : types) {
        CAPTURE(to_string(type));
        std::size_t wrong = 0;
        const auto check = [&](std::uint32_t a, std::uint32_t b) {
            const std::uint32_t code_a = encode_key(type, Order::ascending, a);
            const std::uint32_t code_b = encode_key(type, Order::ascending, b);
            wrong += (code_a < code_b) != key_precedes(type, a, b);
            wrong += (code_a == code_b) != (a == b);
        };
        for (const std::uint32_t a : special)
            for (const std::uint32_t b : special)
                check(a, b);
        for (int i = 0; i < 200000; ++i) {
            const auto a = static_cast<std::uint32_t>(random());
            check(a, static_cast<std::uint32_t>(random()));
            check(a, a + static_cast<std::uint32_t>(random() % 5) - 2);
            check(a, special[random() % special.size()]);
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("descending codes are the exact reverse", "[plan]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    for (const KeyType type : types) {
        std::size_t wrong = 0;
        const auto check = [&](std::uint32_t bits) {
            wrong += encode_key(type, Order::descending, bits) !=
                     0xffffffffu - encode_key(type, Order::ascending, bits);
        };
        for (const std::uint32_t bits : special_bits())
            check(bits);
        for (int i = 0; i < 100000; ++i)
            check(static_cast<std::uint32_t>(random()));
        CHECK(wrong == 0);
    }
}

TEST_CASE("keys come back from their codes bit for bit", "[plan]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    const auto offset = static_cast<std::uint32_t>(random() % 256);
    for (const KeyType type : types)
        for (const Order order : orders) {
            CAPTURE(to_string(type), to_string(order), offset);
            std::size_t wrong = 0;
            const auto check = [&](std::uint32_t bits) {
                wrong += decode_key(type, order, encode_key(type, order, bits)) != bits;
                wrong += encode_key(type, order, decode_key(type, order, bits)) != bits;
            };
            for (const std::uint32_t bits : special_bits())
                check(bits);
            // One of every 256 patterns: every sign, exponent and half of the mantissa.
            for (std::uint32_t i = 0; i < 1u << 24; ++i)
                check(i << 8 | offset);
            CHECK(wrong == 0);
        }
}

TEST_CASE("codes rise from -Inf over the zeros to +Inf and the NaNs", "[plan]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    const auto offset = static_cast<std::uint32_t>(random() % 256);
    std::uint32_t last = encode_key(KeyType::f32, Order::ascending, 0xff800000u);
    std::size_t wrong = last != 0;
    const auto check = [&](std::uint32_t bits) {
        const std::uint32_t code = encode_key(KeyType::f32, Order::ascending, bits);
        wrong += code <= last;
        last = code;
    };
    for (std::uint32_t bits = 0xff7fff00u | offset; bits >= 0x80000100u; bits -= 0x100)
        check(bits);
    check(0x80000000u);
    check(0x00000000u);
    for (std::uint32_t bits = 0x100 | offset; bits < 0x7f800000u; bits += 0x100)
        check(bits);
    check(0x7f800000u);
    for (std::uint32_t bits = 0x7f800100u | offset; bits < 0x80000000u; bits += 0x100)
        check(bits);
    for (std::uint32_t bits = 0xffffff00u | offset; bits >= 0xff800100u; bits -= 0x100)
        check(bits);
    CHECK(wrong == 0);
}
