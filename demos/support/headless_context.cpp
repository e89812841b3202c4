#include "support/headless_context.h"

// Keeps the headers of X11, and their macros (None, Always, Bool), out of the native types.
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace glsort::demo {

namespace {

constexpr unsigned int gl_vendor = 0x1F00;
constexpr unsigned int gl_renderer = 0x1F01;
constexpr unsigned int gl_version = 0x1F02;
constexpr unsigned int gl_major_version = 0x821B;
constexpr unsigned int gl_minor_version = 0x821C;

std::string egl_error_name() {
    const EGLint error = eglGetError();
    switch (error) {
        case EGL_SUCCESS:
            return "no EGL error reported";
        case EGL_NOT_INITIALIZED:
            return "EGL_NOT_INITIALIZED";
        case EGL_BAD_ACCESS:
            return "EGL_BAD_ACCESS";
        case EGL_BAD_ALLOC:
            return "EGL_BAD_ALLOC";
        case EGL_BAD_ATTRIBUTE:
            return "EGL_BAD_ATTRIBUTE";
        case EGL_BAD_CONFIG:
            return "EGL_BAD_CONFIG";
        case EGL_BAD_CONTEXT:
            return "EGL_BAD_CONTEXT";
        case EGL_BAD_CURRENT_SURFACE:
            return "EGL_BAD_CURRENT_SURFACE";
        case EGL_BAD_DISPLAY:
            return "EGL_BAD_DISPLAY";
        case EGL_BAD_MATCH:
            return "EGL_BAD_MATCH";
        case EGL_BAD_NATIVE_PIXMAP:
            return "EGL_BAD_NATIVE_PIXMAP";
        case EGL_BAD_NATIVE_WINDOW:
            return "EGL_BAD_NATIVE_WINDOW";
        case EGL_BAD_PARAMETER:
            return "EGL_BAD_PARAMETER";
        case EGL_BAD_SURFACE:
            return "EGL_BAD_SURFACE";
        case EGL_CONTEXT_LOST:
            return "EGL_CONTEXT_LOST";
        default:
            break;
    }
    std::ostringstream text;
    text << "EGL error 0x" << std::hex << error;
    return text.str();
}

bool has_extension(const char* list, std::string_view name) {
    if (list == nullptr) return false;
    std::istringstream words(list);
    for (std::string word; words >> word;)
        if (word == name) return true;
    return false;
}

// A display that may give a context, or may fail to open.
struct Candidate {
    std::string name;
    EGLDisplay display = EGL_NO_DISPLAY;
    bool software = false;
    std::string problem;
};

void add_devices(std::vector<Candidate>& candidates, bool prefer_hardware) {
    const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const auto query_devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    const auto get_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (!has_extension(client, "EGL_EXT_platform_device") || query_devices == nullptr || get_display == nullptr) {
        candidates.push_back({"EGL devices", EGL_NO_DISPLAY, false, "EGL_EXT_platform_device is missing"});
        return;
    }
    const auto query_string =
        reinterpret_cast<PFNEGLQUERYDEVICESTRINGEXTPROC>(eglGetProcAddress("eglQueryDeviceStringEXT"));
    EGLint count = 0;
    if (query_devices(0, nullptr, &count) != EGL_TRUE || count <= 0) {
        candidates.push_back({"EGL devices", EGL_NO_DISPLAY, false, "there is none"});
        return;
    }
    std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
    query_devices(count, devices.data(), &count);
    devices.resize(static_cast<std::size_t>(count));

    const auto first = static_cast<std::ptrdiff_t>(candidates.size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const char* extensions = query_string != nullptr ? query_string(devices[i], EGL_EXTENSIONS) : nullptr;
        Candidate candidate;
        candidate.name = "EGL device " + std::to_string(i) + " (" +
                         (extensions != nullptr && *extensions != '\0' ? extensions : "unnamed") + ")";
        candidate.software = has_extension(extensions, "EGL_MESA_device_software");
        candidate.display = get_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr);
        if (candidate.display == EGL_NO_DISPLAY) candidate.problem = egl_error_name();
        candidates.push_back(std::move(candidate));
    }
    std::stable_sort(candidates.begin() + first, candidates.end(),
                     [prefer_hardware](const Candidate& a, const Candidate& b) {
                         return prefer_hardware ? a.software < b.software : a.software > b.software;
                     });
}

// ANGLE over SwiftShader, if libEGL is ANGLE's. The default display of ANGLE would need a window system.
void add_angle(std::vector<Candidate>& candidates) {
    const auto get_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (!has_extension(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), "EGL_ANGLE_platform_angle_vulkan") ||
        get_display == nullptr)
        return;
    // From ANGLE's eglext_angle.h, which Debian's headers lack.
    constexpr EGLenum platform_angle = 0x3202;
    const EGLint attributes[] = {0x3203,  0x3450,  // EGL_PLATFORM_ANGLE_TYPE_ANGLE: Vulkan
                                 0x3209,  0x3487,  // EGL_PLATFORM_ANGLE_DEVICE_TYPE_ANGLE: SwiftShader
                                 0x348F,  0x34A5,  // EGL_PLATFORM_ANGLE_NATIVE_PLATFORM_TYPE_ANGLE: Vulkan, headless
                                 EGL_NONE};
    Candidate angle{"ANGLE over SwiftShader", get_display(platform_angle, nullptr, attributes), true, ""};
    if (angle.display == EGL_NO_DISPLAY) angle.problem = egl_error_name();
    candidates.push_back(std::move(angle));
}

