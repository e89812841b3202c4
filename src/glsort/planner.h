#pragma once

#include <glsort/error.h>
#include <glsort/limits.h>
#include <glsort/spec.h>
#include <glsort/stream/program.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glsort {

struct ElementSource;

/// What a program is planned for. The default limits are those of `glsort plan`.
struct PlanRequest {
    /// The specification of a sorter. Its capacity decides tuning and layouts. A capacity of 0 means `n`.
    SortSpec spec;
    std::uint32_t n = 0;  ///< Elements to sort, up to the capacity.
    Limits limits = {};   ///< The limits of the device.
    /// Empty: the program sorts. Otherwise the program merges sorted lists that lie one after the other. Each number is
    /// the length of a list, in elements. The sum of the lengths is `n`, at most 2^31. There are up to
    /// `max_merge_lists` lists.
    std::vector<std::uint32_t> lists = {};
    /// For sorts inside the library, which have the elements in another form. Null: the caller's keys and values.
    std::shared_ptr<const ElementSource> source = nullptr;
};

/// All key types, in the order of the enumeration.
inline constexpr KeyType every_key_type[] = {KeyType::u32, KeyType::i32, KeyType::f32,
                                             KeyType::u64, KeyType::i64, KeyType::f64};

/// What a variant of an algorithm supports. Every variant supports any payload, both directions and every layout. Every
/// variant runs on the backends compute and cpu.
struct Takes {
    bool fragment = false;         ///< Runs on the backend fragment as well.
    bool comparison = false;       ///< A comparison of the caller's (`SortOrder::comparison`).
    bool bits = false;             ///< A range of a key's bits (`SortOrder::bits`).
    std::uint32_t digit_bits = 0;  ///< The largest digit that `SortSpec::tuning` may ask for; 0: there are no digits.
    bool lists = false;            ///< Merges of sorted lists (`PlanRequest::lists`).
    bool tile = false;             ///< A tile of the size that `SortSpec::tuning` asks for.
    bool samples = false;          ///< As many samples of a tile as `SortSpec::tuning` asks for.
    /// `SortSpec::gpu_count`: a count that the GPU alone knows, for sorts and not for merges of lists.
    bool gpu_count = false;
    /// The key types.
    std::span<const KeyType> keys = every_key_type;
};

/// An algorithm and its variants, by the names that `SortSpec::algorithm` takes.
struct Algorithm {
    struct Variant {
        std::string name;
        std::string summary;  ///< One line, with the source.
        Takes takes;
    };
    std::string name;
    std::vector<Variant> variants;  ///< `choose_algorithm` says which is the default.
};

/// All algorithms, in the order in which `glsort` lists them.
GLSORT_API std::vector<Algorithm> algorithms();

/// The names of an algorithm and of one of its variants, both known to exist.
struct AlgorithmChoice {
    std::string name;
    std::string variant;
    bool portable = true;              ///< Whether the fragment backend can run the variant.
    Layout layout = Layout::row_wise;  ///< The layout in which the variant is fastest.
};

/// The algorithm and variant that `NAME:VARIANT` names. `NAME` alone stands for the first variant. `automatic` stands
/// for `merge`, which runs on every backend. For an unknown name throws `Error` with the names that exist.
GLSORT_API AlgorithmChoice choose_algorithm(std::string_view text);

/// The algorithm and variant for a request. A name without a variant gets the variant that is fastest within the
/// limits. `automatic` becomes the algorithm that rates itself best for the request. `glsort info` prints the choice
/// and the reason.
///
/// Throws `Error` for an unknown name, and for a value that an enumeration does not have. Also throws for a payload
/// with a size that does not fit its kind.
GLSORT_API AlgorithmChoice choose_algorithm(const PlanRequest& request);

/// Makes the stream program for `request`. A pure function: equal requests get equal programs. Needs no context.
///
/// Throws `Error` for:
/// - an algorithm or variant that is unknown;
/// - a comparison, payload, range of bits, tuning or lists that the algorithm (`Takes`) or the backend does not
///   support;
/// - a value that an enumeration does not have;
/// - a comparison without the text or the function that the backend needs;
/// - a texture as input with buffers as output;
/// - an `n` above the capacity;
/// - with `gpu_count`, an `n` that is not the capacity, lists, and a Z-order layout on the fragment backend;
/// - more lists than `max_merge_lists`, lists that do not add up to `n`, and lists with an `n` above 2^31.
///
/// The planner uses the limits to choose sizes, but the program may still exceed some limits: only sorters check. Cost:
/// linear in the ops.
GLSORT_API StreamProgram plan(const PlanRequest& request);

/// A pass of the planner, and the program after the pass.
struct PlannedPass {
    std::string name;     ///< `fuse load`
    std::string summary;  ///< One line.
    /// For printing only. Before the pass `fuse load` a program cannot run: its ops read the caller's elements from a
    /// placeholder, the stream `unsorted`.
    StreamProgram program;
};

/// Plans as `plan` does, and copies the program after each pass. Returns the copies in the order of the passes. Throws
/// `Error` as `plan` does. Cost: that of `plan`, and the copies.
GLSORT_API std::vector<PlannedPass> plan_pass_by_pass(const PlanRequest& request);

/// The tuning of a program, for printing: which values the planner takes from the tuning tables.
struct TuningReport {
    struct Value {
        std::string name;  ///< `digit_bits`
        /// One number, or several that belong together. 2^32-1 stands for the limit of the device.
        std::vector<std::uint64_t> numbers;
        std::string unit;      ///< The unit of the numbers.
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
    /// The families whose values the variant reads. Empty if no value depends on the device.
    std::vector<Family> families;
};

/// The tuning of the program that `plan` makes for `request`. The report lists the values of the tables. In the program
/// a value of `SortSpec::tuning` replaces the listed value, and the limits bound each value. Throws `Error` as `plan`
/// does, and plans nothing.
GLSORT_API TuningReport chosen_tuning(const PlanRequest& request);

/// The tuning of the ops in front of the sort of a scene (scene.h), for printing. The sort has the values of
/// `chosen_tuning`. Never throws.
GLSORT_API TuningReport::Family scene_tuning(const Limits& limits);

}  // namespace glsort
