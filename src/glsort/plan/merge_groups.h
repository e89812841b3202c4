#pragma once

#include <glsort/plan/merge_kernels.h>
#include <glsort/plan/sort_frame.h>

/// The multiway merge sort (plan/merge.h) on the compute backend, where groups of invocations merge in
/// memory that they share.

namespace glsort::merge {

/// What the kernels of one program have in common.
struct GroupSetting {
    std::uint32_t words = 2;          ///< Of a record: its code, or code and index.
    std::uint32_t invocations = 256;  ///< Of a group: a power of two, at least 2.
    std::uint32_t elements = 16;      ///< That an invocation sorts, or merges, in registers: a power of two.

    /// Records that a group sorts or merges at once; a window of `merge_split`.
    std::uint32_t tile() const { return invocations * elements; }
    /// For `merge_split`.
    KernelSetting windows() const { return {.words = words, .elements = 1, .side = tile() / 2}; }
};

/// `merge_tile`: sorts tiles. Parameter: count. Its domain counts tiles.
KernelPtr tile_kernel(const GroupSetting& setting);

/// `merge_shared`: merges groups of `runs` (2, 4 or 8) sorted runs, each of a tile or more. Parameters as
/// `merge_split` has them. Its domain counts windows.
KernelPtr shared_kernel(const GroupSetting& setting, std::uint32_t runs);

/// Plans the sort of a frame for the compute backend: `merge_tile`, then for each merge of up to eight
/// runs `merge_split` and `merge_shared`.
void plan_groups(SortFrame& frame);

}  // namespace glsort::merge
