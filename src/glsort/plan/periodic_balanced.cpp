#include <glsort/plan/network_step.h>
#include <glsort/plan/periodic_balanced.h>
#include <glsort/stream/cpu_invocation.h>

#include <bit>

namespace glsort {
namespace {

/// The specification of shaders/periodic_balanced_partner.glsl.
std::optional<Comparator> balanced_comparator(const CpuInvocation& k, std::uint32_t element) {
    constexpr std::size_t mirror_parameter = 0;
    const std::uint32_t partner = element ^ (2 * k.parameter(mirror_parameter) + 1);
    return Comparator{partner, element < partner};
}

}  // namespace

void plan_periodic_balanced_step(SortFrame& frame) {
    NetworkSteps steps(frame, {.kernel = "periodic_balanced_step",
                               .partners = "periodic_balanced_partner",
                               .parameters = {{"mirror", Parameter::Kind::index}, {"half", Parameter::Kind::index}},
                               .comparator = balanced_comparator});
    const std::uint32_t n = frame.n();
    if (n < 2) return;
    const int stages = std::bit_width(n - 1);
    for (int stage = 1; stage <= stages; ++stage) {
        for (int step = stages - 1; step >= 0; --step) {
            // Of records, of two elements each.
            const std::uint32_t mirror = (1u << step) - 1;
            steps.add(step == 0 ? Partners::within : Partners::crossed, {mirror, mirror ^ mirror >> 1},
                      {.stage = stage, .step = step});
        }
    }
}

}  // namespace glsort
