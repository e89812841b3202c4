#pragma once

#include <glad/gl.h>
#include <glsort/sorter.h>

#include <cstdint>
#include <string>
#include <vector>

#include "check_copies.h"
#include "check_round.h"

/// A texture of the caller, with every way to fill and to read a texture. Quiet ways (check_ways.h) work in any state,
/// and restore the state that they change.

namespace glsort::check {

/// All words of a texture of 1, 2 or 4 channels, row by row. Waits for the GPU.
Words read_texture(const GladGLContext& gl, Copies& copies, const TextureView& view, std::uint32_t channels,
                   Reading way);

/// Makes a texture with `words`, or with any contents if null. The caller deletes the texture. Quiet. `immutable`: made
/// by glTexStorage2D, and complete.
GLuint make_texture(const GladGLContext& gl, const TextureView& shape, std::uint32_t channels, const Words* words,
                    bool immutable = false);

/// Lets the GPU copy a texture to another of equal shape and format. Quiet.
void copy_texture(const GladGLContext& gl, GLuint from, const TextureView& to);

/// The index of a word of an element among the words of a texture.
std::size_t word_place(const TextureView& view, std::uint32_t channels, std::uint32_t element, std::uint32_t channel);

/// The parameters of the texture keep their initial values. Without a sampler the texture is incomplete, unless it is
/// immutable.
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
    /// Makes later commands wait for stores to images.
    void finish_stores();
    /// Parameters that differ from their initial values, such as "parameter 0x2801 is 0x2600 instead of 0x2702". Empty
    /// if there are none. Quiet.
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
    bool stored_ = false;  ///< Whether the last upload was an image store, without a barrier since.
    std::vector<GLint> parameters_;
};

}  // namespace glsort::check
