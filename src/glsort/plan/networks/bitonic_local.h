#pragma once

#include <glsort/plan/sort_frame.h>

#include <vector>

namespace glsort {

/// The network of `bitonic:step` (plan/networks/bitonic.cpp). An op performs all steps that fit in shared memory
/// together (Baraglia, Capannini, Nardini and Silvestri 2009, section 5).
///
/// With tiles of 2^t elements, the first op, `bitonic_local_sort`, performs the first t stages. Each later op,
/// `bitonic_local_steps`, performs t steps, across stages if need be. If n is at most 2^t, there is one op. For n up to
/// 2^m, m > t, there are 1 + ceil((m(m+1)/2 - t(t+1)/2) / t) ops. The last op writes the caller's output.
///
/// Missing elements, past n, act as +infinity and stay behind all others, so the network is that of bitonic:step.
///
/// `Tuning::Networks::tile` (spec.h) sets 2^t. The default is 4096 elements. A smaller capacity, little shared memory
/// or small groups reduce the default. Throws `Error` for a tile that does not fit.
void plan_bitonic_local(SortFrame& frame);

/// The counts after which the kernels change: the tile. Larger counts use two kernels.
std::vector<std::uint32_t> counts_of_bitonic_local(const SortFrame& largest);

namespace bitonic {

/// Consecutive steps of the network that one op performs. The steps compare on some bits of the element numbers. A
/// group gathers a tile of 2^tile_bits elements whose numbers differ only in these bits.
struct LocalSteps {
    std::uint32_t tile_bits = 0;
    std::uint32_t steps = 0;  ///< 1 ... tile_bits, in one stage or two.
    std::uint32_t block = 0;  ///< Elements of a block of the first step's stage, modulo 2^32.
    std::uint32_t low = 0;    ///< The tile has all values of the lowest `low` bits of a number,
    std::uint32_t high = 0;   ///< and of `tile_bits` - `low` bits from bit `high` up.

    /// The number of the element at a place of a group's tile (shaders/networks/bitonic_local_steps.glsl). Each step
    /// compares on a lower bit of the place than the step before.
    std::uint32_t element_of(std::uint32_t group, std::uint32_t place) const;
    /// The block size of the step that compares on bit `bit` of a place.
    std::uint32_t block_of(std::uint32_t bit) const;
};

/// The steps after the first `tile_bits` stages of a network of `stages` stages, op by op. Each op has the labels of
/// its first step.
struct LabelledSteps {
    LocalSteps steps;
    Labels labels;
};
std::vector<LabelledSteps> local_steps(std::uint32_t stages, std::uint32_t tile_bits);

}  // namespace bitonic
}  // namespace glsort
