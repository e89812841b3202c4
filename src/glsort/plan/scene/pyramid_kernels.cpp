#include <fmt/format.h>

#include <glsort/plan/element_type.h>
#include <glsort/plan/scene/pyramid_kernels.h>
#include <glsort/plan/scene/pyramid_streams.h>
#include <glsort/plan/scene/sort_key.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace glsort::scene {
namespace {

Port gathered(const char* name, std::uint32_t words, std::uint32_t elements) {
    return {.name = name, .access = Access::gather, .words = words, .elements = elements, .role = PortRole::other};
}
Port written(const char* name, std::uint32_t words) {
    return {.name = name, .words = words, .role = PortRole::other};
}

/// What shaders/scene/keyed.glsl expects.
void add_keyed_defines(Kernel& kernel, const KeyForm& form) {
    kernel.defines.emplace_back("GLSORT_KEY_WORDS", fmt::format("{}", form.words()));
    if (form.marked()) kernel.defines.emplace_back("GLSORT_MARKED", "1");
}

KernelPtr shared(Kernel&& kernel) {
    return std::make_shared<Kernel>(std::move(kernel));
}

std::uint32_t sum_of(const Element& counts) {
    return counts[0] + counts[1] + counts[2] + counts[3];
}
Element bit_counts(Element words) {
    for (std::uint32_t& word : words)
        word = static_cast<std::uint32_t>(std::popcount(word));
    return words;
}

/// The pyramid as an instance sees it. `scene_find` has the header as parameters, other ops read the header.
struct Pyramid {
    CpuInvocation& k;
    bool header_is_read = true;

    std::uint32_t header(std::uint32_t number) const {
        return header_is_read ? k.read(found_items, number + 1)[0] : k.parameter(number);
    }
    Element record_at(std::uint32_t level, std::uint32_t number) const {
        return k.read(level % 2 != 0 ? odd_levels : even_levels, header(level) + number);
    }
    std::uint32_t visible_items() const { return sum_of(record_at(header(0), 0)); }
    /// Where visible item `left` of the scene lies: the record of level 1, and how many visible items of this record
    /// come before the item.
    std::array<std::uint32_t, 2> descend(std::uint32_t left) const;
    /// The number of an item. `visible`: how many visible items come before the item.
    std::uint32_t item(std::uint32_t visible) const;
};

/// The word of a record that contains visible item number `left` of the record, counted from 0. Subtracts the items of
/// the earlier words from `left`.
std::uint32_t part_of(const Element& counts, std::uint32_t& left) {
    std::uint32_t part = 0;
    for (; left >= counts[part]; ++part)
        left -= counts[part];
    return part;
}

std::array<std::uint32_t, 2> Pyramid::descend(std::uint32_t left) const {
    std::uint32_t number = 0;
    for (std::uint32_t level = header(0); level > 1; --level) {
        const Element counts = record_at(level, number);
        number = fan * number + part_of(counts, left);
    }
    return {number, left};
}

std::uint32_t Pyramid::item(std::uint32_t visible) const {
    auto [record, left] = descend(visible);
    const Element bits = record_at(1, record);
    const std::uint32_t word = part_of(bit_counts(bits), left);
    std::uint32_t place = 0;
    for (; left > 0 || (bits[word] >> place & 1) == 0; ++place)
        left -= bits[word] >> place & 1;
    return items_of_record * record + 32 * word + place;
}

/// The specification of shaders/scene/scene_gather.glsl.
void gather(CpuInvocation& k, const KeyForm& form) {
    const std::uint32_t key_words = form.words();
    Element result{};
    result[key_words] = no_item;
    const Pyramid pyramid{k};
    if (k.instance < pyramid.visible_items()) {
        const std::uint32_t number = pyramid.item(k.instance);
        result = k.read(keyed_items, number);
        result[key_words] = number;
    }
    if (form.packed()) result = {result[1] == no_item ? no_item : result[0] << form.item_bits | result[1]};
    k.write(0, 0, result);
}

/// About how many records an instance reads, of all levels, while it finds neighbours.
std::uint32_t fetches(std::size_t levels) {
    return static_cast<std::uint32_t>(levels) + 4;
}

std::vector<Port> level_ports(std::size_t levels) {
    return {gathered("odd", fan, fetches(levels) / 2), gathered("even", fan, fetches(levels) / 2)};
}

/// `header`: the GLSL of word `number` of the header.
void add_search_defines(std::vector<std::pair<std::string, std::string>>& defines, std::uint32_t neighbours,
                        const char* header) {
    defines.emplace_back("GLSORT_NEIGHBOURS", literal(neighbours));
    defines.emplace_back("GLSORT_HEADER_RECORDS", literal(header_records));
    defines.emplace_back("GLSORT_HEADER(number)", header);
}

/// Declares what ops after `scene_find` read to find visible items: the levels, what `scene_find` found, and the keys.
/// `elements`: how many items an instance finds.
void declare_finding(std::vector<Port>& inputs, std::vector<std::pair<std::string, std::string>>& defines,
                     const KeyForm& form, std::size_t levels, std::uint32_t neighbours, std::uint32_t elements) {
    inputs = level_ports(levels);
    inputs.push_back(gathered("found", 1, any_elements));
    inputs.push_back(gathered("keyed", form.words_with_visibility(), elements));
    add_search_defines(defines, neighbours, "glsort_found_gather((number) + 1u)");
}

}  // namespace

