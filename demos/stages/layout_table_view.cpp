#include "layout_table_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glsort/plan/abisort/layout_table.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "bitonic_trees.h"
#include "canvas.h"
#include "elements.h"
#include "op_records.h"
#include "page.h"

namespace glsort::demo {
namespace {

/// The lines of the sort's current level, and how many of them have run.
struct LevelTable {
    std::vector<LayoutLine> lines;
    std::size_t ran = 0;
    int level = 0;
    std::uint32_t records = 1;  ///< Records of the output stream.
};

LevelTable level_table_of(const Moment& moment) {
    const StreamProgram& program = *moment.program;
    std::vector<LayoutLine> lines = layout_lines(program);
    std::size_t ran = 0;
    while (ran < lines.size() && lines[ran].op < moment.done)
        ++ran;
    LevelTable table;
    const auto level_of = [&](const LayoutLine& line) { return program.ops[line.op].labels.level; };
    table.level = level_of(lines[ran == 0 ? 0 : ran - 1]);
    table.records = (program.n + 1) / 2;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        table.records = std::max(table.records, program.ops[lines[i].op].domain.end());
        if (level_of(lines[i]) != table.level) continue;
        if (i < ran) ++table.ran;
        table.lines.push_back(std::move(lines[i]));
    }
    return table;
}

class TableDrawing {
  public:
    TableDrawing(const Moment& moment, Canvas& canvas)
        : moment_(moment), canvas_(canvas), unit_(canvas.unit()), table_(level_table_of(moment)) {
        const float line = canvas.text_height();
        steps_ = op_of(table_.lines.front()).labels.step >= 0;
        left_ = 5 * gap() + canvas.text_width("stage") + canvas.text_width("stages 00,00");
        cell_ = std::min((canvas.width() - left_ - 2 * gap()) / static_cast<float>(table_.records), 96 * unit_);
        top_ = 4 * line + gap();
        const float bottom = canvas.height() - 4.5f * line - 2 * gap();
        // If there is no room for all lines, shows the lines around the last line that ran.
        const auto room = static_cast<std::size_t>(std::max((bottom - top_) / (1.25f * line), 1.0f));
        count_ = std::min(table_.lines.size(), room);
        first_ = std::min(table_.ran - std::min(table_.ran, count_ / 2 + 1), table_.lines.size() - count_);
        row_ = std::min((bottom - top_) / static_cast<float>(count_), 2.4f * line);
    }

    void draw() {
        draw_summary();
        draw_head();
        for (std::size_t i = first_; i < first_ + count_; ++i)
            draw_line(i);
        if (table_.ran > 0) draw_keys();
        draw_legend();
    }

  private:
    float margin() const { return 12 * unit_; }
    float gap() const { return 6 * unit_; }
    const Op& op_of(const LayoutLine& line) const { return moment_.program->ops[line.op]; }
    /// The left edge of a record's cell. If cells are too small for text, the scale is logarithmic. Then two blocks are
    /// equally wide if one is twice as long and begins twice as far.
    float x_of(std::uint32_t record) const {
        if (cells_have_text()) return left_ + cell_ * static_cast<float>(record);
        const auto shortest = static_cast<float>(trees());
        const auto log = [&](std::uint32_t records) { return std::log2(1 + static_cast<float>(records) / shortest); };
        return left_ + cell_ * static_cast<float>(table_.records) * log(record) / log(table_.records);
    }
    std::uint32_t trees() const { return ((moment_.program->n - 1) >> table_.level) + 1; }
    float y_of(std::size_t line) const { return top_ + row_ * static_cast<float>(line - first_); }
    float stages_x() const { return 4 * gap() + canvas_.text_width("stage"); }
    bool is_last(std::size_t line) const { return line + 1 == table_.ran; }

    void draw_summary() {
        canvas_.text({margin(), gap()},
                     fmt::format("Level {}: {} {} of {} nodes. Tree levels of the node pairs in the output stream",
                                 table_.level, trees(), trees() == 1 ? "tree" : "trees", 1u << table_.level),
                     mark::text);
        std::string text = fmt::format("{} of {} ops have run.", table_.ran, table_.lines.size());
        if (count_ < table_.lines.size()) text += fmt::format(" Lines {} to {}.", first_ + 1, first_ + count_);
        if (!cells_have_text()) text += " Records on a logarithmic scale, with a block for each phase.";
        canvas_.text({margin(), gap() + canvas_.text_height()}, text, mark::faint);
    }

