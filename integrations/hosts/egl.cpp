#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstdio>

#include "sort_some.h"

int main() {
    // [example]
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (eglInitialize(display, nullptr, nullptr) == EGL_FALSE) return std::puts("EGL has no display"), 1;
    eglBindAPI(EGL_OPENGL_API);
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    if (context == EGL_NO_CONTEXT || eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_FALSE)
        return std::puts("EGL gives no context of OpenGL 3.3 without a surface"), 1;
    const int code = sort_some(eglGetProcAddress, "EGL");  // a glsort::Sorter takes eglGetProcAddress
    eglTerminate(display);
    return code;
    // [end]
}
