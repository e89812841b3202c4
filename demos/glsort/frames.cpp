#include <fmt/format.h>
#include <glsort/scene.h>
#include <glsort/sorter.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gl_io.h"
#include "options.h"
#include "print_json.h"
#include "scene_job.h"
#include "scene_options.h"
#include "support/gl_buffer.h"
#include "support/progress.h"
#include "support/timing.h"

namespace glsort::demo {
namespace {

constexpr double most_ready_us = 1e9;

struct FramesOptions {
    std::uint32_t n = 1u << 20;
    std::optional<std::uint32_t> grow_to;  ///< Empty: twice as many.
    std::uint32_t frames = 1000;
    double ready_us = 500;
    std::string algorithm = "automatic";
    Backend backend = Backend::automatic;
    bool computed_keys = false;
    std::uint32_t max_elements_per_draw = 0;  ///< 0: no limit.
    std::filesystem::path binaries;
    bool progress = false;
    ContextOptions context;
    Format format = Format::text;

    /// The capacity after the growth.
    std::uint32_t larger() const {
        constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
        return grow_to.value_or(n > most / 2 ? most : 2 * n);
    }
};

using FrameClock = std::chrono::steady_clock;

double elapsed_ms(FrameClock::time_point start) {
    return std::chrono::duration<double, std::milli>(FrameClock::now() - start).count();
}

/// What a loop of frames has measured.
struct Measured {
    std::string renderer;
    std::string algorithm;
    Backend backend = Backend::automatic;
    std::uint32_t capacity = 0;           ///< After the growth.
    std::vector<double> construction_ms;  ///< Of each call: the constructor, then `ready`.
    std::vector<double> frames_ms;
    std::size_t grows_from = 0;  ///< The frame that asks for the growth.
    std::size_t grows_to = 0;    ///< The frame in which `ready` returned true.
};

struct Longest {
    double ms = 0;
    std::size_t number = 0;
};

Longest longest(const std::vector<double>& ms) {
    const auto found = std::max_element(ms.begin(), ms.end());
    return {*found, static_cast<std::size_t>(found - ms.begin())};
}

double sum_of(const std::vector<double>& ms) {
    double sum = 0;
    for (const double value : ms)
        sum += value;
    return sum;
}

/// The value that 99 of 100 do not exceed.
double percentile_99(std::vector<double> ms) {
    std::sort(ms.begin(), ms.end());
    return ms[(99 * ms.size() + 99) / 100 - 1];
}

/// Numbers that are in no order, and the same each time.
std::vector<std::uint32_t> some_keys(std::uint32_t n) {
    std::vector<std::uint32_t> keys(n);
    for (std::uint32_t i = 0; i < n; ++i)
        keys[i] = i * 2654435761u;
    return keys;
}

/// A sort of keys with indices, or of the keys that a scene computes. Scenes sort by counts on the GPU.
SortSpec spec_of(const FramesOptions& options, std::uint32_t capacity) {
    return {.order = {.key = options.computed_keys ? KeyType::f32 : KeyType::u32},
            .capacity = capacity,
            .algorithm = options.algorithm,
            .backend = options.backend,
            .gpu_count = options.computed_keys};
}

/// Checks both capacities before anything is allocated. Throws UsageError if the device or the computer cannot hold
/// one of them.
void check_capacities(const FramesOptions& options, const GlContext& context) {
    // Of keys: the input, the expected order and the result. Of positions: the depths, four words and the order.
    const std::uint64_t bytes_on_host = (options.computed_keys ? std::uint64_t{24} : 12) * options.n;
    SceneOptions scene;
    scene.computed_keys = options.computed_keys;
    for (const auto& [option, count] : {std::pair{"--count", options.n}, {"--grow-to", options.larger()}})
        check_memory(context, spec_of(options, count), scene, count, bytes_on_host,
                     fmt::format("{} {}", option, count_text(count)));
}

/// What the frames sort, and by what.
class FrameSort {
  public:
    virtual ~FrameSort() = default;
    virtual bool ready(std::chrono::microseconds time) = 0;
    virtual void reserve(std::uint32_t capacity) = 0;
    /// Uploads the input. Call once the sorter is ready.
    virtual void upload() = 0;
    virtual void sort() = 0;
    virtual bool is_sorted() = 0;
    virtual const std::string& algorithm() const = 0;
    virtual Backend backend() const = 0;
    virtual std::uint32_t capacity() const = 0;
};

/// Keys with indices. Each sort begins with a copy of the unsorted keys.
class FrameOfKeys : public FrameSort {
  public:
    FrameOfKeys(const GladGLContext& gl, const FramesOptions& options, const SorterOptions& how)
        : gl_(gl),
          unsorted_(some_keys(options.n)),
          sorter_(spec_of(options, options.n), HeadlessContext::get_proc_address(), how) {}

