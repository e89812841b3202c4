#pragma once

#include <string_view>

#include "support/palette.h"

struct ImDrawList;
struct ImFont;

namespace glsort::demo {

/// A place of a view, in pixels from the top left of its rectangle.
struct Point {
    float x = 0.0f;
    float y = 0.0f;
};

/// A rectangle that a view draws into, through Dear ImGui's vector drawing. Cuts off what is outside. Lengths are in
/// pixels; `unit()` is the length that grows with the display's scale.
class Canvas {
  public:
    /// Where `list` draws: the rectangle from `origin` on, in the list's own coordinates.
    Canvas(ImDrawList& list, Point origin, Point size, float unit, ImFont* fixed_width);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    float width() const { return size_.x; }
    float height() const { return size_.y; }
    float unit() const { return unit_; }
    float text_height() const;
    float text_width(std::string_view text) const;

    void fill(Point from, Point to, Colour colour, float opacity = 1.0f);
    void outline(Point from, Point to, Colour colour, float thickness = 1.0f);
    void line(Point from, Point to, Colour colour, float thickness = 1.0f);
    void curve(Point from, Point control, Point to, Colour colour, float thickness = 1.0f);
    void disc(Point centre, float radius, Colour colour);
    void circle(Point centre, float radius, Colour colour, float thickness = 1.0f);
    void arrow(Point from, Point to, Colour colour, float thickness = 1.0f);
    /// `position`: the top left corner of the text.
    void text(Point position, std::string_view text, Colour colour);
    /// Numbers and programs, in letters of one width.
    void fixed_text(Point position, std::string_view text, Colour colour);
    /// A picture of a texture, whose name in the current context is `texture`; `u`, `v`: how much of it is used.
    void image(unsigned texture, Point from, Point to, float u = 1.0f, float v = 1.0f);

    /// Shows `text` beside the cursor while that is over the rectangle.
    void tip(Point from, Point to, std::string_view text);
    /// Where the cursor is; outside where it is elsewhere, or where there is none.
    Point cursor() const;

  private:
    ImDrawList* list_;
    Point origin_;
    Point size_;
    float unit_;
    ImFont* fixed_width_;
};

}  // namespace glsort::demo
