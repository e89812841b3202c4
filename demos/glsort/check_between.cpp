#include "check_between.h"

#include <fmt/format.h>
#include <glsort/error.h>

#include <array>
#include <bit>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "check_objects.h"

namespace glsort::check {
namespace {

// Makes a call that must throw an `Error` whose message contains `part`.
template <class Call>
void require_refusal(std::string_view what, std::string_view part, const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        if (std::string_view(error.what()).find(part) != std::string_view::npos) return;
        throw std::runtime_error(fmt::format("refusal: {} was refused by another message: {}", what, error.what()));
    }
    throw std::runtime_error(fmt::format("refusal: {} was accepted", what));
}

void make(const ComingCall& coming, const SortArguments& arguments, bool steps) {
    const auto& lists = coming.lists;
    if (steps && coming.plan.can_step())
        Stepper(coming.sorter).begin(arguments, lists);
    else if (coming.plan.spec.own_output && lists.empty())
        coming.sorter.sort_to_texture(arguments);
    else if (coming.plan.spec.own_output)
        coming.sorter.merge_to_texture(arguments, lists);
    else if (lists.empty())
        coming.sorter.sort(arguments);
    else
        coming.sorter.merge(arguments, lists);
}

// Arguments in which a new object of equal shape replaces one of the objects.
class Replaced {
  public:
    Replaced(const GladGLContext& gl, const ComingCall& coming, std::uint32_t number)
        : gl_(gl), arguments_(coming.arguments) {
        auto* buffers = std::get_if<Buffers>(&arguments_.input);
        auto* input = std::get_if<TextureView>(&arguments_.input);
        std::vector<GLuint*> names{&arguments_.output.name};
        if (buffers != nullptr) names.insert(names.begin(), {&buffers->keys.name, &buffers->values.name});
        if (input != nullptr) names.insert(names.begin(), &input->name);
        std::erase_if(names, [](const GLuint* name) { return *name == 0; });
        GLuint& name = *names[number % names.size()];
        const SortSpec& spec = coming.plan.spec;
        if (buffers != nullptr && &name != &arguments_.output.name) {
            const bool is_keys = &name == &buffers->keys.name;
            const BufferSlice& slice = is_keys ? buffers->keys : buffers->values;
            const std::uint64_t size = is_keys ? words_of_key(spec) : words_of_value(spec);
            GLint before = 0;
            gl_.GetIntegerv(GL_COPY_WRITE_BUFFER_BINDING, &before);
            gl_.GenBuffers(1, &name_);
            gl_.BindBuffer(GL_COPY_WRITE_BUFFER, name_);
            gl_.BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(slice.offset + 4 * size * spec.capacity),
                           nullptr, GL_STREAM_COPY);
            gl_.BindBuffer(GL_COPY_WRITE_BUFFER, static_cast<GLuint>(before));
            is_buffer_ = true;
        } else {
            const bool is_output = &name == &arguments_.output.name;
            const TextureView& view = is_output ? arguments_.output : *input;
            const bool has_value =
                is_output ? spec.payload.kind != Payload::Kind::none : spec.payload.kind == Payload::Kind::bytes;
            name_ = make_texture(gl_, view, std::bit_ceil(words_of_key(spec) + (has_value ? 1 : 0)), nullptr);
        }
        name = name_;
    }
    ~Replaced() { remove(); }
    Replaced(const Replaced&) = delete;
    Replaced& operator=(const Replaced&) = delete;

    const SortArguments& arguments() const { return arguments_; }
    void remove() {
        if (is_buffer_)
            gl_.DeleteBuffers(1, &name_);
        else
            gl_.DeleteTextures(1, &name_);
        name_ = 0;
    }

  private:
    const GladGLContext& gl_;
    SortArguments arguments_;
    GLuint name_ = 0;
    bool is_buffer_ = false;
};

