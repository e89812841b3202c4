#include <glsort/plan/group_scan.h>
#include <glsort/plan/scene/sort_key.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace glsort::scene {
namespace {

// Outputs of scene_key.
enum : std::size_t { keys_port, marks_port };

Kernel kernel_of_groups(const char* name, const Limits& limits) {
    Kernel kernel;
    kernel.name = name;
    kernel.group_size = invocations_of(limits, tuning_of(limits).tile_invocations);
    kernel.defines = {{"GLSORT_SCENE_TILE", literal(tile)}, {"GLSORT_MARK_WORDS", literal(mark_words)}};
    return kernel;
}

Port marks(Access access) {
    return {.name = "marks", .access = access, .elements = mark_words, .role = PortRole::other};
}

/// What a body of scene_key depends on.
struct KeyBody {
    SceneSource source;
    KeyForm form;
    StoredKey stored_key;
};

/// The specification of shaders/scene/scene_key.glsl.
void write_keys(CpuInvocation& k, const KeyBody& body) {
    const KeyForm& form = body.form;
    const std::uint32_t limit = k.parameter(key_count_parameter);
    const std::uint32_t given = body.source.gpu_count ? k.read(body.source.inputs.size(), 0)[0] : limit;
    const std::uint32_t count = std::min(given, limit);
    const std::uint32_t first = k.parameter(key_base_parameter) + k.instance * tile;
    std::array<std::uint32_t, mark_words> mark{};
    std::uint32_t& visible = mark[visible_word];
    for (std::uint32_t i = 0; i < tile; ++i) {
        const std::uint32_t element = k.instance * tile + i;
        if (element >= count) continue;
        std::optional<Element> key = body.stored_key(k, element);
        if (!key) continue;
        if (form.packed()) key->front() = key->front() << form.item_bits | (first + i);
        k.scatter(keys_port, first + visible, *key);
        mark[i / 32] |= 1u << i % 32;
        ++visible;
    }
    if (given > limit) visible |= clamped_bit;
    for (std::uint32_t word = 0; word < mark_words; ++word)
        k.scatter(marks_port, (k.parameter(key_first_tile_parameter) + k.instance) * mark_words + word, {mark[word]});
}

// Parameters of scene_scan.
enum : std::size_t { tiles_parameter, groups_parameter };

// Outputs of scene_scan.
enum : std::size_t { scan_offsets_port };

/// Adds up the sums of all groups.
void scan_groups(CpuInvocation& k, const ResultsBody& results, std::uint32_t tiles, std::uint32_t groups) {
    std::uint32_t sum = 0;
    std::uint32_t clamped = 0;
    for (std::uint32_t group = 0; group < groups; ++group) {
        const std::uint32_t place = first_offset_word + tiles + group;
        const std::uint32_t word = k.shared(scan_offsets_port, place)[0];
        k.scatter(scan_offsets_port, place, {sum});
        sum += word & ~clamped_bit;
        clamped |= word & clamped_bit;
    }
    k.scatter(scan_offsets_port, groups_done_word, {});
    results(k, sum, clamped != 0);
}

/// The specification of shaders/scene/scene_scan.glsl.
void scan(CpuInvocation& k, const ResultsBody& results, std::uint32_t together) {
    const std::uint32_t tiles = k.parameter(tiles_parameter);
    const std::uint32_t groups = k.parameter(groups_parameter);
    const std::uint32_t first = k.instance * together;
    std::uint32_t sum = 0;
    std::uint32_t clamped = 0;
    for (std::uint32_t i = first; i < std::min(first + together, tiles); ++i) {
        k.scatter(scan_offsets_port, first_offset_word + i, {sum});
        const std::uint32_t word = k.read(0, i * mark_words + visible_word)[0];
        sum += word & ~clamped_bit;
        clamped |= word & clamped_bit;
    }
    k.scatter(scan_offsets_port, first_offset_word + tiles + k.instance, {sum | clamped});
    if (k.add(scan_offsets_port, groups_done_word, 1) + 1 == groups) scan_groups(k, results, tiles, groups);
}

/// The specification of shaders/scene/scene_compact.glsl.
void compact(CpuInvocation& k, Compacted what, std::uint32_t together) {
    const bool keys = what != Compacted::items;
    const std::size_t items_port = keys ? 1 : 0;
    const std::size_t first_input = keys ? 1 : 0;
    const std::uint32_t first = k.instance * tile + k.block_parameter(0);
    const std::uint32_t sums = k.parameter(0);
    const std::uint32_t start = k.read(first_input + 1, first_offset_word + k.instance)[0] +
                                k.read(first_input + 1, first_offset_word + sums + k.instance / together)[0];
    std::uint32_t rank = 0;
    for (std::uint32_t i = 0; i < tile; ++i) {
        const std::uint32_t word = k.read(first_input, k.instance * mark_words + i / 32)[0];
        if ((word >> i % 32 & 1) == 0) continue;
        if (keys) k.scatter(0, start + rank, k.read(0, first + rank));
        if (what != Compacted::keys) k.scatter(items_port, start + rank, {first + i});
        ++rank;
    }
}

}  // namespace

