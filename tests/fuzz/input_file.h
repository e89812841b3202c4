#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "fuzz/require.h"

namespace glsort::fuzz {

/// A file in memory that holds an input, for readers that take a path.
class InputFile {
  public:
    InputFile() : descriptor_(memfd_create("input", 0)) { require(descriptor_ >= 0, "memfd_create gives a file"); }
    ~InputFile() { close(descriptor_); }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

    void hold(const std::uint8_t* data, std::size_t size) const {
        require(ftruncate(descriptor_, 0) == 0, "the file can be emptied");
        require(pwrite(descriptor_, data, size, 0) == static_cast<ssize_t>(size), "the file takes the input");
    }

  private:
    int descriptor_;
};

}  // namespace glsort::fuzz
