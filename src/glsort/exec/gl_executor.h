#pragma once

#include <glsort/exec/shader_composer.h>
#include <glsort/gl/objects.h>
#include <glsort/gl/program.h>
#include <glsort/gl_types.h>
#include <glsort/stream/executor.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace glsort {

/// An executor that works in an OpenGL context: it is handed the caller's buffers and textures.
class GlExecutor : public Executor {
  public:
    /// Makes what shaders wrote before visible to the ops.
    virtual void see_writes() = 0;
    /// Prepares the caller's objects for the ops to come.
    virtual void start() = 0;
    /// Leaves the caller's objects as they were: after a sort, and after every step of one.
    virtual void release() = 0;
    /// Gives the caller's stream `id` its buffer, for the runs to come. Call after `resolve`.
    /// Allocates nothing.
    virtual void bind(StreamId id, const BufferSlice& buffer) = 0;
    /// Gives the caller's stream `id` its texture. Allocates only where the shape is not that of
    /// the texture before.
    virtual void bind(StreamId id, const TextureView& texture) = 0;
    /// Releases the caller's objects, and makes the result visible to `readers`.
    virtual void finish(Readers readers) = 0;
    /// Puts what the caller's next uploads write behind what the ops wrote.
    virtual void order_updates() = 0;
    /// The GLSL of op `number` of the program resolved last, as it was compiled; empty where the op is a transfer.
    virtual std::string source(std::size_t number) const = 0;
    /// What the library holds in buffers and textures.
    virtual std::uint64_t allocated_bytes() const = 0;
};

/// The caller's stream, as it was bound last.
struct ForeignStream {
    BufferSlice buffer;
    TextureView texture;

    /// Whether a shader made for this texture's layout and width serves `other` as well.
    bool same_shape(const TextureView& other) const {
        return texture.width == other.width && texture.height == other.height &&
               texture.layout == other.layout;
    }
};

/// Tells a driver that forgets so (`Api::updates_overtake_writes`) that the GPU has work with the caller's buffers.
void order_updates(const gl::Api& api, const StreamProgram& program, const std::vector<ForeignStream>& foreign);

/// The linked programs of one executor, by what they are composed for.
class ProgramCache {
  public:
    struct Entry {
        gl::Program program;
        GLint uniforms = -1;  ///< The location of `glsort_op`; -1 where it has none.
    };

    explicit ProgramCache(std::shared_ptr<const gl::Api> api) : api_(std::move(api)) {}

    /// The program for `request`, compiled where it is new. Leaves it current where so.
    const Entry& get(const ShaderRequest& request);

  private:
    std::shared_ptr<const gl::Api> api_;
    std::unordered_map<std::string, Entry> entries_;
};

/// How an op reaches its streams.
ShaderRequest shader_request(const StreamProgram& program, const Op& op, ShaderStage stage, bool es,
                             const std::vector<ForeignStream>& foreign);

/// The layout that the shader of an op draws in.
const StreamLayout& shader_layout(const StreamProgram& program, const Op& op, ShaderStage stage);

/// What parameter `number` of an op is to its shader, in two words: a number and 0, or a texel of the layout that the
/// shader draws in (`ShaderRequest::layout`).
Texel parameter_value(const Op& op, std::size_t number, ShaderStage stage, const StreamLayout& layout);

/// The values of `glsort_op` for an op, appended to `words`. Base elements of foreign buffers are 0.
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
std::vector<std::uint32_t> read_texture(const std::shared_ptr<const gl::Api>& api, GLuint texture,
                                        const Stream& stream, const StreamLayout& layout,
                                        std::uint32_t records);

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
