#pragma once

#include <glsort/gl/api.h>
#include <glsort/sorter.h>

#include <string>

namespace glsort {

/// Decisions for one context about everything that a specification leaves open.
struct Choices {
    SortSpec spec;               ///< With algorithm, backend and layout.
    std::string list_algorithm;  ///< The algorithm that merges lists. Empty: the sorter merges no lists.
};

/// Throw `Error` for options, or a specification, that no context supports.
void check_options(const SorterOptions& options);
void check_spec(const SortSpec& spec);

/// Decides for the context of `api`, which `report` describes. Throws `Error` for a specification or options that the
/// context cannot satisfy. The caller has checked both (`check_spec`, `check_options`).
Choices make_choices(const SortSpec& spec, const SorterOptions& options, const gl::Api& api,
                     const ContextReport& report);

/// `max_lists` lists of nearly equal lengths. The sum of the lengths is the capacity. No other lists take more memory.
std::vector<std::uint32_t> most_even_lists(const SortSpec& spec);

}  // namespace glsort
