#pragma once

#include <glsort/stream/substream.h>

#include <cstdint>
#include <span>

#include "canvas.h"
#include "moment.h"
#include "op_records.h"

/// What an op does to keys, whatever its kernel.
namespace glsort::demo {

/// Of the records that the last op moves, the elements `shown`: as they were read, below as they were written, and
/// lines from there to there. `starts_before` and `starts_after` as in draw_starts().
void draw_before_and_after(Canvas& canvas, Point from, Point to, const Moment& moment, const OpRecords& records,
                           Block shown, std::span<const std::uint32_t> starts_before,
                           std::span<const std::uint32_t> starts_after);

/// What there is to show of any op: the keys before and after it; or, before all ops, and after one that moves no keys,
/// the keys as they are.
void draw_any_op(Canvas& canvas, const Moment& moment);

}  // namespace glsort::demo
