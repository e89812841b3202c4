#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/layout_table.h>
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace glsort {
namespace {

/// What the table tells of a record: nothing where no node in it can be reached.
struct Cell {
    std::string nodes;  ///< The levels of its nodes.
    int level = -1;     ///< The deeper one of them.
    bool written = false;
};

bool is_phase(const Op& op) {
    return op.kernel->name.starts_with("abisort_phase");
}

/// The record that the instance `record` of a phase writes.
Cell written_cell(const Labels& labels, std::uint32_t record) {
    const int stage = labels.stage;
    if (labels.phase > 0) {
        // p and q, both of the level that the search has reached.
        const int level = stage + labels.phase;
        return {fmt::format("{0}{0}", level), level, true};
    }
    // Phase 0 writes the upper levels of a tree in order, 2^stage records, the spare node last.
    // The first node of a record is a root of this stage, the second one an upper node.
    const std::uint32_t last = (1u << stage) - 1;
    if ((record & last) == last) return {fmt::format("{}s", stage), stage, true};
    return {fmt::format("{}{}", stage, stage - 1 - std::countr_zero(record + 1)), stage, true};
}

/// The cells that a phase puts out of reach, wherever they are: phase 0 of stage k writes every
/// node of the levels 0 ... k anew, and phase 1 every node of level k+1 (section 5.3). Where no
/// tree is pruned, that is what the two overwrite.
bool replaces(const Labels& labels, const Cell& cell) {
    if (labels.phase == 0) return cell.level <= labels.stage;
    return labels.phase == 1 && cell.level == labels.stage + 1;
}

/// The output stream, from op to op.
class OutputStream {
  public:
    explicit OutputStream(std::uint32_t records) : cells_(records) {}

    void write(const Op& op) {
        for (Cell& cell : cells_) {
            cell.written = false;
            for (const BlockDetail& block : op.blocks)
                if (replaces(block.labels, cell)) cell = {};
        }
        const std::vector<Block>& blocks = op.domain.blocks();
        for (std::size_t b = 0; b < blocks.size(); ++b)
            for (std::uint32_t record = blocks[b].begin; record < blocks[b].end; ++record)
                cells_[record] = written_cell(op.blocks[b].labels, record);
    }

    std::string line() const {
        std::string text;
        for (const Cell& cell : cells_)
            text += cell.written ? fmt::format(" [{}]", cell.nodes)
                                 : fmt::format("  {:2} ", cell.nodes);
        return text;
    }

  private:
    std::vector<Cell> cells_;
};

/// The op's place in its level: step and stages, or stage and phase.
std::pair<std::string, std::string> place(const Op& op) {
    std::vector<int> stages;
    for (const BlockDetail& block : op.blocks)
        stages.push_back(block.labels.stage);
    std::sort(stages.begin(), stages.end());
    const std::string list = fmt::format("{}", fmt::join(stages, ","));
    if (op.labels.step >= 0) return {fmt::format("{}", op.labels.step), list};
    return {list, fmt::format("{}", op.labels.phase)};
}

std::string table_line(const std::string& first, const std::string& second,
                       const std::string& cells) {
    std::string text = fmt::format("  {:>5}  {:<6}{}", first, second, cells);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

}  // namespace

std::string to_layout_table(const StreamProgram& program) {
    if (program.n > layout_table_elements)
        throw Error(fmt::format("to_layout_table: n {} exceeds the limit of {} elements", program.n,
                                layout_table_elements));
    std::uint32_t records = (program.n + 1) / 2;
    bool any = false;
    for (const Op& op : program.ops) {
        if (!is_phase(op)) continue;
        any = true;
        records = std::max(records, op.domain.end());
        if (op.blocks.size() != op.domain.blocks().size())
            throw Error(fmt::format(
                "to_layout_table: {} does not say to which phase a block belongs", describe(op)));
    }
    if (!any)
        throw Error(
            fmt::format("to_layout_table: {}:{} with n = {} has no adaptive merge, an op of kernel "
                        "abisort_phase",
                        program.algorithm, program.variant, program.n));

    std::string numbers;
    for (std::uint32_t record = 0; record < records; ++record)
        numbers += fmt::format("{:4} ", record);
    std::string text =
        fmt::format("{}:{}, n = {}, output stream layout: tree levels of node pairs\n",
                    program.algorithm, program.variant, program.n);
    int level = -1;
    OutputStream stream(records);
    for (const Op& op : program.ops) {
        if (!is_phase(op)) continue;
        if (op.labels.level != level) {
            level = op.labels.level;
            stream = OutputStream(records);
            const std::uint32_t trees = ((program.n - 1) >> level) + 1;
            text += fmt::format("\nlevel {}: {} tree{} of {} nodes\n", level, trees,
                                trees > 1 ? "s" : "", 1u << level);
            const bool steps = op.labels.step >= 0;
            text += table_line(steps ? "step" : "stage", steps ? "stages" : "phase", numbers);
        }
        stream.write(op);
        const auto [first, second] = place(op);
        text += table_line(first, second, stream.line());
    }
    return text;
}

}  // namespace glsort
