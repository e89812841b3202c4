#pragma once

#include <glsort/exec/gl_executor.h>
#include <glsort/exec/gpu_count.h>
#include <glsort/exec/storage_pool.h>
#include <glsort/gl/objects.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace glsort {

/// Runs a program in compute shaders: OpenGL 4.3 or OpenGL ES 3.1. Only kernels that declare subgroup operations use
/// subgroups.
///
/// A stream is a storage buffer. The caller's streams may also be textures. Output textures need OpenGL: OpenGL ES
/// has no images of two channels, and binds only immutable textures as images. An op is one dispatch, or several if the
/// op exceeds `max_elements_per_draw`. A dispatch has two dimensions if its groups exceed the limit of one dimension.
class ComputeExecutor final : public GlExecutor {
  public:
    ComputeExecutor(std::shared_ptr<const gl::Api> api, const ExecutorOptions& options);

    void resolve(const StreamProgram& program, const Schedule& schedule) override;
    void zero_again() override;
    bool allocate_next(const StreamProgram& program, const Schedule& schedule) override;
    void recount(const StreamProgram& program, const Schedule& schedule) override;
    void exchange(std::unique_ptr<Resolution>& other) override;
    void set_parameter(const StreamProgram& program, std::size_t op, std::size_t parameter) override;
    void set_block_parameters(const StreamProgram& program, std::size_t op, std::size_t block, std::size_t first,
                              std::size_t count) override;
    void set_domain(const StreamProgram& program, std::size_t op) override;
    void warm_up(std::size_t number, StandIns& stand_ins) override;
    void see_writes() override;
    void show_writes(Readers readers) override;
    void start() override;
    void run(std::size_t first, std::size_t last) override;
    void finish(Readers readers) override;
    std::vector<std::uint32_t> read(std::size_t storage, std::uint32_t records) override;
    std::uint64_t allocated_bytes() const override;
    bool free_next() override { return places_.own().free_next(); }
    bool is_current() const override { return places_.is_current(); }
    std::uint64_t caller_scratch_bytes() const override { return caller_scratch_bytes_; }
    std::uint64_t caller_scratch_alignment() const override { return offset_alignment_; }
    void bind_scratch(const BufferSlice& buffer) override;
    void expect_count_table() override { expects_count_table_ = true; }
    CountTable count_table() override;
    void take_count(const BufferSlice& count) override;
    void take_count(const TextureView& count) override;
    void finish_count() override;
    BufferSlice count_status() const override;
    gl::StateScope scope() const override;

    /// The largest `scope` of any program.
    static constexpr gl::StateScope widest_scope{
        .textures = true, .storage = true, .images = true, .copy = true, .uniform = true, .indirect = true};

  private:
    /// Restores the caller's objects.
    void release();
    /// A storage block: a scratch buffer, or a range of the caller's buffer.
    struct BlockBinding {
        GLuint buffer = 0;
        GLintptr offset = 0;
        GLsizeiptr size = 0;  ///< 0: the whole buffer.
        StreamId stream = 0;
        bool external = false;
        std::size_t base_word = 0;           ///< Index into `words_`, if external.
        const BufferPlace* place = nullptr;  ///< In the caller's scratch buffer.
        bool of_count = false;               ///< Has the count, and belongs to no stream.
    };

    /// Where a count on the GPU is.
    struct CountPlace {
        BlockBinding block;
        std::uint32_t word = 0;  ///< In the block.
    };

    /// What a run has bound to a storage binding.
    struct BoundBlock {
        GLuint buffer = 0;
        GLintptr offset = 0;
        GLsizeiptr size = 0;
    };

    /// The filters of a caller's texture, to be restored after an image of the texture is written.
    struct Filters {
        GLuint texture = 0;
        GLint minify = 0;
        GLint magnify = 0;
    };

    struct TextureBinding {
        StreamId stream = 0;
        GLuint texture = 0;
    };

