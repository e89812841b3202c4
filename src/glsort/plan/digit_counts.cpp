#include <glsort/plan/digit_counts.h>
#include <glsort/stream/cpu_invocation.h>

namespace glsort {

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
