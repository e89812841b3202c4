#pragma once

#include <glsort/plan/sort_frame.h>

#include <span>

namespace glsort {

/// A pass of the planner: a function from program to program. All passes together turn an algorithm into a program on
/// the caller's streams. `glsort plan --passes` prints the program after each pass.
struct Pass {
    const char* name;
    const char* summary;  ///< One line for users.
    void (*run)(SortFrame& frame);
};

/// All passes, in their order.
std::span<const Pass> passes();

}  // namespace glsort
