#include "viewer.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "availability.h"
#include "pane.h"
#include "places.h"
#include "timeline.h"
#include "widgets.h"

namespace glsort::demo {

namespace {

constexpr ImGuiWindowFlags fixed_window = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                          ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                          ImGuiWindowFlags_NoNav;

// Beside narrower sorts there are no panels.
constexpr float least_width_of_panels = 700.0f;

void begin_fixed(const char* name, Point from, Point size, bool padded = true) {
    ImGui::SetNextWindowPos({from.x, from.y});
    ImGui::SetNextWindowSize({size.x, size.y});
    if (!padded) ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0f, 0.0f});
    ImGui::Begin(name, nullptr, fixed_window);
    if (!padded) ImGui::PopStyleVar();
}

}  // namespace

Viewer::Viewer(const Options& options, const Device& device)
    : player_(device), controls_(player_, device), views_(make_views()) {
    std::vector<Method> methods{method_for(options, device)};
    if (options.compared) {
        Options second = options;
        second.method = {};
        second.method.algorithm = *options.compared;
        methods.push_back(method_for(second, device));
        panels_ = false;
    }
    if (!options.view.empty()) begin_with(options.view, options.input, methods, device);
    for (Pane& pane : panes_)
        pane.images = std::make_unique<Images>(device.gl);
    player_.choose(options.input, methods);
}

// A view that does not fit is an error of the command line, not of the sorts.
void Viewer::begin_with(const std::string& view, const Input& input, const std::vector<Method>& methods,
                        const Device& device) {
    for (const Method& method : methods)
        choose_view(views_, view, planned_program(input, method, limits_for(method, &device)));
    const auto named =
        std::ranges::find(views_, view, [](const std::unique_ptr<View>& other) { return option_of(*other); });
    for (Pane& pane : panes_)
        pane.view = static_cast<std::size_t>(named - views_.begin());
}

const Run* Viewer::active_run() const {
    return active_ < player_.slots().size() ? player_.slots()[active_].run.get() : nullptr;
}

std::vector<std::size_t> Viewer::fitting_views(const StreamProgram& program) const {
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < views_.size(); ++i)
        if (views_[i]->fits(program)) fitting.push_back(i);
    return fitting;
}

// A new run keeps the view of its pane if that fits, but not the chosen stream.
void Viewer::settle(std::size_t slot) {
    const Run* run = player_.slots()[slot].run.get();
    Pane& pane = panes_[slot];
    if (run == nullptr || pane.run == run->number()) return;
    pane.run = run->number();
    pane.chosen.reset();
    const std::vector<std::size_t> fitting = fitting_views(run->program());
    if (std::ranges::find(fitting, pane.view) == fitting.end()) pane.view = fitting.front();
    select_tab_ = true;
}

std::string Viewer::title() const {
    std::string text = "stages:";
    for (const Player::Slot& slot : player_.slots()) {
        if (&slot != &player_.slots().front()) text += " |";
        if (slot.run != nullptr)
            text += fmt::format(" {}:{}, {}, n = {}, {} of {} ops", slot.run->program().algorithm,
                                slot.run->program().variant, to_string(slot.run->program().backend),
                                slot.run->input().n, slot.run->done(), slot.run->ops());
        else
            text += " " + slot.method.algorithm + (slot.error.empty() ? ", in preparation" : ", cannot be sorted");
    }
    return text;
}

bool Viewer::busy() const {
    return player_.making() || player_.playing() || !player_.arrived();
}

