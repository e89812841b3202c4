#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// The ways in which a round fills and reads objects, and the actions on its sorters.

namespace glsort::check {

/// Ways to upload input to a buffer or to a texture.
enum class Upload {
    sub_data,            ///< glBufferSubData on the target GL_COPY_WRITE_BUFFER.
    sub_data_array,      ///< glBufferSubData on GL_ARRAY_BUFFER.
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
    shared,              ///< By a context that shares objects, between fences. Also for textures.
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

/// Ways to read a result.
enum class Reading {
    map,        ///< Mapped for reading.
    mapping,    ///< Through a mapping that lives as long as the buffer, behind a fence.
    get,        ///< glGetBufferSubData.
    copy,       ///< Copied to another buffer, which is mapped.
    storage,    ///< By a compute shader, from a storage buffer.
    vertex,     ///< As vertex attributes.
    pixels,     ///< glReadPixels.
    pack,       ///< glReadPixels into a pixel buffer.
    fetch,      ///< By a fragment shader, from a texture.
    get_image,  ///< glGetTexImage.
};
inline constexpr std::size_t reading_ways = 10;

enum class Action {
    sort,      ///< `sort`, or `merge` if the sample has lists. The counterparts if the sorter has its own texture.
    steps,     ///< `begin`, then `step` to the end, with some reads in between.
    abandon,   ///< `begin`, and some steps.
    lockstep,  ///< `begin`, then `step` to the end, compared with the cpu executor after each op.
};

/// The time at which a result is read.
enum class Keep {
    now,      ///< Right after the call.
    copied,   ///< Copied by the GPU at once; the copy is read at the end of the visit.
    later,    ///< At the end of the visit, or before the next upload to the same place.
    dropped,  ///< Never. The next upload overwrites the result at once.
};

/// Actions of an application right before a call (sorter.h).
enum class Between {
    nothing,
    // The call succeeds.
    pending_error,  ///< An OpenGL error is pending, and is still pending after the call.
    full_groups,    ///< The stack of debug groups is full.
    // The call throws. Then the call is made again, without the action.
    deleted_name,       ///< A name of the arguments is deleted.
    deleted_meanwhile,  ///< A name is deleted between `begin` and `step`.
    mapped,             ///< A buffer is mapped.
    other_context,      ///< Another context is current.
    sharing_context,    ///< A context that shares objects is current.
    no_context,         ///< No context is current.
    moved_from,         ///< The sorter is moved, and moved back.
};
inline constexpr std::size_t betweens = 10;

/// The circumstances in which a sorter is destroyed.
enum class Farewell {
    own_context,    ///< While its context is current.
    other_context,  ///< While another context is current.
    no_context,     ///< While no context is current.
    abandoned,      ///< After `abandon`, while another context is current.
    context_gone,   ///< Like `abandoned`, after a similar sorter whose context was destroyed.
};

/// The storage of a place's buffers.
enum class Storage {
    plain,      ///< Made by glBufferData.
    immutable,  ///< Made by glBufferStorage, never mapped.
    mapped,     ///< Made by glBufferStorage, always mapped, and coherent.
    flushed,    ///< Like `mapped`, but not coherent: writes are flushed.
};
/// Whether a mapping lives as long as the buffer.
constexpr bool stays_mapped(Storage storage) {
    return storage == Storage::mapped || storage == Storage::flushed;
}

/// Whether the way works in any state, and restores the state that it changes.
bool is_quiet(Upload upload);
bool is_quiet(Reading reading);

/// Whether the call throws, and must be made again.
bool is_refused(Between between);

std::string_view to_string(Upload upload);
std::string_view to_string(Reading reading);
std::string_view to_string(Action action);
std::string_view to_string(Keep keep);
std::string_view to_string(Between between);
std::string_view to_string(Farewell farewell);
std::string_view to_string(Storage storage);

}  // namespace glsort::check
