#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "controls.h"
#include "demo.h"
#include "device.h"
#include "support/gui.h"

namespace glsort::demo {

/// The column at the left of the picture, with all choices and measurements, and the labels of the split screen.
class Panel {
  public:
    Panel(Gui& gui, const Device& device) : gui_(gui), device_(device) {}

    /// The fraction of a picture's width that the panel covers. 0 if the panel is hidden or lacks room. `size` is in
    /// the unit of the cursor.
    float covered(const Controls& controls, Size size) const;
    /// Call between begin_frame() and end_frame(). `shown`: draws panel and labels, otherwise the labels alone.
    void draw(Demo& demo, Controls& controls, Size size, bool shown);

  private:
    void choose_count(Demo& demo, Controls& controls);
    void choose_emitters(Controls& controls);
    void show_buttons(Controls& controls);
    void choose_order(Controls& controls);
    void choose_backend(Controls& controls);
    void choose_algorithm(const Demo& demo, Controls& controls);
    void choose_key(Controls& controls);
    void show_visible(const Demo& demo, const Controls& controls);
    void show_times(Demo& demo, const Controls& controls);
    void plot(const char* name, const Demo& demo, Stage stage);
    void show_shortcuts(Controls& controls);
    void label_split(Demo& demo, Size size);
    void update_offers(const Method& method);

    Gui& gui_;
    const Device& device_;
    std::optional<Method> offered_for_;
    std::vector<Offer> algorithms_;
    std::uint32_t largest_count_ = 1;
    std::optional<float> count_slider_;  // The log2 of the count, while the user drags the slider.
    std::optional<int> emitter_slider_;  // While the user drags the slider.
    bool help_was_open_ = false;
};

}  // namespace glsort::demo
