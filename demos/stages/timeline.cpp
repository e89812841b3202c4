#include "timeline.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "glossary.h"

namespace glsort::demo {

namespace {

// The program's kernels, in the order of their first op, and the known time of each.
struct KernelShare {
    std::string name;
    std::size_t ops = 0;
    double ms = 0.0;
};

std::vector<KernelShare> kernels_of(const Run& run) {
    std::vector<KernelShare> kernels;
    for (std::size_t i = 0; i < run.ops(); ++i) {
        const std::string& name = run.program().ops[i].kernel->name;
        auto kernel = std::ranges::find(kernels, name, &KernelShare::name);
        if (kernel == kernels.end()) kernel = kernels.insert(kernels.end(), KernelShare{name});
        ++kernel->ops;
        kernel->ms += run.milliseconds(i).value_or(0.0);
    }
    return kernels;
}

std::string milliseconds_text(double ms) {
    if (ms >= 0.1) return fmt::format("{:.2f} ms", ms);
    return fmt::format("{:.{}f} µs", 1e3 * ms, ms < 0.01 ? 1 : 0);
}

std::string tip_of_op(const Run& run, std::size_t op) {
    std::string text = fmt::format("op {}: {}", op, describe(run.program().ops[op]));
    text += run.milliseconds(op) ? "\ntook " + milliseconds_text(*run.milliseconds(op)) : "\nnot run yet";
    return text + "\nclick to go there";
}

// A line of brackets around successive ops with an equal label. A bracket has a text if there is room.
void draw_labels(const Run& run, Canvas& canvas, int Labels::*label, const char* word, float left, float width,
                 float top) {
    const float u = canvas.unit();
    const std::vector<Op>& ops = run.program().ops;
    for (std::size_t begin = 0; begin < ops.size();) {
        std::size_t end = begin + 1;
        while (end < ops.size() && ops[end].labels.*label == ops[begin].labels.*label)
            ++end;
        const float from = left + width * static_cast<float>(begin);
        const float to = left + width * static_cast<float>(end);
        if (ops[begin].labels.*label >= 0 && to - from >= 3.0f * u) {
            canvas.fill({from + 0.5f * u, top}, {to - 0.5f * u, top + canvas.text_height() + 1.0f * u}, {44, 48, 55});
            const std::string number = std::to_string(ops[begin].labels.*label);
            for (const std::string& text : {std::string(word) + " " + number, number}) {
                const float room = to - from - 6.0f * u - canvas.text_width(text);
                if (room < 0.0f) continue;
                canvas.text({from + 3.0f * u + 0.5f * room, top}, text, mark::text);
                break;
            }
        }
        begin = end;
    }
}

bool has_label(const Run& run, int Labels::*label) {
    return std::ranges::any_of(run.program().ops, [label](const Op& op) { return op.labels.*label >= 0; });
}

}  // namespace

std::optional<std::size_t> draw_timeline(const Run& run, Canvas& canvas) {
    const float u = canvas.unit();
    const float line = canvas.text_height();
    const float left = 12.0f * u;
    const float width = (canvas.width() - 2.0f * left) / static_cast<float>(run.ops());
    const std::vector<KernelShare> kernels = kernels_of(run);

    // The meaning of the colours, as far as there is room.
    float x = left;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        std::string text = kernels[i].name;
        if (kernels[i].ops > 1) text += fmt::format(" x{}", kernels[i].ops);
        if (kernels[i].ms > 0.0) text += fmt::format(", {}", milliseconds_text(kernels[i].ms));
        const float room = 14.0f * u + canvas.text_width(text) + 18.0f * u;
        if (x + room > canvas.width()) break;
        canvas.fill({x, 4.0f * u + 0.25f * line}, {x + 10.0f * u, 4.0f * u + 0.75f * line}, distinct_colour(i));
        canvas.text({x + 14.0f * u, 4.0f * u}, text, mark::text);
        x += room;
    }

    std::vector<std::pair<int Labels::*, const char*>> labels;
    for (const auto& [label, word] : {std::pair{&Labels::level, "level"},
                                      {&Labels::stage, "stage"},
                                      {&Labels::phase, "phase"},
                                      {&Labels::step, "step"}})
        if (has_label(run, label)) labels.emplace_back(label, word);
    const float row = line + 3.0f * u;
    // At least half of the height is for times.
    while (labels.size() > 1 && row * static_cast<float>(labels.size()) > 0.5f * (canvas.height() - line))
        labels.pop_back();
    const float base = canvas.height() - row * static_cast<float>(labels.size()) - 6.0f * u;
    const float full = base - line - 10.0f * u;

    double longest = 0.0;
    for (std::size_t i = 0; i < run.ops(); ++i)
        longest = std::max(longest, run.milliseconds(i).value_or(0.0));
    const Point cursor = canvas.cursor();
    std::optional<std::size_t> hovered;
    if (cursor.x >= left && cursor.x < canvas.width() - left && cursor.y >= line && cursor.y < canvas.height())
        hovered = std::min(run.ops() - 1, static_cast<std::size_t>((cursor.x - left) / width));
    for (std::size_t i = 0; i < run.ops(); ++i) {
        const std::string& name = run.program().ops[i].kernel->name;
        const Colour colour = distinct_colour(
            static_cast<std::size_t>(std::ranges::find(kernels, name, &KernelShare::name) - kernels.begin()));
        const float from = left + width * static_cast<float>(i);
        const float gap = width > 4.0f * u ? u : 0.0f;
        const bool done = i < run.done();
        if (const auto ms = run.milliseconds(i)) {
            const float part = static_cast<float>(std::max(0.06, longest > 0.0 ? *ms / longest : 0.0));
            canvas.fill({from, base - full * part}, {from + width - gap, base}, colour, done ? 1.0f : 0.4f);
        } else {
            canvas.fill({from, base - 0.06f * full}, {from + width - gap, base}, colour, 0.25f);
        }
    }
    if (run.done() > 0) {
        const float from = left + width * static_cast<float>(run.done() - 1);
        const float grown = std::max(width, 3.0f * u);
        canvas.outline({from - 1.5f * u, base - full - 2.0f * u}, {from + grown + 0.5f * u, base + 2.0f * u},
                       {255, 255, 255}, 2.0f);
    } else {
        canvas.fill({left - 3.0f * u, base - full}, {left - 1.0f * u, base + 2.0f * u}, {255, 255, 255});
    }
    float top = base + 4.0f * u;
    for (const auto& [label, word] : labels) {
        draw_labels(run, canvas, label, word, left, width, top);
        top += row;
    }
    if (!hovered) return std::nullopt;
    std::string tip = tip_of_op(run, *hovered);
    // Over a label, the tool tip also explains the label.
    const auto label = static_cast<std::ptrdiff_t>((cursor.y - base - 4.0f * u) / row);
    if (cursor.y >= base + 4.0f * u && label < static_cast<std::ptrdiff_t>(labels.size())) {
        const char* word = labels[static_cast<std::size_t>(label)].second;
        tip += fmt::format("\n\n{}: {}", word, tip_text(word));
    }
    canvas.tip({left, line}, {canvas.width() - left, canvas.height()}, tip);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) return *hovered + 1;
    return std::nullopt;
}

}  // namespace glsort::demo
