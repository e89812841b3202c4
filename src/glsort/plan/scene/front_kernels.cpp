#include <glsort/plan/element_type.h>
#include <glsort/plan/group_scan.h>
#include <glsort/plan/scene/front_kernels.h>
#include <glsort/plan/scene/source_ops.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace glsort::scene {
namespace {

/// The outputs of scene_key, and what its body depends on.
struct FrontBody {
    SourceBlocks sources;
    KeyForm form;
    std::optional<CountedKeys> counted;
    ResultsBody results;     ///< Empty: no group finishes the scene.
    std::uint32_t step = 0;  ///< Elements that a group handles at once.
    std::size_t fronts_port = 0;
    std::size_t sums_port = 0;        ///< If digits are counted. The status of the sort and the totals follow.
    std::size_t first_parameter = 0;  ///< Of `FrontParameters`.

    FrontParameters parameters(const CpuInvocation& k) const {
        std::size_t next = first_parameter;
        FrontParameters given{.portion = k.parameter(next++), .first_front = k.parameter(next++)};
        if (counted) {
            given.status = k.parameter(next++);
            given.status_each = k.parameter(next++);
        }
        if (results) {
            given.fronts = k.parameter(next++);
            given.groups = k.parameter(next++);
        }
        return given;
    }
};

/// The code by which a sort orders a key.
std::uint64_t code_of_key(const FrontBody& body, const Element& key) {
    const SortOrder order = body.form.order(body.counted->direction);
    const Element code = encoded(order.key, order.direction, key);
    return body.form.words() == 1 ? code[0] : std::uint64_t{code[0]} << 32 | code[1];
}

/// The front of a portion under construction.
struct Front {
    std::uint32_t place = 0;
    std::uint32_t visible = 0;
    std::uint32_t leading = 0;
    std::vector<std::uint32_t> digits;
};

/// Adds the visible elements among those from `begin` to `end`, which are one step. `leads`: whether all earlier
/// elements of the portion are visible.
void add_step(CpuInvocation& k, const FrontBody& body, std::uint32_t begin, std::uint32_t end, bool leads,
              Front& front) {
    std::vector<std::uint32_t> items;
    for (std::uint32_t element = begin; element < end; ++element) {
        std::optional<Element> key = body.sources.stored_key(k, element);
        if (!key) continue;
        const std::uint32_t item = body.sources.base(k) + element;
        if (body.form.packed()) key->front() = key->front() << body.form.item_bits | item;
        if (body.counted) count_digits(code_of_key(body, *key), body.counted->digits, front.digits);
        k.scatter(0, front.place + front.visible + static_cast<std::uint32_t>(items.size()), *key);
        items.push_back(item);
    }
    if (leads && items.size() == end - begin)
        front.leading += end - begin;
    else if (!body.form.packed())
        for (std::uint32_t i = 0; i < items.size(); ++i)
            k.scatter(1, front.place + front.visible + i, {items[i]});
    front.visible += static_cast<std::uint32_t>(items.size());
}

/// What the last group of the last op does.
void finish(CpuInvocation& k, const FrontBody& body, const FrontParameters& given) {
    std::uint32_t visible = 0;
    bool clamped = false;
    for (std::uint32_t front = 0; front < given.fronts; ++front) {
        const std::uint32_t word = k.shared(body.fronts_port, word_of_front(front, offset_word))[0];
        k.scatter(body.fronts_port, word_of_front(front, offset_word), {visible});
        visible += word & ~clamped_bit;
        clamped = clamped || (word & clamped_bit) != 0;
    }
    for (std::uint32_t record = 0; record < records_behind(given.fronts); ++record)
        k.scatter(body.fronts_port, word_of_front(given.fronts + record, offset_word), {0xffffffffu});
    k.scatter(body.fronts_port, groups_done_of_fronts_word, {0});
    k.scatter(body.fronts_port, portion_word, {given.portion});
    if (body.counted) move_sums(k, body.sums_port, body.sums_port + 2, body.counted->digits);
    body.results(k, visible, clamped);
}

/// The specification of shaders/scene/scene_front_key.glsl.
void write_front(CpuInvocation& k, const FrontBody& body) {
    const FrontParameters given = body.parameters(k);
    const std::uint32_t limit = body.sources.limit(k);
    const std::uint32_t count = body.sources.given_count(k);
    const std::uint32_t group = body.sources.group(k);
    const std::uint32_t number = given.first_front + k.instance;
    const std::uint32_t first = group * given.portion;
    const std::uint32_t end = std::min({count, limit, first + given.portion});
    Front front{.place = body.sources.base(k) + first, .digits = {}};
    if (body.counted) front.digits.resize(body.counted->digits.columns());
    for (std::uint32_t begin = first; begin < end; begin += body.step)
        add_step(k, body, begin, std::min(begin + body.step, end), front.leading == begin - first, front);
    const std::uint32_t clamped = group == 0 && count > limit ? clamped_bit : 0;
    k.scatter(body.fronts_port, word_of_front(number, offset_word), {front.visible | clamped});
    k.scatter(body.fronts_port, word_of_front(number, place_word), {front.place});
    if (!body.form.packed())
        k.scatter(body.fronts_port, word_of_front(number, end_of_leading_word), {front.place + front.leading});
    if (body.counted) {
        for (std::uint32_t column = 0; column < front.digits.size(); ++column)
            k.add(body.sums_port, column, front.digits[column]);
        const std::uint32_t status_end = std::min((number + 1) * given.status_each, given.status);
        for (std::uint32_t word = number * given.status_each; word < status_end; ++word)
            k.scatter(body.sums_port + 1, word, {});
    }
    if (body.results && k.add(body.fronts_port, groups_done_of_fronts_word, 1) + 1 == given.groups)
        finish(k, body, given);
}

/// The group of a kernel, and how its invocations rank the visible elements. Returns how many elements a group handles
/// at once.
std::uint32_t declare_ranks_of_fronts(Kernel& kernel, bool counts_digits, const Limits& limits) {
    const Tuning& tuning = tuning_of(limits);
    kernel.group_size = invocations_of(limits, counts_digits ? tuning.counting_invocations : tuning.tile_invocations);
    // If no digits are counted, a group handles its portion in one step.
    const std::uint32_t each = counts_digits ? tuning.keys_at_once : tuning.portion / kernel.group_size;
    declare_group_scan(kernel, limits);
    // Each invocation of a subgroup has the count of another subgroup.
    const std::uint32_t subgroup = limits.subgroup_size;
    if (limits.has_subgroups() && limits.subgroups == Subgroups::khr && kernel.group_size % subgroup == 0 &&
        kernel.group_size / subgroup <= subgroup) {
        kernel.defines.emplace_back("GLSORT_BALLOTS", "1");
        kernel.shared_words += 2 * (kernel.group_size / subgroup);
    }
    kernel.defines.emplace_back("GLSORT_KEYS_AT_ONCE", literal(each));
    return kernel.group_size * each;
}

void declare_digits(Kernel& kernel, const KeyForm& form, const CountedKeys& counted) {
    const DigitCounts& digits = counted.digits;
    const SortOrder order = form.order(counted.direction);
    for (auto& define : key_defines(order.key, order.direction))
        kernel.defines.push_back(std::move(define));
    kernel.defines.emplace_back("GLSORT_ELEMENT_WORDS", std::to_string(form.words()));
    kernel.defines.emplace_back("GLSORT_DIGITS", literal(1u << digits.digit_bits));
    kernel.defines.emplace_back("GLSORT_FIRST_BIT", literal(digits.bits.first));
    kernel.defines.emplace_back("GLSORT_END_BIT", literal(digits.bits.end));
    kernel.defines.emplace_back("GLSORT_COUNTS_DIGITS", "1");
    declare_digit_counts(kernel, digits);
}

/// Declares the keys, the items and the fronts. `is_shared`: whether groups add to the fronts.
void declare_fronts(Kernel& kernel, FrontBody& body, bool is_shared) {
    const KeyForm& form = body.form;
    kernel.parameters.push_back({"portion"});
    kernel.parameters.push_back({"first_front"});
    kernel.outputs = {{.name = "keys",
                       .access = Access::scatter,
                       .words = form.words(),
                       .elements = body.step,
                       .role = PortRole::keys}};
    if (!form.packed()) {
        kernel.outputs.push_back(
            {.name = "items", .access = Access::scatter, .elements = body.step, .role = PortRole::values});
        kernel.defines.emplace_back("GLSORT_FRONT_ITEMS", "1");
    }
    body.fronts_port = kernel.outputs.size();
    kernel.outputs.push_back({.name = "fronts",
                              .access = is_shared ? Access::shared : Access::scatter,
                              .elements = any_elements,
                              .role = PortRole::other});
    kernel.defines.emplace_back("GLSORT_KEY_WORDS", std::to_string(form.words()));
    kernel.defines.emplace_back("GLSORT_CLAMPED", literal(clamped_bit));
    if (form.packed()) kernel.defines.emplace_back("GLSORT_ITEM_BITS", literal(form.item_bits));
}

/// Declares the sums of counted digits, and the status of the sort.
void declare_counts(Kernel& kernel, FrontBody& body, bool adds_only) {
    body.sums_port = kernel.outputs.size();
    kernel.outputs.push_back({.name = "sums",
                              .access = Access::shared,
                              .elements = body.counted->digits.columns(),
                              .adds_only = adds_only,
                              .role = PortRole::sums});
    kernel.outputs.push_back(
        {.name = "sort_status", .access = Access::scatter, .elements = any_elements, .role = PortRole::status});
    kernel.parameters.push_back({"status"});
    kernel.parameters.push_back({"status_each"});
    declare_digits(kernel, body.form, *body.counted);
}

/// Declares that the last group finishes the scene.
void declare_finish(Kernel& kernel, FrontBody& body, const SceneResults& results) {
    if (body.counted)
        kernel.outputs.push_back({.name = "totals",
                                  .access = Access::scatter,
                                  .elements = body.counted->digits.columns(),
                                  .role = PortRole::totals});
    kernel.parameters.push_back({"fronts"});
    kernel.parameters.push_back({"groups"});
    kernel.defines.emplace_back("GLSORT_FINISHES", "1");
    kernel.shared_words += 2;
    body.results = declare_results(kernel, results);
}

}  // namespace

