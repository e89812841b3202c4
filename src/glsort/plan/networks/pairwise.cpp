#include <glsort/plan/networks/network.h>

#include <bit>

/// Pairwise sorting network (Parberry 1992, "The Pairwise Sorting Network"), for any n.
///
/// Let m = ceil(log2 n). The first m steps sort pairs, then pairs of pairs, and so on: step c compares pairs of
/// elements that are 2^c apart.
/// The other steps work on blocks of 2^c elements, c = m-2 ... 0. For each c they compare block 2i+1 with block 2i+1 +
/// d, for d = 2^k - 1, k = m-1-c ... 1.
/// The network has m(m+1)/2 ops, and the number of comparators of the odd-even merge sort. Every comparator puts the
/// smaller element first. Missing elements, past n, therefore act as +infinity and are skipped.

namespace glsort {
namespace {

std::vector<NetworkStep> pairwise_steps(std::uint32_t n) {
    std::vector<NetworkStep> steps;
    const int m = std::bit_width(n - 1);
    int stage = 0;
    for (int c = 0; c < m; ++c) {
        const std::uint32_t block = 1u << c;
        steps.push_back({{block, block, 0}, {.stage = ++stage, .step = 0}});
    }
    for (int c = m - 2; c >= 0; --c) {
        ++stage;
        const std::uint32_t block = 1u << c;
        for (int k = m - 1 - c; k > 0; --k)
            steps.push_back({{block, ((1u << k) - 1) * block, 1}, {.stage = stage, .step = k - 1}});
    }
    return steps;
}

std::optional<NetworkComparator> pairwise_comparator(const StepParameters& parameters, std::uint32_t element) {
    const std::uint32_t block = parameters[0];
    const std::uint32_t distance = parameters[1];
    const bool odd_first = parameters[2] != 0;
    const bool smaller = ((element & block) != 0) == odd_first;
    const std::uint32_t partner = smaller ? element + distance : element - distance;
    // A number that has wrapped around lies on the wrong side.
    if ((element < partner) != smaller) return std::nullopt;
    return NetworkComparator{partner, smaller};
}

constexpr const char* pairwise_glsl = R"(
// Compares blocks of glsort_op_block elements that are glsort_op_distance elements apart. The smaller elements go to
// the even blocks, or to the odd blocks if glsort_op_odd is set.
//
// expects parameters: block, distance, odd
bool glsort_has_partner(uint element, out uint partner, out bool smaller) {
    smaller = ((element & glsort_op_block) != 0u) == (glsort_op_odd != 0u);
    partner = smaller ? element + glsort_op_distance : element - glsort_op_distance;
    return (element < partner) == smaller;
}
)";

constexpr SortingNetwork pairwise_network{
    .name = "pairwise",
    .summary = "pairwise sorting network, one step an op",
    .source = "Parberry 1992",
    .parameters = {{"block"}, {"distance"}, {"odd"}},
    .steps = pairwise_steps,
    .comparator = pairwise_comparator,
    .glsl = pairwise_glsl,
};

}  // namespace

extern constinit const AlgorithmDescriptor pairwise_algorithm = network_algorithm<pairwise_network>();

}  // namespace glsort
