#pragma once

#include <glsort/gl/objects.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace glsort {

/// Small objects in place of the caller's, for ops that run over nothing (`GlExecutor::warm_up`).
class StandIns {
  public:
    explicit StandIns(std::shared_ptr<const gl::Api> api);

    static constexpr std::uint32_t buffer_bytes = 1u << 16;

    /// A buffer of `buffer_bytes` zeros.
    GLuint buffer() const { return buffer_.name(); }
    /// A texture of one texel, of `words` unsigned integers or of four floats. `written`: whether ops write the texture
    /// (`target`). Leaves texture unit 0 active.
    GLuint texture(std::uint32_t words, bool floats = false, bool written = false);
    /// The texture for a stream.
    GLuint texture(const Stream& stream) { return texture(stream.texel_words(), stream.floats); }
    /// A texture that no op reads, for a stream that an op writes. WebGL refuses a draw to a texture that the draw
    /// reads.
    GLuint target(const Stream& stream) { return texture(stream.texel_words(), stream.floats, true); }

  private:
    struct Known {
        std::uint32_t words = 0;
        bool floats = false;
        bool written = false;
        gl::Texture texture;
    };

    std::shared_ptr<const gl::Api> api_;
    gl::Buffer buffer_;
    std::vector<Known> textures_;
};

}  // namespace glsort
