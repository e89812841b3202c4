#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "bench_list.h"
#include "bench_machine.h"
#include "bench_options.h"
#include "bench_output.h"
#include "copy_job.h"
#include "cuda_peers.h"
#include "gl_job.h"
#include "scene_job.h"
#include "support/console.h"
#include "support/interruption.h"
#include "support/memory.h"
#include "support/output_file.h"
#include "support/progress.h"

namespace glsort::demo {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32] = "";
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

ItemType type_of(const ItemOptions& items) {
    return {items.key, items.payload, items.order, items.bits};
}

std::vector<Backend> available_backends() {
    std::vector<Backend> list;
    for (const ContextReport::Offer& offer : describe_context(HeadlessContext::get_proc_address()).offers)
        if (offer.available && offer.backend != Backend::cpu) list.push_back(offer.backend);
    return list;
}

// Whether a context must be opened to know the backends, or to run one of them.
bool needs_context(const std::vector<Backend>& backends) {
    return backends.empty() ||
           std::any_of(backends.begin(), backends.end(), [](Backend backend) { return backend != Backend::cpu; });
}

// Predicts how long measurements take, for --minutes.
class Budget {
  public:
    explicit Budget(const std::optional<double>& minutes) : start_(Clock::now()) {
        if (minutes) seconds_ = 60 * *minutes;
    }

    bool is_limited() const { return seconds_.has_value(); }
    double fraction_used() const { return seconds_ && *seconds_ > 0 ? seconds_since(start_) / *seconds_ : 1; }
    /// Whether a measurement will probably end in time. The first measurement of a sort begins whenever time is left.
    bool has_room_for(const Measurement& measurement) const {
        if (!seconds_) return true;
        double needed = 0;
        if (const auto last = last_.find(name_of(measurement)); last != last_.end())
            needed = last->second.seconds *
                     std::pow(std::max(1.0, static_cast<double>(measurement.n) / last->second.n), 1.1);
        return seconds_since(start_) + needed < *seconds_;
    }
    void took(const Measurement& measurement, double seconds) {
        last_[name_of(measurement)] = {std::max(1.0, static_cast<double>(measurement.n)), seconds};
    }

  private:
    struct Last {
        double n;
        double seconds;
    };
    static std::string name_of(const Measurement& measurement) {
        return fmt::format("{} {}", asked_name(measurement), backend_name(measurement));
    }

    Clock::time_point start_;
    std::optional<double> seconds_;
    std::map<std::string, Last> last_;
};

// The program of CUDA's sorts, if there is one that can sort what the options ask for. Otherwise says why its sorts are
// left out.
std::optional<CudaPeers> find_cuda_peers(const BenchOptions& options) {
    if (!options.peers) return std::nullopt;
    try {
        if (options.scene.is_scene()) throw std::runtime_error("they sort no scenes");
        const std::uint32_t size = options.suite == Suite::none ? options.items.payload.size : 0;
        if (size != 0 && size != 4 && size != 8)
            throw std::runtime_error(fmt::format("their values have 4 or 8 bytes, not {}", size));
        return CudaPeers(options.peers_program);
    } catch (const std::runtime_error& error) {
        if (!options.peers_program.empty()) throw;
        complain(fmt::format("glsort bench: left out: cub, libcusort: {}", error.what()));
        return std::nullopt;
    }
}

std::vector<std::string> names_of(const std::optional<CudaPeers>& cuda) {
    std::vector<std::string> names;
    if (cuda)
        for (const CudaPeer& peer : cuda->peers())
            names.push_back(peer.name);
    return names;
}

class Bench {
  public:
    explicit Bench(const BenchOptions& options);
    void run();

  private:
    void prepare();
    nlohmann::ordered_json heading();
    std::optional<EarlierRun> earlier_run();
    std::uint64_t host_bytes(const Measurement& measurement) const;
    bool is_too_large(const Measurement& measurement);
    void check_sizes();
    void make_input(const Measurement& measurement);
    std::optional<BenchRow> measure(const Measurement& measurement);
    void fail(const std::string& what, const std::string& reason);
    BenchRow measure_on_host(const Measurement& measurement);
    BenchRow measure_on_cuda(const Measurement& measurement);
    BenchRow measure_on_cpu(const Measurement& measurement);
    BenchRow measure_on_gpu(const Measurement& measurement);
    std::unique_ptr<SortJob> make_gpu_job(const Measurement& measurement, const SorterOptions& how);
    void add_copy(const Measurement& measurement, BenchRow& row);
    void discard_errors() const;
    void verify(SortJob& job, BenchRow& row);
    void judge(const Items& result, BenchRow& row);

