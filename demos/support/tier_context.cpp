#include "support/tier_context.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace glsort::trial {

namespace {

struct Function {
    std::string_view name;
    int gl;
    int es;
    std::string_view extension;
};

constexpr Function functions[] = {
#include "gl_functions.inc"
};

const Function* find_function(std::string_view name) {
    const auto* found = std::lower_bound(std::begin(functions), std::end(functions), name,
                                         [](const Function& f, std::string_view n) { return f.name < n; });
    return found != std::end(functions) && found->name == name ? found : nullptr;
}

constexpr std::string_view tier_extension = "GL_GLSORT_test_tier";

struct NamedTier {
    Tier tier;
    std::string_view name;
    demo::Api api;
    int version;
};

// In the order of the enumeration.
constexpr NamedTier tiers[] = {
    {Tier::gl45, "gl45", demo::Api::gl, 45},   {Tier::gl33, "gl33", demo::Api::gl, 33},
    {Tier::es30, "es30", demo::Api::gles, 30}, {Tier::es31, "es31", demo::Api::gles, 31},
    {Tier::es32, "es32", demo::Api::gles, 32}, {Tier::compat, "compat", demo::Api::gl, 45},
};

const NamedTier& about(Tier tier) {
    return tiers[static_cast<std::size_t>(tier)];
}

demo::HeadlessOptions headless_options(Tier tier, bool prefer_hardware) {
    return {.api = tier_api(tier),
            .major = tier_version(tier) / 10,
            .minor = tier_version(tier) % 10,
            .debug = true,
            .prefer_hardware = prefer_hardware,
            .compatibility = tier == Tier::compat};
}

std::string text(const GLubyte* string) {
    return string != nullptr ? reinterpret_cast<const char*>(string) : "";
}

const GLubyte* bytes(std::string_view string) {
    return reinterpret_cast<const GLubyte*>(string.data());
}

std::string hexadecimal(GLenum value) {
    std::ostringstream stream;
    stream << "0x" << std::hex << value;
    return stream.str();
}

std::string error_name(GLenum error) {
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
        case GL_CONTEXT_LOST:
            return "GL_CONTEXT_LOST";
        default:
            return hexadecimal(error);
    }
}

// The TestContext that the wrappers use. Functions of OpenGL take no context as an argument, and neither do the
// wrappers.
TestContext*& current() {
    thread_local TestContext* context = nullptr;
    return context;
}

