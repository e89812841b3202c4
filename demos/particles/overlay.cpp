#include "overlay.h"

#include <imgui.h>

namespace glsort::demo {

Overlay::Overlay(Window& window, const Device& device, Api api) {
    if (api != Api::gl) return;
    gui_.emplace(window);
    panel_.emplace(*gui_, device);
}

Overlay::Overlay(Size size, float scale, const Device& device, Api api) {
    if (api != Api::gl) return;
    gui_.emplace(size, scale);
    panel_.emplace(*gui_, device);
}

float Overlay::covered(const Controls& controls, Size size) const {
    return panel_ ? panel_->covered(controls, size) : 0.0f;
}

void Overlay::draw(Demo& demo, Controls& controls, Size size, bool panel, bool on_line) {
    if (!gui_) return;
    gui_->begin_frame();
    panel_->draw(demo, controls, size, panel);
    if (on_line) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    gui_->end_frame();
}

}  // namespace glsort::demo
