#pragma once

#include <glsort/gl/api.h>
#include <glsort/sorter.h>

#include <cstdint>
#include <span>

/// Refuses what cannot be sorted, before any call of OpenGL that changes something. All functions throw `Error`.

namespace glsort {

bool has_payload(const SortSpec& spec);
bool moves_values(const SortSpec& spec);
/// 32-bit words of a texel that holds a key, or a key and a value.
std::uint32_t texel_words(const SortSpec& spec, bool value);

/// Whether the context of the sorter is current, and in a state in which it can sort.
void check_context(const gl::Api& api);
void check_count(const SortSpec& spec, std::uint32_t count);
void check_lists(const SortSpec& spec, std::uint32_t count, std::span<const std::uint32_t> lists);

/// What a sorter knows of itself when it checks a call.
struct CallerTerms {
    const gl::Api& api;
    const SortSpec& spec;
    const SorterOptions& options;
    const TextureView& own_output;    ///< Of a sorter that has one.
    std::uint64_t scratch_bytes = 0;  ///< That the caller gives.
    std::uint64_t scratch_alignment = 1;
};

/// The context, the count, and what `arguments` name.
void check_arguments(const CallerTerms& terms, const SortArguments& arguments);

}  // namespace glsort
