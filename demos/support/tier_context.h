#pragma once

#include <glad/gl.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/headless_context.h"

/// Contexts that are held to a version, for tests and for `glsort check`.

namespace glsort::trial {

/// The OpenGL versions for tests and `glsort check`. `compat` is OpenGL 4.5 in the compatibility profile. The other
/// tiers of OpenGL have core profiles.
enum class Tier { gl45, gl33, es30, es31, es32, compat };

/// The tiers that every test runs on: gl45, gl33, es30, es31.
std::vector<Tier> all_tiers();
/// Every tier, in the order of the enumeration.
std::vector<Tier> every_tier();
/// "gl45", "gl33", "es30", "es31", "es32", "compat".
std::string_view tier_name(Tier tier);
/// The inverse of `tier_name`. Throws std::invalid_argument that lists the names.
Tier tier_from_name(std::string_view name);
/// Whether every extension of the driver stays visible. The newest tiers hide no extension.
bool shows_everything(Tier tier);
demo::Api tier_api(Tier tier);
/// 10 * major + minor.
int tier_version(Tier tier);

/// One message of KHR_debug.
struct DebugMessage {
    GLenum source;
    GLenum type;
    GLuint id;
    GLenum severity;
    std::string text;
};

/// A headless context that is held to a tier.
///
/// A driver gives the newest version that it has. A test "on GL 3.3" would therefore not notice a call of a newer
/// function. get_proc_address() is a loader for the tested code, and gl() for the test itself. The loader
/// - returns null for every function that the tier's version does not have, except functions of allowed extensions;
/// - makes glGetString(), glGetStringi() and glGetIntegerv() report the tier's version, shading language version and
///   extensions. These are the allowed extensions that the driver has, and always "GL_GLSORT_test_tier", because glad 2
///   refuses a context without any extension;
/// - makes glGetIntegerv(), glGetInteger64v() and glGetIntegeri_v() report the lower limits of limit();
/// - records a problem for a shader (glShaderSource()) with a newer #version, a #version of the other family, or an
///   #extension that was not allowed.
///
/// On gl45, es32 and compat every extension of the driver is allowed.
///
/// The loader cannot refuse a newer *enumerant*. Only a driver that is really held back does: Mesa, with
/// MESA_GL_VERSION_OVERRIDE=3.3 or MESA_GLES_VERSION_OVERRIDE=3.0 in the environment (see available()).
///
/// The context collects problems:
/// - KHR_debug messages that are errors, undefined behaviour or of high severity. The driver reports these messages
///   synchronously, so a debugger stops at the call;
/// - errors that glGetError() still has;
/// - the shaders above.
class TestContext {
  public:
    /// Makes the context, and makes the context current. `extensions` are the extensions that stay visible on gl33,
    /// es30 and es31. "*" stands for all. Software is tried first: tests then give equal results everywhere, and never
    /// hang the GPU of a display. `prefer_hardware` tries hardware first. Throws std::runtime_error if the driver has
    /// no such version.
    explicit TestContext(Tier tier, std::vector<std::string> extensions = {}, bool prefer_hardware = false);
    /// Makes a context like `like`, with equal visible extensions. The contexts share objects if `shares`.
    TestContext(const TestContext& like, bool shares);
    ~TestContext();
    TestContext(const TestContext&) = delete;
    TestContext& operator=(const TestContext&) = delete;

    /// Makes the context current in the calling thread. Functions of the loader, called in this thread, then use the
    /// limits of this context.
    void make_current();
    /// Leaves the calling thread without a current context, if this context is current.
    void release_current();

    /// The loader described above. The loader and its functions use the TestContext that is current in the calling
    /// thread.
    static demo::GetProcAddress get_proc_address();

    Tier tier() const { return tier_; }
    /// The functions of the tier, as get_proc_address() returns them.
    const GladGLContext& gl() const { return gl_; }
    /// Every function of the driver, of any version, unchanged.
    const GladGLContext& driver() const { return driver_; }
    const demo::HeadlessContext& headless() const { return headless_; }

    /// Makes the loader's functions report at most `value` for a limit such as GL_MAX_COLOR_ATTACHMENTS. If the limit
    /// has several values, `value` bounds each of them.
    void limit(GLenum name, GLint value) { limits_[name] = value; }
    /// Lowers every limit that can matter to the minimum that the tier's version guarantees.
    void limit_to_minimum();
    void unlimit() { limits_.clear(); }

    /// Every KHR_debug message since clear(), including notifications and debug groups (GL_DEBUG_TYPE_PUSH_GROUP).
    const std::vector<DebugMessage>& messages() const { return messages_; }
    /// The problems since clear(). Adds the errors of glGetError(). The context must be current.
    const std::vector<std::string>& problems();
    /// If there are problems, throws std::runtime_error with `where` and the problems, and forgets the problems.
    void require_clean(std::string_view where);
    /// Forgets messages, problems, and errors of glGetError().
    void clear();

  private:
    struct Wrappers;

    TestContext(Tier tier, std::vector<std::string> extensions, const demo::HeadlessOptions& options);

    bool allows_all() const;
    bool allows_extension(std::string_view extension) const;
    bool allows_function(std::string_view name) const;
    void check_shader(const std::string& source);
    GLint limited(GLenum name, GLint value) const;

    Tier tier_;
    bool prefer_hardware_;
    std::vector<std::string> allowed_;
    demo::HeadlessContext headless_;
    GladGLContext driver_{};
    GladGLContext gl_{};
    std::string version_;
    std::string shading_language_version_;
    std::vector<std::string> extensions_;
    std::string all_extensions_;
    std::map<GLenum, GLint> limits_;
    std::vector<DebugMessage> messages_;
    std::vector<std::string> problems_;
};

/// The tier's context, current in the calling thread. The first call makes the context, which lasts for the whole run.
/// Messages, problems and limits of earlier users are gone. Their OpenGL state remains.
TestContext& context(Tier tier);

/// Whether the driver has the tier. If not, `why` gets the reason. For runs with MESA_GL_VERSION_OVERRIDE, which leave
/// out tests of higher tiers.
bool available(Tier tier, std::string* why = nullptr);

}  // namespace glsort::trial
