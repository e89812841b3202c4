#include "emitters.h"

#include <array>

namespace glsort::demo {

Dye dye_of(std::uint32_t emitter) {
    static constexpr std::array<Dye, most_emitters> dyes = {{
        {{0.70f, 0.03f, 0.30f}, {1.00f, 0.50f, 0.74f}},  // magenta
        {{0.01f, 0.46f, 0.66f}, {0.50f, 1.00f, 0.95f}},  // cyan
        {{1.00f, 0.36f, 0.03f}, {1.00f, 0.80f, 0.36f}},  // amber
        {{0.05f, 0.42f, 0.05f}, {0.60f, 1.00f, 0.40f}},  // green
        {{0.24f, 0.06f, 0.72f}, {0.70f, 0.55f, 1.00f}},  // violet
        {{0.62f, 0.02f, 0.02f}, {1.00f, 0.42f, 0.34f}},  // red
        {{0.02f, 0.10f, 0.62f}, {0.42f, 0.60f, 1.00f}},  // blue
        {{0.42f, 0.42f, 0.42f}, {1.00f, 1.00f, 1.00f}},  // silver
    }};
    return dyes[emitter % most_emitters];
}

}  // namespace glsort::demo
