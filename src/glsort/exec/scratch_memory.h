#pragma once

#include <glsort/exec/storage_pool.h>
#include <glsort/gl/objects.h>

#include <cstdint>
#include <memory>
#include <utility>

namespace glsort {

/// The buffer of a scratch stream, or the stream's part of a buffer of the caller's.
struct BufferPlace {
    gl::Buffer buffer;
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;  ///< In the caller's buffer.
};

/// The texture of a scratch stream, with the max size that any program so far has needed.
struct TexturePlace {
    gl::Texture texture;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t texel_words = 0;
    std::uint32_t layers = 0;

    std::uint64_t bytes() const { return std::uint64_t{4} * width * height * texel_words * layers; }
};

/// Scratch memory that several sorters of a context share.
struct ScratchMemory {
    explicit ScratchMemory(std::shared_ptr<gl::Api> functions) : api(std::move(functions)) {}

    std::uint64_t bytes() const {
        std::uint64_t sum = 0;
        buffers.for_each([&sum](const BufferPlace& place) { sum += place.bytes; });
        textures.for_each([&sum](const TexturePlace& place) { sum += place.bytes(); });
        return sum;
    }

    std::shared_ptr<gl::Api> api;
    StoragePlaces<BufferPlace> buffers;
    StoragePlaces<TexturePlace> textures;
};

}  // namespace glsort
