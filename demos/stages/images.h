#pragma once

#include <glad/gl.h>

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "support/picture.h"

namespace glsort::demo {

/// Textures of pictures that are drawn frame after frame, made anew only when they change. The context must stay, and
/// be current at every call and at destruction.
class Images {
  public:
    explicit Images(const GladGLContext& gl) : gl_(gl) {}
    ~Images();
    Images(const Images&) = delete;
    Images& operator=(const Images&) = delete;

    /// Whose pictures are drawn next: numbers are the owner's own.
    void set_owner(const void* owner) { owner_ = owner; }
    /// The name of the texture of the owner's picture `number`; `make` is called where it is not there in that version.
    unsigned texture(std::uint64_t number, std::uint64_t version, const std::function<Picture()>& make);
    /// Call after every frame: forgets what was not drawn in it.
    void end_frame();

  private:
    struct Image {
        GLuint texture = 0;
        std::uint64_t version = 0;
        bool drawn = false;
    };

    const GladGLContext& gl_;
    const void* owner_ = nullptr;
    std::map<std::pair<const void*, std::uint64_t>, Image> images_;
};

}  // namespace glsort::demo
