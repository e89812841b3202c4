#pragma once

#include <glsort/plan/element_source.h>
#include <glsort/plan/sort_frame.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The description that each algorithm gives of itself. The planner and the sorters know algorithms only through these
/// descriptions. They know no names of algorithms, and no counts at which a program changes.

namespace glsort {

struct SortingNetwork;

/// Counts of elements, in any order. Counts above the capacity are ignored.
using Counts = std::vector<std::uint32_t>;

struct VariantDescriptor {
    std::string_view name;     ///< `step`
    std::string_view summary;  ///< One line for users.
    std::string_view source;   ///< The paper: authors, year, section.
    Takes takes;
    /// The form of the elements that the algorithm takes.
    ElementType::Form form = ElementType::Form::full;
    /// The form as a function of the request. Null: `form`.
    ElementType::Form (*form_for)(const PlanRequest&, const AlgorithmChoice&) = nullptr;
    Layout layout = Layout::row_wise;  ///< The fastest layout (docs/experiments.md).
    /// Adds streams and ops to a frame.
    void (*plan)(SortFrame&) = nullptr;
    /// The last count of each range in which no kernel changes. The programs of these counts and of the capacity
    /// contain every kernel of every count. `largest` is an empty frame for the capacity.
    Counts (*counts)(const SortFrame& largest) = nullptr;
    /// Like `counts`, for merges of up to `limit` lists: sets of lists that together use every kernel.
    std::vector<std::vector<std::uint32_t>> (*lists)(const SortFrame& largest, std::uint32_t limit) = nullptr;
    /// What the program of the capacity counts first. With a value the variant also takes elements of an
    /// `ElementSource` whose digits have been counted. Null: nothing.
    std::optional<DigitCounts> (*digits)(const SortFrame& largest) = nullptr;
    /// Whether the variant takes an `ElementSource::fills` in fragment shaders.
    bool fills = false;
    /// The tuning families that the variant reads. The list ends with a null pointer.
    std::array<const TuningFamily*, 3> tuning = {};
    /// The network that the variant runs step by step (plan/networks/network.h). Null: the variant is no such network.
    const SortingNetwork* network = nullptr;
};

struct AlgorithmDescriptor {
    std::string_view name;  ///< In lower case, as a request names the algorithm.
    std::span<const VariantDescriptor> variants;
    /// The variant for a request that names no variant. Null: the first.
    const VariantDescriptor& (*fitting)(const PlanRequest&) = nullptr;
    /// How well the algorithm serves a request that names no algorithm. `automatic` takes the algorithm with the max
    /// preference. Null: 0, never.
    int (*preference)(const PlanRequest&) = nullptr;
};

/// All algorithms, in the order of lists for users (plan/algorithms.cpp).
std::span<const AlgorithmDescriptor* const> algorithm_descriptors();

/// The values that a request may set, of all families that variants read.
std::vector<AskedValue> asked_values();

/// A variant and its algorithm.
struct ChosenVariant {
    const AlgorithmDescriptor* algorithm = nullptr;
    const VariantDescriptor* variant = nullptr;

    std::string name() const;  ///< `NAME:VARIANT`
};

/// Throws `Error` for a value outside its enumeration, and for a payload whose size contradicts its kind.
void check_kinds(const SortSpec& spec);

/// The variant that the request names, or else the best variant for the request. For an unknown name, throws `Error`
/// with all known names.
ChosenVariant choose_variant(const PlanRequest& request);

/// Throws `Error` if the variant does not support a feature of `request`. The message names the variants that do.
void check_takes(const PlanRequest& request, const ChosenVariant& choice);

/// Like `plan`. Messages of errors name no function.
StreamProgram make_program(const PlanRequest& request);

/// Ascending counts up to the capacity of `request`, the capacity included. Their programs together use every kernel
/// that any count needs. Throws `Error` like `plan`.
Counts kernel_counts(const PlanRequest& request);

/// `VariantDescriptor::digits` of the variant for `request`, whose `n` is the capacity. Throws `Error` like `plan`.
std::optional<DigitCounts> counted_digits(const PlanRequest& request);

/// Whether the elements of the request can come from an `ElementSource` without digits: the sort looks up no keys.
bool takes_source(const PlanRequest& request);

/// Like `kernel_counts`, for merges of up to `limit` lists.
std::vector<std::vector<std::uint32_t>> kernel_lists(const PlanRequest& request, std::uint32_t limit);

/// Splits the counts `first` to `last` into ranges of equal `signature(count)` and adds the last count of each range.
/// Each value in a signature must be monotonic in the count.
template <class Signature>
void add_changes(Counts& counts, std::uint32_t first, std::uint32_t last, const Signature& signature) {
    if (signature(first) == signature(last)) {
        counts.push_back(last);
        return;
    }
    const std::uint32_t middle = first + (last - first) / 2;
    add_changes(counts, first, middle, signature);
    add_changes(counts, middle + 1, last, signature);
}

}  // namespace glsort
