#pragma once

#include <cstdint>
#include <filesystem>

namespace glsort::demo {

/// An input file that can be read several times, and whose size is known: `-` (standard input), pipes and devices are
/// first copied to memory.
class SpooledFile {
  public:
    /// Throws std::runtime_error naming the file and the reason, as where more comes than `most_bytes`.
    SpooledFile(const std::filesystem::path& file, std::uint64_t most_bytes);
    ~SpooledFile();
    SpooledFile(const SpooledFile&) = delete;
    SpooledFile& operator=(const SpooledFile&) = delete;

    /// Where the content lies.
    const std::filesystem::path& path() const { return path_; }
    /// What a person knows the file by.
    const std::filesystem::path& name() const { return name_; }

  private:
    std::filesystem::path name_;
    std::filesystem::path path_;
    int memory_ = -1;  // Of the copy.
};

}  // namespace glsort::demo
