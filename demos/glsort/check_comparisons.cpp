#include "check_comparisons.h"

#include <array>
#include <bit>
#include <tuple>

#include "check_dice.h"

namespace glsort::check {

const std::vector<KnownComparison>& comparisons() {
    using Key = Comparison::Key;
    static const std::vector<KnownComparison> known{
        {{.name = "by low bits",
          .key_bytes = 4,
          .glsl = "bool comes_before(uint a, uint b) { return (a & 0xffffu) < (b & 0xffffu); }\n",
          .host = [](const Key& a, const Key& b) { return (a[0] & 0xffff) < (b[0] & 0xffff); }}},
        {{.name = "depth, then material",
          .key_bytes = 8,
          .glsl = "bool comes_before(uvec2 a, uvec2 b) {\n"
                  "    float depth_a = uintBitsToFloat(a.x), depth_b = uintBitsToFloat(b.x);\n"
                  "    return depth_a < depth_b || (depth_a == depth_b && a.y < b.y);\n"
                  "}\n",
          .host =
              [](const Key& a, const Key& b) {
                  const auto depth_a = std::bit_cast<float>(a[0]);
                  const auto depth_b = std::bit_cast<float>(b[0]);
                  return depth_a < depth_b || (depth_a == depth_b && a[1] < b[1]);
              }}},
        {{.name = "third word, then second downwards",
          .key_bytes = 12,
          .glsl = "bool comes_before(uvec3 a, uvec3 b) {\n"
                  "    return a.z < b.z || (a.z == b.z && a.y > b.y);\n"
                  "}\n",
          .host = [](const Key& a, const Key& b) { return a[2] < b[2] || (a[2] == b[2] && a[1] > b[1]); }}},
        {{.name = "128 bits",
          .key_bytes = 16,
          .glsl = "bool comes_before(uvec4 a, uvec4 b) {\n"
                  "    if (a.w != b.w) return a.w < b.w;\n"
                  "    if (a.z != b.z) return a.z < b.z;\n"
                  "    return a.y < b.y || (a.y == b.y && a.x < b.x);\n"
                  "}\n",
          .host = [](const Key& a,
                     const Key& b) { return std::tie(a[3], a[2], a[1], a[0]) < std::tie(b[3], b[2], b[1], b[0]); }}},
        {{.name = "not strict",
          .key_bytes = 4,
          .glsl = "bool comes_before(uint a, uint b) { return a <= b; }\n",
          .host = [](const Key& a, const Key& b) { return a[0] <= b[0]; }},
         false},
        {{.name = "in circles",
          .key_bytes = 8,
          .glsl = "bool comes_before(uvec2 a, uvec2 b) { return (a.x - b.x) % 3u == 1u; }\n",
          .host = [](const Key& a, const Key& b) { return (a[0] - b[0]) % 3 == 1; }},
         false},
        {{.name = "at random",
          .key_bytes = 12,
          .glsl = "bool comes_before(uvec3 a, uvec3 b) {\n"
                  "    return ((a.x * 2654435761u ^ b.y) >> 7 & 1u) == 1u;\n"
                  "}\n",
          .host = [](const Key& a, const Key& b) { return ((a[0] * 2654435761u ^ b[1]) >> 7 & 1u) == 1; }},
         false},
        {{.name = "always",
          .key_bytes = 16,
          .glsl = "bool comes_before(uvec4 a, uvec4 b) { return true; }\n",
          .host = [](const Key&, const Key&) { return true; }},
         false}};
    return known;
}

std::vector<std::uint32_t> make_comparison_keys(const Comparison& comparison, std::size_t n, std::uint64_t seed) {
    Dice dice(seed);
    const std::uint32_t size = comparison.key_bytes / 4;
    const bool few = dice.chance(0.5);
    constexpr std::array<std::uint32_t, 4> some{0, 1, 0x80000000u, 0xffffffffu};
    std::vector<std::uint32_t> words(n * size);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::uint64_t number = dice.number();
        words[i] = few || (number >> 32) % 4 == 0 ? some[number % 4] : static_cast<std::uint32_t>(number);
        // A depth. No NaN, and no subnormal, which a GPU may treat as zero; zeros of both signs.
        if (size == 2 && i % 2 == 0)
            words[i] = std::bit_cast<std::uint32_t>((number >> 63 == 0 ? 0.25f : -0.25f) *
                                                    static_cast<float>(number % (few ? 3 : 5000)));
    }
    return words;
}

}  // namespace glsort::check
