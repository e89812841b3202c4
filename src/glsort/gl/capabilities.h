#pragma once

#include <glsort/gl/api.h>

#include <string>

namespace glsort::gl {

/// What the current context offers the backends, as programs are held to it. Tries framebuffers;
/// changes no state.
Limits query_limits(const std::shared_ptr<const Api>& api);

/// Whether the compute backend can run here; if not, `reason` says what is missing.
bool has_compute(const Api& api, std::string& reason);

/// Whether the renderer is a software rasteriser, by its name.
bool is_software(const Api& api);

}  // namespace glsort::gl
