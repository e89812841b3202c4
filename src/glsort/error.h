#pragma once

#include <stdexcept>
#include <string>

namespace glsort {

/// The exception of this library.
///
/// Thrown for misuse (at the wrong call, before any OpenGL command that changes something), for a
/// capability that the context lacks (at construction) and for a shader that does not compile.
/// `what()` names the function, the argument, its value and the limit:
/// `Sorter::sort: count 70000 exceeds the capacity 65536 given at construction`.
class Error : public std::runtime_error {
  public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace glsort
