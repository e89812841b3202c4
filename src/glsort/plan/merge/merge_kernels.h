#pragma once

#include <glsort/plan/record_type.h>
#include <glsort/plan/sort_frame.h>
#include <glsort/stream/kernel.h>

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// The kernels of the multiway merge sort (plan/merge/merge.h).

namespace glsort::merge {

/// What the kernels of one program have in common.
struct KernelSetting {
    RecordType record;            ///< An element.
    std::uint32_t elements = 16;  ///< Of a record of the sorted stream.
    std::uint32_t side = 128;  ///< Elements of half a window: 16 to 128, and at least a record; of `merge_keys` that.
    std::uint32_t sorted_run = 32;  ///< Elements of the longest run that is sorted in registers.
    std::uint32_t most_runs = 8;    ///< Of a merge: 4 or 8. Splits have a word for each.
    /// Of lists: the groups of `most_runs` runs that the table of an op has (merge_lists.h); then these are
    /// the kernels' parameters. 0: runs of one length.
    std::uint32_t groups = 0;

    /// Levels of merging that a merge does, at the most.
    int most_levels() const { return std::bit_width(most_runs) - 1; }
    std::uint32_t window() const { return 2 * side; }
    /// Elements of a record of `splits`, four runs each.
    std::uint32_t split_elements() const { return most_runs / 4; }
    /// Elements of a record of `sources`, 16 places each.
    std::uint32_t source_elements() const { return side / 16; }
};

/// Texels of a record that an instance writes: one in each attachment, a power of two.
std::uint32_t texels_written(const Limits& limits);

using KernelPtr = std::shared_ptr<const Kernel>;

/// An op of a merge, with an instance (or group) for each of `domain`.
Op make_op(KernelPtr kernel, std::vector<StreamUse> reads, const StreamUse& write, const Substream& domain,
           std::vector<Counted> parameters, int level);

/// `merge_runs`: runs of `run` elements, sorted by an odd-even merge network; `run` is a power of two
/// and at least a record. The instances of a run each sort all of it. Parameter: count.
KernelPtr runs_kernel(const KernelSetting& setting, std::uint32_t run);

/// On the fragment backend, adds the op that sorts few elements in one draw, every instance all of them, to keep one.
/// False where it adds nothing: on other backends, of more elements, or where that op may not write what the caller is
/// given.
bool sort_in_one_draw(SortFrame& frame, KernelSetting setting, StreamId records);
/// The counts, ascending, behind which the kernel of that op changes; the last is the most that it sorts.
std::vector<std::uint32_t> counts_in_one_draw(const SortFrame& frame);
/// Of the counts that have `count`, those on the same side of these.
CountRange cut_like_one_draw(const SortFrame& frame, CountRange counts, std::uint32_t count);

// The parameters of the kernels below: count (n), run (elements of a run: a power of two; the last run may
// be shorter), log_run (its binary logarithm). Of lists: their table, and `runs` is `most_runs`.

/// A kernel that knows windows of a merge of `runs` runs, without its ports and body: the parameters above, and
/// definitions.
Kernel window_kernel(const char* name, const KernelSetting& setting, std::uint32_t runs);

/// What kernels that have such parameters, not lists, say of the merge.
KernelShape shape_of_merge(const KernelSetting& setting, std::uint32_t runs);

/// `merge_split`: for each window of a merge of `runs` (2, 4 or 8) sorted runs, how many elements of
/// each run come before it: a record of `splits`. `run`: the elements of the longest run.
KernelPtr split_kernel(const KernelSetting& setting, std::uint32_t runs, std::uint32_t run);

/// `merge_order`: for each side of each window, where its elements come from: a byte an element in
/// `sources` (shaders/merge/merge_window.glsl).
KernelPtr order_kernel(const KernelSetting& setting, std::uint32_t runs);

/// `merge_gather`: the elements, to their places. Of one element an instance it is `merge_place`.
KernelPtr gather_kernel(const KernelSetting& setting, std::uint32_t runs);

}  // namespace glsort::merge
