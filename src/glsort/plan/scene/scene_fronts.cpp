#include <glsort/plan/scene/front_kernels.h>
#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/scene_results.h>
#include <glsort/plan/scene/source_ops.h>

#include <utility>

namespace glsort::scene {

ScenePlan plan_fronts(const SceneSpec& spec, const Limits& limits, bool numbers) {
    SceneBuilder to(spec, Backend::compute);
    const std::uint32_t tiles = tiles_of(spec);
    const auto declare = [&](const char* name, std::uint32_t words, std::uint32_t records) {
        return to.declare(name, StreamRole::output, Medium::buffer, words, records);
    };
    const bool packed = to.form.packed();
    to.plan.unsorted = {declare("front_keys", to.key_words(), tiles * tile)};
    if (!packed) to.plan.unsorted.push_back(declare("front_items", 1, tiles * tile));
    const StreamId offsets = declare("front_offsets", 1, offset_words(tiles));
    to.plan.unsorted.push_back(offsets);
    to.plan.program.streams[offsets].begins_zero = true;
    to.plan.keys = declare("keys", to.key_words(), to.items());
    if (!packed) to.plan.items = declare("items", 1, to.items());
    to.plan.status = declare("status", 1, status_words);
    to.declare_commands();
    const SceneResults results = results_of(spec, numbers, front_key_blocks + most_buffers_of(spec), limits);
    for (SourceOp& part : divide_sources(to, 1, front_key_blocks, front_key_blocks + results.blocks(), limits)) {
        Op op = std::move(part.op);
        op.kernel = front_key_kernel(part.sources, to.form, part.last ? &results : nullptr, limits);
        const Substream places = Substream::range(part.first_tile * tile, part.end_tile * tile);
        for (StreamId id : to.plan.unsorted)
            if (id != offsets) op.writes.push_back({id, places});
        op.parameters.resize(to.form.quantised() ? 4 : 0);
        if (!part.last) {
            op.writes.push_back(
                {offsets, Substream::range(first_tile_offset + part.first_tile, first_tile_offset + part.end_tile)});
            to.add(std::move(op));
            continue;
        }
        op.writes.push_back({offsets, to.all_of(offsets)});
        op.parameters.push_back(tiles);
        op.parameters.push_back(part.groups);
        to.add_results(std::move(op), results);
    }
    return std::move(to.plan);
}

}  // namespace glsort::scene
