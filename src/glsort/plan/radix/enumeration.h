#pragma once

#include <glsort/plan/sort_frame.h>

#include <cstdint>
#include <vector>

namespace glsort::enumeration {

/// Sorting by finding, for each element, how many go before it: D. Muller and F. Preparata, "Bounds to complexities of
/// networks for sorting and for switching" (1975), section 2. One op, `enumeration_sort`, whose groups rank 32 to 256
/// elements each among all others, by a search tree. Up to 8192 elements it may overwrite what it reads. Stable.
/// Compute (OpenGL 4.3, OpenGL ES 3.1, five storage blocks) and cpu.
///
/// Every group reads all n elements, and makes six to nine comparisons for each: with 128 multiprocessors 3 n^2 / 16 in
/// all for n up to 4096. On a GPU with many multiprocessors nothing else is as fast for few elements, as they all work,
/// and wait once.

/// The most elements for which it pays; 0 where how many multiprocessors there are is not known, or digits of a certain
/// length are asked for.
std::uint32_t most_elements(const SortFrame& frame);

/// Sorts `records`, the result, where n is at most `most_elements`; returns whether it does. Declares the stream
/// `ranked` in any case, unless nothing is enumerated here.
bool add(SortFrame& frame, StreamId records);

/// The counts behind which the kernel changes (VariantDescriptor::counts); none where nothing is enumerated.
std::vector<std::uint32_t> counts(const SortFrame& largest);

}  // namespace glsort::enumeration
