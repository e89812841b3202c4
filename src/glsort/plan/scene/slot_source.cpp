#include <glsort/plan/algorithm.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sort.h>
#include <glsort/plan/scene/slot_kernels.h>
#include <glsort/plan/scene/slot_source.h>
#include <glsort/plan/scene/source_ops.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <utility>

namespace glsort::scene {

// Conditional compilation: kernels of groups that are not built cannot be linked.
#if GLSORT_GROUPS
namespace {

/// Storage blocks of a sweep that reads slots and writes the result.
constexpr std::uint32_t blocks_of_first_sweep = 6;
// Inputs of the chunk.
enum : std::size_t { loaded_slots, loaded_marks };

/// The specification of shaders/scene/load_slot.glsl.
std::shared_ptr<const Chunk> slot_chunk(const KeyForm& form, const SortOrder& order, const SlotMarks& marks,
                                        std::uint32_t elements) {
    Chunk chunk;
    chunk.name = "load_slot";
    chunk.inputs = {{.name = "slots",
                     .access = Access::gather,
                     .words = form.words(),
                     .elements = elements,
                     .role = PortRole::keys},
                    {.name = "marks", .access = Access::gather, .elements = elements, .role = PortRole::other}};
    chunk.defines = key_defines(order.key, order.direction);
    chunk.defines.emplace_back("GLSORT_MARKED", "1");
    chunk.defines.emplace_back("GLSORT_SCENE_TILE", literal(tile));
    chunk.defines.emplace_back("GLSORT_MARK_BITS", literal(marks.bits));
    chunk.defines.emplace_back("GLSORT_MARK_WORDS", literal(marks.words()));
    chunk.load = [form, order, marks](CpuInvocation& k, std::uint32_t slot) {
        Element element = encoded(order.key, order.direction, k.read(loaded_slots, slot));
        if (!form.packed())
            element[form.words()] =
                k.read(loaded_marks, slot / tile * marks.words() + marks.first_item_word())[0] + slot % tile;
        return element;
    };
    chunk.is_there = [marks](CpuInvocation& k, std::uint32_t slot) {
        const std::uint32_t word = slot / tile * marks.words() + slot % tile / marks.bits;
        return (k.read(loaded_marks, word)[0] >> slot % marks.bits & 1) != 0;
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

}  // namespace

std::optional<DigitCounts> slot_digits(const SceneSpec& spec, const Limits& limits) {
    // The gaps between sources add up.
    constexpr std::uint32_t most = 1u << 30;
    if (spec.backend != Backend::compute || items_of(spec) >= most ||
        limits.storage_blocks <
            std::max(blocks_of_first_sweep, last_slot_key_blocks + most_buffers_of(spec) + SceneResults{}.blocks()))
        return std::nullopt;
    const SortSpec sort = sort_spec(spec, limits);
    return counted_digits({.spec = sort, .n = sort.capacity, .limits = limits}, tiles_of(spec) * tile);
}

std::shared_ptr<const ElementSource> slot_source(const SceneSpec& spec, const Limits& limits) {
    const std::optional<DigitCounts> digits = slot_digits(spec, limits);
    if (!digits) return nullptr;
    const KeyForm form = key_form(spec);
    const SlotMarks marks = slot_marks(limits);
    const std::uint32_t tiles = tiles_of(spec);
    ElementSource source;
    source.digits = *digits;
    source.places = tiles * tile;
    source.add_stream("slots", form.words(), source.places);
    source.add_stream("marks", 1, tiles * marks.words());
    source.load = [form, order = form.order(spec.direction), marks](const ElementType&, std::uint32_t elements) {
        return slot_chunk(form, order, marks, elements);
    };
    return std::make_shared<ElementSource>(std::move(source));
}

#else
std::shared_ptr<const ElementSource> slot_source(const SceneSpec&, const Limits&) {
    return nullptr;
}
#endif

}  // namespace glsort::scene