// The minimum that a version guarantees of each limit that a sort may reach. From OpenGL 3.3 and 4.5, tables of
// chapters 6 and 23, and OpenGL ES 3.0 and 3.1, tables of chapters 6 and 20.
std::vector<std::pair<GLenum, GLint>> minimum_limits(Tier tier) {
    switch (tier) {
        case Tier::gl33:
            return {{GL_MAX_COLOR_ATTACHMENTS, 8},
                    {GL_MAX_DRAW_BUFFERS, 8},
                    {GL_MAX_TEXTURE_SIZE, 1024},
                    {GL_MAX_RECTANGLE_TEXTURE_SIZE, 1024},
                    {GL_MAX_3D_TEXTURE_SIZE, 256},
                    {GL_MAX_ARRAY_TEXTURE_LAYERS, 256},
                    {GL_MAX_TEXTURE_BUFFER_SIZE, 65536},
                    {GL_MAX_RENDERBUFFER_SIZE, 1024},
                    {GL_MAX_VIEWPORT_DIMS, 1024},
                    {GL_MAX_TEXTURE_IMAGE_UNITS, 16},
                    {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16},
                    {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 48},
                    {GL_MAX_VERTEX_ATTRIBS, 16},
                    {GL_MAX_UNIFORM_BUFFER_BINDINGS, 36},
                    {GL_MAX_UNIFORM_BLOCK_SIZE, 16384},
                    {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, 4},
                    {GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 64}};
        case Tier::es30:
        case Tier::es31:
        case Tier::es32: {
            std::vector<std::pair<GLenum, GLint>> limits = {
                {GL_MAX_COLOR_ATTACHMENTS, 4},
                {GL_MAX_DRAW_BUFFERS, 4},
                {GL_MAX_TEXTURE_SIZE, 2048},
                {GL_MAX_3D_TEXTURE_SIZE, 256},
                {GL_MAX_ARRAY_TEXTURE_LAYERS, 256},
                {GL_MAX_RENDERBUFFER_SIZE, 2048},
                {GL_MAX_VIEWPORT_DIMS, 2048},
                {GL_MAX_TEXTURE_IMAGE_UNITS, 16},
                {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16},
                {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, tier == Tier::es30 ? 32 : 48},
                {GL_MAX_VERTEX_ATTRIBS, 16},
                {GL_MAX_UNIFORM_BUFFER_BINDINGS, tier == Tier::es30 ? 24 : 36},
                {GL_MAX_UNIFORM_BLOCK_SIZE, 16384},
                {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, 4},
                {GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 64}};
            if (tier != Tier::es30) {
                limits.insert(limits.end(), {{GL_MAX_COMPUTE_WORK_GROUP_COUNT, 65535},
                                             {GL_MAX_COMPUTE_WORK_GROUP_SIZE, 64},
                                             {GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, 128},
                                             {GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, 16384},
                                             {GL_MAX_COMPUTE_UNIFORM_BLOCKS, 12},
                                             {GL_MAX_COMPUTE_UNIFORM_COMPONENTS, 512},
                                             {GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, 4},
                                             {GL_MAX_COMBINED_SHADER_STORAGE_BLOCKS, 4},
                                             {GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, 0},
                                             {GL_MAX_FRAGMENT_SHADER_STORAGE_BLOCKS, 0},
                                             {GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, 4},
                                             {GL_MAX_SHADER_STORAGE_BLOCK_SIZE, 1 << 27},
                                             {GL_MAX_COMPUTE_IMAGE_UNIFORMS, 4}});
            }
            return limits;
        }
        case Tier::gl45:
        case Tier::compat:
            break;
    }
    return {{GL_MAX_COLOR_ATTACHMENTS, 8},
            {GL_MAX_DRAW_BUFFERS, 8},
            {GL_MAX_TEXTURE_SIZE, 16384},
            {GL_MAX_RECTANGLE_TEXTURE_SIZE, 16384},
            {GL_MAX_3D_TEXTURE_SIZE, 2048},
            {GL_MAX_ARRAY_TEXTURE_LAYERS, 2048},
            {GL_MAX_TEXTURE_BUFFER_SIZE, 65536},
            {GL_MAX_RENDERBUFFER_SIZE, 16384},
            {GL_MAX_VIEWPORT_DIMS, 16384},
            {GL_MAX_TEXTURE_IMAGE_UNITS, 16},
            {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16},
            {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 96},
            {GL_MAX_VERTEX_ATTRIBS, 16},
            {GL_MAX_UNIFORM_BUFFER_BINDINGS, 84},
            {GL_MAX_UNIFORM_BLOCK_SIZE, 16384},
            {GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, 4},
            {GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS, 64},
            {GL_MAX_COMPUTE_WORK_GROUP_COUNT, 65535},
            {GL_MAX_COMPUTE_WORK_GROUP_SIZE, 64},
            {GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, 1024},
            {GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, 32768},
            {GL_MAX_COMPUTE_UNIFORM_BLOCKS, 14},
            {GL_MAX_COMPUTE_UNIFORM_COMPONENTS, 1024},
            {GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, 8},
            {GL_MAX_COMBINED_SHADER_STORAGE_BLOCKS, 8},
            {GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, 0},
            {GL_MAX_FRAGMENT_SHADER_STORAGE_BLOCKS, 8},
            {GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, 8},
            {GL_MAX_SHADER_STORAGE_BLOCK_SIZE, 1 << 27},
            {GL_MAX_COMPUTE_IMAGE_UNIFORMS, 8}};
}

}  // namespace

