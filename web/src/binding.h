#pragma once

#include <functional>
#include <string>

/// An export of the module.
#define EXPORT(name) __attribute__((export_name(name)))

namespace glsort::web {

/// Runs `work`, whose text `last_text` then returns. Returns 1, or a negative number if `work` throws.
int answer(const std::function<std::string()>& work);

}  // namespace glsort::web
