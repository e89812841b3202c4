#include "network_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "canvas.h"
#include "network.h"
#include "page.h"
#include "places.h"
#include "shown_network.h"
#include "strip.h"

namespace glsort::demo {
namespace {

constexpr std::uint32_t max_shown_wires = 64;

/// Positions on the canvas.
struct NetworkFrame {
    float left, right, top, bottom;
    float pitch;                 ///< Distance between wires.
    float lane;                  ///< Distance between comparators.
    std::vector<float> columns;  ///< The start of each column, and the end of the last.

    float y(std::size_t row) const { return top + pitch * (static_cast<float>(row) + 0.5f); }
};

class NetworkDrawing {
  public:
    NetworkDrawing(const Moment& moment, Canvas& canvas)
        : moment_(moment), canvas_(canvas), unit_(canvas.unit()), network_(*moment.program) {
        const float line = canvas.text_height();
        frame_.left = canvas.text_width(fmt::format("{}", moment.program->n)) + 4 * gap();
        frame_.right = canvas.width() - frame_.left;
        frame_.top = 4 * line + 2 * gap();
        frame_.bottom = canvas.height() - 2 * line - 2 * gap();
        const float height = std::max(frame_.bottom - frame_.top, line);
        const float width = std::max(frame_.right - frame_.left, line);
        // If not all wires are shown, each wire has its number beside it.
        const auto rows = static_cast<std::uint32_t>(std::max(height / line, 2.0f));
        const std::uint32_t wires =
            moment.program->n <= max_shown_wires ? max_shown_wires : std::min(rows, max_shown_wires);
        shown_ = shown_network(network_, moment, wires, static_cast<std::uint32_t>(width / (4 * unit_)));
        const NetworkPart& part = shown_.part;
        frame_.pitch = std::min(height / static_cast<float>(std::max<std::size_t>(part.wires.size(), 1)), 64 * unit_);
        std::uint32_t lanes = 0;
        for (std::size_t i = begin(); i < end(); ++i)
            lanes += part.columns[i].width + 1;
        frame_.lane = std::min(width / static_cast<float>(lanes + 1), 64 * unit_);
        float x = frame_.left + frame_.lane / 2;
        frame_.columns.resize(part.columns.size() + 1, x);
        for (std::size_t i = begin(); i < end(); ++i) {
            x += frame_.lane * static_cast<float>(part.columns[i].width + 1);
            frame_.columns[i + 1] = x;
        }
        frame_.right = x + frame_.lane / 2;
        frame_.bottom = frame_.y(part.wires.size()) - frame_.pitch / 2;
    }

    void draw() {
        if (shown_.part.columns.empty()) {
            canvas_.text({margin(), gap()}, "One element: there is nothing to compare.", mark::text);
            return;
        }
        draw_summary();
        draw_lit();
        draw_stages();
        draw_wires();
        for (std::size_t i = begin(); i < end(); ++i)
            draw_comparators(i);
        draw_legend();
    }

  private:
    // The range of the part's columns that is drawn.
    std::size_t begin() const { return shown_.part.shown.begin; }
    std::size_t end() const { return shown_.part.shown.end; }
    float margin() const { return 12 * unit_; }
    float gap() const { return 6 * unit_; }
    bool is_lit(std::size_t column) const { return shown_.lit.contains(column); }

    Colour colour_of(const std::optional<std::uint32_t>& place) const {
        return place ? place_colour(*place, moment_.places->count()) : mark::faint;
    }

