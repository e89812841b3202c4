#include <glsort/plan/sample/sample.h>
#include <glsort/plan/sample/sample_levels.h>
#include <glsort/stream/stream.h>

#include <algorithm>

namespace glsort::sample {
namespace {

/// The fewest samples that make buckets of at most `wanted` elements, or the max number of samples.
std::uint32_t samples_for(std::uint32_t wanted, std::uint32_t size, const Sampling& limit) {
    std::uint32_t samples = min_samples_of_tile;
    while (samples < limit.samples && bucket_bound(size, {limit.tile, samples}) > wanted)
        samples *= 2;
    return samples;
}

}  // namespace

std::uint32_t bucket_bound(std::uint32_t size, const Sampling& sampling, std::uint32_t buckets) {
    const std::uint32_t spacing = sampling.tile / sampling.samples;
    const std::uint32_t samples_each = records_for(size / spacing, buckets);
    return std::min(spacing * samples_each + records_for(size, sampling.tile) * (spacing - 1), size);
}

std::vector<Level> levels_of(std::uint32_t n, std::uint32_t tile, const std::vector<Cut>& cuts) {
    std::vector<Level> levels;
    std::uint32_t segments = 1;
    std::uint32_t of_buckets = 0;
    std::uint32_t room = n;
    for (const Cut& cut : cuts) {
        levels.push_back({segments, of_buckets, room, std::max(records_for(room, tile), 1u), cut});
        segments *= cut.segments;
        of_buckets = cut.parts;
        room = bucket_bound(room, {tile, cut.samples}, cut.segments);
    }
    return levels;
}

std::uint32_t last_bound(std::uint32_t tile, const std::vector<Level>& levels) {
    const Level& last = levels.back();
    return bucket_bound(last.room, {tile, last.cut.samples}, last.buckets_each());
}

std::vector<Cut> cuts_down_to(std::uint32_t wanted, std::uint32_t n, const Sampling& sampling, bool first) {
    std::vector<Cut> cuts;
    for (std::uint32_t room = n; room > wanted;) {
        Sampling limit = sampling;
        if (!first || !cuts.empty())
            while (limit.samples * records_for(room, limit.tile) > limit.together)
                limit.samples /= 2;
        if (limit.samples < min_samples_of_tile) return {};
        cuts.push_back({.samples = samples_for(wanted, room, limit)});
        const std::uint32_t bucket = bucket_bound(room, {limit.tile, cuts.back().samples});
        if (bucket == room) return {};
        room = bucket;
    }
    return cuts;
}

}  // namespace glsort::sample