std::uint32_t front_key_blocks(bool counts_digits) {
    return counts_digits ? 6 : 3;
}

KernelPtr front_key_kernel(const std::vector<SceneSource>& sources, const KeyForm& form,
                           const std::optional<CountedKeys>& counted, const SceneResults* results,
                           const Limits& limits) {
    Kernel kernel;
    kernel.name = "scene_key";
    kernel.body = "scene_front_key";
    const std::uint32_t step = declare_ranks_of_fronts(kernel, counted.has_value(), limits);
    const SourceBlocks blocks = declare_sources(kernel, sources, form);
    FrontBody body{.sources = blocks,
                   .form = form,
                   .counted = counted,
                   .results = {},
                   .step = step,
                   .first_parameter = kernel.parameters.size()};
    declare_fronts(kernel, body, results != nullptr);
    if (counted) declare_counts(kernel, body, results == nullptr);
    if (results != nullptr) declare_finish(kernel, body, *results);
    kernel.cpu = [body](CpuInvocation& k) { write_front(k, body); };
    return std::make_shared<Kernel>(std::move(kernel));
}

void add_front_parameters(Op& op, const FrontParameters& parameters) {
    const auto has = [&op](const char* name) {
        const auto& all = op.kernel->parameters;
        return std::any_of(all.begin(), all.end(), [name](const auto& one) { return one.name == name; });
    };
    op.parameters.push_back(parameters.portion);
    op.parameters.push_back(parameters.first_front);
    if (has("status")) {
        op.parameters.push_back(parameters.status);
        op.parameters.push_back(parameters.status_each);
    }
    if (has("fronts")) {
        op.parameters.push_back(parameters.fronts);
        op.parameters.push_back(parameters.groups);
    }
}

std::uint32_t portion_of(std::uint32_t items, bool counts_digits, const Limits& limits) {
    const Tuning& tuning = tuning_of(limits);
    if (!counts_digits) return tuning.portion;
    const std::uint32_t known = limits.multiprocessors;
    const std::uint32_t groups = tuning.counting_groups * (known != 0 ? known : tuning.assumed_multiprocessors);
    // Whole rows of memory.
    return records_for(records_for(items, groups), tuning.portion) * tuning.portion;
}

}  // namespace glsort::scene
