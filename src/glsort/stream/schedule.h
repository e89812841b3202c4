#pragma once

#include <glsort/stream/program.h>

#include <cstddef>
#include <vector>

namespace glsort {

/// A place for a stream in memory. A stream that some op reads while it writes it has two of them
/// and moves from one to the other (ping-pong).
struct Storage {
    StreamId stream = 0;
    std::uint32_t copy = 0;  ///< 0 or 1.
};

/// An op with its storage: numbers into `Schedule::storages`, one for each use of the op.
struct ScheduledOp {
    std::vector<std::size_t> reads;
    std::vector<std::size_t> writes;
    /// Whether this op must wait until earlier ones can be seen: it touches a record that was
    /// written since the last barrier, or writes one that was read since.
    bool barrier = false;
};

/// A program with its storage and barriers: what an executor resolves. A value; no OpenGL.
struct Schedule {
    std::vector<Storage> storages;
    std::vector<ScheduledOp> ops;

    /// The storage that holds `stream` after the first `done` ops of `program`.
    std::size_t current(const StreamProgram& program, StreamId stream, std::size_t done) const;
};

/// Gives every stream its storage and every op its barrier. The program must be valid. The schedule is right for all
/// counts of the program (`StreamProgram::counts`).
/// Cost: linear in the ops, times the blocks of their substreams.
Schedule make_schedule(const StreamProgram& program);

/// What a program costs, before anything runs. An op reads each record of its ranges once (what
/// memory must deliver), but never more than its instances fetch.
struct Cost {
    std::size_t ops = 0;
    std::uint64_t elements_read = 0;
    std::uint64_t elements_written = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t scratch_bytes = 0;  ///< Of all storage of the library's own.
};

Cost cost(const StreamProgram& program);

/// The same for another count of the program (`StreamProgram::counts`). Throws `Error` where it is none.
Cost cost(StreamProgram program, std::uint32_t count);

}  // namespace glsort
