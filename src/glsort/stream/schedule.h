#pragma once

#include <glsort/stream/program.h>

#include <cstddef>
#include <vector>

namespace glsort {

/// Memory for one copy of a stream. If an op reads and writes a stream, the stream may need two storages
/// (`needs_two_copies`). The op reads one storage and writes the other (ping-pong).
struct Storage {
    StreamId stream = 0;
    std::uint32_t copy = 0;  ///< 0 or 1.
};

/// The storages that an op uses, as indices into `Schedule::storages`: one for each use of the op.
struct ScheduledOp {
    std::vector<std::size_t> reads;
    std::vector<std::size_t> writes;
    /// Whether a barrier must precede the op. True if the op uses a record that was written since the last barrier,
    /// or writes a record that was read since.
    bool barrier = false;
};

/// The storages and barriers of a program, as a plain value without OpenGL. An executor allocates the storages.
struct Schedule {
    std::vector<Storage> storages;
    std::vector<ScheduledOp> ops;

    /// The storage that holds `stream` after the first `done` ops of `program`.
    std::size_t current(const StreamProgram& program, StreamId stream, std::size_t done) const;
};

/// Gives each stream its storage and each op its barrier. The program must be valid. The schedule holds for all counts
/// of the program (`StreamProgram::counts`). Cost: linear in the ops, times the blocks of their substreams.
Schedule make_schedule(const StreamProgram& program);

}  // namespace glsort
