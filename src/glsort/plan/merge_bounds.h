#pragma once

#include <glsort/plan/merge_kernels.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <array>
#include <cstdint>

/// What the cpu bodies of the multiway merge sort's kernels share: the runs of a merge
/// (shaders/merge_group.glsl), and where windows begin and end in them (shaders/merge_bounds.glsl).

namespace glsort::merge {

enum : std::size_t { count_parameter, run_parameter };

/// The sorted runs of a merge, and the group of them that makes one run.
struct Runs {
    std::uint32_t count;   ///< Elements of the input.
    std::uint32_t length;  ///< Elements of a run.
    std::uint32_t runs;    ///< Of a group.

    std::uint32_t group_of(std::uint32_t element) const {
        return element & ~(runs * length - 1);
    }
    std::uint32_t begin(std::uint32_t group, std::uint32_t i) const { return group + i * length; }
    std::uint32_t size(std::uint32_t group, std::uint32_t i) const {
        return std::min(count - std::min(begin(group, i), count), length);
    }
};

inline Runs runs_of(const CpuInvocation& k, std::uint32_t runs) {
    return {k.parameter(count_parameter), k.parameter(run_parameter), runs};
}

/// Of each run, the first element that does not come before `place`, which is where a window of the group
/// begins or ends. `splits`: the input that says so.
inline std::array<std::uint32_t, 8> bounds_at(CpuInvocation& k, std::size_t splits,
                                              const KernelSetting& setting, const Runs& runs,
                                              std::uint32_t group, std::uint32_t place) {
    constexpr std::uint32_t splits_per_element = 4;
    const bool opens = place == group;
    const bool closes = place >= runs.count || (!opens && runs.group_of(place) != group);
    std::array<std::uint32_t, 8> bounds{};
    for (std::uint32_t i = 0; i < runs.runs; ++i) {
        std::uint32_t before = closes ? runs.size(group, i) : 0;
        if (!opens && !closes)
            before = k.read(splits, (place / setting.window() * setting.most_runs + i) /
                                        splits_per_element)[i % splits_per_element];
        bounds[i] = runs.begin(group, i) + before;
    }
    return bounds;
}

}  // namespace glsort::merge
