#pragma once

#include <glsort/exec/corner_table.h>
#include <glsort/exec/fragment_captures.h>
#include <glsort/exec/fragment_count_texture.h>
#include <glsort/exec/fragment_transfers.h>
#include <glsort/exec/gl_executor.h>
#include <glsort/exec/storage_pool.h>
#include <glsort/gl/objects.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glsort {

/// Runs a program in fragment shaders: OpenGL 3.3 core or OpenGL ES 3.0, without compute shaders, storage buffers or
/// direct state access.
///
/// A stream is a texture, and an op is one draw, or several if the op exceeds `max_elements_per_draw`. If the domain is
/// one rectangle of texels, the draw is one triangle over the whole viewport. Otherwise the draw is one or two
/// triangles for each rectangle. A transfer packs texels into the caller's buffers. A shader that writes these buffers
/// draws points instead, which transform feedback captures. A buffer of the caller's is read as a texture
/// (GL_TEXTURE_BUFFER), or copied by a pixel unpack (`upload`). OpenGL orders draws, so barriers cost nothing here,
/// with one exception. An op may read other texels of a texture that the op draws to. Such an op needs a texture
/// barrier before it.
class FragmentExecutor final : public GlExecutor {
  public:
    FragmentExecutor(std::shared_ptr<const gl::Api> api, const ExecutorOptions& options);

    void resolve(const StreamProgram& program, const Schedule& schedule) override;
    bool allocate_next(const StreamProgram& program, const Schedule& schedule) override;
    void recount(const StreamProgram& program, const Schedule& schedule) override;
    void exchange(std::unique_ptr<Resolution>& other) override;
    void set_parameter(const StreamProgram& program, std::size_t op, std::size_t parameter) override;
    void set_domain(const StreamProgram& program, std::size_t op) override;
    void issue(const StreamProgram& program, std::size_t number, const ExternalStreams& external) override;
    void warm_up(std::size_t number, StandIns& stand_ins) override;
    void see_writes() override;
    void show_writes(Readers readers) override;
    void start() override;
    void run(std::size_t first, std::size_t last) override;
    void finish(Readers readers) override;
    void take_count(const BufferSlice& count) override;
    void take_count(const TextureView& count) override;
    BufferSlice count_status() const override { return gpu_count_ ? gpu_count_->status() : BufferSlice{}; }
    std::vector<std::uint32_t> read(std::size_t storage, std::uint32_t records) override;
    std::uint64_t allocated_bytes() const override;
    bool free_next() override;
    bool is_current() const override { return places_.is_current(); }
    gl::StateScope scope() const override;

    /// The largest `scope` of any program.
    static constexpr gl::StateScope widest_scope{.textures = true,
                                                 .texture_buffers = true,
                                                 .draw = true,
                                                 .draw_buffers = true,
                                                 .unpack = true,
                                                 .pack = true,
                                                 .array = true,
                                                 .uniform = true,
                                                 .scissor = true};

  private:
    /// Restores the caller's objects.
    void release();
    /// The texture bound to a texture unit.
    struct Unit {
        GLenum target = GL_TEXTURE_2D;
        GLuint texture = 0;
    };

    /// A buffer of the caller's that an op reads as a texture.
    struct BufferRead {
        StreamId stream = 0;
        std::size_t base_word = 0;  ///< In `words_`: the first element.
    };

    /// An op that is ready to be replayed.
    struct Resolved {
        enum class Kind { upload, download, draw, feedback } kind = Kind::draw;
        GLuint program = 0;
        GLint uniforms = -1;
        std::optional<std::size_t> first_word;  ///< The first word of the op's uniforms in `words_`.
        GLsizei uniform_count = 0;              ///< In elements of four words.
        std::vector<Unit> units;                ///< Textures read; for an upload, the texture written.
        std::vector<BufferRead> buffers;        ///< Those of the textures that are buffers.
        GLuint framebuffer = 0;                 ///< Drawn to, or read from.
        bool in_place = false;                  ///< Whether the op reads a texture that the op draws to.
        Triangles triangles;                    ///< For a draw.
        std::size_t cover = 0;                  ///< Number of the triangles, if the target is a scratch texture.
        CornerTable::Place corners;             ///< Place of the corners, if the target is a caller's texture.
        GLint first_point = 0;                  ///< For feedback.
        GLsizei points = 0;
        std::uint32_t most_instances = 0;  ///< Texels or points of a piece.
        std::string label;
    };

