#pragma once

#include <glsort/sorter.h>

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "check_run.h"

/// What the self-test tells about itself, for people and for programs.

namespace glsort::check {

/// C++ that makes the specification, and the options where they are not the default:
/// `SortSpec{.order = {.key = KeyType::f32}, .capacity = 17}`.
std::string to_source(const SorterPlan& sorter);

/// All that a round does, in lines; and its first lines alone, without the calls.
std::string to_text(const Round& round);
std::string heading_of(const Round& round);

/// A failure as it is told.
struct Finding {
    std::uint64_t seed = 0;  ///< Of the round that failed.
    Round round;             ///< What was made of that round, as small as it could be made.
    Failure failure;
    int repeats = 0;                    ///< Times that the whole round failed again,
    int of_repeats = 0;                 ///< of so many.
    std::vector<std::string> settings;  ///< What the state of the visit differs in from that of a new context.
    std::string command;                ///< Runs the round again.
    std::vector<std::uint64_t> alike;   ///< Other rounds that failed like this one, which were left as they are.
};

/// KiB per 1000 sorts that the memory of the process may grow by: a run that grows by more has failed. A page lost at
/// every second sort is more. What drivers keep and give back moves the figure by some hundred KiB.
inline constexpr double most_memory_growth = 2048;

/// A run as it is told.
struct Summary {
    std::uint64_t seed = 0;
    double seconds = 0;
    bool interrupted = false;
    std::vector<Finding> findings;
    std::uint64_t untold = 0;  ///< Rounds that failed and are in no finding.
    std::vector<std::string> slow_rounds;
    double memory_mib = 0;  ///< Of the process, at the end.
    /// KiB per 1000 sorts, over the second half; nothing where there were too few rounds to tell.
    std::optional<double> memory_growth;
    bool leaks_memory = false;  ///< It grows by more than `most_memory_growth`, and rounds were enough to tell.
};

/// A paragraph for an issue. `contexts` says what the driver is.
std::string to_text(const Finding& finding, const Contexts& contexts);
/// The whole report.
std::string to_text(const Summary& summary, const Totals& totals, const Contexts& contexts);
nlohmann::ordered_json to_json(const Summary& summary, const Totals& totals, const Contexts& contexts);

}  // namespace glsort::check
