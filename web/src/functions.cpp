#include <glad/gl.h>

#include <glsort/gl_types.h>

#include <cstdlib>
#include <cstring>
#include <type_traits>

#include <emscripten/html5_webgl.h>

/// The functions of WebGL2 that the library calls. Each is an import of the module, and webgl.js implements it. Takes
/// the place of glad's loader, which looks functions up by name.

// clang-format off
#define GLSORT_WEBGL_FUNCTIONS(FUNCTION)                                                                        \
    FUNCTION(ActiveTexture) FUNCTION(AttachShader) FUNCTION(BeginTransformFeedback) FUNCTION(BindBuffer)        \
    FUNCTION(BindBufferBase) FUNCTION(BindBufferRange) FUNCTION(BindFramebuffer) FUNCTION(BindSampler)          \
    FUNCTION(BindTexture) FUNCTION(BindTransformFeedback) FUNCTION(BindVertexArray)                             \
    FUNCTION(BlendFuncSeparate) FUNCTION(BufferData) FUNCTION(BufferSubData) FUNCTION(CheckFramebufferStatus)   \
    FUNCTION(ColorMask) FUNCTION(CompileShader) FUNCTION(CreateProgram) FUNCTION(CreateShader)                  \
    FUNCTION(DeleteBuffers) FUNCTION(DeleteFramebuffers) FUNCTION(DeleteProgram) FUNCTION(DeleteSamplers)       \
    FUNCTION(DeleteShader) FUNCTION(DeleteTextures) FUNCTION(DeleteTransformFeedbacks)                          \
    FUNCTION(DeleteVertexArrays) FUNCTION(Disable) FUNCTION(DrawArrays) FUNCTION(DrawBuffers) FUNCTION(Enable)  \
    FUNCTION(EnableVertexAttribArray) FUNCTION(EndTransformFeedback) FUNCTION(FramebufferTexture2D)             \
    FUNCTION(FramebufferTextureLayer) FUNCTION(GenBuffers) FUNCTION(GenFramebuffers) FUNCTION(GenSamplers)      \
    FUNCTION(GenTextures) FUNCTION(GenTransformFeedbacks) FUNCTION(GenVertexArrays) FUNCTION(GetError)          \
    FUNCTION(GetFloatv) FUNCTION(GetInteger64i_v) FUNCTION(GetInteger64v) FUNCTION(GetIntegeri_v)               \
    FUNCTION(GetIntegerv) FUNCTION(GetProgramInfoLog) FUNCTION(GetProgramiv) FUNCTION(GetShaderInfoLog)         \
    FUNCTION(GetShaderiv) FUNCTION(GetString) FUNCTION(GetUniformLocation) FUNCTION(IsBuffer)                   \
    FUNCTION(IsEnabled) FUNCTION(IsProgram) FUNCTION(IsTexture) FUNCTION(LinkProgram)                           \
    FUNCTION(PauseTransformFeedback) FUNCTION(PixelStorei) FUNCTION(ReadBuffer)                                 \
    FUNCTION(ResumeTransformFeedback) FUNCTION(SamplerParameteri) FUNCTION(Scissor) FUNCTION(ShaderSource)      \
    FUNCTION(TexImage2D) FUNCTION(TexImage3D) FUNCTION(TexParameteri) FUNCTION(TexSubImage2D)                   \
    FUNCTION(TransformFeedbackVaryings) FUNCTION(Uniform1i) FUNCTION(Uniform4uiv) FUNCTION(UseProgram)          \
    FUNCTION(VertexAttribPointer) FUNCTION(Viewport)
// clang-format on

#define GLSORT_IMPORT(name)                                                                         \
    __attribute__((import_module("webgl"),                                                          \
                   import_name(#name))) extern std::remove_pointer_t<decltype(GladGLContext::name)> \
        webgl_##name;

extern "C" {
GLSORT_WEBGL_FUNCTIONS(GLSORT_IMPORT)
__attribute__((import_module("webgl"), import_name("compilesInParallel"))) extern int webgl_compiles_in_parallel();

/// What glad's loader would do. The name is that of the prefixed symbol (src/CMakeLists.txt).
int gladLoadGLES2ContextUserPtr(GladGLContext* api, GLADuserptrloadfunc, void*) {
#define GLSORT_SET(name) api->name = webgl_##name;
    GLSORT_WEBGL_FUNCTIONS(GLSORT_SET)
#undef GLSORT_SET
    api->ES_VERSION_2_0 = api->ES_VERSION_3_0 = 1;
    api->KHR_parallel_shader_compile = webgl_compiles_in_parallel();
    return GLAD_MAKE_VERSION(3, 0);
}

/// One module serves one context: webgl.js calls no other.
EMSCRIPTEN_WEBGL_CONTEXT_HANDLE emscripten_webgl_get_current_context() {
    return 1;
}

/// libc++abi would print why it ends the program, which takes printf.
[[noreturn]] void abort_message(const char*, ...) {
    __builtin_trap();
}
}

/// Never throws. Code that cleans up behind failed allocations would take 2 KB of the module. Without memory, the call
/// ends in an error of WebAssembly.
void* operator new(std::size_t size) {
    void* const memory = std::malloc(size);
    if (memory == nullptr) __builtin_trap();
    return memory;
}

/// The library looks one function up by its name, before it loads all.
glsort::GlProcedure webgl_function(const char* name) {
    return std::strcmp(name, "glGetString") == 0 ? reinterpret_cast<glsort::GlProcedure>(webgl_GetString) : nullptr;
}
