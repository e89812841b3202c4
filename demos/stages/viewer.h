#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "canvas.h"
#include "controls.h"
#include "images.h"
#include "options.h"
#include "panels.h"
#include "player.h"
#include "shortcuts.h"
#include "support/gui.h"
#include "view.h"

namespace glsort::demo {

/// The contents of the window, drawn by ImGui: controls, one sort or two, panels, timeline.
class Viewer {
  public:
    /// `device` must outlive this object. Throws Error for a view that is unknown or does not fit all sorts.
    Viewer(const Options& options, const Device& device);

    /// Draws a frame. `window` is in the unit of the cursor. `elapsed`: seconds since the last frame. Call between
    /// begin_frame and end_frame.
    void draw(Size window, double elapsed, const Gui& gui);
    /// Executes a command, except pictures and quitting.
    void obey(Command command);

    Player& player() { return player_; }
    /// The text of the title bar: `stages: bitonic:step, n = 64, 12 of 25 ops`.
    std::string title() const;
    /// Whether the next frame differs without user input, because the sort plays or works.
    bool busy() const;

  private:
    struct Pane {
        std::size_t view = 0;
        std::optional<StreamId> chosen;
        std::uint64_t run = 0;  // number of the run that these choices are for; 0: none yet
        std::unique_ptr<Images> images;
    };

    void draw_pane_of(std::size_t slot, Point size, const Gui& gui);
    void draw_view_tabs(std::size_t slot, const Run& run, const Gui& gui);
    void draw_panels(const Gui& gui);
    void draw_timelines(Point size, const Gui& gui);
    void begin_with(const std::string& view, const Input& input, const std::vector<Method>& methods,
                    const Device& device);
    void settle(std::size_t slot);
    const Run* active_run() const;
    std::vector<std::size_t> fitting_views(const StreamProgram& program) const;

    Player player_;
    Controls controls_;
    std::vector<std::unique_ptr<View>> views_;
    std::array<Pane, 2> panes_;
    ProgramPanel program_panel_;
    SourcePanel source_panel_;
    std::size_t active_ = 0;
    bool panels_ = true;
    bool help_ = false;
    bool select_tab_ = false;
    bool making_said_ = false;
    float controls_height_ = 0.0f;
};

}  // namespace glsort::demo
