#include "images.h"

namespace glsort::demo {

Images::~Images() {
    for (const auto& [number, image] : images_)
        gl_.DeleteTextures(1, &image.texture);
}

unsigned Images::texture(std::uint64_t number, std::uint64_t version, const std::function<Picture()>& make) {
    Image& image = images_[{owner_, number}];
    image.drawn = true;
    if (image.texture != 0 && image.version == version) return image.texture;
    const Picture picture = make();
    if (image.texture == 0) gl_.GenTextures(1, &image.texture);
    image.version = version;
    GLint bound = 0;
    gl_.GetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    gl_.BindTexture(GL_TEXTURE_2D, image.texture);
    for (const auto& [parameter, value] :
         {std::pair{GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR}, std::pair{GL_TEXTURE_MAG_FILTER, GL_NEAREST}})
        gl_.TexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(parameter), value);
    gl_.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, picture.width, picture.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   picture.rgba.data());
    gl_.GenerateMipmap(GL_TEXTURE_2D);
    gl_.BindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
    return image.texture;
}

void Images::end_frame() {
    for (auto image = images_.begin(); image != images_.end();) {
        if (!image->second.drawn) {
            gl_.DeleteTextures(1, &image->second.texture);
            image = images_.erase(image);
        } else {
            image->second.drawn = false;
            ++image;
        }
    }
}

}  // namespace glsort::demo
