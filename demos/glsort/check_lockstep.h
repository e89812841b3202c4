#pragma once

#include <glsort/sorter.h>

#include <cstddef>
#include <string>

#include "check_sample.h"

namespace glsort::check {

/// Steps the sort or merge that `stepper` has begun over `sample` to its end. After each op, compares every specified
/// output with the cpu executor's output. Returns the first difference, or an empty string. Adds the number of ops to
/// `steps`.
std::string step_in_lockstep(const Sorter& sorter, Stepper& stepper, const Sample& sample, const Limits& limits,
                             std::uint64_t& steps);

}  // namespace glsort::check