// The functions that the loader returns in place of OpenGL's own.
struct TestContext::Wrappers {
    static void GLAD_API_PTR debug_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                           const GLchar* message, const void* user) {
        auto& context = *static_cast<TestContext*>(const_cast<void*>(user));
        const std::string_view words =
            length >= 0 ? std::string_view(message, static_cast<std::size_t>(length)) : message;
        context.messages_.push_back({source, type, id, severity, std::string(words)});
        // A slow call is no problem, whatever severity the driver reports.
        if (type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR ||
            (severity == GL_DEBUG_SEVERITY_HIGH && type != GL_DEBUG_TYPE_PERFORMANCE))
            context.problems_.push_back("debug message: " + std::string(words));
    }

    static const GLubyte* GLAD_API_PTR get_string(GLenum name) {
        const TestContext& context = *current();
        switch (name) {
            case GL_VERSION:
                return bytes(context.version_);
            case GL_SHADING_LANGUAGE_VERSION:
                return bytes(context.shading_language_version_);
            case GL_EXTENSIONS:
                if (tier_api(context.tier_) == demo::Api::gles) return bytes(context.all_extensions_);
                break;
            default:
                break;
        }
        return context.driver_.GetString(name);
    }

    static const GLubyte* GLAD_API_PTR get_string_i(GLenum name, GLuint index) {
        const TestContext& context = *current();
        if (name == GL_EXTENSIONS && index < context.extensions_.size()) return bytes(context.extensions_[index]);
        // Past the last extension of the tier, the driver would answer from its own list. The driver therefore gets an
        // index past the end of that list.
        return context.driver_.GetStringi(name, name == GL_EXTENSIONS ? ~GLuint{0} : index);
    }

    // Answers a query that the tier changes. False: the driver answers the query.
    static bool answer(const TestContext& context, GLenum name, GLint& value) {
        switch (name) {
            case GL_MAJOR_VERSION:
                value = tier_version(context.tier_) / 10;
                return true;
            case GL_MINOR_VERSION:
                value = tier_version(context.tier_) % 10;
                return true;
            case GL_NUM_EXTENSIONS:
                value = static_cast<GLint>(context.extensions_.size());
                return true;
            default:
                return false;
        }
    }

    static void GLAD_API_PTR get_integerv(GLenum name, GLint* values) {
        const TestContext& context = *current();
        if (answer(context, name, *values)) return;
        context.driver_.GetIntegerv(name, values);
        const int count = name == GL_MAX_VIEWPORT_DIMS ? 2 : 1;
        if (context.limits_.contains(name))
            for (int i = 0; i < count; ++i)
                values[i] = context.limited(name, values[i]);
    }

    static void GLAD_API_PTR get_integer64v(GLenum name, GLint64* values) {
        const TestContext& context = *current();
        if (GLint value = 0; answer(context, name, value)) {
            *values = value;
            return;
        }
        context.driver_.GetInteger64v(name, values);
        if (const auto found = context.limits_.find(name); found != context.limits_.end())
            *values = std::min<GLint64>(*values, found->second);
    }

    // Notes a storage binding that the context would not have with its limits.
    static void check_binding(GLenum name, GLuint index) {
        if (name != GL_SHADER_STORAGE_BUFFER && name != GL_SHADER_STORAGE_BUFFER_BINDING &&
            name != GL_SHADER_STORAGE_BUFFER_START && name != GL_SHADER_STORAGE_BUFFER_SIZE)
            return;
        TestContext& context = *current();
        const auto found = context.limits_.find(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS);
        if (found != context.limits_.end() && index >= static_cast<GLuint>(found->second))
            context.problems_.push_back("storage binding " + std::to_string(index) + " of " +
                                        std::to_string(found->second));
    }

    static void GLAD_API_PTR get_integer64i_v(GLenum name, GLuint index, GLint64* values) {
        check_binding(name, index);
        current()->driver_.GetInteger64i_v(name, index, values);
    }

    static void GLAD_API_PTR bind_buffer_base(GLenum target, GLuint index, GLuint buffer) {
        check_binding(target, index);
        current()->driver_.BindBufferBase(target, index, buffer);
    }

    static void GLAD_API_PTR bind_buffer_range(GLenum target, GLuint index, GLuint buffer, GLintptr offset,
                                               GLsizeiptr size) {
        check_binding(target, index);
        current()->driver_.BindBufferRange(target, index, buffer, offset, size);
    }

    static void GLAD_API_PTR get_integeri_v(GLenum name, GLuint index, GLint* values) {
        const TestContext& context = *current();
        check_binding(name, index);
        context.driver_.GetIntegeri_v(name, index, values);
        if (context.limits_.contains(name)) *values = context.limited(name, *values);
    }

    static void GLAD_API_PTR shader_source(GLuint shader, GLsizei count, const GLchar* const* strings,
                                           const GLint* lengths) {
        TestContext& context = *current();
        std::string source;
        for (GLsizei i = 0; i < count; ++i) {
            if (lengths != nullptr && lengths[i] >= 0)
                source.append(strings[i], static_cast<std::size_t>(lengths[i]));
            else
                source.append(strings[i]);
        }
        context.check_shader(source);
        context.driver_.ShaderSource(shader, count, strings, lengths);
    }

    static demo::GlFunction load(const char* name) {
        const TestContext* context = current();
        if (context == nullptr || !context->allows_function(name)) return nullptr;
        const std::string_view wanted = name;
        const auto generic = [](auto function) { return reinterpret_cast<demo::GlFunction>(function); };
        if (wanted == "glGetString") return generic(&get_string);
        if (wanted == "glGetStringi") return generic(&get_string_i);
        if (wanted == "glGetIntegerv") return generic(&get_integerv);
        if (wanted == "glGetInteger64v") return generic(&get_integer64v);
        if (wanted == "glGetIntegeri_v") return generic(&get_integeri_v);
        if (wanted == "glGetInteger64i_v") return generic(&get_integer64i_v);
        if (wanted == "glBindBufferBase") return generic(&bind_buffer_base);
        if (wanted == "glBindBufferRange") return generic(&bind_buffer_range);
        if (wanted == "glShaderSource") return generic(&shader_source);
        return demo::HeadlessContext::get_proc_address()(name);
    }
};

