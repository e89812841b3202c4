#pragma once

#include <glsort/stream/program.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

/// What the ops of a multiway merge sort do, read from their kernels and parameters: the merge path (Odeh, Green,
/// Mwassi, Shmueli and Birk, "Merge Path: Parallel Merging Made Simple", 2012), for two runs or more.
namespace glsort::demo {

/// Groups of neighbouring sorted runs, of which an op, or a few, makes one run each.
struct Merge {
    std::uint32_t count = 0;   ///< Elements in all.
    std::uint32_t length = 0;  ///< Of a run; the last may be shorter, or missing.
    std::uint32_t runs = 0;    ///< Of a group.
    std::uint32_t window = 0;  ///< Places of the merged sequence that are merged on their own.
    StreamId records = 0;      ///< Where the runs lie.

    std::uint32_t groups() const { return (count + length * runs - 1) / (length * runs); }
    /// The elements of a group, before as after the merge, and of one of its runs.
    Block group(std::uint32_t group) const;
    Block run(std::uint32_t group, std::uint32_t run) const;
    /// The places where the windows of a group begin, and its end.
    std::vector<std::uint32_t> window_starts(std::uint32_t group) const;
};

/// What an op that takes part in a merge merges; nothing for other ops.
std::optional<Merge> merge_of(const Op& op);

/// The length of the runs that an op sorts, each on its own; nothing for other ops.
std::optional<std::uint32_t> sorted_run_of(const Op& op);

/// Of each window of a group, and of the group's end, how many elements of each run come before it. `splits`: the
/// words of the stream in which `merge_split` says so of windows that neither begin nor end a group.
std::vector<std::vector<std::uint32_t>> window_splits(const Merge& merge, std::uint32_t group,
                                                      std::span<const std::uint32_t> splits,
                                                      std::uint32_t splits_per_window);

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
