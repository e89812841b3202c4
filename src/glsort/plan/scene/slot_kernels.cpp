#include <glsort/plan/element_type.h>
#include <glsort/plan/group_scan.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/slot_kernels.h>
#include <glsort/plan/scene/sort_key.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace glsort::scene {
namespace {

// Outputs of scene_key.
enum : std::size_t { slots_port, mark_words_port, sums_port, sort_status_port, totals_port };

/// A device without subgroups cannot run these kernels, but their program can be printed.
std::uint32_t subgroup_of(const Limits& limits) {
    return limits.subgroup_size != 0 ? limits.subgroup_size : 32;
}

/// What a body of scene_key depends on.
struct SlotBody {
    std::vector<SceneSource> sources;
    KeyForm form;
    StoredKey stored_key;
    DigitCounts digits;
    Direction direction = Direction::ascending;
    SlotMarks marks;
    ResultsBody results;
    std::size_t first_parameter = 0;        ///< Of `SlotParameters`.
    std::size_t first_block_parameter = 0;  ///< Of those of a block that follow the values.
};

// The parameters of a block in front of those of values.
enum : std::size_t { count_parameter, base_parameter, first_tile_parameter, first_value_parameter };
static_assert(first_value_parameter == ScenePlan::first_value_parameter);

/// Counts the digits of a key as a sort counts the digits of its code.
void count_digits(const SlotBody& body, const Element& key, std::vector<std::uint32_t>& counts) {
    const SortOrder order = body.form.order(body.direction);
    const Element code = encoded(order.key, order.direction, key);
    const std::uint64_t bits = body.form.words() == 1 ? code[0] : std::uint64_t{code[0]} << 32 | code[1];
    for (std::uint32_t pass = 0; pass < body.digits.passes; ++pass) {
        const std::uint32_t shift = body.digits.bits.first + pass * body.digits.digit_bits;
        const std::uint32_t length = std::min(body.digits.digit_bits, body.digits.bits.end - shift);
        ++counts[(pass << body.digits.digit_bits) + static_cast<std::uint32_t>(bits >> shift & ((1u << length) - 1))];
    }
}

/// The keys and the mark of a tile of the source. Counts digits.
void write_slots_of_tile(CpuInvocation& k, const SlotBody& body, std::uint32_t number, std::uint32_t count,
                         std::vector<std::uint32_t>& counts) {
    const std::uint32_t tile_number = k.block_parameter(first_tile_parameter) + number;
    const std::uint32_t first_item = k.block_parameter(base_parameter) + number * tile;
    std::vector<std::uint32_t> mark(body.marks.words());
    mark[body.marks.first_item_word()] = first_item;
    for (std::uint32_t i = 0; i < tile; ++i) {
        const std::uint32_t element = number * tile + i;
        if (element >= count) break;
        std::optional<Element> key = body.stored_key(k, element);
        if (key) {
            if (body.form.packed()) key->front() = key->front() << body.form.item_bits | (first_item + i);
            mark[i / body.marks.bits] |= 1u << i % body.marks.bits;
            count_digits(body, *key, counts);
        }
        k.scatter(slots_port, tile_number * tile + i, key.value_or(Element{}));
    }
    for (std::uint32_t word = 0; word < mark.size(); ++word)
        k.scatter(mark_words_port, tile_number * body.marks.words() + word, {mark[word]});
}

/// What the last group of the last op does.
void write_totals(CpuInvocation& k, const SlotBody& body) {
    const std::uint32_t visible = move_sums(k, sums_port, totals_port, body.digits);
    const std::uint32_t behind = body.digits.columns();
    const bool clamped = k.shared(sums_port, behind + clamped_sources_word)[0] != 0;
    for (std::uint32_t i = 0; i < words_behind_sums; ++i)
        k.scatter(sums_port, behind + i, {});
    body.results(k, visible, clamped);
}

/// The specification of shaders/scene/scene_slot_key.glsl.
void write_slots(CpuInvocation& k, const SlotBody& body) {
    const std::span<const Counted> given_slots = k.parameters().subspan(body.first_parameter);
    const SlotParameters slots{given_slots[0], given_slots[1], given_slots[2], given_slots[3]};
    const std::uint32_t tiles = k.block_parameter(body.first_block_parameter);
    const std::uint32_t group = k.instance - k.block_parameter(body.first_block_parameter + 1);
    const std::uint32_t limit = k.block_parameter(count_parameter);
    const SceneSource& source = body.sources[k.block];
    const std::size_t count_port = body.sources.size() * source.inputs.size() + k.block;
    const std::uint32_t given = source.gpu_count ? k.read(count_port, 0)[0] : limit;
    const std::uint32_t first = group * slots.tiles_each;
    const std::uint32_t end = std::min(first + slots.tiles_each, tiles);
    std::vector<std::uint32_t> counts(body.digits.columns());
    for (std::uint32_t number = first; number < end; ++number)
        write_slots_of_tile(k, body, number, std::min(given, limit), counts);
    for (std::uint32_t column = 0; column < counts.size(); ++column)
        k.add(sums_port, column, counts[column]);
    const std::uint32_t behind = body.digits.columns();
    if (group == 0 && given > limit) k.add(sums_port, behind + clamped_sources_word, 1);
    const std::uint32_t first_tile = k.block_parameter(first_tile_parameter);
    const std::uint32_t status_end = std::min((first_tile + end) * slots.status_each, slots.status);
    for (std::uint32_t word = (first_tile + first) * slots.status_each; word < status_end; ++word)
        k.scatter(sort_status_port, word, {});
    if (body.results && k.add(sums_port, behind + finished_groups_word, 1) + 1 == slots.groups) write_totals(k, body);
}

void declare_digits(Kernel& kernel, const KeyForm& form, const DigitCounts& digits, Direction direction) {
    const SortOrder order = form.order(direction);
    for (auto& define : key_defines(order.key, order.direction))
        kernel.defines.push_back(std::move(define));
    kernel.defines.emplace_back("GLSORT_ELEMENT_WORDS", std::to_string(form.words()));
    kernel.defines.emplace_back("GLSORT_DIGITS", literal(1u << digits.digit_bits));
    kernel.defines.emplace_back("GLSORT_FIRST_BIT", literal(digits.bits.first));
    kernel.defines.emplace_back("GLSORT_END_BIT", literal(digits.bits.end));
    declare_digit_counts(kernel, digits);
}

std::uint32_t buffers_of(const SceneSource& source) {
    const auto inputs = std::count_if(source.inputs.begin(), source.inputs.end(),
                                      [](const SceneInput& input) { return input.medium == Medium::buffer; });
    const bool count = source.gpu_count && source.gpu_count_medium == Medium::buffer;
    return static_cast<std::uint32_t>(inputs) + (count ? 1 : 0);
}

/// Words that a block takes beside its parameters: two in front of them, and up to three behind them.
constexpr std::size_t words_beside_parameters = 5;

}  // namespace

