#include "sample_steps.h"

#include <algorithm>

#include "op_records.h"

namespace glsort::demo {
namespace {

/// The words of the stream that an op of a level writes at a port of that role.
const std::vector<std::uint32_t>* words_at(const Moment& moment, const SampleLevel& level, PortRole role) {
    for (const Op& op : moment.program->ops)
        if (op.labels.level == level.number)
            if (const auto stream = stream_written(op, role)) return &(*moment.streams)[*stream];
    return nullptr;
}

/// The buckets that the previous level makes of all elements.
std::vector<std::uint32_t> buckets_before(const Moment& moment, const SampleLevel& level) {
    const std::vector<SampleLevel> levels = sample_levels(*moment.program);
    const auto before = std::ranges::find(levels, level.number - 1, &SampleLevel::number);
    return before != levels.end() ? bucket_bounds(moment, *before) : std::vector<std::uint32_t>{};
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
        const auto& division = op.kernel->shape.division;
        if (!division || !writes(op, PortRole::starts)) continue;
        levels.push_back({.number = op.labels.level,
                          .segments = division->segments.of(op),
                          .of_buckets = division->of_buckets,
                          .tiles = division->tiles.of(op),
                          .tile = division->tile,
                          .samples = division->samples,
                          .each = division->buckets,
                          .random = division->random,
                          .prefix_op = i});
        if (levels.back().again()) levels[levels.size() - 2].expected = true;
    }
    return levels;
}

std::optional<SampleLevel> sample_level_of(const StreamProgram& program, std::size_t number) {
    const std::vector<SampleLevel> levels = sample_levels(program);
    if (levels.empty()) return std::nullopt;
    const auto level = std::ranges::find(levels, program.ops[number].labels.level, &SampleLevel::number);
    if (level != levels.end()) return *level;
    return *std::ranges::find(levels.rbegin(), levels.rend(), false, &SampleLevel::again);
}

std::vector<std::uint32_t> bucket_bounds(const Moment& moment, const SampleLevel& level) {
    const std::vector<std::uint32_t>* starts = words_at(moment, level, PortRole::starts);
    if (moment.done <= level.prefix_op || starts == nullptr || starts->size() <= level.buckets()) return {};
    return {starts->begin(), starts->begin() + level.buckets() + 1};
}

std::vector<std::uint32_t> segment_bounds(const Moment& moment, const SampleLevel& level) {
    const std::vector<std::uint32_t> before = buckets_before(moment, level);
    if (before.empty()) return {0, moment.program->n};
    std::vector<std::uint32_t> bounds;
    for (std::size_t i = 0; i < before.size(); i += level.of_buckets)
        bounds.push_back(before[i]);
    return bounds;
}

std::vector<bool> divided_segments(const Moment& moment, const SampleLevel& level) {
    std::vector<bool> divided(level.segments, true);
    if (!level.again()) return divided;
    const std::vector<std::uint32_t> before = buckets_before(moment, level);
    divided.assign(level.segments, false);
    for (std::size_t i = 0; i + 1 < before.size(); ++i)
        if (before[i + 1] - before[i] > level.tile) divided[i / level.of_buckets] = true;
    return divided;
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
    const std::vector<std::uint32_t>* places = words_at(moment, level, PortRole::places);
    const std::size_t first = (std::size_t{segment} * level.tiles + tile) * level.each;
    if (places == nullptr || places->size() < first + level.each) return {};
    std::vector<std::uint32_t> bounds(places->begin() + static_cast<std::ptrdiff_t>(first),
                                      places->begin() + static_cast<std::ptrdiff_t>(first + level.each));
    bounds.push_back(size);
    return bounds;
}

}  // namespace glsort::demo
