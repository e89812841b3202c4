#pragma once

#include <memory>

#include "support/window.h"

struct ImFont;

namespace glsort::demo {

/// Dear ImGui in a look of our own, in a window or drawn without one. One at a time in a process. Needs desktop
/// OpenGL 3.3 (not OpenGL ES: the library's loader knows none), current at every call and at destruction.
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
    /// Hears of the window's events too; the functions in `Window::events` ask `wants_keyboard` and `wants_mouse`
    /// whether an event is theirs. Texts and boxes grow with the display's scale.
    explicit Gui(Window& window);
    /// Frames of `size` pixels without any input. `scale`: 1 for a usual display, 2 for one of twice the density.
    explicit Gui(Size size, float scale = 1.0f);
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    void begin_frame();
    /// Changes OpenGL state, and puts it back.
    void end_frame();

    /// Whether somebody is typing text.
    bool wants_keyboard() const;
    /// Whether the cursor is over a panel, or drags something of one.
    bool wants_mouse() const;
    /// Pixels of a unit of length: sizes in a view are multiples of it.
    float scale() const;
    /// For programs and numbers in columns.
    ImFont* fixed_width() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace glsort::demo