std::vector<Candidate> find_candidates(bool prefer_hardware) {
    std::vector<Candidate> candidates;
    add_devices(candidates, prefer_hardware);
    add_angle(candidates);

    const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const auto get_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    Candidate surfaceless{"surfaceless platform", EGL_NO_DISPLAY, false, ""};
    if (has_extension(client, "EGL_MESA_platform_surfaceless") && get_display != nullptr) {
        surfaceless.display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
        if (surfaceless.display == EGL_NO_DISPLAY) surfaceless.problem = egl_error_name();
    } else {
        surfaceless.problem = "EGL_MESA_platform_surfaceless is missing";
    }
    candidates.push_back(std::move(surfaceless));

    Candidate fallback{"default display", eglGetDisplay(EGL_DEFAULT_DISPLAY), false, ""};
    if (fallback.display == EGL_NO_DISPLAY) fallback.problem = egl_error_name();
    candidates.push_back(std::move(fallback));
    return candidates;
}

EGLenum egl_api(Api api) {
    return api == Api::gl ? EGL_OPENGL_API : EGL_OPENGL_ES_API;
}

EGLConfig choose_config(EGLDisplay display, Api api) {
    const EGLint attributes[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                 api == Api::gl ? EGL_OPENGL_BIT : EGL_OPENGL_ES3_BIT, EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    if (eglChooseConfig(display, attributes, &config, 1, &count) != EGL_TRUE || count == 0) return EGL_NO_CONFIG_KHR;
    return config;
}

struct Made {
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE;
    std::string problem;
};

// Makes a context on `display` that shares objects with `share`, and makes the context current. On failure returns the
// reason, and leaves nothing behind.
Made make_context(EGLDisplay display, const HeadlessOptions& options, EGLContext share) {
    Made made;
    EGLint egl_major = 0;
    EGLint egl_minor = 0;
    if (eglInitialize(display, &egl_major, &egl_minor) != EGL_TRUE) {
        made.problem = "eglInitialize: " + egl_error_name();
        return made;
    }
    const bool egl_1_5 = egl_major > 1 || egl_minor >= 5;
    const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
    if (!egl_1_5 && !has_extension(extensions, "EGL_KHR_create_context")) {
        made.problem = "neither EGL 1.5 nor EGL_KHR_create_context";
        return made;
    }
    if (eglBindAPI(egl_api(options.api)) != EGL_TRUE) {
        made.problem = "eglBindAPI: " + egl_error_name();
        return made;
    }

    const bool surfaceless = has_extension(extensions, "EGL_KHR_surfaceless_context");
    EGLConfig config = EGL_NO_CONFIG_KHR;
    if (!surfaceless || !has_extension(extensions, "EGL_KHR_no_config_context")) {
        config = choose_config(display, options.api);
        if (config == EGL_NO_CONFIG_KHR) {
            made.problem = "eglChooseConfig found no configuration";
            return made;
        }
    }

    std::vector<EGLint> attributes = {EGL_CONTEXT_MAJOR_VERSION, options.major, EGL_CONTEXT_MINOR_VERSION,
                                      options.minor};
    if (options.api == Api::gl)
        attributes.insert(attributes.end(), {EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                             options.compatibility ? EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT
                                                                   : EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT});
    if (options.debug && egl_1_5)
        attributes.insert(attributes.end(), {EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE});
    else if (options.debug)
        attributes.insert(attributes.end(), {EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR});
    attributes.push_back(EGL_NONE);
    made.context = eglCreateContext(display, config, share, attributes.data());
    if (made.context == EGL_NO_CONTEXT) {
        made.problem = "eglCreateContext: " + egl_error_name();
        return made;
    }

    if (!surfaceless) {
        const EGLint size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
        made.surface = eglCreatePbufferSurface(display, config, size);
        if (made.surface == EGL_NO_SURFACE) {
            made.problem = "eglCreatePbufferSurface: " + egl_error_name();
            eglDestroyContext(display, made.context);
            made.context = EGL_NO_CONTEXT;
            return made;
        }
    }
    if (eglMakeCurrent(display, made.surface, made.surface, made.context) != EGL_TRUE) {
        made.problem = "eglMakeCurrent: " + egl_error_name();
        if (made.surface != EGL_NO_SURFACE) eglDestroySurface(display, made.surface);
        eglDestroyContext(display, made.context);
        made.context = EGL_NO_CONTEXT;
        made.surface = EGL_NO_SURFACE;
    }
    return made;
}

}  // namespace