    bool ready(std::chrono::microseconds time) override { return sorter_.ready(time); }
    void reserve(std::uint32_t capacity) override { sorter_.reserve(capacity); }
    void upload() override {
        source_.emplace(gl_, unsorted_);
        keys_.emplace(gl_, unsorted_);
        indices_.emplace(gl_, std::vector<std::uint32_t>(unsorted_.size()));
    }
    void sort() override {
        keys_->copy_from(*source_);
        sorter_.sort({keys_->name()}, {indices_->name()}, static_cast<std::uint32_t>(unsorted_.size()));
    }
    bool is_sorted() override {
        std::vector<std::uint32_t> expected = unsorted_;
        std::sort(expected.begin(), expected.end());
        return keys_->download() == expected;
    }
    const std::string& algorithm() const override { return sorter_.spec().algorithm; }
    Backend backend() const override { return sorter_.spec().backend; }
    std::uint32_t capacity() const override { return sorter_.spec().capacity; }

  private:
    const GladGLContext& gl_;
    std::vector<std::uint32_t> unsorted_;
    Sorter sorter_;
    std::optional<GlBuffer> source_, keys_, indices_;
};

/// Positions, in the order of their depths.
class FrameOfPositions : public FrameSort {
  public:
    FrameOfPositions(const GladGLContext& gl, const FramesOptions& options, const SorterOptions& how)
        : gl_(gl), depths_(some_keys(options.n)), sorter_(scene_of(options), HeadlessContext::get_proc_address(), how) {
        for (std::uint32_t& depth : depths_)
            depth = std::bit_cast<std::uint32_t>(static_cast<float>(depth >> 8));
    }

    bool ready(std::chrono::microseconds time) override { return sorter_.ready(time); }
    void reserve(std::uint32_t capacity) override { sorter_.reserve({&capacity, 1}); }
    void upload() override {
        std::vector<std::uint32_t> words;
        words.reserve(4 * depths_.size());
        for (const std::uint32_t depth : depths_)
            for (const std::uint32_t word : position_of(depth, true))
                words.push_back(word);
        positions_.emplace(gl_, words);
        order_.emplace(gl_, std::vector<std::uint32_t>(depths_.size()));
        SceneArguments::Source source;
        source.inputs = {{positions_->name(), 0}};
        source.count = static_cast<std::uint32_t>(depths_.size());
        source.values = values_of_positions();
        arguments_.sources = {source};
        arguments_.order = {order_->name(), 0};
    }
    void sort() override { sorter_.sort(arguments_); }
    bool is_sorted() override {
        std::vector<std::uint32_t> expected(depths_.size());
        std::iota(expected.begin(), expected.end(), 0u);
        // The depths are not negative, so their bits are in the order of the depths.
        std::stable_sort(expected.begin(), expected.end(),
                         [this](std::uint32_t a, std::uint32_t b) { return depths_[a] < depths_[b]; });
        return order_->download() == expected;
    }
    const std::string& algorithm() const override { return sorter_.spec().algorithm; }
    Backend backend() const override { return sorter_.spec().backend; }
    std::uint32_t capacity() const override { return sorter_.spec().sources.front().capacity; }

  private:
    static SceneSpec scene_of(const FramesOptions& options) {
        SceneSpec scene{.key = KeyType::f32,
                        .direction = Direction::ascending,
                        .algorithm = options.algorithm,
                        .backend = options.backend};
        scene.sources = {source_of_positions()};
        scene.sources.front().capacity = options.n;
        return scene;
    }

