#pragma once

#include <glsort/stream/program.h>

#include <string>

/// Where the merges of GPU-ABiSort write, as a picture: Figures 4 to 7 of the paper (Gress and
/// Zachmann 2006), read off a program.

namespace glsort {

/// The most elements that have a layout table: 64 node pairs fill a line, and levels have one
/// digit.
constexpr std::uint32_t layout_table_elements = 128;

/// For each recursion level a table with a line for each op of `abisort_phase` and a column for
/// each record of the output stream (a node pair). A cell holds the tree levels of the two nodes, 0
/// for the root, s for the spare node: `[10]` where this op writes them, ` 10 ` where an earlier
/// one did and they can still be reached, blank elsewhere.
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
