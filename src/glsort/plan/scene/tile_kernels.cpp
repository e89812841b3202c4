#include <glsort/plan/scene/sort_key.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

namespace glsort::scene {
namespace {

// Outputs of scene_key, inputs and outputs of the others.
enum : std::size_t { keys_port, marks_port };

// Parameters of scene_key.
enum : std::size_t { count_parameter, base_parameter, first_tile_parameter };

std::uint32_t invocations_of(const Limits& limits) {
    return std::min(std::bit_floor(limits.invocations), 256u);
}

Kernel group_of(const char* name, const Limits& limits) {
    Kernel kernel;
    kernel.name = name;
    kernel.group_size = invocations_of(limits);
    kernel.defines = {{"GLSORT_SCENE_TILE", literal(tile)}, {"GLSORT_MARK_WORDS", literal(mark_words)}};
    return kernel;
}

Port marks(Access access) {
    return {.name = "marks", .access = access, .elements = mark_words, .role = PortRole::other};
}

/// The specification of shaders/scene/scene_key.glsl.
void write_keys(CpuInvocation& k, const SceneSource& source, const KeyForm& form, const StoredKey& stored_key) {
    const std::uint32_t limit = k.parameter(count_parameter);
    const std::uint32_t given = source.gpu_count ? k.read(source.inputs.size(), 0)[0] : limit;
    const std::uint32_t count = std::min(given, limit);
    std::array<std::uint32_t, mark_words> mark{};
    for (std::uint32_t i = 0; i < tile; ++i) {
        const std::uint32_t element = k.instance * tile + i;
        if (element >= count) continue;
        std::optional<Element> key = stored_key(k, element);
        if (!key) continue;
        const std::uint32_t item = k.parameter(base_parameter) + element;
        if (form.packed()) key->front() = key->front() << form.item_bits | item;
        k.scatter(keys_port, item, *key);
        mark[i / 32] |= 1u << i % 32;
        ++mark[visible_word];
    }
    mark[clamped_word] = given > limit ? 1 : 0;
    for (std::uint32_t word = 0; word < mark_words; ++word)
        k.scatter(marks_port, (k.parameter(first_tile_parameter) + k.instance) * mark_words + word, {mark[word]});
}

/// The specification of shaders/scene/scene_scan.glsl.
void scan(CpuInvocation& k) {
    std::uint32_t sum = 0;
    std::uint32_t clamped = 0;
    for (std::uint32_t i = 0; i < k.parameter(0); ++i) {
        k.scatter(0, i, {sum});
        sum += k.read(0, i * mark_words + visible_word)[0];
        clamped |= k.read(0, i * mark_words + clamped_word)[0];
    }
    k.scatter(0, k.parameter(0), {sum});
    const std::array<std::uint32_t, 4> status{sum, clamped, 0, 0};
    for (std::uint32_t i = 0; i < status.size(); ++i)
        k.scatter(1, i, {status[i]});
}

/// The specification of shaders/scene/scene_compact.glsl.
void compact(CpuInvocation& k, bool items) {
    const std::size_t first_input = items ? 0 : 1;
    std::uint32_t place = k.read(first_input + 1, k.instance)[0];
    for (std::uint32_t i = 0; i < tile; ++i) {
        const std::uint32_t word = k.read(first_input, k.instance * mark_words + i / 32)[0];
        if ((word >> i % 32 & 1) == 0) continue;
        const std::uint32_t item = k.instance * tile + i + k.block_parameter(0);
        k.scatter(0, place++, items ? Element{item} : k.read(0, item));
    }
}

}  // namespace

KernelPtr key_kernel(const SceneSource& source, const KeyForm& form, const Limits& limits) {
    Kernel kernel = group_of("scene_key", limits);
    kernel.parameters = {{"count"}, {"base"}, {"first_tile"}};
    const StoredKey stored_key = declare_sort_key(kernel, source, form);
    if (source.gpu_count)
        kernel.inputs.push_back({.name = "gpu_count", .access = Access::gather, .role = PortRole::other});
    kernel.outputs = {
        {.name = "keys", .access = Access::scatter, .words = form.words(), .elements = tile, .role = PortRole::keys},
        marks(Access::scatter)};
    if (source.gpu_count) kernel.defines.emplace_back("GLSORT_GPU_COUNT", "1");
    if (form.packed()) kernel.defines.emplace_back("GLSORT_ITEM_BITS", literal(form.item_bits));
    kernel.shared_words = bit_words;
    kernel.body = "scene_key";
    kernel.cpu = [source, form, stored_key](CpuInvocation& k) { write_keys(k, source, form, stored_key); };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr scan_kernel(const Limits& limits) {
    Kernel kernel;
    kernel.name = "scene_scan";
    kernel.group_size = invocations_of(limits);
    constexpr std::uint32_t row = 16;
    kernel.defines = {{"GLSORT_MARK_WORDS", literal(mark_words)}, {"GLSORT_SCAN_ROW", literal(row)}};
    kernel.inputs = {marks(Access::gather)};
    kernel.inputs.front().elements = any_elements;
    kernel.outputs = {
        {.name = "offsets", .access = Access::scatter, .elements = any_elements, .role = PortRole::offsets},
        {.name = "scene_status", .access = Access::scatter, .elements = 4, .role = PortRole::other}};
    kernel.parameters = {{"tiles"}};
    kernel.shared_words = kernel.group_size + kernel.group_size / row + 1;
    kernel.cpu = [](CpuInvocation& k) { scan(k); };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr compact_kernel(bool items, std::uint32_t key_words, const Limits& limits) {
    Kernel kernel = group_of("scene_compact", limits);
    if (!items)
        kernel.inputs.push_back(
            {.name = "keys", .access = Access::gather, .words = key_words, .elements = tile, .role = PortRole::keys});
    kernel.inputs.push_back(marks(Access::gather));
    kernel.inputs.push_back({.name = "offsets", .access = Access::gather, .role = PortRole::offsets});
    kernel.outputs = {{.name = "target",
                       .access = Access::scatter,
                       .words = items ? 1 : key_words,
                       .elements = tile,
                       .role = items ? PortRole::values : PortRole::keys}};
    kernel.block_parameters = {{"shift"}};
    kernel.usual_blocks = 1;
    if (items) kernel.defines.emplace_back("GLSORT_ITEMS", "1");
    kernel.shared_words = bit_words;
    kernel.cpu = [items](CpuInvocation& k) { compact(k, items); };
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace glsort::scene
