#pragma once

#include <optional>

#include "controls.h"
#include "demo.h"
#include "device.h"
#include "panel.h"
#include "support/gui.h"
#include "support/window.h"

namespace glsort::demo {

/// The panel, and the labels of the split screen, which lie over the picture. Empty on OpenGL ES, which Gui does not
/// support.
class Overlay {
  public:
    Overlay(Window& window, const Device& device, Api api);
    /// For pictures of `size` pixels. `scale` is the scale of Gui.
    Overlay(Size size, float scale, const Device& device, Api api);

    bool wants_mouse() const { return gui_ && gui_->wants_mouse(); }
    bool wants_keyboard() const { return gui_ && gui_->wants_keyboard(); }
    bool close_list() { return gui_ && gui_->close_list(); }
    /// As Panel::covered().
    float covered(const Controls& controls, Size size) const;
    /// Draws into the bound framebuffer. `panel`: draws panel and labels, otherwise the labels alone. `on_line`: the
    /// cursor can grab the line of the split screen.
    void draw(Demo& demo, Controls& controls, Size size, bool panel, bool on_line = false);

  private:
    std::optional<Gui> gui_;
    std::optional<Panel> panel_;
};

}  // namespace glsort::demo
