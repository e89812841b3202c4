#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "bench_row.h"
#include "console.h"
#include "gl_job.h"
#include "options.h"
#include "timing.h"

namespace glsort::demo {
namespace {

struct BenchOptions {
    std::vector<std::string> algorithms = {"automatic"};
    std::vector<Backend> backends;
    std::vector<std::uint32_t> sizes = {1u << 16, 1u << 18, 1u << 20};
    std::vector<Distribution> distributions = {Distribution::uniform};
    std::optional<Medium> io;
    ItemOptions items;
    ContextOptions context;
    TimingOptions timing;
    std::optional<double> warm_up_ms;
    StatePolicy state = StatePolicy::restore;
    bool no_verify = false;
    bool verbose = false;
    Format format = Format::table;
};

const std::vector<std::string> state_names = {"restore", "caller-resets"};

// What is measured at every size and distribution.
struct Contestant {
    std::string algorithm;
    Backend backend;
    Medium io;
};

PlanRequest request_of(const BenchOptions& options, const Contestant& contestant) {
    PlanRequest request{.spec = sort_spec(options.items, contestant.algorithm)};
    request.spec.backend = contestant.backend;
    request.spec.input = request.spec.output = contestant.io;
    request.n = 2;
    return request;
}

// Every algorithm on every backend that can run it. Throws UsageError for an algorithm that none
// can run.
std::vector<Contestant> contestants(const BenchOptions& options, const std::vector<Backend>& backends) {
    std::vector<Contestant> list;
    for (const std::string& algorithm : options.algorithms) {
        const std::size_t before = list.size();
        std::vector<std::string> refusals;
        for (const Backend backend : backends) {
            Contestant contestant = {algorithm, backend, Medium::buffer};
            if (backend != Backend::cpu)
                contestant.io = options.io.value_or(default_io(backend, options.items.payload));
            try {
                plan_or_refuse(request_of(options, contestant));
                list.push_back(contestant);
            } catch (const UsageError& refusal) {
                refusals.emplace_back(refusal.what());
            }
        }
        if (list.size() == before) throw UsageError(refusals.front());
        for (const std::string& refusal : refusals)
            complain("bench: left out: " + refusal);
    }
    return list;
}

std::vector<Backend> available_backends(const std::vector<ContextReport::Offer>& offers) {
    std::vector<Backend> list;
    for (const ContextReport::Offer& offer : offers)
        if (offer.available && offer.backend != Backend::cpu) list.push_back(offer.backend);
    return list;
}

// The part of a row that the job and its timings give.
BenchRow row_of(const SortJob& job, const Timings& timings) {
    BenchRow row;
    row.algorithm = job.algorithm().name;
    row.variant = job.algorithm().variant;
    row.timer = "clock";
    row.median_ms = median(timings.ms);
    row.repetitions = timings.ms.size();
    row.cpu_us_per_call = median(timings.cpu_us);
    return row;
}

class Bench {
  public:
    explicit Bench(const BenchOptions& options);
    void run();

  private:
    void measure(const Contestant* contestant);
    BenchRow measure_on_cpu(SortJob& job);
    BenchRow measure_on_gpu(const Contestant& contestant);
    void verify(SortJob& job, BenchRow& row);

    BenchOptions options_;
    ItemType type_;
    std::unique_ptr<GlContext> context_;
    std::optional<QueryTimer> queries_;
    std::vector<Contestant> contestants_;
    std::vector<BenchRow> rows_;
    std::size_t failures_ = 0;

