#pragma once

#include <glsort/stream/schedule.h>

#include <cstdint>
#include <vector>

namespace glsort {

/// Runs the ops of a program on one backend. A scheduler drives it.
class Executor {
  public:
    virtual ~Executor() = default;

    /// Makes `program` ready to run: storage, for all counts of the program (kept from the program before where that is
    /// large enough), program objects, bindings; a flat list that `run` only replays. `program` and `schedule` must
    /// outlive the next call.
    virtual void resolve(const StreamProgram& program, const Schedule& schedule) = 0;

    /// Follows a program whose count has become another (`set_count`) since `resolve`. Resolves nothing anew, compiles
    /// and allocates nothing.
    virtual void recount(const StreamProgram& program, const Schedule& schedule) { resolve(program, schedule); }

    /// Runs ops first ... last-1, each after its barrier. Allocates nothing, waits for nothing.
    virtual void run(std::size_t first, std::size_t last) = 0;

    /// The elements of the first `records` records of a storage, word by word in the order of the
    /// stream. Waits for the GPU.
    virtual std::vector<std::uint32_t> read(std::size_t storage, std::uint32_t records) = 0;
};

}  // namespace glsort
