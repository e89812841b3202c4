#pragma once

#include <optional>

#include "controls.h"
#include "demo.h"
#include "device.h"
#include "panel.h"
#include "support/gui.h"
#include "support/window.h"

namespace glsort::demo {

/// What lies over the picture: the panel, and the labels of the split screen. Nothing on OpenGL ES,
/// which Gui cannot do.
class Overlay {
  public:
    Overlay(Window& window, const Device& device, Api api);
    /// For pictures of that many pixels; `scale` as Gui's.
    Overlay(Size size, float scale, const Device& device, Api api);

    bool wants_mouse() const { return gui_ && gui_->wants_mouse(); }
    bool wants_keyboard() const { return gui_ && gui_->wants_keyboard(); }
    /// As Panel::covered().
    float covered(const Controls& controls, Size size) const;
    /// Into the framebuffer that is bound. `panel`: that too, else the labels alone; `on_line`: the
    /// cursor is where it can move the line of the split screen.
    void draw(Demo& demo, Controls& controls, Size size, bool panel, bool on_line = false);

  private:
    std::optional<Gui> gui_;
    std::optional<Panel> panel_;
};

}  // namespace glsort::demo
