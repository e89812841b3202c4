#pragma once

#include <glsort/plan/merge/merge_kernels.h>
#include <glsort/plan/merge/merge_lists.h>
#include <glsort/stream/cpu_invocation.h>
#include <glsort/stream/search.h>

#include <algorithm>
#include <array>
#include <cstdint>

/// Code that the cpu bodies of the multiway merge sort share: the runs of a merge (shaders/merge/merge_group.glsl), and
/// the bounds of windows in them (shaders/merge/merge_bounds.glsl).

namespace glsort::merge {

enum : std::size_t { count_parameter, run_parameter };

/// An element past the end, greater than every code and index.
inline constexpr Element missing{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu};

/// The sorted runs of a merge, in groups. A merge turns each group into one run. The number of a group is the place at
/// which the group's merged sequence begins. In merges of lists, the number of a group is its index in the table.
class Runs {
  public:
    Runs(const CpuInvocation& k, const KernelPolicy& policy, std::uint32_t runs)
        : k_(&k), table_{runs}, groups_(policy.groups), runs_(runs) {}

    std::uint32_t per_group() const { return runs_; }
    std::uint32_t group_of(std::uint32_t place) const {
        if (groups_ == 0) return place & ~(runs_ * length() - 1);
        std::uint32_t group = 0;
        while (group + 1 < groups_ && place >= group_begin(group + 1))
            ++group;
        return group;
    }
    std::uint32_t group_begin(std::uint32_t group) const {
        return groups_ == 0 ? group : k_->parameter(table_.begin(group));
    }
    std::uint32_t begin(std::uint32_t group, std::uint32_t i) const {
        return groups_ == 0 ? group + i * length() : k_->parameter(table_.run_begin(group, i));
    }
    std::uint32_t size(std::uint32_t group, std::uint32_t i) const {
        if (groups_ != 0) return k_->parameter(table_.run_end(group, i)) - begin(group, i);
        return std::min(count() - std::min(begin(group, i), count()), length());
    }
    /// The end of the elements in the windows from `place` on. At least `place`.
    std::uint32_t elements_end(std::uint32_t place) const {
        return std::max(groups_ == 0 ? count() : k_->parameter(table_.end(group_of(place))), place);
    }
    /// Whether the windows of the group end at or before `place`.
    bool closes_at(std::uint32_t place, std::uint32_t group) const {
        if (groups_ != 0) return place >= k_->parameter(table_.end(group));
        return place >= count() || (place != group && group_of(place) != group);
    }

  private:
    std::uint32_t count() const { return k_->parameter(count_parameter); }  ///< Elements of the input.
    std::uint32_t length() const { return k_->parameter(run_parameter); }   ///< Elements of a run.

    const CpuInvocation* k_;
    ListTable table_;
    std::uint32_t groups_;
    std::uint32_t runs_;
};

/// For each run of a group, the number of the run's elements among the first `rank` elements of the merged sequence.
/// Equal keys come in the order of their runs. Input 0 has the runs.
inline std::array<std::uint32_t, 8> elements_before(CpuInvocation& k, const Runs& runs, std::uint32_t group,
                                                    std::uint32_t rank) {
    const auto key = [&](std::uint32_t i, std::uint32_t element) { return k.read(0, runs.begin(group, i) + element); };
    /// The number of elements of run i before the first for which `before` is false.
    const auto count = [&](std::uint32_t i, const auto& before) { return first_without(runs.size(group, i), before); };
    const auto rank_of = [&](std::uint32_t i, std::uint32_t element) {
        const Element mine = key(i, element);
        std::uint32_t sum = element;
        for (std::uint32_t j = 0; j < runs.per_group(); ++j)
            if (j != i)
                sum += count(j, [&](std::uint32_t other) {
                    return j < i ? !k.precedes(mine, key(j, other)) : k.precedes(key(j, other), mine);
                });
        return sum;
    };
    std::array<std::uint32_t, 8> before{};
    for (std::uint32_t i = 0; i < runs.per_group(); ++i)
        before[i] = count(i, [&](std::uint32_t element) { return rank_of(i, element) < rank; });
    // If the caller's comparison is no order, there may be too many elements, or too few.
    std::uint32_t missing_before = rank;
    for (std::uint32_t i = 0; i < runs.per_group(); ++i) {
        before[i] = std::min(before[i], missing_before);
        missing_before -= before[i];
    }
    for (std::uint32_t i = 0; i < runs.per_group(); ++i) {
        const std::uint32_t more = std::min(runs.size(group, i) - before[i], missing_before);
        before[i] += more;
        missing_before -= more;
    }
    return before;
}

/// For each run, the first element that does not come before `place`. A window of the group begins or ends at `place`.
/// `splits`: the input port with the splits.
inline std::array<std::uint32_t, 8> bounds_at(CpuInvocation& k, std::size_t splits, const KernelPolicy& policy,
                                              const Runs& runs, std::uint32_t group, std::uint32_t place) {
    constexpr std::uint32_t splits_per_element = 4;
    const bool opens = place == runs.group_begin(group);
    const bool closes = runs.closes_at(place, group);
    std::array<std::uint32_t, 8> bounds{};
    for (std::uint32_t i = 0; i < runs.per_group(); ++i) {
        std::uint32_t before = closes ? runs.size(group, i) : 0;
        if (!opens && !closes)
            before = k.read(
                splits, (place / policy.window() * policy.max_runs + i) / splits_per_element)[i % splits_per_element];
        bounds[i] = runs.begin(group, i) + before;
    }
    return bounds;
}

}  // namespace glsort::merge
