#pragma once

#include <glsort/plan/element_type.h>
#include <glsort/planner.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <memory>
#include <vector>

/// The load and store chunks of a sort. A load chunk converts the caller's keys and values to elements, a store chunk
/// converts elements back.

namespace glsort {

/// `load_record`: makes an element of a key. The element holds the key's code, the key's index or value, or both.
/// `elements` is the max number of elements that an instance loads. Inputs: the caller's keys if an element has a code,
/// and the caller's values if an element carries a value.
std::shared_ptr<const Chunk> load_chunk(const PlanRequest& request, const ElementType& element_type,
                                        std::uint32_t elements);

/// `store_record`: makes a key and a payload of an element. Outputs: keys, and values if values are a separate stream.
/// Inputs: the caller's keys if elements lack a part of the key, and the caller's values if the chunk gathers values.
std::shared_ptr<const Chunk> store_chunk(const PlanRequest& request, const ElementType& element_type);

/// Makes `writer` store elements by one chunk, and `reader` load these elements by another. Both kernels must have
/// elements as an output or an input. `streams`: what the first chunk writes and the second reads, port by port.
void exchange(Op& writer, Op& reader, std::shared_ptr<const Chunk> store, std::shared_ptr<const Chunk> load,
              const std::vector<StreamUse>& streams);

}  // namespace glsort