std::vector<Tier> all_tiers() {
    return {Tier::gl45, Tier::gl33, Tier::es30, Tier::es31};
}

std::vector<Tier> every_tier() {
    std::vector<Tier> every;
    for (const NamedTier& named : tiers)
        every.push_back(named.tier);
    return every;
}

std::string_view tier_name(Tier tier) {
    return about(tier).name;
}

Tier tier_from_name(std::string_view name) {
    std::string known;
    for (const NamedTier& named : tiers) {
        if (named.name == name) return named.tier;
        known += (known.empty() ? "" : ", ") + std::string(named.name);
    }
    throw std::invalid_argument("unknown context \"" + std::string(name) + "\"; choose from " + known);
}

bool shows_everything(Tier tier) {
    return tier == Tier::gl45 || tier == Tier::es32 || tier == Tier::compat;
}

demo::Api tier_api(Tier tier) {
    return about(tier).api;
}

int tier_version(Tier tier) {
    return about(tier).version;
}

TestContext::TestContext(Tier tier, std::vector<std::string> extensions, bool prefer_hardware)
    : TestContext(tier, std::move(extensions), headless_options(tier, prefer_hardware)) {}

TestContext::TestContext(const TestContext& like, bool shares)
    : TestContext(like.tier_, like.allowed_, [&] {
          demo::HeadlessOptions options = headless_options(like.tier_, like.prefer_hardware_);
          if (shares) options.share_with = &like.headless_;
          return options;
      }()) {}

TestContext::TestContext(Tier tier, std::vector<std::string> extensions, const demo::HeadlessOptions& options)
    : tier_(tier), prefer_hardware_(options.prefer_hardware), allowed_(std::move(extensions)), headless_(options) {
    const bool es = tier_api(tier) == demo::Api::gles;
    const auto load_with = [es](GladGLContext& gl, demo::GetProcAddress load) {
        return (es ? gladLoadGLES2Context(&gl, load) : gladLoadGLContext(&gl, load)) != 0;
    };
    if (!load_with(driver_, demo::HeadlessContext::get_proc_address()))
        throw std::runtime_error("cannot load the functions of OpenGL from " + headless_.platform());

    const int version = tier_version(tier);
    const std::string digits = std::to_string(version / 10) + "." + std::to_string(version % 10);
    version_ = headless_.version_string();
    if (headless_.version() != version)
        version_ = (es ? "OpenGL ES " + digits
                       : digits + (tier == Tier::compat ? " (Compatibility Profile)" : " (Core Profile)")) +
                   " held back from " + version_;
    shading_language_version_ = (es ? "OpenGL ES GLSL ES " : "") + digits + "0";

    GLint count = 0;
    driver_.GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; ++i) {
        std::string name = text(driver_.GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i)));
        if (allows_extension(name)) extensions_.push_back(std::move(name));
    }
    extensions_.emplace_back(tier_extension);
    for (const std::string& name : extensions_)
        all_extensions_ += (all_extensions_.empty() ? "" : " ") + name;

    make_current();
    if (!load_with(gl_, get_proc_address()))
        throw std::runtime_error("cannot load the functions of tier " + std::string(tier_name(tier)));

    const bool core_debug = driver_.VERSION_4_3 != 0 || driver_.ES_VERSION_3_2 != 0;
    const auto set_callback = core_debug || (!es && driver_.KHR_debug != 0) ? driver_.DebugMessageCallback
                              : driver_.KHR_debug != 0                      ? driver_.DebugMessageCallbackKHR
                                                                            : nullptr;
    if (set_callback != nullptr) {
        set_callback(&Wrappers::debug_message, this);
        driver_.Enable(GL_DEBUG_OUTPUT);
        driver_.Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    }
    clear();
}