    bool cells_have_text() const { return canvas_.text_width("00") + 2 * unit_ < cell_; }

    void draw_head() {
        const float line = canvas_.text_height();
        const float y = top_ - line - 2 * unit_;
        canvas_.text({margin(), y}, steps_ ? "step" : "stage", mark::faint);
        canvas_.text({stages_x(), y}, steps_ ? "stages" : "phase", mark::faint);
        // Record numbers, as many as there is room for.
        const float width = canvas_.text_width(fmt::format("{}", table_.records)) + gap();
        float free = left_;
        for (std::uint32_t record = 0; record < table_.records;) {
            const std::string number = fmt::format("{}", record);
            const float cell = cells_have_text() ? cell_ : 0;
            if (const float x = x_of(record) + std::max(cell - canvas_.text_width(number), 0.0f) / 2; x >= free) {
                canvas_.text({x, y}, number, mark::faint);
                free = x + width;
            }
            record = cells_have_text() ? record + 1 : std::max(2 * record, trees());
        }
    }

    void draw_line(std::size_t i) {
        const LayoutLine& line = table_.lines[i];
        const Op& op = op_of(line);
        const float y = y_of(i);
        if (is_last(i)) canvas_.fill({0, y}, {canvas_.width(), y + row_}, mark::written, 0.22f);
        const Colour colour = is_last(i) ? mark::text : mark::faint;
        const float middle = y + (row_ - canvas_.text_height()) / 2;
        std::vector<int> stages;
        for (const BlockDetail& block : op.blocks)
            stages.push_back(block.labels.stage);
        std::ranges::sort(stages);
        std::string list = fmt::format("{}", fmt::join(stages, ","));
        if (canvas_.text_width(list) > left_ - stages_x() - gap())
            list = fmt::format("{} to {}", stages.front(), stages.back());
        canvas_.text({margin(), middle}, steps_ ? fmt::format("{}", op.labels.step) : list, colour);
        canvas_.text({stages_x(), middle}, steps_ ? list : fmt::format("{}", op.labels.phase), colour);
        if (i >= table_.ran) return;
        for (const LayoutBlock& block : line.blocks)
            draw_block(block, y);
    }

    void draw_block(const LayoutBlock& block, float y) {
        const float top = y + unit_;
        const float bottom = y + row_ - unit_;
        const Point from{x_of(block.records.begin), top};
        const Point to{x_of(block.records.end), bottom};
        const Labels& labels = block.labels;
        const std::string text = labels.phase == 0 && labels.stage > 0 ? fmt::format("0-{}s", labels.stage)
                                                                       : text_of(block, block.records.begin);
        if (!cells_have_text()) {
            canvas_.fill(from, {std::max(to.x - unit_, from.x + unit_), bottom}, colour_of(block), opacity_of(block));
            if (canvas_.text_width(text) + 2 * unit_ < to.x - from.x) draw_text(text, (from.x + to.x) / 2, y, block);
        } else {
            for (std::uint32_t record = block.records.begin; record < block.records.end; ++record) {
                canvas_.fill({x_of(record) + 0.5f * unit_, top}, {x_of(record + 1) - 0.5f * unit_, bottom},
                             colour_of(block), opacity_of(block));
                if (is_of_odd_tree(block, record))
                    canvas_.fill({x_of(record) + 0.5f * unit_, bottom - 3 * unit_},
                                 {x_of(record + 1) - 0.5f * unit_, bottom}, mark::other);
                draw_text(text_of(block, record), x_of(record) + cell_ / 2, y, block);
            }
        }
        const std::string nodes =
            labels.phase == 0 ? fmt::format("the tree levels 0 to {} in order, and spare nodes (s)", labels.stage)
                              : fmt::format("the nodes at p and q, on tree level {}", labels.stage + labels.phase);
        canvas_.tip(from, to,
                    fmt::format("Stage {}, phase {} {} here: {} (section 5.3, Table 1).", labels.stage, labels.phase,
                                block.written ? "writes" : "wrote", nodes));
    }

    static std::string text_of(const LayoutBlock& block, std::uint32_t record) {
        return layout_cell(block.labels, record);
    }
    /// A phase's block begins at a multiple of its length, rounded up to a power of two.
    bool is_of_odd_tree(const LayoutBlock& block, std::uint32_t record) const {
        return (record >> block.labels.stage & (std::bit_ceil(trees()) - 1) & 1) != 0;
    }
    static Colour colour_of(const LayoutBlock& block) { return block.written ? mark::written : mark::faint; }
    static float opacity_of(const LayoutBlock& block) { return block.written ? 0.9f : 0.3f; }