    BenchOptions options_;
    std::unique_ptr<GlContext> context_;
    std::optional<QueryTimer> queries_;
    std::optional<CopyTimes> copies_;
    std::optional<CudaPeers> cuda_;
    std::vector<Measurement> measurements_;
    std::optional<EarlierRun> earlier_;
    Budget budget_;
    Progress progress_;
    BenchOutput output_;
    std::size_t failures_ = 0;
    std::size_t no_time_ = 0;          // Measurements that --minutes leaves out.
    std::set<std::string> too_large_;  // The identities of measurements that the device cannot hold.
    std::string no_copy_;              // Why the last copy failed. Said once.

    // The measurement in progress.
    std::string what_;
    const Measurement* input_of_ = nullptr;
    ItemType type_;
    Items input_;
    std::optional<Items> expected_;
};

Bench::Bench(const BenchOptions& options)
    : options_(options),
      earlier_(earlier_run()),
      budget_(options.minutes),
      progress_(options.progress),
      output_(options.output, options.format, earlier_) {}

// Rows of two machines or of two versions must not meet in one file.
void require_equal(const std::filesystem::path& file, const char* member, const nlohmann::ordered_json& then,
                   const nlohmann::ordered_json& now) {
    if (then != now)
        throw std::runtime_error(fmt::format("cannot resume {}, which differs in {}: {} there, {} now", file.string(),
                                             member, then.dump(), now.dump()));
}

std::optional<EarlierRun> Bench::earlier_run() {
    if (!options_.resume) return std::nullopt;
    std::optional<EarlierRun> earlier = read_earlier_run(options_.output);
    if (!earlier) return earlier;
    const nlohmann::ordered_json now = heading();
    for (const char* member : {"glsort", "commit", "machine", "options"})
        require_equal(options_.output, member, earlier->heading.value(member, nlohmann::ordered_json()),
                      now.at(member));
    complain(fmt::format("glsort bench: goes on behind the {} rows of {}{}", earlier->rows.size(),
                         options_.output.string(), earlier->has_cut_row ? "; a row that is cut is dropped" : ""));
    return earlier;
}

void Bench::prepare() {
    std::vector<Backend> backends = options_.backends;
    cuda_ = find_cuda_peers(options_);
    const std::vector<std::string> cuda_names = names_of(cuda_);
    // Errors in the arguments are reported before the lack of a context.
    if (!backends.empty()) measurements_ = measurements_of(options_, backends, cuda_names);
    if (needs_context(backends)) {
        context_ = open_context_or_advise(options_.context);
        // In OpenGL ES, timer queries are only an extension. The clock is good enough there.
        if (!context_->software && context_->context.api() == Api::gl) queries_.emplace(context_->gl);
    }
    copies_.emplace(context_.get(), queries_ ? &*queries_ : nullptr);
    if (backends.empty()) measurements_ = measurements_of(options_, available_backends(), cuda_names);
    options_.timing.warm_up_ms = options_.warm_up_ms.value_or(context_ && !context_->software ? 400 : 50);
}

// The members of the JSON in front of the rows, but for those that need the device.
nlohmann::ordered_json Bench::heading() {
    nlohmann::ordered_json json;
    json["glsort"] = version();
    json["commit"] = commit_name();
    json["began"] = utc_now();
    json["machine"] = machine_facts();
    json["options"] = to_json(options_);
    return json;
}

// Host memory for the input, the expected result, the copies of a job, and the records of std::stable_sort.
std::uint64_t Bench::host_bytes(const Measurement& measurement) const {
    return 6 * bytes_of_items(type_of(measurement.items), measurement.n) + 16 * std::uint64_t{measurement.n};
}

