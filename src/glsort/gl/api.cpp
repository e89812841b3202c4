#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/error.h>
#include <glsort/gl/api.h>
#include <glsort/gl/state_table.h>
#include <glsort/gl/text.h>
#include <algorithm>
#include <array>
#include <string_view>

namespace glsort::gl {
namespace {

/// Functions that the library calls from a version of OpenGL and OpenGL ES on, numbered like `Api::version`. 0: never.
/// Optional functions are not listed.
struct Functions {
    int gl;
    int es;
    const char* names;
};
constexpr Functions called[] = {
    {33, 0, "glGetQueryObjectui64v glPolygonMode glQueryCounter glTexBuffer"},
    {33, 30,
     "glActiveTexture glAttachShader glBeginTransformFeedback glBindBuffer glBindBufferBase "
     "glBlendFunc glBlendFuncSeparate "
     "glBindBufferRange glBindFramebuffer glBindSampler glBindTexture glBindVertexArray "
     "glBufferData glBufferSubData glCheckFramebufferStatus glClientWaitSync glCopyBufferSubData glColorMask "
     "glCompileShader "
     "glCreateProgram glCreateShader glDeleteBuffers glDeleteFramebuffers glDeleteProgram glDeleteQueries "
     "glDeleteSamplers glDeleteShader glDeleteSync glDeleteTextures glDeleteVertexArrays glDisable "
     "glDrawArrays glDrawBuffers glEnable glEnableVertexAttribArray glEndTransformFeedback glFenceSync glFinish "
     "glFlush "
     "glFramebufferTexture2D glFramebufferTextureLayer glGenBuffers glGenFramebuffers "
     "glGenQueries glGenSamplers glGenTextures glGenVertexArrays glGetBufferParameteri64v "
     "glGetError glGetFloatv glGetInteger64i_v glGetInteger64v glGetIntegeri_v glGetIntegerv "
     "glGetProgramInfoLog glGetProgramiv glGetQueryiv glGetShaderInfoLog glGetShaderiv glGetString "
     "glGetStringi glGetTexParameteriv glGetUniformLocation glIsBuffer glIsEnabled glIsProgram "
     "glIsTexture glLinkProgram glMapBufferRange glPixelStorei glReadBuffer glReadPixels "
     "glSamplerParameteri glScissor glShaderSource glTexImage2D glTexImage3D glTexParameteri "
     "glTexSubImage2D glTransformFeedbackVaryings glUniform1i glUniform4uiv glUnmapBuffer "
     "glUseProgram glVertexAttribPointer glViewport"},
    {33, 31, "glGetTexLevelParameteriv"},
    {33, 32, "glColorMaski glDisablei glEnablei glIsEnabledi"},
    {40, 32, "glBlendFuncSeparatei"},
    {40, 30,
     "glBindTransformFeedback glDeleteTransformFeedbacks glGenTransformFeedbacks "
     "glPauseTransformFeedback glResumeTransformFeedback"},
    {41, 0, "glGetFloati_v glScissorIndexed glViewportIndexedf"},
    {42, 31, "glBindImageTexture glMemoryBarrier"},
    {43, 31, "glDispatchCompute glDispatchComputeIndirect"},
    {43, 0, "glTexBufferRange"},
    {45, 0, "glClipControl"},
};

/// The names of the functions that the library calls in this context but that have no address. The functions of a
/// browser are imports of the module, so none can be missing.
std::string missing_functions(const Api& api, const GetProcAddress& get_proc_address) {
    std::string missing;
    if constexpr (in_browser) return missing;
    for (const Functions& functions : called) {
        if (!api.at_least(functions.gl, functions.es)) continue;
        for (std::string_view names = functions.names; !names.empty();) {
            const std::string name(take_piece(names, ' '));
            if (get_proc_address(name.c_str()) == nullptr) missing += (missing.empty() ? "" : ", ") + name;
        }
    }
    return missing;
}

/// An extension whose function has no address counts as missing.
void drop_incomplete_extensions(Api& api) {
    const auto needs = [](int& extension, bool function) { extension = extension != 0 && function ? 1 : 0; };
    const bool viewports =
        api.ViewportIndexedf != nullptr || api.ViewportIndexedfOES != nullptr || api.ViewportIndexedfNV != nullptr;
    needs(api.EXT_window_rectangles, api.WindowRectanglesEXT != nullptr);
    needs(api.NV_viewport_swizzle, api.ViewportSwizzleNV != nullptr);
    needs(api.NV_clip_space_w_scaling, api.ViewportPositionWScaleNV != nullptr && viewports);
    needs(api.EXT_fragment_shading_rate, api.ShadingRateEXT != nullptr);
    needs(api.QCOM_shading_rate, api.ShadingRateQCOM != nullptr);
    needs(api.NV_polygon_mode, api.PolygonModeNV != nullptr);
    needs(api.EXT_clip_control, api.ClipControlEXT != nullptr);
}

/// OpenGL ES below 3.2 has the functions of KHR_debug under names that end in KHR. ANGLE gives addresses for the names
/// without KHR, too, but refuses such calls.
void choose_debug_groups(Api& api) {
    if (!api.es || api.version >= 32) return;
    api.PushDebugGroup = api.KHR_debug != 0 ? api.PushDebugGroupKHR : nullptr;
    api.PopDebugGroup = api.KHR_debug != 0 ? api.PopDebugGroupKHR : nullptr;
    api.ObjectLabel = api.KHR_debug != 0 ? api.ObjectLabelKHR : nullptr;
}

/// Returns the version that glad found. 0 if the extensions cannot be listed.
int load_functions(Api& api, const GetProcAddress& get_proc_address) {
    const auto find = [](void* self, const char* name) { return (*static_cast<const GetProcAddress*>(self))(name); };
    void* const self = const_cast<GetProcAddress*>(&get_proc_address);
    // Browsers have OpenGL ES only. The functions of OpenGL are left out there, as they take a tenth of the module.
    if constexpr (!in_browser)
        if (!api.es) return gladLoadGLContextUserPtr(&api, find, self);
    return gladLoadGLES2ContextUserPtr(&api, find, self);
}

std::string name_of_error(GLenum error) {
    switch (error) {
        case GL_INVALID_ENUM:
            return "GL_INVALID_ENUM";
        case GL_INVALID_VALUE:
            return "GL_INVALID_VALUE";
        case GL_INVALID_OPERATION:
            return "GL_INVALID_OPERATION";
        case GL_INVALID_FRAMEBUFFER_OPERATION:
            return "GL_INVALID_FRAMEBUFFER_OPERATION";
        case GL_OUT_OF_MEMORY:
            return "GL_OUT_OF_MEMORY";
        case GL_STACK_OVERFLOW:
            return "GL_STACK_OVERFLOW";
        case GL_STACK_UNDERFLOW:
            return "GL_STACK_UNDERFLOW";
        case GL_CONTEXT_LOST:
            return "GL_CONTEXT_LOST";
        default:
            return fmt::format("{:#06x}", error);
    }
}

}  // namespace

std::shared_ptr<Api> load_api(const GetProcAddress& get_proc_address) {
    if (!get_proc_address) throw Error("get_proc_address is null");
    const auto get_string = reinterpret_cast<PFNGLGETSTRINGPROC>(get_proc_address("glGetString"));
    const char* version = get_string == nullptr ? nullptr : reinterpret_cast<const char*>(get_string(GL_VERSION));
    if (version == nullptr) throw Error("no OpenGL context is current on this thread");

    auto api = std::make_shared<Api>();
    api->es = std::string_view(version).starts_with("OpenGL ES");
    const int loaded = load_functions(*api, get_proc_address);
    if ((api->es ? api->ES_VERSION_3_0 : api->VERSION_3_3) == 0)
        throw Error(fmt::format("the context is {}; OpenGL 3.3 or OpenGL ES 3.0 is needed", version));
    // 0: the extensions cannot be listed. The check for missing functions, below, reports the reason.
    api->version = loaded == 0 ? (api->es ? 30 : 33) : GLAD_VERSION_MAJOR(loaded) * 10 + GLAD_VERSION_MINOR(loaded);
    if (const std::string missing = missing_functions(*api, get_proc_address); !missing.empty())
        throw Error(fmt::format("get_proc_address returns null for {}, which {} has", missing, version));
    if (loaded == 0) throw Error(fmt::format("the context ({}) lists no extensions", version));
    drop_incomplete_extensions(*api);
    choose_debug_groups(*api);
    if (!api->es) {
        GLint profile = 0;
        api->GetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
        api->compatibility = (profile & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT) != 0;
    }
    const auto* vendor = reinterpret_cast<const char*>(api->GetString(GL_VENDOR));
    api->updates_overtake_writes =
        vendor != nullptr && std::string_view(vendor).find("NVIDIA") != std::string_view::npos;
    // The OpenGL ES extensions have different names but equal enumerators.
    if (!api->es || api->EXT_clip_cull_distance != 0 || api->APPLE_clip_distance != 0)
        api->GetIntegerv(GL_MAX_CLIP_DISTANCES, &api->clip_distances);
    api->GetIntegerv(GL_MAX_DRAW_BUFFERS, &api->draw_buffers);
    std::array<GLint, 2> viewport{};
    api->GetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport.data());
    api->viewport_size = std::min(viewport[0], viewport[1]);
    api->current_context = find_context_query(get_proc_address);
    if (api->current_context != nullptr) api->context = api->current_context();
    if (const std::string why = state_refusal(*api); !why.empty()) throw Error(why);
    return api;
}