void Viewer::obey(Command command) {
    active_ = std::min(active_, player_.slots().size() - 1);
    Pane& pane = panes_[active_];
    const Run* run = active_run();
    switch (command) {
        case Command::play:
            return player_.play(!player_.playing());
        case Command::forward:
            return player_.step(1);
        case Command::back:
            return player_.step(-1);
        case Command::forward_ten:
            return player_.step(10);
        case Command::back_ten:
            return player_.step(-10);
        case Command::begin:
            return player_.seek_begin();
        case Command::end:
            return player_.seek_end();
        case Command::faster:
            return player_.set_speed(player_.speed() * 1.5);
        case Command::slower:
            return player_.set_speed(player_.speed() / 1.5);
        case Command::next_view: {
            if (run == nullptr) return;
            const std::vector<std::size_t> fitting = fitting_views(run->program());
            const auto here = std::ranges::find(fitting, pane.view) - fitting.begin();
            pane.view = fitting[(static_cast<std::size_t>(here) + 1) % fitting.size()];
            select_tab_ = true;
            return;
        }
        case Command::next_stream: {
            if (run == nullptr) return;
            const std::size_t next = pane.chosen ? *pane.chosen + 1 : 0;
            pane.chosen = next < run->program().streams.size() ? std::optional(next) : std::nullopt;
            return;
        }
        case Command::next_algorithm:
            return controls_.next_algorithm(active_, 1);
        case Command::last_algorithm:
            return controls_.next_algorithm(active_, -1);
        case Command::next_backend:
            return controls_.next_backend(active_);
        case Command::next_layout:
            return controls_.next_layout(active_);
        case Command::next_distribution:
            return controls_.next_distribution();
        case Command::double_n:
            return controls_.scale_n(true);
        case Command::halve_n:
            return controls_.scale_n(false);
        case Command::next_seed:
            return controls_.next_seed();
        case Command::compare:
            controls_.toggle_compare();
            panels_ = player_.slots().size() == 1;
            return;
        case Command::pace:
            return controls_.toggle_pace();
        case Command::other_sort:
            active_ = (active_ + 1) % player_.slots().size();
            return;
        case Command::panels:
            panels_ = !panels_;
            return;
        case Command::help:
            help_ = !help_;
            return;
        case Command::picture:
        case Command::quit:
            return;
    }
}

void Viewer::draw(Size window, double elapsed, const Gui& gui) {
    constexpr double budget = 0.03;  // of a frame, for ops
    const float u = gui.scale();
    const std::size_t slots = player_.slots().size();
    active_ = std::min(active_, slots - 1);
    // A slow action is announced one frame before the action begins.
    const bool making = player_.making();
    if (!making || making_said_) player_.update(elapsed, budget);
    making_said_ = player_.making();

    const auto width = static_cast<float>(window.width);
    const auto height = static_cast<float>(window.height);
    const float row = ImGui::GetFrameHeightWithSpacing();
    float top = row * static_cast<float>(slots + 1) + 2.0f * ImGui::GetStyle().WindowPadding.y;
    begin_fixed("controls", {}, {width, std::max(top, controls_height_)});
    const bool one = slots == 1;
    controls_.draw(u);
    // Two sorts need the room of the panels.
    if (one != (player_.slots().size() == 1)) panels_ = !one;
    // Measures the height, since lines that did not fit have wrapped.
    controls_height_ = ImGui::GetCursorPosY() + ImGui::GetStyle().WindowPadding.y;
    ImGui::End();
    top = std::max(top, controls_height_);

    const float bottom = slots > 1 ? std::min(0.35f * height, 190.0f * u) : std::min(0.27f * height, 128.0f * u);
    const bool room = width > least_width_of_panels * u;
    const bool side = (panels_ || help_) && room;
    // Without room at the side, the help lies in place of the sorts.
    const bool help_alone = help_ && !room;
    const float panel = side ? std::min(430.0f * u, 0.4f * width) : 0.0f;
    const Point middle{width - panel, std::max(40.0f * u, height - top - bottom)};

    for (std::size_t slot = 0; slot < player_.slots().size() && !help_alone; ++slot) {
        settle(slot);
        const float each = middle.x / static_cast<float>(player_.slots().size());
        begin_fixed(slot == 0 ? "sort 1" : "sort 2", {each * static_cast<float>(slot), top}, {each, middle.y});
        draw_pane_of(slot, {each, middle.y}, gui);
        ImGui::End();
    }
    if (!help_alone) select_tab_ = false;
    if (side || help_alone) {
        const float left = help_alone ? 0.0f : middle.x;
        begin_fixed("panels", {left, top}, {width - left, middle.y});
        draw_panels(gui);
        ImGui::End();
    }
    begin_fixed("timeline", {0.0f, top + middle.y}, {width, bottom}, false);
    draw_timelines({width, bottom}, gui);
    ImGui::End();
    for (Pane& pane : panes_)
        pane.images->end_frame();
}

