#pragma once

#include <glsort/stream/program.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

/// The work of the ops of a multiway merge sort, derived from the descriptions of their kernels. The merge path is
/// generalised to two or more runs (Odeh, Green, Mwassi, Shmueli and Birk, "Merge Path: Parallel Merging Made Simple",
/// 2012).
namespace glsort::demo {

/// Groups of neighbouring sorted runs. One op or a few ops turn each group into one run.
struct Merge {
    std::uint32_t count = 0;   ///< All elements.
    std::uint32_t length = 0;  ///< Elements per run. The last run may be shorter or missing.
    std::uint32_t runs = 0;    ///< Runs per group.
    std::uint32_t window = 0;  ///< Places of the merged sequence that are merged independently.
    StreamId records = 0;      ///< The stream of the runs.

    std::uint32_t groups() const { return records_for(count, length * runs); }
    /// The elements of a group, and the elements of one of its runs. A merge does not change which elements belong to a
    /// group.
    Block group(std::uint32_t group) const;
    Block run(std::uint32_t group, std::uint32_t run) const;
    /// The number of windows of a group, and the start of a window. The start of the window after the last is the
    /// group's end.
    std::uint32_t windows(std::uint32_t group) const;
    std::uint32_t window_begin(std::uint32_t group, std::uint32_t window) const;
};

/// The merge that an op takes part in. Nothing for other ops.
std::optional<Merge> merge_of(const Op& op);

/// The length of the runs that an op sorts independently. Nothing for other ops.
std::optional<std::uint32_t> sorted_run_of(const Op& op);

/// How many elements of each run of a group come before `place`. `place` is the start of a window or the end of the
/// group. `splits`: the words of the stream in which `merge_split` stores these numbers, except for the first window of
/// each group.
std::vector<std::uint32_t> split_at(const Merge& merge, std::uint32_t group, std::uint32_t place,
                                    std::span<const std::uint32_t> splits, std::uint32_t words_per_window);

/// The run of the element at a place of the merged sequence. `sources`: the words of the stream in which `merge_order`
/// stores the run. One half of a window is merged upwards from the start of the window, the other downwards from its
/// end.
std::uint32_t source_run(const Merge& merge, std::uint32_t place, std::span<const std::uint32_t> sources,
                         std::uint32_t words_per_side);

/// How far a merge of two runs has come.
struct PathPoint {
    std::uint32_t a = 0;  ///< Elements taken from one run,
    std::uint32_t b = 0;  ///< and from the other.
    friend bool operator==(const PathPoint&, const PathPoint&) = default;
};

/// The point at which the merge path of two sorted runs crosses a diagonal. There the smallest `diagonal` elements of
/// both runs are taken. Among equal elements, elements of `a` come first. `place_a` and `place_b` give an element's
/// place in the sorted order.
PathPoint path_at(std::uint32_t diagonal, std::uint32_t size_a, std::uint32_t size_b,
                  const std::function<std::uint32_t(std::uint32_t)>& place_a,
                  const std::function<std::uint32_t(std::uint32_t)>& place_b);

}  // namespace glsort::demo
