#pragma once

#include <glsort/plan/sort_frame.h>

#include <span>

namespace glsort {

/// A step on the way from an algorithm to a program that takes what the caller gives: a function from program to
/// program, whose result can be printed (`glsort plan --passes`).
struct Pass {
    const char* name;
    const char* summary;  ///< One line, for people.
    void (*run)(SortFrame& frame);
};

/// All passes, in their order.
std::span<const Pass> passes();

}  // namespace glsort
