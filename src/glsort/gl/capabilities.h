#pragma once

#include <glsort/gl/api.h>
#include <glsort/limits.h>

#include <string>

namespace glsort::gl {

/// The limits of the current context, which programs must respect. Tests framebuffers. With `probe`, and if the context
/// has compute shaders, also tests subgroups (gl/subgroups.h). Without `probe` the limits have no subgroups. Leaves the
/// OpenGL state unchanged.
Limits query_limits(const std::shared_ptr<const Api>& api, bool probe = true);

/// Whether the compute backend can run in this context. `reason` gets the version, or what is missing.
bool has_compute(const Api& api, std::string& reason);

/// Whether sparse buffers are known to have larger pages than other buffers. On NVIDIA's driver their pages have 2 MiB,
/// like CUDA's. Scattered writes to more than about 256 MiB of smaller pages wait for address translation
/// (docs/experiments.md).
bool has_large_sparse_pages(const Api& api);

/// Whether the renderer's name is that of a software rasteriser.
bool is_software(const Api& api);

/// Whether the driver uses stale values of uniforms in compute shaders. zink over a software rasteriser does. It
/// recompiles a shader for each value of uniforms that alone decide a condition, and then picks the wrong compiled
/// version (docs/experiments.md, "What zink does").
bool mistakes_uniforms(const Api& api);

}  // namespace glsort::gl
