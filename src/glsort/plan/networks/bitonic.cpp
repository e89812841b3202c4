#include <glsort/plan/networks/bitonic_local.h>
#include <glsort/plan/networks/network.h>
#include <glsort/plan/networks/tuning.h>

#include <bit>

/// Bitonic sorting network (Batcher 1968), for any n.
///
/// Let m = ceil(log2 n). Stage s = 1 ... m turns pairs of sorted blocks of 2^(s-1) into sorted blocks of 2^s. The steps
/// c = s-1 ... 0 of a stage compare element i with i xor 2^c. The network has m(m+1)/2 ops. Block b ascends if and only
/// if b xor ((n-1) >> s) is even, so the last block always ascends. Partners past the end then act as +infinity and are
/// skipped.
///
/// The parameters `block` and `distance` count records of two elements. Distance 0 compares the two elements of a
/// record. `last` is the number of the last block, (n-1) >> s.

namespace glsort {
namespace {

/// The number of the last block.
Counted last_block(std::uint32_t n, int stage) {
    return stage < 32 ? parts_of(Counted::count(n), 1u << stage) + ~0u : Counted(0);
}

std::vector<NetworkStep> bitonic_steps(std::uint32_t n) {
    std::vector<NetworkStep> steps;
    const int stages = std::bit_width(n - 1);
    for (int stage = 1; stage <= stages; ++stage) {
        for (int step = stage - 1; step >= 0; --step) {
            // In records of two elements each.
            const std::uint32_t block = 1u << (stage - 1);
            const std::uint32_t distance = (1u << step) / 2;
            steps.push_back({{block, distance, last_block(n, stage)},
                             {.stage = stage, .step = step},
                             step == 0 ? Partners::within : Partners::across});
        }
    }
    return steps;
}

std::optional<NetworkComparator> bitonic_comparator(const StepParameters& parameters, std::uint32_t element) {
    enum : std::size_t { block, distance, last };
    const std::uint32_t record = element / 2;
    const bool ascending = ((record & parameters[block]) != 0) == (parameters[last] % 2 != 0);
    const std::uint32_t partner = parameters[distance] == 0 ? element ^ 1 : element ^ 2 * parameters[distance];
    return NetworkComparator{partner, (element < partner) == ascending};
}

constexpr const char* bitonic_glsl = R"(
// Compares records that are glsort_op_distance apart. Blocks of glsort_op_block records ascend or descend. A block
// ascends if its number has the parity of glsort_op_last, the number of the last block.
//
// expects parameters: block, distance, last

bool glsort_ascends(glsort_Index record) {
    return glsort_any_bit(record & glsort_op_block) == ((glsort_op_last & 1u) != 0u);
}

bool glsort_has_partner(glsort_Index record, uint k, out glsort_Index partner, out bool smaller) {
    partner = record ^ glsort_op_distance;
    smaller = glsort_any_bit(record & glsort_op_distance) != glsort_ascends(record);
    return true;
}
)";

constexpr SortingNetwork bitonic_network{
    .name = "bitonic",
    .summary = "bitonic sorting network, one step an op",
    .source = "Batcher 1968",
    .parameters = {{"block", Parameter::Kind::index}, {"distance", Parameter::Kind::index}, {"last"}},
    .steps = bitonic_steps,
    .comparator = bitonic_comparator,
    .glsl = bitonic_glsl,
    .by_record = true,
    .ends_at_powers = true,
    .gpu_count = true,
};

constexpr VariantDescriptor bitonic_variants[] = {
    network_variant<bitonic_network>(),
#if GLSORT_GROUPS
    {.name = "local",
     .summary = "bitonic sorting network in shared memory, several steps an op",
     .source = "Baraglia et al. 2009",
     .takes = {.comparison = true, .tile = true},
     .plan = plan_bitonic_local,
     .counts = counts_of_bitonic_local,
     .tuning = {&networks::tuning_family}},
#endif
};

}  // namespace

extern constinit const AlgorithmDescriptor bitonic_algorithm{.name = "bitonic", .variants = bitonic_variants};

}  // namespace glsort
