#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check_report.h"
#include "check_run.h"

namespace glsort::check {

/// What rounds may choose from in these contexts, on these backends.
Choices choices_of(const Contexts& contexts, const std::vector<Backend>& backends);

/// Memory of the process behind a round.
struct Memory {
    double sorts = 0;  ///< That were made until then.
    double kib = 0;
};

/// KiB per 1000 sorts that memory grows by: the slope of a line through the second half of the rounds, by least
/// squares, as caches fill at first. Nothing where there are fewer than 50 rounds.
std::optional<double> memory_growth(const std::vector<Memory>& rounds);

/// Whether memory grows beyond `most_memory_growth`. Never for fewer than 500 rounds: a short run still fills the
/// caches of the driver, and the sizes of its sorts vary too much.
bool leaks_memory(const std::vector<Memory>& rounds);

/// Round after round: each from a seed of its own, which depends on the first seed and its number alone.
class Campaign {
  public:
    struct Plan {
        std::uint64_t seed = 0;
        bool one_round = false;    ///< The seed is that of a round, which is all.
        std::uint64_t rounds = 0;  ///< So many; 0: as many as there is time for.
        double seconds = 0;        ///< How long, about; 0: no limit.
    };

    /// `options` are those that rounds depend on, for the command that runs one again.
    /// `interrupted` is asked now and then whether to end.
    Campaign(Contexts& contexts, const Choices& choices, std::string options, bool (*interrupted)() = nullptr);

    /// Calls `before` with each round before it runs, and `failed` with a paragraph where one failed.
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
    Totals of_repeats_;  ///< Of rounds that are run again, which do not count.
    Runner runner_;
    Runner repeater_;
    Summary summary_;
    std::vector<std::string> kinds_;  ///< Of the findings.
    std::vector<Memory> memory_;
};

}  // namespace glsort::check
