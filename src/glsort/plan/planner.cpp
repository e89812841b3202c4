#include <fmt/format.h>

#include <glsort/base/glsl_text.h>
#include <glsort/base/in_function.h>
#include <glsort/error.h>
#include <glsort/plan/algorithm.h>
#include <glsort/plan/passes.h>
#include <glsort/plan/payload.h>
#include <glsort/planner.h>

#include <algorithm>

namespace glsort {
namespace {

/// Throws `Error` if the size of the keys is not supported, or if the comparison lacks what the backend needs.
void check_comparison(const SortSpec& spec) {
    if (!spec.order.comparison) return;
    const Comparison& comparison = *spec.order.comparison;
    if (comparison.key_bytes % 4 != 0 || comparison.key_bytes < 4 || comparison.key_bytes > 16)
        throw Error(fmt::format("comparison {} has keys of {} bytes; they must have 4, 8, 12 or 16", comparison.name,
                                comparison.key_bytes));
    // Keys of 12 bytes may be addressed as single words. The numbers of the words must fit 32 bits.
    if (comparison.key_bytes == 12 && spec.capacity > 0xffffffffu / 3)
        throw Error(fmt::format("{} keys of 12 bytes exceed the limit of {}", spec.capacity, 0xffffffffu / 3));
    if (comparison.key_bytes == 16 && has_payload(spec) &&
        (spec.output == Medium::texture || (spec.input == Medium::texture && moves_values(spec))))
        throw Error("a texture holds keys of at most 12 bytes beside a payload, not 16");
    const bool host = spec.backend == Backend::cpu;
    if (host ? !comparison.host : comparison.glsl.empty())
        throw Error(fmt::format("comparison {} has no {}, which the {} backend needs", comparison.name,
                                host ? "host function" : "GLSL", to_string(spec.backend)));
    if (!host) check_callers_glsl("comparison " + comparison.name, comparison.glsl);
}

/// Throws `Error` if the bits are not a range of the key's bits, or are given beside a comparison.
void check_bits(const SortSpec& spec) {
    if (spec.order.comparison) {
        if (compares_part(spec.order))
            throw Error(fmt::format("bits {} to {} with comparison {}; a comparison takes whole keys",
                                    spec.order.bits.first, spec.order.bits.end, spec.order.comparison->name));
        return;
    }
    const std::uint32_t key_bits = 8 * key_bytes(spec.order.key);
    const BitRange bits = spec.order.bits.of(spec.order.key);
    if (bits.end > key_bits || bits.first >= bits.end)
        throw Error(
            fmt::format("bits {} to {} are not a range of the {} bits of a key", bits.first, bits.end, key_bits));
}

/// Throws `Error` if the payload does not fit its medium, or if 32-bit numbers cannot address the payload's words.
void check_payload(const SortSpec& spec) {
    if (!moves_values(spec)) return;
    const std::uint64_t size = spec.payload.size;
    if (size != 4 && (spec.input == Medium::texture || spec.output == Medium::texture))
        throw Error(
            fmt::format("a payload of {} bytes is not supported in textures; they hold values of 4 bytes, "
                        "or the index",
                        size));
    if (size / 4 * spec.capacity > 0xffffffffu)
        throw Error(fmt::format("payloads of {} bytes for {} elements exceed the limit of {} bytes", size,
                                spec.capacity, 4 * std::uint64_t{0xffffffffu}));
}

/// Begins a message about an algorithm that the request does not name: the member of the request that requires the
/// algorithm.
std::string reason_to_take(const SortSpec& spec, const AlgorithmDescriptor& algorithm) {
    if (spec.algorithm != "automatic") return "";
    for (const AskedValue& asked : asked_values())
        if (const std::uint32_t value = asked.of(spec.tuning); value != 0)
            return fmt::format("{} {} requires algorithm {}: ", asked.name, value, algorithm.name);
    return "";
}

/// Throws `Error` if the lists do not add up to `n` elements, or are too many or too long.
void check_lists(const PlanRequest& request) {
    if (request.lists.empty()) return;
    if (request.lists.size() > max_merge_lists)
        throw Error(fmt::format("{} lists exceed the limit of {}", request.lists.size(), max_merge_lists));
    std::uint64_t sum = 0;
    for (const std::uint32_t length : request.lists)
        sum += length;
    if (sum != request.n) throw Error(fmt::format("the lists add up to {} elements; n is {}", sum, request.n));
    // 32-bit numbers must also reach the unused places between groups of lists.
    constexpr std::uint32_t largest = 1u << 31;
    if (sum > largest) throw Error(fmt::format("lists of {} elements exceed the limit of {}", sum, largest));
}

AlgorithmChoice choice_of(const ChosenVariant& choice) {
    return {std::string(choice.algorithm->name), std::string(choice.variant->name), choice.variant->takes.fragment,
            choice.variant->layout};
}

void check_gpu_count(const PlanRequest& request) {
    if (!request.spec.gpu_count) return;
    if (request.n != request.spec.capacity)
        throw Error(fmt::format("n {} differs from the capacity {}; with gpu_count a program is that of the capacity",
                                request.n, request.spec.capacity));
    if (!request.lists.empty()) throw Error(fmt::format("gpu_count is given with {} lists", request.lists.size()));
    if (request.spec.backend == Backend::fragment && request.spec.layout == Layout::z_order)
        throw Error("layout z-order; with gpu_count on the fragment backend the layout must be row-wise");
}

/// A request with all choices made, and the variant. Throws `Error` for an impossible request.
struct Resolved {
    PlanRequest request;
    ChosenVariant choice;

