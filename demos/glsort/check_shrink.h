#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "check_run.h"

namespace glsort::check {

/// A failing round, made as small as the time allows.
struct Shrunk {
    Round round;
    Failure failure;
    int repeats = 0;     ///< How often the whole round failed again.
    int of_repeats = 0;  ///< How often the whole round was repeated.
};

/// Runs a round, and returns the failure, if any.
using RunRound = std::function<std::optional<Failure>(const Round&)>;

/// Repeats the round. Then drops sorters, visits, calls and states that the failure does not need. Replaces unusual
/// options by plain ones, and finds the smallest counts that fail. A round fails alike if the text of the failure is
/// equal up to the first colon. `choices` limits the specifications.
Shrunk shrink(const Round& round, const Failure& failure, const Choices& choices, const RunRound& run, double seconds);

}  // namespace glsort::check
