#pragma once

#include <cstdint>
#include <vector>

/// The levels of a sample sort (plan/sample/sample.h): what can be said of them before anything runs.

namespace glsort::sample {

/// How tiles are sampled, in records.
struct Sampling {
    std::uint32_t tile = 4096;      ///< A power of two.
    std::uint32_t samples = 64;     ///< Of a tile: a power of two, 4 to `tile`.
    std::uint32_t together = 4096;  ///< Samples that one group sorts, at the most.
};

/// The largest of `buckets` buckets of a segment of at most `size` records, with equidistant samples: for as many
/// buckets as samples Dehne and Zaboli's 2n/s, for whole tiles less one for each of them.
///
/// A sample stands for the q = tile / samples records of its tile that end with it. Between the samples that end two
/// buckets lie ceil(S / buckets) of all S samples, so q times as many records, and of each tile less than q that come
/// after its last sample there; wherever a tile's samples begin.
std::uint32_t bucket_bound(std::uint32_t size, const Sampling& sampling, std::uint32_t buckets);
inline std::uint32_t bucket_bound(std::uint32_t size, const Sampling& sampling) {
    return bucket_bound(size, sampling, sampling.samples);
}

/// How a level divides a segment: into `segments` segments of the next level, and each of these into `parts` buckets,
/// so fine that hardly one outgrows a tile, though the bound on buckets does.
struct Cut {
    std::uint32_t samples = 64;  ///< Of a tile.
    std::uint32_t segments = samples;
    std::uint32_t parts = 1;
};

/// A level.
struct Level {
    std::uint32_t segments = 1;
    std::uint32_t of_buckets = 0;  ///< Of the level before, that make up a segment; 0: of all records.
    std::uint32_t room = 0;        ///< Records of a segment, at the most.
    std::uint32_t tiles = 1;       ///< That they take.
    Cut cut;

    /// Of a segment.
    std::uint32_t buckets_each() const { return cut.segments * cut.parts; }
    std::uint32_t samples_each() const { return tiles * cut.samples; }
    /// Of all segments.
    std::uint32_t all_tiles() const { return segments * tiles; }
    std::uint32_t all_samples() const { return segments * samples_each(); }
    std::uint32_t buckets() const { return segments * buckets_each(); }
    std::uint32_t all_places() const { return all_tiles() * buckets_each(); }
};

/// The levels for n records.
std::vector<Level> levels_of(std::uint32_t n, std::uint32_t tile, const std::vector<Cut>& cuts);

/// The largest bucket after the last level; n where there is none.
std::uint32_t last_bound(std::uint32_t n, std::uint32_t tile, const std::vector<Level>& levels);

/// The levels after which n records are in buckets of at most `wanted`: on each level as many buckets as `samples` of a
/// tile, or fewer where those do, or where one group would not sort the samples of a segment. `first`: the first of
/// them is that of all records, whose samples any number of groups sort. Nothing where that leads nowhere: tiles are
/// too small for n, or for `wanted`.
std::vector<Cut> cuts_down_to(std::uint32_t wanted, std::uint32_t n, const Sampling& sampling, bool first = true);

}  // namespace glsort::sample
