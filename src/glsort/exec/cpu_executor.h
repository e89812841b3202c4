#pragma once

#include <glsort/stream/executor.h>
#include <glsort/stream/kernel.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace glsort {

/// Runs a program in plain C++, instance by instance. The cpu bodies specify every kernel. Runs programs for any
/// backend.
class CpuExecutor final : public Executor {
  public:
    /// Gives the caller's stream `id` its memory. `words` must hold at least the words of all elements of the stream.
    /// Call after `resolve`. The memory must outlive the runs.
    void bind(StreamId id, std::span<std::uint32_t> words);

    void resolve(const StreamProgram& program, const Schedule& schedule) override;
    void exchange(std::unique_ptr<Resolution>& other) override;
    void run(std::size_t first, std::size_t last) override;
    std::vector<std::uint32_t> read(std::size_t storage, std::uint32_t records) override;

    /// Sets the first words of a scratch storage, for comparisons with other executors. Ops may leave parts of their
    /// outputs unwritten, and the initial words show through. Without this call a new storage is zero. A storage of an
    /// earlier program keeps its words, unless the stream begins as zero.
    void fill(std::size_t storage, std::span<const std::uint32_t> words);

    /// Comparisons of elements since `resolve`.
    std::uint64_t comparisons() const { return comparisons_; }

    /// Calls `call`. Ops that run meanwhile append to `trace`. Tracing ends with the call, even if an op throws.
    template <class Call>
    decltype(auto) traced(OpTrace& trace, const Call& call) {
        struct Tracing {
            OpTrace*& held;
            ~Tracing() { held = nullptr; }
        };
        const Tracing tracing{trace_};
        trace_ = &trace;
        return call();
    }

  private:
    /// The memory of a program that was put aside.
    struct Aside : Resolution {
        std::vector<std::vector<std::uint32_t>> memory;
        std::vector<std::span<std::uint32_t>> storages;
        std::uint64_t comparisons = 0;
    };

    const StreamProgram* program_ = nullptr;
    const Schedule* schedule_ = nullptr;
    std::vector<std::vector<std::uint32_t>> memory_;  ///< The scratch storages.
    std::vector<std::span<std::uint32_t>> storages_;
    std::uint64_t comparisons_ = 0;
    OpTrace* trace_ = nullptr;
};

}  // namespace glsort
