#include "canvas.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "images.h"
#include "widgets.h"

namespace glsort::demo {

namespace {

ImU32 packed(Colour colour, float opacity = 1.0f) {
    return IM_COL32(colour.red, colour.green, colour.blue, static_cast<int>(255.0f * opacity + 0.5f));
}

ImVec2 moved(Point origin, Point point) {
    return {origin.x + point.x, origin.y + point.y};
}

}  // namespace

Canvas::Canvas(ImDrawList& list, Point origin, Point size, float unit, ImFont* fixed_width, Images& images)
    : list_(&list), origin_(origin), size_(size), unit_(unit), fixed_width_(fixed_width), images_(&images) {
    list_->PushClipRect(moved(origin_, {}), moved(origin_, size_), true);
}

Canvas::~Canvas() {
    list_->PopClipRect();
}

float Canvas::text_height() const {
    return ImGui::GetFontSize();
}

float Canvas::text_width(std::string_view text) const {
    return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

std::string Canvas::fitted(std::string_view text, float width) const {
    if (text_width(text) <= width) return std::string(text);
    const auto shortened = [](std::string_view beginning) { return std::string(beginning) + "…"; };
    while (!text.empty() && text_width(shortened(text)) > width)
        text.remove_suffix(1);
    return shortened(text);
}

void Canvas::fill(Point from, Point to, Colour colour, float opacity) {
    list_->AddRectFilled(moved(origin_, from), moved(origin_, to), packed(colour, opacity));
}

void Canvas::outline(Point from, Point to, Colour colour, float thickness) {
    list_->AddRect(moved(origin_, from), moved(origin_, to), packed(colour), 0.0f, 0, thickness * unit_);
}

void Canvas::line(Point from, Point to, Colour colour, float thickness) {
    list_->AddLine(moved(origin_, from), moved(origin_, to), packed(colour), thickness * unit_);
}

void Canvas::curve(Point from, Point control, Point to, Colour colour, float thickness) {
    list_->AddBezierQuadratic(moved(origin_, from), moved(origin_, control), moved(origin_, to), packed(colour),
                              thickness * unit_);
}

void Canvas::disc(Point centre, float radius, Colour colour) {
    list_->AddCircleFilled(moved(origin_, centre), radius, packed(colour));
}

void Canvas::circle(Point centre, float radius, Colour colour, float thickness) {
    list_->AddCircle(moved(origin_, centre), radius, packed(colour), 0, thickness * unit_);
}

void Canvas::arrow(Point from, Point to, Colour colour, float thickness) {
    const float x = to.x - from.x;
    const float y = to.y - from.y;
    const float length = std::sqrt(x * x + y * y);
    if (length <= 0.0f) return;
    const float head = std::min(length, (4.0f + 2.0f * thickness) * unit_);
    const Point along{x / length * head, y / length * head};
    const Point base{to.x - along.x, to.y - along.y};
    line(from, base, colour, thickness);
    list_->AddTriangleFilled(moved(origin_, to), moved(origin_, {base.x - along.y * 0.5f, base.y + along.x * 0.5f}),
                             moved(origin_, {base.x + along.y * 0.5f, base.y - along.x * 0.5f}), packed(colour));
}

void Canvas::text(Point position, std::string_view text, Colour colour) {
    // Letters are sharp at whole pixels.
    const ImVec2 at = moved(origin_, position);
    list_->AddText({std::round(at.x), std::round(at.y)}, packed(colour), text.data(), text.data() + text.size());
}

void Canvas::fixed_text(Point position, std::string_view text, Colour colour) {
    const ImVec2 at = moved(origin_, position);
    list_->AddText(fixed_width_, fixed_width_->FontSize, {std::round(at.x), std::round(at.y)}, packed(colour),
                   text.data(), text.data() + text.size());
}

void Canvas::image(std::uint64_t number, std::uint64_t version, const std::function<Picture()>& make, Point from,
                   Point to) {
    const auto texture = static_cast<std::uintptr_t>(images_->texture(number, version, make));
    list_->AddImage(reinterpret_cast<ImTextureID>(texture), moved(origin_, from), moved(origin_, to));
}

void Canvas::tip(Point from, Point to, std::string_view text) {
    const Point at = cursor();
    if (at.x < from.x || at.x >= to.x || at.y < from.y || at.y >= to.y) return;
    if (at.x < 0 || at.x >= size_.x || at.y < 0 || at.y >= size_.y) return;
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) return;
    show_tip(text);
}

Point Canvas::cursor() const {
    const ImVec2 at = ImGui::GetIO().MousePos;
    return {at.x - origin_.x, at.y - origin_.y};
}

}  // namespace glsort::demo
