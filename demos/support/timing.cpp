#include "timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <deque>

namespace glsort::demo {
namespace {

constexpr std::size_t most_repetitions = 1000;

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// CPU time of this thread, in microseconds.
double cpu_clock_us() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

std::size_t repetitions(const TimingOptions& options, double estimated_ms) {
    if (options.repetitions != 0) return std::min(options.repetitions, most_repetitions);
    const std::size_t fewest = estimated_ms > 500 ? 3 : 5;
    const double wanted = std::ceil(options.min_ms / std::max(estimated_ms, 1e-3));
    return static_cast<std::size_t>(
        std::clamp(wanted, static_cast<double>(fewest), static_cast<double>(most_repetitions)));
}

}  // namespace

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Timings time_with_clock(Timed& work, const TimingOptions& options) {
    Timings timings;
    const auto run_once = [&] {
        work.restore();
        work.finish();
        const Clock::time_point start = Clock::now();
        const double cpu_start = cpu_clock_us();
        work.run();
        const double cpu_us = cpu_clock_us() - cpu_start;
        work.finish();
        timings.ms.push_back(ms_since(start));
        timings.cpu_us.push_back(cpu_us);
    };
    const Clock::time_point start = Clock::now();
    do
        run_once();
    while (ms_since(start) < options.warm_up_ms);
    const std::size_t count = repetitions(options, timings.ms.back());
    timings = {};
    while (timings.ms.size() < count)
        run_once();
    return timings;
}

QueryTimer::QueryTimer(const GladGLContext& gl) : gl_(gl), queries_(most_repetitions) {
    gl_.GenQueries(static_cast<GLsizei>(queries_.size()), queries_.data());
}

QueryTimer::~QueryTimer() {
    gl_.DeleteQueries(static_cast<GLsizei>(queries_.size()), queries_.data());
}

// Keeps the GPU busy until it is warm, and returns while some work is still queued. The result is an estimate of the
// milliseconds of a run.
double QueryTimer::warm_up(Timed& work, const TimingOptions& options) {
    constexpr GLuint64 forever = ~GLuint64{0};
    std::deque<GLsync> queued;
    std::size_t done = 0;
    double estimate = 0;
    Clock::time_point first_done;
    const Clock::time_point start = Clock::now();
    while (done < 2 || ms_since(start) < options.warm_up_ms) {
        work.restore();
        work.run();
        queued.push_back(gl_.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
        // Queues some milliseconds of work ahead. The GPU then never runs dry, and slow runs do not pile up.
        const double ahead = estimate > 0 ? std::clamp(5 / estimate, 2.0, 100.0) : 2;
        if (static_cast<double>(queued.size()) < ahead) continue;
        gl_.ClientWaitSync(queued.front(), GL_SYNC_FLUSH_COMMANDS_BIT, forever);
        gl_.DeleteSync(queued.front());
        queued.pop_front();
        // Measures from the end of the first run, because that run may have compiled shaders.
        if (++done == 1)
            first_done = Clock::now();
        else
            estimate = ms_since(first_done) / static_cast<double>(done - 1);
    }
    for (const GLsync fence : queued)
        gl_.DeleteSync(fence);
    return estimate;
}

std::vector<double> QueryTimer::time(Timed& work, const TimingOptions& options) {
    work.finish();
    const std::size_t count = repetitions(options, warm_up(work, options));
    for (std::size_t i = 0; i < count; ++i) {
        work.restore();
        gl_.BeginQuery(GL_TIME_ELAPSED, queries_[i]);
        work.run();
        gl_.EndQuery(GL_TIME_ELAPSED);
    }
    std::vector<double> ms;
    for (std::size_t i = 0; i < count; ++i) {
        GLuint64 ns = 0;
        gl_.GetQueryObjectui64v(queries_[i], GL_QUERY_RESULT, &ns);
        ms.push_back(1e-6 * static_cast<double>(ns));
    }
    return ms;
}

}  // namespace glsort::demo
