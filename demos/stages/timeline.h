#pragma once

#include <cstddef>
#include <optional>

#include "canvas.h"
#include "run.h"

namespace glsort::demo {

/// The ops of a sort from left to right: as high as they took long, coloured by kernel, the levels and stages that they
/// belong to below, the op that ran last lit. Gives the number of ops that are done where the user has clicked.
std::optional<std::size_t> draw_timeline(const Run& run, Canvas& canvas);

}  // namespace glsort::demo
