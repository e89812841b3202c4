#pragma once

#include <glsort/exec/fragment_captures.h>
#include <glsort/exec/program_cache.h>
#include <glsort/gl/objects.h>
#include <glsort/gl_types.h>

#include <cstdint>
#include <memory>

namespace glsort {

/// The count of a sort in fragment shaders, if only the GPU knows the count. The vertex stages fetch the count from a
/// texel (counted_text.h). For a count in a texture, the texel is the caller's. A count in a buffer is copied to the
/// only texel of `texture()`. The compute backend has `GpuCount` instead.
class CountTexture {
  public:
    /// The program of the status.
    static gl::ProgramSource source(bool es);

    /// Issues the program.
    CountTexture(const std::shared_ptr<const gl::Api>& api, std::shared_ptr<ProgramCache> programs);

    static constexpr std::uint64_t bytes = 4 + 16;  ///< GPU memory: the texel and the status.

    /// Counts above the capacity are clamped. Finishes the program of the status.
    void set_capacity(std::uint32_t capacity);
    /// Copies the count from the caller's buffer, and leaves the texture bound to unit 0. The parameters of pixel
    /// unpack must be the initial ones.
    void take(const BufferSlice& count);
    /// Writes {count, clamped, 0, 0} to `status`. A vertex array of the library must be bound. Unit 0 must have the
    /// texture of the count and a sampler for integer textures.
    void write_status(FragmentCaptures& captures);
    BufferSlice status() const { return {status_.name(), 0}; }
    GLuint texture() const { return texture_.name(); }

  private:
    std::shared_ptr<const gl::Api> api_;
    gl::Texture texture_;
    gl::Buffer status_;
    std::shared_ptr<ProgramCache> programs_;
    GLuint program_ = 0;
    GLint capacity_uniform_ = -1;
    std::uint32_t capacity_ = 0;
};

}  // namespace glsort
