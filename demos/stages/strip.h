#pragma once

#include <glsort/stream/substream.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "canvas.h"

/// Elements in a row: what the views of merges, radix sorts and sample sorts are made of.
namespace glsort::demo {

/// Elements of a stream, side by side in a rectangle.
struct Strip {
    Point from;
    Point to;
    std::uint32_t first = 0;  ///< The element at the left.
    std::uint32_t count = 0;

    /// Where an element begins, and its middle.
    float x(double element) const {
        return from.x + static_cast<float>((element - first) / count * (double{to.x} - from.x));
    }
    float middle(std::uint32_t element) const { return x(element + 0.5); }
};

/// How an element is drawn: up to `height` (0 to 1) of the strip.
struct Bar {
    float height = 1.0f;
    Colour colour;
};

/// Of an element its place in the sorted order, and its bar; nothing where it holds no key.
using PlaceOf = std::function<std::optional<std::uint32_t>(std::uint32_t element)>;
using BarOf = std::function<std::optional<Bar>(std::uint32_t element)>;

/// The colour of a key, by its place among n.
Colour place_colour(std::uint32_t place, std::uint32_t n);
/// Height and colour by the place among n; or the colour alone.
BarOf key_bars(std::uint32_t n, PlaceOf place_of);
/// The same where all places are `among` them: the height tells these apart.
BarOf key_bars(std::uint32_t n, Block among, PlaceOf place_of);
BarOf key_cells(std::uint32_t n, PlaceOf place_of);

/// Draws the elements; of many that would share a pixel, one. Where there is no bar, the strip stays dark.
void draw_strip(Canvas& canvas, const Strip& strip, const BarOf& bar_of);

/// Marks where elements begin, by lines that stick out a little; where they would cover the strip, every second one, or
/// every fourth, ...
void draw_starts(Canvas& canvas, const Strip& strip, std::span<const std::uint32_t> starts, Colour colour);

/// The i-th of `number` elements that stand for `count`: spread evenly, but not in step with anything that repeats.
std::uint32_t spread(std::uint32_t i, std::uint32_t number, std::uint32_t count);

/// Lines from where elements were, in `before`, to where they are, in `after`; of many elements some.
void draw_flights(Canvas& canvas, const Strip& before, const Strip& after,
                  const std::function<std::uint32_t(std::uint32_t element)>& origin,
                  const std::function<Colour(std::uint32_t element)>& colour);

/// The multiples of `length` below `end`.
std::vector<std::uint32_t> multiples(std::uint32_t length, std::uint32_t end);

/// All elements in a row, in parts: the one under the cursor, else a middle one, is what the view shows of all; the
/// result is its number. `bounds`: where each part begins, and where the last one ends. Of one part there is nothing to
/// choose, and nothing is drawn. `top` is where the row begins, and becomes where it ends; `left` where on the left.
std::size_t draw_choice(Canvas& canvas, float left, float& top, std::span<const std::uint32_t> bounds,
                        std::string_view part_name, const BarOf& bar_of);
/// Parts of `length` elements, for draw_choice().
std::vector<std::uint32_t> parts_of(std::uint32_t length, std::uint32_t count);

}  // namespace glsort::demo
