#pragma once

#include <glsort/gl/api.h>
#include <glsort/gl_types.h>

#include <cstdint>

namespace glsort {

/// A copy between a buffer and the first texels of a texture, row by row.
struct PixelTransfer {
    std::uint32_t words = 0;  ///< Of a texel: 1, 2 or 4.
    std::uint32_t width = 0;  ///< Texels of a row.
    std::uint32_t count = 0;  ///< Texels.
    BufferSlice buffer;
    std::uint32_t most = 0;  ///< Max texels of a piece (exec/pieces.h).
};

/// Copies from the buffer to a texture. Changes the bindings of texture unit 0 and of the pixel unpack buffer, and the
/// parameters of pixel unpacks.
void unpack_pixels(const gl::Api& api, const PixelTransfer& transfer, GLuint texture);

/// Copies from the texture of a framebuffer to the buffer. Changes the bindings of both framebuffers and of the pixel
/// pack buffer, and the parameters of pixel packs. `aligned_is_slow`: `gl::packs_aligned_slowly`.
void pack_pixels(const gl::Api& api, const PixelTransfer& transfer, GLuint framebuffer, bool aligned_is_slow);

}  // namespace glsort
