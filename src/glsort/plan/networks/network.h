#pragma once

#include <glsort/plan/algorithm.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Sorting networks, one step an op, on every backend. docs/add-a-network.md says how to add one.

namespace glsort {

/// What an element is compared with in a step. A partner past the end acts as +infinity, and is skipped.
using NetworkComparator = NetworkShape::Comparator;

/// Where the partners of a record's two elements are. By element (SortingNetwork) they are anywhere. By record a step
/// says where, which saves fetches; the cpu body throws `Error` for a partner that is elsewhere.
enum class Partners {
    anywhere,  ///< Any elements.
    within,    ///< They are each other's.
    across,    ///< The first and the second of another record.
    crossed,   ///< The second and the first of other records.
};

/// A step of a network: an op.
struct NetworkStep {
    std::vector<Counted> parameters;  ///< A value for each of the network's.
    Labels labels;
    Partners partners = Partners::anywhere;
};

/// The values of a step's parameters, by their places.
class StepParameters {
  public:
    explicit StepParameters(std::span<const Counted> values) : values_(values) {}
    std::uint32_t operator[](std::size_t place) const { return values_[place]; }

  private:
    std::span<const Counted> values_;
};

/// A parameter of a step, `glsort_op_NAME` in GLSL.
struct NetworkParameter {
    std::string_view name;
    /// By record, a network may have masks over record numbers.
    Parameter::Kind kind = Parameter::Kind::number;
};

/// A sorting network: what its steps are, and what each compares. Streams, kernels and backends are the same for all.
///
/// No comparator may exchange elements that are missing, past n, with others: missing elements act as +infinity, and
/// must lie behind all others already. Partners past the end are skipped on every backend.
struct SortingNetwork {
    std::string_view name;     ///< The algorithm's: `odd-even`. Its kernel is `odd_even_step`.
    std::string_view summary;  ///< One line, for people.
    std::string_view source;   ///< The paper.
    NetworkParameter parameters[4] =
        {};  ///< Of a step; those without a name are none. GLSL has `glsort_op_count`, too.
    /// The steps that sort n elements, n at least 2. For all n with the same ceil(log2 n) they are the same, but for
    /// parameters that follow the count (stream/counted.h).
    std::vector<NetworkStep> (*steps)(std::uint32_t n);
    /// The specification: the comparator of an element in the step with these parameters, if it has one.
    std::optional<NetworkComparator> (*comparator)(const StepParameters& parameters, std::uint32_t element);
    /// The same in GLSL: `bool glsort_has_partner(uint element, out uint partner, out bool smaller)`.
    const char* glsl;
    /// A faster form, for networks whose masks are the same over records of two elements as over elements: what GLSL
    /// then has to define is in shaders/networks/network_step.glsl. No step has partners anywhere.
    bool by_record = false;
    /// Whether no comparator reaches past the end where n is a power of two. Then shaders do not look; the cpu body
    /// throws `Error` where a comparator does.
    bool ends_at_powers = false;
    /// Whether it takes a count that the GPU knows (`Takes::gpu_count`).
    bool gpu_count = false;
};

/// Adds the streams and ops of a network to a program: records of two neighbours, so that a fragment fetches and writes
/// whole texels of four words, half the fragments and half the fetches of one element a texel. A last `copy` takes
/// them apart.
void plan_network(SortFrame& frame, const SortingNetwork& network);

/// The counts that need kernels of their own.
Counts counts_of_network(const SortingNetwork& network, const SortFrame& largest);

/// The variant that runs a network step by step.
template <const SortingNetwork& network>
constexpr VariantDescriptor network_variant() {
    return {.name = "step",
            .summary = network.summary,
            .source = network.source,
            .takes = {.fragment = true, .comparison = true, .gpu_count = network.gpu_count},
            .plan = [](SortFrame& frame) { plan_network(frame, network); },
            .counts = [](const SortFrame& largest) { return counts_of_network(network, largest); },
            .network = &network};
}

template <const SortingNetwork& network>
inline constexpr VariantDescriptor network_variants[] = {network_variant<network>()};

/// An algorithm that is a network and nothing else.
template <const SortingNetwork& network>
constexpr AlgorithmDescriptor network_algorithm() {
    return {.name = network.name, .variants = network_variants<network>};
}

}  // namespace glsort