void Viewer::draw_pane_of(std::size_t slot, Point size, const Gui& gui) {
    const Player::Slot& sort = player_.slots()[slot];
    const float u = gui.scale();
    if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) active_ = slot;
    const ImVec2 corner = ImGui::GetWindowPos();
    if (player_.slots().size() > 1 && active_ == slot)
        ImGui::GetWindowDrawList()->AddRectFilled(corner, {corner.x + size.x, corner.y + 2.0f * u},
                                                  IM_COL32(120, 160, 220, 255));
    if (!sort.error.empty()) {
        ImGui::TextColored({0.93f, 0.53f, 0.4f, 1.0f}, "%s cannot sort this input:", sort.method.algorithm.c_str());
        ImGui::TextWrapped("%s", sort.error.c_str());
        return;
    }
    if (sort.run == nullptr) {
        ImGui::TextWrapped("Preparing %s for %u elements: compiling its shaders ...", sort.method.algorithm.c_str(),
                           player_.input().n);
        return;
    }
    const Run& run = *sort.run;
    draw_view_tabs(slot, run, gui);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    draw_pane(run, *views_[panes_[slot].view], panes_[slot].chosen, {corner.x, from.y},
              {size.x, corner.y + size.y - from.y}, gui, *panes_[slot].images);
    if (run.done() == run.target()) return;
    // Shows the progress towards the target.
    ImGui::SetCursorScreenPos({corner.x + 0.25f * size.x, corner.y + 0.5f * size.y});
    const float part = run.target() > 0 ? static_cast<float>(run.done()) / static_cast<float>(run.target()) : 1.0f;
    ImGui::ProgressBar(part, {0.5f * size.x, 0.0f},
                       fmt::format("op {}, going to op {}", run.done(), run.target()).c_str());
}

void Viewer::draw_view_tabs(std::size_t slot, const Run& run, const Gui& gui) {
    Pane& pane = panes_[slot];
    const float u = gui.scale();
    const float stream_width = 130.0f * u;
    const ImVec2 start = ImGui::GetCursorPos();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {8.0f * u, 3.0f * u});
    if (ImGui::BeginTabBar("views", ImGuiTabBarFlags_FittingPolicyScroll)) {
        for (const std::size_t i : fitting_views(run.program())) {
            const bool select = select_tab_ && i == pane.view;
            if (ImGui::BeginTabItem(views_[i]->name().c_str(), nullptr, select ? ImGuiTabItemFlags_SetSelected : 0)) {
                if (!select_tab_) pane.view = i;
                ImGui::EndTabItem();
            }
            tip_of_item(views_[i]->explanation());
        }
        ImGui::EndTabBar();
    }
    ImGui::PopStyleVar();
    const ImVec2 behind = ImGui::GetCursorPos();
    ImGui::SetCursorPos({ImGui::GetWindowWidth() - stream_width - 12.0f * u, start.y});
    ImGui::SetNextItemWidth(stream_width);
    const std::string shown = pane.chosen ? run.program().streams[*pane.chosen].name : "what it writes";
    if (ImGui::BeginCombo("##stream", shown.c_str())) {
        if (ImGui::Selectable("what it writes", !pane.chosen)) pane.chosen.reset();
        for (StreamId id = 0; id < run.program().streams.size(); ++id)
            if (ImGui::Selectable(run.program().streams[id].name.c_str(), pane.chosen == id)) pane.chosen = id;
        ImGui::EndCombo();
    }
    tip_of_term("shown stream");
    ImGui::SetCursorPos(behind);
}

void Viewer::draw_panels(const Gui& gui) {
    const Run* run = active_run();
    if (help_) {
        ImGui::TextUnformatted("Keys and words (H hides them)");
        ImGui::Separator();
        return draw_help();
    }
    if (run == nullptr) return;
    if (!ImGui::BeginTabBar("panels")) return;
    const bool program_open = ImGui::BeginTabItem("Program");
    tip_of_term("program");
    if (program_open) {
        if (const auto ops = program_panel_.draw(*run, gui)) player_.seek(active_, *ops);
        ImGui::EndTabItem();
    }
    const bool glsl_open = ImGui::BeginTabItem("GLSL");
    tip_of_term("GLSL");
    if (glsl_open) {
        source_panel_.draw(*run, gui);
        ImGui::EndTabItem();
    }
    const bool cost_open = ImGui::BeginTabItem("Cost");
    tip_of_term("cost");
    if (cost_open) {
        draw_cost(*run);
        ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
}

void Viewer::draw_timelines(Point size, const Gui& gui) {
    const ImVec2 corner = ImGui::GetWindowPos();
    const std::size_t count = player_.slots().size();
    const float each = size.y / static_cast<float>(count);
    for (std::size_t slot = 0; slot < count; ++slot) {
        const Run* run = player_.slots()[slot].run.get();
        if (run == nullptr) continue;
        Canvas canvas(*ImGui::GetWindowDrawList(), {corner.x, corner.y + each * static_cast<float>(slot)},
                      {size.x, each}, gui.scale(), gui.fixed_width(), *panes_[slot].images);
        if (const auto ops = draw_timeline(*run, canvas)) player_.seek(slot, *ops);
    }
}

}  // namespace glsort::demo
