#include <glsort/plan/algorithm.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/pyramid_kernels.h>
#include <glsort/plan/scene/pyramid_streams.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sinks.h>
#include <glsort/plan/scene/scene_sort.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/plan/scene/visible_source.h>

#include <utility>

namespace glsort::scene {

namespace {

/// Whether the order becomes a texture of items, and nothing else.
bool is_texture_of_items(const SceneSpec& spec) {
    return spec.texture && spec.texture->form == SceneTexture::Form::items && !spec.order && !spec.triangles &&
           spec.results.empty();
}

}  // namespace

bool sort_writes_texture(const SceneSpec& spec, const SortSpec& sort, const Limits& limits) {
    const PlanRequest request{.spec = sort, .n = sort.capacity, .limits = limits};
    return spec.backend == Backend::fragment && is_texture_of_items(spec) && !key_form(spec).packed() &&
           takes_source(request) && choose_variant(request).variant->fills;
}

std::shared_ptr<const ElementSource> visible_source(const SceneSpec& spec, const Limits& limits) {
    if (spec.backend != Backend::fragment) return nullptr;
    const KeyForm form = key_form(spec);
    const SortSpec sort = sort_spec(spec, limits);
    if (form.packed() || !takes_source({.spec = sort, .n = sort.capacity, .limits = limits})) return nullptr;
    ElementSource source;
    for (Stream& stream : pyramid_streams(items_of(spec), form, limits)) {
        stream.role = StreamRole::input;
        source.streams.push_back(std::move(stream));
    }
    source.loads_runs = true;
    source.stores_keys = reads_keys(spec);
    source.fills = !sort.own_output;
    source.end_of_values = items_of(spec);
    source.load = [form, order = sort.order, levels = levels_above(items_of(spec)).size(),
                   neighbours = tuning_of(limits).neighbours](const ElementType&, std::uint32_t elements) {
        return visible_chunk(form, order, levels, neighbours, elements);
    };
    return std::make_shared<ElementSource>(std::move(source));
}

}  // namespace glsort::scene
