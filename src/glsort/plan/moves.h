#pragma once

#include <glsort/plan/record_type.h>
#include <glsort/stream/kernel.h>

#include <cstdint>
#include <memory>

/// Kernels that move elements and compare nothing.

namespace glsort {

/// `copy`: an element of `words` words from `source` to `target`. Where the records of `target` hold several
/// `elements`, all of them; past the end of the input, whose elements are counted by the parameter that there is then,
/// the last one again.
std::shared_ptr<const Kernel> copy_kernel(std::uint32_t words, std::uint32_t elements = 1);

/// The same for elements of a sort, which load and store chunks may be given.
std::shared_ptr<const Kernel> record_copy_kernel(const RecordType& record, std::uint32_t elements = 1);

/// Kernels of the fragment backend that move elements of `words` words between a caller's buffer and a texture:
/// `upload` by pixel unpack, `download` by pixel pack.
std::shared_ptr<const Kernel> upload_kernel(std::uint32_t words);
std::shared_ptr<const Kernel> download_kernel(std::uint32_t words);

/// The elements that an upload makes of one: three of a word each where it has three words. OpenGL ES lets no pixels of
/// three channels into a texture of four, and draws to none of three.
std::uint32_t upload_parts(std::uint32_t words);
/// `join_words`: elements of three words from three of one word each.
std::shared_ptr<const Kernel> join_words_kernel();

/// `gather_values`: values of several words to where their keys are, `chunks` of `words` words each.
std::shared_ptr<const Kernel> gather_values_kernel(const RecordType& record, std::uint32_t words, std::uint32_t chunks);

}  // namespace glsort
