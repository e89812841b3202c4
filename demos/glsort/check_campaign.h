#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check_report.h"
#include "check_run.h"

namespace glsort::check {

/// The choices of rounds in these contexts, on these backends.
Choices choices_of(const Contexts& contexts, const std::vector<Backend>& backends);

/// Memory of the process after a round.
struct Memory {
    double sorts = 0;  ///< The number of sorts until then.
    double kib = 0;
};

/// Growth of memory, in KiB per 1000 sorts. The value is the slope of a line through the second half of the rounds, by
/// least squares: caches fill during the first half. Empty for fewer than 50 rounds.
std::optional<double> memory_growth(const std::vector<Memory>& rounds);

/// Whether memory grows by more than `most_memory_growth`. Always false for fewer than 500 rounds: in a short run the
/// driver still fills its caches, and the sizes of sorts vary too much.
bool leaks_memory(const std::vector<Memory>& rounds);

/// Runs round after round. The seed of a round depends only on the first seed and on the number of the round.
class Campaign {
  public:
    struct Plan {
        std::uint64_t seed = 0;
        bool one_round = false;    ///< Runs one round only, with the given seed.
        std::uint64_t rounds = 0;  ///< The number of rounds; 0: as many as fit the time.
        double seconds = 0;        ///< The approximate duration; 0: no limit.
    };

    /// `options` are the options that rounds depend on, for the command that repeats a round. `interrupted` is called
    /// now and then. It returns whether the run must end.
    Campaign(Contexts& contexts, const Choices& choices, std::string options, bool (*interrupted)() = nullptr);

    /// Calls `before` with each round before the round runs. Calls `failed` with a paragraph for each failed round.
    void run(const Plan& plan, const std::function<void(const Round&)>& before,
             const std::function<void(const std::string&)>& failed);

    const Totals& totals() const { return totals_; }
    Summary summary() const;

  private:
    void run_round(const Round& round, const std::function<bool()>& stop,
                   const std::function<void(const std::string&)>& failed);
    Finding find(const Round& round, const Failure& failure, double seconds);
    std::vector<std::string> settings_of(const Finding& finding);

    Contexts& contexts_;
    Choices choices_;
    std::string options_;
    bool (*interrupted_)();
    Totals totals_;
    Totals of_repeats_;  ///< Of repeated rounds, which do not count.
    Runner runner_;
    Runner repeater_;
    Summary summary_;
    std::vector<std::string> kinds_;  ///< The kinds of the findings.
    std::vector<Memory> memory_;
};

}  // namespace glsort::check
