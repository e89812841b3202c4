#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "support/picture.h"

namespace glsort::demo {

/// What --output of a recording names.
enum class PictureTarget { folder, png, gif };

/// By the ending of the name. `-` is standard output, and what goes there one PNG picture, or else a GIF. A folder that
/// is missing is made. Throws std::invalid_argument for the name of another kind of file. Throws std::runtime_error
/// naming the file or folder and the reason if nothing can be written there.
PictureTarget picture_target(const std::filesystem::path& output, std::uint64_t pictures);

/// Writes pictures one after the other: numbered PNG files in a folder, one PNG file, or a GIF file.
class PictureWriter {
  public:
    /// Makes a folder that is missing. Each picture of a GIF stays for so many seconds. Throws as picture_target()
    /// does.
    PictureWriter(std::filesystem::path output, std::uint64_t pictures, double seconds);

    /// One PNG file has the last picture. A palette is chosen from all pictures of a GIF: these are kept until
    /// `finish`.
    void add(Picture picture);
    void finish() const;
    /// What was written, and where: `12 pictures to FOLDER`, `1 picture to standard output`.
    std::string written() const;

    /// Bytes of memory for so many pictures of this size, until `finish`.
    std::uint64_t bytes(std::uint64_t pictures, int width, int height) const;

  private:
    std::filesystem::path output_;
    PictureTarget target_;
    double seconds_;
    std::vector<Picture> kept_;
    std::uint64_t added_ = 0;
};

}  // namespace glsort::demo
