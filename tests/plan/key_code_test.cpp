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

template <class Bits>
constexpr KeyType types[] = {KeyType::u32, KeyType::i32, KeyType::f32};
template <>
constexpr KeyType types<std::uint64_t>[] = {KeyType::u64, KeyType::i64, KeyType::f64};
constexpr Direction orders[] = {Direction::ascending, Direction::descending};

// Landmarks of the floats of 32 or 64 bits.
template <class Bits>
struct Landmarks {
    static constexpr bool wide = sizeof(Bits) == 8;
    static constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
    static constexpr Bits infinity = wide ? Bits(0x7ff0000000000000u) : Bits(0x7f800000u);
    static constexpr Bits one = wide ? Bits(0x3ff0000000000000u) : Bits(0x3f800000u);
    static constexpr Bits least_normal = wide ? Bits(0x0010000000000000u) : Bits(0x00800000u);
    static constexpr Bits quiet_nan = infinity | least_normal / 2;
    // The distance between neighbours of 2^24 patterns. The patterns cover every sign, every exponent and the top of
    // the mantissa.
    static constexpr Bits step = Bits{1} << (8 * sizeof(Bits) - 24);
};

// Bits at which the order changes, with and without a sign, and their neighbours.
template <class Bits>
std::vector<Bits> special_bits() {
    using L = Landmarks<Bits>;
    std::vector<Bits> all;
    for (const Bits bits :
         {Bits{0}, L::least_normal, L::one, L::infinity, L::quiet_nan, Bits(L::sign - 1), Bits{0xffffffffu}})
        for (const Bits sign : {Bits{0}, L::sign})
            for (Bits i = 0; i < 130; ++i)
                all.push_back((bits | sign) + i - 65);
    return all;
}

}  // namespace

TEST_CASE("codes of the landmarks", "[plan]") {
    constexpr auto code = [](std::uint32_t bits) { return encode_key(KeyType::f32, Direction::ascending, bits); };
    STATIC_REQUIRE(code(0xff800000u) == 0);                      // -Inf
    STATIC_REQUIRE(code(0xff7fffffu) == 1);                      // the lowest finite number
    STATIC_REQUIRE(code(0x00000000u) == code(0x80000000u) + 1);  // -0, +0
    STATIC_REQUIRE(code(0x00000001u) == code(0x00000000u) + 1);
    STATIC_REQUIRE(code(0x7f800001u) == code(0x7f800000u) + 1);  // The first NaN after +Inf.
    STATIC_REQUIRE(code(0xffffffffu) == code(0x7fffffffu) + 1);  // Then the NaNs with a sign.
    STATIC_REQUIRE(code(0xff800001u) == 0xffffffffu);
    STATIC_REQUIRE(encode_key(KeyType::u32, Direction::ascending, 7u) == 7);
    STATIC_REQUIRE(encode_key(KeyType::i32, Direction::ascending, 0x80000000u) == 0);
    STATIC_REQUIRE(encode_key(KeyType::i32, Direction::ascending, 0x7fffffffu) == 0xffffffffu);
}

TEST_CASE("codes of the landmarks, 64 bits", "[plan]") {
    constexpr auto code = [](std::uint64_t bits) { return encode_key(KeyType::f64, Direction::ascending, bits); };
    STATIC_REQUIRE(code(0xfff0000000000000u) == 0);                              // -Inf
    STATIC_REQUIRE(code(0xffefffffffffffffu) == 1);                              // the lowest finite number
    STATIC_REQUIRE(code(0x0000000000000000u) == code(0x8000000000000000u) + 1);  // -0, +0
    STATIC_REQUIRE(code(0x0000000000000001u) == code(0x0000000000000000u) + 1);
    STATIC_REQUIRE(code(0x7ff0000000000001u) == code(0x7ff0000000000000u) + 1);  // a NaN after +Inf
    STATIC_REQUIRE(code(0xffffffffffffffffu) == code(0x7fffffffffffffffu) + 1);  // The NaNs with a sign.
    STATIC_REQUIRE(code(0xfff0000000000001u) == 0xffffffffffffffffu);
    STATIC_REQUIRE(encode_key(KeyType::u64, Direction::ascending, std::uint64_t{7} << 40) == std::uint64_t{7} << 40);
    STATIC_REQUIRE(encode_key(KeyType::i64, Direction::ascending, 0x8000000000000000u) == 0);
    STATIC_REQUIRE(encode_key(KeyType::i64, Direction::ascending, 0x7fffffffffffffffu) == 0xffffffffffffffffu);
}

