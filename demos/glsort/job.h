#pragma once

#include <glsort/planner.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "reference.h"

namespace glsort::demo {

/// One way to sort, set up with its input, to be run as often as one likes: what `sort` runs once
/// and `bench` times.
class SortJob {
  public:
    virtual ~SortJob() = default;

    /// What sorts, resolved.
    virtual AlgorithmChoice algorithm() const = 0;
    /// Brings the unsorted input back, which the last sort may have overwritten. On a GPU this is
    /// only queued.
    virtual void restore() = 0;
    /// Sorts. On a GPU this is only queued.
    virtual void sort() = 0;
    /// Waits until everything queued is done.
    virtual void finish() {}
    /// What the last sort made. Waits.
    virtual Items result() = 0;
    /// Comparisons of elements in the last sort, where they are counted.
    virtual std::optional<std::uint64_t> comparisons() const { return std::nullopt; }
};

/// CpuSorter: the stream program of `request`, which tells the type of the items, in plain C++.
std::unique_ptr<SortJob> make_cpu_job(const SortSpec& spec, const Items& input);

/// What a program would do without this library: std::sort of records that hold the key's code and,
/// with a payload, its index, so that the result is the same. Only std::sort itself happens in
/// sort(); codes are made, and payloads gathered, outside.
std::unique_ptr<SortJob> make_std_sort_job(const ItemType& type, const Items& input);

}  // namespace glsort::demo
