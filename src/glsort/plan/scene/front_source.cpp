#include <glsort/plan/algorithm.h>
#include <glsort/plan/scene/front_kernels.h>
#include <glsort/plan/scene/front_source.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sinks.h>
#include <glsort/plan/scene/scene_sort.h>
#include <glsort/plan/scene/source_ops.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <utility>

namespace glsort::scene {

// Conditional compilation: kernels of groups that are not built cannot be linked.
#if GLSORT_GROUPS
namespace {

/// The most storage blocks of an op that loads fronts and stores a result. OpenGL guarantees this number, OpenGL ES
/// does not.
constexpr std::uint32_t blocks_of_sorts = 8;

/// The front with element `number`.
std::uint32_t front_with(CpuInvocation& k, std::size_t fronts, std::uint32_t portion, std::uint32_t number) {
    const auto starts_by = [&](std::uint32_t front) {
        return k.read(fronts, word_of_front(front, offset_word))[0] <= number;
    };
    // No front has more items than a portion, so the search begins at front `number` / `portion`. Steps double until
    // one goes too far, and then halve.
    std::uint32_t found = number / portion;
    std::uint32_t step = 1;
    for (; starts_by(found + step); step *= 2)
        found += step;
    for (step /= 2; step > 0; step /= 2)
        if (starts_by(found + step)) found += step;
    return found;
}

/// The specification of shaders/scene/load_front.glsl. `portion`: the max items of a portion, if the number is equal
/// for all scenes. Otherwise 0: the shader then reads the number from the record of the scene, so that a scene that
/// grows needs no other shader.
std::shared_ptr<const Chunk> front_chunk(const KeyForm& form, const SortOrder& order, std::uint32_t portion,
                                         bool indexed, std::uint32_t elements) {
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
    const std::size_t fronts = chunk.inputs.size();
    chunk.inputs.push_back({.name = "fronts", .access = Access::gather, .elements = elements, .role = PortRole::other});
    chunk.defines = key_defines(order.key, order.direction);
    if (!form.packed()) chunk.defines.emplace_back("GLSORT_FRONT_ITEMS", "1");
    if (portion > 0) chunk.defines.emplace_back("GLSORT_PORTION", literal(portion));
    chunk.load = [form, order, portion, indexed, fronts](CpuInvocation& k, std::uint32_t number) {
        const std::uint32_t front =
            front_with(k, fronts, portion > 0 ? portion : k.read(fronts, portion_word)[0], number);
        const auto word = [&](std::uint32_t of) { return k.read(fronts, word_of_front(front, of))[0]; };
        const std::uint32_t rank = number - word(offset_word);
        const std::uint32_t place = word(place_word) + rank;
        Element element = encoded(order.key, order.direction, k.read(0, place));
        if (!indexed) return element;
        std::uint32_t& item = element[form.words()];
        if (form.packed())
            item = number;
        else
            item = place < word(end_of_leading_word) ? place : k.read(1, place)[0];
        return element;
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

/// How many portions the sources have.
std::uint32_t portions_of(const SceneSpec& spec, std::uint32_t portion) {
    std::uint32_t portions = 0;
    for (const SceneSource& source : spec.sources)
        portions += records_for(source.capacity, portion);
    return portions;
}

}  // namespace

std::optional<Fronts> fronts_of(const SceneSpec& spec, const Limits& limits) {
    // Loads use the highest bit of a place as a mark (GLSORT_STORED_ITEM).
    constexpr std::uint32_t most = 1u << 31;
    if (spec.backend != Backend::compute || items_of(spec) >= most || limits.storage_blocks < blocks_of_sorts)
        return std::nullopt;
    const auto has_blocks_for = [&](bool counts_digits) {
        return limits.storage_blocks >=
               front_key_blocks(counts_digits) + most_buffers_of(spec) + SceneResults{}.blocks();
    };
    const SortSpec sort = sort_spec(spec, limits);
    const PlanRequest request{.spec = sort, .n = sort.capacity, .limits = limits};
    if (const auto digits = counted_digits(request); digits && has_blocks_for(true)) {
        const std::uint32_t portion = portion_of(items_of(spec), true, limits);
        return Fronts{portion, portions_of(spec, portion), digits};
    }
    const std::uint32_t portion = portion_of(items_of(spec), false, limits);
    const std::uint32_t fronts = portions_of(spec, portion);
    if (fronts > tuning_of(limits).most_fronts || !has_blocks_for(false) || !takes_source(request)) return std::nullopt;
    return Fronts{portion, fronts, {}};
}

std::shared_ptr<const ElementSource> front_source(const SceneSpec& spec, const Limits& limits) {
    const std::optional<Fronts> fronts = fronts_of(spec, limits);
    if (!fronts) return nullptr;
    const KeyForm form = key_form(spec);
    const std::uint32_t places = items_of(spec);
    ElementSource source;
    source.digits = fronts->digits;
    source.stores_keys = form.packed() || reads_keys(spec);
    source.end_of_values = items_of(spec);
    source.add_stream("front_keys", form.words(), places);
    if (!form.packed()) source.add_stream("front_items", 1, places);
    source.add_stream("fronts", 1, words_of_fronts(fronts->fronts));
    source.load = [form, order = form.order(spec.direction), portion = fronts->digits ? 0 : fronts->portion](
                      const ElementType& type, std::uint32_t elements) {
        return front_chunk(form, order, portion, type.indexed(), elements);
    };
    return std::make_shared<ElementSource>(std::move(source));
}

#else
std::shared_ptr<const ElementSource> front_source(const SceneSpec&, const Limits&) {
    return nullptr;
}
#endif

}  // namespace glsort::scene
