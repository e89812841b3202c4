#include <glsort/plan/algorithm.h>

// Conditional compilation: an algorithm whose family is not built (GLSORT_FAMILIES) cannot be linked.
#if !defined(GLSORT_RADIX) || !defined(GLSORT_SAMPLE) || !defined(GLSORT_ABISORT)
#error "this file needs GLSORT_RADIX, GLSORT_SAMPLE and GLSORT_ABISORT, each 0 or 1: src/CMakeLists.txt"
#endif
#if GLSORT_RADIX
#define GLSORT_RADIX_FAMILY(entries) entries
#else
#define GLSORT_RADIX_FAMILY(entries)
#endif
#if GLSORT_SAMPLE
#define GLSORT_SAMPLE_FAMILY(entries) entries
#else
#define GLSORT_SAMPLE_FAMILY(entries)
#endif
#if GLSORT_ABISORT
#define GLSORT_ABISORT_FAMILY(entries) entries
#else
#define GLSORT_ABISORT_FAMILY(entries)
#endif

/// The list of all algorithms, in the order of lists for users. An entry NAME stands for `NAME_algorithm`, which a file
/// in the folder of its family defines.
#define GLSORT_ALGORITHMS(ALGORITHM)        \
    ALGORITHM(merge)                        \
    GLSORT_RADIX_FAMILY(ALGORITHM(radix))   \
    GLSORT_SAMPLE_FAMILY(ALGORITHM(sample)) \
    ALGORITHM(bitonic)                      \
    ALGORITHM(odd_even)                     \
    ALGORITHM(periodic_balanced)            \
    ALGORITHM(pairwise)                     \
    GLSORT_ABISORT_FAMILY(ALGORITHM(abisort))

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
