#include <fmt/format.h>

#include <glsort/gl/api.h>
#include <string_view>

namespace glsort::gl {

std::shared_ptr<const Api> load_api(GetProcAddress get_proc_address, const char* caller) {
    if (get_proc_address == nullptr)
        throw Error(fmt::format("{}: get_proc_address is null", caller));
    const auto get_string = reinterpret_cast<PFNGLGETSTRINGPROC>(get_proc_address("glGetString"));
    const char* version =
        get_string == nullptr ? nullptr : reinterpret_cast<const char*>(get_string(GL_VERSION));
    if (version == nullptr)
        throw Error(fmt::format("{}: no OpenGL context is current on this thread", caller));

    auto api = std::make_shared<Api>();
    api->es = std::string_view(version).starts_with("OpenGL ES");
    const int loaded = api->es ? gladLoadGLES2Context(api.get(), get_proc_address)
                               : gladLoadGLContext(api.get(), get_proc_address);
    api->version = GLAD_VERSION_MAJOR(loaded) * 10 + GLAD_VERSION_MINOR(loaded);
    if (!api->at_least(33, 30))
        throw Error(fmt::format("{}: the context is {}; OpenGL 3.3 or OpenGL ES 3.0 is needed",
                                caller, version));
    if (!api->es) {
        GLint profile = 0;
        api->GetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
        api->compatibility = (profile & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT) != 0;
    }
    const auto* vendor = reinterpret_cast<const char*>(api->GetString(GL_VENDOR));
    api->updates_overtake_writes =
        vendor != nullptr && std::string_view(vendor).find("NVIDIA") != std::string_view::npos;
    // The names of the extensions for OpenGL ES stand for the same numbers.
    if (!api->es || api->EXT_clip_cull_distance != 0 || api->APPLE_clip_distance != 0)
        api->GetIntegerv(GL_MAX_CLIP_DISTANCES, &api->clip_distances);
    api->GetIntegerv(GL_MAX_DRAW_BUFFERS, &api->draw_buffers);
    return api;
}

}  // namespace glsort::gl
