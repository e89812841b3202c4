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

/// Runs stream programs in plain C++ over host memory. The class is the specification of the other backends, and runs a
/// program step by step without a context. Not fast.
class GLSORT_API CpuSorter {
  public:
    /// `spec.backend` decides which program runs. `fragment` and `compute` choose the program that a device with these
    /// limits would run. `cpu` and `automatic` choose the program of the cpu backend. `spec.capacity` and
    /// `spec.max_lists` are ignored: any count is sorted.
    ///
    /// Throws `Error` as `plan` does, for an input or output of texture, and for a comparison without a host function.
    explicit CpuSorter(const SortSpec& spec, const Limits& limits = {});
    ~CpuSorter();
    CpuSorter(CpuSorter&&) noexcept;
    CpuSorter& operator=(CpuSorter&&) noexcept;

    /// Sorts `keys` in place. Keys are raw bits, with `key_bytes / 4` words each, the low word of a 64-bit key first.
    ///
    /// There are as many values as keys, with `payload.size / 4` words each. With a payload `bytes` the values move
    /// with their keys. With a payload `index` a sort writes to the values the position of each key in the input.
    ///
    /// Throws `Error` as `plan` does, for a number of words that does not fit, and for more than 2^32-1 keys.
    void sort(std::span<std::uint32_t> keys, std::span<std::uint32_t> values = {});

    /// Merges sorted lists in place, as `Sorter::merge` does. Keys and values are laid out as for `sort`. There are up
    /// to `max_merge_lists` lists, of which any may be empty. Throws `Error` as `sort` does, and for lengths that do
    /// not add up to the number of keys.
    void merge(std::span<std::uint32_t> keys, std::span<std::uint32_t> values, std::span<const std::uint32_t> lists);

    /// Begins a sort, or a merge if there are `lists`, for `step` to run op by op. The memory of keys and values must
    /// outlive the last step. Throws `Error` as `sort` and `merge` do.
    void begin(std::span<std::uint32_t> keys, std::span<std::uint32_t> values = {},
               std::span<const std::uint32_t> lists = {});
    /// Runs the next op. Returns false, and runs nothing, if all ops are done.
    bool step();
    /// Runs the next op, and replaces `trace` by what the op read, wrote and compared. A trace grows with every
    /// element, so traces are for small sorts.
    bool step(OpTrace& trace);
    /// The number of ops run since `begin`.
    std::size_t steps_done() const;
    /// The current words of a stream, element by element. `stream` is an index into the `streams` of `program()`.
    std::vector<std::uint32_t> read(StreamId stream);

    /// The program of the last sort or merge. Before the first, a program of no elements.
    const StreamProgram& program() const;
    /// Comparisons of elements in the last sort or merge, up to the last step.
    std::uint64_t comparisons() const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace glsort
