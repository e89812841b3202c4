#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/abisort/layout_table.h>
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace glsort {
namespace {

bool is_phase(const Op& op) {
    const std::vector<Port>& outputs = op.kernel->outputs;
    return std::any_of(outputs.begin(), outputs.end(), [](const Port& port) { return port.role == PortRole::paths; });
}

/// The deeper level of the two nodes that a phase writes.
int deepest(const Labels& labels) {
    return labels.stage + labels.phase;
}

/// Whether a phase makes the result of an earlier phase unreachable, wherever the result lies. Phase 0 of stage k
/// rewrites every node of levels 0 ... k, and phase 1 every node of level k+1 (section 5.3). Without pruned trees, the
/// two phases overwrite exactly these nodes.
bool replaces(const Labels& labels, const Labels& earlier) {
    if (labels.phase == 0) return deepest(earlier) <= labels.stage;
    return labels.phase == 1 && deepest(earlier) == labels.stage + 1;
}

/// The blocks after `op`, from the blocks before `op`.
std::vector<LayoutBlock> blocks_after(const Op& op, const std::vector<LayoutBlock>& before) {
    std::vector<LayoutBlock> blocks;
    for (std::size_t b = 0; b < op.blocks.size(); ++b)
        blocks.push_back({op.domain.blocks()[b], op.blocks[b].labels, true});
    for (const LayoutBlock& block : before) {
        const auto replaced = [&](const BlockDetail& detail) { return replaces(detail.labels, block.labels); };
        if (std::any_of(op.blocks.begin(), op.blocks.end(), replaced)) continue;
        const Substream left = Substream::range(block.records.begin, block.records.end).without(op.domain);
        for (const Block& records : left.blocks())
            blocks.push_back({records, block.labels, false});
    }
    std::sort(blocks.begin(), blocks.end(),
              [](const LayoutBlock& a, const LayoutBlock& b) { return a.records.begin < b.records.begin; });
    return blocks;
}

std::string cells_of(const LayoutLine& line, std::uint32_t records) {
    std::string text;
    auto block = line.blocks.begin();
    for (std::uint32_t record = 0; record < records; ++record) {
        while (block != line.blocks.end() && record >= block->records.end)
            ++block;
        if (block == line.blocks.end() || record < block->records.begin)
            text += "     ";
        else
            text += (block->written ? " [" : "  ") + layout_cell(block->labels, record) + (block->written ? "]" : " ");
    }
    return text;
}

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

std::string table_line(const std::string& first, const std::string& second, const std::string& cells) {
    std::string text = fmt::format("  {:>5}  {:<6}{}", first, second, cells);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

}  // namespace

std::vector<LayoutLine> layout_lines(const StreamProgram& program) {
    std::vector<LayoutLine> lines;
    std::vector<LayoutBlock> blocks;
    int level = -1;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        if (!is_phase(op)) continue;
        if (op.blocks.size() != op.domain.blocks().size())
            throw Error(fmt::format("layout_lines: {} has no phase label for each block", describe(op)));
        if (op.labels.level != level) blocks.clear();
        level = op.labels.level;
        blocks = blocks_after(op, blocks);
        lines.push_back({i, blocks});
    }
    return lines;
}

std::string layout_cell(const Labels& labels, std::uint32_t record) {
    const int stage = labels.stage;
    // p and q, both of the level that the search has reached.
    if (labels.phase > 0) return fmt::format("{0}{0}", stage + labels.phase);
    // Phase 0 writes the upper levels of a tree in order: 2^stage records, the spare node last. The first node of a
    // record is a root of this stage, and the second is an upper node.
    const std::uint32_t last = (1u << stage) - 1;
    if ((record & last) == last) return fmt::format("{}s", stage);
    return fmt::format("{}{}", stage, stage - 1 - std::countr_zero(record + 1));
}

std::string to_layout_table(const StreamProgram& program) {
    if (program.n > layout_table_elements)
        throw Error(
            fmt::format("to_layout_table: n {} exceeds the limit of {} elements", program.n, layout_table_elements));
    const std::vector<LayoutLine> lines = layout_lines(program);
    if (lines.empty())
        throw Error(
            fmt::format("to_layout_table: {}:{} with n = {} has no adaptive merge, that is, no op of kernel "
                        "abisort_phase",
                        program.algorithm, program.variant, program.n));
    std::uint32_t records = (program.n + 1) / 2;
    for (const LayoutLine& line : lines)
        records = std::max(records, program.ops[line.op].domain.end());

    std::string numbers;
    for (std::uint32_t record = 0; record < records; ++record)
        numbers += fmt::format("{:4} ", record);
    std::string text = fmt::format("{}:{}, n = {}, output stream layout: tree levels of node pairs\n",
                                   program.algorithm, program.variant, program.n);
    int level = -1;
    for (const LayoutLine& line : lines) {
        const Op& op = program.ops[line.op];
        if (op.labels.level != level) {
            level = op.labels.level;
            const std::uint32_t trees = ((program.n - 1) >> level) + 1;
            text += fmt::format("\nlevel {}: {} tree{} of {} nodes\n", level, trees, trees > 1 ? "s" : "", 1u << level);
            const bool steps = op.labels.step >= 0;
            text += table_line(steps ? "step" : "stage", steps ? "stages" : "phase", numbers);
        }
        const auto [first, second] = place(op);
        text += table_line(first, second, cells_of(line, records));
    }
    return text;
}

}  // namespace glsort
