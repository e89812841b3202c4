#include <glsort/plan/algorithm.h>

/// The list of all algorithms, in the order of lists for users. An entry NAME stands for `NAME_algorithm`, which a file
/// in the folder of its family defines.
#define GLSORT_ALGORITHMS(ALGORITHM) \
    ALGORITHM(merge)                 \
    ALGORITHM(radix)                 \
    ALGORITHM(sample)                \
    ALGORITHM(bitonic)               \
    ALGORITHM(odd_even)              \
    ALGORITHM(periodic_balanced)     \
    ALGORITHM(pairwise)              \
    ALGORITHM(abisort)

namespace glsort {

#define GLSORT_DECLARE(name) extern const AlgorithmDescriptor name##_algorithm;
GLSORT_ALGORITHMS(GLSORT_DECLARE)
#undef GLSORT_DECLARE

namespace {

#define GLSORT_ADDRESS(name) &name##_algorithm,
constexpr const AlgorithmDescriptor* every_algorithm[] = {GLSORT_ALGORITHMS(GLSORT_ADDRESS)};
#undef GLSORT_ADDRESS

}  // namespace

std::span<const AlgorithmDescriptor* const> algorithm_descriptors() {
    return every_algorithm;
}

}  // namespace glsort
