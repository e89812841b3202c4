#pragma once

#include <glsort/plan/digit_counts.h>
#include <glsort/plan/element_type.h>
#include <glsort/planner.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace glsort {

/// How a sort inside the library reads its elements. The sort writes keys and values as outputs. Values ascend, so a
/// value can stand for the index of its element.
struct ElementSource {
    /// The inputs that the load chunk reads, in place of the caller's keys and values. Textures on the fragment
    /// backend.
    std::vector<Stream> streams;
    void add_stream(const char* name, std::uint32_t words, std::uint32_t records) {
        streams.push_back({.name = name, .role = StreamRole::input, .words = words, .records = records, .layout = {}});
    }
    /// The load chunk. `elements`: the max number of elements that an instance loads. If the kernel defines
    /// GLSORT_RUNS, the chunk's GLSL also has `glsort_load_run` (shaders/scene/load_front.glsl).
    std::function<std::shared_ptr<const Chunk>(const ElementType&, std::uint32_t elements)> load;

    /// Whether the chunk's GLSL has a `glsort_load_run` for kernels that define GLSORT_LOADED_RUN
    /// (shaders/scene/load_visible.glsl).
    bool loads_runs = false;

    /// Whether anyone reads the sorted keys. If not, the sort writes values alone.
    bool stores_keys = true;
    /// Whether the sort also writes the places of its output from the count up to the capacity: all bits set. Only for
    /// variants with `VariantDescriptor::fills`.
    bool fills = false;
    /// All values are below this number. 0: there is no bound.
    std::uint32_t end_of_values = 0;

    /// Set if another program has counted the digits of the elements before the sort.
    std::optional<DigitCounts> digits;
};

/// Whether a sort with this source writes keys. Null: the caller's keys and values.
inline bool stores_keys(const std::shared_ptr<const ElementSource>& source) {
    return source == nullptr || source->stores_keys;
}

}  // namespace glsort
