#pragma once

#include <array>
#include <functional>

#include "controls.h"
#include "demo.h"
#include "device.h"
#include "support/window.h"

namespace glsort::demo {

/// What keys and mouse do to the camera and to the controls.
class Interaction {
  public:
    /// Takes the window's events; all must outlive it. `is_taken` says whether something before the
    /// picture takes the events of the mouse, or of the keyboard.
    struct Taken {
        std::function<bool()> mouse;
        std::function<bool()> keyboard;
    };
    Interaction(Window& window, Demo& demo, const Device& device, Controls& controls, Taken taken);

    /// Whether there is something new to see, in a scene that stands still. What follows from an
    /// event, such as what the panel shows of it, takes some frames.
    bool take_changed();
    void change() { frames_to_show_ = 3; }
    /// Whether the cursor is where it can move the line of the split screen.
    bool is_on_line() const;

  private:
    enum class Drag { none, orbit, pan, line };

    void press(int key, bool shift);
    void press_button(int button, bool down);
    void move_cursor(double x, double y);
    void move_line(float part);
    void next_algorithm(int step);
    void next_backend();
    void scale_count(bool up);
    // Of the line, in screen coordinates from the left.
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
