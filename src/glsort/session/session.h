#pragma once

#include <glsort/exec/gl_executor.h>
#include <glsort/plan/algorithm.h>
#include <glsort/session/shared_context.h>
#include <glsort/sorter.h>
#include <glsort/stream/scheduler.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace glsort {

/// The state of a sorter in its context: a specification without open choices, an executor, and the prepared program.
/// `Sorter` and `Stepper` both drive a session.
class Session {
  public:
    using Spec = SortSpec;
    using Lists = std::span<const std::uint32_t>;

    /// Throws `Error` for a specification and options that no context supports.
    static void check(const SortSpec& spec, const SorterOptions& options);

    /// Chooses what `spec` leaves open.
    Session(const SortSpec& spec, std::shared_ptr<SharedContext> context, const SorterOptions& options,
            std::shared_ptr<const ElementSource> source = nullptr);
    /// Promises that input textures have the shape of `texture_for(capacity)`. Call before `make` or `issue`.
    void expect_usual_input() { usual_input_ = true; }
    /// The buffers or textures of the source, for later sorts: one for each stream of `CallerStreams::source`.
    void set_source(std::vector<std::variant<BufferSlice, TextureView>> objects) {
        source_objects_ = std::move(objects);
    }
    /// Adds the steps that compile and allocate everything that any call may need. The session must outlive the steps.
    void make(Work& work);
    /// The two parts of `make`. Between the two, other sessions may issue their shaders.
    void issue(Work& work);
    void resolve(Work& work);

    /// Sorts, or merges lists if there are any.
    void sort(const SortArguments& arguments, Lists lists, Readers readers);
    void merge(const SortArguments& arguments, Lists lists, Readers readers);
    /// Prepares a sort whose numbers another program writes (`GlExecutor::count_table`). That program must run next,
    /// and `sort_bound` must follow.
    CountTable bind_for_counts(const SortArguments& arguments);
    /// The sort of the last `bind_for_counts`.
    void sort_bound(Readers readers);
    /// Announces `bind_for_counts` instead of `sort`. Call before `make`.
    void expect_count_table() { executor_->expect_count_table(); }
    /// The table of `bind_for_counts`, without the buffers of a call. Its sizes are those of every call.
    CountTable count_table() { return executor_->count_table(); }

    void begin(const SortArguments& arguments, Lists lists);
    bool step();
    std::size_t steps_done() const;
    std::vector<std::uint32_t> read(StreamId stream);
    std::string source(std::size_t number) const;
    /// The number of the last sort that began. Only the stepper that began a sort may continue the sort.
    std::uint64_t begun() const { return begun_; }
    /// Throws `Error` if other sorts may use the scratch memory between two ops. A sort cannot stop between ops then.
    void require_own_scratch() const;

    StreamProgram program(std::uint32_t count, Lists lists) const;
    TextureView texture_for(std::uint32_t count) const;
    /// Throws `Error` if the sorter has no `own_output`.
    TextureView own_texture() const;
    const SortSpec& spec() const { return spec_; }
    const SorterOptions& options() const { return options_; }
    std::uint64_t scratch_bytes() const;
    /// The state that a sort changes.
    gl::StateScope scope() const { return executor_->scope(); }
    /// Throws `Error` if the CPU knows the counts.
    BufferSlice status() const;
    std::uint64_t caller_scratch_bytes() const { return executor_->caller_scratch_bytes(); }

    bool abandoned() const { return api_->abandoned; }

    /// Frees a part of the session, which must not be used any more: one buffer, texture or program. Returns false if
    /// only the destructor is left.
    bool free_next();

