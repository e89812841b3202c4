#pragma once

#include <glsort/gl/api.h>
#include <glsort/gl_types.h>

#include <cstddef>
#include <cstdint>
#include <string>

/// Checks of the buffers in a call's arguments, before any OpenGL call that changes state. All functions throw `Error`.

namespace glsort {

/// The name of an argument. The text is put together only for an error message, so that a call without errors allocates
/// nothing.
class ArgumentName {
  public:
    ArgumentName(const char* name) : pattern_(name) {}
    /// `pattern` has places for the numbers and the detail: `sources[{}].inputs[{}] ({})`. `detail` must outlive the
    /// name.
    ArgumentName(const char* pattern, std::size_t first, std::size_t second = 0, const char* detail = "")
        : pattern_(pattern), first_(first), second_(second), detail_(detail) {}
    std::string text() const;

  private:
    const char* pattern_;
    std::size_t first_ = 0;
    std::size_t second_ = 0;
    const char* detail_ = "";
};

/// A range of a buffer that a sort reads or writes.
struct Range {
    ArgumentName name = "";  ///< As in the arguments.
    BufferSlice buffer;
    std::uint64_t bytes = 0;
    bool captured = false;  ///< Whether transform feedback writes the range.
};

/// Checks the offset and the name of the buffer. `ask`: also asks OpenGL for the buffer's size and mapping.
void check_range(const gl::Api& api, const Range& range, std::uint64_t alignment, bool ask);

/// Checks that the ranges do not overlap.
void check_apart(const Range& a, const Range& b);

}  // namespace glsort