TestContext::~TestContext() {
    if (current() == this) current() = nullptr;
}

void TestContext::make_current() {
    headless_.make_current();
    current() = this;
}

void TestContext::release_current() {
    headless_.release_current();
    if (current() == this) current() = nullptr;
}

demo::GetProcAddress TestContext::get_proc_address() {
    return &Wrappers::load;
}

void TestContext::limit_to_minimum() {
    for (const auto& [name, value] : minimum_limits(tier_))
        limit(name, value);
}

const std::vector<std::string>& TestContext::problems() {
    // A lost context reports one error for ever.
    for (int i = 0; i < 16; ++i) {
        const GLenum error = driver_.GetError();
        if (error == GL_NO_ERROR) break;
        problems_.push_back("glGetError: " + error_name(error));
    }
    return problems_;
}

void TestContext::require_clean(std::string_view where) {
    if (problems().empty()) return;
    std::string report = std::string(where) + ", tier " + std::string(tier_name(tier_)) + ":";
    for (const std::string& problem : problems_)
        report += "\n  " + problem;
    clear();
    throw std::runtime_error(report);
}

void TestContext::clear() {
    problems();
    messages_.clear();
    problems_.clear();
}

bool TestContext::allows_all() const {
    return std::find(allowed_.begin(), allowed_.end(), "*") != allowed_.end();
}

bool TestContext::allows_extension(std::string_view extension) const {
    return shows_everything(tier_) || allows_all() ||
           std::find(allowed_.begin(), allowed_.end(), extension) != allowed_.end();
}

bool TestContext::allows_function(std::string_view name) const {
    const Function* function = find_function(name);
    if (function == nullptr) return allows_all() || shows_everything(tier_);
    const bool es = tier_api(tier_) == demo::Api::gles;
    const int since = es ? function->es : function->gl;
    if (since != 0 && since <= tier_version(tier_)) return true;
    // OpenGL ES has functions of GL_KHR_ extensions under names that end in KHR. Mesa accepts the names without KHR,
    // too.
    if (es && function->extension.starts_with("GL_KHR_") && !name.ends_with("KHR")) return false;
    if (allows_all()) return true;
    // The driver must also have the extension: EGL returns addresses of functions that no driver has.
    return !function->extension.empty() &&
           std::find(extensions_.begin(), extensions_.end(), function->extension) != extensions_.end();
}

GLint TestContext::limited(GLenum name, GLint value) const {
    return std::min(value, limits_.at(name));
}

void TestContext::check_shader(const std::string& source) {
    const bool es = tier_api(tier_) == demo::Api::gles;
    const auto complain = [this](const std::string& what) {
        problems_.push_back("glShaderSource: " + what + " on tier " + std::string(tier_name(tier_)));
    };
    bool has_version = false;
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string directive;
        std::string name;
        words >> directive >> name;
        if (directive == "#version") {
            has_version = true;
            std::string profile;
            words >> profile;
            const int number = std::atoi(name.c_str());
            if ((profile == "es") != es || number > 10 * tier_version(tier_)) complain(line);
        } else if (directive == "#extension") {
            const std::string extension = name.substr(0, name.find(':'));
            if (!allows_extension(extension)) complain(line);
        }
    }
    if (!has_version) complain("a shader without #version");
}

TestContext& context(Tier tier) {
    // Never destroyed: EGL shuts down before static objects are destroyed.
    static auto& contexts = *new std::map<Tier, std::unique_ptr<TestContext>>;
    std::unique_ptr<TestContext>& kept = contexts[tier];
    if (kept == nullptr) kept = std::make_unique<TestContext>(tier);
    kept->make_current();
    kept->unlimit();
    kept->clear();
    return *kept;
}

bool available(Tier tier, std::string* why) {
    try {
        context(tier);
        return true;
    } catch (const std::runtime_error& error) {
        if (why != nullptr) *why = error.what();
        return false;
    }
}

}  // namespace glsort::trial
