#pragma once

#include <glad/gl.h>

#include <glsort/sorter.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "options.h"
#include "support/headless_context.h"

/// A context, and the ways in and out of GPU memory, as a user of the library would write them.
namespace glsort::demo {

/// A context without a window, current, with its functions.
struct GlContext {
    HeadlessContext context;
    GladGLContext gl;
    /// The CPU is the rasteriser: timer queries do not cover its work.
    bool software = false;
};

/// Opens the best context that there is, or the one that is asked for. Throws std::runtime_error
/// where there is none.
std::unique_ptr<GlContext> open_context(const ContextOptions& options);

/// Throws std::runtime_error where OpenGL has reported an error since the last call; `when` says
/// what was done.
void check_gl(const GladGLContext& gl, const char* when);

/// Resets what a sort under StatePolicy::caller_resets leaves behind and this program minds: the
/// program (a sorter's own, which goes with it) and how textures are filled.
void reset_state(const GladGLContext& gl);

/// A buffer in GPU memory. Any version of OpenGL that the library takes.
class GlBuffer {
  public:
    GlBuffer(const GladGLContext& gl, std::span<const std::uint32_t> words);
    ~GlBuffer();
    GlBuffer(const GlBuffer&) = delete;
    GlBuffer& operator=(const GlBuffer&) = delete;

    /// Queues a copy of all of `source`, which is as large.
    void copy_from(const GlBuffer& source);
    /// All words. Waits.
    std::vector<std::uint32_t> download() const;
    std::uint32_t name() const { return name_; }

  private:
    const GladGLContext& gl_;
    std::uint32_t name_ = 0;
    std::size_t words_ = 0;
};

/// A 2D texture of unsigned integers that holds an element of `words` 32-bit words in each texel.
class GlTexture {
  public:
    /// `shape` is Sorter::texture_for's. `words` is 1, 2 or 4.
    GlTexture(const GladGLContext& gl, const TextureView& shape, std::uint32_t words);
    ~GlTexture();
    GlTexture(const GlTexture&) = delete;
    GlTexture& operator=(const GlTexture&) = delete;

    /// Writes elements 0, 1, ...
    void upload(std::span<const std::uint32_t> elements);
    /// The first `count` elements. Waits.
    std::vector<std::uint32_t> download(std::uint32_t count) const;
    const TextureView& view() const { return view_; }

  private:
    const GladGLContext& gl_;
    TextureView view_;
    std::uint32_t words_ = 1;
};

}  // namespace glsort::demo