void with_deleted_name(Between between, std::uint32_t number, const ComingCall& coming, const GladGLContext& gl) {
    Replaced replaced(gl, coming, number);
    if (between == Between::deleted_name) {
        replaced.remove();
        require_refusal(to_string(between), "is not a", [&] { make(coming, replaced.arguments(), number % 8 >= 4); });
        return;
    }
    Stepper stepper(coming.sorter);
    stepper.begin(replaced.arguments(), coming.lists);
    replaced.remove();
    if (program_of(coming.sorter, coming.arguments.count, coming.lists).ops.empty()) return;
    require_refusal(to_string(between), "is not a", [&] { stepper.step(); });
}

void with_mapped_buffer(std::uint32_t number, const ComingCall& coming, const GladGLContext& gl) {
    const auto& buffers = std::get<Buffers>(coming.arguments.input);
    const GLuint name = number % 2 == 1 && buffers.values.name != 0 ? buffers.values.name : buffers.keys.name;
    GLint before = 0;
    gl.GetIntegerv(GL_COPY_WRITE_BUFFER_BINDING, &before);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, name);
    const void* mapped = gl.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, 4, GL_MAP_READ_BIT);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, static_cast<GLuint>(before));
    if (mapped == nullptr) throw std::runtime_error("glMapBufferRange gave null");
    const auto unmap = [&] {
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, name);
        gl.UnmapBuffer(GL_COPY_WRITE_BUFFER);
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, static_cast<GLuint>(before));
    };
    try {
        require_refusal(to_string(Between::mapped), "mapped", [&] { make(coming, coming.arguments, number % 8 >= 4); });
    } catch (...) {
        unmap();
        throw;
    }
    unmap();
}

// Throws if `action` makes or deletes OpenGL objects. The current context is not the sorter's.
template <class Action>
void untouched(std::string_view what, const Action& action) {
    const std::uint64_t before = object_calls();
    action();
    if (object_calls() != before)
        throw std::runtime_error(fmt::format("objects touched: {} made or deleted some of another context", what));
}

// Like `untouched`. Also throws if `action` causes an OpenGL error.
template <class Action>
void in_other_context(std::string_view what, TestContext& other, const Action& action) {
    other.clear();
    untouched(what, action);
    const std::vector<std::string>& problems = other.problems();
    if (!problems.empty())
        throw std::runtime_error(fmt::format("errors in another context: {}: {}", what, problems.front()));
}

/// The destructor makes the sorter's context current again.
class Back {
  public:
    Back(Contexts& contexts, ContextId id) : contexts_(contexts), id_(id) {}
    ~Back() { contexts_.use(id_); }
    Back(const Back&) = delete;
    Back& operator=(const Back&) = delete;

  private:
    Contexts& contexts_;
    ContextId id_;
};

GLint debug_depth(const GladGLContext& gl) {
    GLint depth = 0;
    gl.GetIntegerv(GL_DEBUG_GROUP_STACK_DEPTH, &depth);
    return depth;
}

void with_full_groups(TestContext& context, const std::function<void()>& call) {
    const GladGLContext& gl = context.gl();
    const auto push = gl.PushDebugGroup != nullptr ? gl.PushDebugGroup : gl.PushDebugGroupKHR;
    const auto pop = gl.PopDebugGroup != nullptr ? gl.PopDebugGroup : gl.PopDebugGroupKHR;
    if (push == nullptr || pop == nullptr) return call();
    GLint most = 0;
    gl.GetIntegerv(GL_MAX_DEBUG_GROUP_STACK_DEPTH, &most);
    const GLint before = debug_depth(gl);
    for (GLint depth = before; depth < most; ++depth)
        push(GL_DEBUG_SOURCE_APPLICATION, 1, -1, "the application's");
    call();
    const GLint behind = debug_depth(gl);
    for (GLint depth = behind; depth > before; --depth)
        pop();
    if (behind != most)
        throw std::runtime_error(fmt::format("debug groups: {} of {} are left of a full stack", behind, most));
}

