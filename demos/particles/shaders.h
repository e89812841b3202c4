#pragma once

#include <string>

#include "support/headless_context.h"

/// The shaders of particles, for OpenGL 3.3 (`#version 330 core`) or OpenGL ES 3.0
/// (`#version 300 es`). Vertex attributes: 0 position, 1 colour, 2 size; of splats see Elements.
namespace glsort::demo::shaders {

/// Writes the key of each particle to `key`.
std::string key_vertex(Api api);
/// The least that a program with nothing to draw must have on OpenGL ES.
std::string key_fragment(Api api);

/// Draws each particle as a round sprite, colours premultiplied by alpha.
std::string sprite_vertex(Api api);
std::string sprite_fragment(Api api);

/// Draws each splat as a quad around what is seen of it, colours premultiplied by alpha. "EWA
/// splatting" (Zwicker et al. 2002), as 3D Gaussian Splatting has it: the Gaussian's projection is
/// taken for a Gaussian, and is at least as wide as a pixel.
std::string splat_vertex(Api api);
std::string splat_fragment(Api api);

/// Covers the picture: puts what the sprites made before a background.
std::string picture_vertex(Api api);
std::string picture_fragment(Api api);

}  // namespace glsort::demo::shaders
