#pragma once

#include <glsort/sorter.h>

#include <cstdint>
#include <vector>

#include "check_comparisons.h"
#include "support/distributions.h"

/// What is sorted, and what has to come out.

namespace glsort::check {

using Words = std::vector<std::uint32_t>;

/// A sample before it is made.
struct SamplePlan {
    std::uint32_t count = 0;
    demo::Distribution distribution = demo::Distribution::uniform;
    std::uint64_t seed = 0;
    std::uint32_t lists = 0;  ///< As many sorted lists, to be merged; 0: to be sorted.
};

/// Keys and values as they lie in memory, and what std::stable_sort makes of them.
struct Sample {
    std::uint32_t count = 0;
    Words keys, values;
    Words sorted_keys, sorted_values;  ///< Values of a payload `index`: the permutation.
    std::vector<std::uint32_t> lists;  ///< Their lengths.
    bool specified = true;             ///< Whether the result is: not where the comparison is no order.
};

/// 32-bit words of a key, and of a value where it lies in a buffer.
std::uint32_t words_of_key(const SortSpec& spec);
std::uint32_t words_of_value(const SortSpec& spec);

/// Values are random, so that any two differ most likely. `known` is null where the keys' type orders them.
Sample make_sample(const SortSpec& spec, const KnownComparison* known, const SamplePlan& plan);

}  // namespace glsort::check
