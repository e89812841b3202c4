#pragma once

#include <glsort/stream/executor.h>
#include <glsort/stream/trace.h>

#include <cstdint>
#include <span>
#include <vector>

namespace glsort {

/// Runs a program in plain C++, instance by instance: the specification of every kernel. It runs
/// programs made for any backend.
class CpuExecutor final : public Executor {
  public:
    /// Gives the caller's stream `id` its memory: the words of its elements, at least as many as it
    /// has records times elements times words. Call after `resolve`; the memory must outlive the
    /// runs.
    void bind(StreamId id, std::span<std::uint32_t> words);

    void resolve(const StreamProgram& program, const Schedule& schedule) override;
    void run(std::size_t first, std::size_t last) override;
    std::vector<std::uint32_t> read(std::size_t storage, std::uint32_t records) override;

    /// Gives a storage of the library's its first words, for comparisons with other executors: ops that leave parts of
    /// what they write as they are show them. Zero without.
    void fill(std::size_t storage, std::span<const std::uint32_t> words);

    /// Comparisons of elements since `resolve`.
    std::uint64_t comparisons() const { return comparisons_; }

    /// Where the ops that run from now on write what they do; null: nowhere.
    void set_trace(OpTrace* trace) { trace_ = trace; }

  private:
    const StreamProgram* program_ = nullptr;
    const Schedule* schedule_ = nullptr;
    std::vector<std::vector<std::uint32_t>> memory_;  ///< Of the library's storages.
    std::vector<std::span<std::uint32_t>> storages_;
    std::uint64_t comparisons_ = 0;
    OpTrace* trace_ = nullptr;
};

}  // namespace glsort
