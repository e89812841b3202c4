#include <glsort/plan/element_type.h>
#include <glsort/plan/group_scan.h>
#include <glsort/plan/scene/scene_command.h>
#include <glsort/plan/scene/sort_key.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/stream/count_rule.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace glsort::scene {
namespace {

// Outputs of scene_key.
enum : std::size_t { keys_port, marks_port, first_front_port };

/// Counts the digits of a key as a sort counts the digits of its code.
void count_digits(const DigitCounts& digits, const KeyForm& form, Direction direction, const Element& key,
                  std::vector<std::uint32_t>& counts) {
    const SortOrder order = form.order(direction);
    const Element code = encoded(order.key, order.direction, key);
    const std::uint64_t bits = form.words() == 1 ? code[0] : std::uint64_t{code[0]} << 32 | code[1];
    for (std::uint32_t pass = 0; pass < digits.passes; ++pass) {
        const std::uint32_t shift = digits.bits.first + pass * digits.digit_bits;
        const std::uint32_t length = std::min(digits.digit_bits, digits.bits.end - shift);
        ++counts[(pass << digits.digit_bits) + static_cast<std::uint32_t>(bits >> shift & ((1u << length) - 1))];
    }
}

std::uint32_t invocations_of(const Limits& limits, std::uint32_t most) {
    return std::min(std::bit_floor(limits.invocations), most);
}

Kernel group_of(const char* name, const Limits& limits) {
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
    std::optional<DigitCounts> digits;
    Direction direction = Direction::ascending;
};

/// Members of `TileParameters`.
constexpr std::size_t tile_parameters = 5;

TileParameters tile_parameters_of(const CpuInvocation& k) {
    const std::span<const Counted> last = k.parameters().last(tile_parameters);
    return {last[0], last[1], last[2], last[3], last[4]};
}

/// The keys and the mark of a tile of the source. Counts digits.
void write_tile(CpuInvocation& k, const KeyBody& body, std::uint32_t number, std::vector<std::uint32_t>& counts) {
    const KeyForm& form = body.form;
    const std::uint32_t limit = k.parameter(key_count_parameter);
    const std::uint32_t given = body.source.gpu_count ? k.read(body.source.inputs.size(), 0)[0] : limit;
    const std::uint32_t count = std::min(given, limit);
    const std::uint32_t first = k.parameter(key_base_parameter) + number * tile;
    const std::uint32_t place = tile_parameters_of(k).place + number * tile;
    std::array<std::uint32_t, mark_words> mark{};
    std::vector<std::uint32_t> items;
    for (std::uint32_t i = 0; i < tile; ++i) {
        const std::uint32_t element = number * tile + i;
        if (element >= count) continue;
        std::optional<Element> key = body.stored_key(k, element);
        if (!key) continue;
        if (form.packed()) key->front() = key->front() << form.item_bits | (first + i);
        k.scatter(keys_port, place + static_cast<std::uint32_t>(items.size()), *key);
        mark[i / 32] |= 1u << i % 32;
        items.push_back(first + i);
        if (body.digits) count_digits(*body.digits, form, body.direction, *key, counts);
    }
    mark[visible_word] = static_cast<std::uint32_t>(items.size()) | (given > limit ? clamped_bit : 0);
    mark[first_item_word] = first;
    for (std::uint32_t word = 0; word < mark_words; ++word)
        k.scatter(marks_port, (k.parameter(key_first_tile_parameter) + number) * mark_words + word, {mark[word]});
    if (!body.digits || form.packed() || items.size() == tile) return;
    for (std::uint32_t rank = 0; rank < items.size(); ++rank)
        k.scatter(first_front_port + 2, place + rank, {items[rank]});
}

/// The specification of shaders/scene/scene_key.glsl.
void write_keys(CpuInvocation& k, const KeyBody& body) {
    std::vector<std::uint32_t> counts(body.digits ? body.digits->columns() : 0);
    const TileParameters tiles = tile_parameters_of(k);
    const std::uint32_t first = k.instance * tiles.tiles_each;
    const std::uint32_t end = std::min(first + tiles.tiles_each, tiles.tiles);
    for (std::uint32_t number = first; number < end; ++number)
        write_tile(k, body, number, counts);
    if (!body.digits) return;
    for (std::uint32_t column = 0; column < counts.size(); ++column)
        k.add(first_front_port, column, counts[column]);
    const std::uint32_t first_tile = k.parameter(key_first_tile_parameter);
    const std::uint32_t status_end = std::min((first_tile + end) * tiles.status_each, tiles.status);
    for (std::uint32_t word = (first_tile + first) * tiles.status_each; word < status_end; ++word)
        k.scatter(first_front_port + 1, word, {});
}

// Parameters of scene_scan.
enum : std::size_t { tiles_parameter, groups_parameter, scan_commands_parameter };

// Outputs of scene_scan.
enum : std::size_t { scan_offsets_port, scan_status_port, scan_commands_port };

/// What the last group of scene_scan writes besides the sums.
struct ScanResults {
    std::vector<SceneCommand> commands;
    bool numbers = false;
    std::size_t numbers_port = 0;     ///< Of the outputs.
    std::size_t rules_parameter = 0;  ///< `ScenePlan::SortNumbers::first_parameter`.
    std::uint32_t columns = 0;        ///< Sums of digits.
    std::size_t sums_port = 0;        ///< Of the outputs. The totals follow.
    std::uint32_t tiles_of_a_group = 0;
};

/// The specification of shaders/scene/sort_numbers.glsl.
void write_numbers(CpuInvocation& k, const ScanResults& results, std::uint32_t count) {
    const auto write = [&](std::uint32_t word, std::uint32_t number) {
        k.scatter(results.numbers_port, word, {number});
    };
    const std::size_t first = results.rules_parameter;
    for (std::uint32_t i = 0; i < k.parameter(first); ++i) {
        const Element target = k.read(1, 2 * i);
        const Element terms = k.read(1, 2 * i + 1);
        const CountRule rule{target[0], CountRule::Kind{target[1]}, target[2], target[3], terms[0], terms[1], terms[2],
                             terms[3]};
        if (rule.kind == CountRule::Kind::number) write(rule.word, rule.number(count));
        if (rule.kind == CountRule::Kind::base) write(rule.word, k.parameter(first + 2 + rule.extra));
        if (rule.kind != CountRule::Kind::groups) continue;
        const std::array<std::uint32_t, 3> groups = rule.groups(count, k.parameter(first + 1));
        for (std::uint32_t part = 0; part < groups.size(); ++part)
            write(rule.word + part, groups[part]);
    }
    for (std::uint32_t i = 0; i < count_status_words; ++i)
        write(i, i == 0 ? count : 0);
}

/// Adds up the sums of all groups.
void scan_groups(CpuInvocation& k, const ScanResults& results, std::uint32_t tiles, std::uint32_t groups) {
    std::uint32_t sum = 0;
    std::uint32_t clamped = 0;
    for (std::uint32_t group = 0; group < groups; ++group) {
        const std::uint32_t place = first_offset_word + tiles + group;
        const std::uint32_t word = k.shared(scan_offsets_port, place)[0];
        k.scatter(scan_offsets_port, place, {sum});
        sum += word & ~clamped_bit;
        clamped |= word & clamped_bit;
    }
    const std::array<std::uint32_t, first_offset_word> head{sum, 0, tiles, groups};
    for (std::uint32_t i = 0; i < head.size(); ++i)
        k.scatter(scan_offsets_port, i, {head[i]});
    const std::array<std::uint32_t, 4> status{sum, clamped != 0 ? 1u : 0u, 0, 0};
    for (std::uint32_t i = 0; i < status.size(); ++i)
        k.scatter(scan_status_port, i, {status[i]});
    write_commands(k, results.commands, sum, scan_commands_port, scan_commands_parameter);
    if (results.numbers) write_numbers(k, results, sum);
}

/// The specification of shaders/scene/scene_scan.glsl.
void scan(CpuInvocation& k, const ScanResults& results) {
    const std::uint32_t tiles = k.parameter(tiles_parameter);
    const std::uint32_t groups = k.parameter(groups_parameter);
    const std::uint32_t first = k.instance * results.tiles_of_a_group;
    std::uint32_t sum = 0;
    std::uint32_t clamped = 0;
    for (std::uint32_t column = 0; k.instance == 0 && column < results.columns; ++column) {
        k.scatter(results.sums_port + 1, column, k.shared(results.sums_port, column));
        k.scatter(results.sums_port, column, {});
    }
    for (std::uint32_t i = first; i < std::min(first + results.tiles_of_a_group, tiles); ++i) {
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

/// Lets scene_scan write the numbers of the sort.
void declare_numbers(Kernel& kernel) {
    kernel.defines.emplace_back("GLSORT_FIRST_BASE", literal(static_cast<std::uint32_t>(kernel.parameters.size() + 2)));
    kernel.inputs.push_back(
        {.name = "rules", .access = Access::gather, .words = 4, .elements = any_elements, .role = PortRole::other});
    kernel.outputs.push_back(
        {.name = "numbers", .access = Access::scatter, .elements = any_elements, .role = PortRole::other});
    kernel.parameters.push_back({"rules"});
    kernel.parameters.push_back({"most_columns"});
    for (std::uint32_t i = 0; i < max_count_bases; ++i)
        kernel.parameters.push_back({"base_" + std::to_string(i)});
}

/// Lets scene_key leave the fronts to the sort.
void declare_fronts(Kernel& kernel, const KeyForm& form, const DigitCounts& digits, Direction direction) {
    kernel.outputs.push_back({.name = "sums",
                              .access = Access::shared,
                              .elements = digits.columns(),
                              .adds_only = true,
                              .role = PortRole::sums});
    kernel.outputs.push_back(
        {.name = "sort_status", .access = Access::scatter, .elements = any_elements, .role = PortRole::status});
    if (!form.packed())
        kernel.outputs.push_back(
            {.name = "front_items", .access = Access::scatter, .elements = tile, .role = PortRole::values});
    const SortOrder order = form.order(direction);
    for (auto& define : key_defines(order.key, order.direction))
        kernel.defines.push_back(std::move(define));
    kernel.defines.emplace_back("GLSORT_ELEMENT_WORDS", std::to_string(form.words()));
    kernel.defines.emplace_back("GLSORT_COUNT_COPIES", literal(DigitCounts::copies));
    kernel.defines.emplace_back("GLSORT_PASSES", literal(digits.passes));
    kernel.defines.emplace_back("GLSORT_DIGITS", literal(1u << digits.digit_bits));
    kernel.defines.emplace_back("GLSORT_DIGIT_BITS", literal(digits.digit_bits));
    kernel.defines.emplace_back("GLSORT_FIRST_BIT", literal(digits.bits.first));
    kernel.defines.emplace_back("GLSORT_END_BIT", literal(digits.bits.end));
    kernel.shared_words += digits.shared_words();
}

}  // namespace

KernelPtr key_kernel(const SceneSource& source, const KeyForm& form, const std::optional<DigitCounts>& digits,
                     Direction direction, const Limits& limits) {
    Kernel kernel = group_of("scene_key", limits);
    if (digits) kernel.group_size = invocations_of(limits, tuning_of(limits).counting_invocations);
    kernel.parameters = {{"count"}, {"base"}, {"first_tile"}};
    const StoredKey stored_key = declare_sort_key(kernel, source, form);
    for (const char* name : {"place", "tiles", "tiles_each", "status", "status_each"})
        kernel.parameters.push_back({name});
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
    if (digits) declare_fronts(kernel, form, *digits, direction);
    const KeyBody body{source, form, stored_key, digits, direction};
    kernel.cpu = [body](CpuInvocation& k) { write_keys(k, body); };
    return std::make_shared<Kernel>(std::move(kernel));
}

void set_tile_parameters(Op& op, const TileParameters& parameters) {
    op.parameters.resize(op.kernel->parameters.size() - tile_parameters);
    for (const std::uint32_t parameter :
         {parameters.place, parameters.tiles, parameters.tiles_each, parameters.status, parameters.status_each})
        op.parameters.push_back(parameter);
}

std::uint32_t tiles_of_a_counting_group(std::uint32_t tiles, const Limits& limits) {
    const Tuning& tuning = tuning_of(limits);
    const std::uint32_t known = limits.multiprocessors;
    return records_for(tiles, tuning.counting_groups * (known != 0 ? known : tuning.assumed_multiprocessors));
}

std::uint32_t tiles_together(const Limits& limits) {
    const Tuning& tuning = tuning_of(limits);
    return tuning.scanned_tiles * invocations_of(limits, tuning.scan_invocations);
}

KernelPtr scan_kernel(const std::vector<SceneCommand>& commands, bool numbers, std::uint32_t columns,
                      const Limits& limits) {
    const std::uint32_t together = tiles_together(limits);
    Kernel kernel;
    kernel.name = kernel.body = "scene_scan";
    kernel.group_size = invocations_of(limits, tuning_of(limits).scan_invocations);
    kernel.defines = {{"GLSORT_CLAMPED", literal(clamped_bit)},
                      {"GLSORT_MARK_WORDS", literal(mark_words)},
                      {"GLSORT_TILES_TOGETHER", literal(together)}};
    kernel.inputs = {marks(Access::gather)};
    kernel.inputs.front().elements = together;
    kernel.outputs = {{.name = "offsets", .access = Access::shared, .elements = together, .role = PortRole::other},
                      {.name = "scene_status", .access = Access::scatter, .elements = 4, .role = PortRole::other}};
    kernel.parameters = {{"tiles"}, {"groups"}};
    kernel.shared_words = 2;
    declare_group_scan(kernel, limits);
    declare_commands(kernel, commands);
    ScanResults results{.commands = commands,
                        .numbers = numbers,
                        .numbers_port = kernel.outputs.size(),
                        .rules_parameter = kernel.parameters.size(),
                        .columns = columns,
                        .tiles_of_a_group = together};
    if (numbers) declare_numbers(kernel);
    results.sums_port = kernel.outputs.size();
    if (columns != 0) {
        kernel.outputs.push_back(
            {.name = "sums", .access = Access::shared, .elements = columns, .role = PortRole::sums});
        kernel.outputs.push_back(
            {.name = "totals", .access = Access::scatter, .elements = columns, .role = PortRole::totals});
        kernel.defines.emplace_back("GLSORT_COLUMNS_COUNTED", literal(columns));
    }
    kernel.cpu = [results](CpuInvocation& k) { scan(k, results); };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr compact_kernel(Compacted what, std::uint32_t key_words, const Limits& limits) {
    Kernel kernel = group_of("scene_compact", limits);
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
    kernel.usual_blocks = 1;
    kernel.shared_words = 2 * bit_words;
    kernel.cpu = [what, together](CpuInvocation& k) { compact(k, what, together); };
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace glsort::scene
