#include "support/input_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace glsort::demo {

void fail_reading(const std::filesystem::path& path, const std::string& reason) {
    throw std::runtime_error("cannot read " + (path == "-" ? "standard input" : path.string()) + ": " + reason);
}

void check_readable(const std::filesystem::path& path) {
    if (path == "-") return;
    if (access(path.c_str(), R_OK) != 0) fail_reading(path, std::strerror(errno));
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) fail_reading(path, std::strerror(EISDIR));
}

}  // namespace glsort::demo
