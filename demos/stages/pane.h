#pragma once

#include <string>

#include "canvas.h"
#include "images.h"
#include "run.h"
#include "support/gui.h"
#include "view.h"

namespace glsort::demo {

/// `bitonic:step on fragment, row-wise; 64 u32 keys, uniform, ascending`
std::string title_of(const Run& run);

/// `op 3 (of 0 to 21): bitonic_step, stage 3, step 2`: the op that ran last. Numbers start at 0, as in the printed
/// program.
std::string position_of(const Run& run);

/// Draws a sort at a moment into the current ImGui window, from `origin` on: title, caption, view and legend. `chosen`:
/// the stream that the view should show.
void draw_pane(const Run& run, const View& view, std::optional<StreamId> chosen, Point origin, Point size,
               const Gui& gui, Images& images);

}  // namespace glsort::demo
