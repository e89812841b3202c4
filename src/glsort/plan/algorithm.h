#pragma once

#include <glsort/plan/sort_frame.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How an algorithm describes itself. Planner and sorters know nothing else of algorithms: no name of one, and no
/// count at which a program of one changes.

namespace glsort {

struct SortingNetwork;

/// Counts of elements, in any order. Those above the capacity are left out.
using Counts = std::vector<std::uint32_t>;

struct VariantDescriptor {
    std::string_view name;     ///< `step`
    std::string_view summary;  ///< One line, for people.
    std::string_view source;   ///< The paper: who, when, which section.
    Takes takes;
    /// The records of its streams.
    RecordType::Form form = RecordType::Form::full;
    /// The same where the form goes by the request.
    RecordType::Form (*form_for)(const PlanRequest&, const AlgorithmChoice&) = nullptr;
    Layout layout = Layout::row_wise;  ///< In which it is fastest (docs/experiments.md).
    /// Adds streams and ops to a frame.
    void (*plan)(SortFrame&) = nullptr;
    /// The counts that together need every kernel that any count up to the capacity needs, besides the capacity
    /// itself. `largest`: a frame for the capacity, with nothing in it yet. The function goes by thresholds of the
    /// algorithm: the last count of each stretch of counts with the same kernels will do.
    Counts (*counts)(const SortFrame& largest) = nullptr;
    /// The same for merges of up to `most` lists: lists that together need every kernel.
    std::vector<std::vector<std::uint32_t>> (*lists)(const SortFrame& largest, std::uint32_t most) = nullptr;
    /// Whose tuning it reads; null behind the last.
    std::array<const TuningFamily*, 3> tuning = {};
    /// The network that the variant runs step by step, where it is one (plan/networks/network.h).
    const SortingNetwork* network = nullptr;
};

struct AlgorithmDescriptor {
    std::string_view name;  ///< In lower case, as it is asked for by name.
    std::span<const VariantDescriptor> variants;
    /// The variant for a request that names none. Null: the first.
    const VariantDescriptor& (*fitting)(const PlanRequest&) = nullptr;
    /// How well the algorithm serves a request that names none: `automatic` takes the greatest. Null: 0, never.
    int (*preference)(const PlanRequest&) = nullptr;
};

/// All of them, in the order they are listed to people (plan/algorithms.cpp).
std::span<const AlgorithmDescriptor* const> algorithm_descriptors();

/// A variant, and whose it is.
struct Described {
    const AlgorithmDescriptor* algorithm = nullptr;
    const VariantDescriptor* variant = nullptr;

    std::string name() const;  ///< `NAME:VARIANT`
};

/// Throws `Error` for a value that an enumeration does not have, and for a payload of another size than its kind has.
void check_kinds(const SortSpec& spec);

/// What the request names, or else what fits. Throws `Error` with the names there are.
Described describe_choice(const PlanRequest& request);

/// Throws `Error` where the variant does not take what `request` asks for: the message says which variants do.
void check_takes(const PlanRequest& request, const Described& choice);

/// Counts up to the capacity of `request`, ascending and with the capacity: their programs together have every kernel
/// that any count needs. Throws `Error` as `plan` does.
Counts kernel_counts(const PlanRequest& request);

/// The same for merges of up to `most` lists.
std::vector<std::vector<std::uint32_t>> kernel_lists(const PlanRequest& request, std::uint32_t most);

/// Adds the last count of each stretch of `first` to `last` in which `signature(count)` stays the same. Each of the
/// values that make up a signature must grow with the count, or fall with it.
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
