#pragma once

#include <string>

#include "support/headless_context.h"

/// The shaders of particles, for OpenGL 3.3 (`#version 330 core`) or OpenGL ES 3.0 (`#version 300 es`). Elements says
/// what the vertex attributes are.
namespace glsort::demo::shaders {

/// Moves each particle, and writes its Place to `place`.
std::string move_vertex(Api api);
/// Writes an order to `marked`, with MarkedOrder::mark behind the visible items. Attribute 0: the item. The block
/// `Status` is the status of a sorter.
std::string mark_vertex(Api api);
/// The smallest fragment shader, which OpenGL ES requires even if nothing is drawn.
std::string no_fragment(Api api);

/// Draws each particle as a round sprite, with colours premultiplied by alpha.
std::string sprite_vertex(Api api);
std::string sprite_fragment(Api api);

/// Draws each splat as a quad around its visible part, with colours premultiplied by alpha. The projection is that of
/// "EWA splatting" (Zwicker et al. 2002) and of 3D Gaussian Splatting. The projection of a Gaussian counts as a
/// Gaussian, at least a pixel wide.
std::string splat_vertex(Api api);
std::string splat_fragment(Api api);

/// Covers the picture, and puts the sprites before a background.
std::string picture_vertex(Api api);
std::string picture_fragment(Api api);

}  // namespace glsort::demo::shaders
