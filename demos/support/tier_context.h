#pragma once

#include <glad/gl.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/headless_context.h"

/// Contexts that are held to a version, for tests and for `glsort check`.

namespace glsort::trial {

/// The OpenGL versions that the tests and `glsort check` run on. `compat` is OpenGL 4.5 in the
/// compatibility profile; the others of OpenGL are core.
enum class Tier { gl45, gl33, es30, es31, es32, compat };

/// The tiers that every test runs on: gl45, gl33, es30, es31.
std::vector<Tier> all_tiers();
/// Every tier, in the order of the enumeration.
std::vector<Tier> every_tier();
/// "gl45", "gl33", "es30", "es31", "es32", "compat".
std::string_view tier_name(Tier tier);
/// The inverse of `tier_name`. Throws std::invalid_argument which lists the names.
Tier tier_from_name(std::string_view name);
/// Whether all that the driver has is to be seen: the newest tiers hide no extension.
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
/// A driver hands out the newest version that it has, so a test "on GL 3.3" would not notice a call
/// of a newer function. get_proc_address() is a loader for what is tested (and for the test itself,
/// through gl()) which
/// - gives null for every function that the tier's version does not have, but for the functions of
///   the extensions that were allowed; gl45, es32 and compat give all extension functions;
/// - makes glGetString(), glGetStringi() and glGetIntegerv() report the tier's version, shading
///   language version and extensions: the allowed ones that the driver has, and always
///   "GL_GLSORT_test_tier" (glad 2 refuses a context without any extension); gl45, es32 and compat
///   report all;
/// - makes glGetIntegerv(), glGetInteger64v() and glGetIntegeri_v() report lower limits where
///   limit() asked for them;
/// - takes a shader whose #version is newer than the tier, or of the other family, or whose
///   #extension was not allowed, for a problem (glShaderSource()); gl45, es32 and compat do not
///   look at #extension.
/// What it cannot do is refuse a newer *enumerant*. A driver that is really held back does that:
/// Mesa, with MESA_GL_VERSION_OVERRIDE=3.3 or MESA_GLES_VERSION_OVERRIDE=3.0 in the environment
/// (see available()).
///
/// The context collects what goes wrong: KHR_debug messages that are errors, undefined behaviour or
/// of high severity, reported synchronously, so that a debugger stops at the call; leftover
/// glGetError(); the problems above.
class TestContext {
  public:
    /// Makes the context and makes it current. `extensions` are those to leave visible on gl33,
    /// es30 and es31; "*" stands for all. Software is tried first, so that tests mean the same everywhere and never
    /// hang a display's GPU; `prefer_hardware` tries hardware first. Throws std::runtime_error where the driver has no
    /// such version.
    explicit TestContext(Tier tier, std::vector<std::string> extensions = {}, bool prefer_hardware = false);
    /// Makes a context like `like`, with the same extensions visible, that shares objects with it where `shares`.
    TestContext(const TestContext& like, bool shares);
    ~TestContext();
    TestContext(const TestContext&) = delete;
    TestContext& operator=(const TestContext&) = delete;

    /// Makes the context current in the calling thread, and the one that the loader's functions are
    /// about there.
    void make_current();
    /// Leaves the calling thread without a current context, if this one is current.
    void release_current();

    /// The loader described above. It is about the TestContext that is current in the calling
    /// thread, and so are the functions that it gives.
    static demo::GetProcAddress get_proc_address();

    Tier tier() const { return tier_; }
    /// The functions of the tier, as get_proc_address() gives them.
    const GladGLContext& gl() const { return gl_; }
    /// Every function that the driver has, unaltered, of whatever version it is.
    const GladGLContext& driver() const { return driver_; }
    const demo::HeadlessContext& headless() const { return headless_; }

    /// Lets the loader's functions report at most `value` for a limit such as
    /// GL_MAX_COLOR_ATTACHMENTS (each of its values, where it has several).
    void limit(GLenum name, GLint value) { limits_[name] = value; }
    /// Lowers every limit that matters to the least that the tier's version guarantees.
    void limit_to_minimum();
    void unlimit() { limits_.clear(); }

    /// Every KHR_debug message since clear(), notes and debug groups (GL_DEBUG_TYPE_PUSH_GROUP)
    /// included.
    const std::vector<DebugMessage>& messages() const { return messages_; }
    /// What went wrong since clear(). Takes glGetError()'s errors in. Must be current.
    const std::vector<std::string>& problems();
    /// Throws std::runtime_error with `where` and the problems, if there are any, and forgets them.
    void require_clean(std::string_view where);
    /// Forgets messages, problems and glGetError()'s errors.
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

/// The tier's context, made at the first call, kept for the whole run, current in the calling
/// thread. What earlier users left of messages, problems and limits is gone; their OpenGL state is
/// not.
TestContext& context(Tier tier);

/// Whether the driver has the tier; `why` gets the reason where it has not. For runs with
/// MESA_GL_VERSION_OVERRIDE, where tests of the higher tiers have to be left out.
bool available(Tier tier, std::string* why = nullptr);

}  // namespace glsort::trial
