#pragma once

#include <glsort/exec/count_table.h>
#include <glsort/exec/external_streams.h>
#include <glsort/exec/program_cache.h>
#include <glsort/exec/scratch_memory.h>
#include <glsort/exec/shader_composer.h>
#include <glsort/exec/stand_ins.h>
#include <glsort/gl/objects.h>
#include <glsort/gl/state_guard.h>
#include <glsort/gl_types.h>
#include <glsort/stream/executor.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glsort {

struct ExecutorOptions {
    bool debug_groups = false;
    OpHook hook = {};
    /// Memory for scratch streams. Null: the executor's own.
    std::shared_ptr<ScratchMemory> shared_scratch = nullptr;
    /// The caller gives a buffer for scratch streams (`bind_scratch`). Only for the compute backend.
    bool caller_scratch = false;
    /// `SorterOptions::max_elements_per_draw` (exec/pieces.h). 0: no limit.
    std::uint32_t max_elements_per_draw = 0;
    /// Where the count of a sort lies (`take_count`). Empty: the CPU knows the count.
    std::optional<Medium> gpu_count = std::nullopt;
    /// Whether anyone reads `GlExecutor::count_status`. The fragment backend takes an op to write it.
    bool count_status = true;
    /// Programs that several executors share. Null: the executor's own.
    std::shared_ptr<ProgramCache> programs = nullptr;
};

/// An executor that runs in an OpenGL context, on the caller's buffers and textures.
class GlExecutor : public Executor {
  public:
    /// Gives the shaders of op `number` of a program to the driver and does not wait. A driver may compile many shaders
    /// in parallel. `resolve` waits for the shaders that it needs. `external`: the expected objects of the caller.
    virtual void issue(const StreamProgram& program, std::size_t number, const ExternalStreams& external);
    /// Runs op `number` of the resolved program over nothing: no record of any stream changes. Some drivers compile a
    /// shader only when it is first used, which would otherwise be in a frame. Does nothing if the op's shader was used
    /// before. Changes all state of `widest_scope`.
    virtual void warm_up(std::size_t number, StandIns& stand_ins) = 0;
    /// Makes earlier shader writes visible to the ops.
    virtual void see_writes() = 0;
    /// Makes earlier shader writes visible to `readers`.
    virtual void show_writes(Readers readers) = 0;
    /// Fills the streams that begin as zero (`Stream::begins_zero`) with zeros again. Call if a run has left out the
    /// last ops of the resolved program: in a whole run, these ops leave the zeros for the next run.
    virtual void zero_again() {}
    /// Prepares the caller's objects for the next ops.
    virtual void start() = 0;
    /// Binds a buffer to the caller's stream `id` for later runs. Call after `resolve`. Allocates nothing.
    void bind(StreamId id, const BufferSlice& buffer);
    /// Binds a texture to the caller's stream `id`. Allocates only if the shape differs from the previous texture's
    /// shape.
    void bind(StreamId id, const TextureView& texture);
    /// Releases the caller's objects and makes the result visible to `readers`.
    virtual void finish(Readers readers) = 0;
    /// Ensures that the caller's later uploads take effect after the reads and writes of the ops.
    void order_updates() const;
    /// The GLSL of op `number` of the last resolved program, as compiled. Empty for a transfer.
    std::string source(std::size_t number) const;
    /// Bytes of all buffers and textures that the executor holds. Shared scratch memory is not counted.
    virtual std::uint64_t allocated_bytes() const = 0;
    /// Frees one buffer or texture of the executor, which must not run any more. Returns false if nothing large is
    /// left.
    virtual bool free_next() = 0;
    /// Whether all memory is that of the last `resolve`. Other executors may have replaced shared memory since.
    virtual bool is_current() const = 0;
    /// Bytes of the caller's scratch buffer that all programs so far require, and the alignment of the buffer's offset.
    virtual std::uint64_t caller_scratch_bytes() const { return 0; }
    virtual std::uint64_t caller_scratch_alignment() const { return 1; }
    /// Hands over the caller's scratch buffer for the next ops. Call after `resolve`.
    virtual void bind_scratch(const BufferSlice&) {}
    /// Announces `count_table`. Call before `issue` and `resolve`.
    virtual void expect_count_table() {}
    /// For another program that writes the numbers of the next ops. Run that program next. Then call `take_count`,
    /// which leaves the numbers as they are. Call after `resolve` and `bind`. Only for counts in a buffer, on the
    /// compute backend.
    virtual CountTable count_table() { return {}; }
    /// Reads the count of the next ops from the caller's buffer. Call after `resolve` and `bind`.
    virtual void take_count(const BufferSlice&) {}
    /// Reads the count of the next ops from texel (0, 0) of the caller's texture.
    virtual void take_count(const TextureView&) {}
    /// Reads the count now. Without this call, the count may be read when the next ops run, or in `finish`.
    virtual void finish_count() {}
    /// Four words that `take_count` writes: the count, 1 if the caller's count is larger than the capacity, 0, 0.
    virtual BufferSlice count_status() const { return {}; }
    /// The state that a sort changes, with the units and blocks that any program so far has used.
    virtual gl::StateScope scope() const = 0;

