#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "bench_output.h"
#include "cli/contradictions.h"
#include "gl_job.h"
#include "options.h"
#include "scene_job.h"
#include "scene_options.h"
#include "support/console.h"
#include "support/interruption.h"
#include "support/memory.h"
#include "support/progress.h"
#include "support/timing.h"

namespace glsort::demo {
namespace {

struct BenchOptions {
    std::vector<std::string> algorithms = {"automatic"};
    std::vector<Backend> backends;
    std::vector<std::uint32_t> sizes = {1u << 16, 1u << 18, 1u << 20};
    std::vector<Distribution> distributions = {Distribution::uniform};
    std::optional<Medium> io;
    ItemOptions items;
    SceneOptions scene;
    ContextOptions context;
    TimingOptions timing;
    std::optional<double> warm_up_ms;
    StatePolicy state = StatePolicy::restore;
    bool verify = true;
    bool progress = false;
    std::filesystem::path output = "-";
    Format format = Format::table;
};

const std::vector<std::string> state_names = {"restore", "caller-resets"};

// An algorithm, measured on one backend at every size and distribution.
struct Contestant {
    std::string algorithm;
    Backend backend;
    Medium io;
};

PlanRequest request_of(const BenchOptions& options, const Contestant& contestant) {
    PlanRequest request{.spec = sort_spec(options.items, contestant.algorithm)};
    request.spec.backend = contestant.backend;
    request.spec.input = request.spec.output = contestant.io;
    request.n = request.spec.capacity = 2;
    // Scenes sort by counts on the GPU, too.
    request.spec.gpu_count =
        contestant.backend != Backend::cpu && (options.scene.gpu_count || options.scene.is_scene());
    return request;
}

// Every algorithm on every backend that can run the algorithm. Throws UsageError for an algorithm that no backend can
// run.
std::vector<Contestant> contestants(const BenchOptions& options, const std::vector<Backend>& backends) {
    std::vector<Contestant> list;
    for (const std::string& algorithm : options.algorithms) {
        const std::size_t before = list.size();
        std::vector<std::string> refusals;
        for (const Backend backend : backends) {
            Contestant contestant = {algorithm, backend, Medium::buffer};
            if (backend != Backend::cpu)
                contestant.io = options.scene.is_scene()
                                    ? Medium::buffer
                                    : options.io.value_or(default_io(backend, options.items.payload));
            try {
                plan_or_refuse(request_of(options, contestant));
                list.push_back(contestant);
            } catch (const UsageError& refusal) {
                refusals.emplace_back(refusal.what());
            }
        }
        if (list.size() == before) throw UsageError(refusals.front());
        for (const std::string& refusal : refusals)
            complain("glsort bench: left out: " + refusal);
    }
    return list;
}

std::vector<Backend> available_backends(const std::vector<ContextReport::Offer>& offers) {
    std::vector<Backend> list;
    for (const ContextReport::Offer& offer : offers)
        if (offer.available && offer.backend != Backend::cpu) list.push_back(offer.backend);
    return list;
}

// The columns of a row that follow from the job and its timings.
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
    void prepare();
    std::uint64_t host_bytes(std::uint64_t n) const;
    void check_sizes();
    void measure(const Contestant* contestant);
    void fail(const std::string& what, const std::string& reason);
    BenchRow measure_std_sort();
    BenchRow measure_on_cpu(SortJob& job);
    BenchRow measure_on_gpu(const Contestant& contestant);
    std::unique_ptr<SortJob> make_gpu_job(const Contestant& contestant, const SorterOptions& how);
    void verify(SortJob& job, BenchRow& row);
    void judge(const Items& result, BenchRow& row);

    BenchOptions options_;
    ItemType type_;
    std::unique_ptr<GlContext> context_;
    std::optional<QueryTimer> queries_;
    std::vector<Contestant> contestants_;
    Progress progress_;
    BenchOutput output_;
    std::size_t failures_ = 0;
    // Pairs of a contestant and a size that the device cannot hold.
    std::set<std::pair<const Contestant*, std::uint32_t>> too_large_;
    std::uint64_t items_done_ = 0;  // Of all rows.