// A size that the computer cannot hold ends a run that asks for the size. A size that the device cannot hold is left
// out.
bool Bench::is_too_large(const Measurement& measurement) {
    const std::string argument = options_.suite == Suite::none ? "--sizes " + count_text(measurement.n)
                                                               : fmt::format("n = {}", count_text(measurement.n));
    const auto leave_out = [&](const UsageError& error) {
        const auto lock = progress_.quiet();
        complain(fmt::format("glsort bench: {} on {} is left out: {}", asked_name(measurement),
                             backend_name(measurement), error.what()));
        return true;
    };
    try {
        require_memory(argument, host_bytes(measurement), free_memory(), "the computer's");
    } catch (const UsageError& error) {
        if (options_.suite == Suite::none) throw;
        return leave_out(error);
    }
    if (measurement.by != Contender::library || measurement.backend == Backend::cpu) return false;
    try {
        check_memory(*context_, request_of(measurement, options_.scene).spec, options_.scene, measurement.n,
                     host_bytes(measurement), argument);
    } catch (const UsageError& error) {
        return leave_out(error);
    }
    return false;
}

// Checks the sizes that were asked for before anything is allocated. The many sizes of a suite are checked one by one.
void Bench::check_sizes() {
    if (options_.suite != Suite::none) return;
    std::set<std::string> complained;
    for (const Measurement& measurement : measurements_) {
        Measurement any = measurement;
        any.distribution = options_.distributions.front();
        const std::string identity = identity_of(any);
        if (complained.insert(identity).second && is_too_large(any)) too_large_.insert(identity);
        if (too_large_.contains(identity)) too_large_.insert(identity_of(measurement));
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
    if (earlier_ && context_ && earlier_->heading.contains("gpu") && earlier_->heading["gpu"].is_object()) {
        // The version names the API, and on some drivers the driver.
        for (const auto& [member, name] : {std::pair{"renderer", GL_RENDERER}, {"version", GL_VERSION}})
            require_equal(options_.output, member, earlier_->heading["gpu"].value(member, nlohmann::ordered_json()),
                          reinterpret_cast<const char*>(context_->gl.GetString(static_cast<GLenum>(name))));
    }
    nlohmann::ordered_json head = heading();
    head["gpu"] = nullptr;
    if (context_ && options_.format == Format::json && !earlier_)
        head["gpu"] = gpu_facts(*context_, *copies_->some_work());
    output_.begin(head);
    const auto work_of = [](const Measurement& measurement) { return std::max<std::uint64_t>(measurement.n, 1); };
    const auto is_left = [this](const std::string& identity) {
        return !too_large_.contains(identity) && !(earlier_ && earlier_->rows.contains(identity));
    };
    // Rows that are known take no time, so they are no part of the work.
    std::uint64_t work = 0;
    for (const Measurement& measurement : measurements_)
        if (is_left(identity_of(measurement))) work += work_of(measurement);
    std::uint64_t done = 0;
    // Who repeats a run until nothing fails must not take wrong rows for right ones.
    if (earlier_ && earlier_->wrong != 0) {
        failures_ += earlier_->wrong;
        complain(fmt::format("glsort bench: {} of the earlier rows are WRONG", earlier_->wrong));
    }
    progress_.begin("glsort bench", work);
    for (const Measurement& measurement : measurements_) {
        const std::string identity = identity_of(measurement);
        if (!is_left(identity)) continue;
        if (!budget_.has_room_for(measurement)) {
            ++no_time_;
            done += work_of(measurement);
        } else if (options_.suite != Suite::none && is_too_large(measurement)) {
            too_large_.insert(identity);
            work -= work_of(measurement);
        } else {
            const Clock::time_point start = Clock::now();
            const std::optional<BenchRow> row = measure(measurement);
            // A row that cannot be written ends the run: later rows would be lost, too.
            if (row) {
                const auto lock = progress_.quiet();
                output_.add(*row);
            }
            budget_.took(measurement, seconds_since(start));
            done += work_of(measurement);
        }
        // Within a limit of time, the limit decides how much is left.
        constexpr std::uint64_t steps = 1000000;
        if (budget_.is_limited())
            progress_.at(static_cast<std::uint64_t>(steps * std::min(1.0, budget_.fraction_used())), steps);
        else
            progress_.at(done, work);
    }
    progress_.end();
    output_.end();
    if (no_time_ != 0)
        complain(fmt::format(
            "glsort bench: {} of {} measurements are left out, because --minutes {:g} are over{}", no_time_,
            measurements_.size(), *options_.minutes,
            options_.format == Format::json && !is_standard_output(options_.output) ? "; --resume goes on" : ""));
    if (failures_ != 0)
        throw std::runtime_error(fmt::format("{} of {} measurements failed", failures_, measurements_.size()));
    if (!too_large_.empty() && options_.suite == Suite::none)
        throw UsageError(fmt::format("--sizes: {} of {} measurements are left out, because their sizes are too large",
                                     too_large_.size(), measurements_.size()));
}

void Bench::make_input(const Measurement& measurement) {
    if (input_of_ != nullptr && same_input(*input_of_, measurement)) return;
    input_of_ = nullptr;
    type_ = type_of(measurement.items);
    input_ = make_items(type_, measurement.distribution, measurement.n, options_.items.seed);
    if (options_.verify)
        expected_ = options_.scene.is_scene() ? scene_reference(input_, type_, options_.scene, options_.items.seed)
                                              : sorted_reference(input_, type_);
    input_of_ = &measurement;
}

// Measures one row. A failure does not end the run, and gives no row.
std::optional<BenchRow> Bench::measure(const Measurement& measurement) {
    what_ = text_of(measurement);
    progress_.name("glsort bench: " + what_);
    try {
        make_input(measurement);
        BenchRow row;
        switch (measurement.by) {
            case Contender::host:
                row = measure_on_host(measurement);
                break;
            case Contender::cuda:
                row = measure_on_cuda(measurement);
                break;
            case Contender::library:
                row = measurement.backend == Backend::cpu ? measure_on_cpu(measurement) : measure_on_gpu(measurement);
                break;
        }
        row.of = measurement;
        row.scene = options_.scene;
        row.scene.gpu_count =
            row.scene.gpu_count && measurement.by == Contender::library && measurement.backend != Backend::cpu;
        row.record_bytes = bytes_of_items(type_, measurement.n);
        if (measurement.by != Contender::cuda) add_copy(measurement, row);
        if (row.verified == false) ++failures_;
        return row;
    } catch (const std::exception& error) {
        fail(what_, error.what());
        discard_errors();
        return std::nullopt;
    }
}

// The columns of a row that follow from the job and its timings.
BenchRow row_of(const SortJob& job, const Timings& timings) {
    BenchRow row;
    row.algorithm = job.algorithm().name;
    row.variant = job.algorithm().variant;
    row.timer = "clock";
    row.ms = timings.ms;
    row.cpu_us_per_call = median(timings.cpu_us);
    return row;
}

// Of a scene, sorts in host memory get the keys that are drawn, ready to sort.
BenchRow Bench::measure_on_host(const Measurement& measurement) {
    const HostSort sort = host_sort_of(measurement);
    BenchRow row;
    if (options_.scene.is_scene()) {
        const DrawnItems drawn = drawn_items(input_, type_, options_.scene, options_.items.seed);
        const std::unique_ptr<SortJob> job = make_host_job(sort, type_, drawn.items);
        row = row_of(*job, time_with_clock(*job, options_.timing));
        if (expected_) {
            Items result = job->result();
            for (std::uint32_t& value : result.values)
                value = drawn.elements[value];
            judge(result, row);
        }
    } else {
        const std::unique_ptr<SortJob> job = make_host_job(sort, type_, input_);
        row = row_of(*job, time_with_clock(*job, options_.timing));
        verify(*job, row);
    }
    row.version = host_sort_version(sort);
    return row;
}

BenchRow Bench::measure_on_cuda(const Measurement& measurement) {
    const std::vector<CudaPeer>& peers = cuda_->peers();
    const auto peer =
        std::find_if(peers.begin(), peers.end(), [&](const CudaPeer& one) { return one.name == measurement.name; });
    const CudaTimes times = cuda_->time(*peer, type_, input_, options_.timing);
    BenchRow row;
    row.algorithm = peer->name;
    row.version = peer->version;
    row.renderer = times.device;
    row.timer = "events";
    row.ms = times.ms;
    row.copy_ms = times.copy_ms;
    row.verified = times.verified;
    const auto lock = progress_.quiet();
    if (!times.verified) complain("glsort bench: " + what_ + ": verification failed");
    return row;
}

BenchRow Bench::measure_on_cpu(const Measurement& measurement) {
    const std::unique_ptr<SortJob> job = make_cpu_job(request_of(measurement, options_.scene).spec, input_);
    BenchRow row = row_of(*job, time_with_clock(*job, options_.timing));
    row.comparisons = job->comparisons();
    verify(*job, row);
    return row;
}

BenchRow Bench::measure_on_gpu(const Measurement& measurement) {
    // Few repetitions: CPU time varies little, and sorts of a software rasteriser are slow.
    const TimingOptions briefly = {.warm_up_ms = 0, .min_ms = 20, .repetitions = 0};
    SorterOptions how;
    how.max_elements_per_draw = options_.max_elements_per_draw;
    how.state = options_.state;
    how.barrier_before = options_.state == StatePolicy::restore;

    BenchRow row;
    {
        const std::unique_ptr<SortJob> job = make_gpu_job(measurement, how);
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
    row.renderer = context_->context.renderer();
    row.state = state_names()[options_.state == StatePolicy::restore ? 0 : 1];
    if (options_.state == StatePolicy::caller_resets) {
        row.cpu_us_per_call_caller_resets = row.cpu_us_per_call;
        return row;
    }
    how.state = StatePolicy::caller_resets;
    how.barrier_before = false;
    const std::unique_ptr<SortJob> job = make_gpu_job(measurement, how);
    row.cpu_us_per_call_caller_resets = median(time_with_clock(*job, briefly).cpu_us);
    verify(*job, row);
    return row;
}

std::unique_ptr<SortJob> Bench::make_gpu_job(const Measurement& measurement, const SorterOptions& how) {
    SortSpec spec = request_of(measurement, options_.scene).spec;
    spec.capacity = std::max(1u, static_cast<std::uint32_t>(input_.count));
    if (options_.scene.is_scene())
        return std::make_unique<SceneJob>(*context_, spec, input_, options_.scene, options_.items.seed, how);
    return std::make_unique<GlJob>(*context_, spec, input_, how);
}

// Adds the time of a copy of the records, on the same device and in the same way: in host memory, in buffers, or by a
// draw from texture to texture.
void Bench::add_copy(const Measurement& measurement, BenchRow& row) {
    if (measurement.n == 0) return;
    // A copy is shorter than a sort, and all copies of one size are measured once.
    TimingOptions timing = options_.timing;
    timing.min_ms = std::min(timing.min_ms, 100.0);
    try {
        if (measurement.backend == Backend::cpu) {
            row.copy_ms = copies_->in_host_memory(row.record_bytes, timing);
        } else if (measurement.io == Medium::buffer) {
            row.copy_ms = copies_->in_buffers(row.record_bytes, timing);
        } else {
            const auto words = static_cast<std::uint32_t>(row.record_bytes / 4 / measurement.n);
            const std::uint32_t texel_words = words == 3 ? 4 : words;
            row.record_bytes = 4 * std::uint64_t{texel_words} * measurement.n;
            row.copy_ms = copies_->in_textures(row.record_bytes, texel_words, timing);
        }
    } catch (const std::exception& error) {
        discard_errors();
        if (std::exchange(no_copy_, error.what()) == error.what()) return;
        const auto lock = progress_.quiet();
        complain(fmt::format("glsort bench: {}: no time of a copy: {}", what_, error.what()));
    }
}

// Discards OpenGL errors of a failure, so that the next measurement does not fail by them.
void Bench::discard_errors() const {
    while (context_ && context_->gl.GetError() != GL_NO_ERROR) {
    }
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

void run_bench(const BenchOptions& options) {
    Bench(options).run();
}

void list_measurements(const BenchOptions& options) {
    std::vector<Backend> backends = options.backends;
    std::unique_ptr<GlContext> context;
    if (backends.empty()) {
        context = open_context_or_advise(options.context);
        backends = available_backends();
    }
    for (const Measurement& measurement : measurements_of(options, backends, names_of(find_cuda_peers(options))))
        print(fmt::format("{}, {} keys, payload {}, in {}\n", text_of(measurement), to_string(measurement.items.key),
                          to_string(measurement.items.payload),
                          backend_name(measurement) == "cpu" ? "host memory"
                          : measurement.io == Medium::buffer ? "buffers"
                                                             : "textures"));
}

}  // namespace glsort::demo
