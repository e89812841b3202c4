#pragma once

#include <cstddef>
#include <optional>

#include "canvas.h"
#include "run.h"

namespace glsort::demo {

/// The ops of a sort from left to right. An op's height is its time, and its colour is its kernel. The levels and
/// stages are below. The last op is highlighted. If the user clicked, returns how many ops have run at that point.
std::optional<std::size_t> draw_timeline(const Run& run, Canvas& canvas);

}  // namespace glsort::demo
