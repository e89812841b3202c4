#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "canvas.h"
#include "radix_pass.h"
#include "strip.h"

/// Charts with a row for each value of a digit, the smallest value at the top. The charts show the counts and the
/// destinations of a radix sort.
namespace glsort::demo {

/// `bits 4 to 7`
std::string bits_of(Digit digit);
Colour digit_colour(std::uint32_t value, Digit digit);

/// How often each value occurs, with a heading above `from`. `written`: whether the last op counted.
void draw_histogram(Canvas& canvas, Point from, Point to, Digit digit, const DigitTable& table, bool written);

/// Each element of a strip as a dot below the element, in the row of the value of its digit.
void draw_dots(Canvas& canvas, Point from, Point to, const Strip& elements, Digit digit,
               const std::function<std::uint32_t(std::uint32_t element)>& value_of);

/// The counts one after the other: the start of each bucket in the strip `buckets` below.
void draw_scan(Canvas& canvas, Point from, Point to, const Strip& buckets, Digit digit, const DigitTable& table);

}  // namespace glsort::demo