KernelPtr key_kernel(const SceneSource& source, const KeyForm& form, const Limits& limits) {
    Kernel kernel = kernel_of_groups("scene_key", limits);
    kernel.parameters = {{"count"}, {"base"}, {"first_tile"}};
    const StoredKey stored_key = declare_sort_key(kernel, source, form);
    if (source.gpu_count)
        kernel.inputs.push_back({.name = "gpu_count", .access = Access::gather, .role = PortRole::other});
    kernel.outputs = {
        {.name = "keys", .access = Access::scatter, .words = form.words(), .elements = tile, .role = PortRole::keys},
        marks(Access::scatter)};
    kernel.defines.emplace_back("GLSORT_KEY_WORDS", std::to_string(form.words()));
    kernel.defines.emplace_back("GLSORT_CLAMPED", literal(clamped_bit));
    if (source.gpu_count) kernel.defines.emplace_back("GLSORT_GPU_COUNT", "1");
    if (form.packed()) kernel.defines.emplace_back("GLSORT_ITEM_BITS", literal(form.item_bits));
    kernel.shared_words = 2 * bit_words;
    kernel.body = "scene_key";
    const KeyBody body{source, form, stored_key};
    kernel.cpu = [body](CpuInvocation& k) { write_keys(k, body); };
    return std::make_shared<Kernel>(std::move(kernel));
}

std::uint32_t tiles_of(const SceneSpec& spec) {
    std::uint32_t tiles = 0;
    for (const SceneSource& source : spec.sources)
        tiles += records_for(source.capacity, tile);
    return tiles;
}

std::uint32_t tiles_together(const Limits& limits) {
    const Tuning& tuning = tuning_of(limits);
    return tuning.scanned_tiles * invocations_of(limits, tuning.scan_invocations);
}

KernelPtr scan_kernel(const SceneResults& results, const Limits& limits) {
    const std::uint32_t together = tiles_together(limits);
    Kernel kernel;
    kernel.name = kernel.body = "scene_scan";
    kernel.group_size = invocations_of(limits, tuning_of(limits).scan_invocations);
    kernel.defines = {{"GLSORT_CLAMPED", literal(clamped_bit)},
                      {"GLSORT_MARK_WORDS", literal(mark_words)},
                      {"GLSORT_TILES_TOGETHER", literal(together)}};
    kernel.inputs = {marks(Access::gather)};
    kernel.inputs.front().elements = together;
    kernel.outputs = {{.name = "offsets", .access = Access::shared, .elements = together, .role = PortRole::other}};
    kernel.parameters = {{"tiles"}, {"groups"}};
    kernel.shared_words = 2;
    declare_group_scan(kernel, limits);
    const ResultsBody body = declare_results(kernel, results);
    kernel.cpu = [body, together](CpuInvocation& k) { scan(k, body, together); };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr compact_kernel(Compacted what, std::uint32_t key_words, const Limits& limits) {
    Kernel kernel = kernel_of_groups("scene_compact", limits);
    const auto moved = [](const char* name, Access access, std::uint32_t words, PortRole role) {
        return Port{.name = name, .access = access, .words = words, .elements = tile, .role = role};
    };
    if (what != Compacted::items) {
        kernel.inputs.push_back(moved("keys", Access::gather, key_words, PortRole::keys));
        kernel.outputs.push_back(moved("target_keys", Access::scatter, key_words, PortRole::keys));
        kernel.defines.emplace_back("GLSORT_KEYS", "1");
    }
    if (what != Compacted::keys) {
        kernel.outputs.push_back(moved("target_items", Access::scatter, 1, PortRole::values));
        kernel.defines.emplace_back("GLSORT_ITEMS", "1");
    }
    kernel.inputs.push_back(marks(Access::gather));
    kernel.inputs.push_back({.name = "offsets", .access = Access::gather, .elements = 2, .role = PortRole::other});
    const std::uint32_t together = tiles_together(limits);
    kernel.defines.emplace_back("GLSORT_TILES_TOGETHER", literal(together));
    kernel.parameters = {{"sums"}};
    kernel.block_parameters = {{"shift"}};
    kernel.shared_words = 2 * bit_words;
    kernel.cpu = [what, together](CpuInvocation& k) { compact(k, what, together); };
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace glsort::scene
