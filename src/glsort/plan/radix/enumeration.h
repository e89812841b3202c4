#pragma once

#include <glsort/plan/sort_frame.h>

#include <cstdint>
#include <vector>

namespace glsort::enumeration {

/// Enumeration sort: for each element, counts how many elements precede it (D. Muller and F. Preparata, "Bounds to
/// complexities of networks for sorting and for switching", 1975, section 2). There is one op, `enumeration_sort`. Each
/// of its groups ranks 32 to 256 elements among all others by a search tree. Up to 8192 elements it may overwrite its
/// input. Stable. Runs on compute (OpenGL 4.3, OpenGL ES 3.1, five storage blocks) and cpu.
///
/// Every group reads all n elements and makes six to nine comparisons for each. With 128 multiprocessors, n up to 4096
/// takes 3 n^2 / 16 comparisons in all. On a GPU with many multiprocessors nothing else is as fast for few elements,
/// because all multiprocessors work and wait only once.

/// Max elements for which enumeration pays. 0 if the number of multiprocessors is unknown, or if the request has a
/// digit length.
std::uint32_t max_elements(const SortFrame& frame);

/// Sorts `records`, the result, if n is at most `max_elements`. Returns whether it does. Declares the stream `ranked`
/// in any case, unless `max_elements` is 0.
bool add(SortFrame& frame, StreamId records);

/// The counts after which the kernel changes (VariantDescriptor::counts). Empty if nothing is enumerated.
std::vector<std::uint32_t> counts(const SortFrame& largest);

}  // namespace glsort::enumeration
