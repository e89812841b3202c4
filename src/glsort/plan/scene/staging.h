#pragma once

#include <glsort/limits.h>
#include <glsort/stream/program.h>

namespace glsort::scene {

/// The stream that shaders of the program's backend read in place of the caller's stream `id`. If fragment shaders
/// cannot read the buffer, adds a texture with the words of the buffer, and the op that fills the texture.
StreamId stage_for_reading(StreamProgram& program, StreamId id, const Limits& limits);

/// The stream that shaders write in place of the caller's stream `id`. The fragment backend writes a buffer by
/// transform feedback of vertex shaders, vertex by vertex. If textures can be packed into buffers, a texture in between
/// is several times faster.
StreamId stage_for_writing(StreamProgram& program, StreamId id, const Limits& limits);

/// Adds the op that moves `written`, an answer of `stage_for_writing`, to the caller's stream `id`. Adds nothing if
/// both are one stream.
void unstage(StreamProgram& program, StreamId written, StreamId id);

}  // namespace glsort::scene
