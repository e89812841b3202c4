#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

/// Where tests find files and programs. Packed tests (scripts/pack-tests) run in another folder than the one that built
/// them. Outside of namespace glsort, because a test of the program `glsort` has no such namespace.

namespace paths {

inline std::filesystem::path variable_or(const char* name, const std::filesystem::path& otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? std::filesystem::path(value) : otherwise;
}

/// A file of the source tree, or of the folder in the environment variable GLSORT_SOURCE_DIR.
inline std::string source(const std::string& name) {
    return (variable_or("GLSORT_SOURCE_DIR", GLSORT_SOURCE_DIR) / name).string();
}

/// The program built at `path`, or the program in the folder of the environment variable GLSORT_PROGRAM_DIR.
inline std::string program(const std::filesystem::path& path) {
    return (variable_or("GLSORT_PROGRAM_DIR", path.parent_path()) / path.filename()).string();
}

}  // namespace paths
