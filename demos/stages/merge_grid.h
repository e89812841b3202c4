#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "canvas.h"
#include "merge_path.h"
#include "strip.h"

namespace glsort::demo {

/// The merge path of two runs, as the paper draws it: a square with one run along each side. The path leads from corner
/// to corner, down for an element of `a` and right for an element of `b`.
struct MergeGrid {
    /// A point of the path, with the diagonal that crosses the path there as a label.
    struct Start {
        PathPoint point;
        std::string label;
    };

    std::uint32_t n = 0;  ///< Elements of the whole sort.
    Block a;
    Block b;
    PlaceOf place_of;
    std::vector<Start> starts;
    Colour colour;  ///< Colour of the starts.
};

void draw_merge_grid(Canvas& canvas, Point from, Point to, const MergeGrid& grid);

}  // namespace glsort::demo
