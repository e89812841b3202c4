#pragma once

#include <glsort/plan/sort_frame.h>

#include <cstdint>
#include <vector>

namespace glsort::enumeration {

/// Enumeration sort (D. Muller and F. Preparata, "Bounds to complexities of networks for sorting and for switching",
/// 1975, section 2). For each element, the sort counts the preceding elements. There is one op, `enumeration_sort`.
/// Each group of the op ranks 32 to 256 elements among all others by a search tree. For up to 8192 elements the op may
/// overwrite the input. Stable. Runs on compute (OpenGL 4.3, OpenGL ES 3.1, five storage blocks) and cpu.
///
/// Every group reads all n elements and makes six to nine comparisons for each. With 128 multiprocessors, n up to 4096
/// takes 3 n^2 / 16 comparisons in all. On a GPU with many multiprocessors this is the fastest sort of few elements:
/// all multiprocessors work, and wait only once.

/// Declares that `kernel` ranks `targets` codes, a power of two, among many (shaders/radix/target_ranks.glsl). An
/// invocation loads `at_once` codes, and then searches them. The caller also declares a search tree, and adds
/// `rank_words` to the kernel's shared memory.
void declare_enumeration(Kernel& kernel, std::uint32_t targets, std::uint32_t at_once);

/// Words of shared memory for the ranks of `targets` codes, beyond the search tree.
inline std::uint32_t rank_words(const ElementType& type, std::uint32_t targets) {
    return targets * (type.code_words() + 2);
}

/// Max elements for which enumeration pays. 0 if the device cannot enumerate, or if the number of multiprocessors is
/// unknown. Also 0 if the request has a digit length or a comparison.
std::uint32_t max_elements(const SortFrame& frame);

/// If n is at most `max_elements` and at most `limit`, sorts `records` and returns true. `records` is then the result.
/// Otherwise returns false. Declares the stream `ranked` in any case, unless `max_elements` is 0.
bool add(SortFrame& frame, StreamId records, std::uint32_t limit = 0xffffffffu);

/// The counts after which the kernel changes (VariantDescriptor::counts). Empty if nothing is enumerated.
std::vector<std::uint32_t> counts(const SortFrame& largest);

}  // namespace glsort::enumeration
