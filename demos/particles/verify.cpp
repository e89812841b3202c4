#include "verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

namespace glsort::demo {

namespace {

// A code in the order of glsort (glsort/spec.h): -Inf ... -0, +0 ... +Inf, and then NaN.
std::uint32_t code(float key) {
    const auto bits = std::bit_cast<std::uint32_t>(key);
    const std::uint32_t flipped = bits ^ ((bits >> 31) != 0 ? 0xFFFFFFFFu : 0x80000000u);
    return flipped - 0x007FFFFFu;
}

}  // namespace

std::string check_order(const std::vector<float>& keys, const std::vector<std::uint32_t>& order) {
    constexpr std::uint32_t nowhere = 0xFFFFFFFFu;
    const std::size_t n = keys.size();
    if (order.size() != n) return fmt::format("{} indices for {} keys", order.size(), n);

    std::vector<std::uint32_t> place(n, nowhere);
    for (std::size_t i = 0; i < n; ++i) {
        if (order[i] >= n)
            return fmt::format("no permutation: position {} holds index {} of {} particles", i, order[i], n);
        if (place[order[i]] != nowhere)
            return fmt::format("no permutation: positions {} and {} both hold index {}", place[order[i]], i, order[i]);
        place[order[i]] = static_cast<std::uint32_t>(i);
    }

    std::vector<std::uint32_t> expected(n);
    std::iota(expected.begin(), expected.end(), 0u);
    std::stable_sort(expected.begin(), expected.end(),
                     [&keys](std::uint32_t a, std::uint32_t b) { return code(keys[a]) < code(keys[b]); });
    const auto [found, right] = std::mismatch(order.begin(), order.end(), expected.begin());
    if (found == order.end()) return {};
    return fmt::format("position {} holds particle {} (key {}) in place of {} (key {})", found - order.begin(), *found,
                       keys[*found], *right, keys[*right]);
}

}  // namespace glsort::demo
