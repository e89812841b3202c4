#pragma once

#include <glsort/exec/gl_executor.h>
#include <glsort/plan/algorithm.h>
#include <glsort/sorter.h>
#include <glsort/stream/scheduler.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glsort {

/// What a sorter holds in its context: a specification without open choices, an executor, and the program that is
/// prepared. `Sorter` and `Stepper` both drive a session.
class Session {
  public:
    using Lists = std::span<const std::uint32_t>;

    Session(const SortSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options);

    /// Sorts, or merges lists if there are any.
    void sort(const SortArguments& arguments, Lists lists, Readers readers);
    void merge(const SortArguments& arguments, Lists lists, Readers readers);

    void begin(const SortArguments& arguments, Lists lists);
    bool step();
    std::size_t steps_done() const;
    std::vector<std::uint32_t> read(StreamId stream);
    std::string source(std::size_t number) const;
    /// The number of the sort begun last. Only the stepper that began the sort may go on with it.
    std::uint64_t begun() const { return begun_; }
    /// Throws `Error` where sorts cannot be left between two ops, as other sorts use the memory.
    void require_own_scratch() const;

    StreamProgram program(std::uint32_t count, Lists lists) const;
    TextureView texture_for(std::uint32_t count) const;
    /// Throws `Error` if the sorter has no texture of its own.
    TextureView own_texture() const;
    const SortSpec& spec() const { return spec_; }
    const SorterOptions& options() const { return options_; }
    std::uint64_t scratch_bytes() const;
    /// Throws `Error` if the CPU knows the counts.
    BufferSlice status() const;
    std::uint64_t caller_scratch_bytes() const { return executor_->caller_scratch_bytes(); }

    /// From here on nothing is deleted.
    void abandon() { api_->abandoned = true; }
    bool abandoned() const { return api_->abandoned; }

  private:
    /// A program with kernels of its own.
    struct Variant {
        StreamProgram program;
        std::vector<std::uint32_t> lists;
    };

    PlanRequest request(std::uint32_t count, Lists lists = {}) const;
    std::vector<std::uint32_t> most_even_lists() const;
    std::vector<Variant> plan_variants() const;
    template <class Bind>
    void bind_all_shapes(const StreamProgram& program, const Bind& bind) const;
    void issue(const StreamProgram& program);
    void resolve(Variant& variant);
    void make_ready();
    void allocate_output();

    /// The arguments with the count of the program that sorts. Throws `Error` if anything is wrong with them.
    SortArguments checked(SortArguments arguments) const;
    /// Ops of earlier sorts may still use the memory that this sort writes first.
    bool barrier_before() const;
    /// The next sort, which must not begin before the ops of this one are done.
    Readers own_readers() const;
    gl::StateGuard guard() const;
    void prepare(std::uint32_t count, Lists lists);
    void set_prepared(Lists lists);
    /// Makes the program ready and hands it the caller's streams.
    void load(const SortArguments& arguments, Lists lists);
    void leave_no_program() const;
    void require_begun() const;

    std::shared_ptr<gl::Api> api_;
    SortSpec spec_;
    SorterOptions options_;
    std::string list_algorithm_;  ///< What merges lists, once that is resolved.
    Limits limits_;
    std::unique_ptr<GlExecutor> executor_;
    std::optional<Scheduler> scheduler_;
    gl::Texture own_texture_;
    TextureView own_output_;
    std::vector<std::uint32_t> lists_;  ///< Of the program that is prepared; none for a sort.
    bool prepared_ = false;
    SortArguments arguments_;  ///< Of the sort begun.
    bool is_begun_ = false;    ///< Whether that sort may go on.
    std::uint64_t begun_ = 0;
    bool stepped_ = false;  ///< Steps may have been left early: there was no barrier behind them.
};

}  // namespace glsort
