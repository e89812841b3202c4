#pragma once

#include <glsort/stream/stream.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "canvas.h"

/// Elements in a row: the building block of the views of merges, radix sorts and sample sorts.
namespace glsort::demo {

/// Elements of a stream, side by side in a rectangle.
struct Strip {
    Point from;
    Point to;
    std::uint32_t first = 0;  ///< The leftmost element.
    std::uint32_t count = 0;

    /// The left edge of an element, and its middle.
    float x(double element) const {
        return from.x + static_cast<float>((element - first) / count * (double{to.x} - from.x));
    }
    float middle(std::uint32_t element) const { return x(element + 0.5); }
};

/// How an element is drawn. `height`: the fraction of the strip, 0 to 1.
struct Bar {
    float height = 1.0f;
    Colour colour;
};

/// The place of an element in the sorted order, and its bar. Nothing if the element has no key.
using PlaceOf = std::function<std::optional<std::uint32_t>(std::uint32_t element)>;
using BarOf = std::function<std::optional<Bar>(std::uint32_t element)>;

/// The colour of the key at `place` of n.
Colour place_colour(std::uint32_t place, std::uint32_t n);
/// Bars with height and colour by the place among n; or, for cells, the colour alone.
BarOf key_bars(std::uint32_t n, PlaceOf place_of);
/// Like `key_bars`, if all places are in `among`: heights are relative to that range.
BarOf key_bars(std::uint32_t n, Block among, PlaceOf place_of);
BarOf key_cells(std::uint32_t n, PlaceOf place_of);

/// Draws the elements, at most one per pixel. Without a bar the strip stays dark.
void draw_strip(Canvas& canvas, const Strip& strip, const BarOf& bar_of);

/// Marks the starts of elements by lines that stick out slightly. If lines would cover the strip, draws every second,
/// fourth, ... line.
void draw_starts(Canvas& canvas, const Strip& strip, std::span<const std::uint32_t> starts, Colour colour);

/// The i-th of `number` elements that represent `count`: evenly spread, but never in step with a repeating pattern.
std::uint32_t spread(std::uint32_t i, std::uint32_t number, std::uint32_t count);

/// Lines from the positions of elements in `before` to their positions in `after`. Draws only some of many lines.
void draw_flights(Canvas& canvas, const Strip& before, const Strip& after,
                  const std::function<std::uint32_t(std::uint32_t element)>& origin,
                  const std::function<Colour(std::uint32_t element)>& colour);

/// The multiples of `length` below `end`.
std::vector<std::uint32_t> multiples(std::uint32_t length, std::uint32_t end);

/// Draws all elements in a row of parts and returns the number of the chosen part: the part under the cursor, else a
/// middle part. `bounds`: the start of each part, and the end of the last. A single part needs no choice, and nothing
/// is drawn. `top`: the top of the row on entry, its bottom on return. `left`: its left edge.
std::size_t draw_choice(Canvas& canvas, float left, float& top, std::span<const std::uint32_t> bounds,
                        std::string_view part_name, const BarOf& bar_of);
/// Parts of `length` elements, for draw_choice().
std::vector<std::uint32_t> parts_of(std::uint32_t length, std::uint32_t count);

}  // namespace glsort::demo