TEMPLATE_TEST_CASE("codes have the order of the keys", "[plan]", std::uint32_t, std::uint64_t) {
    using Bits = TestType;
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    const std::vector<Bits> special = special_bits<Bits>();
    for (const KeyType type : types<Bits>) {
        CAPTURE(to_string(type));
        std::size_t wrong = 0;
        const auto check = [&](Bits a, Bits b) {
            const Bits code_a = encode_key(type, Direction::ascending, a);
            const Bits code_b = encode_key(type, Direction::ascending, b);
            wrong += (code_a < code_b) != key_precedes(type, a, b);
            wrong += (code_a == code_b) != (a == b);
        };
        for (const Bits a : special)
            for (const Bits b : special)
                check(a, b);
        for (int i = 0; i < 200000; ++i) {
            const auto a = static_cast<Bits>(random());
            check(a, static_cast<Bits>(random()));
            check(a, a + static_cast<Bits>(random() % 5) - 2);
            check(a, special[random() % special.size()]);
        }
        CHECK(wrong == 0);
    }
}

TEMPLATE_TEST_CASE("descending codes are the exact reverse", "[plan]", std::uint32_t, std::uint64_t) {
    using Bits = TestType;
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    for (const KeyType type : types<Bits>) {
        std::size_t wrong = 0;
        const auto check = [&](Bits bits) {
            wrong += encode_key(type, Direction::descending, bits) !=
                     static_cast<Bits>(-1) - encode_key(type, Direction::ascending, bits);
        };
        for (const Bits bits : special_bits<Bits>())
            check(bits);
        for (int i = 0; i < 100000; ++i)
            check(static_cast<Bits>(random()));
        CHECK(wrong == 0);
    }
}

TEMPLATE_TEST_CASE("keys come back from their codes bit for bit", "[plan]", std::uint32_t, std::uint64_t) {
    using Bits = TestType;
    constexpr Bits step = Landmarks<Bits>::step;
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    const auto offset = static_cast<Bits>(random() % step);
    for (const KeyType type : types<Bits>)
        for (const Direction order : orders) {
            CAPTURE(to_string(type), to_string(order), offset);
            std::size_t wrong = 0;
            const auto check = [&](Bits bits) {
                wrong += decode_key(type, order, encode_key(type, order, bits)) != bits;
                wrong += encode_key(type, order, decode_key(type, order, bits)) != bits;
            };
            for (const Bits bits : special_bits<Bits>())
                check(bits);
            for (Bits i = 0; i < 1u << 24; ++i)
                check(i * step | offset);
            CHECK(wrong == 0);
        }
}

TEMPLATE_TEST_CASE("codes rise from -Inf over the zeros to +Inf and the NaNs", "[plan]", std::uint32_t, std::uint64_t) {
    using Bits = TestType;
    using L = Landmarks<Bits>;
    constexpr KeyType type = types<Bits>[2];
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    const auto offset = static_cast<Bits>(random() % L::step);
    Bits last = encode_key(type, Direction::ascending, L::infinity | L::sign);
    std::size_t wrong = last != 0;
    const auto check = [&](Bits bits) {
        const Bits code = encode_key(type, Direction::ascending, bits);
        wrong += code <= last;
        last = code;
    };
    for (Bits bits = ((L::infinity | L::sign) - L::step) | offset; bits >= L::sign + L::step; bits -= L::step)
        check(bits);
    check(L::sign);
    check(0);
    for (Bits bits = L::step | offset; bits < L::infinity; bits += L::step)
        check(bits);
    check(L::infinity);
    for (Bits bits = (L::infinity + L::step) | offset; bits < L::sign; bits += L::step)
        check(bits);
    for (Bits bits = (Bits(0) - L::step) | offset; bits >= (L::infinity | L::sign) + L::step; bits -= L::step)
        check(bits);
    CHECK(wrong == 0);
}
