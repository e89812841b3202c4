#include <glsort/exec/gl_executor.h>
#include <glsort/exec/stand_ins.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace glsort {

StandIns::StandIns(std::shared_ptr<const gl::Api> api) : api_(std::move(api)), buffer_(api_) {
    const std::vector<std::byte> zeros(buffer_bytes);
    api_->BindBuffer(GL_COPY_WRITE_BUFFER, buffer_.name());
    api_->BufferData(GL_COPY_WRITE_BUFFER, buffer_bytes, zeros.data(), GL_STATIC_COPY);
    gl::set_label(*api_, GL_BUFFER, buffer_.name(), "stand-in");
}

GLuint StandIns::texture(std::uint32_t words, bool floats, bool written) {
    for (const Known& known : textures_)
        if (known.words == words && known.floats == floats && known.written == written) return known.texture.name();
    const gl::Texture& texture = textures_.emplace_back(Known{words, floats, written, gl::Texture(api_)}).texture;
    allocate_texels(*api_, texture.name(), words, 1, 1);
    if (floats) api_->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, 1, 1, 0, GL_RGBA, GL_FLOAT, nullptr);
    gl::set_label(*api_, GL_TEXTURE, texture.name(), "stand-in");
    return texture.name();
}

}  // namespace glsort
