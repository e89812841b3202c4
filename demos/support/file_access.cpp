#include "support/file_access.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace glsort::demo {

void fail_reading(const std::filesystem::path& path, const std::string& reason) {
    throw std::runtime_error("cannot read " + (path == "-" ? "standard input" : path.string()) + ": " + reason);
}

void fail_writing(const std::filesystem::path& path, const std::string& reason) {
    throw std::runtime_error("cannot write " + (path == "-" ? "to standard output" : path.string()) + ": " + reason);
}

void check_readable(const std::filesystem::path& path) {
    if (path == "-") return;
    if (access(path.c_str(), R_OK) != 0) fail_reading(path, std::strerror(errno));
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) fail_reading(path, std::strerror(EISDIR));
}

void check_writable(const std::filesystem::path& path) {
    if (path == "-") return;
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) fail_writing(path, std::strerror(EISDIR));
    // A file that exists may be written in a folder that may not.
    if (access(path.c_str(), W_OK) == 0) return;
    if (errno != ENOENT) fail_writing(path, std::strerror(errno));
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    if (access(folder.c_str(), W_OK) != 0) fail_writing(path, std::strerror(errno));
}

}  // namespace glsort::demo
