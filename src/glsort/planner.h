#pragma once

#include <glsort/error.h>
#include <glsort/limits.h>
#include <glsort/spec.h>
#include <glsort/stream/program.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glsort {

/// What a program is planned for. The default limits are those of `glsort plan`.
struct PlanRequest {
    /// As for a sorter. The algorithm's tuning and the layout of its streams go by `spec.capacity`; 0 stands for `n`.
    SortSpec spec;
    std::uint32_t n = 0;  ///< Elements to sort, up to the capacity.
    Limits limits = {};   ///< Of the device.
    /// The lengths of sorted lists that lie one after the other, up to `max_merge_lists`; the sum of the lengths is
    /// `n`. Then the program merges the lists. Empty: the program sorts.
    std::vector<std::uint32_t> lists = {};
};

inline constexpr KeyType every_key_type[] = {KeyType::u32, KeyType::i32, KeyType::f32,
                                             KeyType::u64, KeyType::i64, KeyType::f64};

/// What a variant of an algorithm can be asked for. Every variant takes any payload, both orders and every layout, and
/// runs on the compute and the cpu backend.
struct Takes {
    bool fragment = false;         ///< The fragment backend.
    bool comparison = false;       ///< A comparison of the caller's, instead of a key type.
    bool bits = false;             ///< A range of a key's bits.
    std::uint32_t digit_bits = 0;  ///< The limit of `Tuning::Radix::digit_bits`; 0: there are no digits.
    bool lists = false;            ///< Sorted lists to merge.
    bool tile = false;             ///< `Tuning::Networks::tile`, or with `samples` `Tuning::Sample::tile`.
    bool samples = false;          ///< `Tuning::Sample::samples`.
    /// Sorts (not merges of lists) of a count that the GPU alone knows: the program of the capacity is right for fewer
    /// elements, where its numbers follow the count. No request can ask for that yet.
    bool gpu_count = false;
    std::span<const KeyType> keys = every_key_type;
};

/// An algorithm, as it is chosen by name.
struct Algorithm {
    struct Variant {
        std::string name;
        std::string summary;  ///< One line, with the source.
        Takes takes;
    };
    std::string name;
    std::vector<Variant> variants;  ///< `choose_algorithm` says which is the default.
};

/// All algorithms, in the order they are listed to people.
GLSORT_API std::vector<Algorithm> algorithms();

/// An algorithm and a variant of it that both exist.
struct AlgorithmChoice {
    std::string name;
    std::string variant;
    bool portable = true;              ///< Whether the fragment backend can run it.
    Layout layout = Layout::row_wise;  ///< The layout in which it is fastest.
};

/// What `NAME` or `NAME:VARIANT` names: of an algorithm without a variant the first. Throws `Error` with the names
/// there are. `automatic` is what sorts anything, anywhere.
GLSORT_API AlgorithmChoice choose_algorithm(std::string_view text);

/// The same for a request: the variant that is fastest there, where none is named. `automatic` is the algorithm that
/// says of itself that it serves the request best (`glsort info` prints which, and why). Throws `Error` for a value
/// that an enumeration does not have, and for a payload of another size than its kind has.
GLSORT_API AlgorithmChoice choose_algorithm(const PlanRequest& request);

/// Makes the stream program that `request` asks for: pure, no context needed.
///
/// Throws `Error` for an algorithm or variant that is unknown, for a comparison, payload, range of bits, digits, tile
/// or samples that it, or the backend, does not take, for `n` above the capacity, and for lists that are too many, do
/// not add up to `n`, or that the algorithm does not merge. The program is valid (validate.h) but for limits: those are
/// checked where it is scheduled. Cost: linear in the ops.
GLSORT_API StreamProgram plan(const PlanRequest& request);

/// A pass of the planner, and the program as the pass leaves it.
struct PlannedPass {
    std::string name;     ///< `fuse load`
    std::string summary;  ///< One line.
    /// To be printed. Before the pass that fuses the load, ops read the caller's elements from a stream `unsorted`,
    /// which no executor knows.
    StreamProgram program;
};

/// Makes the same program as `plan`, and keeps what each pass makes of it, in their order. Throws as `plan` does. Cost:
/// that of `plan`, and a copy of the program for each pass.
GLSORT_API std::vector<PlannedPass> plan_pass_by_pass(const PlanRequest& request);

/// The tuning that a program is made by, to be printed.
struct TuningReport {
    struct Value {
        std::string name;  ///< `digit_bits`
        /// One number, or several that belong together. 2^32-1: as the device allows.
        std::vector<std::uint64_t> numbers;
        std::string unit;
        std::string measured;  ///< A section of docs/experiments.md.
    };
    struct Family {
        std::string name;  ///< Of its folder in `plan/`.
        std::vector<Value> values;
    };
    std::string algorithm;
    std::string variant;
    Backend backend = Backend::compute;
    std::string row;               ///< Of all tables: `known GPU`.
    std::string reason;            ///< The limits that decide so.
    std::vector<Family> families;  ///< Whose values the variant reads; none where no value goes by the device.
};

/// The tuning of the program that `plan` makes. Values that the request has itself, such as a tile, take the place of
/// those listed, and no value exceeds what `limits` allow. Throws `Error` as `plan` does, but plans nothing.
GLSORT_API TuningReport chosen_tuning(const PlanRequest& request);

}  // namespace glsort
