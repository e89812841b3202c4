#pragma once

#include <string>

#include "settings.h"
#include "stepped_sort.h"

namespace glsort::demo {

/// The reason why `input` cannot be sorted by `method` here, for users. Empty if the sort is possible. Plans the sort,
/// which takes some milliseconds for many elements.
std::string why_not(const Input& input, const Method& method, const Device& device);

/// The reason why the backend is not available here. Empty if the backend is available.
std::string why_not(Backend backend, const Device& device);

}  // namespace glsort::demo
