#pragma once

#include <glsort/planner.h>

#include <cstddef>
#include <cstdint>
#include <functional>
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
    /// Sorts operation by operation, and waits for each one. `done` hears how many of how many are done.
    virtual void sort_in_steps(const std::function<void(std::size_t done, std::size_t ops)>& done) = 0;
    /// Waits until everything queued is done.
    virtual void finish() {}
    /// What the last sort made. Waits.
    virtual Items result() = 0;
    /// Comparisons of elements in the last sort, where they are counted.
    virtual std::optional<std::uint64_t> comparisons() const { return std::nullopt; }
};

/// Bytes of host memory that the items of a sort take, once: keys and values.
std::uint64_t bytes_of_items(const ItemType& type, std::uint64_t count);

/// CpuSorter: the stream program of `request`, which tells the type of the items, in plain C++.
std::unique_ptr<SortJob> make_cpu_job(const SortSpec& spec, const Items& input);

/// What a program would do without this library: std::sort of records that hold the key's code and,
/// with a payload, its index, so that the result is the same. Only std::sort itself happens in
/// sort(); codes are made, and payloads gathered, outside.
std::unique_ptr<SortJob> make_std_sort_job(const ItemType& type, const Items& input);

}  // namespace glsort::demo
