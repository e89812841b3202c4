#pragma once

#include <filesystem>

/// Folders that programs write files to.
namespace glsort::demo {

/// Fails if files cannot be made in a folder. A folder that is missing counts as the nearest one above it that exists.
/// Makes nothing. Throws std::runtime_error naming the folder and the reason.
void check_folder(const std::filesystem::path& folder);

/// Makes a folder and those above it, as far as they are missing. Throws std::runtime_error naming the folder and the
/// reason.
void make_folder(const std::filesystem::path& folder);

}  // namespace glsort::demo
