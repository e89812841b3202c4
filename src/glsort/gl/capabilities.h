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

/// Whether sparse buffers are known to have larger pages than other buffers. On NVIDIA's driver such pages have 2 MiB,
/// as pages of CUDA do. Scattered writes to more than about 256 MiB of smaller pages wait for address translation
/// (docs/experiments.md).
bool has_large_sparse_pages(const Api& api);

/// Whether the renderer's name is that of a software rasteriser.
bool is_software(const Api& api);

/// Whether the driver uses stale values of uniforms in compute shaders. zink over a software rasteriser does. If
/// uniforms alone decide a condition, zink recompiles the shader for each of their values, and then picks a wrong
/// version (docs/experiments.md, "What zink does").
bool mistakes_uniforms(const Api& api);

}  // namespace glsort::gl