    const GladGLContext& gl_;
    std::vector<std::uint32_t> depths_;  ///< As the bits of floats.
    SceneSorter sorter_;
    SceneArguments arguments_;
    std::optional<GlBuffer> positions_, order_;
};

std::unique_ptr<FrameSort> make_sort(const GladGLContext& gl, const FramesOptions& options, const SorterOptions& how) {
    if (options.computed_keys) return std::make_unique<FrameOfPositions>(gl, options, how);
    return std::make_unique<FrameOfKeys>(gl, options, how);
}

Measured measure(const FramesOptions& options) {
    const std::unique_ptr<GlContext> context = open_context(options.context);
    check_capacities(options, *context);
    const GladGLContext& gl = context->gl;
    Measured measured;
    measured.renderer = reinterpret_cast<const char*>(gl.GetString(GL_RENDERER));

    const std::chrono::microseconds slice(static_cast<std::int64_t>(options.ready_us));
    SorterOptions how;
    how.construction = Construction::calls_refuse;
    how.max_elements_per_draw = options.max_elements_per_draw;
    if (!options.binaries.empty()) how.binaries = binaries_in_folder(options.binaries.string());
    const auto timed = [](std::vector<double>& times, const auto& call) {
        const FrameClock::time_point start = FrameClock::now();
        auto result = call();
        times.push_back(elapsed_ms(start));
        return result;
    };
    const std::unique_ptr<FrameSort> sorted =
        timed(measured.construction_ms, [&] { return make_sort(gl, options, how); });
    while (!timed(measured.construction_ms, [&] { return sorted->ready(slice); })) {
    }
    measured.algorithm = sorted->algorithm();
    measured.backend = sorted->backend();
    sorted->upload();
    // Clocks rise, and drivers compile late.
    for (const FrameClock::time_point start = FrameClock::now(); elapsed_ms(start) < 400;) {
        sorted->sort();
        gl.Finish();
    }
    measured.grows_from = options.frames / 3;
    measured.grows_to = std::numeric_limits<std::size_t>::max();
    Progress progress(options.progress);
    progress.begin(fmt::format("running {} frames", options.frames), options.frames);
    // However long the growth takes, the frames that were asked for are not too few.
    constexpr std::size_t most_frames = 1000000;
    const auto grown = [&] { return measured.grows_to < most_frames; };
    for (std::size_t frame = 0; frame < options.frames || (!grown() && frame < most_frames); ++frame) {
        const bool ready = timed(measured.frames_ms, [&] {
            if (frame == measured.grows_from) sorted->reserve(options.larger());
            const bool done = sorted->ready(slice);
            sorted->sort();
            gl.Finish();
            return done;
        });
        if (ready && frame >= measured.grows_from) measured.grows_to = std::min(measured.grows_to, frame);
        progress.at(std::min<std::uint64_t>(frame + 1, options.frames));
    }
    progress.end();
    if (!grown())
        throw std::runtime_error(
            fmt::format("the sorter did not grow within {} frames; give a longer --ready-us", most_frames));
    measured.capacity = sorted->capacity();
    if (!sorted->is_sorted()) throw std::runtime_error("the last frame is not sorted");
    check_gl(gl, "after the frames");
    return measured;
}

std::string to_text(const Measured& measured, const FramesOptions& options) {
    const Longest call = longest(measured.construction_ms);
    const Longest frame = longest(measured.frames_ms);
    const double middle = median(measured.frames_ms);
    return fmt::format(
        "renderer      {}\n"
        "sort          {}, {}, {} {}\n"
        "construction  {} calls in {:.2f} ms; the longest takes {:.2f} ms ({})\n"
        "frames        {}; median {:.3f} ms, 99% at most {:.3f} ms\n"
        "longest frame {:.3f} ms (frame {}), {:.2f} times the median\n"
        "growth        to {} elements, from frame {} to frame {}\n",
        measured.renderer, measured.algorithm, to_string(measured.backend), options.n,
        options.computed_keys ? "positions, by computed keys" : "keys with indices, restored before each sort",
        measured.construction_ms.size(), sum_of(measured.construction_ms), call.ms,
        call.number == 0 ? std::string("the constructor") : fmt::format("call {} of ready", call.number),
        measured.frames_ms.size(), middle, percentile_99(measured.frames_ms), frame.ms, frame.number, frame.ms / middle,
        measured.capacity, measured.grows_from, measured.grows_to);
}

nlohmann::ordered_json to_json(const Measured& measured, const FramesOptions& options) {
    nlohmann::ordered_json out;
    out["glsort"] = version();
    out["renderer"] = measured.renderer;
    out["algorithm"] = measured.algorithm;
    out["backend"] = to_string(measured.backend);
    out["computed_keys"] = options.computed_keys;
    out["n"] = options.n;
    out["grow_to"] = options.larger();
    out["construction"] = {{"calls", measured.construction_ms.size()},
                           {"ms", sum_of(measured.construction_ms)},
                           {"longest_ms", longest(measured.construction_ms).ms},
                           {"longest_call", longest(measured.construction_ms).number}};
    out["frames"] = {{"count", measured.frames_ms.size()},
                     {"median_ms", median(measured.frames_ms)},
                     {"percentile_99_ms", percentile_99(measured.frames_ms)},
                     {"longest_ms", longest(measured.frames_ms).ms},
                     {"longest_frame", longest(measured.frames_ms).number},
                     {"grows_from", measured.grows_from},
                     {"grows_to", measured.grows_to}};
    return out;
}

double parse_ready_us(const std::string& text) {
    const double us = parse_not_negative(text);
    if (us > most_ready_us) throw LimitExceeded(fmt::format("{:.0f}", most_ready_us));
    if (us != std::floor(us)) throw std::invalid_argument("\"" + text + "\" is no whole number of microseconds");
    return us;
}

void run(const FramesOptions& options) {
    if (options.backend == Backend::cpu) throw UsageError("--backend cpu: frames need fragment or compute");
    if (options.larger() <= options.n)
        throw UsageError(fmt::format("--grow-to {}: the capacity must exceed --count {}", count_text(options.larger()),
                                     count_text(options.n)));
    // A small program is enough to find errors in the arguments.
    plan_or_refuse({.spec = spec_of(options, 2), .n = 2});
    const Measured measured = measure(options);
    if (options.format == Format::json)
        print_json(to_json(measured, options));
    else
        print(to_text(measured, options));
}

}  // namespace

Command add_frames_command(CLI::App& app) {
    const auto options = std::make_shared<FramesOptions>();
    CLI::App* command = app.add_subcommand(
        "frames", "Measures what a frame loop feels: calls that make a sorter, and frames in which a sorter grows");
    add_value(
        *command, "-n,--count", options->n,
        [](const std::string& text) {
            return static_cast<std::uint32_t>(parse_within(text, 1, std::numeric_limits<std::uint32_t>::max()));
        },
        "Elements that each frame sorts (digits or 2^K)")
        ->type_name("N")
        ->default_str("2^20");
    add_value(*command, "--grow-to", options->grow_to, parse_elements, "Capacity that the sorter grows to")
        ->type_name("N")
        ->default_str("twice as many");
    add_value(
        *command, "--frames", options->frames,
        [](const std::string& text) { return static_cast<std::uint32_t>(parse_within(text, 3, 1000000)); },
        "Frames, at least: there are more until the sorter has grown; the growth begins after a third of them")
        ->type_name("N")
        ->default_str("1000");
    add_value(*command, "--ready-us", options->ready_us, parse_ready_us,
              fmt::format("Microseconds for each call of ready, up to {:.0f}; each frame has one call", most_ready_us))
        ->type_name("US")
        ->default_str("500");
    add_path(*command, "--binaries", options->binaries,
             "Keeps compiled shaders in this folder, and finds them there the next time")
        ->type_name("DIR");
    add_method_options(*command, options->algorithm, options->backend, "compute where the context has it");
    add_computed_keys(*command, options->computed_keys);
    add_max_elements_per_draw(*command, options->max_elements_per_draw);
    add_progress(*command, options->progress);
    add_context_options(*command, options->context);
    add_format_option(*command, options->format, {"text", "json"});
    command->footer(
        "A frame copies the keys back (not in a scene), calls ready, sorts, and waits for the GPU. Times are of the "
        "wall clock. A driver may have a cache of shaders of its own: for NVIDIA's, __GL_SHADER_DISK_CACHE=0 turns the "
        "cache off.");
    return {command, [options] { run(*options); }};
}

}  // namespace glsort::demo
