#pragma once

#include <glsort/exec/gl_executor.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/scene.h>
#include <glsort/session/session.h>
#include <glsort/stream/scheduler.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace glsort {

/// The state of a scene sorter in its context. Two programs run one after the other, for the second follows a count that
/// the first has made: the keys of the scene, and the sort of the visible items.
class SceneSession {
  public:
    SceneSession(const SceneSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options);

    void sort(const SceneArguments& arguments, Readers readers);

    BufferSlice status() const { return {status_.name(), 0}; }
    const SceneSpec& spec() const { return spec_; }
    const StreamProgram& key_program() const { return scheduler_->program(); }
    StreamProgram sort_program() const { return sort_->program(scene::items_of(spec_), {}); }
    std::uint64_t scratch_bytes() const;

    void abandon();
    bool abandoned() const { return api_->abandoned; }

  private:
    SortSpec sort_spec() const;
    SorterOptions sort_options() const;
    void allocate(const gl::Buffer& buffer, const char* what, std::uint64_t bytes) const;
    void check(const SceneArguments& arguments) const;
    void load(const SceneArguments& arguments);
    gl::StateScope scope() const;

    std::shared_ptr<gl::Api> api_;
    SceneSpec spec_;
    SorterOptions options_;
    Limits limits_;
    scene::ScenePlan plan_;  ///< The scheduler has its program.
    std::unique_ptr<GlExecutor> executor_;
    std::optional<Scheduler> scheduler_;
    gl::Buffer keys_;    ///< The keys of the visible items.
    gl::Buffer status_;  ///< {visible items, clamped, 0, 0}.
    std::optional<Session> sort_;
};

}  // namespace glsort
