#pragma once

#include <glsort/stream/program.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// A table of the places to which the merges of GPU-ABiSort write, derived from a program: Figures 4 to 7 of the paper
/// (Greß and Zachmann 2006).

namespace glsort {

/// A block of the output stream and the phase that wrote it.
struct LayoutBlock {
    Block records;
    Labels labels;         ///< The level, stage and phase that wrote the block.
    bool written = false;  ///< Whether this line's op wrote the block. Else the block can still be reached.
};

/// A line of the table: the output stream after an op of `abisort_phase`.
struct LayoutLine {
    std::size_t op = 0;               ///< The index of the op in the program.
    std::vector<LayoutBlock> blocks;  ///< Ascending, disjoint.
};

/// The lines of all levels, for any number of elements. Empty if no op uses `abisort_phase`. Throws `Error` if such an
/// op lacks a phase label for a block.
std::vector<LayoutLine> layout_lines(const StreamProgram& program);

/// The tree levels of the two nodes in a record of a block: 0 for the root, s for the spare node. Examples: `10`, `2s`.
std::string layout_cell(const Labels& labels, std::uint32_t record);

/// Max elements of a layout table. 64 node pairs fill a line, and level numbers have one digit.
constexpr std::uint32_t layout_table_elements = 128;

/// One table for each recursion level. A line stands for an op of `abisort_phase`, a column for a record of the output
/// stream (a node pair). `[10]`: this op writes the nodes. ` 10 `: an earlier op wrote the nodes, which can still be
/// reached. Blank: neither.
///
///     level 2: 1 tree of 4 nodes
///       stage  phase    0    1
///           0  0      [0s]
///           0  1       0s  [11]
///           1  0      [10] [1s]
///
/// Uses only the domains of the ops and the labels of their blocks. Throws `Error` if no op uses `abisort_phase`, and
/// for more than `layout_table_elements` elements.
std::string to_layout_table(const StreamProgram& program);

}  // namespace glsort
