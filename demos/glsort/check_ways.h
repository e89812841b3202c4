#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// The ways in which a round fills objects and reads them, and what it does with its sorters.

namespace glsort::check {

/// Ways by which input gets into a buffer, and into a texture.
enum class Upload {
    sub_data,            ///< glBufferSubData on a target bound for it.
    sub_data_array,      ///< The same on GL_ARRAY_BUFFER.
    named_sub_data,      ///< glNamedBufferSubData.
    data,                ///< glBufferData with the data.
    orphan,              ///< glBufferData without data, then glBufferSubData.
    map,                 ///< Mapped for writing.
    map_invalidate,      ///< Mapped, the buffer invalidated.
    map_range,           ///< Mapped, the range invalidated.
    map_flush,           ///< Mapped, and flushed explicitly.
    map_unsynchronized,  ///< Mapped without synchronisation, orphaned before.
    persistent,          ///< Through a mapping that lives as long as the buffer, behind a fence.
    copy,                ///< glCopyBufferSubData.
    clear,               ///< Cleared, then glBufferSubData.
    compute,             ///< By a compute shader.
    feedback,            ///< By transform feedback.
    shared,              ///< By a context that shares objects, between fences. Of textures, too.
    sub_image,           ///< glTexSubImage2D from client memory.
    named_sub_image,     ///< glTextureSubImage2D.
    unpack,              ///< glTexSubImage2D from a pixel buffer.
    image,               ///< glTexImage2D.
    copy_image,          ///< glCopyTexSubImage2D.
    copy_sub_image,      ///< glCopyImageSubData.
    clear_image,         ///< glClearTexImage, then glTexSubImage2D.
    blit,                ///< glBlitFramebuffer.
    draw,                ///< By a fragment shader.
    image_store,         ///< By a compute shader, through an image unit.
};
inline constexpr std::size_t upload_ways = 26;

/// Ways by which a result is read.
enum class Reading {
    map,        ///< Mapped for reading.
    mapping,    ///< Through a mapping that lives as long as the buffer, behind a fence.
    get,        ///< glGetBufferSubData.
    copy,       ///< Copied to another buffer, which is mapped.
    storage,    ///< By a compute shader, from a storage buffer.
    vertex,     ///< As vertex attributes.
    pixels,     ///< glReadPixels.
    pack,       ///< The same into a pixel buffer.
    fetch,      ///< By a fragment shader, from a texture.
    get_image,  ///< glGetTexImage.
};
inline constexpr std::size_t reading_ways = 10;

enum class Action {
    sort,      ///< `sort`, or `merge` where the sample has lists; into an own texture the like.
    steps,     ///< `begin`, then `step` to the end, with some reads between.
    abandon,   ///< `begin`, and some steps.
    lockstep,  ///< `begin`, then `step` to the end, compared with the cpu executor after each op.
};

/// When a result is read.
enum class Keep {
    now,      ///< Right after the call.
    copied,   ///< Copied by the GPU at once; the copy is read at the end of the visit.
    later,    ///< At the end of the visit, or before the next upload to the same place.
    dropped,  ///< Never: the next upload overwrites it, with nothing in between.
};

/// What an application does between calls (sorter.h), right before a call.
enum class Between {
    nothing,
    // The call is made all the same.
    pending_error,  ///< An error of OpenGL's is pending, and still is behind the call.
    full_groups,    ///< The stack of debug groups is full.
    // The call is refused, and made again.
    deleted_name,       ///< With a name that is deleted.
    deleted_meanwhile,  ///< A name is deleted between `begin` and `step`.
    mapped,             ///< A buffer is mapped.
    other_context,      ///< Another context is current.
    sharing_context,    ///< A context that shares objects is current.
    no_context,         ///< None is current.
    moved_from,         ///< The sorter is moved, and back again.
};
inline constexpr std::size_t betweens = 10;

/// How a sorter goes.
enum class Farewell {
    own_context,    ///< While its context is current.
    other_context,  ///< While another one is.
    no_context,     ///< While none is.
    abandoned,      ///< After `abandon`, while another context is current.
    context_gone,   ///< As the last one, after another sorter of the kind whose context was destroyed.
};

/// The storage of a place's buffers.
enum class Storage {
    plain,      ///< Of glBufferData.
    immutable,  ///< Of glBufferStorage, never mapped.
    mapped,     ///< The same, mapped as long as it lives, and coherent.
    flushed,    ///< The same, not coherent: what is written is flushed.
};
/// Whether a mapping lives as long as the buffer.
constexpr bool stays_mapped(Storage storage) {
    return storage == Storage::mapped || storage == Storage::flushed;
}

/// Whether the way does in any state, and puts back what it changes.
bool is_quiet(Upload upload);
bool is_quiet(Reading reading);

/// Whether the call is refused, and has to be made again.
bool is_refused(Between between);

std::string_view to_string(Upload upload);
std::string_view to_string(Reading reading);
std::string_view to_string(Action action);
std::string_view to_string(Keep keep);
std::string_view to_string(Between between);
std::string_view to_string(Farewell farewell);
std::string_view to_string(Storage storage);

}  // namespace glsort::check