    // The measurement in progress.
    std::string what_;
    Distribution distribution_ = Distribution::uniform;
    Items input_;
    std::optional<Items> expected_;
};

Bench::Bench(const BenchOptions& options)
    : options_(options),
      type_{options.items.key, options.items.payload, options.items.order, options.items.bits},
      progress_(options.progress),
      output_(options.output, options.format) {}

void Bench::prepare() {
    std::vector<Backend> backends = options_.backends;
    // Errors in the arguments are reported before the lack of a context.
    if (!backends.empty()) contestants_ = contestants(options_, backends);
    const bool needs_context = backends.empty() || std::any_of(backends.begin(), backends.end(),
                                                               [](Backend backend) { return backend != Backend::cpu; });
    if (needs_context) {
        context_ = open_context_or_advise(options_.context);
        // In OpenGL ES, timer queries are only an extension. The clock is good enough there.
        if (!context_->software && context_->context.api() == Api::gl) queries_.emplace(context_->gl);
    }
    if (backends.empty())
        contestants_ =
            contestants(options_, available_backends(describe_context(HeadlessContext::get_proc_address()).offers));
    options_.timing.warm_up_ms = options_.warm_up_ms.value_or(context_ && !context_->software ? 400 : 50);
}

// Host memory for the input, the expected result, the copies of a job, and the records of std::stable_sort.
std::uint64_t Bench::host_bytes(std::uint64_t n) const {
    return 6 * bytes_of_items(type_, n) + 16 * n;
}

// Checks sizes before anything is allocated. A size that the computer cannot hold ends the run. A size that the device
// cannot hold is left out.
void Bench::check_sizes() {
    for (const std::uint32_t n : options_.sizes) {
        const std::string argument = "--sizes " + count_text(n);
        require_memory(argument, host_bytes(n), free_memory(), "the computer's");
        for (const Contestant& contestant : contestants_) {
            if (contestant.backend == Backend::cpu) continue;
            try {
                std::uint64_t bytes = check_device_holds(*context_, request_of(options_, contestant).spec, n, argument);
                if (options_.scene.is_scene()) bytes += bytes_of_scene(options_.scene, type_.key, n);
                if (free_gpu_memory(context_->gl) == 0)
                    require_memory(argument, host_bytes(n) + bytes, free_memory(), "the computer's");
            } catch (const UsageError& error) {
                too_large_.emplace(&contestant, n);
                complain(fmt::format("glsort bench: {} on {} is left out: {}", contestant.algorithm,
                                     to_string(contestant.backend), error.what()));
            }
        }
    }
}

void Bench::fail(const std::string& what, const std::string& reason) {
    ++failures_;
    const auto lock = progress_.quiet();
    complain("glsort bench: " + what + ": " + reason);
}

void Bench::run() {
    // An interrupted run keeps its rows, and the output is valid.
    const Interruption interruption([this] {
        const auto lock = progress_.quiet();
        output_.end();
    });
    prepare();
    check_sizes();
    output_.begin();
    std::uint64_t items = 0;
    for (const std::uint32_t n : options_.sizes)
        items += std::max(n, 1u) * options_.distributions.size() * (contestants_.size() + 1);
    progress_.begin("glsort bench", items);
    for (const std::uint32_t n : options_.sizes)
        for (const Distribution distribution : options_.distributions) {
            distribution_ = distribution;
            input_ = make_items(type_, distribution, n, options_.items.seed);
            if (options_.verify)
                expected_ = options_.scene.is_scene()
                                ? scene_reference(input_, type_, options_.scene, options_.items.seed)
                                : sorted_reference(input_, type_);
            measure(nullptr);
            for (const Contestant& contestant : contestants_)
                if (!too_large_.contains({&contestant, n})) measure(&contestant);
        }
    progress_.end();
    output_.end();
    const std::size_t measurements = options_.sizes.size() * options_.distributions.size() * (contestants_.size() + 1);
    if (failures_ != 0) throw std::runtime_error(fmt::format("{} of {} measurements failed", failures_, measurements));
    if (!too_large_.empty())
        throw UsageError(fmt::format("--sizes: {} of {} measurements are left out, because their sizes are too large",
                                     too_large_.size() * options_.distributions.size(), measurements));
}

// Measures one row. Null: std::sort. A failure does not end the run.
void Bench::measure(const Contestant* contestant) {
    what_ = fmt::format("{} on {}, n = {}, {}", contestant ? contestant->algorithm : "std_sort",
                        to_string(contestant ? contestant->backend : Backend::cpu), input_.count,
                        distribution_name(distribution_));
    progress_.name("glsort bench: " + what_);
    try {
        BenchRow row;
        if (contestant == nullptr)
            row = measure_std_sort();
        else if (contestant->backend == Backend::cpu)
            row = measure_on_cpu(*make_cpu_job(request_of(options_, *contestant).spec, input_));
        else
            row = measure_on_gpu(*contestant);
        row.n = input_.count;
        row.distribution = distribution_;
        row.items = options_.items;
        row.scene = options_.scene;
        row.scene.gpu_count = row.scene.gpu_count && row.backend != Backend::cpu;
        if (row.verified == false) ++failures_;
        const auto lock = progress_.quiet();
        output_.add(row);
    } catch (const std::exception& error) {
        fail(what_, error.what());
        // Discards OpenGL errors of this contestant, so that the next one does not fail by them.
        while (context_ && context_->gl.GetError() != GL_NO_ERROR) {
        }
    }
    progress_.at(items_done_ += std::max<std::uint64_t>(input_.count, 1));
}

// Of a scene, std::sort gets the keys that are drawn, ready to sort.
BenchRow Bench::measure_std_sort() {
    if (!options_.scene.is_scene()) return measure_on_cpu(*make_std_sort_job(type_, input_));
    const DrawnItems drawn = drawn_items(input_, type_, options_.scene, options_.items.seed);
    const std::unique_ptr<SortJob> job = make_std_sort_job(type_, drawn.items);
    BenchRow row = row_of(*job, time_with_clock(*job, options_.timing));
    if (!expected_) return row;
    Items result = job->result();
    for (std::uint32_t& value : result.values)
        value = drawn.elements[value];
    judge(result, row);
    return row;
}

BenchRow Bench::measure_on_cpu(SortJob& job) {
    BenchRow row = row_of(job, time_with_clock(job, options_.timing));
    row.comparisons = job.comparisons();
    verify(job, row);
    return row;
}

BenchRow Bench::measure_on_gpu(const Contestant& contestant) {
    // Few repetitions: CPU time varies little, and sorts of a software rasteriser are slow.
    const TimingOptions briefly = {.warm_up_ms = 0, .min_ms = 20, .repetitions = 0};
    SorterOptions how;
    how.state = options_.state;
    how.barrier_before = options_.state == StatePolicy::restore;

    BenchRow row;
    {
        const std::unique_ptr<SortJob> job = make_gpu_job(contestant, how);
        if (queries_) {
            row = row_of(*job, {queries_->time(*job, options_.timing), {}});
            row.timer = "queries";
            verify(*job, row);
            row.cpu_us_per_call = median(time_with_clock(*job, briefly).cpu_us);
        } else {
            row = row_of(*job, time_with_clock(*job, options_.timing));
            verify(*job, row);
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
    const std::unique_ptr<SortJob> job = make_gpu_job(contestant, how);
    row.cpu_us_per_call_caller_resets = median(time_with_clock(*job, briefly).cpu_us);
    verify(*job, row);
    return row;
}

std::unique_ptr<SortJob> Bench::make_gpu_job(const Contestant& contestant, const SorterOptions& how) {
    SortSpec spec = request_of(options_, contestant).spec;
    spec.capacity = std::max(1u, static_cast<std::uint32_t>(input_.count));
    if (options_.scene.is_scene())
        return std::make_unique<SceneJob>(*context_, spec, input_, options_.scene, options_.items.seed, how);
    return std::make_unique<GlJob>(*context_, spec, input_, how);
}

// Checks the job's last result, and adds the verdict to the row.
void Bench::verify(SortJob& job, BenchRow& row) {
    if (context_) check_gl(context_->gl, "after a sort");
    if (expected_) judge(job.result(), row);
}

void Bench::judge(const Items& result, BenchRow& row) {
    const std::optional<std::string> difference = first_difference(result, *expected_, type_);
    if (difference) {
        const auto lock = progress_.quiet();
        complain("glsort bench: " + what_ + ": verification failed: " + *difference);
    }
    row.verified = row.verified.value_or(true) && !difference;
}

}  // namespace

Command add_bench_command(CLI::App& app) {
    const auto options = std::make_shared<BenchOptions>();
    CLI::App* command =
        app.add_subcommand("bench", "Times sorts, and std::sort beside them, and verifies what they make");
    offer(add_list(*command, "--algorithms,--algorithm", options->algorithms, parse_algorithm,
                   "Algorithms and variants: " + listed(algorithm_names()))
              ->type_name("NAME[:VARIANT],...")
              ->default_str("automatic"),
          algorithm_names());
    offer(add_list(
              *command, "--backends,--backend", options->backends,
              [](const std::string& text) {
                  return backend_from_string(
                      backend_names_of_lists()[parse_choice("backend", text, backend_names_of_lists())]);
              },
              "fragment, compute, cpu")
              ->type_name("NAME,...")
              ->default_str("those of the first two that the context has"),
          backend_names_of_lists());
    add_list(*command, "-n,--sizes,--count", options->sizes, parse_elements, "Numbers of elements (digits or 2^K)")
        ->type_name("N,...")
        ->default_str("2^16,2^18,2^20");
    offer(add_list(*command, "--distributions,--distribution", options->distributions, parse_distribution,
                   "Keys: " + listed(distribution_names()))
              ->type_name("NAME,...")
              ->default_str("uniform"),
          distribution_names());
    add_value(*command, "--io", options->io, medium_from_string,
              "From a texture of keys to a texture of sorted records, or in place in buffers; the "
              "default is texture on fragment, buffer on compute and for values of more than 4 bytes; "
              "cpu sorts host memory")
        ->type_name("texture|buffer");
    add_item_options(*command, options->items);
    add_scene_options(*command, options->scene);
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
    CLI::Option* min_ms = add_value(*command, "--min-ms", options->timing.min_ms, parse_not_negative,
                                    "Milliseconds that the repetitions of a measurement take together, at least; there "
                                    "are 5 to 1000, or 3 where one takes over 500 ms")
                              ->type_name("MS")
                              ->default_str("300");
    add_value(
        *command, "--repetitions", options->timing.repetitions,
        [](const std::string& text) { return static_cast<std::size_t>(parse_within(text, 1, 1000)); },
        "Repetitions of a measurement, 1 to 1000, instead of --min-ms")
        ->type_name("N")
        ->excludes(min_ms);
    add_value(*command, "--warm-up-ms", options->warm_up_ms, parse_not_negative,
              "Milliseconds of sorts before a measurement; the default is 400 on hardware, 50 on a "
              "software rasteriser")
        ->type_name("MS");
    add_switch(*command, "verify", options->verify,
               "Compares the results with that of std::stable_sort, unless it is --no-verify");
    add_path(*command, "-o,--output", options->output, "Writes the rows to this file; - is standard output")
        ->default_str("-");
    add_progress(*command, options->progress);
    add_context_options(*command, options->context);
    add_format_option(*command, options->format, {"table", "text", "json", "csv"});
    std::vector<Contradiction> contradictions = contradictions_of_compute(*command, "--backends");
    for (const char* option : {"--api", "--gl-version"})
        contradictions.push_back({{"--backends cpu", option},
                                  "the cpu backend needs no context",
                                  {"--backends fragment", "--backends compute"}});
    for (Contradiction& contradiction : contradictions_of_scenes(*command, "--backends"))
        contradictions.push_back(std::move(contradiction));
    refuse_contradictions(*command, std::move(contradictions));
    command->footer(
        "Figures are medians. Hardware is timed with timer queries, repetition after repetition "
        "without a pause; software rasterisers with glFinish and the wall clock. CPU us is the CPU "
        "time of the call of sort() in microseconds, resets the same under --state caller-resets. "
        "Lists given twice are joined. Rows are written as they are measured; Ctrl-C keeps them, and ends with exit "
        "code 130. A row of a scene counts all elements, drawn or not, and names the options of the scene.");
    const CLI::Option* key = command->get_option("--key");
    return {command, [options, key] {
                for (const Distribution distribution : options->distributions)
                    check_scene_options(options->scene, options->items, distribution, key->count() > 0);
                Bench(*options).run();
            }};
}

}  // namespace glsort::demo
