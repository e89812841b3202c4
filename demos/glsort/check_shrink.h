#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "check_run.h"

namespace glsort::check {

/// A round that fails, made as small as time allows.
struct Shrunk {
    Round round;
    Failure failure;
    int repeats = 0;     ///< Times that the whole round failed again,
    int of_repeats = 0;  ///< of so many.
};

/// Runs a round, and says what went wrong.
using RunRound = std::function<std::optional<Failure>(const Round&)>;

/// Repeats the round, then drops sorters, visits, calls and states that the failure does not need, replaces what is
/// unusual by what is plain, and finds the smallest counts that fail. A round counts as failing where it fails in the
/// same way: the text of the failure up to its first colon. `choices` says what specifications are possible.
Shrunk shrink(const Round& round, const Failure& failure, const Choices& choices, const RunRound& run, double seconds);

}  // namespace glsort::check
