#pragma once

#include <glad/gl.h>
#include <glsort/sorter.h>

#include <cstdint>
#include <string>
#include <vector>

#include "check_copies.h"
#include "check_round.h"

/// A texture of the caller's, filled and read by every way that there is. Quiet ways (check_ways.h) work in any
/// state, and put back what they change.

namespace glsort::check {

/// All words of a texture of 1, 2 or 4 channels, row by row. Waits.
Words read_texture(const GladGLContext& gl, Copies& copies, const TextureView& view, std::uint32_t channels,
                   Reading way);

/// A new texture, which holds `words` or anything; the caller deletes it. Quiet. `immutable`: of glTexStorage2D, and
/// complete.
GLuint make_texture(const GladGLContext& gl, const TextureView& shape, std::uint32_t channels, const Words* words,
                    bool immutable = false);

/// Lets the GPU copy a texture to another of the same shape and format. Quiet.
void copy_texture(const GladGLContext& gl, GLuint from, const TextureView& to);

/// Where a word of an element lies among those of a texture.
std::size_t word_place(const TextureView& view, std::uint32_t channels, std::uint32_t element, std::uint32_t channel);

/// Its own parameters are left as they are new, so that alone it is incomplete, unless it is immutable.
class CheckedTexture {
  public:
    CheckedTexture(const GladGLContext& gl, Copies& copies, const TextureView& shape, std::uint32_t channels,
                   Words words, bool immutable);
    ~CheckedTexture();
    CheckedTexture(const CheckedTexture&) = delete;
    CheckedTexture& operator=(const CheckedTexture&) = delete;

    const TextureView& view() const { return view_; }
    std::uint32_t channels() const { return channels_; }

    /// Writes `expected`.
    void upload(Upload way);
    /// Puts what comes next behind stores to images.
    void finish_stores();
    /// Parameters that are no longer what they were at first: "parameter 0x2801 is 0x2600 instead of 0x2702"; empty
    /// where there are none. Quiet.
    std::string changed_parameters() const;

    Words expected;

  private:
    void sub_image(const void* texels) const;
    std::vector<GLint> parameters() const;
    void blit(GLuint from) const;

    const GladGLContext& gl_;
    Copies& copies_;
    TextureView view_;
    std::uint32_t channels_;
    bool immutable_;
    bool stored_ = false;  ///< By an image store, behind which there was no barrier.
    std::vector<GLint> parameters_;
};

}  // namespace glsort::check
