#include "merge_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "canvas.h"
#include "elements.h"
#include "glossary.h"
#include "merge_grid.h"
#include "merge_path.h"
#include "op_picture.h"
#include "op_records.h"
#include "page.h"
#include "places.h"
#include "strip.h"

namespace glsort::demo {
namespace {

bool merges(const Op& op) {
    return merge_of(op).has_value();
}

/// A sentence that says what an op of a merge does.
std::string merge_sentence(const Op& op, const Merge& merge) {
    if (writes(op, PortRole::splits))
        return fmt::format(
            "Finds, for each window of {} places of the merged sequence, how many elements of each run come before the "
            "window",
            merge.window);
    if (writes(op, PortRole::sources))
        return "Two instances per window merge its keys, from its start upwards and from its end downwards, to find "
               "each place's run";
    if (op.kernel->group_size > 1)
        return "For each window, a group of invocations merges the window's part of each run, in shared memory";
    return "Each place of the merged sequence fetches its element from the run that an earlier op found";
}

/// A merge at a moment: what is known by now, and what the last op has added.
class MergePicture {
  public:
    MergePicture(const Moment& moment, Canvas& canvas, const Op& op, const Merge& merge)
        : moment_(moment), canvas_(canvas), op_(op), merge_(merge), unit_(canvas.unit()) {}

    void draw() {
        const std::string groups = merge_.groups() > 1 ? fmt::format(", in {} groups at once", merge_.groups()) : "";
        float top = draw_paragraph(
            canvas_, 0,
            fmt::format("{}: {} runs of {} become one{}", op_.kernel->name, merge_.runs, merge_.length, groups),
            mark::text);
        top = draw_paragraph(canvas_, top, merge_sentence(op_, merge_), mark::faint) + 2 * unit_;
        group_ = static_cast<std::uint32_t>(
            draw_choice(canvas_, left_edge(canvas_), top, parts_of(merge_.length * merge_.runs, merge_.count), "group",
                        key_bars(moment_.places->count(), [this](std::uint32_t element) { return place(element); })));
        group_elements_ = merge_.group(group_);
        find_starts();
        const float bottom = draw_legend(canvas_, legend()) - 8 * unit_;
        float right = right_edge(canvas_);
        if (canvas_.width() > 560 * unit_) {
            const float part = merge_.runs == 2 ? 0.5f : 0.4f;
            const float side = std::min(bottom - top, part * canvas_.width()) - 5 * unit_;
            right -= side + 25 * unit_;
            draw_grid({right + 20 * unit_, top}, {right + 20 * unit_ + side, top + side});
        }
        draw_runs(top, right, bottom);
    }

  private:
    /// The start of a window: in the merged sequence, and in each run.
    struct WindowStart {
        std::uint32_t number;
        std::uint32_t place;
        std::vector<std::uint32_t> split;
    };

    std::optional<StreamId> stream_of(PortRole role) const {
        const auto written = stream_written(op_, role);
        return written ? written : stream_read(op_, role);
    }
    std::optional<StreamId> sources() const { return stream_of(PortRole::sources); }
    bool finds(PortRole role) const { return writes(op_, role); }
    bool moves() const { return !finds(PortRole::splits) && !finds(PortRole::sources); }
    /// The colour of the splits: that of written records if the op has just found the splits, otherwise that of read
    /// records.
    Colour splits_colour() const { return finds(PortRole::splits) ? mark::written : mark::read; }

    std::optional<std::uint32_t> place(std::uint32_t element) const {
        return place_of(moment_, merge_.records, words_before(moment_, merge_.records), element);
    }
    BarOf cells() const {
        return key_cells(moment_.places->count(), [this](std::uint32_t element) { return place(element); });
    }

    /// Finds the starts of windows, or of some windows if there are many, and the end of the last.
    void find_starts() {
        const std::optional<StreamId> stream = stream_of(PortRole::splits);
        if (!stream) return;
        const Stream& splits = moment_.program->streams[*stream];
        const auto add = [&](std::uint32_t window) {
            const std::uint32_t place = merge_.window_begin(group_, window);
            starts_.push_back({window, place,
                               split_at(merge_, group_, place, (*moment_.streams)[*stream],
                                        splits.words * splits.elements_per_record)});
        };
        constexpr std::uint32_t max_marked = 16;
        const std::uint32_t windows = merge_.windows(group_);
        for (std::uint32_t window = 0; window < windows; window += records_for(windows, max_marked))
            add(window);
        add(windows);
    }

