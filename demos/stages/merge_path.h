#pragma once

#include <glsort/stream/program.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

/// What the ops of a multiway merge sort do, read from what their kernels say of themselves: the merge path (Odeh,
/// Green, Mwassi, Shmueli and Birk, "Merge Path: Parallel Merging Made Simple", 2012), for two runs or more.
namespace glsort::demo {

/// Groups of neighbouring sorted runs, of which an op, or a few, makes one run each.
struct Merge {
    std::uint32_t count = 0;   ///< Elements in all.
    std::uint32_t length = 0;  ///< Of a run; the last may be shorter, or missing.
    std::uint32_t runs = 0;    ///< Of a group.
    std::uint32_t window = 0;  ///< Places of the merged sequence that are merged on their own.
    StreamId records = 0;      ///< Where the runs lie.

    std::uint32_t groups() const { return records_for(count, length * runs); }
    /// The elements of a group, before as after the merge, and of one of its runs.
    Block group(std::uint32_t group) const;
    Block run(std::uint32_t group, std::uint32_t run) const;
    /// The windows of a group, and the place where one begins; of one behind the last, where the group ends.
    std::uint32_t windows(std::uint32_t group) const;
    std::uint32_t window_begin(std::uint32_t group, std::uint32_t window) const;
};

/// What an op that takes part in a merge merges; nothing for other ops.
std::optional<Merge> merge_of(const Op& op);

/// The length of the runs that an op sorts, each on its own and all alike; nothing for other ops.
std::optional<std::uint32_t> sorted_run_of(const Op& op);

/// How many elements of each run of a group come before `place`, where a window begins or the group ends. `splits`: the
/// words of the stream in which `merge_split` says so of windows that do not begin a group.
std::vector<std::uint32_t> split_at(const Merge& merge, std::uint32_t group, std::uint32_t place,
                                    std::span<const std::uint32_t> splits, std::uint32_t words_per_window);

/// The run that the element at a place of the merged sequence comes from, as `merge_order` says in the words of its
/// stream `sources`: half a window merged upwards from its begin, half downwards from its end.
std::uint32_t source_run(const Merge& merge, std::uint32_t place, std::span<const std::uint32_t> sources,
                         std::uint32_t words_per_side);

/// How far a merge of two runs has come.
struct PathPoint {
    std::uint32_t a = 0;  ///< Elements taken of one run,
    std::uint32_t b = 0;  ///< and of the other.
    friend bool operator==(const PathPoint&, const PathPoint&) = default;
};

/// Where the merge path of two sorted runs crosses a diagonal: `diagonal` elements taken of both, the smallest ones; of
/// equal ones those of `a` first. `place_a` and `place_b` say where an element stands in the sorted order.
PathPoint path_at(std::uint32_t diagonal, std::uint32_t size_a, std::uint32_t size_b,
                  const std::function<std::uint32_t(std::uint32_t)>& place_a,
                  const std::function<std::uint32_t(std::uint32_t)>& place_b);

}  // namespace glsort::demo
