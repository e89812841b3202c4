#pragma once

#include <glsort/stream/counted.h>

#include <glsort/stream/counted.h>
#include <array>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Merges of sorted lists of any length: the tables that tell the kernels of the multiway merge sort where
/// runs lie (shaders/merge/merge_group.glsl, LISTS).

namespace glsort::merge {

/// A sorted run: its elements in the stream of records.
struct ListRun {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t size() const { return end - begin; }
    friend bool operator==(const ListRun&, const ListRun&) = default;
};

/// The parameters of an op that merges groups of runs, by their places. Of each group: where its merged
/// sequence begins, which is a multiple of the window, and ends; where each of its runs begins; where each
/// ends.
struct ListTable {
    std::uint32_t runs = 8;  ///< Of a group, at the most.

    std::uint32_t group_parameters() const { return 2 + 2 * runs; }
    std::uint32_t begin(std::uint32_t group) const { return group * group_parameters(); }
    std::uint32_t end(std::uint32_t group) const { return begin(group) + 1; }
    std::uint32_t run_begin(std::uint32_t group, std::uint32_t i) const { return begin(group) + 2 + i; }
    std::uint32_t run_end(std::uint32_t group, std::uint32_t i) const { return run_begin(group, i) + runs; }
};

/// A level of a merge: groups of up to eight runs each, which it makes runs of.
struct ListLevel {
    /// Of the table: 1 for the last level, else as many as any level has.
    std::uint32_t table_groups = 1;
    std::vector<ListRun> runs;
    std::vector<ListRun> merged;  ///< One of each group.

    std::uint32_t longest_run() const;
    std::vector<Counted> parameters(std::uint32_t group_runs) const;
};

/// What it takes to merge lists that lie one after the other.
struct ListMerge {
    std::vector<ListLevel> levels;  ///< None for one list, or none.
    /// Places that the levels take: more than there are elements where a group's last window is not the
    /// last of all.
    std::uint32_t places = 0;
};

/// Groups of `group_runs` (4 or 8) runs, windows of `window` elements. Empty lists take no part.
ListMerge merge_of_lists(std::span<const std::uint32_t> lists, std::uint32_t group_runs, std::uint32_t window);

/// `places` of any such merge of `count` lists that have n elements, at the most.
std::uint32_t most_places(std::uint32_t n, std::uint32_t count, std::uint32_t group_runs, std::uint32_t window);

/// The names of a table's parameters.
std::vector<std::string> list_parameters(std::uint32_t table_groups, std::uint32_t group_runs);

}  // namespace glsort::merge
