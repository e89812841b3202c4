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

/// The column at the left of the picture where everything can be seen and chosen, and the labels of
/// the split screen.
class Panel {
  public:
    Panel(Gui& gui, const Device& device) : gui_(gui), device_(device) {}

    /// The part of a picture's width that the panel covers: nothing where it is hidden, or has no
    /// room. `width` and `height` in the unit of the cursor.
    float covered(const Controls& controls, Size size) const;
    /// Between begin_frame() and end_frame(). `shown`: the panel too, else the labels alone.
    void draw(Demo& demo, Controls& controls, Size size, bool shown);

  private:
    void choose_count(Demo& demo, Controls& controls);
    void show_buttons(Controls& controls);
    void choose_order(Controls& controls);
    void choose_backend(Controls& controls);
    void choose_algorithm(const Demo& demo, Controls& controls);
    void choose_key(Controls& controls);
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
    std::optional<float> count_slider_;  // log2, while it is dragged
    bool help_was_open_ = false;
};

}  // namespace glsort::demo