    void draw_text(const std::string& text, float middle, float y, const LayoutBlock& block) {
        canvas_.text({middle - canvas_.text_width(text) / 2, y + (row_ - canvas_.text_height()) / 2}, text,
                     block.written ? Colour{} : mark::text);
    }

    /// The nodes that can be reached now, in the colours of their keys.
    void draw_keys() {
        const LayoutLine& line = table_.lines[table_.ran - 1];
        const Op& op = op_of(line);
        const float y = top_ + row_ * static_cast<float>(count_) + gap();
        canvas_.text({margin(), y}, "keys of these nodes", mark::faint);
        float free = 0;
        for (const LayoutBlock& block : line.blocks)
            for (std::uint32_t record = block.records.begin; record < block.records.end; ++record) {
                // Draws one record per pixel.
                if (x_of(record + 1) < free) continue;
                free = std::max(x_of(record), free) + 1;
                for (std::uint32_t i = 0; i < 2; ++i)
                    draw_key(op, record, i, y);
            }
    }

    void draw_key(const Op& op, std::uint32_t record, std::uint32_t i, float y) {
        // The nodes that the op wrote are in its output stream. Earlier nodes are in the stream that the op reads.
        const bool written = op.domain.contains(record);
        const StreamId id = (written ? stream_written(op, PortRole::nodes) : stream_read(op, PortRole::nodes)).value();
        const auto nodes = std::ranges::find(op.kernel->parameters, "nodes", &Parameter::name);
        const std::uint32_t begin = op.parameters[static_cast<std::size_t>(nodes - op.kernel->parameters.begin())];
        const std::uint32_t element = 2 * (written ? record : record ^ begin) + i;
        const Stream& stream = moment_.program->streams[id];
        if (element >= elements_of(stream)) return;
        const auto height = height_of(moment_, id, element_words(stream, (*moment_.streams)[id], element));
        if (!height) return;
        const float half = (x_of(record + 1) - x_of(record)) / 2;
        const float x = x_of(record) + half * static_cast<float>(i);
        canvas_.fill({x, y}, {x + std::max(half - 0.5f * unit_, 1.0f), y + 1.2f * canvas_.text_height()},
                     key_colour(*height));
    }

    void draw_legend() {
        const float line = canvas_.text_height();
        LegendLine legend(canvas_);
        const auto entry = [&](Colour colour, float opacity, float height, const char* text) {
            legend.add(text, [&](Point middle) {
                const float bottom = middle.y + line / 2;
                canvas_.fill({middle.x - gap(), bottom - height}, {middle.x + gap(), bottom}, colour, opacity);
            });
        };
        entry(mark::written, 0.9f, line, "written by this line's op");
        entry(mark::faint, 0.3f, line, "written earlier, still reachable");
        if (trees() > 1 && cells_have_text()) entry(mark::other, 1.0f, 3 * unit_, "from every second tree");
        canvas_.text({margin(), legend.top() - 1.2f * line},
                     cells_have_text()
                         ? "A cell is a pair of nodes. It shows the level of each in its tree: 0 for the root, s for "
                           "the spare node."
                         : "33: nodes of level 3 of their trees. 0-2s: nodes of levels 0 to 2, and the spare nodes.",
                     mark::faint);
    }

    const Moment& moment_;
    Canvas& canvas_;
    float unit_;
    LevelTable table_;
    bool steps_ = false;     ///< Whether lines are steps of several stages, not phases of one stage.
    std::size_t first_ = 0;  ///< The first of the shown lines.
    std::size_t count_ = 0;
    float left_, top_, cell_, row_;
};

}  // namespace

std::string LayoutTableView::explanation() const {
    return "Where each phase writes the nodes that it visits. A phase uses parts of one stream whose nodes are no "
           "longer "
           "needed "
           "(GPU-ABiSort, section 5.3, Table 1 and Figures 4 to 7).";
}

std::string LayoutTableView::caption() const {
    return "Down: ops of a merge. Across: records of a stream. Numbers: tree levels of nodes.";
}

bool LayoutTableView::fits(const StreamProgram& program) const {
    return BitonicTrees::are_in(program);
}

void LayoutTableView::draw(const Moment& moment, Canvas& canvas) const {
    TableDrawing(moment, canvas).draw();
}

}  // namespace glsort::demo
