#pragma once

#include <glsort/exec/gl_executor.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sinks.h>
#include <glsort/scene.h>
#include <glsort/session/scene_numbers.h>
#include <glsort/session/session.h>
#include <glsort/stream/scheduler.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace glsort {

/// The state of a scene sorter in its context. Three programs run one after the other: the keys of the scene; the sort
/// of the visible items, whose count the first program has made; and what becomes of the order, if the sort does not
/// write the order in place.
class SceneSession {
  public:
    using Spec = SceneSpec;

    /// Throws `Error` for a specification and options that no context supports.
    static void check(const SceneSpec& spec, const SorterOptions& options);

    /// Chooses what `spec` leaves open.
    SceneSession(const SceneSpec& spec, std::shared_ptr<SharedContext> context, const SorterOptions& options);
    /// Adds the steps that compile and allocate everything that any call may need. The session must outlive the steps.
    void make(Work& work);

    void sort(const SceneArguments& arguments, Readers readers);

    BufferSlice status() const { return {status_.name(), 0}; }
    const SceneSpec& spec() const { return spec_; }
    const StreamProgram& key_program() const { return keys_.scheduler->program(); }
    StreamProgram sort_program() const { return sort_->program(scene::items_of(spec_), {}); }
    const StreamProgram& sink_program() const;
    std::uint64_t scratch_bytes() const;

    bool abandoned() const { return api_->abandoned; }

    /// As `Session::free_next`.
    bool free_next();

  private:
    /// A program of this session, and what runs it.
    struct Phase {
        std::unique_ptr<GlExecutor> executor;
        std::optional<Scheduler> scheduler;
        StreamProgram planned = {};  ///< While the session is made. Then the scheduler has the program.
        /// By the caller's stream in a buffer: the op that writes the stream, or moves it between media.
        std::vector<std::optional<std::size_t>> movers = {};

        /// Tells the op that moves the caller's stream how many records of the stream exist in this call.
        void set_records(StreamId stream, std::uint32_t records);
        void bind_inputs(const std::vector<StreamId>& streams, const std::vector<SceneInput>& inputs,
                         const std::vector<BufferSlice>& slices, const std::vector<TextureView>& textures,
                         scene::InputSizes sizes);
    };

    bool is_fragment() const { return spec_.backend == Backend::fragment; }
    SorterOptions sort_options() const;
    /// Whether the order goes to a buffer of this session: on the compute backend, if the caller wants no order.
    bool keeps_items() const { return plan_.items.has_value() && !spec_.order; }
    void check_inputs() const;
    void begin(Phase& phase, StreamProgram program) const;
    static void issue(Phase& phase, Work& work);
    void prepare(Phase& phase, Work& work) const;
    void allocate_all(Work& work);
    void allocate_unsorted(StreamId id);
    void allocate_unsorted_buffer(const Stream& stream);
    TextureView allocate(const gl::Texture& texture, const Stream& stream, const std::string& label,
                         const std::string& what) const;
    void allocate(const gl::Buffer& buffer, const char* what, std::uint64_t bytes) const;
    std::uint64_t visible_bytes() const;
    std::uint64_t item_bytes() const;
    std::uint64_t unsorted_bytes() const;
    static void refresh(Phase& phase);
    BufferSlice items_for(const SceneArguments& arguments) const;
    SortArguments sort_arguments(const SceneArguments& arguments) const;
    void load_keys(const SceneArguments& arguments);
    void size_sort_numbers();
    void load_sort_numbers(const SceneArguments& arguments);
    void load_sink_arguments(const SceneArguments& arguments);
    void load_sorted(const SceneArguments& arguments);
    void write_sinks(const SceneArguments& arguments, Readers readers);
    gl::StateScope scope() const;

    std::shared_ptr<SharedContext> context_;
    std::shared_ptr<const gl::Api> api_;
    SceneSpec spec_;
    SorterOptions options_;
    Limits limits_;
    scene::ScenePlan plan_;      ///< The scheduler has its program.
    scene::SinkPlan sink_plan_;  ///< The scheduler, if there is one, has its program.
    std::optional<Session> sort_;
    Phase keys_;
    Phase sinks_;                                 ///< Empty if the sort writes all that the scene asks for.
    gl::Buffer status_;                           ///< {visible items, clamped, 0, 0}.
    bool keeps_keys_ = true;                      ///< Compute backend: whether the sort writes the keys.
    gl::Buffer visible_keys_;                     ///< Compute backend: the keys of the visible items, or packed words.
    std::vector<gl::Buffer> unsorted_buffers_;    ///< Compute backend: one for each of `ScenePlan::unsorted`.
    std::vector<gl::Texture> unsorted_textures_;  ///< Fragment backend: one for each of `ScenePlan::unsorted`.
    std::vector<std::variant<BufferSlice, TextureView>> unsorted_;  ///< Views of these.
    gl::Buffer items_;             ///< Compute backend: the order, if the caller wants none.
    gl::Texture visible_texture_;  ///< Fragment backend: {key, number} of the visible items, or packed words.
    TextureView visible_;          ///< Of `visible_texture_`.
};

}  // namespace glsort
