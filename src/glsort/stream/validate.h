#pragma once

#include <glsort/stream/program.h>

#include <optional>

namespace glsort {

/// Whether `op` needs stream `id` twice: one copy to read, one to write. So it is where the op reads
/// records that it writes, but for reads of the very record an instance writes, outside the fragment
/// backend. Where it reads only other records than it writes, one copy does (on the fragment backend
/// with texture barriers; without them, input and output must be distinct: GPU-ABiSort, section 6.1).
bool needs_two_copies(const Op& op, StreamId id, Backend backend);

/// The number of the use by which `op` reads scratch stream `id` in the same storage that it writes;
/// nothing where it does not. On the compute backend both ports are one storage block; on the fragment backend the op
/// needs a texture barrier.
std::optional<std::size_t> reads_in_place(const StreamProgram& program, const Op& op, StreamId id);

/// Checks a program against the rules of the stream model and against what its backend offers:
///   - uses, parameters and domains match the kernels' ports; ranges lie within the streams;
///   - inputs are linear or gathered, outputs are not gathered and take whole elements; a linear
///     port uses exactly the records of the domain, and a linear output a whole record;
///   - nothing reads, or shares, a scratch record that no op has written, nor reads an output of the
///     caller's;
///   - an op that reads what it writes replaces all of that stream (the scheduler then keeps two
///     copies), does not share it, and that stream is the library's; on the fragment backend an op
///     that reads other records of what it writes needs texture barriers;
///   - the fragment backend gets portable kernels, as many attachments as it has, textures of a
///     size it can hold, and writes either textures of one layout or, from one block, buffers;
///     compute gets groups, shared memory and storage blocks within the limits, and shares buffers
///     only.
/// Where the program has a range of counts (`StreamProgram::counts`), all this holds for each of them: where one number
/// must not exceed another, the rules by which both follow the count say so.
///
/// Throws `Error` with the number of the op, its kernel and the stream. Cost: linear in the size of
/// the program.
void validate(const StreamProgram& program, const Limits& limits);

/// Storage blocks that an op takes on the compute backend: one a buffer that it reads or writes, but for a
/// stream that is written in place.
std::uint32_t storage_blocks(const StreamProgram& program, const Op& op);

}  // namespace glsort
