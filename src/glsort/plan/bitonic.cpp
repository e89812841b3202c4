#include <glsort/plan/bitonic.h>
#include <glsort/plan/network_step.h>
#include <glsort/stream/cpu_invocation.h>

#include <bit>

namespace glsort {
namespace {

/// The specification of shaders/bitonic_partner.glsl.
std::optional<Comparator> bitonic_comparator(const CpuInvocation& k, std::uint32_t element) {
    enum : std::size_t { block, distance, odd };
    const std::uint32_t record = element / 2;
    const bool ascending = ((record & k.parameter(block)) != 0) == (k.parameter(odd) != 0);
    const std::uint32_t partner = k.parameter(distance) == 0 ? element ^ 1 : element ^ 2 * k.parameter(distance);
    return Comparator{partner, (element < partner) == ascending};
}

}  // namespace

void plan_bitonic_step(SortFrame& frame) {
    NetworkSteps steps(frame, {.kernel = "bitonic_step",
                               .partners = "bitonic_partner",
                               .parameters = {{"block", Parameter::Kind::index},
                                              {"distance", Parameter::Kind::index},
                                              {"odd"}},
                               .comparator = bitonic_comparator});
    const std::uint32_t n = frame.n();
    if (n < 2) return;
    const int stages = std::bit_width(n - 1);
    for (int stage = 1; stage <= stages; ++stage) {
        for (int step = stage - 1; step >= 0; --step) {
            // In records, of two elements each.
            const std::uint32_t block = 1u << (stage - 1);
            const std::uint32_t distance = (1u << step) / 2;
            // A block ascends where its number is odd or even like that of the last.
            const std::uint32_t odd = (std::uint64_t{n - 1} >> stage & 1) != 0 ? 1 : 0;
            steps.add(step == 0 ? Partners::within : Partners::across, {block, distance, odd},
                      {.stage = stage, .step = step});
        }
    }
}

}  // namespace glsort
