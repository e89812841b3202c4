#pragma once

#include <glsort/planner.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace glsort {

/// Runs the stream programs in plain C++ over host memory: the specification that the other
/// backends are held to, and a way to look at a program without a context. Not fast.
class CpuSorter {
  public:
    /// `request.n` and `request.capacity` are ignored; so is `request.backend`, unless it is fragment
    /// or compute: then the program is the one made for that backend. Throws `Error` as `plan` does.
    explicit CpuSorter(const PlanRequest& request);
    ~CpuSorter();
    CpuSorter(CpuSorter&&) noexcept;
    CpuSorter& operator=(CpuSorter&&) noexcept;

    /// Sorts `keys` (raw bits; of 64-bit keys the low word first) in place; with a payload, `values`
    /// along with them (bytes: payload.size / 4 words each) or set to the permutation (index), as many as
    /// there are keys. Throws `Error` where the sizes differ.
    void sort(std::span<std::uint32_t> keys, std::span<std::uint32_t> values = {});

    /// The same step by step, as in Sorter. The memory must outlive the last step.
    void begin(std::span<std::uint32_t> keys, std::span<std::uint32_t> values = {});
    bool step();
    std::size_t steps_done() const;
    std::vector<std::uint32_t> read(StreamId stream);

    /// The program of the sort begun last.
    const StreamProgram& program() const;
    /// Comparisons of elements since `begin` or the last `sort`.
    std::uint64_t comparisons() const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace glsort
