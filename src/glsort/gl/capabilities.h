#pragma once

#include <glsort/gl/api.h>
#include <glsort/limits.h>

#include <cstdint>
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

/// Whether a shader stores to an array at the index of another instance. softpipe runs four instances at once, and
/// takes the index of the first for all of them (docs/driver-faults.md).
bool mistakes_indices(const Api& api);

/// Whether uploads to textures overtake earlier commands that use the textures. True for zink over a software
/// rasteriser (docs/driver-faults.md).
bool uploads_overtake(const Api& api);

/// Whether transform feedback overtakes earlier draws that read the buffer as a texture. True for llvmpipe
/// (docs/driver-faults.md).
bool captures_overtake(const Api& api);

/// Whether writes by a dispatch get lost if the buffer stays mapped and stays bound as storage. True for zink over a
/// software rasteriser (docs/driver-faults.md).
bool loses_bound_storage(const Api& api);

/// Whether storage blocks of later shaders need a barrier to show what transform feedback wrote. True for ANGLE
/// (docs/driver-faults.md).
bool hides_feedback(const Api& api);

/// Whether transform feedback cannot write a buffer that is mapped persistently. True for ANGLE
/// (docs/driver-faults.md).
bool refuses_mapped_feedback(const Api& api);

/// Whether a second capture by transform feedback to the same buffers goes on behind the first capture, and not at the
/// start. True for softpipe (docs/driver-faults.md).
bool continues_captures(const Api& api);

/// Whether two captures by transform feedback may run in any order if they have one framebuffer. True for ANGLE
/// (docs/driver-faults.md).
bool joins_captures(const Api& api);

/// Whether a pixel pack to an aligned place of a buffer is slow. With NVIDIA's driver, such a pack may take three times
/// as long as a pack to a place 4 bytes further (docs/experiments/merge.md, "Pixel packs").
bool packs_aligned_slowly(const Api& api);

/// The most vertices of a draw whose shader reads `gl_VertexID`. On softpipe, after this many vertices the numbers
/// begin again at that of the first vertex (docs/driver-faults.md).
std::uint32_t most_numbered_vertices(const Api& api);

}  // namespace glsort::gl
