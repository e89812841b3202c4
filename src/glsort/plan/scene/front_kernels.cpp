#include <glsort/plan/group_scan.h>
#include <glsort/plan/scene/front_kernels.h>
#include <glsort/plan/scene/source_ops.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace glsort::scene {
namespace {

/// What a body of scene_key depends on.
struct FrontBody {
    SourceBlocks sources;
    KeyForm form;
    ResultsBody results;              ///< Empty: no group finishes the scene.
    std::size_t offsets_port = 0;     ///< Of the outputs.
    std::size_t first_parameter = 0;  ///< The tiles of all ops, then the groups of this op.
};

/// What the last group of the last op does.
void sum_up_tiles(CpuInvocation& k, const FrontBody& body) {
    const std::uint32_t tiles = k.parameter(body.first_parameter);
    std::uint32_t visible = 0;
    bool clamped = false;
    for (std::uint32_t number = 0; number < tiles; ++number) {
        const std::uint32_t word = k.shared(body.offsets_port, first_tile_offset + number)[0];
        k.scatter(body.offsets_port, first_tile_offset + number, {visible});
        k.scatter(body.offsets_port, first_tile_offset + tiles + number, {0xffffffffu});
        visible += word & ~clamped_bit;
        clamped = clamped || (word & clamped_bit) != 0;
    }
    k.scatter(body.offsets_port, 0, {0});
    body.results(k, visible, clamped);
}

/// The specification of shaders/scene/scene_front_key.glsl.
void write_front(CpuInvocation& k, const FrontBody& body) {
    const std::uint32_t limit = body.sources.limit(k);
    const std::uint32_t given = body.sources.given_count(k);
    const std::uint32_t group = body.sources.group(k);
    const std::uint32_t number = body.sources.first_tile(k) + group;
    std::uint32_t visible = 0;
    for (std::uint32_t i = 0; i < tile; ++i) {
        const std::uint32_t element = group * tile + i;
        if (element >= std::min(given, limit)) break;
        std::optional<Element> key = body.sources.stored_key(k, element);
        if (!key) continue;
        const std::uint32_t item = body.sources.base(k) + element;
        const std::uint32_t place = number * tile + visible++;
        if (body.form.packed())
            key->front() = key->front() << body.form.item_bits | item;
        else
            k.scatter(1, place, {item});
        k.scatter(0, place, *key);
    }
    const std::uint32_t clamped = group == 0 && given > limit ? clamped_bit : 0;
    k.scatter(body.offsets_port, first_tile_offset + number, {visible | clamped});
    if (!body.results) return;
    if (k.add(body.offsets_port, 0, 1) + 1 == k.parameter(body.first_parameter + 1)) sum_up_tiles(k, body);
}

}  // namespace

KernelPtr front_key_kernel(const std::vector<SceneSource>& sources, const KeyForm& form, const SceneResults* results,
                           const Limits& limits) {
    Kernel kernel;
    kernel.name = "scene_key";
    kernel.body = "scene_front_key";
    kernel.group_size = invocations_of(limits, tuning_of(limits).tile_invocations);
    const SourceBlocks blocks = declare_sources(kernel, sources, form);
    const std::size_t first_parameter = kernel.parameters.size();
    kernel.outputs = {
        {.name = "keys", .access = Access::scatter, .words = form.words(), .elements = tile, .role = PortRole::keys}};
    if (!form.packed()) {
        kernel.outputs.push_back(
            {.name = "items", .access = Access::scatter, .elements = tile, .role = PortRole::values});
        kernel.defines.emplace_back("GLSORT_FRONT_ITEMS", "1");
    }
    const std::size_t offsets_port = kernel.outputs.size();
    kernel.outputs.push_back({.name = "front_offsets",
                              .access = results != nullptr ? Access::shared : Access::scatter,
                              .elements = any_elements,
                              .role = PortRole::other});
    kernel.shared_words = 2 * bit_words;
    kernel.defines.emplace_back("GLSORT_SCENE_TILE", literal(tile));
    kernel.defines.emplace_back("GLSORT_KEY_WORDS", std::to_string(form.words()));
    kernel.defines.emplace_back("GLSORT_CLAMPED", literal(clamped_bit));
    kernel.defines.emplace_back("GLSORT_FIRST_OFFSET", literal(first_tile_offset));
    if (form.packed()) kernel.defines.emplace_back("GLSORT_ITEM_BITS", literal(form.item_bits));
    ResultsBody write_results;
    if (results != nullptr) {
        kernel.parameters.push_back({"tiles"});
        kernel.parameters.push_back({"groups"});
        kernel.defines.emplace_back("GLSORT_FINISHES", "1");
        kernel.defines.emplace_back("GLSORT_SCAN_ROW", literal(scan_row));
        kernel.shared_words += scan_words(kernel.group_size) + 2;
        write_results = declare_results(kernel, *results);
    }
    const FrontBody body{blocks, form, write_results, offsets_port, first_parameter};
    kernel.cpu = [body](CpuInvocation& k) { write_front(k, body); };
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace glsort::scene