  protected:
    GlExecutor(std::shared_ptr<const gl::Api> api, const ExecutorOptions& options);

    /// The owner of the objects in scratch places. Objects in shared places outlive the executor.
    std::shared_ptr<const gl::Api> place_owner() const {
        return options_.shared_scratch ? options_.shared_scratch->api : api_;
    }
    const Stream& stream_of(std::size_t storage) const {
        return program_->streams[schedule_->storages[storage].stream];
    }
    /// The shader request of an op: of the resolved program, or of another program.
    ShaderRequest request_of(const Op& op) const { return request_of(*program_, op, external_); }
    ShaderRequest request_of(const StreamProgram& program, const Op& op, const ExternalStreams& external) const;
    /// The finished program for a request. Also counts the program's slots in `slots_`.
    const ProgramCache::Entry& program_of(const ShaderRequest& request);
    /// What belongs to one program.
    struct GlResolution : Resolution {
        ExternalStreams external;
        std::vector<std::vector<std::size_t>> users;
        std::vector<std::uint32_t> words;
    };
    void exchange_with(GlResolution& other);
    /// Makes `program` the resolved program.
    void begin_resolve(const StreamProgram& program, const Schedule& schedule);

    /// Resolves one op of the program. May be called again for an op.
    virtual void resolve_op(std::size_t number) = 0;
    /// Makes op `number` use the new buffer or texture of stream `id`.
    virtual void rebind(std::size_t number, StreamId id) = 0;
    /// Whether the shader of an op reads a count on the GPU itself.
    virtual bool reads_count(const StreamProgram&, const Op&) const { return false; }
    /// Called after ops were resolved again because a texture has another shape.
    virtual void reshaped() {}
    /// Numbers of binding points.
    struct Slots {
        std::size_t textures = 0;  ///< Texture units.
        std::size_t images = 0;    ///< Image units.
        std::size_t blocks = 0;    ///< Storage blocks.
    };

    std::shared_ptr<const gl::Api> api_;
    ExecutorOptions options_;
    std::shared_ptr<ProgramCache> programs_;
    gl::Sampler sampler_;
    const StreamProgram* program_ = nullptr;
    const Schedule* schedule_ = nullptr;
    ExternalStreams external_;
    std::vector<std::vector<std::size_t>> users_;  ///< For each stream, the ops that use the stream.
    std::vector<std::uint32_t> words_;             ///< Uniforms of all ops.
    Slots slots_;                                  ///< The max of any op so far.

  private:
    void count_slots(const ShaderRequest& request);

    bool hide_uniforms_;
    bool index_by_constants_;
    bool uploads_overtake_;
};

/// The shader stage of an op on the fragment or compute backend. On the fragment backend, an op that writes buffers
/// runs as a vertex shader.
ShaderStage stage_of(const StreamProgram& program, const Op& op);

/// The shader request of an op: how the op accesses its streams.
ShaderRequest shader_request(const StreamProgram& program, const Op& op, ShaderStage stage, bool es,
                             const ExternalStreams& external);

/// The layout that the shader of an op draws in.
const StreamLayout& shader_layout(const StreamProgram& program, const Op& op, ShaderStage stage);

