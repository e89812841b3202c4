#include <glsort/plan/sample.h>
#include <glsort/plan/sample_levels.h>
#include <glsort/stream/substream.h>

#include <algorithm>

namespace glsort::sample {
namespace {

/// The fewest samples that make buckets of at most `wanted`; or as many as there may be.
std::uint32_t samples_for(std::uint32_t wanted, std::uint32_t size, const Sampling& most) {
    std::uint32_t samples = fewest_samples_of_tile;
    while (samples < most.samples && bucket_bound(size, {most.tile, samples}) > wanted) samples *= 2;
    return samples;
}

}  // namespace

std::uint32_t bucket_bound(std::uint32_t size, const Sampling& sampling) {
    const std::uint32_t spacing = sampling.tile / sampling.samples;
    const std::uint32_t samples_each = records_for(size / spacing, sampling.samples);
    return std::min(spacing * samples_each + records_for(size, sampling.tile) * (spacing - 1), size);
}

std::vector<Level> levels_of(std::uint32_t n, std::uint32_t tile, const std::vector<std::uint32_t>& samples) {
    std::vector<Level> levels;
    std::uint32_t segments = 1;
    std::uint32_t room = n;
    for (const std::uint32_t count : samples) {
        levels.push_back({segments, room, std::max(records_for(room, tile), 1u), count});
        segments *= count;
        room = bucket_bound(room, {tile, count});
    }
    return levels;
}

std::uint32_t last_bound(std::uint32_t n, std::uint32_t tile, const std::vector<Level>& levels) {
    return levels.empty() ? n : bucket_bound(levels.back().room, {tile, levels.back().samples});
}

std::vector<std::uint32_t> samples_down_to(std::uint32_t wanted, std::uint32_t n, const Sampling& sampling) {
    std::vector<std::uint32_t> samples;
    for (std::uint32_t room = n; room > wanted;) {
        Sampling most = sampling;
        if (!samples.empty())
            while (most.samples * records_for(room, most.tile) > most.together) most.samples /= 2;
        if (most.samples < fewest_samples_of_tile) return {};
        samples.push_back(samples_for(wanted, room, most));
        const std::uint32_t bucket = bucket_bound(room, {most.tile, samples.back()});
        if (bucket == room) return {};
        room = bucket;
    }
    return samples;
}

}  // namespace glsort::sample
