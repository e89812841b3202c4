#pragma once

#include <glsort/stream/program.h>

#include <string>

/// Prints programs.

namespace glsort {

/// A head, the streams, and one line per op: kernel, reads, writes, labels and parameters.
std::string to_text(const StreamProgram& program);

/// The range of counts that the program is valid for, and the rules of all its numbers that follow the count: records
/// of streams, domains and parameters of ops. Streams with equal rules share a line, and so do ops. Empty if no number
/// follows the count.
std::string to_rules(const StreamProgram& program);

/// One line per kernel: its ops, elements and bytes. Then the sums, also for the min and max count of the program, and
/// the scratch memory.
std::string to_table(const StreamProgram& program);

/// One object: algorithm, variant, backend, layout, n, key, payload, ops, kernels (an object from kernel name to its
/// number of ops), bytes_read, bytes_written, scratch_bytes.
std::string to_json(const StreamProgram& program);

/// A Graphviz digraph. Ops are boxes. An edge is a stream, from the op that wrote it to the op that reads it.
std::string to_dot(const StreamProgram& program);

}  // namespace glsort
