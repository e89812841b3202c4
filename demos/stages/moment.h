#pragma once

#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace glsort::demo {

/// A sort at a moment, between two ops: everything that a view may show.
struct Moment {
    const StreamProgram* program = nullptr;
    /// The number of ops that have run.
    std::size_t done = 0;
    /// The words of each stream, in stream order, by StreamId.
    const std::vector<std::vector<std::uint32_t>>* streams = nullptr;
    /// The records of each stream that the caller or an op has written.
    const std::vector<Substream>* written = nullptr;
    /// The words of streams before the last op. Only for streams that the last op writes. Other streams are empty.
    const std::vector<std::vector<std::uint32_t>>* before = nullptr;
    /// Traces of the last op and the next op. Null if the op does not exist, and for long programs.
    const OpTrace* last_trace = nullptr;
    const OpTrace* next_trace = nullptr;
    /// The places of the keys in the sorted order.
    const class Places* places = nullptr;
    /// The stream to show. Nothing: the stream of `key_stream`.
    std::optional<StreamId> chosen;
    /// Changes whenever a member above, except `chosen`, may have changed. For cached pictures.
    std::uint64_t version = 0;

    /// The op that ran last, whose reads and writes are shown. Null at the beginning.
    const Op* last_op() const { return done == 0 ? nullptr : &program->ops[done - 1]; }
    const Op* next_op() const { return done == program->ops.size() ? nullptr : &program->ops[done]; }
};

}  // namespace glsort::demo
