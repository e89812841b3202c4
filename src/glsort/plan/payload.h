#pragma once

#include <glsort/plan/record_type.h>
#include <glsort/planner.h>

#include <cstdint>

/// How a payload gets to its place: questions that the passes of a sort ask (plan/passes.h).

namespace glsort {

bool has_payload(const PlanRequest& request);
/// Whether values of the caller's are moved; an index is written, not moved.
bool moves_values(const PlanRequest& request);

/// A value of the caller's in memory, in 32-bit words. It moves in chunks of the largest of four, two and one word that
/// divides it.
std::uint32_t value_words(const PlanRequest& request);
std::uint32_t chunk_words(const PlanRequest& request);
std::uint32_t chunks_of(const PlanRequest& request);

/// The word of a caller's element that is the value: in a texture it follows the key.
std::uint32_t value_word_of(const PlanRequest& request);

/// Whether values are moved by an op of their own, behind the sort: large ones, and those for which a store chunk that
/// looks up keys, too, has no port left on a device with few.
bool gathers_values(const PlanRequest& request, const RecordType& record);

/// Whether the store chunk gathers the values.
bool stores_values(const PlanRequest& request, const RecordType& record);

}  // namespace glsort
