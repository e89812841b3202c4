#include "gl_io.h"

#include <fmt/format.h>

#include <glsort/stream/stream.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "support/software.h"

namespace glsort::demo {
namespace {

// Tries OpenGL 4.5 first, then older versions. A driver gives its newest version that is compatible with the requested
// version.
std::vector<HeadlessOptions> contexts_to_try(const ContextOptions& options) {
    std::vector<HeadlessOptions> list;
    const auto add = [&](Api api, std::initializer_list<int> versions) {
        for (const int version : versions)
            list.push_back({.api = api, .major = version / 10, .minor = version % 10});
    };
    if (options.version) {
        add(options.api.value_or(Api::gl), {*options.version});
        return list;
    }
    if (options.api != Api::gles) add(Api::gl, {45, 43, 33});
    if (options.api != Api::gl) add(Api::gles, {32, 31, 30});
    return list;
}

struct TexelFormat {
    GLenum internal;
    GLenum external;
};

TexelFormat format_of(std::uint32_t words) {
    switch (words) {
        case 1:
            return {GL_R32UI, GL_RED_INTEGER};
        case 2:
            return {GL_RG32UI, GL_RG_INTEGER};
        default:
            return {GL_RGBA32UI, GL_RGBA_INTEGER};
    }
}

StreamLayout layout_of(const TextureView& view) {
    return {view.layout, view.width};
}

}  // namespace

std::unique_ptr<GlContext> open_context(const ContextOptions& options) {
    std::string failure;
    for (const HeadlessOptions& attempt : contexts_to_try(options)) {
        try {
            auto made = std::make_unique<GlContext>(GlContext{HeadlessContext(attempt), GladGLContext{}, false});
            const auto load = attempt.api == Api::gl ? gladLoadGLContext : gladLoadGLES2Context;
            if (load(&made->gl, HeadlessContext::get_proc_address()) == 0)
                throw std::runtime_error("the OpenGL functions cannot be loaded");
            made->software = is_software(made->context.renderer());
            return made;
        } catch (const std::runtime_error& error) {
            // Reports the failure of the preferred context.
            if (failure.empty()) failure = error.what();
        }
    }
    throw std::runtime_error(failure);
}

std::unique_ptr<GlContext> open_context_or_advise(const ContextOptions& options) {
    try {
        return open_context(options);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(std::string(error.what()) + "; --backend cpu sorts without OpenGL");
    }
}

void reset_state(const GladGLContext& gl) {
    gl.UseProgram(0);
    gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    gl.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    for (const GLenum parameter : {GL_UNPACK_ROW_LENGTH, GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_PIXELS,
                                   GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_IMAGES})
        gl.PixelStorei(parameter, 0);
}

GlTexture::GlTexture(const GladGLContext& gl, const TextureView& shape, std::uint32_t words)
    : gl_(gl), view_(shape), words_(words) {
    const TexelFormat format = format_of(words_);
    gl_.GenTextures(1, &view_.name);
    gl_.BindTexture(GL_TEXTURE_2D, view_.name);
    gl_.TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format.internal), static_cast<GLsizei>(view_.width),
                   static_cast<GLsizei>(view_.height), 0, format.external, GL_UNSIGNED_INT, nullptr);
    // Integer textures cannot be filtered, and there is one level.
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl_.BindTexture(GL_TEXTURE_2D, 0);
    check_gl(gl_, "as a texture was made");
}

GlTexture::~GlTexture() {
    gl_.DeleteTextures(1, &view_.name);
}

void GlTexture::upload(std::span<const std::uint32_t> elements) {
    const StreamLayout layout = layout_of(view_);
    std::vector<std::uint32_t> image(std::size_t{view_.width} * view_.height * words_);
    for (std::uint32_t i = 0; i < elements.size() / words_; ++i) {
        const Texel texel = texel_of(layout, i);
        std::copy_n(elements.data() + std::size_t{i} * words_, words_,
                    image.data() + (std::size_t{texel.y} * view_.width + texel.x) * words_);
    }
    gl_.BindTexture(GL_TEXTURE_2D, view_.name);
    gl_.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, static_cast<GLsizei>(view_.width), static_cast<GLsizei>(view_.height),
                      format_of(words_).external, GL_UNSIGNED_INT, image.data());
    gl_.BindTexture(GL_TEXTURE_2D, 0);
    check_gl(gl_, "as a texture was filled");
}

std::vector<std::uint32_t> GlTexture::download(std::uint32_t count) const {
    const StreamLayout layout = layout_of(view_);
    std::vector<std::uint32_t> elements(std::size_t{count} * words_);
    GLuint framebuffer = 0;
    gl_.GenFramebuffers(1, &framebuffer);
    // Also for drawing: Mesa's llvmpipe may read old texels of a texture that no bound framebuffer has
    // (docs/driver-faults.md).
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, view_.name, 0);
    gl_.ReadBuffer(GL_COLOR_ATTACHMENT0);
    // Every OpenGL ES can read RGBA_INTEGER, which may take four times the needed memory. The loop therefore reads some
    // rows at a time.
    const std::uint32_t rows = std::max(1u, (1u << 20) / view_.width);
    std::vector<std::array<std::uint32_t, 4>> strip(std::size_t{rows} * view_.width);
    for (std::uint32_t y = 0; y < view_.height; y += rows) {
        const std::uint32_t height = std::min(rows, view_.height - y);
        gl_.ReadPixels(0, static_cast<GLint>(y), static_cast<GLsizei>(view_.width), static_cast<GLsizei>(height),
                       GL_RGBA_INTEGER, GL_UNSIGNED_INT, strip.data());
        for (std::uint32_t texel = 0; texel < height * view_.width; ++texel) {
            const std::uint32_t i = index_of(layout, {texel % view_.width, y + texel / view_.width});
            if (i < count) std::copy_n(strip[texel].data(), words_, &elements[std::size_t{i} * words_]);
        }
    }
    gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl_.DeleteFramebuffers(1, &framebuffer);
    check_gl(gl_, "as a texture was read");
    return elements;
}

}  // namespace glsort::demo
