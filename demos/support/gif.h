#pragma once

#include <filesystem>
#include <vector>

#include "support/picture.h"

namespace glsort::demo {

/// Writes an animated GIF that begins again at its end, replacing what is there (`-`: to standard output); `seconds` is
/// how long each picture stays (in hundredths, 0.02 at the least). All pictures share 256 colours: the most frequent
/// ones as they are, then those that differ most from all chosen before. Transparency is lost.
///
/// Throws std::invalid_argument where there is no picture, or they differ in size, and std::runtime_error naming path
/// and reason where the file cannot be written.
void write_gif(const std::filesystem::path& path, const std::vector<Picture>& pictures, double seconds);

/// The pictures of a GIF file, each as it is seen. Throws std::runtime_error naming path and reason.
std::vector<Picture> read_gif(const std::filesystem::path& path);

}  // namespace glsort::demo
