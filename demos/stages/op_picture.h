#pragma once

#include <glsort/stream/stream.h>

#include <cstdint>
#include <span>

#include "canvas.h"
#include "moment.h"
#include "op_records.h"

/// What an op does to keys, for any kernel.
namespace glsort::demo {

/// The elements `shown` of the records that the last op moves: as they were read, and below as they were written, with
/// lines between. `starts_before` and `starts_after`: as in draw_starts().
void draw_before_and_after(Canvas& canvas, Point from, Point to, const Moment& moment, const OpRecords& records,
                           Block shown, std::span<const std::uint32_t> starts_before,
                           std::span<const std::uint32_t> starts_after);

/// A picture for any op: the keys before and after it. Before all ops, and after an op that moves no keys, the current
/// keys.
void draw_any_op(Canvas& canvas, const Moment& moment);

}  // namespace glsort::demo
