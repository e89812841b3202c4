#pragma once

#include <glsort/stream/program.h>
#include <glsort/stream/trace.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace glsort::demo {

/// A sort at a moment, between two ops: all that a view may show.
struct Moment {
    const StreamProgram* program = nullptr;
    /// Ops that have run, 0 to all.
    std::size_t done = 0;
    /// What each stream holds, word by word in stream order, by StreamId.
    const std::vector<std::vector<std::uint32_t>>* streams = nullptr;
    /// The records of each stream that hold something: the caller or an op has written them.
    const std::vector<Substream>* written = nullptr;
    /// The same as `streams` before the last op; only the streams that it writes are there, the others are empty.
    const std::vector<std::vector<std::uint32_t>>* before = nullptr;
    /// What the last op did, and the next one will do; null where there is none, and for long programs.
    const OpTrace* last_trace = nullptr;
    const OpTrace* next_trace = nullptr;
    /// Where the keys stand in the sorted order.
    const class Places* places = nullptr;
    /// The stream that shall be shown; nothing: the one that `key_stream` gives.
    std::optional<StreamId> chosen;
    /// Another one whenever anything above but `chosen` may be: for pictures that are kept until something changes.
    std::uint64_t version = 0;

    /// The op that has run last: the one whose reads and writes are shown. None at the beginning.
    const Op* last_op() const { return done == 0 ? nullptr : &program->ops[done - 1]; }
    const Op* next_op() const { return done == program->ops.size() ? nullptr : &program->ops[done]; }
};

}  // namespace glsort::demo
