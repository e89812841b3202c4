#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "moment.h"
#include "support/palette.h"
#include "support/picture.h"

namespace glsort::demo {

/// How a stream is drawn as a rectangle of cells. For a texture, the rectangle is the texture: a record is a texel,
/// drawn as a block of cells. There is a cell for each element, or for each word in streams without keys. A buffer is
/// cut into rows.
struct StreamGrid {
    StreamGrid(const Stream& stream, bool keys);

    StreamLayout layout;
    Rectangle box;             ///< In records.
    std::uint32_t across = 1;  ///< Cells of a record, side by side.
    std::uint32_t down = 1;    ///< Cells of a record, one below the other.
    std::uint32_t cells = 1;   ///< Used cells of a record. Its block may have unused cells at the end.
    std::uint32_t width() const { return box.x1 * across; }  ///< In cells.
    std::uint32_t height() const { return box.y1 * down; }   ///< In cells.
    /// The position of a record's cell, in cells from the top left.
    Texel place(std::uint32_t record, std::uint32_t cell) const;
    /// The cell at a position. Nothing if there is no record.
    struct Cell {
        std::uint32_t record = 0;
        std::uint32_t cell = 0;
    };
    std::optional<Cell> at(std::uint32_t x, std::uint32_t y, std::uint32_t records) const;
};

/// The cells of a stream with content `words`. Keys are coloured by their place in the sorted order, other words on a
/// separate scale. Unwritten and unused cells are dark.
Picture picture_of(const Moment& moment, StreamId stream, const std::vector<std::uint32_t>& words);

/// Colours of cells without a key or number.
namespace stream_colour {
inline constexpr Colour unwritten{30, 33, 38};
inline constexpr Colour no_record{17, 19, 22};
inline constexpr Colour no_key{
    58, 62, 70};  ///< Written in a stream of keys, but not a key; for example past the end of the input.
}  // namespace stream_colour

/// The colour of a word that is not a key. `part`: 0 to 1, by the word's binary logarithm. From dark to pale purple.
Colour word_colour(float part);

/// A line along the borders of cells, in records from the top left.
struct Segment {
    std::uint32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// The outline of records, as lines between texels.
std::vector<Segment> outline_of(const StreamGrid& grid, const Substream& records);

}  // namespace glsort::demo