void with_error(TestContext& context, const std::function<void()>& call) {
    if (const std::vector<std::string>& problems = context.problems(); !problems.empty())
        throw std::runtime_error("before an error was provoked: " + problems.front());
    const GladGLContext& gl = context.gl();
    gl.Enable(GL_NONE);  // GL_INVALID_ENUM.
    const std::size_t messages = context.messages().size();
    call();
    const GLenum pending = gl.GetError();
    std::string wrong;
    if (pending != GL_INVALID_ENUM) wrong = fmt::format("pending error: {:#x} is left of GL_INVALID_ENUM", pending);
    for (std::size_t i = messages; i < context.messages().size(); ++i)
        if (context.messages()[i].type == GL_DEBUG_TYPE_ERROR)
            wrong = "an error besides that which was pending: " + context.messages()[i].text;
    context.clear();
    if (!wrong.empty()) throw std::runtime_error(wrong);
}

}  // namespace

void make_refused_call(Between between, std::uint32_t number, const ComingCall& coming) {
    const ContextId id = coming.plan.context();
    TestContext& context = coming.contexts.use(id);
    const std::string_view what = to_string(between);
    switch (between) {
        case Between::deleted_name:
        case Between::deleted_meanwhile:
            with_deleted_name(between, number, coming, context.gl());
            return;
        case Between::mapped:
            with_mapped_buffer(number, coming, context.gl());
            return;
        case Between::other_context:
        case Between::sharing_context: {
            const Back back(coming.contexts, id);
            TestContext& other =
                between == Between::other_context ? coming.contexts.use_other(id) : coming.contexts.use_sharing(id);
            in_other_context(what, other, [&] {
                require_refusal(what, "another OpenGL context is current",
                                [&] { make(coming, coming.arguments, number % 8 >= 4); });
            });
            return;
        }
        case Between::no_context: {
            const Back back(coming.contexts, id);
            context.release_current();
            untouched(what, [&] {
                require_refusal(what, "no OpenGL context is current",
                                [&] { make(coming, coming.arguments, number % 8 >= 4); });
            });
            return;
        }
        case Between::moved_from: {
            Sorter taken = std::move(coming.sorter);
            require_refusal(what, "moved from", [&] { make(coming, coming.arguments, number % 8 >= 4); });
            coming.sorter = std::move(taken);
            return;
        }
        default:
            throw std::logic_error("a call that is not refused");
    }
}

void call_amid(Between between, TestContext& context, const std::function<void()>& call) {
    if (between == Between::full_groups)
        with_full_groups(context, call);
    else if (between == Between::pending_error)
        with_error(context, call);
    else
        call();
}

void construct_with_error(const SorterPlan& plan, Contexts& contexts, TestContext& context) {
    context.gl().Enable(GL_NONE);
    require_refusal("construction with an error pending", "GL_INVALID_ENUM",
                    [&] { const Sorter sorter(plan.spec, contexts.loader(), plan.options); });
    const GLenum pending = context.gl().GetError();
    context.clear();
    if (pending != GL_NO_ERROR)
        throw std::runtime_error(fmt::format("pending error: {:#x} is left behind a construction", pending));
}

bool destroy(std::unique_ptr<Sorter>& sorter, const SortSpec& spec, Farewell farewell, Contexts& contexts,
             ContextId id) {
    const Back back(contexts, id);
    const std::string_view what = to_string(farewell);
    TestContext& own = contexts.use(id);
    std::optional<Sorter> last;
    if (farewell == Farewell::context_gone) {
        TestContext gone(own, false);
        count_objects_of(&gone);
        last.emplace(spec, contexts.loader());
        last->abandon();
        require_refusal(what, "abandoned", [&] { last->sort({.count = 1}); });
        forget_objects(&gone);
    }
    switch (farewell) {
        case Farewell::own_context:
            sorter.reset();
            return false;
        case Farewell::no_context:
            own.release_current();
            untouched(what, [&] { sorter.reset(); });
            return true;
        case Farewell::abandoned:
            sorter->abandon();
            break;
        default:
            break;
    }
    in_other_context(what, contexts.use_other(id), [&] {
        last.reset();
        sorter.reset();
    });
    return true;
}

}  // namespace glsort::check
