#pragma once

#include <glsort/exec/corner_table.h>
#include <glsort/exec/gl_executor.h>
#include <glsort/exec/storage_pool.h>
#include <glsort/gl/objects.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace glsort {

/// Runs a program in fragment shaders: OpenGL 3.3 core or OpenGL ES 3.0, no compute, no storage
/// buffers, no direct state access.
///
/// A stream is a texture. An op is one draw: of one triangle over the whole viewport where its
/// domain is one rectangle of texels, else of one or two triangles for each rectangle. An op that writes
/// the caller's buffers is a draw of points instead, captured by transform feedback; `upload` is a
/// pixel unpack. OpenGL itself orders draws, so barriers cost nothing here, but for an op that reads
/// other texels of the textures it draws to: a texture barrier goes before it.
class FragmentExecutor final : public GlExecutor {
  public:
    FragmentExecutor(std::shared_ptr<const gl::Api> api, bool debug_groups);

    void resolve(const StreamProgram& program, const Schedule& schedule) override;
    void recount(const StreamProgram& program, const Schedule& schedule) override;
    void issue(const StreamProgram& program, const ExternalStreams& external) override;
    void see_writes() override;
    void start() override;
    void release() override;
    void run(std::size_t first, std::size_t last) override;
    void finish(Readers readers) override;
    std::vector<std::uint32_t> read(std::size_t storage, std::uint32_t records) override;
    std::uint64_t allocated_bytes() const override;
    gl::StateScope scope() const override;

    /// What `scope` is at the most.
    static constexpr gl::StateScope widest_scope{
        .textures = true, .draw = true, .unpack = true, .pack = true, .array = true, .uniform = true};

  private:
    /// The texture of a storage, as large as any program before needed it.
    struct Place {
        gl::Texture texture;
        std::uint32_t width = 0;
        std::uint32_t height = 0;
        std::uint32_t texel_words = 0;
        std::uint32_t layers = 0;
    };

    /// What a texture unit is bound to.
    struct Unit {
        GLenum target = GL_TEXTURE_2D;
        GLuint texture = 0;
    };

    /// An op ready to be replayed.
    struct Resolved {
        enum class Kind { upload, download, draw, feedback } kind = Kind::draw;
        GLuint program = 0;
        GLint uniforms = -1;
        std::optional<std::size_t> first_word;  ///< Of its uniforms in `words_`.
        GLsizei uniform_count = 0;              ///< In elements of four words.
        std::vector<Unit> units;                ///< What is read; of an upload, what is written.
        GLuint framebuffer = 0;                 ///< Drawn to, or read from.
        bool in_place = false;                  ///< Reads a texture that it draws to.
        Triangles triangles;                    ///< Of a draw.
        std::size_t cover = 0;                  ///< Their number, where a texture of the library's is drawn to.
        CornerTable::Place corners;             ///< Their own place, where a caller's texture is drawn to.
        GLint first_point = 0;                  ///< Of feedback.
        GLsizei points = 0;
        std::string label;
    };

    void allocate(std::size_t storage);
    void resolve_op(std::size_t number) override;
    void rebind(std::size_t number, StreamId id) override;
    void reshaped() override { upload_corners(); }
    void resolve_transfer(std::size_t number);
    void resolve_draw(std::size_t number);
    void resolve_feedback(std::size_t number);
    void set_domain(std::size_t number);
    void resolve_reads(std::size_t number, const ShaderRequest& request, Resolved& resolved);
    void attach(bool callers);
    GLuint framebuffer_of(const std::vector<std::size_t>& storages);
    void allocate_corners();
    void upload_corners();
    void run_upload(std::size_t number);
    void run_download(std::size_t number);
    void run_feedback(std::size_t number);

    gl::VertexArray vertex_array_;
    gl::Buffer corner_buffer_;
    gl::TransformFeedback feedback_;     ///< None on OpenGL 3.3.
    gl::Texture blank_texture_;          ///< One texel, of `blank_framebuffer_`.
    gl::Framebuffer blank_framebuffer_;  ///< What feedback ops, which draw nothing, are drawn to.
    StoragePool<Place> places_;
    /// By the textures that are attached.
    std::map<std::vector<GLuint>, gl::Framebuffer> framebuffers_;
    /// The framebuffer for a caller's texture, by stream. Between calls it holds the blank one.
    std::map<StreamId, gl::Framebuffer> external_framebuffers_;

    std::vector<Resolved> resolved_;
    std::vector<GLuint> bound_;  ///< While ops run: the texture of each unit that they use.
    CornerTable corners_;
    std::size_t corner_room_ = 0;  ///< Floats that `corner_buffer_` holds.
};

}  // namespace glsort
