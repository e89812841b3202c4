#include <fmt/format.h>

#include <glsort/gl/state_guard.h>
#include <glsort/gl/state_table.h>
#include <glsort/session/arguments.h>
#include <glsort/session/ranges.h>
#include <glsort/stream/stream.h>
#include <bit>
#include <numeric>
#include <string>
#include <tuple>
#include <variant>

namespace glsort {
namespace {

using gl::StateGuard;

/// The alignment of elements. Elements move in words of 16, 8 or 4 bytes, the largest that divides the size of an
/// element.
std::uint64_t alignment_of(std::uint32_t element_bytes) {
    return std::gcd(element_bytes, 16u);
}

void check_view(const gl::Api& api, const ArgumentName& argument, const TextureView& view, std::uint32_t count) {
    if (view.name == 0) throw Error(fmt::format("{}.name 0 is not a texture", argument.text()));
    if (view.layout != Layout::row_wise && view.layout != Layout::z_order)
        throw Error(fmt::format("{}.layout {} is none; the last one is {} (z_order)", argument.text(),
                                static_cast<int>(view.layout), static_cast<int>(Layout::z_order)));
    if (view.width == 0 || view.height == 0)
        throw Error(fmt::format("{} has a size of {}x{} texels", argument.text(), view.width, view.height));
    const Rectangle box = bounding_box({view.layout, view.width}, count);
    if (box.x1 > view.width || box.y1 > view.height)
        throw Error(
            fmt::format("{} of {}x{} texels is too small for {} elements in {} "
                        "layout, which take {}x{}",
                        argument.text(), view.width, view.height, count, to_string(view.layout), box.x1, box.y1));
    if (api.IsTexture(view.name) == GL_FALSE)
        throw Error(fmt::format("{}.name {} is not a texture", argument.text(), view.name));
}

/// Binds the texture to GL_TEXTURE_2D of unit 0, in a guard that restores the binding.
void bind_checked(const gl::Api& api, const ArgumentName& name, const TextureView& view) {
    api.ActiveTexture(GL_TEXTURE0);
    api.BindTexture(GL_TEXTURE_2D, 0);
    api.BindTexture(GL_TEXTURE_2D, view.name);
    GLint bound = 0;
    api.GetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    if (static_cast<GLuint>(bound) == view.name) return;
    // The failed binding caused an OpenGL error. Reading this error also removes the errors that were pending before.
    throw Error(fmt::format("{}.name {} is not a GL_TEXTURE_2D (OpenGL errors, also those pending: {})", name.text(),
                            view.name, gl::take_errors(api)));
}

GLint level_parameter(const gl::Api& api, GLenum parameter) {
    GLint value = 0;
    api.GetTexLevelParameteriv(GL_TEXTURE_2D, 0, parameter, &value);
    return value;
}

/// OpenGL ES 3.0 has no query for size and format.
bool tells_shapes(const gl::Api& api) {
    return api.at_least(33, 31);
}

/// Checks the size of the bound texture.
void check_size(const gl::Api& api, const ArgumentName& name, const TextureView& view) {
    const GLint width = level_parameter(api, GL_TEXTURE_WIDTH);
    const GLint height = level_parameter(api, GL_TEXTURE_HEIGHT);
    if (static_cast<std::uint32_t>(width) != view.width || static_cast<std::uint32_t>(height) != view.height)
        throw Error(fmt::format("{} is given as {}x{} texels, but texture {} has {}x{}", name.text(), view.width,
                                view.height, view.name, width, height));
}

/// Asks OpenGL whether the texture matches the view.
///
/// `min_words` and `max_words`: the allowed words of a texel, of 1, 2 and 4.
void check_object(const gl::Api& api, const char* name, const TextureView& view, std::uint32_t min_words,
                  std::uint32_t max_words) {
    const StateGuard guard(api, {.textures = true});
    bind_checked(api, name, view);
    if (!tells_shapes(api)) return;
    check_size(api, name, view);
    const GLint format = level_parameter(api, GL_TEXTURE_INTERNAL_FORMAT);
    std::string accepted;
    for (const auto& [words, internal, text] :
         {std::tuple<std::uint32_t, GLint, const char*>{1, GL_R32UI, "GL_R32UI (0x8236)"},
          {2, GL_RG32UI, "GL_RG32UI (0x823c)"},
          {4, GL_RGBA32UI, "GL_RGBA32UI (0x8d70)"}}) {
        if (words < min_words || words > max_words) continue;
        if (format == internal) return;
        accepted += (accepted.empty() ? "" : " or ") + std::string(text);
    }
    throw Error(fmt::format("{} has internal format {:#06x}; it must be {}", name, format, accepted));
}

bool asks_opengl(const CallerTerms& terms) {
    return terms.options.state == StatePolicy::restore;
}

void check_range(const CallerTerms& terms, const Range& range, std::uint64_t alignment) {
    check_range(terms.api, range, alignment, asks_opengl(terms));
}

/// Whether the sort uses a buffer of values. An index that goes to a texture needs no such buffer.
bool uses_value_buffer(const SortSpec& spec) {
    return moves_values(spec) || (has_payload(spec) && spec.output == Medium::buffer);
}

/// Throws `Error` if the set members of `arguments` differ from the members that the specification uses.
void check_members(const CallerTerms& terms, const SortArguments& arguments) {
    const SortSpec& spec = terms.spec;
    const bool textures = std::holds_alternative<TextureView>(arguments.input);
    if (textures != (spec.input == Medium::texture))
        throw Error(fmt::format("input is given as {}, but the specification's input is {}",
                                textures ? "a texture" : "buffers", textures ? "buffers" : "a texture"));
    if (arguments.output.name != 0 && (spec.output != Medium::texture || spec.own_output))
        throw Error(
            fmt::format("output.name {} is given, but {}", arguments.output.name,
                        spec.own_output ? "the sorter has its own output" : "the specification's output is buffers"));
    const auto* buffers = std::get_if<Buffers>(&arguments.input);
    if (buffers != nullptr && buffers->values.name != 0 && !uses_value_buffer(spec))
        throw Error(fmt::format("values.name {} is given, but the payload is {}", buffers->values.name,
                                to_string(spec.payload)));
    if (arguments.scratch.name != 0 && !terms.options.caller_scratch)
        throw Error(fmt::format("scratch.name {} is given, but the sorter was made without caller_scratch",
                                arguments.scratch.name));
}

/// Whether the sort writes the caller's keys and values by transform feedback, at least on OpenGL ES.
bool captures(const SortSpec& spec) {
    return spec.backend == Backend::fragment && spec.output == Medium::buffer;
}

Range keys_of(const CallerTerms& terms, const Buffers& buffers, std::uint64_t count) {
    return {"keys", buffers.keys, count * key_bytes(terms.spec.order), captures(terms.spec)};
}

Range values_of(const CallerTerms& terms, const Buffers& buffers, std::uint64_t count) {
    return {"values", buffers.values, count * terms.spec.payload.size, captures(terms.spec)};
}

void check_buffers(const CallerTerms& terms, const Buffers& buffers, std::uint32_t count) {
    const Range keys = keys_of(terms, buffers, count);
    if (terms.keys) check_range(terms, keys, alignment_of(key_bytes(terms.spec.order)));
    if (!uses_value_buffer(terms.spec)) return;
    const Range values = values_of(terms, buffers, count);
    check_range(terms, values, alignment_of(terms.spec.payload.size));
    if (terms.keys) check_apart(keys, values);
}

void check_textures(const CallerTerms& terms, const TextureView* input, const SortArguments& arguments) {
    const SortSpec& spec = terms.spec;
    const bool ask = asks_opengl(terms);
    const TextureView& output = spec.own_output ? terms.own_output : arguments.output;
    if (input != nullptr) {
        check_texture(terms.api, "input", *input, arguments.count, texel_words(spec, moves_values(spec)),
                      texel_words(spec, true), ask);
    }
    if (spec.output == Medium::texture && !spec.own_output) {
        const std::uint32_t words = terms.keys ? texel_words(spec, has_payload(spec)) : 1;
        check_texture(terms.api, "output", output, arguments.count, words, words, ask);
        if (spec.gpu_count && spec.backend == Backend::fragment && output.layout == Layout::z_order)
            throw Error("output.layout is z-order; with gpu_count on the fragment backend it must be row-wise");
    }
    if (input != nullptr && input->name == output.name)
        throw Error(fmt::format("input and output are both texture {}", output.name));
}

void check_apart_from_elements(const CallerTerms& terms, const SortArguments& arguments, const Range& range) {
    const auto* buffers = std::get_if<Buffers>(&arguments.input);
    if (buffers == nullptr) return;
    if (terms.keys) check_apart(keys_of(terms, *buffers, arguments.count), range);
    if (uses_value_buffer(terms.spec)) check_apart(values_of(terms, *buffers, arguments.count), range);
}

Range scratch_of(const CallerTerms& terms, const SortArguments& arguments) {
    return {"scratch", arguments.scratch, terms.scratch_bytes};
}

void check_scratch(const CallerTerms& terms, const SortArguments& arguments) {
    const Range scratch = scratch_of(terms, arguments);
    check_range(terms, scratch, terms.scratch_alignment);
    check_apart_from_elements(terms, arguments, scratch);
}

void check_gpu_count(const CallerTerms& terms, const SortArguments& arguments) {
    if (terms.spec.gpu_count_medium == Medium::texture) {
        const TextureView& texture = arguments.gpu_count_texture;
        const TextureView& output = terms.spec.own_output ? terms.own_output : arguments.output;
        check_readable_texture(terms.api, "gpu_count_texture", texture, 1, false, asks_opengl(terms));
        if (texture.name == output.name)
            throw Error(fmt::format("gpu_count_texture and output are both texture {}", texture.name));
        return;
    }
    const Range count{"gpu_count", arguments.gpu_count, 4};
    check_range(terms, count, 4);
    check_apart_from_elements(terms, arguments, count);
    if (terms.options.caller_scratch) check_apart(scratch_of(terms, arguments), count);
}

/// Throws `Error` if the count is not at the place that the specification requires.
void check_count_source(const SortSpec& spec, const SortArguments& arguments) {
    if (spec.gpu_count && arguments.count != 0)
        throw Error(fmt::format("count {} is given, but the sorter was made with gpu_count", arguments.count));
    const auto check_unused = [&spec](const char* member, std::uint32_t name, Medium medium) {
        if (name == 0 || (spec.gpu_count && spec.gpu_count_medium == medium)) return;
        throw Error(fmt::format("{}.name {} is given, but the sorter was made without gpu_count{}", member, name,
                                spec.gpu_count ? fmt::format(" in a {}", to_string(medium)) : ""));
    };
    check_unused("gpu_count", arguments.gpu_count.name, Medium::buffer);
    check_unused("gpu_count_texture", arguments.gpu_count_texture.name, Medium::texture);
}

}  // namespace

void check_texture(const gl::Api& api, const char* name, const TextureView& view, std::uint32_t count,
                   std::uint32_t min_words, std::uint32_t max_words, bool ask) {
    check_view(api, name, view, count);
    if (ask) check_object(api, name, view, min_words, max_words);
}

void check_readable_texture(const gl::Api& api, const ArgumentName& name, const TextureView& view, std::uint32_t count,
                            bool floats, bool ask) {
    check_view(api, name, view, count);
    if (!ask) return;
    const StateGuard guard(api, {.textures = true});
    bind_checked(api, name, view);
    if (!tells_shapes(api)) return;
    check_size(api, name, view);
    const auto type = static_cast<GLenum>(level_parameter(api, GL_TEXTURE_RED_TYPE));
    const bool has_floats = type == GL_FLOAT || type == GL_UNSIGNED_NORMALIZED || type == GL_SIGNED_NORMALIZED;
    if (floats ? !has_floats : type != GL_UNSIGNED_INT)
        throw Error(fmt::format("{} is a texture of component type {:#06x}; it must have {}", name.text(), type,
                                floats ? "floats or normalised integers" : "unsigned integers"));
}

std::uint32_t texel_words(const SortSpec& spec, bool value) {
    return std::bit_ceil(key_bytes(spec.order) / 4 + (value ? 1 : 0));
}

void check_context(const gl::Api& api) {
    if (!api.is_current())
        throw Error(api.current_context() == nullptr ? "no OpenGL context is current on this thread"
                                                     : "another OpenGL context is current than at construction");
    if (const std::string why = gl::state_refusal(api); !why.empty()) throw Error(why);
}

void check_count(const SortSpec& spec, std::uint32_t count) {
    if (count > spec.capacity)
        throw Error(fmt::format("count {} exceeds the capacity {} given at construction", count, spec.capacity));
}

void check_lists(const SortSpec& spec, std::uint32_t count, std::span<const std::uint32_t> lists) {
    if (spec.max_lists == 0) throw Error("the sorter was made without max_lists");
    if (lists.size() > spec.max_lists)
        throw Error(fmt::format("{} lists exceed max_lists {} given at construction", lists.size(), spec.max_lists));
    std::uint64_t sum = 0;
    for (const std::uint32_t length : lists)
        sum += length;
    if (sum != count) throw Error(fmt::format("lists add up to {} elements; count is {}", sum, count));
}

void check_arguments(const CallerTerms& terms, const SortArguments& given) {
    check_context(terms.api);
    check_count_source(terms.spec, given);
    check_count(terms.spec, given.count);
    SortArguments arguments = given;
    // The CPU does not know the count, so the objects must have room for the capacity.
    if (terms.spec.gpu_count) arguments.count = terms.spec.capacity;
    if (arguments.count == 0) return;
    check_members(terms, arguments);
    if (const auto* buffers = std::get_if<Buffers>(&arguments.input)) check_buffers(terms, *buffers, arguments.count);
    check_textures(terms, terms.input ? std::get_if<TextureView>(&arguments.input) : nullptr, arguments);
    if (terms.options.caller_scratch && terms.scratch_bytes != 0) check_scratch(terms, arguments);
    if (terms.spec.gpu_count) check_gpu_count(terms, arguments);
}

}  // namespace glsort