    void draw_summary() {
        const NetworkPart& part = shown_.part;
        std::size_t compared = 0;
        std::size_t exchanged = 0;
        bool all_known = true;
        for (std::size_t i = 0; i < part.columns.size(); ++i) {
            if (!is_lit(part.columns[i].number)) continue;
            for (const Comparator& comparator : part.columns[i].comparators) {
                const std::optional<bool> exchanges = shown_.has_exchanged(i, comparator);
                all_known = all_known && exchanges;
                ++compared;
                if (exchanges && *exchanges) ++exchanged;
            }
        }
        const Op* op = moment_.last_op();
        std::string text = "No step has run yet: the wires carry the input of the network.";
        if (op != nullptr && compared == 0)
            text = "This op is not part of the network.";
        else if (op != nullptr && all_known)
            text = fmt::format("{} of {} comparators{} exchanged their keys.", exchanged, compared,
                               part.wires.size() < network_.wires() ? " here" : "");
        else if (op != nullptr)
            text = fmt::format("{} steps in one op. The keys between these steps are only in shared memory.",
                               shown_.lit.end - shown_.lit.begin);
        canvas_.text({margin(), gap()}, text, mark::text);
        const bool all_wires = part.wires.size() == network_.wires();
        text.clear();
        if (!all_wires) text = fmt::format("{} of {} wires", part.wires.size(), network_.wires());
        if (end() - begin() == 1 && network_.columns() > 1)
            text += fmt::format("{} {} of {}", all_wires ? "Column" : ", column", part.columns[begin()].number + 1,
                                network_.columns());
        else if (end() - begin() < network_.columns())
            text +=
                fmt::format("{} {} to {} of {}", all_wires ? "Columns" : ", columns", part.columns[begin()].number + 1,
                            part.columns[end() - 1].number + 1, network_.columns());
        if (!all_wires) text += ": no comparator leaves them.";
        if (std::ranges::any_of(shown_.places[begin()], [](const auto& place) { return !place; }))
            text += " Grey: unknown keys.";
        canvas_.text({margin(), gap() + canvas_.text_height()}, text, mark::faint);
    }

    void draw_lit() {
        for (std::size_t i = begin(); i < end(); ++i) {
            if (!is_lit(shown_.part.columns[i].number)) continue;
            canvas_.fill({frame_.columns[i] - frame_.lane / 2, frame_.top - canvas_.text_height()},
                         {frame_.columns[i + 1] - frame_.lane / 2, frame_.bottom}, mark::written, 0.22f);
        }
    }

    /// The stages over their columns, and the steps if there is room for all.
    void draw_stages() {
        const std::vector<NetworkPart::Column>& columns = shown_.part.columns;
        const float line = canvas_.text_height();
        const float y = frame_.top - 2 * line - gap() / 2;
        bool steps_fit = true;
        for (std::size_t i = begin(); i < end(); ++i)
            steps_fit = steps_fit &&
                        canvas_.text_width(fmt::format("{}", network_.labels(columns[i].number).step)) + 2 * unit_ <
                            frame_.columns[i + 1] - frame_.columns[i];
        for (std::size_t first = begin(); first < end();) {
            const int stage = network_.labels(columns[first].number).stage;
            std::size_t last = first;
            while (last < end() && network_.labels(columns[last].number).stage == stage)
                ++last;
            const float from = frame_.columns[first] - frame_.lane / 2;
            const float to = frame_.columns[last] - frame_.lane / 2;
            std::string name = fmt::format("stage {}", stage);
            if (canvas_.text_width(name) + 2 * unit_ > to - from) name = fmt::format("{}", stage);
            canvas_.text({(from + to - canvas_.text_width(name)) / 2, y}, name, mark::text);
            canvas_.line({from + 2 * unit_, y + line}, {to - 2 * unit_, y + line}, mark::faint);
            first = last;
        }
        for (std::size_t i = begin(); i < end(); ++i) {
            const Labels& labels = network_.labels(columns[i].number);
            const float from = frame_.columns[i] - frame_.lane / 2;
            const float to = frame_.columns[i + 1] - frame_.lane / 2;
            const std::string name = fmt::format("{}", labels.step);
            if (steps_fit)
                canvas_.text({(from + to - canvas_.text_width(name)) / 2, y + line + unit_}, name, mark::faint);
            canvas_.tip(
                {from, y}, {to, frame_.bottom},
                fmt::format("Stage {}, step {}: column {} of {}. Its comparators touch different wires, so they "
                            "all run in parallel.",
                            labels.stage, labels.step, columns[i].number + 1, network_.columns()));
        }
        canvas_.text({margin(), y + line + unit_}, steps_fit ? "step" : "", mark::faint);
    }

