#pragma once

#include <memory>

#include "support/window.h"

struct ImFont;

namespace glsort::demo {

/// Dear ImGui with the look of the demos, in a window or drawn without one. A process has one Gui at a time. Needs
/// desktop OpenGL 3.3, current at every call and at destruction. OpenGL ES is not supported: ImGui's loader has no
/// functions of OpenGL ES.
///
/// Usage:
///
///     Gui gui(window);
///     while (...) {
///         gui.begin_frame();
///         ImGui::Begin(...) ...
///         gui.end_frame();  // draws into the framebuffer that is bound
///     }
class Gui {
  public:
    /// ImGui gets the events of the window, too. Functions in `Window::events` ask `wants_keyboard` and `wants_mouse`
    /// whether an event is theirs. Texts and boxes have the scale of the display on which the window opens.
    explicit Gui(Window& window);
    /// Frames of `size` pixels without any input. `scale`: 1 for a usual display, 2 for a display with twice the
    /// density.
    explicit Gui(Size size, float scale = 1.0f);
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    void begin_frame();
    /// Changes OpenGL state, and restores the state.
    void end_frame();

    /// Whether the user types text into a field.
    bool wants_keyboard() const;
    /// Whether the cursor is over a panel, or drags a part of a panel.
    bool wants_mouse() const;
    /// Closes the open drop-down list. Returns false if none is open. For the ESC key, between frames.
    bool close_list();
    /// The unit of length: pixels without a window, screen coordinates in a window. Sizes in a view are multiples of
    /// this unit.
    float scale() const;
    /// A fixed-width font, for programs and columns of numbers.
    ImFont* fixed_width() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace glsort::demo
