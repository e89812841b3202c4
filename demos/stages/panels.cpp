#include "panels.h"

#include <fmt/format.h>
#include <glsort/stream/program.h>
#include <imgui.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "glossary.h"
#include "shortcuts.h"
#include "support/palette.h"
#include "widgets.h"

namespace glsort::demo {

namespace {

std::vector<std::string> cut_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

ImVec4 colour_of(Colour colour, float opacity = 1.0f) {
    return {static_cast<float>(colour.red) / 255.0f, static_cast<float>(colour.green) / 255.0f,
            static_cast<float>(colour.blue) / 255.0f, opacity};
}

// Lines of text in a separate window. Only visible lines are drawn.
void show_lines(const std::vector<std::string>& lines) {
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(lines.size()));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
            ImGui::TextUnformatted(lines[static_cast<std::size_t>(i)].c_str());
}

// At most four digits and a prefix for thousands, millions and so on.
std::string amount_text(double amount, const char* unit = "") {
    const char* prefix = "";
    for (const char* next : {"K", "M", "G", "T"}) {
        if (amount < 10000.0) break;
        amount /= 1000.0;
        prefix = next;
    }
    const bool whole = *prefix == '\0' || amount >= 100.0;
    std::string text = fmt::format("{:.{}f}", amount, whole ? 0 : 1);
    if (*prefix != '\0' || *unit != '\0') text += " ";
    return text + prefix + unit;
}

void cost_row(const char* word, const char* text, std::optional<double> so_far, std::optional<double> total,
              const std::function<std::string(double)>& print) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(text);
    tip_of_term(word);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(so_far ? print(*so_far).c_str() : "counting ...");
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(total ? print(*total).c_str() : "...");
    ImGui::TableNextColumn();
    if (so_far && total)
        ImGui::ProgressBar(*total > 0.0 ? static_cast<float>(*so_far / *total) : 1.0f,
                           {-1.0f, ImGui::GetFontSize() * 0.9f}, "");
}

}  // namespace

std::optional<std::size_t> ProgramPanel::draw(const Run& run, const Gui& gui) {
    const bool another = run_ != run.number();
    if (another) {
        run_ = run.number();
        lines_ = cut_lines(to_text(run.program()));
        first_op_ = lines_.size() - run.ops();
    }
    std::optional<std::size_t> clicked;
    ImGui::BeginChild("program", {0.0f, 0.0f}, false, ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::PushFont(gui.fixed_width());
    const float height = ImGui::GetTextLineHeightWithSpacing();
    if (another || shown_done_ != run.done()) {
        shown_done_ = run.done();
        const std::size_t line = first_op_ + std::max<std::size_t>(run.done(), 1) - 1;
        const float top = height * static_cast<float>(run.done() == 0 ? 0 : line);
        // Scrolls the line to the middle unless the line is well in view.
        const float scroll = ImGui::GetScrollY();
        const float room = ImGui::GetWindowHeight();
        if (top < scroll + height || top > scroll + room - 4.0f * height)
            ImGui::SetScrollY(std::max(0.0f, top - 0.5f * room));
    }
    float widest = ImGui::GetContentRegionAvail().x;
    for (const std::string& line : lines_)
        widest = std::max(widest, ImGui::GetFont()->GetCharAdvance('m') * static_cast<float>(line.size()));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(lines_.size()), height);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const auto line = static_cast<std::size_t>(i);
            const bool is_op = line >= first_op_;
            const std::size_t op = line - first_op_;
            const bool current = is_op && op + 1 == run.done();
            const ImVec2 at = ImGui::GetCursorScreenPos();
            if (current)
                ImGui::GetWindowDrawList()->AddRectFilled(
                    at, {at.x + widest, at.y + height},
                    ImGui::ColorConvertFloat4ToU32(colour_of(mark::written, 0.35f)));
            const bool pale = is_op && op >= run.done();
            if (pale) ImGui::PushStyleColor(ImGuiCol_Text, colour_of(mark::faint));
            ImGui::PushID(i);
            if (is_op && ImGui::Selectable("##line", false, 0, {widest, 0.0f})) clicked = op + 1;
            if (is_op) ImGui::SameLine(0.0f, 0.0f), ImGui::SetCursorScreenPos(at);
            ImGui::TextUnformatted(lines_[line].c_str());
            ImGui::PopID();
            if (pale) ImGui::PopStyleColor();
        }
    ImGui::PopFont();
    ImGui::EndChild();
    return clicked;
}

