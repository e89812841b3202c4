#pragma once

#include <glsort/exec/external_streams.h>
#include <glsort/exec/program_cache.h>
#include <glsort/exec/shader_composer.h>
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

/// An executor that works in an OpenGL context: it is handed the caller's buffers and textures.
class GlExecutor : public Executor {
  public:
    /// Gives the shaders of a program's ops to the driver, and waits for nothing: a driver may compile them at once, in
    /// threads of its own. `resolve` waits for those that it needs. `external`: what the caller's streams will be.
    virtual void issue(const StreamProgram& program, const ExternalStreams& external);
    /// Makes what shaders wrote before visible to the ops.
    virtual void see_writes() = 0;
    /// Prepares the caller's objects for the ops to come.
    virtual void start() = 0;
    /// Leaves the caller's objects as they were: after a sort, and after every step of one.
    virtual void release() = 0;
    /// Gives the caller's stream `id` its buffer, for the runs to come. Call after `resolve`.
    /// Allocates nothing.
    void bind(StreamId id, const BufferSlice& buffer);
    /// Gives the caller's stream `id` its texture. Allocates only where the shape is not that of
    /// the texture before.
    void bind(StreamId id, const TextureView& texture);
    /// Releases the caller's objects, and makes the result visible to `readers`.
    virtual void finish(Readers readers) = 0;
    /// Puts what the caller's next uploads write behind what the ops wrote.
    void order_updates() const { external_.order_updates(*api_); }
    /// The GLSL of op `number` of the program resolved last, as it was compiled; empty where the op is a transfer.
    std::string source(std::size_t number) const;
    /// What the library holds in buffers and textures.
    virtual std::uint64_t allocated_bytes() const = 0;
    /// The state that a sort changes: of units and blocks as many as the programs so far use.
    virtual gl::StateScope scope() const = 0;

  protected:
    GlExecutor(std::shared_ptr<const gl::Api> api, bool debug_groups);

    const Stream& stream_of(std::size_t storage) const {
        return program_->streams[schedule_->storages[storage].stream];
    }
    /// For an op of the program that is resolved; and for one of another.
    ShaderRequest request_of(const Op& op) const { return request_of(*program_, op, external_); }
    ShaderRequest request_of(const StreamProgram& program, const Op& op, const ExternalStreams& external) const;
    /// Finished, and counted in `slots_`.
    const ProgramCache::Entry& program_of(const ShaderRequest& request);
    /// Takes `program` for the one that is resolved.
    void begin_resolve(const StreamProgram& program, const Schedule& schedule);

    /// Resolves one op of the program, perhaps once more.
    virtual void resolve_op(std::size_t number) = 0;
    /// Op `number` uses stream `id`, whose buffer or texture is another one now.
    virtual void rebind(std::size_t number, StreamId id) = 0;
    /// Ops were resolved again, for a texture of another shape.
    virtual void reshaped() {}
    /// What ops are bound to.
    struct Slots {
        std::size_t textures = 0;  ///< Texture units.
        std::size_t images = 0;    ///< Image units.
        std::size_t blocks = 0;    ///< Storage blocks.
    };

    std::shared_ptr<const gl::Api> api_;
    bool debug_groups_;
    gl::Sampler sampler_;
    const StreamProgram* program_ = nullptr;
    const Schedule* schedule_ = nullptr;
    ExternalStreams external_;
    std::vector<std::uint32_t> words_;  ///< Uniforms of all ops.
    Slots slots_;                       ///< The most that an op so far uses.

  private:
    void count_slots(const ShaderRequest& request);

    ProgramCache programs_;
    bool hide_uniforms_;
};

/// The stage of an op on the fragment or compute backend: on fragments an op that writes buffers runs as vertices.
ShaderStage stage_of(const StreamProgram& program, const Op& op);

/// How an op reaches its streams.
ShaderRequest shader_request(const StreamProgram& program, const Op& op, ShaderStage stage, bool es,
                             const ExternalStreams& external);

/// The layout that the shader of an op draws in.
const StreamLayout& shader_layout(const StreamProgram& program, const Op& op, ShaderStage stage);

/// What parameter `number` of an op is to its shader, in two words: a number and 0, or a texel of the layout that the
/// shader draws in (`ShaderRequest::layout`).
Texel parameter_value(const Op& op, std::size_t number, ShaderStage stage, const StreamLayout& layout);

/// The values of `glsort_op` for an op, appended to `words`. Base elements of external buffers are 0.
void append_uniforms(std::vector<std::uint32_t>& words, const ShaderRequest& request);

/// Puts the values of `glsort_op` for an op into `words`, at `first`, or at the end where that is
/// empty. The place has room for any shape of the caller's textures, so an op that is resolved again
/// keeps it. Returns their number, in elements of four words.
GLsizei place_uniforms(std::vector<std::uint32_t>& words, std::optional<std::size_t>& first,
                       const ShaderRequest& request);

/// While a sorter is made: throws `Error` where OpenGL ran out of memory since the last look at its
/// errors; `what` and `bytes` go into the message. Later the errors may be the application's, and
/// are left to it.
///
/// Only errors tell. OpenGL says nothing of an object that it found no memory for: llvmpipe (Mesa 22.3.6) then gives
/// a buffer the size 0, but a texture the width that was asked for. The pages of a sparse buffer have no query at all.
void check_allocation(const gl::Api& api, const std::string& what, std::uint64_t bytes);

/// The first `words` words of a caller's or our buffer. Waits for the GPU.
std::vector<std::uint32_t> read_buffer(const std::shared_ptr<const gl::Api>& api, const BufferSlice& buffer,
                                       std::size_t words);

/// The elements of the first `records` records of a stream in a texture of that layout, word by
/// word. Changes what a state guard's `pack` saves. Waits for the GPU.
std::vector<std::uint32_t> read_texture(const std::shared_ptr<const gl::Api>& api, GLuint texture, const Stream& stream,
                                        const StreamLayout& layout, std::uint32_t records);

/// The format of an integer texture of 1, 2 or 4 words a texel: internal format and format.
struct IntegerFormat {
    GLenum internal = GL_R32UI;
    GLenum format = GL_RED_INTEGER;
};
IntegerFormat integer_format(std::uint32_t words);

/// A sampler for integer textures: nearest, without mipmaps, so that every texture is complete
/// whatever its own parameters say.
gl::Sampler nearest_sampler(const std::shared_ptr<const gl::Api>& api);

/// A debug group around an op, where the context has them, has room for another, and `active` asks
/// for it.
class DebugGroup {
  public:
    DebugGroup(const gl::Api& api, bool active, std::string_view text);
    ~DebugGroup();
    DebugGroup(const DebugGroup&) = delete;
    DebugGroup& operator=(const DebugGroup&) = delete;

  private:
    const gl::Api& api_;
    bool active_;
};

}  // namespace glsort
