#pragma once

#include <glsort/limits.h>
#include <glsort/plan/element_type.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstdint>

/// Kernels that move elements and compare nothing.

namespace glsort {

/// `copy`: copies elements of `words` words from `source` to `target`. `elements`: elements per record of `target`.
/// With several, the kernel has a parameter: the number of elements in the input. Places past the end of the input get
/// the last element again.
KernelPtr copy_kernel(std::uint32_t words, std::uint32_t elements = 1);

/// `copy` for elements of the sort. Load and store chunks may replace the ports of the copy.
KernelPtr element_copy_kernel(const ElementType& element_type, std::uint32_t elements = 1);

/// Kernels of the fragment backend that move elements of `words` words between a caller's buffer and a texture:
/// `upload` by pixel unpack, `download` by pixel pack.
KernelPtr upload_kernel(std::uint32_t words);
KernelPtr download_kernel(std::uint32_t words);

/// Whether shaders of the fragment backend can read a caller's buffer of elements of `words` words where the buffer is,
/// without an `upload`.
bool reads_in_buffer(const Limits& limits, std::uint32_t words, std::uint64_t elements);

/// The number of elements that `upload` makes of one element: three of one word each if `words` is 3, else 1. OpenGL ES
/// does not upload three-channel pixels to a four-channel texture, and cannot draw to a three-channel texture.
std::uint32_t upload_parts(std::uint32_t words);
/// `join_words`: makes elements of three words, each from three elements of one word.
KernelPtr join_words_kernel();

/// `gather_values`: moves values of several words to the places of their keys. A value has `chunks` chunks of `words`
/// words.
KernelPtr gather_values_kernel(const ElementType& element_type, std::uint32_t words, std::uint32_t chunks);

/// Adds an op that moves a whole stream to another stream, with one of the kernels above.
void add_move(StreamProgram& program, StreamId source, StreamId target, KernelPtr kernel);

}  // namespace glsort
