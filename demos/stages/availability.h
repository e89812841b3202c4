#pragma once

#include <string>

#include "settings.h"
#include "stepper.h"

namespace glsort::demo {

/// Why `input` cannot be sorted that way here, for people; empty where it can. Plans the sort: some milliseconds for
/// many elements.
std::string why_not(const Input& input, const Method& method, const Device& device);

/// Why nothing runs on that backend here; empty where something does.
std::string why_not(Backend backend, const Device& device);

}  // namespace glsort::demo
