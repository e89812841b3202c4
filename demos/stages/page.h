#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "canvas.h"

/// What surrounds the picture of a view: edges, sentences, a legend.
namespace glsort::demo {

/// Where a view's content begins and ends, from left to right.
inline float left_edge(const Canvas& canvas) {
    return 12 * canvas.unit();
}
inline float right_edge(const Canvas& canvas) {
    return canvas.width() - 12 * canvas.unit();
}

/// From one line of text to the next.
inline float line_height(const Canvas& canvas) {
    return canvas.text_height() + 4 * canvas.unit();
}

/// A text from edge to edge, in as many lines as it takes. Returns where it ends.
float draw_paragraph(Canvas& canvas, float top, std::string_view text, Colour colour);

/// Texts side by side along the bottom, each behind a square of its colour. Returns where they begin.
struct LegendEntry {
    Colour colour;
    std::string text;
};
float draw_legend(Canvas& canvas, std::span<const LegendEntry> entries);

/// The same in one line, with marks of any shape.
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
