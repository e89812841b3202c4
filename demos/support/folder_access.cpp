#include "support/folder_access.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "support/file_access.h"

namespace glsort::demo {
namespace {

// The path, or else the nearest folder or file above it that exists.
std::filesystem::path existing_part(std::filesystem::path path) {
    std::error_code error;
    while (!std::filesystem::exists(path, error)) {
        if (!path.has_parent_path()) return ".";
        path = path.parent_path();
    }
    return path;
}

}  // namespace

void check_folder(const std::filesystem::path& folder) {
    const std::filesystem::path existing = existing_part(folder);
    std::error_code error;
    if (!std::filesystem::is_directory(existing, error)) fail_writing(folder, std::strerror(ENOTDIR));
    if (access(existing.c_str(), W_OK | X_OK) != 0) fail_writing(folder, std::strerror(errno));
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) fail_writing(folder, error.message());
}

}  // namespace glsort::demo
