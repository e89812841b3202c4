#include <glsort/plan/networks/sorting_network.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>

using namespace glsort;

TEST_CASE("odd-even merge networks sort all zeros and ones, n to 16", "[plan]") {
    for (std::uint32_t n = 0; n <= 16; ++n) {
        const auto network = odd_even_merge_sort(n);
        for (std::uint32_t bits = 0; bits < 1u << n; ++bits) {
            std::uint32_t wires = bits;
            for (const auto& [a, b] : network)
                if ((wires >> a & 1) > (wires >> b & 1)) wires ^= 1u << a | 1u << b;
            // A sorted sequence has no zero above a one. If the zeros come first, the ones are the highest bits.
            const std::uint32_t zeros = ~wires & ((1u << n) - 1);
            if ((zeros & (zeros + 1)) != 0) FAIL("n " << n << ", bits " << bits);
        }
    }
    SUCCEED();
}

TEST_CASE("odd-even merge networks have the comparators they are known for", "[plan]") {
    // Knuth, volume 3, section 5.3.4: (p^2 - p + 4) 2^(p-2) - 1 for 2^p inputs.
    for (int p = 1; p <= 8; ++p)
        CHECK(odd_even_merge_sort(1u << p).size() == (std::size_t(p * p - p + 4) << p) / 4 - 1);
    for (const auto& [a, b] : odd_even_merge_sort(100)) {
        CHECK(a < b);
        CHECK(b < 100);
    }
    CHECK(odd_even_merge_sort_text(4) ==
          "GLSORT_COMPARE(0,1) GLSORT_COMPARE(2,3) GLSORT_COMPARE(0,2) "
          "GLSORT_COMPARE(1,3) GLSORT_COMPARE(1,2) ");
}
