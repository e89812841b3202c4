#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace glsort::test {

/// Keys that the first level of a sample sort divides as unevenly as possible with `samples` samples of a tile. All
/// keys between two samples of one tile lie between the corresponding samples of every tile. Buckets are therefore
/// nearly empty, or hold all these keys. Whether such a bucket outgrows a tile depends on the number of tiles.
inline std::vector<std::uint32_t> badly_dividing_keys(std::uint32_t tiles, std::uint32_t tile, std::uint32_t samples,
                                                      std::mt19937_64& random) {
    const std::uint32_t spacing = tile / samples;
    std::vector<std::uint32_t> keys;
    for (std::uint32_t number = 0; number < tiles; ++number) {
        // The place of the first sample of tile `number` (shaders/sample/sample_draw.glsl).
        const std::uint32_t phase = (number * 0x9e3779b9u >> 16) * spacing >> 16;
        for (std::uint32_t place = 0; place < tile; ++place) {
            const std::uint32_t from_first = place + spacing - phase;
            keys.push_back(2 * (from_first / spacing) + (from_first % spacing == 0 ? 0 : 1));
        }
        std::ranges::shuffle(keys.end() - tile, keys.end(), random);
    }
    return keys;
}

}  // namespace glsort::test
