#include "check_texture.h"

#include <fmt/format.h>
#include <glsort/stream/stream.h>

#include <array>
#include <utility>
#include <vector>

#include "check_buffer.h"
#include "support/hostile_state.h"
#include "support/state_settings.h"

namespace glsort::check {
namespace {

GLenum format_of(std::uint32_t channels) {
    return channels == 1 ? GL_RED_INTEGER : channels == 2 ? GL_RG_INTEGER : GL_RGBA_INTEGER;
}

GLint internal_of(std::uint32_t channels) {
    return static_cast<GLint>(internal_format_of(channels));
}

constexpr std::array<GLenum, 12> parameter_names{
    GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER, GL_TEXTURE_WRAP_S,       GL_TEXTURE_WRAP_T,
    GL_TEXTURE_BASE_LEVEL, GL_TEXTURE_MAX_LEVEL,  GL_TEXTURE_COMPARE_MODE, GL_TEXTURE_COMPARE_FUNC,
    GL_TEXTURE_SWIZZLE_R,  GL_TEXTURE_SWIZZLE_G,  GL_TEXTURE_SWIZZLE_B,    GL_TEXTURE_SWIZZLE_A};

GLsizei width_of(const TextureView& view) {
    return static_cast<GLsizei>(view.width);
}
GLsizei height_of(const TextureView& view) {
    return static_cast<GLsizei>(view.height);
}

void attach(const GladGLContext& gl, GLenum target, GLuint framebuffer, GLuint texture) {
    gl.BindFramebuffer(target, framebuffer);
    gl.FramebufferTexture2D(target, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
}

GLint number(const GladGLContext& gl, GLenum name) {
    GLint value = 0;
    gl.GetIntegerv(name, &value);
    return value;
}

/// Sets pixel transfers to the state of a new context, without pixel buffers. The destructor restores the state.
class PlainPixels {
  public:
    explicit PlainPixels(const GladGLContext& gl)
        : gl_(gl),
          pack_(number(gl, GL_PIXEL_PACK_BUFFER_BINDING)),
          unpack_(number(gl, GL_PIXEL_UNPACK_BUFFER_BINDING)) {
        gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
        gl_.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        for (const auto& [name, value] : trial::initial_pixel_storage(gl_))
            set(name, value);
    }
    ~PlainPixels() {
        for (const auto& [name, value] : before_)
            gl_.PixelStorei(name, value);
        gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, static_cast<GLuint>(pack_));
        gl_.BindBuffer(GL_PIXEL_UNPACK_BUFFER, static_cast<GLuint>(unpack_));
    }
    PlainPixels(const PlainPixels&) = delete;
    PlainPixels& operator=(const PlainPixels&) = delete;

  private:
    void set(GLenum name, GLint value) {
        const GLint before = number(gl_, name);
        if (before == value) return;
        before_.emplace_back(name, before);
        gl_.PixelStorei(name, value);
    }

    const GladGLContext& gl_;
    GLint pack_, unpack_;
    std::vector<std::pair<GLenum, GLint>> before_;
};

/// Ends blending. The destructor restores blending. NVIDIA's driver loses a context that reads pixels in some states of
/// blending: docs/driver-faults.md.
class NoBlending {
  public:
    explicit NoBlending(const GladGLContext& gl)
        : gl_(gl), enable_(trial::settings::enable_indexed(gl)), ask_(trial::settings::is_enabled_indexed(gl)) {
        const auto buffers = static_cast<std::size_t>(enable_ != nullptr ? number(gl, GL_MAX_DRAW_BUFFERS) : 1);
        for (GLuint i = 0; i < buffers; ++i)
            before_.push_back(enable_ != nullptr ? ask_(GL_BLEND, i) : gl.IsEnabled(GL_BLEND));
        gl_.Disable(GL_BLEND);
    }
    ~NoBlending() {
        for (GLuint i = 0; i < before_.size(); ++i) {
            if (before_[i] == GL_FALSE) continue;
            enable_ != nullptr ? enable_(GL_BLEND, i) : gl_.Enable(GL_BLEND);
        }
    }
    NoBlending(const NoBlending&) = delete;
    NoBlending& operator=(const NoBlending&) = delete;

  private:
    const GladGLContext& gl_;
    PFNGLENABLEIPROC enable_;
    PFNGLISENABLEDIPROC ask_;
    std::vector<GLboolean> before_;
};

/// Binds a texture to the active unit. The destructor restores the previous binding.
class BoundTexture {
  public:
    BoundTexture(const GladGLContext& gl, GLuint texture) : gl_(gl), before_(number(gl, GL_TEXTURE_BINDING_2D)) {
        gl_.BindTexture(GL_TEXTURE_2D, texture);
    }
    ~BoundTexture() { gl_.BindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before_)); }
    BoundTexture(const BoundTexture&) = delete;
    BoundTexture& operator=(const BoundTexture&) = delete;

