#pragma once

#include <glsort/gl/api.h>
#include <glsort/gl_types.h>

#include <cstdint>
#include <string>

/// Checks of the buffers in a call's arguments, before any OpenGL call that changes state. All functions throw `Error`.

namespace glsort {

/// A range of a buffer that a sort reads or writes.
struct Range {
    std::string name;  ///< As in the arguments.
    BufferSlice buffer;
    std::uint64_t bytes = 0;
};

/// Checks the offset and the name of the buffer. `ask`: also asks OpenGL for the buffer's size and mapping.
void check_range(const gl::Api& api, const Range& range, std::uint64_t alignment, bool ask);

/// Checks that the ranges do not overlap.
void check_apart(const Range& a, const Range& b);

}  // namespace glsort
