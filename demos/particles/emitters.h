#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

namespace glsort::demo {

/// The max value of --emitters.
inline constexpr std::uint32_t most_emitters = 8;

/// The first element of an emitter, where `count` elements are dealt out evenly and in order. For the emitter behind
/// the last one, `count`.
inline std::uint32_t first_of_emitter(std::uint32_t emitter, std::uint32_t emitters, std::uint32_t count) {
    return static_cast<std::uint32_t>((std::uint64_t{count} * emitter + emitters - 1) / emitters);
}

/// The colours of an emitter, linear. No two emitters look alike.
struct Dye {
    glm::vec3 deep;
    glm::vec3 pale;
};
Dye dye_of(std::uint32_t emitter);

}  // namespace glsort::demo
