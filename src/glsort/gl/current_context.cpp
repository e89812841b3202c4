#include <glsort/gl/current_context.h>

#include <string_view>

#if defined(__EMSCRIPTEN__)
#include <emscripten/html5_webgl.h>
#elif defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace glsort::gl {

#if defined(__EMSCRIPTEN__)

ContextQuery find_context_query(const GetProcAddress&) {
    return [] { return reinterpret_cast<void*>(emscripten_webgl_get_current_context()); };
}

#else

namespace {

#if defined(_WIN32)

/// The function of that name in a library of the process. Null if no library exports it.
GlProcedure exported(const char* name) {
    for (const char* library : {"opengl32.dll", "libEGL.dll"})
        if (const HMODULE module = GetModuleHandleA(library))
            if (const auto found = ::GetProcAddress(module, name)) return reinterpret_cast<GlProcedure>(found);
    return nullptr;
}

GlProcedure loaded(const GetProcAddress&, const char*) {
    return nullptr;
}

#else

GlProcedure exported(const char* name) {
    return reinterpret_cast<GlProcedure>(dlsym(RTLD_DEFAULT, name));
}

/// The function of that name from the application's loader. The loader also sees libraries that a window toolkit keeps
/// private. Loaders may return stubs for unknown names. A stub is not a symbol of that name and must not be called.
GlProcedure loaded(const GetProcAddress& get_proc_address, const char* name) {
    const GlProcedure found = get_proc_address(name);
    Dl_info symbol{};
    if (found == nullptr || dladdr(reinterpret_cast<void*>(found), &symbol) == 0) return nullptr;
    return symbol.dli_sname != nullptr && std::string_view(symbol.dli_sname) == name ? found : nullptr;
}

#endif

}  // namespace

ContextQuery find_context_query(const GetProcAddress& get_proc_address) {
    // A process may use several platforms. A context is current in one of them.
    for (const char* name : {"eglGetCurrentContext", "glXGetCurrentContext", "wglGetCurrentContext",
                             "CGLGetCurrentContext", "OSMesaGetCurrentContext"})
        for (const GlProcedure found : {loaded(get_proc_address, name), exported(name)}) {
            const auto query = reinterpret_cast<ContextQuery>(found);
            if (query != nullptr && query() != nullptr) return query;
        }
    return nullptr;
}

#endif

}  // namespace glsort::gl
