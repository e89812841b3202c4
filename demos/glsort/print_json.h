#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "support/console.h"

namespace glsort::demo {

/// JSON as text, indented, with a line end. Bytes that are not UTF-8 (in a file's name, say) are replaced.
std::string text_of(const nlohmann::ordered_json& json);

/// Writes JSON to standard output.
void print_json(const nlohmann::ordered_json& json);

}  // namespace glsort::demo
