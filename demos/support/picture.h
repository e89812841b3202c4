#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <vector>

namespace glsort::demo {

/// An image in memory: 4 * width * height bytes, the top row first, without padding. Red, green, blue and alpha have 8
/// bits each, not premultiplied.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgba;

    bool operator==(const Picture&) const = default;
};

/// The most rows of a PNG file of this width. The encoder counts bytes in 31 bits: four for a pixel, and one for a row.
constexpr std::int64_t most_png_rows(int width) {
    return std::numeric_limits<std::int32_t>::max() / (4 * std::int64_t{width} + 1);
}

/// Writes a PNG file with 8 bits per channel, replacing what is there; `-` is standard output. Throws
/// std::invalid_argument where `rgba` does not fit the size or a side is below 1, and
/// std::runtime_error naming path and reason where the file cannot be written, or would have more rows than
/// most_png_rows().
void write_png(const std::filesystem::path& path, const Picture& picture);

/// Reads a PNG file. Missing channels are filled in: alpha by 255, all three colours by grey. 16-bit channels lose
/// their lower half. Throws std::runtime_error that names path and reason.
Picture read_png(const std::filesystem::path& path);

/// The first path of `stem`-1.png, `stem`-2.png, ... without a file.
std::filesystem::path unused_png(const std::filesystem::path& stem);

/// Swaps top and bottom. glReadPixels() gives the bottom row first.
void flip_vertically(Picture& picture);

}  // namespace glsort::demo
