#pragma once

#include <glsort/plan/sort_frame.h>

namespace glsort {

/// Sorting few elements by counting, for each, how many go before it: D. Muller and F. Preparata, "Bounds to
/// complexities of networks for sorting and for switching" (1975), section 2. One op, `enumeration_sort`, whose groups
/// rank 32 elements each; the last one that is done moves all of them. Stable. n (n - 1) comparisons, but all at once:
/// on a GPU of many multiprocessors nothing else is as fast. Compute (OpenGL 4.3, OpenGL ES 3.1, five storage blocks)
/// and cpu.
namespace enumeration {

/// The most elements, at most 8192, for which it pays; 0 where how many multiprocessors there are is not known.
std::uint32_t most_elements(const SortFrame& frame);

/// Declares the stream `ranked` and sorts `records`, the result. n is above 0 and at most `most_elements`.
/// Declares the stream alone where n is larger, or 0 where there are none. Returns whether it sorted.
bool add(SortFrame& frame, StreamId records);

}  // namespace enumeration
}  // namespace glsort