    /// Each piece of a wire in the colour of its key. Thin if no key has come yet, or the key is unknown.
    void draw_wires() {
        const NetworkPart& part = shown_.part;
        const float line = canvas_.text_height();
        const auto every = static_cast<std::size_t>(line / frame_.pitch) + 1;
        // A key changes its wire at its comparator.
        std::vector<float> from(part.wires.size(), frame_.left - gap());
        for (std::size_t i = begin(); i < end(); ++i) {
            const NetworkPart::Column& column = part.columns[i];
            for (std::size_t c = 0; c < column.comparators.size(); ++c)
                for (const std::uint32_t wire : {column.comparators[c].smaller, column.comparators[c].larger})
                    from[part.row_of(wire)] = draw_wire(part.row_of(wire), i, from[part.row_of(wire)], lane_x(i, c));
        }
        for (std::size_t row = 0; row < part.wires.size(); ++row) {
            draw_wire(row, end(), from[row], frame_.right);
            if (row % every != 0) continue;
            const float y = frame_.y(row);
            const std::string number = fmt::format("{}", part.wires[row]);
            canvas_.text({frame_.left - 2 * gap() - canvas_.text_width(number), y - line / 2}, number, mark::faint);
            if (const auto& place = shown_.places.back()[row])
                canvas_.text({frame_.right + gap(), y - line / 2}, fmt::format("{}", *place), mark::text);
        }
        const Point heading{frame_.right + gap(), frame_.top - line - gap() / 2};
        canvas_.text(heading, "key", mark::faint);
        canvas_.tip(heading, {canvas_.width(), frame_.bottom},
                    "The place in the sorted order of the wire's current key, from 0.");
    }

    /// Draws the piece of a wire that leads to column `column`, or out of the last column. Returns its end.
    float draw_wire(std::size_t row, std::size_t column, float from, float to) {
        const NetworkPart& part = shown_.part;
        const std::optional<std::uint32_t>& place = shown_.places[column][row];
        const bool came = column == 0 || part.columns[column - 1].number < shown_.ran;
        const float thick = std::clamp(frame_.pitch / unit_ / 4, 1.0f, 4.0f);
        canvas_.line({from, frame_.y(row)}, {to, frame_.y(row)}, colour_of(place), came && place ? thick : 0.7f);
        return to;
    }

    /// The position of comparator `c` of a shown column.
    float lane_x(std::size_t column, std::size_t c) const {
        return frame_.columns[column] + frame_.lane * static_cast<float>(shown_.part.columns[column].lanes[c]);
    }

    void draw_comparators(std::size_t i) {
        const NetworkPart::Column& column = shown_.part.columns[i];
        const float radius = std::clamp(0.3f * frame_.pitch, 1.5f * unit_, 6 * unit_);
        for (std::size_t c = 0; c < column.comparators.size(); ++c) {
            const Comparator& comparator = column.comparators[c];
            const float x = lane_x(i, c);
            const Point smaller{x, frame_.y(shown_.part.row_of(comparator.smaller))};
            const Point larger{x, frame_.y(shown_.part.row_of(comparator.larger))};
            const bool lit = is_lit(column.number);
            const std::optional<bool> exchanged = lit ? shown_.has_exchanged(i, comparator) : std::nullopt;
            const Colour colour = !exchanged ? mark::faint : *exchanged ? mark::exchanged : mark::text;
            const float thickness = lit ? 1.8f : column.number < shown_.ran ? 1.2f : 0.8f;
            canvas_.line(smaller, larger, colour, thickness);
            canvas_.disc(smaller, radius / 3, colour);
            canvas_.disc(larger, radius, colour);
        }
    }

    void draw_legend() {
        LegendLine legend(canvas_);
        const auto entry = [&](Colour colour, const char* text) {
            legend.add(text, [&](Point middle) {
                const float half = canvas_.text_height() / 3;
                canvas_.line({middle.x, middle.y - half}, {middle.x, middle.y + half}, colour, 1.8f);
                canvas_.disc({middle.x, middle.y + half}, 3 * unit_, colour);
            });
        };
        const bool ascending = moment_.program->direction == Direction::ascending;
        entry(mark::faint, ascending ? "larger key goes to the disc" : "smaller key goes to the disc");
        entry(mark::exchanged, "exchanged by the last op");
        entry(mark::text, "were in order");
    }

    const Moment& moment_;
    Canvas& canvas_;
    float unit_;
    Network network_;
    ShownNetwork shown_;
    NetworkFrame frame_{};
};

}  // namespace

std::string NetworkView::explanation() const {
    return "A wire for each element, and a vertical line for each comparator. A comparator puts the key that is later "
           "in the sorted order on the wire with the disc, and the other key on the other wire. The network does not "
           "depend on the keys (Batcher 1968; GPU-ABiSort, section 2.2).";
}

std::string NetworkView::caption() const {
    return "Down: wires. Across: steps in time. Colour: places in sorted order.";
}

bool NetworkView::fits(const StreamProgram& program) const {
    return Network::is_run_by(program);
}

void NetworkView::draw(const Moment& moment, Canvas& canvas) const {
    NetworkDrawing(moment, canvas).draw();
}

}  // namespace glsort::demo
