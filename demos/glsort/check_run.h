#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "check_copies.h"
#include "check_round.h"
#include "support/hostile_state.h"

/// Runs rounds.

namespace glsort::check {

/// What has been done. Others may look at it from another thread.
struct Totals {
    std::atomic<std::uint64_t> rounds = 0;
    std::atomic<std::uint64_t> sorts = 0;        ///< Calls that were made: sorts, merges and sorts by steps.
    std::atomic<std::uint64_t> large_sorts = 0;  ///< Of more than 2^12 elements.
    std::atomic<std::uint64_t> steps = 0;
    std::atomic<std::uint64_t> state_values = 0;  ///< Compared before and after.
    std::atomic<std::uint64_t> failures = 0;
    std::set<std::uint64_t> configurations;  ///< Specification x context x state, as hashes.
};

/// What went wrong, and where in its round: at a visit, or at construction (`visit` is then the number of visits).
struct Failure {
    std::string what;
    std::size_t sorter = 0;
    std::size_t visit = 0;
    std::size_t call = 0;
};

/// What makes the state, while a DirtyState lives.
trial::DirtyOptions options_of(const State& state);

class Runner {
  public:
    Runner(Contexts& contexts, Totals& totals) : contexts_(contexts), totals_(totals) {}

    /// Runs a round: the first thing that goes wrong, or nothing. Where `stop` is not null, it is asked now and then
    /// whether to leave out the rest of the round.
    std::optional<Failure> run(const Round& round, const std::function<bool()>& stop = nullptr);

  private:
    class Live;

    Copies& copies_of(ContextId id);
    /// What sorters of the round share in that context, which is current.
    const std::shared_ptr<Scratch>& scratch_of(ContextId id);
    const Limits& limits_of(const SorterPlan& plan) const;

    Contexts& contexts_;
    Totals& totals_;
    std::map<ContextId, std::unique_ptr<Copies>> copies_;
    std::map<ContextId, std::shared_ptr<Scratch>> scratches_;  ///< Of the round.
};

}  // namespace glsort::check
