#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <stdexcept>

#include "check_campaign.h"
#include "check_watch.h"
#include "options.h"
#include "print_json.h"
#include "support/file_access.h"
#include "support/output_file.h"

namespace glsort::demo {
namespace {

struct CheckOptions {
    double minutes = 1;
    std::optional<std::uint64_t> rounds;
    std::optional<std::uint64_t> seed;
    std::optional<std::uint64_t> reproduce;
    std::vector<trial::Tier> contexts = trial::every_tier();
    std::vector<Backend> backends = {Backend::fragment, Backend::compute};
    bool large = false;
    std::uint32_t max_count = check::largest_count;
    bool verbose = false;
    std::filesystem::path report;  // Empty: no report. `-`: standard output.
    Format format = Format::text;
};

/// The file for the report. The file is open during the rounds, so that a crash can write a trace to the file.
class ReportFile {
  public:
    explicit ReportFile(const std::filesystem::path& path) : path_(path) {
        if (path.empty() || is_standard_output(path)) return;
        file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (file_ < 0) fail_writing(path, std::strerror(errno));
    }
    ~ReportFile() {
        if (file_ >= 0) close(file_);
    }
    ReportFile(const ReportFile&) = delete;
    ReportFile& operator=(const ReportFile&) = delete;

    int descriptor() const { return file_; }

    /// Replaces the contents of the file.
    void write_report(const std::string& text) const {
        if (file_ < 0) return;
        bool written = ftruncate(file_, 0) == 0 && lseek(file_, 0, SEEK_SET) == 0;
        for (std::size_t done = 0; written && done < text.size();) {
            const ssize_t now = write(file_, text.data() + done, text.size() - done);
            written = now > 0;
            done += written ? static_cast<std::size_t>(now) : 0;
        }
        if (!written) fail_writing(path_, std::strerror(errno));
    }

