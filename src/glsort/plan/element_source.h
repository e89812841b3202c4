#pragma once

#include <glsort/plan/digit_counts.h>
#include <glsort/plan/element_type.h>
#include <glsort/planner.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace glsort {

/// Elements that do not lie one after the other in the caller's keys and values, and whose digits have been counted.
/// The sort writes keys and values as outputs, and reads them from here. The elements have *places*, in their order.
/// Other places are empty.
struct ElementSource {
    std::uint32_t places = 0;     ///< How many there are, at most 2^30.
    std::vector<Stream> streams;  ///< What the load chunk reads: inputs.
    /// The load chunk. `elements`: the max number of elements that an instance loads. The chunk also says which places
    /// have elements (`Chunk::is_there`).
    std::function<std::shared_ptr<const Chunk>(const ElementType&, std::uint32_t elements)> load;
    DigitCounts digits;
};

}  // namespace glsort
