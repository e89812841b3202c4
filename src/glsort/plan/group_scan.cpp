#include <fmt/format.h>

#include <glsort/plan/group_scan.h>

namespace glsort {

void declare_subgroups(Kernel& kernel, Subgroups subgroups, std::uint32_t size) {
    kernel.subgroups = subgroups;
    kernel.defines.emplace_back("GLSORT_SUBGROUP", fmt::format("{}", size));
    if (subgroups == Subgroups::khr) kernel.defines.emplace_back("GLSORT_SUBGROUPS_KHR", "1");
}

namespace {

// ARB_shader_ballot has no prefix sums.
bool scans_by_subgroups(std::uint32_t invocations, const Limits& limits) {
    return limits.has_subgroups() && limits.subgroup_size <= invocations && limits.subgroups == Subgroups::khr;
}

}  // namespace

std::uint32_t scan_words(std::uint32_t invocations, const Limits& limits) {
    return scans_by_subgroups(invocations, limits) ? invocations / limits.subgroup_size : scan_words(invocations);
}

void declare_group_scan(Kernel& kernel, const Limits& limits) {
    kernel.defines.emplace_back("GLSORT_SCAN_ROW", literal(scan_row));
    kernel.shared_words += scan_words(kernel.group_size, limits);
    if (scans_by_subgroups(kernel.group_size, limits)) declare_subgroups(kernel, Subgroups::khr, limits.subgroup_size);
}

}  // namespace glsort
