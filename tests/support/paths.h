#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

/// Where the tests find what they need, which may be elsewhere than where they were built
/// (scripts/pack-tests). Not in namespace glsort: a test of the program of that name has no such
/// namespace.

namespace paths {

inline std::filesystem::path variable_or(const char* name, const std::filesystem::path& otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? std::filesystem::path(value) : otherwise;
}

/// A file of the source tree, or of the folder that GLSORT_SOURCE_DIR names in the environment.
inline std::string source(const std::string& name) {
    return (variable_or("GLSORT_SOURCE_DIR", GLSORT_SOURCE_DIR) / name).string();
}

/// A program that was built at `path`, or is in the folder that GLSORT_PROGRAM_DIR names in the
/// environment.
inline std::string program(const std::filesystem::path& path) {
    return (variable_or("GLSORT_PROGRAM_DIR", path.parent_path()) / path.filename()).string();
}

}  // namespace paths
