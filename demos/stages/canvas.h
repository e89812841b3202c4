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

/// A position in a view, in pixels from the top left of its rectangle.
struct Point {
    float x = 0.0f;
    float y = 0.0f;
};

/// A rectangle that a view draws into, by Dear ImGui's vector drawing. Clips to the rectangle. Lengths are in pixels.
/// `unit()` is a length that grows with the display's scale.
class Canvas {
  public:
    /// Draws with `list` to the rectangle at `origin`, in the coordinates of the list. `images` must outlive the frame.
    Canvas(ImDrawList& list, Point origin, Point size, float unit, ImFont* fixed_width, Images& images);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    float width() const { return size_.x; }
    float height() const { return size_.y; }
    float unit() const { return unit_; }
    float text_height() const;
    float text_width(std::string_view text) const;
    /// `text`, or the longest beginning of `text` that fits `width` with an ellipsis.
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
    /// Text in a fixed-width font, for numbers and programs.
    void fixed_text(Point position, std::string_view text, Colour colour);
    /// A picture whose pixels stay sharp at any size. `number` identifies the picture within a view. Calls `make`
    /// unless the last frame drew this `number` and `version`. The version may be a moment's version.
    void image(std::uint64_t number, std::uint64_t version, const std::function<Picture()>& make, Point from, Point to);

    /// Shows `text` beside the cursor while the cursor is over the rectangle.
    void tip(Point from, Point to, std::string_view text);
    /// The position of the cursor. A position outside of the rectangle if the cursor is elsewhere, or if there is no
    /// cursor.
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
