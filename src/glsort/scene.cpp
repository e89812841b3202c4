#include <fmt/format.h>

#include <glsort/plan/scene/scene_items.h>
#include <glsort/scene.h>
#include <glsort/session/scene_session.h>
#include <glsort/session/serving.h>

#include <algorithm>
#include <cstddef>

namespace glsort {
namespace {

/// Whether the arguments of a call fit into a scene sorter.
auto holds(const SceneArguments& arguments) {
    return [&arguments](const SceneSpec& spec) {
        if (arguments.sources.size() != spec.sources.size()) return true;  // An error that the session reports.
        for (std::size_t i = 0; i < spec.sources.size(); ++i)
            if (arguments.sources[i].count > spec.sources[i].capacity) return false;
        return true;
    };
}

}  // namespace

std::string item_glsl(const std::vector<SceneSource>& sources) {
    return scene::item_function(sources, "scene_item");
}

SceneSorter::SceneSorter(const SceneSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options)
    : serving_(in_function("SceneSorter::SceneSorter",
                           [&] { return std::make_shared<Serving<SceneSession>>(spec, get_proc_address, options); })) {}
SceneSorter::~SceneSorter() = default;
SceneSorter::SceneSorter(SceneSorter&&) noexcept = default;
SceneSorter& SceneSorter::operator=(SceneSorter&&) noexcept = default;

void SceneSorter::abandon() noexcept {
    if (serving_) serving_->abandon();
    serving_.reset();
}

void SceneSorter::sort(const SceneArguments& arguments, Readers readers) {
    in_member(serving_, "SceneSorter::sort", [&](Serving<SceneSession>& serving) {
        serving.serve(holds(arguments), [&](SceneSession& session) { session.sort(arguments, readers); });
    });
}

bool SceneSorter::ready(std::chrono::microseconds time) {
    return in_member(serving_, "SceneSorter::ready",
                     [&](Serving<SceneSession>& serving) { return serving.ready(time); });
}

void SceneSorter::reserve(std::span<const std::uint32_t> capacities) {
    in_member(serving_, "SceneSorter::reserve", [&](Serving<SceneSession>& serving) {
        serving.require_success();
        SceneSpec spec = serving.spec();
        if (capacities.size() != spec.sources.size())
            throw Error(fmt::format("{} capacities are given; the specification has {} sources", capacities.size(),
                                    spec.sources.size()));
        bool grows = false;
        for (std::size_t i = 0; i < capacities.size(); ++i) {
            grows = grows || capacities[i] > spec.sources[i].capacity;
            spec.sources[i].capacity = std::max(spec.sources[i].capacity, capacities[i]);
        }
        if (grows) serving.reserve(spec);
    });
}

std::optional<FinishedSort> SceneSorter::finished() {
    return in_member(serving_, "SceneSorter::finished",
                     [](Serving<SceneSession>& serving) { return serving.finished(); });
}

void* SceneSorter::fence() const {
    return in_member(serving_, "SceneSorter::fence",
                     [](const Serving<SceneSession>& serving) { return serving.fence(); });
}

BufferSlice SceneSorter::status() const {
    return in_member(serving_, "SceneSorter::status",
                     [](Serving<SceneSession>& serving) { return serving.last().status(); });
}

const SceneSpec& SceneSorter::spec() const {
    return in_member(serving_, "SceneSorter::spec",
                     [](Serving<SceneSession>& serving) -> const SceneSpec& { return serving.next()->spec(); });
}

const StreamProgram& SceneSorter::key_program() const {
    return in_member(serving_, "SceneSorter::key_program", [](Serving<SceneSession>& serving) -> const StreamProgram& {
        return serving.next()->key_program();
    });
}

StreamProgram SceneSorter::sort_program() const {
    return in_member(serving_, "SceneSorter::sort_program",
                     [](Serving<SceneSession>& serving) { return serving.next()->sort_program(); });
}

const StreamProgram& SceneSorter::sink_program() const {
    return in_member(serving_, "SceneSorter::sink_program", [](Serving<SceneSession>& serving) -> const StreamProgram& {
        return serving.next()->sink_program();
    });
}

std::uint64_t SceneSorter::scratch_bytes() const {
    return in_member(serving_, "SceneSorter::scratch_bytes",
                     [](Serving<SceneSession>& serving) { return serving.next()->scratch_bytes(); });
}

}  // namespace glsort