    struct Resolved {
        GLuint program = 0;
        GLint uniforms = -1;
        std::size_t domain_element = 0;  ///< Index into the op's uniform array.
        std::optional<std::size_t> first_word;
        GLsizei uniform_count = 0;
        std::vector<BlockBinding> blocks;
        std::vector<TextureBinding> samplers;
        std::vector<TextureBinding> images;
        GLenum image_format = GL_RG32UI;
        std::uint32_t groups = 1;
        std::uint32_t most_groups = 0;  ///< Of one dispatch, if the op has more.
        std::size_t first_entry = 0;    ///< In `gpu_count_`: one entry for each dispatch.
        std::size_t entries = 1;
        /// If the op evaluates its integers itself: the index of the rules in the op's uniform array.
        std::optional<std::size_t> rules_element;
        bool barrier = false;
        std::string label;
    };

    /// A program that was put aside.
    struct Aside : GlResolution {
        StoragePool<BufferPlace>::Followed places;
        std::vector<Resolved> resolved;
    };

    bool allocate(const StreamProgram& program, const Schedule& schedule, std::size_t storage);
    bool allocate_large_pages(BufferPlace& place, std::uint64_t bytes);
    void resolve_op(std::size_t number) override;
    void rebind(std::size_t number, StreamId id) override;
    static std::uint32_t groups_of(const Op& op);
    std::uint32_t most_groups_of(const Op& op) const;
    std::uint32_t within_one_dimension(std::uint32_t groups) const;
    template <class Dispatch>
    void for_dispatches(const Resolved& op, const Dispatch& dispatch) const;
    void dispatch(const Resolved& op);
    /// Binds what the run has not bound yet.
    void bind_blocks(const std::vector<BlockBinding>& blocks);
    void unbind_blocks();
    void check_numbers() const;
    bool reads_count(const StreamProgram& program, const Op& op) const override;
    void warm_up_count(StandIns& stand_ins);
    void follow_count();
    void update_count();
    void let_first_read(const CountPlace& count);
    void write_numbers();
    void place_block(BlockBinding& block);
    void lay_out_caller_scratch();
    bool is_callers(const Stream& stream) const { return options_.caller_scratch && !stream.begins_zero; }
    void complete_outputs();

    bool loses_bound_storage_;  ///< `gl::loses_bound_storage`.
    std::uint64_t offset_alignment_ = 256;
    std::uint64_t most_block_bytes_ = 0;  ///< Max bytes of a storage block.
    std::uint64_t max_groups_ = 65535;
    std::size_t max_blocks_ = 0;  ///< Storage blocks of a program.
    /// For a count on the GPU. If no op has more groups than this number at the capacity, every dispatch starts all
    /// groups, whatever the count is. Groups without work end at once. Otherwise dispatches are indirect: they read
    /// arguments that the GPU has written, which takes longer than some hundred empty groups
    /// (docs/experiments/scenes.md).
    std::uint32_t most_idle_groups_;
    bool begins_all_groups_ = false;
    std::uint64_t sparse_page_ = 0;  ///< Bytes; 0: sparse buffers have no advantage.
    StoragePool<BufferPlace> places_;
    std::uint64_t caller_scratch_bytes_ = 0;
    BufferSlice caller_scratch_;           ///< Of the last `bind_scratch`.
    std::unique_ptr<GpuCount> gpu_count_;  ///< Null if the CPU knows the count.
    bool count_followed_ = false;          ///< Whether `gpu_count_` has the numbers of `resolved_`.
    bool count_is_ahead_ = false;          ///< Whether the numbers are written before `take_count`.
    bool expects_count_table_ = false;
    std::optional<CountPlace> unread_count_;   ///< The count from which `gpu_count_` still has to write its numbers.
    std::vector<Filters> filters_;             ///< Of the outputs; `release` restores them.
    std::unordered_set<GLuint> used_buffers_;  ///< The library's, which `warm_up` has used.
    std::vector<Resolved> resolved_;
    std::vector<BoundBlock> bound_;  ///< By binding, since `run` began.
};

}  // namespace glsort
