#pragma once

#include <glsort/stream/program.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Where the merges of GPU-ABiSort write, as a picture: Figures 4 to 7 of the paper (Gress and
/// Zachmann 2006), read off a program.

namespace glsort {

/// A block of the output stream: what a phase has written there.
struct LayoutBlock {
    Block records;
    Labels labels;         ///< The level, stage and phase that wrote it.
    bool written = false;  ///< By the line's op; else by an earlier one, and it can still be reached.
};

/// A line of the table: the output stream after an op of `abisort_phase`.
struct LayoutLine {
    std::size_t op = 0;               ///< Its place in the program.
    std::vector<LayoutBlock> blocks;  ///< Ascending, disjoint.
};

/// The lines of all levels, for any number of elements; none where no op is of that kernel. Throws `Error` where
/// one does not say to which phase a block belongs.
std::vector<LayoutLine> layout_lines(const StreamProgram& program);

/// The tree levels of the two nodes in a record of a block, 0 for the root, s for the spare node: `10`, `2s`.
std::string layout_cell(const Labels& labels, std::uint32_t record);

/// The most elements that have a layout table: 64 node pairs fill a line, and levels have one
/// digit.
constexpr std::uint32_t layout_table_elements = 128;

/// For each recursion level a table with a line for each op of `abisort_phase` and a column for
/// each record of the output stream (a node pair): `[10]` where this op writes the nodes, ` 10 ` where an
/// earlier one did and they can still be reached, blank elsewhere.
///
///     level 2: 1 tree of 4 nodes
///       stage  phase    0    1
///           0  0      [0s]
///           0  1       0s  [11]
///           1  0      [10] [1s]
///
/// Looks at the domains of the ops and the labels of their blocks only. Throws `Error` where no op
/// is of that kernel, and for more than `layout_table_elements` elements.
std::string to_layout_table(const StreamProgram& program);

}  // namespace glsort
