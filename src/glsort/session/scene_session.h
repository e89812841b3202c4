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

/// The state of a scene sorter in its context. Three programs run one after the other, because each follows a count
/// that the one before has made: the keys of the scene; the sort of the visible items; on the fragment backend, the
/// copy of the order to the caller's buffer.
class SceneSession {
  public:
    SceneSession(const SceneSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options);

    void sort(const SceneArguments& arguments, Readers readers);

    BufferSlice status() const { return {status_.name(), 0}; }
    const SceneSpec& spec() const { return spec_; }
    const StreamProgram& key_program() const { return keys_.scheduler->program(); }
    StreamProgram sort_program() const { return sort_->program(scene::items_of(spec_), {}); }
    std::uint64_t scratch_bytes() const;

    void abandon();
    bool abandoned() const { return api_->abandoned; }

  private:
    /// A program of this session, and what runs it.
    struct Phase {
        std::unique_ptr<GlExecutor> executor;
        std::optional<Scheduler> scheduler;
    };

    bool is_fragment() const { return spec_.backend == Backend::fragment; }
    SortSpec sort_spec() const;
    SorterOptions sort_options() const;
    void prepare(Phase& phase, StreamProgram program, bool gpu_count) const;
    void allocate_visible();
    void allocate(const gl::Buffer& buffer, const char* what, std::uint64_t bytes) const;
    std::uint64_t visible_bytes() const;
    void check(const SceneArguments& arguments) const;
    static void refresh(Phase& phase);
    void load(const SceneArguments& arguments);
    void write_order(const BufferSlice& order, Readers readers);
    gl::StateScope scope() const;

    std::shared_ptr<gl::Api> api_;
    SceneSpec spec_;
    SorterOptions options_;
    Limits limits_;
    scene::ScenePlan plan_;        ///< The scheduler has its program.
    scene::OrderPlan order_plan_;  ///< Fragment backend. The scheduler has its program.
    std::optional<Session> sort_;
    Phase keys_;
    Phase order_;                  ///< Fragment backend.
    gl::Buffer status_;            ///< {visible items, clamped, 0, 0}.
    gl::Buffer visible_keys_;      ///< Compute backend: the keys of the visible items.
    gl::Texture visible_texture_;  ///< Fragment backend: {key, number} of the visible items.
    TextureView visible_;          ///< Of `visible_texture_`.
};

}  // namespace glsort
