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

/// Runs the stream programs in plain C++ over host memory: the specification that the other
/// backends are held to, and a way to look at a program without a context. Not fast.
class GLSORT_API CpuSorter {
  public:
    /// `spec.capacity` and `spec.max_lists` are ignored: any count is sorted. With backend `fragment` or `compute` the
    /// program is the one made for that backend and for a device of these limits; otherwise the program is the CPU's.
    /// Throws `Error` as `plan` does, for textures, and for a comparison without a host function.
    explicit CpuSorter(const SortSpec& spec, const Limits& limits = {});
    ~CpuSorter();
    CpuSorter(CpuSorter&&) noexcept;
    CpuSorter& operator=(CpuSorter&&) noexcept;

    /// Sorts `keys` (raw bits; of 64-bit keys the low word first) in place; with a payload, `values`
    /// along with them (bytes: payload.size / 4 words each) or set to the permutation (index), as many as
    /// there are keys. Throws `Error` where the sizes differ.
    void sort(std::span<std::uint32_t> keys, std::span<std::uint32_t> values = {});

    /// Merges sorted lists into one order, in place: keys and values as for `sort`, in which lists of
    /// `lists[0]`, `lists[1]`, ... elements lie one after the other, each in the order of the specification (a
    /// payload `index` is the place among all of them). Equal keys stay in the order of their lists: the
    /// result is that of `sort`. Up to `max_merge_lists` lists, of which any may be empty (`Takes::lists`). Throws
    /// `Error` as `plan` does, and where the lists do not add up to the keys.
    void merge(std::span<std::uint32_t> keys, std::span<std::uint32_t> values, std::span<const std::uint32_t> lists);

    /// The same step by step, as in Sorter: a sort, or a merge of lists where there are any. The memory must
    /// outlive the last step.
    void begin(std::span<std::uint32_t> keys, std::span<std::uint32_t> values = {},
               std::span<const std::uint32_t> lists = {});
    bool step();
    /// The same, and `trace` becomes what the op did (of no op: nothing). For small sorts: it grows with every element
    /// that is read, written or compared.
    bool step(OpTrace& trace);
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
