#include "panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "emitters.h"
#include "shortcuts.h"
#include "support/palette.h"

namespace glsort::demo {

namespace {

constexpr float panel_width = 330.0f;  // At scale 1.

ImU32 imgui_colour(const Colour& c, float alpha = 1.0f) {
    return IM_COL32(c.red, c.green, c.blue, static_cast<int>(255.0f * alpha));
}

void text(std::string_view words) {
    ImGui::TextUnformatted(words.data(), words.data() + words.size());
}

void faint_text(const std::string& words) {
    ImGui::PushStyleColor(ImGuiCol_Text, imgui_colour(mark::faint));
    ImGui::PushTextWrapPos(0.0f);
    text(words);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

// A tool tip for the last item.
void explain(const std::string& words) {
    if (words.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(26.0f * ImGui::GetFontSize());
    text(words);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void heading(const char* words) {
    ImGui::Spacing();
    ImGui::PushStyleColor(ImGuiCol_Text, imgui_colour(mark::read));
    text(words);
    ImGui::PopStyleColor();
    ImGui::Separator();
}

// A list to choose an offer by name. Impossible offers are grey, with the reason.
void choose_offer(const char* label, const std::vector<Offer>& offers, std::string& chosen) {
    if (!ImGui::BeginCombo(label, chosen.c_str(), ImGuiComboFlags_HeightLarge)) return;
    for (const Offer& offer : offers) {
        const bool possible = offer.obstacle.empty();
        ImGui::BeginDisabled(!possible);
        if (ImGui::Selectable(offer.name.c_str(), offer.name == chosen)) chosen = offer.name;
        ImGui::EndDisabled();
        explain(possible ? offer.summary : "Not here: " + offer.obstacle);
    }
    ImGui::EndCombo();
}

std::string with_spaces(std::uint32_t number) {
    std::string digits = std::to_string(number);
    for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3)
        digits.insert(static_cast<std::size_t>(i), " ");
    return digits;
}

void show_problem(const std::string& problem) {
    if (problem.empty()) return;
    ImGui::PushStyleColor(ImGuiCol_Text, imgui_colour(mark::exchanged));
    ImGui::PushTextWrapPos(0.0f);
    text(problem);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

// The smallest of 1, 2, 5, 10, ... and their tenths, hundredths, ... that is not below `value`.
double round_limit(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(std::max(value, 1e-3))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (value <= factor * power) return factor * power;
    return 10.0 * power;
}

Colour colour_of(Stage stage) {
    switch (stage) {
        case Stage::move:
        case Stage::cpu_keys:
            return mark::read;
        case Stage::sort:
            return mark::written;
        case Stage::draw:
            break;
    }
    return mark::other;
}

}  // namespace

float Panel::covered(const Controls& controls, Size size) const {
    const float width = panel_width * gui_.scale();
    const bool room =
        static_cast<float>(size.width) >= 1.8f * width && static_cast<float>(size.height) >= 300.0f * gui_.scale();
    return controls.panel && room ? width / static_cast<float>(size.width) : 0.0f;
}

void Panel::draw(Demo& demo, Controls& controls, Size size, bool shown) {
    if (demo.renderer().line()) label_split(demo, size);
    const float width = covered(controls, size) * static_cast<float>(size.width);
    if (!shown || width == 0.0f) return;
    update_offers(controls.method);

    ImGui::SetNextWindowPos({0.0f, 0.0f});
    ImGui::SetNextWindowSize({width, static_cast<float>(size.height)});
    ImGui::Begin("particles", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove);
    ImGui::PushItemWidth(-7.0f * ImGui::GetFontSize());
    choose_count(demo, controls);
    choose_emitters(controls);
    show_buttons(controls);
    show_problem(controls.problem);
    heading("Sort");
    choose_order(controls);
    choose_backend(controls);
    choose_algorithm(demo, controls);
    heading("Keys");
    choose_key(controls);
    show_visible(demo, controls);
    show_times(demo, controls);
    show_shortcuts(controls);
    ImGui::PopItemWidth();
    ImGui::End();
}

void Panel::update_offers(const Method& method) {
    if (offered_for_ == method) return;
    algorithms_ = device_.algorithms(method);
    largest_count_ = device_.largest_count(method);
    offered_for_ = method;
}

void Panel::choose_count(Demo& demo, Controls& controls) {
    heading(demo.renderer().elements().are_splats() ? "Splats" : "Particles");
    const std::uint32_t most = std::max(std::min(largest_count_, demo.largest_count()), demo.method().count);
    const float now = std::log2(static_cast<float>(controls.method.count));
    float exponent = count_slider_.value_or(now);
    const auto count_of = [&](float log2) {
        if (log2 == now) return controls.method.count;  // Avoids the rounding of log2 and back.
        return static_cast<std::uint32_t>(
            std::clamp(std::round(std::exp2(static_cast<double>(log2))), 1.0, static_cast<double>(most)));
    };
    ImGui::SliderFloat("##count", &exponent, 0.0f, std::log2(static_cast<float>(most)), "",
                       ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat);
    // The scene is made anew when the user lets the slider go, not at every step of the mouse.
    if (ImGui::IsItemActive()) count_slider_ = exponent;
    if (ImGui::IsItemDeactivatedAfterEdit()) controls.method.count = count_of(exponent);
    if (!ImGui::IsItemActive()) count_slider_.reset();
    explain(
        fmt::format("The number of elements. More than {} exceed the scene, or the memory of\n{}\n"
                    "Keys: + twice, - half as many.",
                    with_spaces(most), device_.renderer()));
    ImGui::SameLine();
    text(with_spaces(count_of(exponent)));
}

void Panel::choose_emitters(Controls& controls) {
    const auto now = static_cast<int>(controls.method.emitters);
    int chosen = emitter_slider_.value_or(now);
    ImGui::SliderInt("##emitters", &chosen, 1, static_cast<int>(most_emitters), "", ImGuiSliderFlags_NoInput);
    if (ImGui::IsItemActive()) emitter_slider_ = chosen;
    if (ImGui::IsItemDeactivatedAfterEdit()) controls.method.emitters = static_cast<std::uint32_t>(chosen);
    if (!ImGui::IsItemActive()) emitter_slider_.reset();
    explain("E: more emitters. SHIFT E: fewer. Each emitter is a source of the sort. All are sorted as one.");
    ImGui::SameLine();
    text(chosen == 1 ? "1 emitter" : fmt::format("{} emitters", chosen));
}

void Panel::show_buttons(Controls& controls) {
    if (ImGui::Button(controls.paused ? "Go" : "Stop")) controls.paused = !controls.paused;
    explain("SPACE");
    ImGui::SameLine();
    if (ImGui::Button("First view")) controls.first_view = true;
    explain("R. Drag in the picture to orbit. Drag with the right button to pan. The wheel zooms.");
    ImGui::SameLine();
    if (ImGui::Button("Save picture")) controls.picture = true;
    explain("P: writes particles-1.png, particles-2.png, ... to the current folder.");
}

void Panel::choose_order(Controls& controls) {
    FrameOptions& frame = controls.frame;
    ImGui::BeginDisabled(frame.split);  // A split screen sorts its left part in any case.
    ImGui::Checkbox("sort", &frame.sort);
    ImGui::EndDisabled();
    explain("S: draw back to front, or in array order.");
    ImGui::SameLine(0.0f, 2.0f * ImGui::GetFontSize());
    ImGui::Checkbox("split screen", &frame.split);
    explain("X: sorted on the left, in array order on the right. Drag the line between them.");
}

void Panel::choose_backend(Controls& controls) {
    std::string name(to_string(controls.method.backend));
    choose_offer("backend", device_.backends(), name);
    explain("B: the next backend that can run the algorithm.");
    controls.method.backend = backend_from_string(name);
}

void Panel::choose_algorithm(const Demo& demo, Controls& controls) {
    choose_offer("algorithm", algorithms_, controls.method.algorithm);
    explain("A: the next algorithm that can run here. SHIFT A: the previous one.");
    faint_text("runs " + demo.method_name());
    explain("The backend, the algorithm and the variant that glsort chose.");
}

void Panel::choose_key(Controls& controls) {
    KeyOptions& keys = controls.method.keys;
    if (ImGui::RadioButton("depth", keys.by == SortKey::depth)) keys.by = SortKey::depth;
    explain("K: along the axis of view. Right for flat sprites, which are parallel to the picture.");
    ImGui::SameLine();
    if (ImGui::RadioButton("distance", keys.by == SortKey::distance)) keys.by = SortKey::distance;
    explain("K: from the eye. A turn of the camera in place does not change the order.");
    ImGui::SameLine();
    faint_text("f32");
    explain("Keys are 32-bit floats. The 32-bit number of each particle travels with its key.");
    if (ImGui::RadioButton("on the GPU", keys.maker == KeyMaker::gpu)) keys.maker = KeyMaker::gpu;
    explain("G: glsort computes the keys from the places of the particles. Nothing passes through the CPU.");
    ImGui::SameLine();
    if (ImGui::RadioButton("on the CPU", keys.maker == KeyMaker::cpu)) keys.maker = KeyMaker::cpu;
    explain("G: computed in C++ and copied to a buffer that glsort reads, for comparison.");
    ImGui::Checkbox("frustum", &keys.frustum);
    explain("F: what the camera does not see is neither sorted nor drawn.");
}

void Panel::show_visible(const Demo& demo, const Controls& controls) {
    ImGui::SameLine();
    const std::optional<std::uint32_t> visible = demo.visible();
    // The first number comes some frames later.
    if (!visible) return faint_text(controls.frame.sorts() ? "counting ..." : "not sorted: all are drawn");
    text(fmt::format("{} of {} visible", with_spaces(*visible), with_spaces(demo.method().count)));
    explain(
        "Sorted and drawn, of all elements. The number comes from the GPU some frames later; no draw waits for it.");
}

void Panel::show_times(Demo& demo, const Controls& controls) {
    heading("Times");
    plot("sort", demo, Stage::sort);
    plot("draw", demo, Stage::draw);
    if (!demo.renderer().elements().are_splats()) plot("move", demo, Stage::move);
    if (controls.method.keys.maker == KeyMaker::cpu) plot("keys (CPU)", demo, Stage::cpu_keys);
    faint_text(demo.renderer().has_queries() ? "timer queries, at present clocks; medians"
                                             : "a clock, after glFinish(); medians");
}

void Panel::plot(const char* name, const Demo& demo, Stage stage) {
    const History& history = demo.times(stage);
    const ImU32 colour = imgui_colour(colour_of(stage));
    text(name);
    ImGui::SameLine(6.5f * ImGui::GetFontSize());
    if (history.empty()) {
        faint_text("nothing yet");
    } else {
        const double ms = history.median();
        const double items = 1e-3 * demo.method().count / std::max(ms, 1e-6);
        text(stage == Stage::sort ? fmt::format("{:.2f} ms   {:.1f} million items/s", ms, items)
                                  : fmt::format("{:.2f} ms", ms));
    }

    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, 2.6f * ImGui::GetFontSize()};
    ImGui::Dummy(size);
    explain(fmt::format("{}The last {} frames, the newest at the right.",
                        stage == Stage::sort ? "All that glsort does: keys, frustum and order. " : "",
                        History::longest));
    ImDrawList& canvas = *ImGui::GetWindowDrawList();
    const ImVec2 end{corner.x + size.x, corner.y + size.y};
    canvas.AddRectFilled(corner, end, imgui_colour(mark::faint, 0.15f));
    if (history.empty()) return;

    const double limit = round_limit(history.largest());
    std::vector<ImVec2> points;
    const std::deque<double>& values = history.values();
    const float step = size.x / static_cast<float>(History::longest - 1);
    for (std::size_t i = 0; i < values.size(); ++i)
        points.push_back({end.x - step * static_cast<float>(values.size() - 1 - i),
                          end.y - size.y * static_cast<float>(values[i] / limit)});
    if (points.size() == 1) points.insert(points.begin(), {corner.x, points[0].y});
    // Wide enough for pixels in the full colour, wherever the line lies between pixels.
    canvas.AddPolyline(points.data(), static_cast<int>(points.size()), colour, ImDrawFlags_None, 2.0f * gui_.scale());
    const std::string top = fmt::format("{:g} ms", limit);
    canvas.AddText({corner.x + 0.25f * ImGui::GetFontSize(), corner.y}, imgui_colour(mark::faint), top.c_str());
}

void Panel::show_shortcuts(Controls& controls) {
    ImGui::Spacing();
    ImGui::SetNextItemOpen(controls.help);
    controls.help = ImGui::CollapsingHeader("Keys and mouse (H)");
    if (controls.help && !help_was_open_) ImGui::SetScrollHereY(0.0f);
    help_was_open_ = controls.help;
    if (!controls.help) return;
    for (const Shortcut& shortcut : shortcuts()) {
        text(shortcut.input);
        ImGui::SameLine(7.0f * ImGui::GetFontSize());
        ImGui::PushTextWrapPos(0.0f);
        text(shortcut.effect);
        ImGui::PopTextWrapPos();
    }
}

void Panel::label_split(Demo& demo, Size size) {
    const float unit =
        static_cast<float>(size.height) * demo.renderer().aspect() / static_cast<float>(demo.renderer().width());
    const float line = unit * static_cast<float>(*demo.renderer().line());
    ImDrawList& canvas = *ImGui::GetBackgroundDrawList();
    const float margin = 0.5f * ImGui::GetFontSize();
    const auto label = [&](const char* words, float left) {
        const ImVec2 extent = ImGui::CalcTextSize(words);
        canvas.AddRectFilled({left, margin}, {left + extent.x + 2.0f * margin, 3.0f * margin + extent.y},
                             IM_COL32(0, 0, 0, 150), 0.5f * margin);
        canvas.AddText({left + margin, 2.0f * margin}, imgui_colour(mark::text), words);
    };
    const char* sorted = "sorted";
    label(sorted, line - 3.0f * margin - ImGui::CalcTextSize(sorted).x);
    label("unsorted: array order", line + margin);
    // A handle to drag.
    const float y = 0.5f * static_cast<float>(size.height);
    canvas.AddCircleFilled({line, y}, margin, imgui_colour(mark::text));
}

}  // namespace glsort::demo
