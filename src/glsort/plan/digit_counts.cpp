#include <glsort/plan/digit_counts.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>

namespace glsort {

void count_digits(std::uint64_t code, const DigitCounts& digits, std::vector<std::uint32_t>& counts) {
    for (std::uint32_t pass = 0; pass < digits.passes; ++pass) {
        const std::uint32_t shift = digits.bits.first + pass * digits.digit_bits;
        const std::uint32_t length = std::min(digits.digit_bits, digits.bits.end - shift);
        ++counts[(pass << digits.digit_bits) + static_cast<std::uint32_t>(code >> shift & ((1u << length) - 1))];
    }
}

void move_sums(CpuInvocation& k, std::size_t sums, std::size_t totals, const DigitCounts& digits) {
    for (std::uint32_t column = 0; column < digits.columns(); ++column) {
        k.scatter(totals, column, k.shared(sums, column));
        k.scatter(sums, column, {});
    }
}

void declare_digit_counts(Kernel& kernel, const DigitCounts& digits) {
    kernel.defines.emplace_back("GLSORT_COUNT_COPIES", literal(DigitCounts::copies));
    kernel.defines.emplace_back("GLSORT_PASSES", literal(digits.passes));
    kernel.defines.emplace_back("GLSORT_DIGIT_BITS", literal(digits.digit_bits));
    kernel.shared_words += digits.shared_words();
}

}  // namespace glsort
