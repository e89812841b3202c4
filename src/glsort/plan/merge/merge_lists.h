#pragma once

#include <glsort/stream/stream.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Merges of sorted lists of any length: the tables that give the kernels of the multiway merge sort the places of the
/// runs (shaders/merge/merge_group.glsl, LISTS).

namespace glsort::merge {

/// A sorted run: a range of elements in the stream of records.
struct ListRun {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t size() const { return end - begin; }
    friend bool operator==(const ListRun&, const ListRun&) = default;
};

/// The indices of the parameters of an op that merges groups of runs. Each group has the start and the end of its
/// merged sequence, then the start of each run, then the end of each run. The start of the sequence is a multiple of
/// the window.
struct ListTable {
    std::uint32_t runs = 8;  ///< Max runs per group.

    std::uint32_t group_parameters() const { return 2 + 2 * runs; }
    std::uint32_t begin(std::uint32_t group) const { return group * group_parameters(); }
    std::uint32_t end(std::uint32_t group) const { return begin(group) + 1; }
    std::uint32_t run_begin(std::uint32_t group, std::uint32_t i) const { return begin(group) + 2 + i; }
    std::uint32_t run_end(std::uint32_t group, std::uint32_t i) const { return run_begin(group, i) + runs; }
};

/// A level of a merge. The level turns groups of up to eight runs into one run each.
struct ListLevel {
    /// The number of groups in the table: 1 for the last level, else the max of any level.
    std::uint32_t table_groups = 1;
    std::vector<ListRun> runs;
    std::vector<ListRun> merged;  ///< One run for each group.

    std::uint32_t longest_run() const;
    std::vector<Counted> parameters(std::uint32_t group_runs) const;
};

/// The plan of a merge of lists that lie one after the other.
struct ListMerge {
    std::vector<ListLevel> levels;  ///< Empty for less than two lists.
    /// Places that the levels use. There are more places than elements if the last window of some group is not the last
    /// window of all.
    std::uint32_t places = 0;
};

/// Groups have `group_runs` (4 or 8) runs, and windows have `window` elements. Empty lists are ignored.
ListMerge merge_of_lists(std::span<const std::uint32_t> lists, std::uint32_t group_runs, std::uint32_t window);

/// Max `places` of any merge of `count` lists with n elements together.
std::uint32_t max_places(std::uint32_t n, std::uint32_t count, std::uint32_t group_runs, std::uint32_t window);

/// The names of a table's parameters.
std::vector<std::string> list_parameters(std::uint32_t table_groups, std::uint32_t group_runs);

}  // namespace glsort::merge
