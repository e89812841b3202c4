#pragma once

#include <glad/gl.h>

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "support/picture.h"

namespace glsort::demo {

/// Textures of pictures that are drawn frame after frame. A texture is made again only if the picture changes. The
/// context must outlive this object, and must be current at every call and at destruction.
class Images {
  public:
    explicit Images(const GladGLContext& gl) : gl_(gl) {}
    ~Images();
    Images(const Images&) = delete;
    Images& operator=(const Images&) = delete;

    /// Sets the owner of the pictures that are drawn next. Each owner has its own numbers.
    void set_owner(const void* owner) { owner_ = owner; }
    /// The texture of the owner's picture `number`. Calls `make` if this version of the picture does not exist.
    unsigned texture(std::uint64_t number, std::uint64_t version, const std::function<Picture()>& make);
    /// Call after every frame. Deletes pictures that the frame did not draw.
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
