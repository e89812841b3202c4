#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run.h"
#include "support/gui.h"

namespace glsort::demo {

/// The printed program. Highlights the line of the last op, and scrolls to the line after each change.
class ProgramPanel {
  public:
    /// If the user clicked on a line, returns how many ops have run at that line.
    std::optional<std::size_t> draw(const Run& run, const Gui& gui);

  private:
    std::uint64_t run_ = 0;  // its run's number
    std::vector<std::string> lines_;
    std::size_t first_op_ = 0;  // line of the first op
    std::size_t shown_done_ = 0;
};

/// The GLSL of the last op, as compiled.
class SourcePanel {
  public:
    void draw(const Run& run, const Gui& gui);

  private:
    std::uint64_t run_ = 0;  // its run's number
    std::size_t op_ = 0;
    std::vector<std::string> lines_;
};

/// The reason why an op has no GLSL to show.
std::string why_no_source(const Run& run, std::size_t op);

/// The cost of the ops so far, and of the whole program.
void draw_cost(const Run& run);

/// Keyboard shortcuts and the glossary.
void draw_help();

}  // namespace glsort::demo
