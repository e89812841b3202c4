#include "check_campaign.h"

#include <fmt/format.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <chrono>
#include <fstream>
#include <utility>

#include "check_dice.h"
#include "check_shrink.h"
#include "support/hostile_state.h"

namespace glsort::check {
namespace {

using Clock = std::chrono::steady_clock;

// Max failures that are reported in detail, and max time to make each of them smaller.
constexpr std::size_t most_findings = 20;
constexpr double most_seconds_to_shrink = 120;

// KiB of the process in memory; 0 if the system does not report the size.
double resident_kib() {
#ifdef __GLIBC__
    // Memory that shader compilers have freed and the C library keeps does not count.
    malloc_trim(0);
#endif
    std::ifstream file("/proc/self/statm");
    double all = 0;
    double resident = 0;
    file >> all >> resident;
    return file ? resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1024 : 0;
}

// The kind of a failure. Each kind is reported once. Failures of one kind share the text up to the first colon, the
// algorithm and the backend. All or none of them happened in an unusual state.
std::string kind_of(const Round& round, const Failure& failure) {
    // A message of the library names the cause. Only the numbers in the message vary.
    if (failure.what.starts_with("Sorter::")) {
        std::string text = failure.what;
        std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
        return text;
    }
    const SortSpec& spec = round.sorters[failure.sorter].spec;
    const bool hostile = failure.visit < round.visits.size() && round.visits[failure.visit].state;
    return fmt::format("{} {} {} {}", failure.what.substr(0, failure.what.find(':')),
                       spec.algorithm.substr(0, spec.algorithm.find(':')), to_string(spec.backend), hostile);
}

}  // namespace

Choices choices_of(const Contexts& contexts, const std::vector<Backend>& backends) {
    Choices choices;
    for (Offer offer : contexts.offers()) {
        const std::size_t there = offer.backends.size();
        std::erase_if(offer.backends,
                      [&](Backend backend) { return std::ranges::find(backends, backend) == backends.end(); });
        if (offer.backends.size() < there) choices.automatic = false;
        if (!offer.backends.empty()) choices.offers.push_back(std::move(offer));
    }
    return choices;
}

Campaign::Campaign(Contexts& contexts, const Choices& choices, std::string options, bool (*interrupted)())
    : contexts_(contexts),
      choices_(choices),
      options_(std::move(options)),
      interrupted_(interrupted),
      runner_(contexts, totals_),
      repeater_(contexts, of_repeats_) {}

void Campaign::run(const Plan& plan, const std::function<void(const Round&)>& before,
                   const std::function<void(const std::string&)>& failed) {
    summary_.seed = plan.seed;
    const auto start = Clock::now();
    const auto past = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    const auto stop = [&] {
        return (interrupted_ != nullptr && interrupted_()) || (plan.seconds > 0 && past() >= plan.seconds);
    };
    for (std::uint64_t number = 0;; ++number) {
        const Round round = make_round(plan.one_round ? plan.seed : mixed(plan.seed, number), choices_);
        before(round);
        run_round(round, stop, failed);
        memory_.push_back({static_cast<double>(totals_.sorts), resident_kib()});
        summary_.seconds = past();
        if (plan.one_round || (plan.rounds > 0 && number + 1 >= plan.rounds) || stop()) return;
    }
}

void Campaign::run_round(const Round& round, const std::function<bool()>& stop,
                         const std::function<void(const std::string&)>& failed) {
    const auto start = Clock::now();
    const std::optional<Failure> failure = runner_.run(round, stop);
    if (!failure) return;
    ++totals_.failures;
    const std::string kind = kind_of(round, *failure);
    const auto alike = std::ranges::find(kinds_, kind);
    if (alike != kinds_.end()) {
        summary_.findings[static_cast<std::size_t>(alike - kinds_.begin())].alike.push_back(round.seed);
        return;
    }
    if (summary_.findings.size() >= most_findings) {
        ++summary_.untold;
        return;
    }
    const double took = std::chrono::duration<double>(Clock::now() - start).count();
    summary_.findings.push_back(find(round, *failure, std::clamp(5 * took, 10.0, most_seconds_to_shrink)));
    kinds_.push_back(kind);
    failed(to_text(summary_.findings.back(), contexts_));
}

Finding Campaign::find(const Round& round, const Failure& failure, double seconds) {
    const Shrunk shrunk = shrink(
        round, failure, choices_, [this](const Round& smaller) { return repeater_.run(smaller); },
        interrupted_ != nullptr && interrupted_() ? 0 : seconds);
    Finding finding;
    finding.seed = round.seed;
    finding.round = shrunk.round;
    finding.failure = shrunk.failure;
    finding.repeats = shrunk.repeats;
    finding.of_repeats = shrunk.of_repeats;
    finding.command = fmt::format("glsort check --reproduce {}{}", round.seed, options_);
    finding.settings = settings_of(finding);
    return finding;
}

std::vector<std::string> Campaign::settings_of(const Finding& finding) {
    const SorterPlan& sorter = finding.round.sorters[finding.failure.sorter];
    const bool in_visit = finding.failure.visit < finding.round.visits.size();
    const std::optional<State>& state = in_visit ? finding.round.visits[finding.failure.visit].state : sorter.born;
    if (!state) return {};
    TestContext& context = contexts_.use(sorter.context());
    trial::reset_state(context.gl());
    const trial::StateSnapshot plain = trial::take_snapshot(context.gl());
    std::vector<std::string> settings;
    try {
        const trial::DirtyState dirty(context.gl(), state->seed, options_of(*state));
        settings = trial::diff(plain, trial::take_snapshot(context.gl()));
    } catch (const std::exception& error) {
        settings = {error.what()};
    }
    context.clear();
    return settings;
}

Summary Campaign::summary() const {
    Summary summary = summary_;
    if (memory_.empty()) return summary;
    summary.memory_mib = memory_.back().kib / 1024;
    summary.memory_growth = memory_growth(memory_);
    summary.leaks_memory = leaks_memory(memory_);
    return summary;
}

std::optional<double> memory_growth(const std::vector<Memory>& rounds) {
    constexpr std::size_t enough = 50;
    if (rounds.size() < enough) return std::nullopt;
    const std::vector<Memory> half(rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 2), rounds.end());
    double sorts = 0;
    double kib = 0;
    for (const Memory& memory : half) {
        sorts += memory.sorts / static_cast<double>(half.size());
        kib += memory.kib / static_cast<double>(half.size());
    }
    double product = 0;
    double square = 0;
    for (const Memory& memory : half) {
        product += (memory.sorts - sorts) * (memory.kib - kib);
        square += (memory.sorts - sorts) * (memory.sorts - sorts);
    }
    if (square <= 0) return std::nullopt;
    return 1000 * product / square;
}

bool leaks_memory(const std::vector<Memory>& rounds) {
    constexpr std::size_t enough = 500;
    return rounds.size() >= enough && memory_growth(rounds).value_or(0) > most_memory_growth;
}

}  // namespace glsort::check
