#pragma once

#include <glsort/stream/program.h>

#include <string>

/// A program as something to read.

namespace glsort {

/// Head, streams and one line an op: kernel, what it reads, what it writes, its labels and
/// parameters.
std::string to_text(const StreamProgram& program);

/// Which numbers of a program follow the count, and how: the counts that it is a program for, streams and their
/// records, ops and their domains and parameters. Streams, and ops, of the same rules share a line. Nothing where none
/// does.
std::string to_rules(const StreamProgram& program);

/// One line a kernel: its ops, elements and bytes; then the sums, for the program's least and greatest count as well,
/// and the scratch memory.
std::string to_table(const StreamProgram& program);

/// One object: algorithm, variant, backend, layout, n, key, payload, ops, kernels (name to number
/// of ops), bytes_read, bytes_written, scratch_bytes.
std::string to_json(const StreamProgram& program);

/// A Graphviz digraph: ops as boxes, streams as edges from the op that wrote to the op that reads.
std::string to_dot(const StreamProgram& program);

}  // namespace glsort
