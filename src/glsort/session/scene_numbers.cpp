#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/session/scene_numbers.h>

#include <bit>
#include <cmath>

namespace glsort::scene {

void set_values(Scheduler& scheduler, std::size_t op, std::size_t parameter,
                std::span<const std::array<float, 4>> values) {
    for (const std::array<float, 4>& value : values)
        for (const float component : value)
            scheduler.set_parameter(op, parameter++, std::bit_cast<std::uint32_t>(component));
}

void set_source_count(Scheduler& scheduler, const ScenePlan::Source& planned, std::uint32_t count) {
    if (!planned.block) return scheduler.set_parameter(planned.op, ScenePlan::count_parameter, count);
    scheduler.set_block_parameters(planned.op, *planned.block, ScenePlan::count_parameter, {&count, 1});
}

void set_source_values(Scheduler& scheduler, const ScenePlan::Source& planned,
                       std::span<const std::array<float, 4>> values) {
    if (!planned.block) return set_values(scheduler, planned.op, ScenePlan::first_value_parameter, values);
    std::array<std::uint32_t, 4 * max_scene_values> words;
    std::size_t count = 0;
    for (const std::array<float, 4>& value : values)
        for (const float component : value)
            words[count++] = std::bit_cast<std::uint32_t>(component);
    scheduler.set_block_parameters(planned.op, *planned.block, ScenePlan::first_value_parameter,
                                   std::span(words).first(count));
}

void set_depths(Scheduler& scheduler, const ScenePlan::Source& planned, const DepthRange& range) {
    const std::array<float, 4> numbers{range.nearest, range.farthest, range.origin, range.factor};
    set_values(scheduler, planned.op, planned.first_depth_parameter, {&numbers, 1});
}

void set_corners(Scheduler& scheduler, std::size_t op, std::size_t source, std::uint32_t first_index,
                 std::int32_t base_vertex) {
    scheduler.set_parameter(op, 2 * source, first_index);
    scheduler.set_parameter(op, 2 * source + 1, static_cast<std::uint32_t>(base_vertex));
}

std::uint32_t most_items(const SceneSpec& spec, const SceneArguments& arguments) {
    std::uint32_t items = 0;
    for (std::size_t i = 0; i < spec.sources.size(); ++i)
        items += most_elements(spec.sources[i], arguments.sources[i].count);
    return items;
}

void check_tables(const char* owner, std::size_t number, const std::vector<SceneInput>& inputs,
                  std::span<const std::uint32_t> tables) {
    if (tables.empty()) return;
    std::size_t table = 0;
    for (const SceneInput& input : inputs) {
        if (input.elements == 0) continue;
        if (table < tables.size() && tables[table] > input.elements)
            throw Error(
                fmt::format("{}[{}].table_elements[{}] {} exceeds the {} elements of input {} given at "
                            "construction",
                            owner, number, table, tables[table], input.elements, input.name));
        ++table;
    }
    if (table != tables.size())
        throw Error(fmt::format("{}[{}].table_elements has {} numbers; {} inputs have elements given at construction",
                                owner, number, tables.size(), table));
}

void check_depths(const SceneSpec& spec, float nearest, float farthest) {
    if (!spec.quantisation) {
        if (nearest != 0.0f || farthest != 0.0f)
            throw Error(
                fmt::format("nearest {} and farthest {} are given, but the specification was made without quantisation",
                            nearest, farthest));
        return;
    }
    if (!std::isfinite(nearest) || !std::isfinite(farthest) || !(nearest < farthest))
        throw Error(fmt::format("nearest {} and farthest {} must be finite, the nearest below the farthest", nearest,
                                farthest));
    if (spec.quantisation->scale == SceneQuantisation::Scale::reciprocal && !(nearest > 0.0f))
        throw Error(fmt::format("nearest {}; with reciprocal depths it must be above 0", nearest));
    const DepthRange range = depth_range(*spec.quantisation, nearest, farthest);
    // With an infinite origin, the factor is 0.
    if (!std::isfinite(range.factor) || range.factor == 0.0f)
        throw Error(fmt::format("nearest {} and farthest {} are too close or too far apart", nearest, farthest));
}

}  // namespace glsort::scene