  private:
    const GladGLContext& gl_;
    GLint before_;
};

/// A framebuffer for reading a texture, without blending. The framebuffer is bound for drawing too: Mesa's llvmpipe may
/// read old texels of a texture that no bound framebuffer has (docs/driver-faults.md).
class ReadFrom {
  public:
    ReadFrom(const GladGLContext& gl, GLuint texture)
        : gl_(gl),
          opaque_(gl),
          read_(number(gl, GL_READ_FRAMEBUFFER_BINDING)),
          draw_(number(gl, GL_DRAW_FRAMEBUFFER_BINDING)) {
        gl_.GenFramebuffers(1, &name_);
        attach(gl_, GL_FRAMEBUFFER, name_, texture);
    }
    ~ReadFrom() {
        gl_.BindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_));
        gl_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_));
        gl_.DeleteFramebuffers(1, &name_);
    }
    ReadFrom(const ReadFrom&) = delete;
    ReadFrom& operator=(const ReadFrom&) = delete;

  private:
    const GladGLContext& gl_;
    NoBlending opaque_;
    GLint read_, draw_;
    GLuint name_ = 0;
};

Words read_pixels(const GladGLContext& gl, const TextureView& view, std::uint32_t channels, bool pack) {
    const ReadFrom framebuffer(gl, view.name);
    const PlainPixels plain(gl);
    // The only integer format that OpenGL ES guarantees.
    Words texels(std::size_t{4} * view.width * view.height);
    if (pack) {
        GLuint buffer = 0;
        gl.GenBuffers(1, &buffer);
        gl.BindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
        gl.BufferData(GL_PIXEL_PACK_BUFFER, static_cast<GLsizeiptr>(4 * texels.size()), nullptr, GL_STREAM_READ);
        gl.ReadPixels(0, 0, width_of(view), height_of(view), GL_RGBA_INTEGER, GL_UNSIGNED_INT, nullptr);
        gl.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
        texels = read_mapped(gl, buffer, texels.size());
        gl.DeleteBuffers(1, &buffer);
    } else {
        gl.ReadPixels(0, 0, width_of(view), height_of(view), GL_RGBA_INTEGER, GL_UNSIGNED_INT, texels.data());
    }
    if (channels == 4) return texels;
    Words words(std::size_t{channels} * view.width * view.height);
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = texels[i / channels * 4 + i % channels];
    return words;
}

}  // namespace

std::size_t word_place(const TextureView& view, std::uint32_t channels, std::uint32_t element, std::uint32_t channel) {
    const Texel texel = texel_of({view.layout, view.width}, element);
    return (std::size_t{texel.y} * view.width + texel.x) * channels + channel;
}

GLuint make_texture(const GladGLContext& gl, const TextureView& shape, std::uint32_t channels, const Words* words,
                    bool immutable) {
    GLuint name = 0;
    gl.GenTextures(1, &name);
    const BoundTexture bound(gl, name);
    const PlainPixels plain(gl);
    if (immutable) {
        gl.TexStorage2D(GL_TEXTURE_2D, 1, internal_format_of(channels), width_of(shape), height_of(shape));
        gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        if (words != nullptr)
            gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width_of(shape), height_of(shape), format_of(channels),
                             GL_UNSIGNED_INT, words->data());
        return name;
    }
    gl.TexImage2D(GL_TEXTURE_2D, 0, internal_of(channels), width_of(shape), height_of(shape), 0, format_of(channels),
                  GL_UNSIGNED_INT, words != nullptr ? words->data() : nullptr);
    return name;
}

void copy_texture(const GladGLContext& gl, GLuint from, const TextureView& to) {
    const ReadFrom framebuffer(gl, from);
    const BoundTexture bound(gl, to.name);
    gl.CopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, width_of(to), height_of(to));
}

Words read_texture(const GladGLContext& gl, Copies& copies, const TextureView& view, std::uint32_t channels,
                   Reading way) {
    if (way == Reading::fetch) {
        TextureView held = view;
        held.name = make_texture(gl, view, channels, nullptr);
        copies.draw(view.name, held.name, view.width, view.height);
        Words found = read_pixels(gl, held, channels, false);
        gl.DeleteTextures(1, &held.name);
        return found;
    }
    if (way == Reading::get_image) {
        Words found(std::size_t{channels} * view.width * view.height);
        const BoundTexture bound(gl, view.name);
        const PlainPixels plain(gl);
        gl.GetTexImage(GL_TEXTURE_2D, 0, format_of(channels), GL_UNSIGNED_INT, found.data());
        return found;
    }
    return read_pixels(gl, view, channels, way == Reading::pack);
}

CheckedTexture::CheckedTexture(const GladGLContext& gl, Copies& copies, const TextureView& shape,
                               std::uint32_t channels, Words words, bool immutable)
    : expected(std::move(words)), gl_(gl), copies_(copies), view_(shape), channels_(channels), immutable_(immutable) {
    view_.name = make_texture(gl, shape, channels, &expected, immutable);
    parameters_ = parameters();
}