SlotMarks slot_marks(const Limits& limits) {
    return {std::min(subgroup_of(limits), 32u)};
}

KernelPtr slot_key_kernel(const std::vector<SceneSource>& sources, const KeyForm& form, const DigitCounts& digits,
                          Direction direction, const SceneResults* results, const Limits& limits) {
    const Tuning& tuning = tuning_of(limits);
    const SlotMarks marks = slot_marks(limits);
    const bool gpu_count = sources.front().gpu_count;
    Kernel kernel;
    kernel.name = "scene_key";
    kernel.body = "scene_slot_key";
    kernel.group_size = std::max(invocations_of(limits, tuning.counting_invocations), subgroup_of(limits));
    kernel.block_parameters = {{"count"}, {"base"}, {"first_tile"}};
    const StoredKey stored_key = declare_sort_keys(kernel, sources, form);
    const std::size_t first_block_parameter = kernel.block_parameters.size();
    for (const char* name : {"tiles", "first_group"})
        kernel.block_parameters.push_back({name});
    const std::size_t first_parameter = kernel.parameters.size();
    for (const char* name : {"tiles_each", "status", "status_each", "groups"})
        kernel.parameters.push_back({name});
    if (gpu_count)
        declare_port_of_blocks(kernel, {.name = "gpu_count", .access = Access::gather, .role = PortRole::other},
                               sources.size());
    kernel.outputs = {
        {.name = "slots", .access = Access::scatter, .words = form.words(), .elements = tile, .role = PortRole::keys},
        {.name = "marks", .access = Access::scatter, .elements = marks.words(), .role = PortRole::other},
        {.name = "sums",
         .access = Access::shared,
         .elements = digits.columns() + words_behind_sums,
         .adds_only = results == nullptr,
         .role = PortRole::sums},
        {.name = "sort_status", .access = Access::scatter, .elements = any_elements, .role = PortRole::status}};
    kernel.defines.emplace_back("GLSORT_SCENE_TILE", literal(tile));
    kernel.defines.emplace_back("GLSORT_MARK_BITS", literal(marks.bits));
    kernel.defines.emplace_back("GLSORT_MARK_WORDS", literal(marks.words()));
    kernel.defines.emplace_back("GLSORT_KEYS_AT_ONCE", literal(tuning.keys_at_once));
    kernel.defines.emplace_back("GLSORT_KEY_WORDS", std::to_string(form.words()));
    if (gpu_count) kernel.defines.emplace_back("GLSORT_GPU_COUNT", "1");
    if (form.packed()) kernel.defines.emplace_back("GLSORT_ITEM_BITS", literal(form.item_bits));
    declare_subgroups(kernel, limits.has_subgroups() ? limits.subgroups : Subgroups::khr, subgroup_of(limits));
    declare_digits(kernel, form, digits, direction);
    ResultsBody write_results;
    if (results != nullptr) {
        kernel.outputs.push_back(
            {.name = "totals", .access = Access::scatter, .elements = digits.columns(), .role = PortRole::totals});
        kernel.defines.emplace_back("GLSORT_FINISHES", "1");
        kernel.defines.emplace_back("GLSORT_SCAN_ROW", literal(scan_row));
        kernel.shared_words += scan_words(kernel.group_size) + 1;
        write_results = declare_results(kernel, *results);
    }
    const SlotBody body{
        sources, form, stored_key, digits, direction, marks, write_results, first_parameter, first_block_parameter};
    kernel.cpu = [body](CpuInvocation& k) { write_slots(k, body); };
    return std::make_shared<Kernel>(std::move(kernel));
}

