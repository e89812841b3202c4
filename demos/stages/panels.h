#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run.h"
#include "support/gui.h"

namespace glsort::demo {

/// The printed program with the line of the op that ran last lit, and scrolled to whenever it is another one.
class ProgramPanel {
  public:
    /// Gives the number of ops that are done where the user has clicked on a line.
    std::optional<std::size_t> draw(const Run& run, const Gui& gui);

  private:
    std::uint64_t run_ = 0;  // its number
    std::vector<std::string> lines_;
    std::size_t first_op_ = 0;  // its line
    std::size_t shown_done_ = 0;
};

/// The GLSL of the op that ran last, as compiled.
class SourcePanel {
  public:
    void draw(const Run& run, const Gui& gui);

  private:
    std::uint64_t run_ = 0;  // its number
    std::size_t op_ = 0;
    std::vector<std::string> lines_;
};

/// What the ops have cost so far, and what the whole program costs.
void draw_cost(const Run& run);

/// Keys, and words of the glossary.
void draw_help();

}  // namespace glsort::demo
