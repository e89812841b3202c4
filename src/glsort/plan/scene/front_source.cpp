#include <glsort/plan/algorithm.h>
#include <glsort/plan/scene/front_kernels.h>
#include <glsort/plan/scene/front_source.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sort.h>
#include <glsort/plan/scene/source_ops.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <utility>

namespace glsort::scene {

// Conditional compilation: kernels of groups that are not built cannot be linked.
#if GLSORT_GROUPS
namespace {

/// Storage blocks of an op that loads fronts and stores a result, at most: OpenGL has as many.
constexpr std::uint32_t blocks_of_sorts = 8;

/// The tile with the front that has element `number`.
std::uint32_t tile_with(CpuInvocation& k, std::size_t offsets, std::uint32_t number) {
    const auto starts_by = [&](std::uint32_t tile) { return k.read(offsets, first_tile_offset + tile)[0] <= number; };
    // No earlier tile has more items than places. Steps double until one goes too far, then halve.
    std::uint32_t found = number / tile;
    std::uint32_t step = 1;
    for (; starts_by(found + step); step *= 2)
        found += step;
    for (step /= 2; step > 0; step /= 2)
        if (starts_by(found + step)) found += step;
    return found;
}

/// The specification of shaders/scene/load_front.glsl.
std::shared_ptr<const Chunk> front_chunk(const KeyForm& form, const SortOrder& order, bool indexed,
                                         std::uint32_t elements) {
    Chunk chunk;
    chunk.name = "load_front";
    chunk.inputs = {{.name = "front_keys",
                     .access = Access::gather,
                     .words = form.words(),
                     .elements = elements,
                     .role = PortRole::keys}};
    if (!form.packed())
        chunk.inputs.push_back(
            {.name = "front_items", .access = Access::gather, .elements = elements, .role = PortRole::values});
    const std::size_t offsets = chunk.inputs.size();
    chunk.inputs.push_back(
        {.name = "front_offsets", .access = Access::gather, .elements = elements, .role = PortRole::other});
    chunk.defines = key_defines(order.key, order.direction);
    chunk.defines.emplace_back("GLSORT_SCENE_TILE", literal(tile));
    chunk.defines.emplace_back("GLSORT_FIRST_OFFSET", literal(first_tile_offset));
    if (!form.packed()) chunk.defines.emplace_back("GLSORT_FRONT_ITEMS", "1");
    chunk.load = [form, order, indexed, offsets](CpuInvocation& k, std::uint32_t number) {
        const std::uint32_t found = tile_with(k, offsets, number);
        const std::uint32_t place = found * tile + number - k.read(offsets, first_tile_offset + found)[0];
        Element element = encoded(order.key, order.direction, k.read(0, place));
        if (indexed) element[form.words()] = form.packed() ? number : k.read(1, place)[0];
        return element;
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

}  // namespace

bool reads_fronts(const SceneSpec& spec, const Limits& limits) {
    if (spec.backend != Backend::compute || tiles_of(spec) > tuning_of(limits).most_fronts ||
        limits.storage_blocks <
            std::max(blocks_of_sorts, front_key_blocks + most_buffers_of(spec) + SceneResults{}.blocks()))
        return false;
    const SortSpec sort = sort_spec(spec, limits);
    return takes_source({.spec = sort, .n = sort.capacity, .limits = limits});
}

std::shared_ptr<const ElementSource> front_source(const SceneSpec& spec, const Limits& limits) {
    if (!reads_fronts(spec, limits)) return nullptr;
    const KeyForm form = key_form(spec);
    const std::uint32_t tiles = tiles_of(spec);
    ElementSource source;
    source.add_stream("front_keys", form.words(), tiles * tile);
    if (!form.packed()) source.add_stream("front_items", 1, tiles * tile);
    source.add_stream("front_offsets", 1, offset_words(tiles));
    source.load = [form, order = form.order(spec.direction)](const ElementType& type, std::uint32_t elements) {
        return front_chunk(form, order, type.indexed(), elements);
    };
    return std::make_shared<ElementSource>(std::move(source));
}

#else
std::shared_ptr<const ElementSource> front_source(const SceneSpec&, const Limits&) {
    return nullptr;
}
#endif

}  // namespace glsort::scene