    void draw_runs(float top, float right, float bottom) {
        const float line = line_height(canvas_);
        const float left = left_edge(canvas_) + canvas_.text_width("merged") + 10 * unit_;
        const bool roll = sources().has_value();
        const float middle = top + (roll ? 0.62f : 0.8f) * (bottom - top);
        const float row = (middle - top) / static_cast<float>(merge_.runs);
        std::vector<Strip> strips;
        for (std::uint32_t i = 0; i < merge_.runs; ++i) {
            const Block run = merge_.run(group_, i);
            const float part = static_cast<float>(run.end - run.begin) / static_cast<float>(merge_.length);
            const float y = top + static_cast<float>(i) * row;
            strips.push_back(
                {{left, y}, {left + part * (right - left), y + 0.6f * row}, run.begin, run.end - run.begin});
            draw_strip(canvas_, strips.back(), cells());
            if (row > canvas_.text_height())
                canvas_.text({left_edge(canvas_), y + 0.3f * row - canvas_.text_height() / 2},
                             fmt::format("run {}", i + 1), mark::text);
        }
        const Strip merged{{left, bottom - line - 24 * unit_},
                           {right, bottom - line},
                           group_elements_.begin,
                           group_elements_.end - group_elements_.begin};
        const float roll_top = middle + 0.1f * (bottom - middle);
        if (roll) draw_roll(merged, roll_top, merged.from.y - 4 * unit_);
        draw_merged(merged);
        const float joint = roll ? roll_top : merged.from.y;
        for (const WindowStart& window : starts_) {
            Point from{};
            for (std::uint32_t i = 0; i < merge_.runs; ++i) {
                const Strip& strip = strips[i];
                if (strip.count == 0) continue;
                const float x = strip.x(strip.first + window.split[i]);
                if (from.y > 0) canvas_.line(from, {x, strip.from.y}, splits_colour());
                // A dark border, so that the line can be seen on keys of any colour.
                canvas_.line({x, strip.from.y}, {x, strip.to.y}, {0, 0, 0}, 5);
                canvas_.line({x, strip.from.y}, {x, strip.to.y}, splits_colour(), 2);
                from = {x, strip.to.y};
            }
            const float x = merged.x(window.place);
            canvas_.line(from, {x, joint}, splits_colour());
            canvas_.line({x, merged.from.y - 3 * unit_}, {x, merged.to.y + 3 * unit_}, splits_colour(), 2);
        }
        canvas_.text({left_edge(canvas_), merged.from.y + (24 * unit_ - canvas_.text_height()) / 2}, "merged",
                     mark::text);
        draw_directions(merged);
        canvas_.tip({left, top}, {right, middle}, tip_text("run"));
        canvas_.tip({left, merged.from.y}, {right, bottom}, tip_text("window"));
    }

    /// Which run each place of the merged sequence takes its element from.
    void draw_roll(const Strip& merged, float top, float bottom) {
        const Stream& stream = moment_.program->streams[*sources()];
        const std::vector<std::uint32_t>& words = (*moment_.streams)[*sources()];
        const float row = (bottom - top) / static_cast<float>(merge_.runs);
        const Colour colour = finds(PortRole::sources) ? mark::written : mark::read;
        for (std::uint32_t i = 0; i < merge_.runs; ++i) {
            const float y = top + static_cast<float>(i) * row;
            const Strip strip{
                {merged.from.x, y}, {merged.to.x, y + std::max(row - unit_, unit_)}, merged.first, merged.count};
            draw_strip(canvas_, strip, [&](std::uint32_t element) -> std::optional<Bar> {
                if (source_run(merge_, element, words, stream.words * stream.elements_per_record) != i)
                    return std::nullopt;
                return Bar{1.0f, colour};
            });
        }
        canvas_.text({left_edge(canvas_), (top + bottom - canvas_.text_height()) / 2}, "from run", mark::text);
        canvas_.tip({merged.from.x, top}, {merged.to.x, bottom},
                    "A row for each run: the places of the merged sequence that take their elements from this run");
    }

    void draw_merged(const Strip& merged) {
        const auto records = OpRecords::of(moment_);
        draw_strip(canvas_, merged, key_cells(moment_.places->count(), [&](std::uint32_t element) {
                       return moves() ? records->place_written(element) : std::nullopt;
                   }));
        if (moves()) canvas_.outline(merged.from, merged.to, mark::written, 2);
    }

