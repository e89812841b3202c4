#pragma once

#include <glsort/plan/abisort/tree_pointer.h>
#include <glsort/plan/element_type.h>
#include <glsort/stream/kernel.h>

/// The kernels of GPU-ABiSort (appendix A.2 and section 7). A node has four words: the code and the index of a key, and
/// the pointers to its two children. The indices make all nodes different, as adaptive merging requires.

namespace glsort::abisort {

/// Values that all kernels of one program share.
struct KernelPolicy {
    ElementType element_type;  ///< Two words: code and index.
    TreePointers pointers = TreePointers::numbers();
    bool pruned = false;  ///< n is not a power of two, so kernels must look for elements past the end.
    /// Elements per record of the runs that hold the sequences. 0: the sequences are nodes of `trees`.
    std::uint32_t run = 0;
};

/// `abisort_phase`: one step of adaptive merging, for all stages that are active in the step. Inputs: paths, trees, and
/// runs if the sequences are runs. Outputs: paths_out, nodes_out.
KernelPtr phase_kernel(const KernelPolicy& policy);

/// The parameters of `abisort_phase`, and of each block of the kernel's domain, in order.
struct PhaseParameters {
    std::uint32_t odd = 0;        ///< Whether the number of the last tree is odd.
    std::uint32_t level = 0;      ///< j
    std::uint32_t count = 0;      ///< n
    std::uint32_t nodes = 0;      ///< The first record of this merge's nodes in `trees`.
    std::uint32_t sequences = 0;  ///< The first record of the sequences in `trees`.
};
inline constexpr std::uint32_t no_record = 0xffffffffu;
struct PhaseBlockParameters {
    std::uint32_t phase = 0;  ///< 0: phase 0 of stage 0. 1: phase 0 of another stage. 2: any other phase.
    /// The exclusive or of an instance with `from` is the place that the previous phase wrote. Phase 0 of a later stage
    /// uses the number of the instance's parent instead. The place is then that of the root, which phase 1 of the
    /// previous stage wrote.
    std::uint32_t from = 0;
    std::uint32_t next = 0;    ///< The exclusive or of an instance with `next` is the place that the next phase writes.
    std::uint32_t spares = 0;  ///< Phase 0 of a later stage: like `from`, for the spare node.
    std::uint32_t tree = 0;    ///< The lowest bit of the tree's number within the instance's number.
    std::uint32_t stop = no_record;  ///< Phase 1: the instance that has no later phases.
};

/// `abisort_copy_back`: copies nodes from the output stream to the stream that is read (section 6.1). Parameter: nodes,
/// as in `PhaseParameters`.
KernelPtr copy_back_kernel();

/// `abisort_local_sort`: sorts runs of `run` of the caller's elements by odd-even transposition. Runs ascend and
/// descend alternately (section 7.1). run (run - 1) / 2 comparisons per run.
KernelPtr local_sort_kernel(const ElementType& element_type, std::uint32_t run);

/// `abisort_merge`: bitonic merge of two neighbouring runs of 8, with one instance for each half of the result (section
/// 7.2). 20 comparisons per instance.
KernelPtr merge_kernel(const KernelPolicy& policy);

/// `abisort_convert`: turns elements into nodes in order, two per record. The elements come from the caller (appendix
/// A.1) or from sorted runs (section 7.1).
KernelPtr convert_kernel(const KernelPolicy& policy);

/// `abisort_traverse`: turns subtrees of 16 nodes into runs of 8, in order (section 7.2).
KernelPtr traverse_kernel(const KernelPolicy& policy);

/// `abisort_finish`: traverses subtrees of 16 nodes and merges the values to runs of 16. 32 comparisons per subtree.
KernelPtr finish_kernel(const KernelPolicy& policy);

}  // namespace glsort::abisort
