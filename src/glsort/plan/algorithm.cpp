#include <fmt/format.h>

#include <algorithm>
#include <span>

#include <glsort/error.h>
#include <glsort/plan/algorithm.h>
#include <glsort/plan/enumerator.h>

namespace glsort {
namespace {

std::string full_name(const AlgorithmDescriptor& algorithm, const VariantDescriptor& variant) {
    return fmt::format("{}:{}", algorithm.name, variant.name);
}

/// The names of algorithms whose variants all have a property. Of other algorithms, the names of the variants that have
/// the property.
template <class Taken>
std::vector<std::string> names_of_takers(const Taken& taken) {
    std::vector<std::string> names;
    for (const AlgorithmDescriptor* algorithm : algorithm_descriptors()) {
        const auto takes = [&taken](const VariantDescriptor& variant) { return taken(variant.takes); };
        if (std::all_of(algorithm->variants.begin(), algorithm->variants.end(), takes)) {
            names.emplace_back(algorithm->name);
            continue;
        }
        for (const VariantDescriptor& variant : algorithm->variants)
            if (takes(variant)) names.push_back(full_name(*algorithm, variant));
    }
    return names;
}

/// `; A and B:C do`: the names, with the verb for one name or for several.
std::string clause_of(const std::vector<std::string>& names, const char* one, const char* several) {
    if (names.empty()) return "";
    if (names.size() == 1) return fmt::format("; {} {}", names.front(), one);
    return fmt::format("; {} and {} {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back(), several);
}

/// Throws an `Error` such as `A:B takes no lists; C does` if the variant does not support a feature. `kind` names the
/// feature.
template <class Taken>
void require_takes(const ChosenVariant& choice, const std::string& kind, const Taken& taken) {
    if (taken(choice.variant->takes)) return;
    throw Error(fmt::format("{} takes no {}{}", choice.name(), kind, clause_of(names_of_takers(taken), "does", "do")));
}

std::vector<std::string> all_names() {
    std::vector<std::string> names;
    for (const AlgorithmDescriptor* algorithm : algorithm_descriptors())
        for (const VariantDescriptor& variant : algorithm->variants)
            names.push_back(full_name(*algorithm, variant));
    return names;
}

/// Refuses a value of tuning that the variant does not read.
template <class Taken>
void require_reads(const ChosenVariant& choice, std::string_view name, std::uint32_t value, const Taken& taken) {
    if (value == 0 || taken(choice.variant->takes)) return;
    throw Error(fmt::format("{} {}: {} does not read it{}", name, value, choice.name(),
                            clause_of(names_of_takers(taken), "does", "do")));
}

void check_tuning(const Tuning& tuning, const ChosenVariant& choice) {
    for (const AskedValue& asked : asked_values()) {
        const std::uint32_t value = asked.of(tuning);
        require_reads(choice, asked.name, value, asked.read_by);
        if (value == 0 || asked.limit == nullptr) continue;
        if (const std::uint32_t limit = asked.limit(choice.variant->takes); value > limit)
            throw Error(fmt::format("{} {} exceeds the limit of {}", asked.name, value, limit));
    }
}

bool takes_key(const Takes& takes, KeyType key) {
    return std::find(takes.keys.begin(), takes.keys.end(), key) != takes.keys.end();
}

const VariantDescriptor& fitting_variant(const AlgorithmDescriptor& algorithm, const PlanRequest& request) {
    return algorithm.fitting != nullptr ? algorithm.fitting(request) : algorithm.variants.front();
}

/// The first of the algorithms with max preference.
const AlgorithmDescriptor& preferred_algorithm(const PlanRequest& request) {
    const auto preference = [&request](const AlgorithmDescriptor* algorithm) {
        return algorithm->preference != nullptr ? algorithm->preference(request) : 0;
    };
    const std::span<const AlgorithmDescriptor* const> all = algorithm_descriptors();
    return **std::max_element(all.begin(), all.end(), [&](const AlgorithmDescriptor* a, const AlgorithmDescriptor* b) {
        return preference(a) < preference(b);
    });
}

}  // namespace

std::vector<AskedValue> asked_values() {
    std::vector<const TuningFamily*> families;
    std::vector<AskedValue> values;
    for (const AlgorithmDescriptor* algorithm : algorithm_descriptors())
        for (const VariantDescriptor& variant : algorithm->variants)
            for (const TuningFamily* family : variant.tuning) {
                if (family == nullptr || std::count(families.begin(), families.end(), family) != 0) continue;
                families.push_back(family);
                values.insert(values.end(), family->asked.begin(), family->asked.end());
            }
    return values;
}

void check_enumerator(std::string_view argument, int value, int last, std::string_view name) {
    if (value < 0 || value > last)
        throw Error(fmt::format("{} {} is unknown; the last one is {} ({})", argument, value, last, name));
}

void check_kinds(const SortSpec& spec) {
    check_enumerator("key type", spec.order.key, KeyType::f64);
    check_enumerator("direction", spec.order.direction, Direction::descending);
    check_enumerator("backend", spec.backend, Backend::cpu);
    check_enumerator("input", spec.input, Medium::texture);
    check_enumerator("output", spec.output, Medium::texture);
    if (spec.layout) check_enumerator("layout", *spec.layout, Layout::z_order);
    const Payload& payload = spec.payload;
    check_enumerator("payload kind", payload.kind, Payload::Kind::bytes, "bytes");
    switch (payload.kind) {
        case Payload::Kind::none:
        case Payload::Kind::index: {
            const bool none = payload.kind == Payload::Kind::none;
            const std::uint32_t size = none ? 0 : 4;
            if (payload.size != size)
                throw Error(
                    fmt::format("a payload {} of {} bytes; it has {}", none ? "none" : "index", payload.size, size));
            return;
        }
        case Payload::Kind::bytes:
            if (payload.size == 0) throw Error("a payload of 0 bytes; without values it is Payload::none()");
            if (payload.size % 4 != 0)
                throw Error(fmt::format("a payload of {} bytes; it must be a multiple of 4", payload.size));
            return;
    }
}

std::string ChosenVariant::name() const {
    return full_name(*algorithm, *variant);
}

ChosenVariant choose_variant(const PlanRequest& request) {
    const std::string_view text = request.spec.algorithm;
    if (text == "automatic") {
        const AlgorithmDescriptor& algorithm = preferred_algorithm(request);
        return {&algorithm, &fitting_variant(algorithm, request)};
    }
    for (const AlgorithmDescriptor* algorithm : algorithm_descriptors()) {
        if (!text.starts_with(algorithm->name)) continue;
        const std::string_view rest = text.substr(algorithm->name.size());
        if (rest.empty()) return {algorithm, &fitting_variant(*algorithm, request)};
        for (const VariantDescriptor& variant : algorithm->variants)
            if (rest.front() == ':' && rest.substr(1) == variant.name) return {algorithm, &variant};
    }
    throw Error(
        fmt::format("algorithm '{}' is unknown; it is automatic or one of {}", text, fmt::join(all_names(), ", ")));
}

void check_takes(const PlanRequest& request, const ChosenVariant& choice) {
    const SortOrder& order = request.spec.order;
    if (order.comparison)
        require_takes(choice, "comparison", [](const Takes& takes) { return takes.comparison; });
    else
        require_takes(choice, fmt::format("keys of type {}", to_string(order.key)),
                      [&order](const Takes& takes) { return takes_key(takes, order.key); });
    if (!request.lists.empty()) require_takes(choice, "lists", [](const Takes& takes) { return takes.lists; });
    if (request.spec.gpu_count)
        require_takes(choice, "count on the GPU", [](const Takes& takes) { return takes.gpu_count; });
    if (compares_part(order)) require_takes(choice, "range of bits", [](const Takes& takes) { return takes.bits; });
    check_tuning(request.spec.tuning, choice);
}

}  // namespace glsort
