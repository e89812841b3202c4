#pragma once

#include <glsort/plan/abisort/tree_pointer.h>
#include <glsort/plan/record_type.h>
#include <glsort/stream/kernel.h>

#include <memory>

/// The kernels of GPU-ABiSort (appendix A.2 and section 7). A node has four words: the code and the
/// index of a key, all different as adaptive merging needs, and the pointers to its two children.

namespace glsort::abisort {

using KernelPtr = std::shared_ptr<const Kernel>;

/// What the kernels of one program have in common.
struct KernelSetting {
    RecordType record;  ///< Of two words: code and index.
    TreePointers pointers = TreePointers::numbers();
    bool pruned = false;  ///< n is no power of two: what lies past the end must be looked for.
    /// Elements of a record of the runs where the sequences are; 0: they are nodes of `trees`.
    std::uint32_t run = 0;
};

/// `abisort_phase`: one step of adaptive merging, for all the stages that are active in it.
/// Inputs paths, trees, and runs where the sequences are those; outputs paths_out, nodes_out.
KernelPtr phase_kernel(const KernelSetting& setting);

/// The parameters of `abisort_phase`, and of each block of its domain, in their order.
struct PhaseParameters {
    std::uint32_t odd = 0;        ///< Whether the last tree's number is.
    std::uint32_t level = 0;      ///< j
    std::uint32_t count = 0;      ///< n
    std::uint32_t nodes = 0;      ///< The record of `trees` where the nodes of this merge begin.
    std::uint32_t sequences = 0;  ///< The record of `trees` where the sequences begin.
};
inline constexpr std::uint32_t no_record = 0xffffffffu;
struct PhaseBlockParameters {
    std::uint32_t phase = 0;         ///< 0: phase 0 of stage 0. 1: phase 0 of another. 2: any other phase.
    std::uint32_t from = 0;          ///< Exclusive or that leads to what the phase before has written.
                                     ///< Phase 0 of a later stage: to the roots, its phase 1.
    std::uint32_t next = 0;          ///< Exclusive or that leads to what the next phase will write.
    std::uint32_t spares = 0;        ///< Phase 0 of a later stage: to the spare nodes.
    std::uint32_t tree = 0;          ///< The lowest bit of the tree's number, in the instance's.
    std::uint32_t stop = no_record;  ///< Phase 1: the instance that has no later phases.
};

/// `abisort_copy_back`: nodes from the output stream to the one that is read (section 6.1), from
/// record parameter 0 on.
KernelPtr copy_back_kernel();

/// `abisort_local_sort`: runs of `run` of the caller's elements, sorted by odd-even transition,
/// ascending and descending in turns (section 7.1). run (run - 1) / 2 comparisons each.
KernelPtr local_sort_kernel(const RecordType& record, std::uint32_t run);

/// `abisort_merge`: bitonic merge of two neighbouring runs of 8, by an instance for each half of the
/// result (section 7.2). 20 comparisons each.
KernelPtr merge_kernel(const KernelSetting& setting);

/// `abisort_convert`: elements to nodes that lie in order, two to a record: the caller's (appendix A.1),
/// or those of sorted runs (section 7.1).
KernelPtr convert_kernel(const KernelSetting& setting);

/// `abisort_traverse`: subtrees of 16 nodes to runs of 8, in order (section 7.2).
KernelPtr traverse_kernel(const KernelSetting& setting);

/// `abisort_finish`: subtrees of 16 nodes, traversed and merged to runs of 16: 32 comparisons each.
KernelPtr finish_kernel(const KernelSetting& setting);

}  // namespace glsort::abisort
