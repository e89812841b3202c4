#pragma once

#include <glsort/stream/executor.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace glsort {

/// A program that is ready to run, while its scheduler has another one.
struct PreparedProgram {
    StreamProgram program;
    Schedule schedule;
    std::unique_ptr<Resolution> resolution;  ///< Null: no program was put aside.
};

/// Drives an executor through a program: the whole program at once, or op by op. Between two ops `read` gives every
/// stream.
class Scheduler {
  public:
    explicit Scheduler(Executor& executor) : executor_(&executor) {}
    // The executor keeps pointers to the program and the schedule.
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    /// Validates `program`, creates its schedule, and resolves both in the executor. Throws `Error` if the program is
    /// not valid within `limits`.
    void prepare(StreamProgram program, const Limits& limits);

    /// `prepare` in steps: `begin_prepare`, then `go_on` until `go_on` returns true. A step allocates one buffer or
    /// texture, or resolves the program.
    void begin_prepare(StreamProgram program, const Limits& limits);
    bool go_on();
    /// Instead of `go_on`: allocates one buffer or texture. Returns false if nothing is left to be allocated.
    bool allocate_next() { return executor_->allocate_next(program_, schedule_); }

    /// Exchanges the prepared program for one that was put aside. If `other` is empty, `prepare` must follow. Allocates
    /// nothing unless `other` is empty.
    void exchange(PreparedProgram& other);
    /// Resolves the prepared program once more. Call if memory of the program was replaced.
    void resolve_again() { executor_->resolve(program_, schedule_); }

    /// Changes the count of the prepared program. Returns false, and changes nothing, if the program is not valid for
    /// `count`.
    bool set_count(std::uint32_t count);

    /// Changes parameter `parameter` of op `op`, a constant, for later runs.
    void set_parameter(std::size_t op, std::size_t parameter, std::uint32_t value);

    /// Changes parameters of block `block` of op `op` for later runs, from parameter `first` on. For compute and cpu.
    void set_block_parameters(std::size_t op, std::size_t block, std::size_t first,
                              std::span<const std::uint32_t> values);

    /// Changes the domain of op `op` to instances 0 ... end-1, for later runs. For calls in which the caller's stream
    /// has fewer records than planned. The op writes the caller's stream, or copies the stream to a stream of the
    /// library. `end` is at most the planned end.
    void set_domain(std::size_t op, std::uint32_t end);

    const StreamProgram& program() const { return program_; }
    const Schedule& schedule() const { return schedule_; }

    /// Runs the whole program.
    void run();

    /// Starts again at op 0. The caller's streams must hold their input again.
    void restart() { done_ = 0; }
    /// Runs the next op. Returns false and runs nothing if all ops are done.
    bool step();
    /// The number of ops run since `restart`.
    std::size_t done() const { return done_; }

    /// The current words of stream `id`. Waits for the GPU. Throws `Error` past the last stream.
    std::vector<std::uint32_t> read(StreamId id);

  private:
    Executor* executor_;
    StreamProgram program_;
    Schedule schedule_;
    std::size_t done_ = 0;
};

}  // namespace glsort
