#pragma once

#include <stdexcept>
#include <string>

/// What every header includes: the mark GLSORT_API, and the exception `Error`.

/// Marks what a shared library exports; all other symbols are hidden. The build by CMake defines two macros:
/// GLSORT_SHARED for the shared library and its users, GLSORT_EXPORTS for the library alone.
#if defined(GLSORT_SHARED) && defined(_WIN32) && defined(GLSORT_EXPORTS)
#define GLSORT_API __declspec(dllexport)
#elif defined(GLSORT_SHARED) && defined(_WIN32)
#define GLSORT_API __declspec(dllimport)
#elif defined(GLSORT_SHARED)
#define GLSORT_API __attribute__((visibility("default")))
#else
#define GLSORT_API
#endif

namespace glsort {

/// The exception of this library.
///
/// A call with a wrong argument throws before any OpenGL command that changes something. Construction throws if the
/// context lacks a capability, and if a shader does not compile. `what()` names the function, the argument, its value
/// and the limit: `Sorter::sort: count 70000 exceeds the capacity 65536 given at construction`.
class GLSORT_API Error : public std::runtime_error {
  public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace glsort
