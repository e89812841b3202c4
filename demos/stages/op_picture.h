#pragma once

#include <glsort/stream/stream.h>

#include <cstdint>
#include <span>

#include "canvas.h"
#include "moment.h"
#include "op_records.h"

/// Draws the effect of an op on keys, for any kernel.
namespace glsort::demo {

/// Draws the elements `shown` of the records that the last op moves: as read above, as written below, with lines
/// between. `starts_before` and `starts_after`: as in draw_starts().
void draw_before_and_after(Canvas& canvas, Point from, Point to, const Moment& moment, const OpRecords& records,
                           Block shown, std::span<const std::uint32_t> starts_before,
                           std::span<const std::uint32_t> starts_after);

/// Draws a picture for any op: the keys before and after the op. Before all ops, and after an op that moves no keys,
/// the current keys.
void draw_any_op(Canvas& canvas, const Moment& moment);

}  // namespace glsort::demo