std::uint32_t slot_key_blocks(const SceneSpec& spec) {
    constexpr std::uint32_t own = totals_port + 1;
    std::uint32_t most = 0;
    for (const SceneSource& source : spec.sources)
        most = std::max(most, buffers_of(source));
    return own + most;
}

std::size_t sources_of_an_op(const SceneSource& source, const SceneResults* results, const Limits& limits) {
    const bool textures = std::any_of(source.inputs.begin(), source.inputs.end(), in_texture) ||
                          (source.gpu_count && source.gpu_count_medium == Medium::texture);
    if (textures || !limits.block_arrays) return 1;
    // Every context has 1024 words for the integers of an op. Shaders are composed for a power of two of blocks.
    constexpr std::size_t most_words = 768;
    const std::size_t words = SlotBlockParameters{}.words(source.values.size()).size();
    std::size_t sources = std::bit_floor(std::max<std::size_t>(most_words / (words + words_beside_parameters), 1));
    if (const std::uint32_t buffers = buffers_of(source); buffers > 0) {
        const std::uint32_t own = results != nullptr ? totals_port + 1 + results->blocks() : totals_port;
        sources =
            std::min<std::size_t>(sources, (limits.storage_blocks - std::min(own, limits.storage_blocks)) / buffers);
    }
    return std::max<std::size_t>(sources, 1);
}

std::vector<std::uint32_t> SlotBlockParameters::words(std::size_t values) const {
    std::vector<std::uint32_t> all{count, base, first_tile};
    all.resize(all.size() + 4 * values);
    all.insert(all.end(), {tiles, first_group});
    return all;
}

void add_slot_parameters(Op& op, const SlotParameters& parameters) {
    for (const std::uint32_t parameter :
         {parameters.tiles_each, parameters.status, parameters.status_each, parameters.groups})
        op.parameters.push_back(parameter);
}

std::uint32_t tiles_of_a_group(std::uint32_t tiles, const Limits& limits) {
    const Tuning& tuning = tuning_of(limits);
    const std::uint32_t known = limits.multiprocessors;
    return records_for(tiles, tuning.counting_groups * (known != 0 ? known : tuning.assumed_multiprocessors));
}

}  // namespace glsort::scene
