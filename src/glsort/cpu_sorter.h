#pragma once

#include <glsort/error.h>
#include <glsort/planner.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace glsort {

/// Runs the stream programs in plain C++ over host memory. This is the specification for the other backends, and a way
/// to look at a program without a context. Not fast.
class GLSORT_API CpuSorter {
  public:
    /// With backend `fragment` or `compute` the program is that of a device with these limits. Otherwise the program is
    /// that of the cpu backend. `spec.capacity` and `spec.max_lists` are ignored: any count is sorted.
    ///
    /// Throws `Error` as `plan` does, for textures, and for a comparison without a host function.
    explicit CpuSorter(const SortSpec& spec, const Limits& limits = {});
    ~CpuSorter();
    CpuSorter(CpuSorter&&) noexcept;
    CpuSorter& operator=(CpuSorter&&) noexcept;

    /// Sorts `keys` in place: raw bits, `key_bytes / 4` words a key, the low word of a 64-bit key first. With a payload
    /// `bytes` the values, `payload.size / 4` words each, move with their keys. With a payload `index` the values are
    /// set to the permutation. There are as many values as keys. Throws `Error` if the sizes differ.
    void sort(std::span<std::uint32_t> keys, std::span<std::uint32_t> values = {});

    /// Merges sorted lists in place, as `Sorter::merge` does. Keys and values as for `sort`. Up to `max_merge_lists`
    /// lists, of which any may be empty. Throws `Error` as `plan` does, and if the lists do not add up to the keys.
    void merge(std::span<std::uint32_t> keys, std::span<std::uint32_t> values, std::span<const std::uint32_t> lists);

    /// Begins a sort, or a merge if there are `lists`, op by op as in `Stepper`. The memory must outlive the last step.
    void begin(std::span<std::uint32_t> keys, std::span<std::uint32_t> values = {},
               std::span<const std::uint32_t> lists = {});
    /// Runs the next op. Returns false, and runs nothing, if all ops are done.
    bool step();
    /// Runs the next op, and writes to `trace` what the op read, wrote and compared. A trace grows with every element,
    /// so traces are for small sorts.
    bool step(OpTrace& trace);
    std::size_t steps_done() const;                    ///< The number of ops run since `begin`.
    std::vector<std::uint32_t> read(StreamId stream);  ///< The current words of a stream, element by element.

    /// The program of the sort begun last.
    const StreamProgram& program() const;
    /// Comparisons of elements since `begin` or the last `sort`.
    std::uint64_t comparisons() const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace glsort
