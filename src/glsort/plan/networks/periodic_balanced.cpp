#include <glsort/plan/networks/network.h>

#include <bit>

/// Periodic balanced sorting network (Dowd, Perl, Rudolph and Saks 1989; on GPUs Govindaraju, Raghuvanshi and Manocha
/// 2005), for any n.
///
/// Let m = ceil(log2 n). The network repeats one stage m times, with m steps c = m-1 ... 0 each: m^2 ops. A step
/// compares every block of 2^(c+1) elements with its mirror image: element i with i xor (2^(c+1) - 1). Every comparator
/// puts the smaller element first. Missing elements, past n, therefore act as +infinity and are skipped.
///
/// The parameters are masks over the numbers of records of two elements. `mirror` has the bits that distinguish the
/// records of a block, and `half` is the highest of these bits. In the last step both are 0: the step compares the two
/// elements of a record.

namespace glsort {
namespace {

std::vector<NetworkStep> periodic_balanced_steps(std::uint32_t n) {
    std::vector<NetworkStep> steps;
    const int stages = std::bit_width(n - 1);
    for (int stage = 1; stage <= stages; ++stage) {
        for (int step = stages - 1; step >= 0; --step) {
            // In records of two elements each.
            const std::uint32_t mirror = (1u << step) - 1;
            steps.push_back({{mirror, mirror ^ mirror >> 1},
                             {.stage = stage, .step = step},
                             step == 0 ? Partners::within : Partners::crossed});
        }
    }
    return steps;
}

std::optional<NetworkComparator> periodic_balanced_comparator(const StepParameters& parameters, std::uint32_t element) {
    const std::uint32_t mirror = parameters[0];
    const std::uint32_t partner = element ^ (2 * mirror + 1);
    return NetworkComparator{partner, element < partner};
}

constexpr const char* periodic_balanced_glsl = R"(
// glsort_op_mirror: the bits of a record's number that give its place in its block. glsort_op_half: the highest of
// them.
//
// expects parameters: half, mirror

bool glsort_ascends(glsort_Index record) { return true; }

bool glsort_has_partner(glsort_Index record, uint k, out glsort_Index partner, out bool smaller) {
    partner = record ^ glsort_op_mirror;
    smaller = !glsort_any_bit(record & glsort_op_half);
    return true;
}
)";

constexpr SortingNetwork periodic_balanced_network{
    .name = "periodic-balanced",
    .summary = "periodic balanced sorting network, one step an op",
    .source = "Dowd et al. 1989",
    .parameters = {{"mirror", Parameter::Kind::index}, {"half", Parameter::Kind::index}},
    .steps = periodic_balanced_steps,
    .comparator = periodic_balanced_comparator,
    .glsl = periodic_balanced_glsl,
    .by_record = true,
    .ends_at_powers = true,
};

}  // namespace

extern constinit const AlgorithmDescriptor periodic_balanced_algorithm = network_algorithm<periodic_balanced_network>();

}  // namespace glsort
