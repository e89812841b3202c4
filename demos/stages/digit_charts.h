#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "canvas.h"
#include "radix_pass.h"
#include "strip.h"

/// Charts with a row for each value of a digit, from the smallest down: what a radix sort counts, and where it leads.
namespace glsort::demo {

/// `bits 4 to 7`
std::string bits_of(Digit digit);
Colour digit_colour(std::uint32_t value, Digit digit);

/// How often each value occurs, under a heading above `from`. `written`: by the last op.
void draw_histogram(Canvas& canvas, Point from, Point to, Digit digit, const DigitTable& table, bool written);

/// Each element of a strip in the row of its digit's value, below it: the histogram counts them.
void draw_dots(Canvas& canvas, Point from, Point to, const Strip& elements, Digit digit,
               const std::function<std::uint32_t(std::uint32_t element)>& value_of);

/// The counts one after the other: where each bucket begins in the strip `buckets` below.
void draw_scan(Canvas& canvas, Point from, Point to, const Strip& buckets, Digit digit, const DigitTable& table);

}  // namespace glsort::demo
