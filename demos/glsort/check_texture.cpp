#include "check_texture.h"

#include <glsort/stream/layout.h>

#include <utility>

namespace glsort::check {
namespace {

GLenum format_of(std::uint32_t channels) {
    return channels == 1 ? GL_RED_INTEGER : channels == 2 ? GL_RG_INTEGER : GL_RGBA_INTEGER;
}

GLsizei width_of(const TextureView& view) { return static_cast<GLsizei>(view.width); }
GLsizei height_of(const TextureView& view) { return static_cast<GLsizei>(view.height); }

void attach(const GladGLContext& gl, GLenum target, GLuint framebuffer, GLuint texture) {
    gl.BindFramebuffer(target, framebuffer);
    gl.FramebufferTexture2D(target, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
}

Words read_pixels(const GladGLContext& gl, const TextureView& view, std::uint32_t channels) {
    GLuint framebuffer = 0;
    gl.GenFramebuffers(1, &framebuffer);
    attach(gl, GL_READ_FRAMEBUFFER, framebuffer, view.name);
    // The only format that OpenGL ES promises for integers.
    Words texels(std::size_t{4} * view.width * view.height);
    gl.ReadPixels(0, 0, width_of(view), height_of(view), GL_RGBA_INTEGER, GL_UNSIGNED_INT, texels.data());
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    gl.DeleteFramebuffers(1, &framebuffer);
    if (channels == 4) return texels;
    Words words(std::size_t{channels} * view.width * view.height);
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = texels[i / channels * 4 + i % channels];
    return words;
}

}  // namespace

std::size_t word_place(const TextureView& view, std::uint32_t channels, std::uint32_t element,
                       std::uint32_t channel) {
    const Texel texel = texel_of({view.layout, view.width}, element);
    return (std::size_t{texel.y} * view.width + texel.x) * channels + channel;
}

GLuint make_texture(const GladGLContext& gl, const TextureView& shape, std::uint32_t channels, const Words* words) {
    GLuint name = 0;
    gl.GenTextures(1, &name);
    gl.BindTexture(GL_TEXTURE_2D, name);
    const GLint internal = channels == 1 ? GL_R32UI : channels == 2 ? GL_RG32UI : GL_RGBA32UI;
    gl.TexImage2D(GL_TEXTURE_2D, 0, internal, width_of(shape), height_of(shape), 0, format_of(channels),
                  GL_UNSIGNED_INT, words != nullptr ? words->data() : nullptr);
    gl.BindTexture(GL_TEXTURE_2D, 0);
    return name;
}

Words read_texture(const GladGLContext& gl, Copies& copies, const TextureView& view, std::uint32_t channels,
                   Reading way) {
    if (way == Reading::fetch) {
        TextureView held = view;
        held.name = make_texture(gl, view, channels, nullptr);
        copies.draw(view.name, held.name, view.width, view.height);
        Words found = read_pixels(gl, held, channels);
        gl.DeleteTextures(1, &held.name);
        return found;
    }
    if (way == Reading::get_image) {
        Words found(std::size_t{channels} * view.width * view.height);
        gl.BindTexture(GL_TEXTURE_2D, view.name);
        gl.GetTexImage(GL_TEXTURE_2D, 0, format_of(channels), GL_UNSIGNED_INT, found.data());
        gl.BindTexture(GL_TEXTURE_2D, 0);
        return found;
    }
    return read_pixels(gl, view, channels);
}

CheckedTexture::CheckedTexture(const GladGLContext& gl, Copies& copies, const TextureView& shape,
                               std::uint32_t channels, Words words)
    : expected(std::move(words)), gl_(gl), copies_(copies), view_(shape), channels_(channels) {
    view_.name = make_texture(gl, shape, channels, &expected);
}

CheckedTexture::~CheckedTexture() { gl_.DeleteTextures(1, &view_.name); }

void CheckedTexture::upload(Upload way) {
    const auto sub_image = [this](const void* texels) {
        gl_.BindTexture(GL_TEXTURE_2D, view_.name);
        gl_.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width_of(view_), height_of(view_), format_of(channels_),
                          GL_UNSIGNED_INT, texels);
        gl_.BindTexture(GL_TEXTURE_2D, 0);
    };
    switch (way) {
        case Upload::unpack: {
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
            gl_.BindTexture(GL_TEXTURE_2D, view_.name);
            const GLint internal = channels_ == 1 ? GL_R32UI : channels_ == 2 ? GL_RG32UI : GL_RGBA32UI;
            gl_.TexImage2D(GL_TEXTURE_2D, 0, internal, width_of(view_), height_of(view_), 0, format_of(channels_),
                           GL_UNSIGNED_INT, expected.data());
            gl_.BindTexture(GL_TEXTURE_2D, 0);
            return;
        }
        case Upload::copy_image:
        case Upload::blit: {
            const GLuint staging = make_texture(gl_, view_, channels_, &expected);
            GLuint framebuffers[2] = {};
            gl_.GenFramebuffers(2, framebuffers);
            attach(gl_, GL_READ_FRAMEBUFFER, framebuffers[0], staging);
            if (way == Upload::blit) {
                attach(gl_, GL_DRAW_FRAMEBUFFER, framebuffers[1], view_.name);
                gl_.BlitFramebuffer(0, 0, width_of(view_), height_of(view_), 0, 0, width_of(view_),
                                    height_of(view_), GL_COLOR_BUFFER_BIT, GL_NEAREST);
            } else {
                gl_.BindTexture(GL_TEXTURE_2D, view_.name);
                gl_.CopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, width_of(view_), height_of(view_));
                gl_.BindTexture(GL_TEXTURE_2D, 0);
            }
            gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
            gl_.DeleteFramebuffers(2, framebuffers);
            gl_.DeleteTextures(1, &staging);
            return;
        }
        case Upload::draw: {
            const GLuint staging = make_texture(gl_, view_, channels_, &expected);
            copies_.draw(staging, view_.name, view_.width, view_.height);
            gl_.DeleteTextures(1, &staging);
            return;
        }
        default:
            sub_image(expected.data());
    }
}

}  // namespace glsort::check
