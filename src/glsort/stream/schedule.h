#pragma once

#include <glsort/stream/program.h>

#include <cstddef>
#include <vector>

namespace glsort {

/// Memory for one copy of a stream. A stream that some op reads and writes has two storages. Each such op reads one of
/// them and writes the other (ping-pong).
struct Storage {
    StreamId stream = 0;
    std::uint32_t copy = 0;  ///< 0 or 1.
};

/// The storages that an op uses, as indices into `Schedule::storages`: one for each use of the op.
struct ScheduledOp {
    std::vector<std::size_t> reads;
    std::vector<std::size_t> writes;
    /// Whether the op needs a barrier before it: it uses a record that was written since the last barrier, or it writes
    /// a record that was read since.
    bool barrier = false;
};

/// The storages and barriers of a program. An executor resolves them. A plain value without OpenGL.
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
