#include "pane.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "glossary.h"
#include "page.h"

namespace glsort::demo {

namespace {

// Draws a mark and its meaning if there is room. Returns the position of the next mark.
float draw_mark(Canvas& canvas, Point at, Colour colour, std::string_view text) {
    const float u = canvas.unit();
    const float middle = at.y + 0.5f * canvas.text_height();
    const float end = at.x + 20.0f * u + canvas.text_width(text);
    if (end > canvas.width()) return at.x;
    canvas.tip(at, {end, at.y + canvas.text_height()}, tip_text(text));
    canvas.fill({at.x, middle - 4.0f * u}, {at.x + 14.0f * u, middle + 4.0f * u}, colour);
    canvas.text({at.x + 20.0f * u, at.y}, text, mark::text);
    return end + 14.0f * u;
}

struct Mark {
    Colour colour;
    std::string_view text;
};

Mark mark_of(LegendMark legend) {
    switch (legend) {
        case LegendMark::read:
            return {mark::read, "read"};
        case LegendMark::written:
            return {mark::written, "written"};
        case LegendMark::exchanged:
            return {mark::exchanged, "exchanged"};
        case LegendMark::compared:
            return {mark::faint, "compared"};
    }
    return {};
}

void draw_legend(Canvas& canvas, Point at, const std::vector<LegendMark>& marks) {
    const float u = canvas.unit();
    const float middle = at.y + 0.5f * canvas.text_height();
    canvas.text(at, "key: first", mark::text);
    at.x += canvas.text_width("key: first") + 6.0f * u;
    constexpr int steps = 48;
    for (int i = 0; i < steps; ++i)
        canvas.fill({at.x + u * static_cast<float>(i), middle - 4.0f * u},
                    {at.x + u * static_cast<float>(i + 1), middle + 4.0f * u},
                    key_colour(static_cast<float>(i) / (steps - 1)));
    at.x += u * steps + 6.0f * u;
    canvas.text(at, "last", mark::text);
    canvas.tip({0.0f, at.y}, {at.x, at.y + canvas.text_height()}, tip_text("key"));
    at.x += canvas.text_width("last") + 14.0f * u;
    for (const LegendMark legend : marks) {
        const auto [colour, text] = mark_of(legend);
        at.x = draw_mark(canvas, at, colour, text);
    }
}

}  // namespace

std::string title_of(const Run& run) {
    const StreamProgram& program = run.program();
    if (run.input().is_scene())
        return fmt::format(
            "scene of {} source{}, {:.4g}% visible, {}; the program of {}, run in C++; {} {} keys, {}, {}",
            std::max(run.input().sources, 1u), run.input().sources > 1 ? "s" : "", 100 * run.input().visible,
            run.method().algorithm, to_string(program.backend), run.input().n, to_string(program.key),
            distribution_name(run.input().distribution), to_string(program.direction));
    return fmt::format("{}:{} on {}, {}; {} {} keys, {}, {}", program.algorithm, program.variant,
                       to_string(program.backend), to_string(program.layout.kind), program.n, to_string(program.key),
                       distribution_name(run.input().distribution), to_string(program.direction));
}

std::string position_of(const Run& run) {
    // Ops are numbered from 0, as in the printed program.
    const std::size_t last = run.ops() - std::min<std::size_t>(run.ops(), 1);
    if (run.done() == 0) return fmt::format("before op 0 (of 0 to {}): the input", last);
    return fmt::format("op {} (of 0 to {}): {}", run.done() - 1, last, describe(run.program().ops[run.done() - 1]));
}

void draw_pane(const Run& run, const View& view, std::optional<StreamId> chosen, Point origin, Point size,
               const Gui& gui, Images& images) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float u = gui.scale();
    const float margin = 12.0f * u;
    const float line = ImGui::GetFontSize();
    const float foot = line + 14.0f * u;
    Moment moment = run.moment();
    moment.chosen = chosen;
    float head = 0.0f;
    {
        Canvas canvas(list, origin, size, u, gui.fixed_width(), images);
        canvas.text({margin, 6.0f * u}, canvas.fitted(title_of(run), size.x - 2.0f * margin), mark::faint);
        canvas.text({margin, 8.0f * u + line}, canvas.fitted(position_of(run), size.x - 2.0f * margin), mark::text);
        head = draw_paragraph(canvas, 10.0f * u + 2.0f * line, view.caption(), mark::faint) + 4.0f * u;
        draw_legend(canvas, {margin, size.y - foot + 4.0f * u}, view.marks(moment));
    }
    Canvas canvas(list, {origin.x, origin.y + head}, {size.x, size.y - head - foot}, u, gui.fixed_width(), images);
    images.set_owner(&view);
    view.draw(moment, canvas);
}

}  // namespace glsort::demo