std::vector<Level> levels_above(std::uint32_t items) {
    std::vector<Level> levels{{0, records_for(items, items_of_record)}};
    std::array<std::uint32_t, 2> used{levels.front().size};
    for (std::uint32_t numbers = levels.front().size;; numbers = levels.back().size) {
        std::uint32_t& begin = used[levels.size() % 2];
        levels.push_back({begin, records_for(numbers, fan)});
        begin += levels.back().size;
        if (levels.back().size == 1) return levels;
    }
}

KernelPtr take_count_kernel() {
    Kernel kernel;
    kernel.name = "scene_take_count";
    kernel.inputs = {gathered("given", 1, 1)};
    kernel.outputs = {written("taken", 2)};
    kernel.parameters = {{"capacity"}};
    kernel.cpu = [](CpuInvocation& k) {
        const std::uint32_t given = k.read(0, 0)[0];
        const std::uint32_t capacity = k.parameter(0);
        k.write(0, 0, {std::min(given, capacity), given > capacity ? 1u : 0u});
    };
    return shared(std::move(kernel));
}

KernelPtr key_record_kernel(const SceneSource& source, const KeyForm& form) {
    Kernel kernel;
    kernel.name = "scene_key_record";
    kernel.parameters = {{"count"}, {"base"}, {"place"}};
    const StoredKey stored_key = declare_sort_key(kernel, source, form);
    if (source.gpu_count) kernel.inputs.push_back(gathered("counts", 2, 1));
    kernel.outputs = {written("keyed", form.words_with_visibility())};
    if (source.gpu_count) kernel.defines.emplace_back("GLSORT_GPU_COUNT", "1");
    add_keyed_defines(kernel, form);
    kernel.body = "scene_key_record";
    kernel.cpu = [source, stored_key, form](CpuInvocation& k) {
        const std::uint32_t element = k.instance - k.parameter(1);
        const std::uint32_t count = source.gpu_count ? k.read(source.inputs.size(), k.parameter(2))[0] : k.parameter(0);
        const std::optional<Element> found = element < count ? stored_key(k, element) : std::nullopt;
        Element record = found.value_or(form.marked() ? Element{KeyForm::invisible_key} : Element{});
        if (!form.marked()) record[form.words()] = found ? 1 : 0;
        k.write(0, 0, record);
    };
    return shared(std::move(kernel));
}

KernelPtr bits_kernel(const KeyForm& form) {
    Kernel kernel;
    kernel.name = "scene_bits";
    kernel.inputs = {gathered("keyed", form.words_with_visibility(), items_of_record)};
    kernel.outputs = {written("bits", fan)};
    kernel.parameters = {{"items"}};
    add_keyed_defines(kernel, form);
    kernel.cpu = [form](CpuInvocation& k) {
        const std::uint32_t first = items_of_record * k.instance;
        Element bits{};
        for (std::uint32_t i = 0; i < items_of_record && first + i < k.parameter(0); ++i)
            bits[i / 32] |= (form.is_visible(k.read(0, first + i)) ? 1u : 0u) << i % 32;
        k.write(0, 0, bits);
    };
    return shared(std::move(kernel));
}

