#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

/// Files that programs write. `-` is standard output.
namespace glsort::demo {

/// Whether data for `path` go to standard output: `-`, or a file that standard output is as well, such as /dev/stdout.
bool is_standard_output(const std::filesystem::path& path);

/// Whether two names name one file, which need not exist.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// What a file shall hold.
struct FileContent {
    std::filesystem::path path;
    std::span<const std::byte> bytes;
};

/// Writes all the files, or none. Each file is written under a temporary name, `FILE.PID.tmp`, and renamed when all are
/// complete. A file that replaces another one gets the mode of the old file.
///
/// These files are written in place: what is no regular file (a pipe, standard output), a file in a folder that cannot
/// be changed, and a file that is a mount point. Throws std::runtime_error naming the file and the reason.
void write_files(const std::vector<FileContent>& files);

/// Removes the temporary files of a write_files() that another thread is at. For programs that end at once.
void remove_unfinished_files();

/// Writes one file in the same way.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace glsort::demo
