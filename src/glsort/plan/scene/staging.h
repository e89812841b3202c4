#pragma once

#include <glsort/stream/program.h>

namespace glsort::scene {

/// The stream that shaders of the program's backend read in place of the caller's stream `id`. Fragment shaders read no
/// buffers: for a buffer this adds a texture with the words of the buffer, and the op that fills the texture.
StreamId readable(StreamProgram& program, StreamId id);

}  // namespace glsort::scene
