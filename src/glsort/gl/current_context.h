#pragma once

#include <glsort/gl_types.h>

namespace glsort::gl {

/// Returns a handle of the context that is current in the calling thread. Null if no context is current.
using ContextQuery = void* (*)();

/// The query of the platform of the current context: EGL, GLX, WGL, CGL, OSMesa or the browser. Null if none of
/// these platforms knows the context.
ContextQuery find_context_query(const GetProcAddress& get_proc_address);

}  // namespace glsort::gl
