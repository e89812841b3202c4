#pragma once

#include <glsort/gl/api.h>

#include <array>
#include <cstddef>

namespace glsort::gl {

/// Texture units that an op may use.
inline constexpr std::size_t max_units = 4;
/// Storage blocks that an op may use. OpenGL ES 3.1 guarantees four; few ops need the fifth.
inline constexpr std::size_t max_storage_blocks = 5;
constexpr std::size_t storage_blocks(const Api& api) { return api.es ? 4 : max_storage_blocks; }
/// Colour attachments an op may draw to.
inline constexpr std::size_t max_attachments = 8;
/// Buffers a feedback op may write.
inline constexpr std::size_t max_feedback_buffers = 4;

/// Saves the state that a part of the library changes, and puts it back when it goes. Allocates
/// nothing, raises no OpenGL error.
class StateGuard {
  public:
    /// Which state, besides the program and an active transform feedback (paused meanwhile, where
    /// the API can).
    struct Scope {
        bool textures = false;    ///< Texture and sampler bindings of the first units.
        bool draw = false;        ///< Framebuffer, vertex array, and all that decides which fragments
                                  ///< are written, but for scissor boxes and masks of other buffers.
        bool feedback = false;    ///< Transform feedback object or buffers, rasterizer discard.
        bool storage = false;     ///< Storage buffer bindings.
        bool images = false;      ///< Image units.
        bool unpack = false;      ///< Pixel unpack buffer and parameters.
        bool pack = false;        ///< Pixel pack buffer and parameters, read framebuffer.
        bool copy = false;        ///< Copy-read and copy-write buffers.
        bool array = false;       ///< Array buffer.
    };

    /// `active` false: saves and restores nothing.
    StateGuard(const Api& api, const Scope& scope, bool active = true);
    ~StateGuard();
    StateGuard(const StateGuard&) = delete;
    StateGuard& operator=(const StateGuard&) = delete;

  private:
    struct Unit {
        GLint texture_2d = 0;
        GLint texture_array = 0;
        GLint sampler = 0;
    };
    struct IndexedBuffer {
        GLint name = 0;
        GLint64 start = 0;
        GLint64 size = 0;
    };
    struct ImageUnit {
        GLint name = 0;
        GLint level = 0;
        GLint layered = 0;
        GLint layer = 0;
        GLint access = 0;
        GLint format = 0;
    };
    using PixelStore = std::array<GLint, 6>;

    void save_draw();
    void restore_draw() const;
    void save_feedback();
    void restore_feedback() const;
    void save_indexed(GLenum binding, GLenum start, GLenum size, std::size_t index,
                      IndexedBuffer& buffer) const;
    void restore_indexed(GLenum target, std::size_t index, const IndexedBuffer& buffer) const;

    const Api& api_;
    Scope scope_;
    bool active_;

    GLint program_ = 0;
    bool paused_feedback_ = false;
    GLint active_texture_ = 0;
    std::array<Unit, max_units> units_;
    GLint draw_framebuffer_ = 0;
    GLint vertex_array_ = 0;
    std::array<GLfloat, 4> viewport_{};
    bool scissor_ = false;
    bool cull_ = false;
    bool logic_op_ = false;
    bool primitive_restart_ = false;
    GLint polygon_mode_ = GL_FILL;
    GLint clip_origin_ = 0;
    GLint clip_depth_ = 0;
    std::array<bool, 8> clip_distance_{};
    std::array<std::array<GLboolean, 4>, max_attachments> color_mask_{};
    bool discard_ = false;
    GLint feedback_object_ = 0;
    GLint feedback_buffer_ = 0;
    std::array<IndexedBuffer, max_feedback_buffers> feedback_buffers_;
    GLint storage_buffer_ = 0;
    std::array<IndexedBuffer, max_storage_blocks> storage_buffers_;
    std::array<ImageUnit, max_units> images_;
    GLint unpack_buffer_ = 0;
    PixelStore unpack_{};
    GLint pack_buffer_ = 0;
    PixelStore pack_{};
    GLint read_framebuffer_ = 0;
    GLint copy_read_ = 0;
    GLint copy_write_ = 0;
    GLint array_buffer_ = 0;
};

/// Sets what a draw of ours needs of the pipeline whatever the caller left: no culling, no scissor,
/// all colour channels, and so on. What the state guard's `draw` saves.
void set_draw_state(const Api& api);

/// Sets the pixel store parameters of unpack or pack to tightly packed words.
void set_unpack_state(const Api& api);
void set_pack_state(const Api& api);

/// Viewport 0, without touching the others where there are more.
void set_viewport(const Api& api, GLint x, GLint y, GLsizei width, GLsizei height);

}  // namespace glsort::gl
