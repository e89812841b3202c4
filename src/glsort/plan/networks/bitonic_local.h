#pragma once

#include <glsort/plan/sort_frame.h>

#include <vector>

namespace glsort {

/// The network of `bitonic:step` (plan/networks/bitonic.cpp), as many steps an op as memory that a group of invocations
/// shares holds (Baraglia, Capannini, Nardini and Silvestri 2009, section 5).
///
/// With tiles of 2^t elements one op, `bitonic_local_sort`, does the first t stages, and each op
/// `bitonic_local_steps` behind it t steps, also from one stage into the next: for n up to 2^m, m > t, together
/// 1 + ceil((m(m+1)/2 - t(t+1)/2) / t) ops; for m <= t one. The last writes what the caller is given.
///
/// Missing elements, past n, are +infinity, and stay behind all others: so the network is the same.
///
/// `PlanRequest::tile` sets 2^t; the choice is 4096 elements, or as many as shared memory and a group's
/// invocations are enough for, or as the capacity takes. Throws `Error` for a tile that does not fit.
void plan_bitonic_local(SortFrame& frame);

/// The counts that need kernels of their own: a tile, behind which there are two kernels.
std::vector<std::uint32_t> counts_of_bitonic_local(const SortFrame& largest);

namespace bitonic {

/// Consecutive steps of the network that one op does, and the tile of 2^tile_bits elements that a group gathers for
/// them: elements whose numbers differ in the bits that the steps compare on.
struct LocalSteps {
    std::uint32_t tile_bits = 0;
    std::uint32_t steps = 0;  ///< 1 ... tile_bits; all in one stage, or in two.
    std::uint32_t block = 0;  ///< Elements of a block of the first step's stage, modulo 2^32.
    std::uint32_t low = 0;    ///< The steps' bits: the lowest of a number, so many,
    std::uint32_t high = 0;   ///< and the others from this bit up.

    /// The number of the element that lies at a place of a group's tile (shaders/networks/bitonic_local_steps.glsl):
    /// step after step compares on a lower bit of the place.
    std::uint32_t element_of(std::uint32_t group, std::uint32_t place) const;
    /// The block of the step that compares on that bit of a place.
    std::uint32_t block_of(std::uint32_t bit) const;
};

/// The steps behind the first `tile_bits` stages of a network of `stages` stages, op by op, with the labels of each
/// op's first step.
struct LabelledSteps {
    LocalSteps steps;
    Labels labels;
};
std::vector<LabelledSteps> local_steps(std::uint32_t stages, std::uint32_t tile_bits);

}  // namespace bitonic
}  // namespace glsort
