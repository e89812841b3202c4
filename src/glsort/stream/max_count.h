#pragma once

#include <glsort/stream/program.h>

namespace glsort {

/// A number, or records, for the max count of a program.
template <class Ruled>
Ruled at_max_count(const StreamProgram& program, const Ruled& ruled) {
    return program.counts ? Ruled(ruled.at(program.counts->last)) : ruled;
}

}  // namespace glsort
