#pragma once

#include <glsort/stream/program.h>

#include <optional>

namespace glsort {

/// Whether `op` needs two copies of stream `id`: one to read and one to write. An op needs two copies if the op reads a
/// record that the op also writes. Exception: on compute and cpu, an instance may read the record that this instance
/// writes.
///
/// An op that reads only other records needs one copy. On the fragment backend such an op needs texture barriers.
/// Without texture barriers, input and output must be distinct (Greß and Zachmann 2006, section 6.1).
bool needs_two_copies(const Op& op, StreamId id, Backend backend);

/// The read of scratch stream `id` by an op that also writes the storage, as an index into `Op::reads`. Nothing if
/// there is no such read. On the compute backend both ports share one storage block. On the fragment backend the op
/// needs a texture barrier.
std::optional<std::size_t> reads_in_place(const StreamProgram& program, const Op& op, StreamId id);

/// Checks a program against the rules of the stream model and against the limits of its backend:
///   - Each op has a kernel. Uses, parameters and domains match the ports of the kernels. Ranges lie within the
///   streams.
///   - Elements have 1 to 4 words, records at least one element, and streams at most 2^32 elements.
///   - Inputs are linear or gathered. Outputs are not gathered and take whole elements.
///   - A linear port uses exactly the records of the domain. A linear output takes a whole record.
///   - No op reads a scratch record that no op has written. An output with access `shared` needs records that an op has
///     written, unless the stream begins as zero or the port writes first (`Port::writes_first`). No op reads an output
///     of the caller, or writes an input.
///   - An op that needs two copies of a stream replaces the whole stream. The stream is a scratch stream, and is not
///     `shared` by the op.
///   - On the fragment backend, an op that reads and writes different records of one stream needs texture barriers.
///   - The fragment backend gets portable kernels, and attachments and texture sizes within its limits. An op writes
///     textures of one layout, or buffers from one block.
///   - The compute backend gets groups, shared memory and storage blocks within its limits. Only buffers are `shared`.
/// If the program has a range of counts (`StreamProgram::counts`), all rules hold for each count. The check compares
/// the rules of two numbers (`Counted`), not their values for each count.
///
/// Without `GLSORT_CHECK_OPS`, as in browsers, checks only the counts and the streams.
///
/// Throws `Error` with the number of the op, its kernel and the stream. Cost: linear in the size of the program.
void validate(const StreamProgram& program, const Limits& limits);

/// Storage blocks that an op takes on the compute backend: one for each read or write of a buffer. A stream that is
/// read and written in place takes one block.
std::uint32_t storage_blocks(const StreamProgram& program, const Op& op);

}  // namespace glsort
