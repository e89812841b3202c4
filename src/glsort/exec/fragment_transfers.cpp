#include <glsort/base/browser.h>
#include <glsort/exec/fragment_transfers.h>
#include <glsort/exec/gl_executor.h>
#include <glsort/exec/pieces.h>
#include <glsort/gl/state_guard.h>

namespace glsort {
namespace {

/// From this size on, a copy packs the first column of texels apart where aligned packs are slow. Smaller copies gain
/// less than the second call costs (docs/experiments/merge.md, "Pixel packs").
constexpr std::uint64_t least_bytes_packed_apart = 1u << 20;

/// Calls `piece(rectangle)` for rectangles that hold the texels of a transfer: full rows first, then the rest.
template <class Piece>
void for_rows(const PixelTransfer& transfer, const Piece& piece) {
    const std::uint32_t rows = transfer.count / transfer.width;
    for_pieces({0, 0, transfer.width, rows}, transfer.most, piece);
    for_pieces({0, rows, transfer.count % transfer.width, rows + 1}, transfer.most, piece);
}

/// The offset of a rectangle's first texel in the bound pixel buffer.
void* offset_of(const PixelTransfer& transfer, const Rectangle& piece) {
    const std::uint64_t texel = piece.y0 * std::uint64_t{transfer.width} + piece.x0;
    return reinterpret_cast<void*>(
        static_cast<std::uintptr_t>(transfer.buffer.offset + std::uint64_t{4} * transfer.words * texel));
}

}  // namespace

void unpack_pixels(const gl::Api& api, const PixelTransfer& transfer, GLuint texture) {
    api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, transfer.buffer.name);
    gl::set_state(api, {.unpack = true});
    api.ActiveTexture(GL_TEXTURE0);
    api.BindTexture(GL_TEXTURE_2D, texture);
    for_rows(transfer, [&](const Rectangle& piece) {
        api.TexSubImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(piece.x0), static_cast<GLint>(piece.y0),
                          static_cast<GLsizei>(piece.x1 - piece.x0), static_cast<GLsizei>(piece.y1 - piece.y0),
                          integer_format(transfer.words).format, GL_UNSIGNED_INT, offset_of(transfer, piece));
    });
    api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

void pack_pixels(const gl::Api& api, const PixelTransfer& transfer, GLuint framebuffer, bool aligned_is_slow) {
    bind_to_read(api, framebuffer);
    api.BindBuffer(GL_PIXEL_PACK_BUFFER, transfer.buffer.name);
    gl::set_state(api, {.pack = true});
    const auto pack = [&](const Rectangle& piece) {
        api.ReadPixels(static_cast<GLint>(piece.x0), static_cast<GLint>(piece.y0),
                       static_cast<GLsizei>(piece.x1 - piece.x0), static_cast<GLsizei>(piece.y1 - piece.y0),
                       integer_format(transfer.words).format, GL_UNSIGNED_INT, offset_of(transfer, piece));
    };
    const auto is_long = [&](std::uint64_t texels) {
        return std::uint64_t{4} * transfer.words * texels >= least_bytes_packed_apart;
    };
    const bool column_apart = !in_browser && aligned_is_slow && is_long(transfer.count);
    if (column_apart) api.PixelStorei(GL_PACK_ROW_LENGTH, static_cast<GLint>(transfer.width));
    for_rows(transfer, [&](const Rectangle& piece) {
        const std::uint32_t columns = piece.x1 - piece.x0;
        if (!column_apart || !is_long(std::uint64_t{columns} * (piece.y1 - piece.y0))) return pack(piece);
        pack({piece.x0, piece.y0, piece.x0 + 1, piece.y1});
        pack({piece.x0 + 1, piece.y0, piece.x1, piece.y1});
    });
    if (column_apart) api.PixelStorei(GL_PACK_ROW_LENGTH, 0);
    api.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

}  // namespace glsort
