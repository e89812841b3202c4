#pragma once

#include <glsort/gl/api.h>
#include <glsort/sorter.h>

#include <string>

namespace glsort {

/// What a specification leaves open, decided for one context.
struct Choices {
    SortSpec spec;               ///< With algorithm, backend and layout.
    std::string list_algorithm;  ///< What merges lists. Empty: the sorter merges none.
};

/// Decides for the context of `api`, of which `report` tells. Throws `Error` for a specification, or options, that
/// cannot be met.
Choices make_choices(const SortSpec& spec, const SorterOptions& options, const gl::Api& api,
                     const ContextReport& report);

/// `max_lists` lists of the capacity. No others take more memory.
std::vector<std::uint32_t> most_even_lists(const SortSpec& spec);

}  // namespace glsort
