#pragma once

#include <string>

namespace glsort::demo {

/// The two OpenGL families. Loaders and shaders differ, so every context names its family.
enum class Api { gl, gles };

/// The "getProcAddress" of OpenGL loaders: takes the name of a function, and returns the address or null. glad and most
/// other loaders expect this type.
using GlFunction = void (*)();
using GetProcAddress = GlFunction (*)(const char* name);

class HeadlessContext;

/// What a HeadlessContext should be.
struct HeadlessOptions {
    Api api = Api::gl;
    /// Lowest acceptable version. Drivers give the newest compatible version that they have. Asked for ES 3.0, Mesa
    /// gives 3.2. Asked for 3.3 core, Mesa gives 4.5 core.
    int major = 4;
    int minor = 5;
    /// Asks for a debug context, which gives all KHR_debug messages.
    bool debug = false;
    /// With several EGL devices: true tries hardware before software. False tries software first, for reproducible runs
    /// on a machine with a GPU.
    bool prefer_hardware = true;
    /// Asks for the compatibility profile of OpenGL, which keeps what the core profile removed.
    bool compatibility = false;
    /// The context to share objects with, which must exist during construction. Null: none.
    const HeadlessContext* share_with = nullptr;
};

/// An OpenGL or OpenGL ES context without window or display, made through EGL. An OpenGL context has the core profile
/// by default.
///
/// Usage:
///
///     HeadlessContext context({.api = Api::gl, .major = 3, .minor = 3});
///     gladLoadGLContext(&gl, HeadlessContext::get_proc_address());
///
/// The constructor keeps the first of these that gives the version:
/// - each EGL device (EGL_EXT_platform_device);
/// - the surfaceless platform (EGL_MESA_platform_surfaceless);
/// - the default display.
///
/// The context has no default framebuffer to draw to. Draw into framebuffer objects. The context is current without a
/// surface, or with a pixel buffer of 1 by 1 if EGL requires a surface.
///
/// Several contexts may live at once, on one display, too. Contexts share objects on request only. A context is current
/// in at most one thread. EGL displays stay initialised until the process ends. EGL counts no users: to terminate a
/// display would break every other context there.
///
/// Needs EGL 1.4 with EGL_KHR_create_context, or EGL 1.5.
class HeadlessContext {
  public:
    /// Makes the context, and makes the context current in the calling thread. Throws std::runtime_error that lists
    /// each attempt and the reason of its failure.
    explicit HeadlessContext(const HeadlessOptions& options = {});
    /// Releases the context if current in the calling thread, and destroys the context and its objects.
    ~HeadlessContext();
    HeadlessContext(HeadlessContext&& other) noexcept;
    HeadlessContext& operator=(HeadlessContext&& other) noexcept;
    HeadlessContext(const HeadlessContext&) = delete;
    HeadlessContext& operator=(const HeadlessContext&) = delete;

    /// Makes the context current in the calling thread, in place of any other. Throws std::runtime_error if EGL
    /// refuses, because the context is current in another thread.
    void make_current();
    /// Leaves the calling thread without a current context, if this context is current. Throws nothing.
    void release_current() noexcept;
    /// Whether the context is current in the calling thread.
    bool is_current() const;

    /// The loader for the current context. EGL may return non-null for functions that the context does not have. Look
    /// at versions and extensions, not at the pointer.
    static GetProcAddress get_proc_address();

    Api api() const { return api_; }
    /// Version of the context: 10 * major + minor. The version may be newer than requested.
    int version() const { return version_; }
    /// GL_RENDERER, GL_VENDOR and GL_VERSION.
    const std::string& renderer() const { return renderer_; }
    const std::string& vendor() const { return vendor_; }
    const std::string& version_string() const { return version_string_; }
    /// The origin of the context, such as "EGL device 0 (EGL_MESA_device_software)".
    const std::string& platform() const { return platform_; }

  private:
    void destroy() noexcept;

    // EGLDisplay, EGLContext and EGLSurface. All are pointers, so this header needs no header of EGL.
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