    /// The corners of a program's draws.
    struct Corners {
        explicit Corners(const std::shared_ptr<const gl::Api>& api);

        CornerTable table;
        std::size_t room = 0;  ///< Floats that the buffer holds.
        gl::VertexArray vertex_array;
        gl::Buffer buffer;
    };

    /// A program that was put aside.
    struct Aside : GlResolution {
        explicit Aside(const std::shared_ptr<const gl::Api>& api) : corners(api) {}

        StoragePool<TexturePlace>::Followed places;
        std::vector<Resolved> resolved;
        Corners corners;
    };

    bool allocate(const StreamProgram& program, const Schedule& schedule, std::size_t storage);
    void resolve_op(std::size_t number) override;
    void rebind(std::size_t number, StreamId id) override;
    void reshaped() override { upload_corners(); }
    void resolve_transfer(std::size_t number);
    void resolve_draw(std::size_t number);
    void resolve_feedback(std::size_t number);
    void choose_primitives(std::size_t number);
    void choose_points(std::size_t number);
    void write_status();
    void resolve_reads(std::size_t number, const ShaderRequest& request, Resolved& resolved);
    void find_buffer_reads(const ShaderRequest& request, Resolved& resolved);
    GLuint buffer_texture(StreamId id, std::uint32_t words);
    std::uint64_t begin_of(StreamId id) const;
    std::uint64_t base_of(StreamId id) const;
    void check_reach(StreamId id) const;
    bool is_callers(StreamId id, Medium medium) const;
    void attach(bool callers);
    void attach_buffers(bool callers);
    void attach_from(std::uint64_t begin, GLuint buffer, GLenum format);
    GLuint framebuffer_of(const std::vector<std::size_t>& storages);
    GLuint external_framebuffer(StreamId id);
    void allocate_corners();
    void upload_corners();
    void draw(const Resolved& op) const;
    PixelTransfer transfer_of(std::size_t number, const StreamUse& texels, const StreamUse& buffer) const;
    void run_upload(std::size_t number);
    void run_download(std::size_t number);
    void run_feedback(std::size_t number);
    void feed_back_one(const Op& op, const StandIns& stand_ins);

    std::unique_ptr<CountTexture> gpu_count_;  ///< Null: the CPU knows the count.
    bool hides_feedback_;                      ///< `gl::hides_feedback`.
    bool packs_aligned_slowly_;                ///< `gl::packs_aligned_slowly`.
    bool captures_overtake_;                   ///< `gl::captures_overtake`.
    FragmentCaptures captures_;
    StoragePool<TexturePlace> places_;
    /// Framebuffers by their attached textures.
    std::map<std::vector<GLuint>, gl::Framebuffer> framebuffers_;
    std::uint64_t framebuffers_of_ = 0;  ///< The generation of `places_` whose textures `framebuffers_` has.
    /// The framebuffer for each caller's texture. Between calls the blank texture is attached.
    std::map<StreamId, gl::Framebuffer> external_framebuffers_;
    /// The texture for each caller's buffer that shaders read, by the words of a texel. Between calls no buffer is
    /// attached.
    std::map<std::pair<StreamId, std::uint32_t>, gl::Texture> buffer_textures_;
    GLint most_texels_ = 0;  ///< Max texels of one of `buffer_textures_`.
    /// The begin of a texture in its buffer is a multiple of this number of bytes. 0: every texture begins at byte 0.
    std::uint64_t range_alignment_ = 0;

    std::vector<Resolved> resolved_;
    std::vector<GLuint> bound_;  ///< While ops run: the texture of each unit in use.
    Corners corners_;
    std::uint64_t corner_bytes_ = 0;  ///< Of all programs.
};

}  // namespace glsort
