#pragma once

#include <glsort/gl_types.h>

namespace glsort::gl {

/// Gives a handle of the context that is current in the calling thread; null where none is.
using ContextQuery = void* (*)();

/// The query of the platform that made the current context: EGL, GLX, WGL, CGL, OSMesa or the
/// browser. Null where none of them knows the context.
ContextQuery find_context_query(GetProcAddress get_proc_address);

}  // namespace glsort::gl