  private:
    std::filesystem::path path_;
    int file_ = -1;
};

const std::vector<std::string> gl_backends = {"fragment", "compute"};

Backend parse_gl_backend(const std::string& text) {
    const Backend backend = parse_backend(text);
    if (backend == Backend::automatic) parse_choice("backend", text, gl_backends);
    if (backend == Backend::cpu)
        throw std::invalid_argument("\"cpu\" is what the others are compared with; choose from fragment, compute");
    return backend;
}

std::uint64_t fresh_seed() {
    std::random_device device;
    return static_cast<std::uint64_t>(device()) << 32 | device();
}

// The options that rounds depend on, as the user gave them.
std::string options_of_rounds(const CheckOptions& options, const std::vector<check::Offer>& offers) {
    std::vector<std::string_view> contexts;
    for (const check::Offer& offer : offers)
        if (!offer.extensions) contexts.push_back(trial::tier_name(offer.tier));
    std::string text = fmt::format(" --contexts {}", fmt::join(contexts, ","));
    if (options.backends.size() == 1) text += fmt::format(" --backends {}", to_string(options.backends.front()));
    if (options.large) text += " --large";
    if (options.max_count < check::largest_count) text += fmt::format(" --max-count {}", options.max_count);
    return text;
}

void run(const CheckOptions& options) {
    if (!options.report.empty()) check_writable(options.report);
    check::Contexts contexts(options.contexts);
    check::Choices choices = check::choices_of(contexts, options.backends);
    choices.large = options.large;
    choices.max_count = options.max_count;
    if (choices.offers.empty()) {
        std::string reasons;
        for (const check::Contexts::Missing& missing : contexts.missing())
            reasons += fmt::format("; {}: {}", trial::tier_name(missing.tier), missing.reason);
        throw std::runtime_error("none of --contexts is there with one of --backends" + reasons);
    }
    const std::uint64_t seed = options.reproduce ? *options.reproduce : options.seed ? *options.seed : fresh_seed();
    complain(fmt::format("check: {} {}", options.reproduce ? "the round of seed" : "seed", seed));

    // A run of no minutes still runs one round.
    const double seconds = options.reproduce || options.rounds ? 0 : std::max(60 * options.minutes, 1e-3);
    check::Campaign campaign(contexts, choices, options_of_rounds(options, choices.offers), check::Watch::interrupted);
    // Empties the file. A call that was refused has left an old report as it was.
    const ReportFile file(options.report);
    check::Summary summary;
    {
        check::Watch watch(campaign.totals(), seconds, file.descriptor());
        campaign.run(
            {.seed = seed,
             .one_round = options.reproduce.has_value(),
             .rounds = options.rounds.value_or(0),
             .seconds = seconds},
            [&](const check::Round& round) {
                watch.begin(heading_of(round));
                if (!options.verbose) return;
                watch.erase_line();
                complain(to_text(round));
            },
            [&watch](const std::string& paragraph) {
                watch.erase_line();
                complain("check: " + paragraph);
            });
        summary = campaign.summary();
        summary.slow_rounds = watch.slow();
        summary.interrupted = check::Watch::interrupted();
    }
    const std::string text = to_text(summary, campaign.totals(), contexts);
    const bool report_to_output = !options.report.empty() && is_standard_output(options.report);
    if (report_to_output || options.format == Format::text) print(text);
    if (options.format == Format::json) {
        const std::string json = text_of(to_json(summary, campaign.totals(), contexts));
        report_to_output ? complain(json.substr(0, json.size() - 1)) : print(json);
    }
    // Last: the totals are not lost if the file cannot be written.
    file.write_report(text);
    if (summary.leaks_memory && campaign.totals().failures == 0)
        throw std::runtime_error(fmt::format("memory grows by {:.0f} KiB per 1000 sorts; {} are allowed",
                                             *summary.memory_growth, check::most_memory_growth));
    if (campaign.totals().failures > 0)
        throw std::runtime_error(
            fmt::format("{} of {} rounds failed", campaign.totals().failures.load(), campaign.totals().rounds.load()));
}

}  // namespace

Command add_check_command(CLI::App& app) {
    const auto options = std::make_shared<CheckOptions>();
    CLI::App* command = app.add_subcommand(
        "check", "Tests glsort on this driver: random sorts, their results, what surrounds them, and the state");
    CLI::Option* minutes = add_value(*command, "--minutes", options->minutes, parse_not_negative, "How long, about")
                               ->type_name("M")
                               ->default_str("1");
    CLI::Option* rounds = add_value(
                              *command, "--rounds", options->rounds,
                              [](const std::string& text) {
                                  const std::uint64_t count = parse_count(text);
                                  if (count == 0) throw std::invalid_argument("0 rounds; it must be 1 or more");
                                  return count;
                              },
                              "How many rounds, instead of --minutes")
                              ->type_name("N")
                              ->excludes(minutes);
    CLI::Option* seed = add_seed(*command, options->seed, "a fresh one, which is printed");
    add_value(*command, "--reproduce", options->reproduce, parse_seed,
              "Runs one round alone, by its seed, with the --contexts, --backends, --large and --max-count of its run")
        ->type_name("SEED")
        ->excludes(minutes)
        ->excludes(rounds)
        ->excludes(seed);
    add_list(
        *command, "--contexts", options->contexts, [](const std::string& text) { return trial::tier_from_name(text); },
        "OpenGL 4.5 and 3.3, OpenGL ES 3.0, 3.1 and 3.2, and the compatibility profile of OpenGL 4.5; what the "
        "driver lacks is left out, and named")
        ->type_name("NAME,...")
        ->default_str("gl45,gl33,es30,es31,es32,compat");
    add_list(*command, "--backends,--backend", options->backends, parse_gl_backend, "fragment, compute")
        ->type_name("NAME,...")
        ->default_str("fragment,compute");
    command->add_flag("--large", options->large, "More sorts of more than 2^12 elements, up to 2^20");
    add_value(
        *command, "--max-count", options->max_count,
        [](const std::string& text) {
            const std::uint64_t count = parse_count(text);
            if (count < 1 || count > check::largest_count)
                throw std::invalid_argument(fmt::format("{} elements; it must be 1 to 2^20", count));
            return static_cast<std::uint32_t>(count);
        },
        "The most elements of a sort, 1 to 2^20; slow drivers need fewer")
        ->type_name("N")
        ->default_str("2^20");
    add_path(*command, "--report", options->report,
             "Writes the report to a file, and a crash's trace; - is standard output");
    command->add_flag("-v,--verbose", options->verbose, "Says on standard error what each round does");
    add_format_option(*command, options->format, {"text", "json"});
    command->footer(
        "A round makes sorters of random specifications in some of the contexts and uses them in turn, in random "
        "state now and then, with uploads and read-backs of every kind. A round that fails is repeated and made as "
        "small as it gets. Ctrl-C ends with the totals so far. Exit codes: 0 nothing failed, 1 something did, "
        "or memory grew by over 2 MiB per 1000 sorts in 500 rounds or more.");
    return {command, [options] { run(*options); }};
}

}  // namespace glsort::demo
