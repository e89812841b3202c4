#include "sample_steps.h"

#include <algorithm>

#include "op_records.h"

namespace glsort::demo {
namespace {

/// The words of the stream that a kernel's ops write at a port of that name.
const std::vector<std::uint32_t>* words_at(const Moment& moment, std::string_view kernel, std::string_view port) {
    for (const Op& op : moment.program->ops) {
        if (op.kernel->name != kernel) continue;
        const auto stream = stream_written(op, port);
        return stream ? &(*moment.streams)[*stream] : nullptr;
    }
    return nullptr;
}

}  // namespace

std::optional<SampleSteps> sample_steps_of(const StreamProgram& program, std::size_t number) {
    const Labels& labels = program.ops[number].labels;
    if (labels.step < 1 || labels.step > static_cast<int>(sample_steps.size())) return std::nullopt;
    if (labels.level < 0) return SampleSteps{labels.step, labels.step};
    const bool first = number == 0 || program.ops[number - 1].labels.level != labels.level;
    const int before = first ? 0 : program.ops[number - 1].labels.step;
    return SampleSteps{std::min(before + 1, labels.step), labels.step};
}

std::vector<SampleLevel> sample_levels(const StreamProgram& program) {
    std::vector<SampleLevel> levels;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        if (op.kernel->name != "sample_prefix") continue;
        levels.push_back({.number = op.labels.level,
                          .segments = parameter(op, "segments").value(),
                          .tiles = parameter(op, "tiles").value(),
                          .tile = definition(*op.kernel, "TILE").value(),
                          .samples = definition(*op.kernel, "SAMPLES").value(),
                          .random = definition(*op.kernel, "RANDOM").has_value(),
                          .prefix_op = i});
    }
    return levels;
}

std::optional<SampleLevel> sample_level_of(const StreamProgram& program, std::size_t number) {
    const std::vector<SampleLevel> levels = sample_levels(program);
    if (levels.empty()) return std::nullopt;
    const auto level = std::ranges::find(levels, program.ops[number].labels.level, &SampleLevel::number);
    return level != levels.end() ? *level : levels.back();
}

std::vector<std::uint32_t> bucket_bounds(const Moment& moment, const SampleLevel& level) {
    const std::vector<std::uint32_t>* starts = words_at(moment, "sample_prefix", "buckets");
    if (moment.done <= level.prefix_op || starts == nullptr || starts->size() <= level.buckets()) return {};
    return {starts->begin(), starts->begin() + level.buckets() + 1};
}

std::vector<std::uint32_t> segment_bounds(const Moment& moment, const SampleLevel& level) {
    if (level.segments == 1) return {0, moment.program->n};
    const std::vector<std::uint32_t> buckets = bucket_bounds(moment, level);
    std::vector<std::uint32_t> bounds;
    if (buckets.empty()) {
        // Until it has buckets of its own, its segments are the buckets of the level before it.
        const std::vector<std::uint32_t>* starts = words_at(moment, "sample_prefix", "buckets");
        if (starts == nullptr || starts->size() <= level.segments) return {0, moment.program->n};
        return {starts->begin(), starts->begin() + level.segments + 1};
    }
    for (std::size_t i = 0; i < buckets.size(); i += level.samples)
        bounds.push_back(buckets[i]);
    return bounds;
}

std::vector<std::uint32_t> tile_bounds(const SampleLevel& level, std::uint32_t begin, std::uint32_t end) {
    std::vector<std::uint32_t> bounds;
    for (std::uint32_t start = begin; start < end; start += level.tile)
        bounds.push_back(start);
    bounds.push_back(end);
    return bounds;
}

std::vector<std::uint32_t> bucket_places(const Moment& moment, const SampleLevel& level, std::uint32_t segment,
                                         std::uint32_t tile, std::uint32_t size) {
    const std::vector<std::uint32_t>* places = words_at(moment, "sample_place", "places");
    const std::size_t first = (std::size_t{segment} * level.tiles + tile) * level.samples;
    if (places == nullptr || places->size() < first + level.samples) return {};
    std::vector<std::uint32_t> bounds(places->begin() + static_cast<std::ptrdiff_t>(first),
                                      places->begin() + static_cast<std::ptrdiff_t>(first + level.samples));
    bounds.push_back(size);
    return bounds;
}

}  // namespace glsort::demo
