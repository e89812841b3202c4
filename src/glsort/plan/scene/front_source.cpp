#include <glsort/plan/algorithm.h>
#include <glsort/plan/scene/front_source.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sort.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <string>
#include <utility>

namespace glsort::scene {

// Conditional compilation: kernels of groups that are not built cannot be linked.
#if GLSORT_GROUPS
namespace {

/// Storage blocks of a sweep that reads fronts and writes the result.
constexpr std::uint32_t blocks_of_first_sweep = 8;
/// Storage blocks of the library in `scene_key`, if the fronts serve the sort.
constexpr std::size_t blocks_of_keys = 5;

/// Storage blocks that `scene_key` needs for the source with the most buffers.
std::size_t blocks_of_keys_and_inputs(const SceneSpec& spec) {
    std::size_t most = 0;
    for (const SceneSource& source : spec.sources) {
        std::size_t buffers = source.gpu_count && source.gpu_count_medium == Medium::buffer ? 1 : 0;
        for (const SceneInput& input : source.inputs)
            buffers += input.medium == Medium::buffer ? 1 : 0;
        most = std::max(most, buffers);
    }
    return blocks_of_keys + most;
}

Port of_fronts(const char* name, std::uint32_t words, std::uint32_t elements, PortRole role) {
    return {.name = name, .access = Access::gather, .words = words, .elements = elements, .role = role};
}

/// The specification of shaders/scene/load_front.glsl.
Element front_element(CpuInvocation& k, const KeyForm& form, const SortOrder& order, std::uint32_t together,
                      std::uint32_t index) {
    constexpr std::size_t marks = 2;
    const std::size_t offsets = form.packed() ? 1 : 3;
    const std::uint32_t tiles = k.read(offsets, tiles_word)[0];
    const auto start_of = [&](std::uint32_t number) {
        return k.read(offsets, first_offset_word + number)[0] +
               k.read(offsets, first_offset_word + tiles + number / together)[0];
    };
    // The last tile with at most so many visible items before it.
    std::uint32_t low = 0;
    for (std::uint32_t high = tiles - 1; low < high;) {
        const std::uint32_t middle = low + (high - low + 1) / 2;
        if (start_of(middle) <= index)
            low = middle;
        else
            high = middle - 1;
    }
    const std::uint32_t rank = index - start_of(low);
    Element element = encoded(order.key, order.direction, k.read(0, low * tile + rank));
    if (form.packed()) return element;
    const std::uint32_t visible = k.read(marks, low * mark_words + visible_word)[0] & ~clamped_bit;
    element[form.words()] =
        visible < tile ? k.read(1, low * tile + rank)[0] : k.read(marks, low * mark_words + first_item_word)[0] + rank;
    return element;
}

std::shared_ptr<const Chunk> front_chunk(const KeyForm& form, const SortOrder& order, std::uint32_t together,
                                         std::uint32_t elements) {
    Chunk chunk;
    chunk.name = "load_front";
    chunk.inputs = {of_fronts("fronts", form.words(), elements, PortRole::keys)};
    chunk.defines = key_defines(order.key, order.direction);
    if (!form.packed()) {
        chunk.inputs.push_back(of_fronts("front_items", 1, elements, PortRole::values));
        chunk.inputs.push_back(of_fronts("front_marks", 1, 2, PortRole::other));
        chunk.defines.emplace_back("GLSORT_MARK_WORDS", literal(mark_words));
    }
    chunk.inputs.push_back(of_fronts("front_offsets", 1, first_offset_word, PortRole::other));
    chunk.defines.emplace_back("GLSORT_LOADS_TILES", "1");
    chunk.defines.emplace_back("GLSORT_SCENE_TILE", literal(tile));
    chunk.defines.emplace_back("GLSORT_TILES_TOGETHER", literal(together));
    chunk.load = [form, order, together](CpuInvocation& k, std::uint32_t index) {
        return front_element(k, form, order, together, index);
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

}  // namespace

std::uint32_t tiles_of(const SceneSpec& spec) {
    std::uint32_t tiles = 0;
    for (const SceneSource& source : spec.sources)
        tiles += records_for(source.capacity, tile);
    return tiles;
}

std::uint32_t offset_words(std::uint32_t tiles, const Limits& limits) {
    return first_offset_word + tiles + records_for(tiles, tiles_together(limits));
}

std::optional<DigitCounts> front_digits(const SceneSpec& spec, const Limits& limits) {
    // Places in fronts are numbers of 32 bits, and gaps between sources add up.
    constexpr std::uint32_t most = 1u << 30;
    if (spec.backend != Backend::compute || !tuning_of(limits).sorts_fronts || items_of(spec) >= most ||
        limits.storage_blocks < std::max<std::size_t>(blocks_of_first_sweep, blocks_of_keys_and_inputs(spec)))
        return std::nullopt;
    const SortSpec sort = sort_spec(spec, limits);
    return counted_digits({.spec = sort, .n = sort.capacity, .limits = limits});
}

std::shared_ptr<const ElementSource> front_source(const SceneSpec& spec, const Limits& limits) {
    const std::optional<DigitCounts> digits = front_digits(spec, limits);
    if (!digits) return nullptr;
    const KeyForm form = key_form(spec);
    const std::uint32_t tiles = tiles_of(spec);
    const auto input = [](const char* name, std::uint32_t words, std::uint32_t records) {
        return Stream{.name = name, .role = StreamRole::input, .words = words, .records = records, .layout = {}};
    };
    ElementSource source;
    source.digits = *digits;
    source.streams = {input("fronts", form.words(), tiles * tile)};
    if (!form.packed()) {
        source.streams.push_back(input("front_items", 1, tiles * tile));
        source.streams.push_back(input("marks", 1, tiles * mark_words));
    }
    source.streams.push_back(input("offsets", 1, offset_words(tiles, limits)));
    source.load = [form, order = form.order(spec.direction), together = tiles_together(limits)](
                      const ElementType&, std::uint32_t elements) {
        return front_chunk(form, order, together, elements);
    };
    return std::make_shared<ElementSource>(std::move(source));
}

#else
std::shared_ptr<const ElementSource> front_source(const SceneSpec&, const Limits&) {
    return nullptr;
}
#endif

}  // namespace glsort::scene
