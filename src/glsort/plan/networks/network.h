#pragma once

#include <glsort/plan/algorithm.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Sorting networks that run one step per op, on every backend. docs/add-a-network.md explains how to add a network.

namespace glsort {

/// The partner of an element in a step. A partner past the end acts as +infinity and is skipped.
using NetworkComparator = NetworkShape::Comparator;

/// The places of the partners of a record's two elements. In a network by element (SortingNetwork) partners are
/// `anywhere`. In a network by record each step names the place, which saves fetches. The cpu body throws `Error` for a
/// partner elsewhere.
enum class Partners {
    anywhere,  ///< Any element.
    within,    ///< The two elements are partners of each other.
    across,    ///< The first and the second element of another record.
    crossed,   ///< The second and the first element of other records.
};

/// A step of a network, performed by one op.
struct NetworkStep {
    std::vector<Counted> parameters;  ///< A value for each parameter of the network.
    Labels labels;
    Partners partners = Partners::anywhere;
};

/// The values of a step's parameters, by index.
class StepParameters {
  public:
    explicit StepParameters(std::span<const Counted> values) : values_(values) {}
    std::uint32_t operator[](std::size_t place) const { return values_[place]; }

  private:
    std::span<const Counted> values_;
};

/// A parameter of a step. In GLSL: `glsort_op_NAME`.
struct NetworkParameter {
    std::string_view name;
    /// A network by record may have masks over record numbers.
    Parameter::Kind kind = Parameter::Kind::number;
};

/// A sorting network: its steps, and the comparators of each step. All networks share streams, kernels and backends.
///
/// No comparator may exchange a missing element, past n, with another element. Missing elements act as +infinity, so
/// they must already lie behind all others. Partners past the end are skipped on every backend.
struct SortingNetwork {
    std::string_view name;     ///< The name of the algorithm. The kernel of `odd-even` is `odd_even_step`.
    std::string_view summary;  ///< One line for users.
    std::string_view source;   ///< The paper.
    /// The parameters of a step. Entries without a name are unused. GLSL also has `glsort_op_count`.
    NetworkParameter parameters[4] = {};
    /// The steps that sort n elements, n at least 2. The steps depend only on ceil(log2 n), except for parameters that
    /// follow the count (stream/stream.h).
    std::vector<NetworkStep> (*steps)(std::uint32_t n);
    /// The specification: the comparator of an element in the step with these parameters. Empty if the element has no
    /// comparator.
    std::optional<NetworkComparator> (*comparator)(const StepParameters& parameters, std::uint32_t element);
    /// The comparator in GLSL: `bool glsort_has_partner(uint element, out uint partner, out bool smaller)`.
    const char* glsl;
    /// Selects a faster form, for networks whose masks apply to record numbers as well as to element numbers.
    /// shaders/networks/network_step.glsl lists the functions that the GLSL must then define. No step may have partners
    /// `anywhere`.
    bool by_record = false;
    /// Whether no comparator reaches past the end if n is a power of two. Shaders then omit the test, and the cpu body
    /// throws `Error` for a comparator past the end.
    bool ends_at_powers = false;
    /// Whether the network supports a count on the GPU (`Takes::gpu_count`).
    bool gpu_count = false;
};

/// Adds the streams and ops of a network to a program. Records have two neighbouring elements. A fragment then fetches
/// and writes whole texels of four words, with half the fragments and half the fetches of one element per texel. A last
/// `copy` separates the elements.
void plan_network(SortFrame& frame, const SortingNetwork& network);

/// The counts after which the kernels change (VariantDescriptor::counts).
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

/// An algorithm whose only variant runs a network step by step.
template <const SortingNetwork& network>
constexpr AlgorithmDescriptor network_algorithm() {
    return {.name = network.name, .variants = network_variants<network>};
}

}  // namespace glsort
