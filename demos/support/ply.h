#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glsort::demo {

enum class PlyFormat { ascii, binary_little_endian, binary_big_endian };
enum class PlyType { i8, u8, i16, u16, i32, u32, f32, f64 };

struct PlyProperty {
    std::string name;
    PlyType type = PlyType::f32;
    std::optional<PlyType> list_count;  ///< For a list: the type of its length.
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;

    bool has(std::string_view property) const;
};

/// The contents of a PLY file (G. Turk, 1994), as its header lists them.
struct PlyHeader {
    PlyFormat format = PlyFormat::ascii;
    std::vector<PlyElement> elements;
    std::uint64_t lines = 0;  ///< Lines of the header.
    std::uint64_t bytes = 0;

    const PlyElement* find(std::string_view element) const;
};

/// Whether a file that begins with this line is a PLY file. Blanks may follow the word.
bool is_first_line_of_ply(std::string_view line);

/// Throws std::runtime_error naming the file, the line and the reason: it cannot be read, is no PLY
/// file, or breaks the format; lines of more than 4096 bytes are refused, but for comments.
PlyHeader read_ply_header(const std::filesystem::path& path);

/// The named properties of one element, row by row in the order of the names. Numbers of any type become floats. Other
/// properties and elements are skipped.
///
/// Throws std::runtime_error as read_ply_header() does. Also throws if the element or a property is missing, if a
/// property is a list, or if the file ends early. For a text that is no number, the message names the element, its row
/// and, in ascii files, the line.
std::vector<float> read_ply(const std::filesystem::path& path, std::string_view element,
                            const std::vector<std::string>& properties);

}  // namespace glsort::demo
