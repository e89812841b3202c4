#pragma once

#include <glsort/plan/element_type.h>
#include <glsort/planner.h>

#include <cstdint>

/// How a payload gets to its place. The passes of a sort (plan/passes.h) call these functions.

namespace glsort {

bool has_payload(const SortSpec& spec);
/// Whether the sort moves values of the caller. An index payload is written, not moved.
bool moves_values(const SortSpec& spec);

/// Size of a caller's value in 32-bit words. A value moves in chunks of 4, 2 or 1 words, the largest that divides the
/// value.
std::uint32_t value_words(const PlanRequest& request);
std::uint32_t chunk_words(const PlanRequest& request);
std::uint32_t chunks_of(const PlanRequest& request);

/// The word of a caller's element that is the value. In a texture the value follows the key.
std::uint32_t value_word_of(const PlanRequest& request);

/// Whether a separate op moves the values after the sort. Values of more than one word have a separate op. In buffers
/// of the compute backend, all values have one if elements lack a part of the key: on devices with few ports, the store
/// chunk has no port left for values.
bool gathers_values(const PlanRequest& request, const ElementType& element_type);

/// Whether the store chunk gathers the values.
bool stores_values(const PlanRequest& request, const ElementType& element_type);

}  // namespace glsort
