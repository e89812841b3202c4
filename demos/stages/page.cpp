#include "page.h"

#include <algorithm>
#include <vector>

namespace glsort::demo {

float draw_paragraph(Canvas& canvas, float top, std::string_view text, Colour colour) {
    const float width = right_edge(canvas) - left_edge(canvas);
    while (!text.empty()) {
        std::size_t length = text.size();
        while (canvas.text_width(text.substr(0, length)) > width) {
            const std::size_t space = text.rfind(' ', length - 1);
            if (space == std::string_view::npos) break;
            length = space;
        }
        canvas.text({left_edge(canvas), top}, text.substr(0, length), colour);
        top += line_height(canvas);
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return top;
}

float draw_legend(Canvas& canvas, std::span<const LegendEntry> entries) {
    const float unit = canvas.unit();
    const float size = 0.7f * canvas.text_height();
    const float before_text = size + 5 * unit;
    std::vector<Point> places;
    Point at{left_edge(canvas), 0};
    for (const LegendEntry& entry : entries) {
        const float width = before_text + canvas.text_width(entry.text);
        if (at.x + width > right_edge(canvas) && !places.empty()) at = {left_edge(canvas), at.y + line_height(canvas)};
        places.push_back(at);
        at.x += width + 16 * unit;
    }
    const float top = canvas.height() - at.y - canvas.text_height();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Point corner{places[i].x, top + places[i].y + (canvas.text_height() - size) / 2};
        canvas.fill(corner, {corner.x + size, corner.y + size}, entries[i].colour);
        canvas.text({corner.x + before_text, top + places[i].y}, entries[i].text, mark::text);
    }
    return top;
}

LegendLine::LegendLine(Canvas& canvas)
    : canvas_(canvas), at_{left_edge(canvas), canvas.height() - canvas.text_height() - 6 * canvas.unit()} {}

void LegendLine::add(std::string_view text, const std::function<void(Point middle)>& draw) {
    const float gap = 6 * canvas_.unit();
    draw({at_.x + gap, at_.y + canvas_.text_height() / 2});
    canvas_.text({at_.x + 3 * gap, at_.y}, text, mark::faint);
    at_.x += 6 * gap + canvas_.text_width(text);
}

}  // namespace glsort::demo
