#pragma once

#include <string>

namespace glsort::demo {

/// The two OpenGL families. ES contexts are loaded and written for differently, so the choice is
/// explicit everywhere.
enum class Api { gl, gles };

/// What OpenGL loaders call "getProcAddress": takes a function's name, gives its address or null.
/// The type is the one that glad and most other loaders expect.
using GlFunction = void (*)();
using GetProcAddress = GlFunction (*)(const char* name);

class HeadlessContext;

/// What a HeadlessContext is asked for.
struct HeadlessOptions {
    Api api = Api::gl;
    /// Lowest acceptable version. Drivers hand out the newest compatible one that they have: Mesa
    /// asked for ES 3.0 gives 3.2, asked for 3.3 core gives 4.5 core.
    int major = 4;
    int minor = 5;
    /// Asks for a debug context, where KHR_debug messages are complete.
    bool debug = false;
    /// With several EGL devices, hardware is tried before software; false tries software first
    /// (reproducible runs on a machine that has a GPU).
    bool prefer_hardware = true;
    /// Asks for the compatibility profile of OpenGL, which keeps what the core profile removed.
    bool compatibility = false;
    /// The context that objects are shared with, which must live then; null: none.
    const HeadlessContext* share_with = nullptr;
};

/// An OpenGL (core profile, unless asked otherwise) or OpenGL ES context without window or display, made through EGL.
///
/// Usage:
///
///     HeadlessContext context({.api = Api::gl, .major = 3, .minor = 3});
///     gladLoadGLContext(&gl, HeadlessContext::get_proc_address());
///
/// The constructor tries, in this order, every EGL device (EGL_EXT_platform_device), the
/// surfaceless platform (EGL_MESA_platform_surfaceless) and the default display, and keeps the
/// first that gives the version. The context has no default framebuffer to draw to: it is made
/// current without a surface, or with a pixel buffer of 1 by 1 where EGL cannot do that. Draw into
/// framebuffer objects.
///
/// Several contexts may live at once, on one display too; they share objects where that is asked for.
/// A context is current in at most one thread. EGL displays stay initialised until the process ends, because
/// EGL counts no users: terminating one would break every other context on the same display.
///
/// Needs EGL 1.4 with EGL_KHR_create_context, or EGL 1.5.
class HeadlessContext {
  public:
    /// Makes the context and makes it current in the calling thread. Throws std::runtime_error
    /// which lists each attempt and why it failed.
    explicit HeadlessContext(const HeadlessOptions& options = {});
    /// Releases the context if it is current in the calling thread, and destroys it. Objects of the
    /// context go with it.
    ~HeadlessContext();
    HeadlessContext(HeadlessContext&& other) noexcept;
    HeadlessContext& operator=(HeadlessContext&& other) noexcept;
    HeadlessContext(const HeadlessContext&) = delete;
    HeadlessContext& operator=(const HeadlessContext&) = delete;

    /// Makes the context current in the calling thread, in place of whichever was. Throws
    /// std::runtime_error where EGL refuses (current in another thread).
    void make_current();
    /// Leaves the calling thread without a current context, if this one is current. Throws nothing.
    void release_current() noexcept;
    /// Whether the context is current in the calling thread.
    bool is_current() const;

    /// The loader for the current context. EGL may give non-null for functions that the context
    /// does not have: look at versions and extensions, not at the pointer.
    static GetProcAddress get_proc_address();

    Api api() const { return api_; }
    /// Version of the context, which may be newer than the one asked for: 10 * major + minor.
    int version() const { return version_; }
    /// GL_RENDERER, GL_VENDOR and GL_VERSION.
    const std::string& renderer() const { return renderer_; }
    const std::string& vendor() const { return vendor_; }
    const std::string& version_string() const { return version_string_; }
    /// Where the context comes from, such as "EGL device 0 (EGL_MESA_device_software)".
    const std::string& platform() const { return platform_; }

  private:
    void destroy() noexcept;

    // EGLDisplay, EGLContext and EGLSurface; all are pointers, and EGL's headers stay out of ours.
    void* display_ = nullptr;
    void* context_ = nullptr;
    void* surface_ = nullptr;
    Api api_ = Api::gl;
    int version_ = 0;
    std::string renderer_;
    std::string vendor_;
    std::string version_string_;
    std::string platform_;
};

}  // namespace glsort::demo
