#pragma once

#include <glsort/exec/gl_executor.h>
#include <glsort/gl/state_guard.h>

#include <array>
#include <map>

namespace glsort {

/// Runs a program in compute shaders: OpenGL 4.3, or OpenGL ES 3.1, without subgroup operations.
///
/// A stream is a storage buffer; the caller's may be textures too (outputs need image formats that
/// OpenGL ES lacks). An op is one dispatch, in two dimensions where it has more groups than one
/// dimension holds.
class ComputeExecutor final : public GlExecutor {
  public:
    ComputeExecutor(std::shared_ptr<const gl::Api> api, bool debug_groups);

    void resolve(const StreamProgram& program, const Schedule& schedule) override;
    void recount(const StreamProgram& program, const Schedule& schedule) override;
    void see_writes() override;
    void start() override;
    void release() override;
    void bind(StreamId id, const BufferSlice& buffer) override;
    void bind(StreamId id, const TextureView& texture) override;
    void run(std::size_t first, std::size_t last) override;
    void finish(Readers readers) override;
    void order_updates() override { glsort::order_updates(*api_, *program_, foreign_); }
    std::vector<std::uint32_t> read(std::size_t storage, std::uint32_t records) override;
    std::string source(std::size_t number) const override;
    std::uint64_t allocated_bytes() const override;

    /// The state that the calls above change, but for `read`. Images only where a program writes
    /// textures.
    static constexpr gl::StateScope scope(bool images) {
        return {.textures = images, .storage = true, .images = images, .copy = true, .uniform = true};
    }

  private:
    struct Place {
        gl::Buffer buffer;
        std::uint64_t bytes = 0;
    };

    /// A storage block: our buffer, or a part of the caller's.
    struct BlockBinding {
        GLuint buffer = 0;
        GLintptr offset = 0;
        GLsizeiptr size = 0;  ///< 0: all of it.
        StreamId stream = 0;
        bool foreign = false;
        std::size_t base_word = 0;  ///< In `words_`, where foreign.
    };

    /// The filters of a caller's texture, while an image of it is written.
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
        std::size_t domain_element = 0;  ///< Of the op's uniform array.
        std::optional<std::size_t> first_word;
        GLsizei uniform_count = 0;
        std::vector<BlockBinding> blocks;
        std::vector<TextureBinding> samplers;
        std::vector<TextureBinding> images;
        GLenum image_format = GL_RG32UI;
        GLuint groups_x = 1;
        GLuint groups_y = 1;
        bool barrier = false;
        std::string label;
    };

    const Stream& stream_of(std::size_t storage) const;
    Place& place_of(std::size_t storage);
    void allocate(std::size_t storage);
    bool allocate_large_pages(Place& place, std::uint64_t bytes);
    void resolve_op(std::size_t number);
    ShaderRequest request_of(const Op& op) const;
    void set_groups(Resolved& resolved, const Op& op);
    void place_block(BlockBinding& block);
    void complete_outputs();

    std::shared_ptr<const gl::Api> api_;
    bool debug_groups_;
    bool hide_uniforms_;
    ProgramCache programs_;
    gl::Sampler sampler_;
    std::uint64_t offset_alignment_ = 256;
    std::uint64_t max_groups_ = 65535;
    std::uint64_t sparse_page_ = 0;  ///< Bytes; 0 where sparse buffers have no advantage.
    std::map<std::string, Place> places_;

    const StreamProgram* program_ = nullptr;
    const Schedule* schedule_ = nullptr;
    std::vector<ForeignStream> foreign_;
    std::vector<Filters> filters_;  ///< Of the outputs, to be restored by `release`.
    std::vector<Resolved> resolved_;
    std::vector<std::uint32_t> words_;
};

}  // namespace glsort
