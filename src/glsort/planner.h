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
    /// As for a sorter. Tuning and layouts are chosen for `spec.capacity`. A capacity of 0 stands for `n`.
    SortSpec spec;
    std::uint32_t n = 0;  ///< Elements to sort, up to the capacity.
    Limits limits = {};   ///< Of the device.
    /// Empty: the program sorts. Otherwise the program merges sorted lists that lie one after the other. These are
    /// their lengths, of which the sum is `n`. There are up to `max_merge_lists` lists.
    std::vector<std::uint32_t> lists = {};
};

inline constexpr KeyType every_key_type[] = {KeyType::u32, KeyType::i32, KeyType::f32,
                                             KeyType::u64, KeyType::i64, KeyType::f64};

/// What a variant of an algorithm can be asked for. Every variant takes any payload, both directions and every layout.
/// Every variant runs on the compute and the cpu backend.
struct Takes {
    bool fragment = false;         ///< Runs on the fragment backend, too.
    bool comparison = false;       ///< A comparison of the caller's, instead of a key type.
    bool bits = false;             ///< A range of a key's bits.
    std::uint32_t digit_bits = 0;  ///< The limit of `Tuning::Radix::digit_bits`; 0: there are no digits.
    bool lists = false;            ///< Sorted lists to merge.
    bool tile = false;             ///< A tile: of `Tuning::Sample` with `samples`, otherwise of `Tuning::Networks`.
    bool samples = false;          ///< `Tuning::Sample::samples`.
    /// `SortSpec::gpu_count`: a count that the GPU alone knows, for sorts and not for merges of lists.
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

/// The algorithm and variant that `NAME:VARIANT` names. `NAME` alone stands for the first variant, and `automatic` for
/// an algorithm that sorts anything, anywhere. Throws `Error` with the names there are for an unknown name.
GLSORT_API AlgorithmChoice choose_algorithm(std::string_view text);

/// The algorithm and variant for a request. If the request names no variant, the fastest one for the limits is chosen.
/// `automatic` becomes the algorithm that rates itself best for the request. `glsort info` prints which, and why.
/// Throws `Error` for a value that an enumeration does not have, and for a payload whose size does not fit its kind.
GLSORT_API AlgorithmChoice choose_algorithm(const PlanRequest& request);

/// Makes the stream program that `request` asks for: a pure function, which needs no context.
///
/// Throws `Error` for:
/// - an algorithm or variant that is unknown;
/// - what the algorithm or the backend does not take (`Takes`): comparison, payload, bits, tuning, lists;
/// - an `n` above the capacity, more lists than `max_merge_lists`, and lists that do not add up to `n`.
///
/// Whether the program fits the limits is checked where a sorter prepares the program. Cost: linear in the ops.
GLSORT_API StreamProgram plan(const PlanRequest& request);

/// A pass of the planner, and the program as the pass leaves it.
struct PlannedPass {
    std::string name;     ///< `fuse load`
    std::string summary;  ///< One line.
    /// For printing only. Until the pass `fuse load`, ops read the caller's elements from a stream named `unsorted`,
    /// which cannot be run.
    StreamProgram program;
};

/// Plans as `plan` does, and keeps a copy of the program behind each pass, in the order of the passes. Throws as `plan`
/// does. Cost: that of `plan`, and the copies.
GLSORT_API std::vector<PlannedPass> plan_pass_by_pass(const PlanRequest& request);

/// The tuning that a program is made with, for printing.
struct TuningReport {
    struct Value {
        std::string name;  ///< `digit_bits`
        /// One number, or several that belong together. 2^32-1 stands for the limit of the device.
        std::vector<std::uint64_t> numbers;
        std::string unit;
        std::string measured;  ///< The section of docs/experiments.md with the measurement.
    };
    struct Family {
        std::string name;  ///< The name of the family's folder in `plan/`.
        std::vector<Value> values;
    };
    std::string algorithm;
    std::string variant;
    Backend backend = Backend::compute;
    std::string row;     ///< The row of the tuning tables that was taken: `known GPU`.
    std::string reason;  ///< The limits that decided on this row.
    std::vector<Family>
        families;  ///< Families whose values the variant reads. Empty if no value depends on the device.
};

/// The tuning of the program that `plan` makes. Values that the request gives itself, such as a tile, replace the
/// listed ones in the program. No value in the program exceeds the limits. Throws `Error` as `plan` does, and plans
/// nothing.
GLSORT_API TuningReport chosen_tuning(const PlanRequest& request);

}  // namespace glsort