void order_updates(const Api& api, GLuint buffer) {
    if (!api.updates_overtake_writes) return;
    api.BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    api.BindBufferBase(GL_UNIFORM_BUFFER, 0, 0);
}

void update_buffer(const Api& api, GLenum target, GLuint buffer, GLintptr offset, GLsizeiptr bytes, const void* data) {
    order_updates(api, buffer);
    api.BufferSubData(target, offset, bytes, data);
}

void set_label(const Api& api, GLenum kind, GLuint name, std::string_view text) {
    if (api.ObjectLabel == nullptr) return;
    constexpr std::size_t max_length = 255;  // All contexts allow for this many characters.
    const std::string label = fmt::format("{} {}", api.label, text).substr(0, max_length);
    api.ObjectLabel(kind, name, static_cast<GLsizei>(label.size()), label.data());
}

std::string take_errors(const Api& api) {
    // A lost context may report errors forever.
    constexpr int limit = 64;
    std::string errors;
    for (int i = 0; i < limit; ++i) {
        const GLenum error = api.GetError();
        if (error == GL_NO_ERROR) break;
        const std::string name = name_of_error(error);
        if (errors.find(name) == std::string::npos) errors += (errors.empty() ? "" : ", ") + name;
    }
    return errors;
}

}  // namespace glsort::gl