CheckedTexture::~CheckedTexture() {
    gl_.DeleteTextures(1, &view_.name);
}

void CheckedTexture::finish_stores() {
    if (stored_) gl_.MemoryBarrier(GL_ALL_BARRIER_BITS);
    stored_ = false;
}

std::vector<GLint> CheckedTexture::parameters() const {
    const BoundTexture bound(gl_, view_.name);
    std::vector<GLint> values;
    for (const GLenum name : parameter_names)
        gl_.GetTexParameteriv(GL_TEXTURE_2D, name, &values.emplace_back());
    return values;
}

std::string CheckedTexture::changed_parameters() const {
    const std::vector<GLint> now = parameters();
    for (std::size_t i = 0; i < now.size(); ++i)
        if (now[i] != parameters_[i])
            return fmt::format("parameter {:#x} is {:#x} instead of {:#x}", parameter_names[i], now[i], parameters_[i]);
    return "";
}

void CheckedTexture::upload(Upload way) {
    finish_stores();
    switch (way) {
        case Upload::shared:
            copies_.elsewhere([&](const GladGLContext& gl) {
                gl.BindTexture(GL_TEXTURE_2D, view_.name);
                gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width_of(view_), height_of(view_), format_of(channels_),
                                 GL_UNSIGNED_INT, expected.data());
                gl.BindTexture(GL_TEXTURE_2D, 0);
            });
            return;
        case Upload::named_sub_image: {
            const PlainPixels plain(gl_);
            copies_.settle_textures();
            gl_.TextureSubImage2D(view_.name, 0, 0, 0, width_of(view_), height_of(view_), format_of(channels_),
                                  GL_UNSIGNED_INT, expected.data());
            return;
        }
        case Upload::clear_image: {
            const PlainPixels plain(gl_);
            constexpr std::array<GLuint, 4> junk{0xabababab, 0xcdcdcdcd, 0xefefefef, 0x01010101};
            gl_.ClearTexImage(view_.name, 0, format_of(channels_), GL_UNSIGNED_INT, junk.data());
            sub_image(expected.data());
            return;
        }
        case Upload::unpack: {
            const PlainPixels plain(gl_);
            GLuint buffer = 0;
            gl_.GenBuffers(1, &buffer);
            gl_.BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
            gl_.BufferData(GL_PIXEL_UNPACK_BUFFER, static_cast<GLsizeiptr>(4 * expected.size()), expected.data(),
                           GL_STREAM_DRAW);
            sub_image(nullptr);
            gl_.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
            gl_.DeleteBuffers(1, &buffer);
            return;
        }
        case Upload::image: {
            const BoundTexture bound(gl_, view_.name);
            const PlainPixels plain(gl_);
            copies_.settle_textures();
            gl_.TexImage2D(GL_TEXTURE_2D, 0, internal_of(channels_), width_of(view_), height_of(view_), 0,
                           format_of(channels_), GL_UNSIGNED_INT, expected.data());
            return;
        }
        case Upload::copy_image:
        case Upload::copy_sub_image:
        case Upload::blit:
        case Upload::draw:
        case Upload::image_store: {
            const GLuint staging = make_texture(gl_, view_, channels_, &expected, immutable_);
            if (way == Upload::copy_image) copy_texture(gl_, staging, view_);
            if (way == Upload::copy_sub_image)
                gl_.CopyImageSubData(staging, GL_TEXTURE_2D, 0, 0, 0, 0, view_.name, GL_TEXTURE_2D, 0, 0, 0, 0,
                                     width_of(view_), height_of(view_), 1);
            if (way == Upload::image_store) {
                copies_.store(staging, view_.name, channels_, view_.width, view_.height);
                stored_ = true;
            }
            if (way == Upload::blit) blit(staging);
            if (way == Upload::draw) copies_.draw(staging, view_.name, view_.width, view_.height);
            gl_.DeleteTextures(1, &staging);
            return;
        }
        default: {
            const PlainPixels plain(gl_);
            sub_image(expected.data());
        }
    }
}

void CheckedTexture::sub_image(const void* texels) const {
    const BoundTexture bound(gl_, view_.name);
    copies_.settle_textures();
    gl_.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width_of(view_), height_of(view_), format_of(channels_), GL_UNSIGNED_INT,
                      texels);
}

void CheckedTexture::blit(GLuint from) const {
    const ReadFrom source(gl_, from);
    GLuint framebuffer = 0;
    gl_.GenFramebuffers(1, &framebuffer);
    attach(gl_, GL_DRAW_FRAMEBUFFER, framebuffer, view_.name);
    gl_.BlitFramebuffer(0, 0, width_of(view_), height_of(view_), 0, 0, width_of(view_), height_of(view_),
                        GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl_.DeleteFramebuffers(1, &framebuffer);
}

}  // namespace glsort::check
