#include <glsort/plan/network_step.h>
#include <glsort/plan/odd_even.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>

namespace glsort {
namespace {

/// The specification of shaders/odd_even_partner.glsl.
std::optional<Comparator> odd_even_comparator(const CpuInvocation& k, std::uint32_t element) {
    enum : std::size_t { block_parameter, distance_parameter };
    const std::uint64_t block = std::uint64_t{2} * k.parameter(block_parameter);
    const std::uint64_t distance = std::max(std::uint64_t{2} * k.parameter(distance_parameter), std::uint64_t{1});
    const bool first_step = 2 * distance == block;
    const bool smaller = ((element & distance) == 0) == first_step;
    if (!smaller && element < distance) return std::nullopt;
    const std::uint64_t partner = smaller ? element + distance : element - distance;
    if (partner / block != element / block) return std::nullopt;
    return Comparator{static_cast<std::uint32_t>(partner), smaller};
}

}  // namespace

void plan_odd_even_step(SortFrame& frame) {
    NetworkSteps steps(frame, {.kernel = "odd_even_step",
                               .partners = "odd_even_partner",
                               .parameters = {{"block"}, {"distance"}},
                               .comparator = odd_even_comparator});
    const std::uint32_t n = frame.n();
    if (n < 2) return;
    const int stages = std::bit_width(n - 1);
    for (int stage = 1; stage <= stages; ++stage) {
        for (int step = stage - 1; step >= 0; --step) {
            const Partners partners = step > 0     ? Partners::across
                                      : stage == 1 ? Partners::within
                                                   : Partners::crossed;
            // In records, of two elements each.
            steps.add(partners, {1u << (stage - 1), (1u << step) / 2}, {.stage = stage, .step = step});
        }
    }
}

}  // namespace glsort
