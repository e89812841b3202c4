#pragma once

#include <glsort/planner.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reference.h"
#include "support/timing.h"

namespace glsort::demo {

/// A sort with its input, ready to run any number of times. `sort` runs a job once or twice, and `bench` measures a
/// job.
class SortJob : public Timed {
  public:
    /// The algorithm and variant, resolved.
    virtual AlgorithmChoice algorithm() const = 0;
    /// Restores the unsorted input, which the last sort may have overwritten. On a GPU, only queues the work.
    void restore() override = 0;
    /// Sorts. On a GPU, only queues the work.
    virtual void sort() = 0;
    void run() final { sort(); }
    /// Sorts op by op, and waits for each op. Calls `done` with the number of finished ops and the number of all ops.
    virtual void sort_in_steps(const std::function<void(std::size_t done, std::size_t ops)>& done) = 0;
    /// The result of the last sort. Waits.
    virtual Items result() = 0;
    /// Comparisons of elements in the last sort. Empty if the job does not count them.
    virtual std::optional<std::uint64_t> comparisons() const { return std::nullopt; }
};

/// Bytes of host memory that one copy of a sort's keys and values takes.
std::uint64_t bytes_of_items(const ItemType& type, std::uint64_t count);

/// A job with CpuSorter, which runs the program of `spec` in plain C++.
std::unique_ptr<SortJob> make_cpu_job(const SortSpec& spec, const Items& input);

/// Sorts of other libraries in host memory: what a program would call without this library.
enum class HostSort { std_sort, std_stable_sort, tbb_parallel_sort };
/// `std_sort`, `std_stable_sort`, `tbb_parallel_sort`.
std::string_view host_sort_name(HostSort sort);
/// The library and its version, such as `oneTBB 2021.8`. Empty if this build lacks the library.
std::string host_sort_version(HostSort sort);

/// A job with such a sort. A record holds the key's code. With a payload, the record also holds the key's index, which
/// makes the sort stable. sort() calls only the sort. Other functions make the codes and gather the payloads. Throws
/// std::runtime_error if this build lacks the library.
std::unique_ptr<SortJob> make_host_job(HostSort sort, const ItemType& type, const Items& input);

}  // namespace glsort::demo
