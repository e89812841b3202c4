#pragma once

#include <glsort/stream/program.h>

namespace glsort {

/// Whether `op` needs stream `id` twice: one copy to read, one to write. So it is where the op reads
/// what it writes, but for reads of the very record an instance writes, outside the fragment
/// backend (a texture is never read and drawn to at once; GPU-ABiSort, section 6.1).
bool needs_two_copies(const Op& op, StreamId id, Backend backend);

/// Checks a program against the rules of the stream model and against what its backend offers:
///   - uses, parameters and domains match the kernels' ports; ranges lie within the streams;
///   - inputs are linear or gathered, outputs are not gathered and take whole elements; a linear
///     port uses exactly the records of the domain, and a linear output a whole record;
///   - nothing reads, or shares, a scratch record that no op has written, nor reads an output of the
///     caller's;
///   - an op that reads what it writes replaces all of that stream (the scheduler then keeps two
///     copies), does not share it, and that stream is the library's;
///   - the fragment backend gets portable kernels, as many attachments as it has, textures of a
///     size it can hold, and writes either textures of one layout or, from one block, buffers;
///     compute gets groups, shared memory and storage blocks within the limits, and scatters into
///     buffers only.
///
/// Throws `Error` with the number of the op, its kernel and the stream. Cost: linear in the size of
/// the program.
void validate(const StreamProgram& program, const Limits& limits);

}  // namespace glsort