    // What is measured now.
    std::string what_;
    Distribution distribution_ = Distribution::uniform;
    Items input_;
    std::optional<Items> expected_;
};

Bench::Bench(const BenchOptions& options)
    : options_(options), type_{options.items.key, options.items.payload, options.items.order, options.items.bits} {
    std::vector<Backend> backends = options_.backends;
    // Mistakes in the arguments come before the lack of a context.
    if (!backends.empty()) contestants_ = contestants(options_, backends);
    const bool needs_context = backends.empty() || std::any_of(backends.begin(), backends.end(),
                                                               [](Backend backend) { return backend != Backend::cpu; });
    if (needs_context) {
        context_ = open_context(options_.context);
        // OpenGL ES has timer queries in an extension only: the clock does there.
        if (!context_->software && context_->context.api() == Api::gl) queries_.emplace(context_->gl);
    }
    if (backends.empty())
        contestants_ =
            contestants(options_, available_backends(describe_context(HeadlessContext::get_proc_address()).offers));
    options_.timing.warm_up_ms = options_.warm_up_ms.value_or(context_ && !context_->software ? 400 : 50);
}

void Bench::run() {
    for (const std::uint32_t n : options_.sizes)
        for (const Distribution distribution : options_.distributions) {
            distribution_ = distribution;
            input_ = make_items(type_, distribution, n, options_.items.seed);
            if (!options_.no_verify) expected_ = sorted_reference(input_, type_);
            measure(nullptr);
            for (const Contestant& contestant : contestants_)
                measure(&contestant);
        }
    if (options_.format == Format::table) print(to_table(rows_));
    if (options_.format == Format::json) {
        nlohmann::ordered_json json = nlohmann::ordered_json::array();
        for (const BenchRow& row : rows_)
            json.push_back(to_json(row));
        print_json(json);
    }
    if (failures_ != 0)
        throw std::runtime_error(
            fmt::format("{} of {} measurements failed", failures_,
                        options_.sizes.size() * options_.distributions.size() * (contestants_.size() + 1)));
}

// One row: std::sort's where there is no contestant. A failure does not end the others.
void Bench::measure(const Contestant* contestant) {
    what_ = fmt::format("{} on {}, n = {}, {}", contestant ? contestant->algorithm : "std_sort",
                        to_string(contestant ? contestant->backend : Backend::cpu), input_.count,
                        distribution_name(distribution_));
    progress(options_.verbose, "bench: " + what_);
    try {
        BenchRow row;
        if (contestant == nullptr)
            row = measure_on_cpu(*make_std_sort_job(type_, input_));
        else if (contestant->backend == Backend::cpu)
            row = measure_on_cpu(*make_cpu_job(request_of(options_, *contestant).spec, input_));
        else
            row = measure_on_gpu(*contestant);
        row.n = input_.count;
        row.distribution = distribution_;
        row.items = options_.items;
        if (row.verified == false) ++failures_;
        if (options_.format == Format::text) print(to_text(row));
        rows_.push_back(row);
    } catch (const std::exception& error) {
        ++failures_;
        complain("bench: " + what_ + ": " + error.what());
        // What this one did wrong is not held against the next.
        while (context_ && context_->gl.GetError() != GL_NO_ERROR) {
        }
    }
}

BenchRow Bench::measure_on_cpu(SortJob& job) {
    BenchRow row = row_of(job, time_with_clock(job, options_.timing));
    row.comparisons = job.comparisons();
    verify(job, row);
    return row;
}

BenchRow Bench::measure_on_gpu(const Contestant& contestant) {
    // Few: CPU time varies little, and sorts of a software rasteriser are slow.
    const TimingOptions briefly = {.warm_up_ms = 0, .min_ms = 20, .repetitions = 0};
    SortSpec spec = sort_spec(options_.items, contestant.algorithm);
    spec.backend = contestant.backend;
    spec.capacity = std::max(1u, static_cast<std::uint32_t>(input_.count));
    spec.input = spec.output = contestant.io;
    SorterOptions how;
    how.state = options_.state;
    how.barrier_before = options_.state == StatePolicy::restore;

    BenchRow row;
    {
        GlJob job(*context_, spec, input_, how);
        if (queries_) {
            row = row_of(job, {queries_->time(job, options_.timing), {}});
            row.timer = "queries";
            verify(job, row);
            row.cpu_us_per_call = median(time_with_clock(job, briefly).cpu_us);
        } else {
            row = row_of(job, time_with_clock(job, options_.timing));
            verify(job, row);
        }
    }
    row.backend = contestant.backend;
    row.io = contestant.io;
    row.renderer = context_->context.renderer();
    row.state = state_names[options_.state == StatePolicy::restore ? 0 : 1];
    if (options_.state == StatePolicy::caller_resets) {
        row.cpu_us_per_call_caller_resets = row.cpu_us_per_call;
        return row;
    }
    how.state = StatePolicy::caller_resets;
    how.barrier_before = false;
    GlJob job(*context_, spec, input_, how);
    row.cpu_us_per_call_caller_resets = median(time_with_clock(job, briefly).cpu_us);
    verify(job, row);
    return row;
}

// Adds to the row what the job's last result is worth.
void Bench::verify(SortJob& job, BenchRow& row) {
    if (context_) check_gl(context_->gl, "after a sort");
    if (!expected_) return;
    const std::optional<std::string> difference = first_difference(job.result(), *expected_, type_);
    if (difference) complain("bench: " + what_ + ": verification failed: " + *difference);
    row.verified = row.verified.value_or(true) && !difference;
}

}  // namespace

Command add_bench_command(CLI::App& app) {
    const auto options = std::make_shared<BenchOptions>();
    CLI::App* command =
        app.add_subcommand("bench", "Times sorts, and std::sort beside them, and verifies what they make");
    add_list(*command, "--algorithms,--algorithm", options->algorithms, parse_algorithm,
             "Algorithms and variants: " + algorithm_names())
        ->type_name("NAME[:VARIANT],...")
        ->default_str("automatic");
    add_list(*command, "--backends,--backend", options->backends, parse_backend,
             "fragment, compute, cpu; the default is those of the first two that the context has")
        ->type_name("NAME,...");
    add_list(*command, "--sizes,-n", options->sizes, parse_elements, "Numbers of elements (digits or 2^K)")
        ->type_name("N,...")
        ->default_str("2^16,2^18,2^20");
    add_list(*command, "--distributions,--distribution", options->distributions, parse_distribution,
             "Keys: " + distribution_names())
        ->type_name("NAME,...")
        ->default_str("uniform");
    add_value(*command, "--io", options->io, medium_from_string,
              "From a texture of keys to a texture of sorted records, or in place in buffers; the "
              "default is texture on fragment, buffer on compute and for values of more than 4 bytes; "
              "cpu sorts host memory")
        ->type_name("texture|buffer");
    add_item_options(*command, options->items);
    add_value(
        *command, "--state", options->state,
        [](const std::string& text) {
            return parse_choice("state policy", text, state_names) == 0 ? StatePolicy::restore
                                                                        : StatePolicy::caller_resets;
        },
        "Whether sorts save and restore the OpenGL state, and make a memory barrier before they begin; "
        "the CPU time of a call is measured both ways")
        ->type_name("restore|caller-resets")
        ->default_str("restore");
    add_value(*command, "--min-ms", options->timing.min_ms, parse_not_negative,
              "Milliseconds that the repetitions of a measurement take together, at least; there "
              "are 5 to 1000, or 3 where one takes over 500 ms")
        ->type_name("MS")
        ->default_str("300");
    add_value(
        *command, "--repetitions", options->timing.repetitions,
        [](const std::string& text) {
            const std::uint64_t count = parse_count(text);
            if (count < 1 || count > 1000) throw std::invalid_argument(text + " is not within 1 to 1000");
            return count;
        },
        "Repetitions of a measurement, 1 to 1000, instead of --min-ms")
        ->type_name("N");
    add_value(*command, "--warm-up-ms", options->warm_up_ms, parse_not_negative,
              "Milliseconds of sorts before a measurement; the default is 400 on hardware, 50 on a "
              "software rasteriser")
        ->type_name("MS");
    command->add_flag("--no-verify", options->no_verify, "Does not compare the results with that of std::stable_sort");
    command->add_flag("-v,--verbose", options->verbose,
                      "Says what is measured on standard error, even if that is no terminal");
    add_context_options(*command, options->context);
    add_format_option(*command, options->format, {"table", "text", "json"});
    command->footer(
        "Figures are medians. Hardware is timed with timer queries, repetition after repetition "
        "without a pause; software rasterisers with glFinish and the wall clock. CPU us is the CPU "
        "time of the call of sort() in microseconds, resets the same under --state caller-resets. "
        "Lists given twice are joined.");
    return {command, [options] { Bench(*options).run(); }};
}

}  // namespace glsort::demo