  private:
    /// A program with kernels that other programs lack.
    struct Variant {
        std::uint32_t count = 0;
        std::vector<std::uint32_t> lists;
        StreamProgram program = {};
    };
    /// The program of a range of counts, ready to run.
    struct Range {
        CountRange counts;
        /// The program of the range. While the scheduler runs this program: the program that the scheduler had before.
        PreparedProgram prepared;
    };
    /// Shapes of the caller's textures. The names are 0.
    struct Shapes {
        TextureView input;
        TextureView output;
    };
    /// What the steps of the construction hand each other.
    struct Making {
        std::vector<Variant> variants;
        std::vector<Shapes> shapes = {};  ///< Those of the variant at hand.
        std::optional<StandIns> stand_ins = std::nullopt;
    };

    PlanRequest request(std::uint32_t count, Lists lists = {}) const;
    PlanRequest request(const Variant& variant) const;
    std::vector<std::uint32_t> most_even_lists() const;
    std::vector<Variant> list_variants() const;
    std::vector<Shapes> shapes_of(const StreamProgram& program) const;
    template <class Target>
    void bind_shapes(const StreamProgram& program, const Shapes& shapes, Target& target) const;
    void validate_largest(Lists lists) const;
    void issue(const StreamProgram& program, std::size_t number, const Shapes& shapes);
    void allocate(Work& work, std::vector<std::uint32_t> lists);
    void warm_up_variants(Work& work);
    void begin_prepare(StreamProgram program);
    bool go_on(Lists lists);
    void prepare_ranges(Work& work);
    void bind_usual_shape();
    void keep_range();
    /// The one of `ranges_` that serves a count.
    std::optional<std::size_t> range_of(std::uint32_t count) const;
    void follow_memory(Range& range);
    template <class Step>
    void with_capacity(const Step& step) const;
    std::uint32_t output_words() const;
    void allocate_output();

    /// The arguments, with the count of the program that sorts. Throws `Error` for invalid arguments.
    SortArguments checked(SortArguments arguments) const;
    /// Whether a sort begins with a barrier. Ops of earlier sorts may still use the memory that this sort writes first.
    bool barrier_before() const;
    /// The barrier for the next sort, which may read or overwrite memory that this sort has written.
    Readers own_readers() const;
    gl::StateGuard guard() const;
    void prepare(std::uint32_t count, Lists lists);
    void set_prepared(Lists lists);
    bool take_range(std::uint32_t count);
    void leave_range();
    /// Prepares the program, and binds the caller's streams.
    void bind(const SortArguments& arguments, Lists lists);
    /// Calls `bind`. Also takes the count if the GPU alone knows the count.
    void load(const SortArguments& arguments, Lists lists);
    void take_count(const SortArguments& arguments);
    template <class Load>
    void run(std::uint32_t count, Readers readers, const Load& load);
    void drop_steps();
    void leave_no_program() const;
    void set_fence();
    void require_begun() const;

    std::shared_ptr<SharedContext> context_;
    std::shared_ptr<const gl::Api> api_;
    SortSpec spec_;
    SorterOptions options_;
    std::string list_algorithm_;  ///< The algorithm that merges lists, once resolved.
    Limits limits_;
    std::shared_ptr<const ElementSource> source_;  ///< Null: the caller's keys and values.
    std::vector<std::variant<BufferSlice, TextureView>> source_objects_;
    bool usual_input_ = false;  ///< Whether input textures have one shape only.
    std::unique_ptr<GlExecutor> executor_;
    std::optional<Scheduler> scheduler_;
    std::vector<Range> ranges_;
    std::optional<std::size_t> range_;  ///< The one of `ranges_` whose program the scheduler has.
    gl::Texture own_texture_;
    TextureView own_output_;
    std::unique_ptr<Making> making_;    ///< Null once the session is made.
    std::vector<std::uint32_t> lists_;  ///< The lists of the prepared program. Empty: a sort.
    bool prepared_ = false;
    SortArguments bound_;      ///< The arguments of `bind_for_counts`.
    SortArguments arguments_;  ///< The arguments of the sort that has begun.
    bool is_begun_ = false;    ///< Whether the sort of `arguments_` may continue.
    std::uint64_t begun_ = 0;
    bool is_partly_run_ = false;  ///< Whether steps ran the first ops of the prepared program, and left out others.
};

}  // namespace glsort
