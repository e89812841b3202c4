#pragma once

#include <stdexcept>
#include <string>

/// What every header begins with: the mark of what a shared library exports, and the exception of the library.

/// The build of a shared library hides everything without this mark. CMake defines GLSORT_SHARED for the library and
/// for everything that links it, and GLSORT_EXPORTS for the library alone.
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
/// Thrown for misuse, by the wrong call, before any OpenGL command that changes something. Thrown at construction for a
/// capability that the context lacks, and for a shader that does not compile. `what()` names the function, the
/// argument, its value and the limit: `Sorter::sort: count 70000 exceeds the capacity 65536 given at construction`.
class GLSORT_API Error : public std::runtime_error {
  public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace glsort