    /// The places at which instances begin, and their directions.
    void draw_directions(const Strip& merged) {
        const float y = merged.to.y + 9 * unit_;
        const bool halves = finds(PortRole::sources);
        for (std::uint32_t window = 0; window < merge_.windows(group_); ++window) {
            const float begin = merged.x(merge_.window_begin(group_, window)) + 2 * unit_;
            const float end = merged.x(merge_.window_begin(group_, window + 1)) - 2 * unit_;
            if (end - begin < 24 * unit_) return;
            const float middle = (begin + end) / 2;
            if (halves) {
                canvas_.arrow({begin, y}, {middle - 2 * unit_, y}, mark::text);
                canvas_.arrow({end, y}, {middle + 2 * unit_, y}, mark::text);
            } else {
                const std::string text = fmt::format("{}", window + 1);
                canvas_.text({middle - canvas_.text_width(text) / 2, merged.to.y + 3 * unit_}, text, mark::faint);
            }
        }
    }

    /// The merge path of the group's first two runs.
    void draw_grid(Point from, Point to) {
        MergeGrid grid{.n = moment_.places->count(),
                       .a = merge_.run(group_, 0),
                       .b = merge_.run(group_, 1),
                       .place_of = [this](std::uint32_t element) { return place(element); },
                       .starts = {},
                       .colour = splits_colour()};
        for (const WindowStart& window : starts_) {
            const bool last = window.number == merge_.windows(group_);
            grid.starts.push_back(
                {{window.split[0], window.split[1]}, last ? "" : fmt::format("{}", window.number + 1)});
        }
        draw_merge_grid(canvas_, from, to, grid);
    }

    std::vector<LegendEntry> legend() const {
        const std::uint32_t windows = merge_.windows(group_);
        const std::string some =
            starts_.size() <= windows ? fmt::format(" ({} of {} shown)", starts_.size() - 1, windows) : "";
        std::vector<LegendEntry> entries{{splits_colour(), fmt::format("where windows begin{}, {} by this op", some,
                                                                       finds(PortRole::splits) ? "found" : "read")}};
        if (finds(PortRole::sources)) entries.push_back({mark::written, "the run of each place, found by this op"});
        if (moves()) entries.push_back({mark::written, "written by this op"});
        return entries;
    }

    const Moment& moment_;
    Canvas& canvas_;
    const Op& op_;
    const Merge& merge_;
    float unit_;
    std::uint32_t group_ = 0;
    Block group_elements_;
    std::vector<WindowStart> starts_;
};

/// Runs as they were read, and sorted.
void draw_sorted_runs(const Moment& moment, Canvas& canvas, std::uint32_t run) {
    // Some runs are enough to show what happens to each.
    constexpr std::uint32_t max_shown = 256;
    const OpRecords records = OpRecords::of(moment).value();
    float top = draw_paragraph(
        canvas, 0,
        fmt::format("{}: each {} neighbouring elements become a sorted run", moment.last_op()->kernel->name, run),
        mark::text);
    const std::vector<std::uint32_t> parts = parts_of(std::max(max_shown / run, 1u) * run, records.written());
    const std::size_t part = draw_choice(
        canvas, left_edge(canvas), top, parts, "part",
        key_bars(moment.places->count(), [&](std::uint32_t element) { return records.place_written(element); }));
    const std::vector<std::uint32_t> starts = multiples(run, records.written());
    draw_before_and_after(canvas, {left_edge(canvas), top}, {right_edge(canvas), canvas.height()}, moment, records,
                          {parts[part], parts[part + 1]}, starts, starts);
}

}  // namespace

std::string MergeView::explanation() const {
    return "Sorted runs are merged, with many windows in parallel. In each run a window begins where the merge "
           "path crosses the window's diagonal (Odeh, Green, Mwassi, Shmueli and Birk 2012, section 2).";
}

std::string MergeView::caption() const {
    return "Across: elements of a run. Colour: places in sorted order.";
}

bool MergeView::fits(const StreamProgram& program) const {
    if (std::ranges::any_of(program.ops, merges)) return true;
    // A few elements are a single run. Runs of another algorithm are shown by the view of that algorithm.
    return std::ranges::all_of(
        program.ops, [](const Op& op) { return sorted_run_of(op) || op.kernel->transfer || op.kernel->shape.copies; });
}

void MergeView::draw(const Moment& moment, Canvas& canvas) const {
    const Op* op = moment.last_op();
    if (op == nullptr) return draw_any_op(canvas, moment);
    if (const auto merge = merge_of(*op)) return MergePicture(moment, canvas, *op, *merge).draw();
    if (const auto run = sorted_run_of(*op)) return draw_sorted_runs(moment, canvas, *run);
    draw_any_op(canvas, moment);
}

}  // namespace glsort::demo
