#include <glsort/plan/algorithm.h>
#include <glsort/plan/scene/front_source.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sort.h>
#include <glsort/plan/scene/visible_source.h>

namespace glsort::scene {

SortSpec sort_spec(const SceneSpec& scene, const Limits& limits) {
    const KeyForm form = key_form(scene);
    SortSpec spec{.order = form.order(scene.direction),
                  .payload = form.packed() ? Payload::none() : Payload::bytes(4),
                  .capacity = items_of(scene),
                  .algorithm = scene.algorithm,
                  .backend = scene.backend,
                  .gpu_count = true};
    if (scene.backend == Backend::fragment) {
        spec.layout = Layout::row_wise;
        spec.input = spec.output = Medium::texture;
        spec.own_output = !sort_writes_texture(scene, spec, limits);
    }
    // Algorithms without digits compare whole words, which gives an equal order: the other bits are zero, or hold the
    // number of the item, and items with equal keys lie in the order of their numbers.
    if (form.quantised() &&
        choose_variant({.spec = spec, .n = spec.capacity, .limits = limits}).variant->takes.digit_bits != 0)
        spec.order.bits = form.bits();
    return spec;
}

std::shared_ptr<const ElementSource> source_of_sort(const SceneSpec& spec, const Limits& limits) {
    return spec.backend == Backend::fragment ? visible_source(spec, limits) : front_source(spec, limits);
}

}  // namespace glsort::scene