/// Parameter `number` of an op as its shader reads the parameter, in two words. The words are a number and 0, or a
/// texel in the layout that the shader draws in (`ShaderRequest::layout`).
Texel parameter_value(const Op& op, std::size_t number, ShaderStage stage, const StreamLayout& layout);

/// Appends the values of `glsort_op` for an op to `words`. The base elements of external buffers are 0.
void append_uniforms(std::vector<std::uint32_t>& words, const ShaderRequest& request);

/// Writes the values of `glsort_op` for an op to `words`, at `first`, or at the end if `first` is empty. The place has
/// room for any shape of the caller's textures. An op that is resolved again keeps its place. Returns the number of
/// values, in elements of four words.
GLsizei place_uniforms(std::vector<std::uint32_t>& words, std::optional<std::size_t>& first,
                       const ShaderRequest& request);

/// Throws `Error` if OpenGL has run out of memory since the last call that read OpenGL errors. `what` and `bytes` go
/// into the message. Only for use while a sorter is constructed. Later errors may be errors of the application, which
/// reads them itself.
///
/// Errors are the only reliable sign. An object without memory looks valid: llvmpipe (Mesa 22.3.6) then gives a buffer
/// the size 0, but a texture the requested width. The pages of a sparse buffer have no query.
void check_allocation(const gl::Api& api, const std::string& what, std::uint64_t bytes);

/// The first `words` words of a slice, from its offset on. Waits for the GPU.
std::vector<std::uint32_t> read_buffer(const std::shared_ptr<const gl::Api>& api, const BufferSlice& buffer,
                                       std::size_t words);

/// The words of the first `records` records of a stream in a texture of that layout. Changes the state that `pack` of a
/// state guard covers. Waits for the GPU.
std::vector<std::uint32_t> read_texture(const std::shared_ptr<const gl::Api>& api, GLuint texture, const Stream& stream,
                                        const StreamLayout& layout, std::uint32_t records);

/// Binds a framebuffer whose texels are read next. Also binds the framebuffer for drawing: Mesa's llvmpipe may read old
/// texels of a texture that no bound framebuffer has (docs/driver-faults.md).
void bind_to_read(const gl::Api& api, GLuint framebuffer);

/// The internal format and format of an integer texture with 1, 2 or 4 words per texel.
struct IntegerFormat {
    GLenum internal = GL_R32UI;
    GLenum format = GL_RED_INTEGER;
};
IntegerFormat integer_format(std::uint32_t words);

/// Gives a texture its texels, with 1, 2 or 4 words each, and parameters with which it is complete. A texture with
/// several layers is an array texture. The texture stays bound to unit 0, which is active.
void allocate_texels(const gl::Api& api, GLuint texture, std::uint32_t words, std::uint32_t width, std::uint32_t height,
                     std::uint32_t layers = 1);

/// Gives a buffer its memory, and its contents if `data` is not null. `what`: the buffer in error messages. The buffer
/// stays bound to GL_COPY_WRITE_BUFFER.
void allocate_buffer(const gl::Api& api, const gl::Buffer& buffer, const std::string& what, std::uint64_t bytes,
                     const void* data = nullptr);

/// A sampler for integer textures: nearest, without mipmaps. With this sampler every texture is complete, for all
/// parameters of the texture.
gl::Sampler nearest_sampler(const std::shared_ptr<const gl::Api>& api);

/// Tells frame debuggers and profilers of an op while the op runs: by a debug group, and by the caller's hook. The
/// group exists only if the context has debug groups and room for one more.
class OpAnnounced {
  public:
    OpAnnounced(const gl::Api& api, const ExecutorOptions& options, const std::string& label);
    ~OpAnnounced();
    OpAnnounced(const OpAnnounced&) = delete;
    OpAnnounced& operator=(const OpAnnounced&) = delete;

    /// Whether ops need labels.
    static bool is_used(const ExecutorOptions& options) { return options.debug_groups || options.hook.begin; }

  private:
    const gl::Api& api_;
    const ExecutorOptions& options_;
    bool group_;
};

}  // namespace glsort
