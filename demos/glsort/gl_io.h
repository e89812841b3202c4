#pragma once

#include <glad/gl.h>

#include <glsort/sorter.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "options.h"
#include "support/gl_buffer.h"
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

/// The same, for a command that can do without: the error says how.
std::unique_ptr<GlContext> open_context_or_advise(const ContextOptions& options);

/// Resets what a sort under StatePolicy::caller_resets leaves behind and this program minds: the
/// program (a sorter's own, which goes with it) and how textures are filled.
void reset_state(const GladGLContext& gl);

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
