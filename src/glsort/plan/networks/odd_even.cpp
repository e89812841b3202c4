#include <glsort/plan/networks/network.h>

#include <algorithm>
#include <bit>

/// Odd-even merge sorting network (Batcher 1968; on GPUs Kipfer and Westermann 2005), for any n.
///
/// Let m = ceil(log2 n). Stage s = 1 ... m merges pairs of sorted blocks of 2^(s-1), in steps c = s-1 ... 0. The
/// network has m(m+1)/2 ops, and fewer comparators than the bitonic network. A step compares pairs of chunks of 2^c
/// elements. The first step of a stage compares the two halves of every block. Each later step compares chunk 1 with 2,
/// 3 with 4, and so on. The first and last chunk of a block have no partner. Every comparator puts the smaller element
/// first. Missing elements, past n, therefore act as +infinity and are skipped. The network is that of
/// `odd_even_merge_sort` (plan/networks/sorting_network.h).
///
/// The parameters `block` and `distance` count records of two elements. Distance 0 compares neighbouring elements.

namespace glsort {
namespace {

std::vector<NetworkStep> odd_even_steps(std::uint32_t n) {
    std::vector<NetworkStep> steps;
    const int stages = std::bit_width(n - 1);
    for (int stage = 1; stage <= stages; ++stage) {
        for (int step = stage - 1; step >= 0; --step) {
            const Partners partners = step > 0 ? Partners::across : stage == 1 ? Partners::within : Partners::crossed;
            // In records of two elements each.
            steps.push_back({{1u << (stage - 1), (1u << step) / 2}, {.stage = stage, .step = step}, partners});
        }
    }
    return steps;
}

std::optional<NetworkComparator> odd_even_comparator(const StepParameters& parameters, std::uint32_t element) {
    const std::uint64_t block = std::uint64_t{2} * parameters[0];
    const std::uint64_t distance = std::max(std::uint64_t{2} * parameters[1], std::uint64_t{1});
    const bool first_step = 2 * distance == block;
    const bool smaller = ((element & distance) == 0) == first_step;
    if (!smaller && element < distance) return std::nullopt;
    const std::uint64_t partner = smaller ? element + distance : element - distance;
    if (partner / block != element / block) return std::nullopt;
    return NetworkComparator{static_cast<std::uint32_t>(partner), smaller};
}

constexpr const char* odd_even_glsl = R"(
// Compares pairs of chunks of glsort_op_distance records. In the first step of a stage the chunks are the halves of a
// block of glsort_op_block records. In later steps the first and last chunk of a block have no partner.
// GLSORT_CROSSED: chunks of one element.
//
// expects parameters: block, distance
// allows macros: GLSORT_CROSSED

bool glsort_ascends(glsort_Index record) { return true; }

bool glsort_has_partner(glsort_Index record, uint k, out glsort_Index partner, out bool smaller) {
    uint number = glsort_number_of(record);
#if defined(GLSORT_CROSSED)
    uint distance = 1u;
    smaller = k == 1u;
#else
    uint distance = glsort_op_distance;
    bool first_step = 2u * distance == glsort_op_block;
    smaller = ((number & distance) == 0u) == first_step;
#endif
    uint other = smaller ? number + distance : number - distance;
    partner = glsort_index_of(other);
    return ((other ^ number) & ~(glsort_op_block - 1u)) == 0u;
}
)";

constexpr SortingNetwork odd_even_network{
    .name = "odd-even",
    .summary = "odd-even merge sorting network, one step an op",
    .source = "Batcher 1968",
    .parameters = {{"block"}, {"distance"}},
    .steps = odd_even_steps,
    .comparator = odd_even_comparator,
    .glsl = odd_even_glsl,
    .by_record = true,
    .ends_at_powers = true,
};

}  // namespace

extern constinit const AlgorithmDescriptor odd_even_algorithm = network_algorithm<odd_even_network>();

}  // namespace glsort
