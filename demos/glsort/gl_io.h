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

/// A context, and transfers to and from GPU memory, as a user of the library would write them.
namespace glsort::demo {

/// A current context without a window, and the context's functions.
struct GlContext {
    HeadlessContext context;
    GladGLContext gl;
    /// Whether the CPU is the rasteriser. Timer queries do not cover the CPU's work.
    bool software = false;
};

/// Opens the requested context, or else the best available context. Throws std::runtime_error if there is none.
std::unique_ptr<GlContext> open_context(const ContextOptions& options);

/// Like open_context(), for a command that can run without a context. The error says how.
std::unique_ptr<GlContext> open_context_or_advise(const ContextOptions& options);

/// Resets the state that a sort under StatePolicy::caller_resets changes and this program depends on. This is the
/// current program, which belongs to a sorter, and the parameters of texture uploads.
void reset_state(const GladGLContext& gl);

/// A 2D texture of unsigned integers that holds an element of `words` 32-bit words in each texel.
class GlTexture {
  public:
    /// `shape` comes from Sorter::texture_for. `words` is 1, 2 or 4.
    GlTexture(const GladGLContext& gl, const TextureView& shape, std::uint32_t words);
    ~GlTexture();
    GlTexture(const GlTexture&) = delete;
    GlTexture& operator=(const GlTexture&) = delete;

    /// Writes elements 0, 1, ...
    void upload(std::span<const std::uint32_t> elements);
    /// The first `count` elements. Waits for the GPU.
    std::vector<std::uint32_t> download(std::uint32_t count) const;
    const TextureView& view() const { return view_; }

  private:
    const GladGLContext& gl_;
    TextureView view_;
    std::uint32_t words_ = 1;
};

}  // namespace glsort::demo
