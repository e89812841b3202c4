#pragma once

#include <cstdint>
#include <vector>

/// The levels of a sample sort (plan/sample/sample.h), as known before anything runs.

namespace glsort::sample {

/// The sampling of tiles.
struct Sampling {
    std::uint32_t tile = 4096;      ///< Elements of a tile: a power of two.
    std::uint32_t samples = 64;     ///< Samples per tile: a power of two, 4 to `tile`.
    std::uint32_t together = 4096;  ///< Max samples that one group sorts.
};

/// Max elements of any of `buckets` buckets of a segment, with equidistant samples. The segment has at most `size`
/// elements. With as many buckets as samples per tile and full tiles, the bound is 2n/s less one element per tile.
/// (Dehne and Zaboli: 2n/s.) A partial tile counts at most as a full one.
///
/// A sample stands for q = tile / samples elements of its tile, and is the last of them. Of all S samples, ceil(S /
/// buckets) lie between the samples that end two successive buckets. Each of these stands for q elements. Each tile
/// adds fewer than q elements, which come after the tile's last sample there. The bound holds for any start of the
/// samples in a tile.
std::uint32_t bucket_bound(std::uint32_t size, const Sampling& sampling, std::uint32_t buckets);
inline std::uint32_t bucket_bound(std::uint32_t size, const Sampling& sampling) {
    return bucket_bound(size, sampling, sampling.samples);
}

/// The division of a segment by a level: into `segments` segments of the next level, each of `parts` buckets. The
/// buckets are so small that hardly any outgrows a tile, although their bound does.
struct Cut {
    std::uint32_t samples = 64;  ///< Samples per tile.
    std::uint32_t segments = samples;
    std::uint32_t parts = 1;
};

/// A level.
struct Level {
    std::uint32_t segments = 1;
    std::uint32_t of_buckets = 0;  ///< Buckets of the previous level per segment; 0: one segment of all elements.
    std::uint32_t room = 0;        ///< Max elements of a segment.
    std::uint32_t tiles = 1;       ///< Tiles that `room` elements take.
    Cut cut;

    // Per segment.
    std::uint32_t buckets_each() const { return cut.segments * cut.parts; }
    std::uint32_t samples_each() const { return tiles * cut.samples; }
    // Of all segments.
    std::uint32_t all_tiles() const { return segments * tiles; }
    std::uint32_t all_samples() const { return segments * samples_each(); }
    std::uint32_t buckets() const { return segments * buckets_each(); }
    std::uint32_t all_places() const { return all_tiles() * buckets_each(); }
};

/// The levels for n elements.
std::vector<Level> levels_of(std::uint32_t n, std::uint32_t tile, const std::vector<Cut>& cuts);

/// The bound on buckets after the last level. `levels` must not be empty.
std::uint32_t last_bound(std::uint32_t tile, const std::vector<Level>& levels);

/// The levels after which n elements are in buckets of at most `wanted`. The max number of buckets of a level is the
/// number of samples per tile. A level has fewer buckets if fewer are enough, or if one group could not sort the
/// samples of a segment. `first`: whether the first of these levels has all elements; any number of groups may sort the
/// samples of such a level. Empty if tiles are too small for n or for `wanted`.
std::vector<Cut> cuts_down_to(std::uint32_t wanted, std::uint32_t n, const Sampling& sampling, bool first = true);

}  // namespace glsort::sample
