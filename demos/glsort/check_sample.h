#pragma once

#include <glsort/sorter.h>

#include <cstdint>
#include <vector>

#include "check_comparisons.h"
#include "support/distributions.h"

/// The input of a sort, and the expected output.

namespace glsort::check {

using Words = std::vector<std::uint32_t>;

/// The description of a sample, before the sample is made.
struct SamplePlan {
    std::uint32_t count = 0;
    demo::Distribution distribution = demo::Distribution::uniform;
    std::uint64_t seed = 0;
    std::uint32_t lists = 0;  ///< The number of sorted lists to merge. 0: a sort.
};

/// Keys and values as in memory, and the result of std::stable_sort.
struct Sample {
    std::uint32_t count = 0;
    Words keys, values;
    Words sorted_keys, sorted_values;  ///< For the payload `index`: the values are the permutation.
    std::vector<std::uint32_t> lists;  ///< The lengths of the lists.
    bool specified = true;  ///< Whether the result is specified. False if the comparison is no strict weak order.
};

/// 32-bit words of a key, and of a value in a buffer.
std::uint32_t words_of_key(const SortSpec& spec);
std::uint32_t words_of_value(const SortSpec& spec);

/// The program that the sorter runs for `count` elements. With counts on the GPU it is the program of the capacity.
StreamProgram program_of(const Sorter& sorter, std::uint32_t count, const std::vector<std::uint32_t>& lists);

/// Makes random values, so that two values almost certainly differ. `known` is null if the type of the keys orders
/// them.
Sample make_sample(const SortSpec& spec, const KnownComparison* known, const SamplePlan& plan);

}  // namespace glsort::check