    explicit Resolved(const PlanRequest& asked) : request(asked) {
        SortSpec& spec = request.spec;
        check_kinds(spec);
        choice = choose_variant(request);
        const bool fragment = choice.variant->takes.fragment;
        spec.layout = spec.layout.value_or(choice.variant->layout);
        if (spec.capacity == 0) spec.capacity = request.n;
        if (spec.backend == Backend::automatic) spec.backend = fragment ? Backend::fragment : Backend::compute;
        if (spec.backend == Backend::fragment && !fragment)
            throw Error(fmt::format("{}{} does not run on the fragment backend; use backend compute",
                                    reason_to_take(spec, *choice.algorithm), choice.name()));
        if (request.n > spec.capacity)
            throw Error(fmt::format("n {} exceeds the capacity {}", request.n, spec.capacity));
        check_payload(spec);
        check_takes(request, choice);
        check_gpu_count(request);
        check_comparison(spec);
        check_lists(request);
        check_bits(spec);
    }

    SortFrame frame() const {
        const VariantDescriptor& variant = *choice.variant;
        const AlgorithmChoice named = choice_of(choice);
        return SortFrame(request, named, variant.form_for != nullptr ? variant.form_for(request, named) : variant.form,
                         variant.plan);
    }
};

/// The request with the capacity as its count.
PlanRequest largest_of(PlanRequest request) {
    request.n = request.spec.capacity;
    request.lists.clear();
    return request;
}

}  // namespace

std::vector<Algorithm> algorithms() {
    std::vector<Algorithm> list;
    for (const AlgorithmDescriptor* algorithm : algorithm_descriptors()) {
        list.push_back({std::string(algorithm->name), {}});
        for (const VariantDescriptor& variant : algorithm->variants)
            list.back().variants.push_back(
                {std::string(variant.name), fmt::format("{} ({})", variant.summary, variant.source), variant.takes});
    }
    return list;
}

AlgorithmChoice choose_algorithm(const PlanRequest& request) {
    return in_function("choose_algorithm", [&] {
        check_kinds(request.spec);
        return choice_of(choose_variant(request));
    });
}

AlgorithmChoice choose_algorithm(std::string_view text) {
    return in_function("choose_algorithm", [&] {
        const PlanRequest request{.spec = {.algorithm = std::string(text)}};
        ChosenVariant choice = choose_variant(request);
        if (choice.algorithm->name == text) choice.variant = &choice.algorithm->variants.front();
        return choice_of(choice);
    });
}

namespace {

/// Makes the program of a request, pass by pass. Calls `visit` after each pass.
template <class Visit>
StreamProgram run_passes(const PlanRequest& request, const Visit& visit) {
    SortFrame frame = Resolved(request).frame();
    for (const Pass& pass : passes()) {
        pass.run(frame);
        // A sort of no elements has no ops.
        if (frame.n() == 0) frame.program.ops.clear();
        visit(pass, frame.program);
    }
    if (request.spec.gpu_count && frame.n() > 0) frame.program.counts = CountRange{1, frame.n()};
    return std::move(frame.program);
}

}  // namespace

StreamProgram make_program(const PlanRequest& request) {
    return run_passes(request, [](const Pass&, const StreamProgram&) {});
}

StreamProgram plan(const PlanRequest& request) {
    return in_function("plan", [&] { return make_program(request); });
}

std::vector<PlannedPass> plan_pass_by_pass(const PlanRequest& request) {
    return in_function("plan_pass_by_pass", [&] {
        std::vector<PlannedPass> planned;
        run_passes(request, [&planned](const Pass& pass, const StreamProgram& program) {
            planned.push_back({pass.name, pass.summary, program});
        });
        return planned;
    });
}

TuningReport chosen_tuning(const PlanRequest& request) {
    const Resolved resolved = in_function("chosen_tuning", [&] { return Resolved(request); });
    const TuningRow row = resolved.frame().tuning_row();
    TuningReport report;
    report.algorithm = resolved.choice.algorithm->name;
    report.variant = resolved.choice.variant->name;
    report.backend = resolved.request.spec.backend;
    report.row = to_string(row);
    report.reason = reason_for_row(request.limits);
    for (const TuningFamily* family : resolved.choice.variant->tuning)
        if (family != nullptr) report.families.push_back({std::string(family->name), family->values(row)});
    return report;
}

Counts kernel_counts(const PlanRequest& request) {
    const Resolved resolved(largest_of(request));
    const std::uint32_t capacity = resolved.request.spec.capacity;
    // Every count takes the program of the capacity.
    Counts counts;
    if (!request.spec.gpu_count) counts = resolved.choice.variant->counts(resolved.frame());
    counts.push_back(capacity);
    std::erase_if(counts, [capacity](std::uint32_t count) { return count < 1 || count > capacity; });
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

std::optional<DigitCounts> counted_digits(const PlanRequest& request) {
    const Resolved resolved(request);
    if (resolved.choice.variant->digits == nullptr) return std::nullopt;
    return resolved.choice.variant->digits(resolved.frame());
}

bool takes_source(const PlanRequest& request) {
    return !Resolved(request).frame().element_type().looks_up();
}

std::vector<std::vector<std::uint32_t>> kernel_lists(const PlanRequest& request, std::uint32_t limit) {
    PlanRequest largest = largest_of(request);
    // The choice of algorithm may depend on whether there are lists.
    largest.lists = {largest.n};
    const Resolved resolved(largest);
    return resolved.choice.variant->lists(resolved.frame(), limit);
}

}  // namespace glsort
