#pragma once

#include <glsort/plan/merge/merge_kernels.h>

#include <cstdint>
#include <vector>

/// The kernels of the multiway merge sort in shared memory (plan/merge/merge.h).

namespace glsort::merge {

/// Values that all kernels of one program share.
struct GroupPolicy {
    ElementType element_type;
    std::uint32_t invocations = 256;  ///< Per group: a power of two, at least 2.
    std::uint32_t elements = 8;       ///< Elements that an invocation sorts or merges in registers: a power of two.

    /// Elements that a group sorts or merges at once. Also a window of `merge_split`.
    std::uint32_t tile() const { return invocations * elements; }
    /// The values for `merge_split`.
    KernelPolicy windows() const { return {.element_type = element_type, .elements = 1, .side = tile() / 2}; }
};

/// Does not depend on n: streams must be alike for every n up to the capacity.
GroupPolicy group_policy_of(const SortFrame& frame, const ElementType& element_type);

/// Declares that the groups of `kernel` sort a tile in shared memory (shaders/lib/tile_sort.glsl).
void declare_tile_sort(Kernel& kernel, const GroupPolicy& policy);

/// `merge_tile`: sorts tiles. Parameter: count. The domain counts tiles.
KernelPtr tile_kernel(const GroupPolicy& policy);

/// `merge_shared`: merges groups of `runs` (2, 4 or 8) sorted runs, each at least a tile long. Parameters as
/// `merge_split`. The domain counts windows.
KernelPtr shared_kernel(const GroupPolicy& policy, std::uint32_t runs);

/// The ops that sort the first `count` elements of a stream; `count` is above 0. Merges compare keys alone, so equal
/// keys in different tiles must lie in their final order. `splits`: a stream with one record per tile. The label
/// `level` is the binary logarithm of the length of the runs that an op makes.
std::vector<Op> shared_sort(const GroupPolicy& policy, StreamId records, StreamId splits, const Counted& count);

/// The range of counts for which `shared_sort` returns the ops of `count`. Only numbers that follow the count differ.
CountRange counts_alike(const GroupPolicy& policy, std::uint32_t count);

/// The counts up to `limit` after which the ops of `shared_sort` change.
std::vector<std::uint32_t> counts_of_shared_sort(const GroupPolicy& policy, std::uint32_t limit);

}  // namespace glsort::merge

namespace glsort {

/// The counts for merge:shared (VariantDescriptor::counts).
std::vector<std::uint32_t> counts_of_merge_shared(const SortFrame& largest);

}  // namespace glsort
