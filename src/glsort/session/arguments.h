#pragma once

#include <glsort/gl/api.h>
#include <glsort/plan/payload.h>
#include <glsort/session/ranges.h>
#include <glsort/sorter.h>

#include <cstdint>
#include <span>

/// Checks of a call's arguments, before any OpenGL call that changes state. All functions throw `Error`.

namespace glsort {

/// 32-bit words of a texel that holds a key, or a key and a value.
std::uint32_t texel_words(const SortSpec& spec, bool value);

/// Checks that the context of the sorter is current, and in a state that allows sorts.
void check_context(const gl::Api& api);
void check_count(const SortSpec& spec, std::uint32_t count);
void check_lists(const SortSpec& spec, std::uint32_t count, std::span<const std::uint32_t> lists);

/// Checks a texture that a call reads or writes: room for `count` elements, and between `min_words` and `max_words`
/// words per texel. `ask`: also asks OpenGL for size and format.
void check_texture(const gl::Api& api, const char* name, const TextureView& view, std::uint32_t count,
                   std::uint32_t min_words, std::uint32_t max_words, bool ask);

/// Checks a texture that shaders only read: room for `count` elements, and texels that a sampler of floats, or of
/// unsigned integers, can read. `ask`: also asks OpenGL for size and format.
void check_readable_texture(const gl::Api& api, const ArgumentName& name, const TextureView& view, std::uint32_t count,
                            bool floats, bool ask);

/// The properties of a sorter that its calls are checked against.
struct CallerTerms {
    const gl::Api& api;
    const SortSpec& spec;
    const SorterOptions& options;
    const TextureView& own_output;    ///< If the sorter has its own output.
    std::uint64_t scratch_bytes = 0;  ///< Required bytes of the caller's scratch buffer.
    std::uint64_t scratch_alignment = 1;
    bool input = true;  ///< Whether the sort reads `SortArguments::input` if that is a texture.
    bool keys = true;   ///< Whether the sort reads or writes `Buffers::keys`.
};

/// Checks the context, the count, and the objects that `arguments` name.
void check_arguments(const CallerTerms& terms, const SortArguments& arguments);

}  // namespace glsort
