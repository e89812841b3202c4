#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "support/palette.h"
#include "support/picture.h"

struct ImDrawList;
struct ImFont;

namespace glsort::demo {

class Images;

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
    /// `images` outlives the frame.
    Canvas(ImDrawList& list, Point origin, Point size, float unit, ImFont* fixed_width, Images& images);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    float width() const { return size_.x; }
    float height() const { return size_.y; }
    float unit() const { return unit_; }
    float text_height() const;
    float text_width(std::string_view text) const;
    /// `text`, or as much of its beginning as is no wider than `width` with an ellipsis behind it.
    std::string fitted(std::string_view text, float width) const;

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
    /// A picture, whose pixels stay sharp however large they are drawn. `make` is called where no picture of that
    /// `number` (any, each of its own in a view) and `version` was drawn a frame ago: a moment's version, say.
    void image(std::uint64_t number, std::uint64_t version, const std::function<Picture()>& make, Point from, Point to);

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
    Images* images_;
};

}  // namespace glsort::demo