KernelPtr sum_kernel(bool of_bits) {
    Kernel kernel;
    kernel.name = "scene_sum";
    kernel.inputs = {gathered("below", fan, fan)};
    kernel.outputs = {written("sums", fan)};
    kernel.parameters = {{"size"}, {"below"}, {"begin"}};
    if (of_bits) kernel.defines.emplace_back("GLSORT_OF_BITS", "1");
    kernel.cpu = [of_bits](CpuInvocation& k) {
        Element sums{};
        for (std::uint32_t i = 0; i < fan; ++i) {
            const std::uint32_t record = (k.instance - k.parameter(2)) * fan + i;
            if (record >= k.parameter(0)) continue;
            const Element counts = k.read(0, k.parameter(1) + record);
            sums[i] = sum_of(of_bits ? bit_counts(counts) : counts);
        }
        k.write(0, 0, sums);
    };
    return shared(std::move(kernel));
}

KernelPtr find_kernel(std::size_t levels, std::uint32_t neighbours) {
    Kernel kernel;
    kernel.name = "scene_find";
    kernel.inputs = level_ports(levels);
    kernel.outputs = {written("found", 1)};
    kernel.parameters = {{"levels"}};
    for (std::size_t level = 1; level <= max_levels; ++level)
        kernel.parameters.push_back({fmt::format("begin_{}", level)});
    add_search_defines(kernel.defines, neighbours, "glsort_op_parameter(number)");
    kernel.cpu = [neighbours](CpuInvocation& k) {
        const Pyramid pyramid{k, false};
        if (k.instance == 0) return k.write(0, 0, {pyramid.visible_items()});
        if (k.instance < header_records) return k.write(0, 0, {pyramid.header(k.instance - 1)});
        const std::uint32_t first = neighbours * (k.instance - header_records);
        k.write(0, 0, {first < pyramid.visible_items() ? pyramid.item(first) : 0});
    };
    return shared(std::move(kernel));
}

KernelPtr gather_kernel(const KeyForm& form, std::size_t levels, std::uint32_t neighbours) {
    const std::uint32_t key_words = form.words();
    Kernel kernel;
    kernel.name = "scene_gather";
    declare_finding(kernel.inputs, kernel.defines, form, levels, neighbours, 1);
    kernel.outputs = {written("target", form.packed() ? 1 : key_words + 1)};
    add_keyed_defines(kernel, form);
    if (form.packed()) kernel.defines.emplace_back("GLSORT_ITEM_BITS", literal(form.item_bits));
    kernel.cpu = [form](CpuInvocation& k) { gather(k, form); };
    return shared(std::move(kernel));
}

std::shared_ptr<const Chunk> visible_chunk(const KeyForm& form, const SortOrder& order, std::size_t levels,
                                           std::uint32_t neighbours, std::uint32_t elements) {
    Chunk chunk;
    chunk.name = "load_visible";
    declare_finding(chunk.inputs, chunk.defines, form, levels, neighbours, elements);
    for (auto& define : key_defines(order.key, order.direction))
        chunk.defines.push_back(std::move(define));
    if (form.marked()) chunk.defines.emplace_back("GLSORT_MARKED", "1");
    chunk.load = [order, words = form.words()](CpuInvocation& k, std::uint32_t number) {
        const std::uint32_t item = Pyramid{k}.item(number);
        Element element = encoded(order.key, order.direction, k.read(keyed_items, item));
        element[words] = item;
        return element;
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

KernelPtr status_kernel(bool counts) {
    Kernel kernel;
    kernel.name = "scene_status";
    kernel.inputs = {gathered("sums", fan, 1)};
    if (counts) kernel.inputs.push_back(gathered("counts", 2, any_elements));
    kernel.outputs = {written("scene_status", 4)};
    kernel.parameters = {{"last"}, {"counts"}};
    if (counts) kernel.defines.emplace_back("GLSORT_GPU_COUNT", "1");
    kernel.cpu = [](CpuInvocation& k) {
        std::uint32_t clamped = 0;
        for (std::uint32_t i = 0; i < k.parameter(1); ++i)
            clamped |= k.read(1, i)[1];
        k.write(0, 0, {sum_of(k.read(0, k.parameter(0))), clamped, 0, 0});
    };
    return shared(std::move(kernel));
}

}  // namespace glsort::scene
