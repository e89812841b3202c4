#include <glsort/plan/element_type.h>
#include <glsort/plan/group_scan.h>
#include <glsort/plan/scene/slot_kernels.h>
#include <glsort/plan/scene/source_ops.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
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
static_assert(std::size_t{totals_port} == std::size_t{slot_key_blocks});

/// A device without subgroups cannot run these kernels, but their program can be printed.
std::uint32_t subgroup_of(const Limits& limits) {
    return limits.subgroup_size != 0 ? limits.subgroup_size : 32;
}

/// What a body of scene_key depends on.
struct SlotBody {
    SourceBlocks sources;
    KeyForm form;
    DigitCounts digits;
    Direction direction = Direction::ascending;
    SlotMarks marks;
    ResultsBody results;
    std::size_t first_parameter = 0;  ///< Of `SlotParameters`.
};

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
    const std::uint32_t tile_number = body.sources.first_tile(k) + number;
    const std::uint32_t first_item = body.sources.base(k) + number * tile;
    std::vector<std::uint32_t> mark(body.marks.words());
    mark[body.marks.first_item_word()] = first_item;
    for (std::uint32_t i = 0; i < tile; ++i) {
        const std::uint32_t element = number * tile + i;
        if (element >= count) break;
        std::optional<Element> key = body.sources.stored_key(k, element);
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
    const std::uint32_t tiles = k.block_parameter(body.sources.first_group_parameter + 1);
    const std::uint32_t group = body.sources.group(k);
    const std::uint32_t limit = body.sources.limit(k);
    const std::uint32_t given = body.sources.given_count(k);
    const std::uint32_t first = group * slots.tiles_each;
    const std::uint32_t end = std::min(first + slots.tiles_each, tiles);
    std::vector<std::uint32_t> counts(body.digits.columns());
    for (std::uint32_t number = first; number < end; ++number)
        write_slots_of_tile(k, body, number, std::min(given, limit), counts);
    for (std::uint32_t column = 0; column < counts.size(); ++column)
        k.add(sums_port, column, counts[column]);
    const std::uint32_t behind = body.digits.columns();
    if (group == 0 && given > limit) k.add(sums_port, behind + clamped_sources_word, 1);
    const std::uint32_t first_tile = body.sources.first_tile(k);
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

}  // namespace

SlotMarks slot_marks(const Limits& limits) {
    return {std::min(subgroup_of(limits), 32u)};
}

KernelPtr slot_key_kernel(const std::vector<SceneSource>& sources, const KeyForm& form, const DigitCounts& digits,
                          Direction direction, const SceneResults* results, const Limits& limits) {
    const Tuning& tuning = tuning_of(limits);
    const SlotMarks marks = slot_marks(limits);
    Kernel kernel;
    kernel.name = "scene_key";
    kernel.body = "scene_slot_key";
    kernel.group_size = std::max(invocations_of(limits, tuning.counting_invocations), subgroup_of(limits));
    const SourceBlocks blocks = declare_sources(kernel, sources, form);
    kernel.block_parameters.push_back({"tiles"});
    const std::size_t first_parameter = kernel.parameters.size();
    for (const char* name : {"tiles_each", "status", "status_each", "groups"})
        kernel.parameters.push_back({name});
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
    const SlotBody body{blocks, form, digits, direction, marks, write_results, first_parameter};
    kernel.cpu = [body](CpuInvocation& k) { write_slots(k, body); };
    return std::make_shared<Kernel>(std::move(kernel));
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
