#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "moment.h"
#include "support/palette.h"
#include "support/picture.h"

namespace glsort::demo {

/// How a stream is drawn as a rectangle of cells. A stream in a texture is that texture: a record is a texel of it, and
/// is drawn as a block of cells, one for each of its elements (of streams without keys one for each of their words). A
/// stream in a buffer is cut into rows.
struct StreamGrid {
    StreamGrid(const Stream& stream, bool keys);

    StreamLayout layout;
    Rectangle box;             ///< In records.
    std::uint32_t across = 1;  ///< Cells of a record, side by side.
    std::uint32_t down = 1;    ///< Cells of a record, one below the other.
    std::uint32_t cells = 1;   ///< Of a record that mean something; the last of its block may not.
    std::uint32_t width() const { return box.x1 * across; }  ///< In cells.
    std::uint32_t height() const { return box.y1 * down; }   ///< In cells.
    /// The place of a record's cell, in cells from the top left.
    Texel place(std::uint32_t record, std::uint32_t cell) const;
    /// What is at that place; nothing where no record is.
    struct Cell {
        std::uint32_t record = 0;
        std::uint32_t cell = 0;
    };
    std::optional<Cell> at(std::uint32_t x, std::uint32_t y, std::uint32_t records) const;
};

/// The cells of a stream that holds `words`: keys by their place in the sorted order, other words on a scale of its
/// own, what nothing has written yet, and what is no record, dark.
Picture picture_of(const Moment& moment, StreamId stream, const std::vector<std::uint32_t>& words);

/// What is neither key nor number.
namespace stream_colour {
inline constexpr Colour unwritten{30, 33, 38};
inline constexpr Colour no_record{17, 19, 22};
inline constexpr Colour no_key{58, 62, 70};  ///< Written where keys are, but none: past the end of the input, say.
}  // namespace stream_colour

/// The colour of a word that is no key, 0 to 1: from dark to pale purple, by its binary logarithm.
Colour word_colour(float part);

/// A line of cells' borders, in records from the top left.
struct Segment {
    std::uint32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// The outline of records, as lines between texels.
std::vector<Segment> outline_of(const StreamGrid& grid, const Substream& records);

}  // namespace glsort::demo
