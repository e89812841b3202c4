#pragma once

#include <glsort/plan/element_type.h>
#include <glsort/plan/sort_frame.h>
#include <glsort/stream/kernel.h>

#include <bit>
#include <cstdint>
#include <vector>

/// The kernels of the multiway merge sort (plan/merge/merge.h).

namespace glsort::merge {

/// Values that all kernels of one program share.
struct KernelPolicy {
    ElementType element_type;     ///< The type of the elements.
    std::uint32_t elements = 16;  ///< Elements per record of the sorted stream.
    /// Elements of half a window: 16 to 128, and at least a record. `merge_keys`: one record. `merge:shared`: half a
    /// tile.
    std::uint32_t side = 128;
    std::uint32_t sorted_run = 32;  ///< Max elements of a run that is sorted in registers.
    std::uint32_t max_runs = 8;     ///< Max runs of a merge: 4 or 8. Splits have a word for each.
    bool loads_runs = false;        ///< Whether the load chunk loads the elements of a run together.
    bool fills = false;             ///< `ElementSource::fills`.
    /// For merges of lists: the number of groups, each of `max_runs` runs, in the table of an op (merge_lists.h). The
    /// table then replaces the parameters of the kernels. 0: all runs have one length.
    std::uint32_t groups = 0;

    /// Max levels that one merge covers.
    int max_levels() const { return std::bit_width(max_runs) - 1; }
    std::uint32_t window() const { return 2 * side; }
    /// Elements per record of `splits`. An element covers four runs.
    std::uint32_t split_elements() const { return max_runs / 4; }
    /// Elements per record of `sources`. An element covers 16 places.
    std::uint32_t source_elements() const { return side / 16; }
};

/// Texels of a record that an instance writes: one per attachment, a power of two.
std::uint32_t texels_written(const Limits& limits);

/// An op of a merge, with one instance (or group) for each record of `domain`.
Op make_op(KernelPtr kernel, std::vector<StreamUse> reads, const StreamUse& write, const Substream& domain,
           std::vector<Counted> parameters, int level);

/// `merge_runs`: sorts runs of `run` elements by an odd-even merge network. `run` is a power of two and at least a
/// record. Each instance of a run sorts the whole run. Parameter: count.
KernelPtr runs_kernel(const KernelPolicy& policy, std::uint32_t run);

/// On the fragment backend, adds the op that sorts few elements in one draw. Every instance sorts all elements and
/// keeps one of them. Returns false and adds nothing on other backends, for more elements, or if the op cannot write
/// the caller's output.
bool sort_in_one_draw(SortFrame& frame, KernelPolicy policy, StreamId records);
/// Ascending counts after which the kernel of that op changes. The last is the max count that the op sorts.
std::vector<std::uint32_t> counts_in_one_draw(const SortFrame& frame);
/// The part of `counts` that contains `count`, and in which the kernel of that op does not change
/// (`counts_in_one_draw`).
CountRange narrowed_to_one_draw(const SortFrame& frame, CountRange counts, std::uint32_t count);

// The parameters of the kernels below: count (n), run (elements of a run, a power of two; the last run may be shorter),
// log_run (the binary logarithm of run). For merges of lists the parameters are a table, and `runs` is `max_runs`.

/// A kernel for windows of a merge of `runs` runs: the parameters above and definitions, without ports and body.
Kernel window_kernel(const char* name, const KernelPolicy& policy, std::uint32_t runs);

/// The shape of kernels with the parameters above (not lists).
KernelShape shape_of_merge(const KernelPolicy& policy, std::uint32_t runs);

/// `merge_split`: for each window of a merge, the number of elements of each run that come before the window. The merge
/// has `runs` (2, 4 or 8) sorted runs. One record of `splits` per window. `run`: elements of the longest run.
KernelPtr split_kernel(const KernelPolicy& policy, std::uint32_t runs, std::uint32_t run);

/// `merge_order`: for each side of each window, the sources of the side's elements. An element of `sources` has four
/// words and covers 16 places (shaders/merge/merge_window.glsl).
KernelPtr order_kernel(const KernelPolicy& policy, std::uint32_t runs);

/// `merge_gather`: moves the elements to their places. With one element per instance the kernel is `merge_place`,
/// which also takes `policy.fills`.
KernelPtr gather_kernel(const KernelPolicy& policy, std::uint32_t runs);

}  // namespace glsort::merge
