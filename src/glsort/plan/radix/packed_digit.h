#pragma once

#include <glsort/plan/element_source.h>
#include <glsort/plan/element_type.h>
#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/stream/kernel.h>

#include <memory>

/// Elements in front of the last sweep of a sort. If nobody reads the sorted keys, the sweep needs only the last digit
/// of a code, and the value. Where values are small enough, a word holds the digit in the highest bits, and the value
/// below.

namespace glsort::radix {

/// Whether nobody reads the keys of `source`, and a word has room for a value of `source` and for `last`, the last
/// digit.
bool packs_last_digit(const ElementSource& source, const ElementType& element_type, const Digit& last);

/// The store chunk of the sweep before the last. The output has one word.
std::shared_ptr<const Chunk> store_packed_chunk(const ElementType& element_type, const Digit& last);
/// The load chunk of the last sweep. `elements`: the max number of elements that an instance loads.
std::shared_ptr<const Chunk> load_packed_chunk(const ElementType& element_type, const Digit& last,
                                               std::uint32_t elements);

}  // namespace glsort::radix
