#pragma once

#include <Inventor/C/tidbits.h>
#include <Inventor/SoSceneManager.h>
#include <Inventor/actions/SoGLRenderAction.h>
#include <Inventor/elements/SoGLCacheContextElement.h>
#include <Inventor/errors/SoDebugError.h>
#include <Inventor/misc/SoContextHandler.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

/// Where Coin draws without a window, and what Coin reports.

constexpr short width = 600;
constexpr short height = 600;

using Picture = std::vector<unsigned char>;  ///< RGB, the lowest row first.

/// Who decides about the order of triangles. The last two are backends of glsort.
enum class Order { arrays, coin, fragment, compute };

inline const char* name_of(Order order) {
    constexpr const char* names[] = {"arrays", "coin", "fragment", "compute"};
    return names[int(order)];
}

inline const char* description_of(Order order) {
    constexpr const char* texts[] = {"not sorted", "sorted by Coin", "sorted by glsort (fragment)",
                                     "sorted by glsort (compute)"};
    return texts[int(order)];
}

/// Reports since the last `clear`.
struct Reports {
    int sorts = 0;  ///< Objects that glsort sorted.
    std::string warnings;

    void clear() { *this = {}; }

    static void add(const SoError* error, void* reports) {
        auto& all = *static_cast<Reports*>(reports);
        const std::string text = error->getDebugString().getString();
        const bool is_sort = text.find("SoGlsortTriangles") != std::string::npos &&
                             static_cast<const SoDebugError*>(error)->getSeverity() == SoDebugError::INFO;
        // A context of EGL has no GLX. Coin says so, and goes on.
        const bool about_glx = text.find("glxglue_isdirect") != std::string::npos;
        if (is_sort) ++all.sorts;
        if (!is_sort && !about_glx) all.warnings += text;
    }
};

inline EGLDisplay open_display() {
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (eglInitialize(display, nullptr, nullptr) == EGL_FALSE) throw std::runtime_error("EGL has no display");
    eglBindAPI(EGL_OPENGL_API);
    return display;
}

/// A context with the functions of old OpenGL, which Coin calls. Coin draws into a framebuffer there.
class Studio {
  public:
    SoSceneManager manager;
    Reports reports;

    Studio() {
        static EGLDisplay display = open_display();
        display_ = display;
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  3,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  3,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
                                  EGL_NONE};
        context_ = eglCreateContext(display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
        make_current();
        make_framebuffer();
        number_ = SoGLCacheContextElement::getUniqueCacheContext();
        manager.getGLRenderAction()->setCacheContext(number_);
        manager.setWindowSize(SbVec2s(width, height));
        manager.setViewportRegion(SbViewportRegion(width, height));
        manager.setBackgroundColor(SbColor(0.95f, 0.95f, 0.93f));
    }
    ~Studio() {
        make_current();
        manager.setSceneGraph(nullptr);
        SoContextHandler::destructingContext(number_);
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);
    }
    Studio(const Studio&) = delete;

    void order_by(Order order) {
        manager.getGLRenderAction()->setTransparencyType(order == Order::arrays
                                                             ? SoGLRenderAction::SORTED_OBJECT_BLEND
                                                             : SoGLRenderAction::SORTED_OBJECT_SORTED_TRIANGLE_BLEND);
        if (order == Order::fragment || order == Order::compute)
            coin_setenv("COIN_GLSORT", name_of(order), 1);
        else
            coin_unsetenv("COIN_GLSORT");
    }

    void draw(SoNode* scene) {
        make_current();
        coin_setenv("COIN_DEBUG_GLSORT", "1", 1);
        SoDebugError::setHandlerCallback(Reports::add, &reports);
        if (manager.getSceneGraph() != scene) manager.setSceneGraph(scene);
        manager.render();
        glFinish();
    }

    Picture picture() const {
        Picture pixels(std::size_t(width) * height * 3);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
        return pixels;
    }

    /// Renderer and version of the context.
    static std::string description() {
        const auto text = [](GLenum name) { return std::string(reinterpret_cast<const char*>(glGetString(name))); };
        return text(GL_RENDERER) + ", OpenGL " + text(GL_VERSION);
    }

    static bool has_compute() {
        GLint major = 0, minor = 0;
        glGetIntegerv(GL_MAJOR_VERSION, &major);
        glGetIntegerv(GL_MINOR_VERSION, &minor);
        return major > 4 || (major == 4 && minor >= 3);
    }

  private:
    void make_current() {
        if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_FALSE)
            throw std::runtime_error("EGL gives no context of OpenGL 3.3 with the functions of old OpenGL");
    }

    static void make_framebuffer() {
        GLuint framebuffer = 0, color = 0, depth = 0;
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glGenRenderbuffers(1, &color);
        glBindRenderbuffer(GL_RENDERBUFFER, color);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
        glGenRenderbuffers(1, &depth);
        glBindRenderbuffer(GL_RENDERBUFFER, depth);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    }

    EGLDisplay display_;
    EGLContext context_;
    std::uint32_t number_;
};
