#pragma once

#include <glsort/sorter.h>

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "check_run.h"

/// The report of the self-test, for people and for programs.

namespace glsort::check {

/// C++ source of the specification, and of the options that differ from the defaults: `SortSpec{.order = {.key =
/// KeyType::f32}, .capacity = 17}`.
std::string to_source(const SorterPlan& sorter);

/// A whole round as lines of text, and the first lines alone, without the calls.
std::string to_text(const Round& round);
std::string heading_of(const Round& round);

/// A failure, with everything that the report says about it.
struct Finding {
    std::uint64_t seed = 0;  ///< Of the failed round.
    Round round;             ///< The failed round, made as small as possible.
    Failure failure;
    int repeats = 0;                    ///< How often the whole round failed again.
    int of_repeats = 0;                 ///< How often the whole round was repeated.
    std::vector<std::string> settings;  ///< The settings of the visit's state that differ from a new context.
    std::string command;                ///< The command that repeats the round.
    std::vector<std::uint64_t> alike;  ///< Seeds of other rounds with this kind of failure. They were not made smaller.
};

/// Max growth of the process's memory, in KiB per 1000 sorts. A run with more growth has failed. A leak of one page
/// every second sort exceeds the limit. Caches of drivers move the value by some hundred KiB.
inline constexpr double most_memory_growth = 2048;

/// A run, with everything that the report says about it.
struct Summary {
    std::uint64_t seed = 0;
    double seconds = 0;
    bool interrupted = false;
    std::vector<Finding> findings;
    std::uint64_t untold = 0;  ///< Failed rounds that no finding mentions.
    std::vector<std::string> slow_rounds;
    double memory_mib = 0;  ///< Of the process, at the end.
    /// KiB per 1000 sorts, in the second half of the run. Empty after too few rounds.
    std::optional<double> memory_growth;
    bool leaks_memory = false;  ///< Whether memory grows by more than `most_memory_growth`, after enough rounds.
};

/// A paragraph for an issue. `contexts` gives the names of the driver.
std::string to_text(const Finding& finding, const Contexts& contexts);
/// The whole report.
std::string to_text(const Summary& summary, const Totals& totals, const Contexts& contexts);
nlohmann::ordered_json to_json(const Summary& summary, const Totals& totals, const Contexts& contexts);

}  // namespace glsort::check
