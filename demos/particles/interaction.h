#pragma once

#include <array>
#include <functional>
#include <string>

#include "controls.h"
#include "demo.h"
#include "device.h"
#include "support/window.h"

namespace glsort::demo {

/// The effects of keys and mouse on the camera and the controls.
class Interaction {
  public:
    /// Handles the events of the window. All arguments must outlive this object. `taken` says whether the panel takes
    /// events of the mouse or of the keyboard. `close_list` closes an open list of the panel, and returns whether there
    /// was one.
    struct Taken {
        std::function<bool()> mouse;
        std::function<bool()> keyboard;
        std::function<bool()> close_list;
    };
    Interaction(Window& window, Demo& demo, const Device& device, Controls& controls, Taken taken);

    /// Whether a scene at rest looks different. An event takes some frames until all its effects show, for example in
    /// the panel.
    bool take_changed();
    void change() { frames_to_show_ = 3; }
    /// Whether the cursor can grab the line of the split screen.
    bool is_on_line() const;

  private:
    enum class Drag { none, orbit, pan, line };

    void press(int key, bool shift);
    void press_button(int button, bool down);
    void move_cursor(double x, double y);
    void move_line(float part);
    void next_algorithm(int step);
    void next_backend();
    void next_emitters(int step);
    void scale_count(bool up);
    void refuse(const std::string& problem);
    // The position of the line, in screen coordinates from the left.
    double line() const;

    Window& window_;
    Demo& demo_;
    const Device& device_;
    Controls& controls_;
    Taken taken_;
    Drag drag_ = Drag::none;
    int frames_to_show_ = 3;
    double x_ = 0.0;
    double y_ = 0.0;
};

}  // namespace glsort::demo
