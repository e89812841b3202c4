#pragma once

#include <filesystem>
#include <vector>

#include "support/picture.h"

namespace glsort::demo {

/// Writes an animated GIF that begins again at its end, replacing what is there (`-`: to standard output); `seconds` is
/// how long each picture stays (in hundredths, 0.02 at the least).
///
/// All pictures share 256 colours. The most frequent colours come first. The remaining places go to colours that differ
/// most from those chosen before. Transparency is lost.
///
/// Throws std::invalid_argument if there is no picture, or if sizes differ. Throws std::runtime_error that names path
/// and reason if the file cannot be written.
void write_gif(const std::filesystem::path& path, const std::vector<Picture>& pictures, double seconds);

/// The pictures of a GIF file, as a viewer shows them. Throws std::runtime_error that names path and reason.
std::vector<Picture> read_gif(const std::filesystem::path& path);

}  // namespace glsort::demo
