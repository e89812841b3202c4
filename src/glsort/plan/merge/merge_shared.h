#pragma once

#include <glsort/plan/merge/merge_kernels.h>

#include <cstdint>
#include <vector>

/// The kernels of the multiway merge sort in shared memory (plan/merge/merge.h).

namespace glsort::merge {

/// What the kernels of one program have in common.
struct GroupSetting {
    RecordType record;
    std::uint32_t invocations = 256;  ///< Of a group: a power of two, at least 2.
    std::uint32_t elements = 8;       ///< That an invocation sorts, or merges, in registers: a power of two.

    /// Records that a group sorts or merges at once; a window of `merge_split`.
    std::uint32_t tile() const { return invocations * elements; }
    /// For `merge_split`.
    KernelSetting windows() const { return {.record = record, .elements = 1, .side = tile() / 2}; }
};

/// What holds for every n up to the capacity: streams must not change with n.
GroupSetting group_setting_of(const SortFrame& frame, const RecordType& record);

/// Makes `kernel` one of groups that sort a tile in shared memory (shaders/lib/tile_sort.glsl).
void declare_tile_sort(Kernel& kernel, const GroupSetting& setting);

/// `merge_tile`: sorts tiles. Parameter: count. Its domain counts tiles.
KernelPtr tile_kernel(const GroupSetting& setting);

/// `merge_shared`: merges groups of `runs` (2, 4 or 8) sorted runs, each of a tile or more. Parameters as
/// `merge_split` has them. Its domain counts windows.
KernelPtr shared_kernel(const GroupSetting& setting, std::uint32_t runs);

/// The ops that sort `count` records of a stream, above 0. From tile to tile equal keys must lie in the order of the
/// records: merges compare keys alone. `splits`: a stream with a record for each tile. The labels'
/// level is the binary logarithm of the length of the runs that an op makes.
std::vector<Op> shared_sort(const GroupSetting& setting, StreamId records, StreamId splits, const Counted& count);

/// The counts with the same ops of `shared_sort` as `count`, but for the numbers that follow it.
CountRange counts_like(const GroupSetting& setting, std::uint32_t count);

/// The counts up to `most` behind which the ops of `shared_sort` change.
std::vector<std::uint32_t> counts_of_shared_sort(const GroupSetting& setting, std::uint32_t most);

}  // namespace glsort::merge

namespace glsort {

/// Those of merge:shared (VariantDescriptor::counts).
std::vector<std::uint32_t> counts_of_merge_shared(const SortFrame& largest);

}  // namespace glsort
