#pragma once

#include <cstdint>
#include <vector>

/// The levels of a sample sort (plan/sample.h): what can be said of them before anything runs.

namespace glsort::sample {

/// How tiles are sampled, in records.
struct Sampling {
    std::uint32_t tile = 4096;   ///< A power of two.
    std::uint32_t samples = 64;  ///< Of a tile, and buckets of a segment: a power of two, 4 to `tile`.
    std::uint32_t together = 4096;  ///< Samples that one group sorts, at the most.
};

/// The largest bucket of a segment of at most `size` records, with equidistant samples: Dehne and Zaboli's 2n/s, for
/// whole tiles less one for each of them.
///
/// A sample stands for the q = tile / samples records of its tile that end with it. Between the samples that end two
/// buckets lie ceil(S / s) of all S samples, so q times as many records, and of each tile less than q that come after
/// its last sample there.
std::uint32_t bucket_bound(std::uint32_t size, const Sampling& sampling);

/// A level: every one of its segments becomes `samples` buckets, the segments of the next one.
struct Level {
    std::uint32_t segments = 1;
    std::uint32_t room = 0;   ///< Records of a segment, at the most.
    std::uint32_t tiles = 1;  ///< That they take.
    std::uint32_t samples = 64;

    /// Of all segments.
    std::uint32_t all_tiles() const { return segments * tiles; }
    std::uint32_t buckets() const { return segments * samples; }
    std::uint32_t all_samples() const { return all_tiles() * samples; }
};

/// The levels for n records, of so many samples each.
std::vector<Level> levels_of(std::uint32_t n, std::uint32_t tile, const std::vector<std::uint32_t>& samples);

/// The largest bucket after the last level; n where there is none.
std::uint32_t last_bound(std::uint32_t n, std::uint32_t tile, const std::vector<Level>& levels);

/// The samples of the levels after which n records are in buckets of at most `wanted`: on each level `samples`, or
/// fewer where those do, or where one group would not sort the samples of a segment below the first level. Nothing
/// where that leads nowhere: tiles are too small for n, or for `wanted`.
std::vector<std::uint32_t> samples_down_to(std::uint32_t wanted, std::uint32_t n, const Sampling& sampling);

}  // namespace glsort::sample