HeadlessContext::HeadlessContext(const HeadlessOptions& options) : api_(options.api) {
    std::string failures;
    std::vector<Candidate> candidates;
    EGLContext share = EGL_NO_CONTEXT;
    if (options.share_with != nullptr) {
        candidates.push_back({options.share_with->platform_, options.share_with->display_, false, ""});
        share = options.share_with->context_;
    } else {
        candidates = find_candidates(options.prefer_hardware);
    }
    for (const Candidate& candidate : candidates) {
        std::string problem = candidate.problem;
        if (candidate.display != EGL_NO_DISPLAY) {
            const Made made = make_context(candidate.display, options, share);
            if (made.context != EGL_NO_CONTEXT) {
                display_ = candidate.display;
                context_ = made.context;
                surface_ = made.surface;
                platform_ = candidate.name;
                break;
            }
            problem = made.problem;
        }
        failures += (failures.empty() ? "" : "; ") + candidate.name + ": " + problem;
    }
    if (context_ == nullptr) {
        throw std::runtime_error("no EGL display gave an OpenGL " + std::string(options.api == Api::gl ? "" : "ES ") +
                                 std::to_string(options.major) + "." + std::to_string(options.minor) +
                                 (options.api != Api::gl  ? ""
                                  : options.compatibility ? " compatibility"
                                                          : " core") +
                                 " context: " + failures);
    }

    using GetString = const unsigned char* (*)(unsigned int);
    using GetIntegerv = void (*)(unsigned int, int*);
    const auto get_string = reinterpret_cast<GetString>(eglGetProcAddress("glGetString"));
    const auto get_integer = reinterpret_cast<GetIntegerv>(eglGetProcAddress("glGetIntegerv"));
    const auto text = [get_string](unsigned int name) {
        const unsigned char* value = get_string(name);
        return std::string(value != nullptr ? reinterpret_cast<const char*>(value) : "unknown");
    };
    vendor_ = text(gl_vendor);
    renderer_ = text(gl_renderer);
    version_string_ = text(gl_version);
    int major = 0;
    int minor = 0;
    get_integer(gl_major_version, &major);
    get_integer(gl_minor_version, &minor);
    version_ = 10 * major + minor;
}

HeadlessContext::~HeadlessContext() {
    destroy();
}

HeadlessContext::HeadlessContext(HeadlessContext&& other) noexcept {
    *this = std::move(other);
}

HeadlessContext& HeadlessContext::operator=(HeadlessContext&& other) noexcept {
    if (this == &other) return *this;
    destroy();
    display_ = std::exchange(other.display_, nullptr);
    context_ = std::exchange(other.context_, nullptr);
    surface_ = std::exchange(other.surface_, nullptr);
    api_ = other.api_;
    version_ = other.version_;
    renderer_ = std::move(other.renderer_);
    vendor_ = std::move(other.vendor_);
    version_string_ = std::move(other.version_string_);
    platform_ = std::move(other.platform_);
    return *this;
}

void HeadlessContext::make_current() {
    // EGL has one current context for each bound API, so every call binds the API first.
    eglBindAPI(egl_api(api_));
    if (eglMakeCurrent(display_, surface_, surface_, context_) != EGL_TRUE)
        throw std::runtime_error("cannot make the OpenGL context of " + platform_ + " current: " + egl_error_name());
}

void HeadlessContext::release_current() noexcept {
    if (!is_current()) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

bool HeadlessContext::is_current() const {
    if (context_ == nullptr) return false;
    eglBindAPI(egl_api(api_));
    return eglGetCurrentContext() == context_;
}

GetProcAddress HeadlessContext::get_proc_address() {
    return reinterpret_cast<GetProcAddress>(&eglGetProcAddress);
}

void HeadlessContext::destroy() noexcept {
    if (context_ == nullptr) return;
    release_current();
    eglDestroyContext(display_, context_);
    if (surface_ != nullptr) eglDestroySurface(display_, surface_);
    context_ = nullptr;
    surface_ = nullptr;
}

}  // namespace glsort::demo
