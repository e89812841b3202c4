#include <glsort/plan/algorithm.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sinks.h>
#include <glsort/plan/scene/scene_sort.h>
#include <glsort/plan/scene/visible_source.h>
#include <glsort/stream/cpu_invocation.h>

#include <utility>

namespace glsort::scene {
namespace {

/// The specification of shaders/scene/load_visible.glsl.
std::shared_ptr<const Chunk> visible_chunk(const SortOrder& order, std::uint32_t key_words, std::uint32_t elements) {
    Chunk chunk;
    chunk.name = "load_visible";
    chunk.inputs = {{.name = "visible",
                     .access = Access::gather,
                     .words = key_words + 1,
                     .elements = elements,
                     .role = PortRole::keys}};
    chunk.defines = key_defines(order.key, order.direction);
    chunk.load = [order, key_words](CpuInvocation& k, std::uint32_t number) {
        const Element texel = k.read(0, number);
        Element element = encoded(order.key, order.direction, texel);
        element[key_words] = texel[key_words];
        return element;
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

}  // namespace

std::shared_ptr<const ElementSource> visible_source(const SceneSpec& spec, const Limits& limits) {
    const KeyForm form = key_form(spec);
    const SortSpec sort = sort_spec(spec, limits);
    if (form.packed() || !takes_source({.spec = sort, .n = sort.capacity, .limits = limits})) return nullptr;
    ElementSource source;
    source.stores_keys = reads_keys(spec);
    source.end_of_values = items_of(spec);
    source.load = [order = sort.order, words = form.words()](const ElementType&, std::uint32_t elements) {
        return visible_chunk(order, words, elements);
    };
    return std::make_shared<ElementSource>(std::move(source));
}

}  // namespace glsort::scene
