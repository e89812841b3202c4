#pragma once

#include <glsort/stream/schedule.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace glsort {

/// What an executor has made of a program. Each kind of executor has a form of its own.
class Resolution {
  public:
    virtual ~Resolution() = default;
};

/// Runs the ops of a program on one backend. A `Scheduler` calls the executor.
class Executor {
  public:
    virtual ~Executor() = default;

    /// Makes `program` ready to run: storage, program objects, bindings. On the GPU, storage is for the largest count
    /// of the program. Storage of the previous program is reused if large enough. `run` then only replays a flat list.
    /// `program` and `schedule` must outlive the next call.
    virtual void resolve(const StreamProgram& program, const Schedule& schedule) = 0;

    /// Allocates one buffer or texture that `resolve` would allocate for `program`. Returns false if nothing is left to
    /// be allocated. `resolve` must follow.
    virtual bool allocate_next(const StreamProgram&, const Schedule&) { return false; }

    /// Updates the resolved program after its count has changed (`set_count`). On the GPU, compiles nothing and
    /// allocates nothing.
    virtual void recount(const StreamProgram& program, const Schedule& schedule) { resolve(program, schedule); }

    /// Puts aside what `resolve` has made of the program, and takes up `other`, which was put aside before. If `other`
    /// is null, `resolve` must follow. The executor keeps the addresses of the last `resolve`: the caller must also
    /// exchange the program and the schedule at these addresses. Allocates nothing unless `other` is null.
    virtual void exchange(std::unique_ptr<Resolution>& other) = 0;

    /// Takes over a parameter of an op that has changed. The parameter is a constant.
    virtual void set_parameter(const StreamProgram&, std::size_t /*op*/, std::size_t /*parameter*/) {}

    /// Takes over parameters of a block that have changed, from `first` on. For compute and cpu.
    virtual void set_block_parameters(const StreamProgram&, std::size_t /*op*/, std::size_t /*block*/,
                                      std::size_t /*first*/, std::size_t /*count*/) {}

    /// Takes over the domain of an op that has changed. The op writes a stream of the caller, or copies such a stream
    /// to a stream of the library.
    virtual void set_domain(const StreamProgram&, std::size_t /*op*/) {}

    /// Runs ops first ... last-1, each after its barrier. Allocates nothing and does not wait for the GPU.
    virtual void run(std::size_t first, std::size_t last) = 0;

    /// The words of the first `records` records of a storage, in the order of the stream. Waits for the GPU.
    virtual std::vector<std::uint32_t> read(std::size_t storage, std::uint32_t records) = 0;
};

}  // namespace glsort
