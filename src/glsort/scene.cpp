#include <glsort/base/in_function.h>
#include <glsort/plan/scene/scene_items.h>
#include <glsort/scene.h>
#include <glsort/session/scene_session.h>

namespace glsort {
namespace {

/// Calls `call(session)` for a member function of a scene sorter.
template <class Call>
decltype(auto) in_session(const std::shared_ptr<SceneSession>& session, const char* function, const Call& call) {
    return in_function(function, [&]() -> decltype(auto) {
        if (!session || session->abandoned()) throw Error("the sorter was moved from, or abandoned");
        return call(*session);
    });
}

}  // namespace

std::string item_glsl(const std::vector<SceneSource>& sources) {
    return scene::item_function(sources, "scene_item");
}

SceneSorter::SceneSorter(const SceneSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options)
    : session_(in_function("SceneSorter::SceneSorter",
                           [&] { return std::make_shared<SceneSession>(spec, get_proc_address, options); })) {}
SceneSorter::~SceneSorter() = default;
SceneSorter::SceneSorter(SceneSorter&&) noexcept = default;
SceneSorter& SceneSorter::operator=(SceneSorter&&) noexcept = default;

void SceneSorter::abandon() noexcept {
    if (session_) session_->abandon();
    session_.reset();
}

void SceneSorter::sort(const SceneArguments& arguments, Readers readers) {
    in_session(session_, "SceneSorter::sort", [&](SceneSession& session) { session.sort(arguments, readers); });
}

BufferSlice SceneSorter::status() const {
    return in_session(session_, "SceneSorter::status", [](const SceneSession& session) { return session.status(); });
}

const SceneSpec& SceneSorter::spec() const {
    return in_session(session_, "SceneSorter::spec",
                      [](const SceneSession& session) -> const SceneSpec& { return session.spec(); });
}

const StreamProgram& SceneSorter::key_program() const {
    return in_session(session_, "SceneSorter::key_program",
                      [](const SceneSession& session) -> const StreamProgram& { return session.key_program(); });
}

StreamProgram SceneSorter::sort_program() const {
    return in_session(session_, "SceneSorter::sort_program",
                      [](const SceneSession& session) { return session.sort_program(); });
}

const StreamProgram& SceneSorter::sink_program() const {
    return in_session(session_, "SceneSorter::sink_program",
                      [](const SceneSession& session) -> const StreamProgram& { return session.sink_program(); });
}

std::uint64_t SceneSorter::scratch_bytes() const {
    return in_session(session_, "SceneSorter::scratch_bytes",
                      [](const SceneSession& session) { return session.scratch_bytes(); });
}

}  // namespace glsort
