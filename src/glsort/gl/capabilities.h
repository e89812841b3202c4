#pragma once

#include <glsort/gl/api.h>
#include <glsort/limits.h>

#include <string>

namespace glsort::gl {

/// What the current context offers the backends, as programs are held to it. Tries framebuffers and, with
/// `probe` and compute shaders, subgroups (gl/subgroups.h); without `probe` there are none. Changes no state.
Limits query_limits(const std::shared_ptr<const Api>& api, bool probe = true);

/// Whether the compute backend can run here; if not, `reason` says what is missing.
bool has_compute(const Api& api, std::string& reason);

/// Whether memory of sparse buffers is known to have larger pages than that of others. On NVIDIA's driver it has such
/// of 2 MiB, as CUDA's has: where scattered writes reach more than some 256 MiB of smaller ones, they wait for
/// addresses to be translated (docs/experiments.md).
bool has_large_sparse_pages(const Api& api);

/// Whether the renderer is a software rasteriser, by its name.
bool is_software(const Api& api);

/// Whether the driver takes old values of uniforms in compute shaders: zink over a software rasteriser. It compiles a
/// shader again for the values of those uniforms that alone decide a condition, and then takes the wrong one of what it
/// has compiled (docs/experiments.md, "What zink does").
bool mistakes_uniforms(const Api& api);

}  // namespace glsort::gl
