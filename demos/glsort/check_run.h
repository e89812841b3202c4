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

/// Counts of the work so far. Another thread may read the atomic members.
struct Totals {
    std::atomic<std::uint64_t> rounds = 0;
    std::atomic<std::uint64_t> sorts = 0;        ///< Calls: sorts, merges and sorts by steps.
    std::atomic<std::uint64_t> large_sorts = 0;  ///< Of more than 2^12 elements.
    std::atomic<std::uint64_t> steps = 0;
    std::atomic<std::uint64_t> state_values = 0;   ///< State values compared before and after.
    std::atomic<std::uint64_t> refused_calls = 0;  ///< Calls that had to be refused, and were.
    std::atomic<std::uint64_t> failures = 0;
    std::set<std::uint64_t> configurations;  ///< Hashes of specification x context x state.
};

/// The message of a failure, and its place in the round. `visit` is the number of visits if construction failed.
struct Failure {
    std::string what;
    std::size_t sorter = 0;
    std::size_t visit = 0;
    std::size_t call = 0;
};

/// The options that produce the state, while a DirtyState lives.
trial::DirtyOptions options_of(const State& state);

class Runner {
  public:
    Runner(Contexts& contexts, Totals& totals) : contexts_(contexts), totals_(totals) {}

    /// Runs a round. Returns the first failure, or nothing. `stop` is called now and then, and returns whether to leave
    /// out the rest of the round. Null: never.
    std::optional<Failure> run(const Round& round, const std::function<bool()>& stop = nullptr);

  private:
    class Live;

    Copies& copies_of(ContextId id);
    /// The scratch memory that sorters of the round share in a context. The context must be current.
    const std::shared_ptr<Scratch>& scratch_of(ContextId id);
    const Limits& limits_of(const SorterPlan& plan) const;

    Contexts& contexts_;
    Totals& totals_;
    std::map<ContextId, std::unique_ptr<Copies>> copies_;
    std::map<ContextId, std::shared_ptr<Scratch>> scratches_;  ///< Of the round.
};

}  // namespace glsort::check
