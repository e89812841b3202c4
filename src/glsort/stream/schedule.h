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

/// What a program costs, known before anything runs. An op counts as reading each record of its ranges once, but never
/// more elements than its instances fetch.
struct Cost {
    std::size_t ops = 0;
    std::uint64_t elements_read = 0;
    std::uint64_t elements_written = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t scratch_bytes = 0;  ///< Bytes of all scratch storages.
};

Cost cost(const StreamProgram& program);

/// The cost for another count of the program. Throws `Error` if the count is not in `StreamProgram::counts`.
Cost cost(StreamProgram program, std::uint32_t count);

}  // namespace glsort
