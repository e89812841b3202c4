#pragma once

#include <glsort/stream/executor.h>

#include <cstdint>
#include <vector>

namespace glsort {

/// Drives an executor through a program: all at once, or one step at a time with every stream
/// readable between steps.
class Scheduler {
  public:
    explicit Scheduler(Executor& executor) : executor_(&executor) {}
    // The executor keeps the addresses of program and schedule.
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    /// Validates `program`, gives it storage and barriers, and has the executor resolve it.
    /// Throws `Error` where the program is not valid within `limits`.
    void prepare(StreamProgram program, const Limits& limits);

    /// Makes the program prepared that of another count, where it is a program for that one, too; false where not.
    bool set_count(std::uint32_t count);

    const StreamProgram& program() const { return program_; }
    const Schedule& schedule() const { return schedule_; }

    /// Runs the whole program.
    void run();

    /// Begins again at op 0. The caller's streams must hold their input again.
    void restart() { done_ = 0; }
    /// Runs the next op. False, and nothing runs, where all are done.
    bool step();
    /// The number of ops run since `restart`.
    std::size_t done() const { return done_; }

    /// What stream `id` holds now, word by word. Waits for the GPU.
    std::vector<std::uint32_t> read(StreamId id);

  private:
    Executor* executor_;
    StreamProgram program_;
    Schedule schedule_;
    std::size_t done_ = 0;
};

}  // namespace glsort
