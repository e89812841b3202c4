#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "canvas.h"

/// What surrounds the picture of a view: margins, sentences, a legend.
namespace glsort::demo {

/// The left and the right edge of a view's content.
inline float left_edge(const Canvas& canvas) {
    return 12 * canvas.unit();
}
inline float right_edge(const Canvas& canvas) {
    return canvas.width() - 12 * canvas.unit();
}

/// The distance between lines of text.
inline float line_height(const Canvas& canvas) {
    return canvas.text_height() + 4 * canvas.unit();
}

/// Draws a text from edge to edge, in as many lines as needed. Returns its bottom.
float draw_paragraph(Canvas& canvas, float top, std::string_view text, Colour colour);

/// Draws texts side by side along the bottom, each after a square of its colour. Returns their top.
struct LegendEntry {
    Colour colour;
    std::string text;
};
float draw_legend(Canvas& canvas, std::span<const LegendEntry> entries);

/// A legend in one line, with marks of any shape.
class LegendLine {
  public:
    explicit LegendLine(Canvas& canvas);
    /// `draw` draws the mark, up to 6 units around `middle`.
    void add(std::string_view text, const std::function<void(Point middle)>& draw);
    float top() const { return at_.y; }

  private:
    Canvas& canvas_;
    Point at_;
};

}  // namespace glsort::demo
