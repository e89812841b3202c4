#include "pane.h"

#include <fmt/format.h>
#include <imgui.h>

#include <string_view>

#include "glossary.h"

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
    return end + 22.0f * u;
}

void draw_legend(Canvas& canvas, Point at) {
    const float u = canvas.unit();
    const float middle = at.y + 0.5f * canvas.text_height();
    canvas.text(at, "key: first", mark::text);
    at.x += canvas.text_width("key: first") + 6.0f * u;
    constexpr int steps = 48;
    for (int i = 0; i < steps; ++i)
        canvas.fill({at.x + 2.0f * u * static_cast<float>(i), middle - 4.0f * u},
                    {at.x + 2.0f * u * static_cast<float>(i + 1), middle + 4.0f * u},
                    key_colour(static_cast<float>(i) / (steps - 1)));
    at.x += 2.0f * u * steps + 6.0f * u;
    canvas.text(at, "last", mark::text);
    canvas.tip({0.0f, at.y}, {at.x, at.y + canvas.text_height()}, tip_text("key"));
    at.x += canvas.text_width("last") + 22.0f * u;
    at.x = draw_mark(canvas, at, mark::read, "read");
    at.x = draw_mark(canvas, at, mark::written, "written");
    at.x = draw_mark(canvas, at, mark::exchanged, "changed places");
    draw_mark(canvas, at, mark::faint, "compared");
}

}  // namespace

std::string title_of(const Run& run) {
    const StreamProgram& program = run.program();
    return fmt::format("{}:{} on {}, {}; {} {} keys, {}, {}", program.algorithm, program.variant,
                       to_string(program.backend), to_string(program.layout.kind), program.n, to_string(program.key),
                       distribution_name(run.input().distribution), to_string(program.direction));
}

std::string position_of(const Run& run) {
    if (run.done() == 0) return fmt::format("before op 0 of {}: the input", run.ops());
    return fmt::format("op {} of {}: {}", run.done() - 1, run.ops(), describe(run.program().ops[run.done() - 1]));
}

void draw_pane(const Run& run, const View& view, std::optional<StreamId> chosen, Point origin, Point size,
               const Gui& gui, Images& images) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float u = gui.scale();
    const float margin = 12.0f * u;
    const float line = ImGui::GetFontSize();
    const float head = 2.0f * line + 16.0f * u;
    const float foot = line + 14.0f * u;
    {
        Canvas canvas(list, origin, size, u, gui.fixed_width(), images);
        canvas.text({margin, 6.0f * u}, canvas.fitted(title_of(run), size.x - 2.0f * margin), mark::faint);
        canvas.text({margin, 8.0f * u + line}, canvas.fitted(position_of(run), size.x - 2.0f * margin), mark::text);
        draw_legend(canvas, {margin, size.y - foot + 4.0f * u});
    }
    Canvas canvas(list, {origin.x, origin.y + head}, {size.x, size.y - head - foot}, u, gui.fixed_width(), images);
    images.set_owner(&view);
    Moment moment = run.moment();
    moment.chosen = chosen;
    view.draw(moment, canvas);
}

}  // namespace glsort::demo
