#include <fmt/format.h>

#include <glsort/plan/merge/merge_lists.h>
#include <glsort/spec.h>
#include <glsort/stream/stream.h>

#include <algorithm>

namespace glsort::merge {
namespace {

/// The start of a group without runs: past every place.
constexpr std::uint32_t unused = 0xffffffffu;

}  // namespace

std::uint32_t ListLevel::longest_run() const {
    std::uint32_t longest = 0;
    for (const ListRun& run : runs)
        longest = std::max(longest, run.size());
    return longest;
}

std::vector<Counted> ListLevel::parameters(std::uint32_t group_runs) const {
    const ListTable table{group_runs};
    std::vector<Counted> words(std::size_t{table_groups} * table.group_parameters(), unused);
    for (std::uint32_t group = 0; group < merged.size(); ++group) {
        words[table.begin(group)] = merged[group].begin;
        words[table.end(group)] = merged[group].end;
        for (std::uint32_t i = 0; i < group_runs; ++i) {
            // Runs that the last group lacks are empty and come after the group's other runs.
            const std::size_t run = std::size_t{group} * group_runs + i;
            words[table.run_begin(group, i)] = run < runs.size() ? runs[run].begin : runs.back().end;
            words[table.run_end(group, i)] = run < runs.size() ? runs[run].end : runs.back().end;
        }
    }
    return words;
}

ListMerge merge_of_lists(std::span<const std::uint32_t> lists, std::uint32_t group_runs, std::uint32_t window) {
    ListMerge merge;
    std::vector<ListRun> runs;
    for (const std::uint32_t length : lists) {
        if (length > 0) runs.push_back({merge.places, merge.places + length});
        merge.places += length;
    }
    while (runs.size() > 1) {
        ListLevel level;
        std::uint32_t place = 0;
        for (std::size_t first = 0; first < runs.size(); first += group_runs) {
            place = records_for(place, window) * window;
            level.merged.push_back({place, place});
            for (std::size_t i = first; i < std::min(first + group_runs, runs.size()); ++i)
                level.merged.back().end += runs[i].size();
            place = level.merged.back().end;
        }
        if (level.merged.size() > 1) level.table_groups = max_merge_lists / group_runs;
        // No later level needs more places, because later levels have fewer groups.
        merge.places = std::max(merge.places, place);
        level.runs = std::move(runs);
        runs = level.merged;
        merge.levels.push_back(std::move(level));
    }
    return merge;
}

std::uint32_t max_places(std::uint32_t n, std::uint32_t count, std::uint32_t group_runs, std::uint32_t window) {
    const std::uint32_t groups = records_for(count, group_runs);
    return groups < 2 ? n : n + (groups - 1) * (window - 1);
}

std::vector<std::string> list_parameters(std::uint32_t table_groups, std::uint32_t group_runs) {
    std::vector<std::string> names;
    for (std::uint32_t group = 0; group < table_groups; ++group) {
        const std::string prefix = table_groups == 1 ? "" : fmt::format("group{}_", group);
        names.push_back(prefix + "begin");
        names.push_back(prefix + "end");
        for (const char* what : {"begin", "end"})
            for (std::uint32_t i = 0; i < group_runs; ++i)
                names.push_back(fmt::format("{}{}{}", prefix, what, i));
    }
    return names;
}

}  // namespace glsort::merge