void SourcePanel::draw(const Run& run, const Gui& gui) {
    // At the beginning, shows the next op's shader.
    const std::size_t op = run.done() == 0 ? 0 : run.done() - 1;
    if (run_ != run.number() || op_ != op) {
        run_ = run.number();
        op_ = op;
        lines_ = cut_lines(run.source(op));
    }
    const std::string& kernel = run.program().ops[op].kernel->name;
    if (lines_.empty()) {
        ImGui::TextWrapped("%s", why_no_source(run, op).c_str());
        return;
    }
    ImGui::Text("op %zu: %s, %zu lines", op, kernel.c_str(), lines_.size());
    tip_of_term("GLSL");
    ImGui::BeginChild("source", {0.0f, 0.0f}, false, ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::PushFont(gui.fixed_width());
    show_lines(lines_);
    ImGui::PopFont();
    ImGui::EndChild();
}

std::string why_no_source(const Run& run, std::size_t op) {
    const Kernel& kernel = *run.program().ops[op].kernel;
    if (run.input().is_scene()) return fmt::format("{} runs as C++: stages sorts all scenes in C++.", kernel.name);
    if (run.method().backend == Backend::cpu)
        return fmt::format("{} runs as C++ here. Choose backend fragment or compute to see its GLSL.", kernel.name);
    return fmt::format("{} is a transfer: the driver moves the data without a shader.", kernel.name);
}

void draw_cost(const Run& run) {
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, {0.26f, 0.59f, 0.98f, 1.0f});
    const Cost& so_far = run.cost_of_first(run.done());
    const Cost& total = run.cost_of_first(run.ops());
    if (ImGui::BeginTable("cost", 4, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg)) {
        ImGui::TableSetupColumn("");
        ImGui::TableSetupColumn("so far");
        ImGui::TableSetupColumn("in all");
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        ImGui::TableHeadersRow();
        const auto plain = [](double value) { return fmt::format("{:.0f}", value); };
        const auto bytes = [](double value) { return amount_text(value, "B"); };
        cost_row("op", "ops", static_cast<double>(so_far.ops), static_cast<double>(total.ops), plain);
        const auto comparisons = [&](std::size_t ops) -> std::optional<double> {
            const auto count = run.comparisons_of_first(ops);
            if (!count) return std::nullopt;
            return static_cast<double>(*count);
        };
        cost_row("comparisons", "comparisons", comparisons(run.done()), comparisons(run.ops()),
                 [](double value) { return amount_text(value); });
        cost_row("bytes", "bytes read", static_cast<double>(so_far.bytes_read), static_cast<double>(total.bytes_read),
                 bytes);
        cost_row("bytes", "bytes written", static_cast<double>(so_far.bytes_written),
                 static_cast<double>(total.bytes_written), bytes);
        double ms = 0.0;
        double all_ms = 0.0;
        bool all_known = true;
        for (std::size_t op = 0; op < run.ops(); ++op) {
            const double one = run.milliseconds(op).value_or(0.0);
            all_known = all_known && run.milliseconds(op).has_value();
            if (op < run.done()) ms += one;
            all_ms += one;
        }
        cost_row("time", "time", ms, all_known ? std::optional(all_ms) : std::nullopt,
                 [](double value) { return fmt::format("{:.2f} ms", value); });
        ImGui::EndTable();
    }
    ImGui::PopStyleColor();
    ImGui::TextUnformatted(
        fmt::format("scratch memory: {}", amount_text(static_cast<double>(total.scratch_bytes), "B")).c_str());
    tip_of_term("scratch");
    ImGui::Spacing();
    ImGui::TextWrapped("Times are of single ops on an idle device. A sort without stops is faster.");
}

void draw_help() {
    ImGui::BeginChild("help", {0.0f, 0.0f});
    if (ImGui::BeginTable("keys", 2)) {
        ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed);
        ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
        for (const Shortcut& shortcut : shortcuts()) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::TextColored(colour_of(mark::read), "%s", std::string(shortcut.keys).c_str());
            ImGui::TableNextColumn();
            ImGui::TextWrapped("%s", std::string(shortcut.meaning).c_str());
        }
        ImGui::EndTable();
    }
    ImGui::Separator();
    for (const Term& entry : glossary()) {
        ImGui::TextColored(colour_of(mark::written), "%s", std::string(entry.word).c_str());
        ImGui::SameLine();
        ImGui::TextWrapped("%s (%s)", std::string(entry.meaning).c_str(), std::string(entry.source).c_str());
    }
    ImGui::EndChild();
}

}  // namespace glsort::demo
