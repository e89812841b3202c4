#pragma once

#include <glsort/sorter.h>

#include <cstddef>
#include <string>

#include "check_sample.h"

namespace glsort::check {

/// Steps the sort, or merge, that `sorter` has begun over `sample` to its end, and compares every specified output
/// with the cpu executor's after each op. The first difference; empty where there is none. Adds the ops to `steps`.
std::string step_in_lockstep(Sorter& sorter, const Sample& sample, const Limits& limits, std::uint64_t& steps);

}  // namespace glsort::check
