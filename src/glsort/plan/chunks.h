#pragma once

#include <glsort/plan/record_type.h>
#include <glsort/planner.h>
#include <glsort/stream/kernel.h>

#include <cstdint>
#include <memory>

/// The way in and the way out of a sort's first and last op: between the caller's keys and values, and elements.

namespace glsort {

/// `load_record`: key to element, i.e. its code, its index or value, or both. `elements`: what an instance loads at the
/// most. Its inputs are the caller's keys, where an element has a code, and values, where it carries one.
std::shared_ptr<const Chunk> load_chunk(const PlanRequest& request, const RecordType& record, std::uint32_t elements);

/// `store_record`: element to key and payload. Its outputs are keys, and values where these are a stream of their own.
/// Its inputs are the caller's keys, where they are looked up, and values, where it gathers them.
std::shared_ptr<const Chunk> store_chunk(const PlanRequest& request, const RecordType& record);

}  // namespace glsort
