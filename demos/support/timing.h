#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <vector>

namespace glsort::demo {

/// Work that can be measured: a sort, or a copy.
class Timed {
  public:
    virtual ~Timed() = default;

    /// Prepares the next run. On a GPU, only queues the work. This work is not measured.
    virtual void restore() {}
    /// The work that is measured. On a GPU, only queues the work.
    virtual void run() = 0;
    /// Waits until all queued work is done.
    virtual void finish() {}
};

/// The durations of a measurement.
struct TimingOptions {
    double warm_up_ms = 0;        ///< Time for runs before the first measured run. There is at least one such run.
    double min_ms = 300;          ///< Of all repetitions together.
    std::size_t repetitions = 0;  ///< 0: as many as fit `min_ms`, and at least 5 (3 if runs are slow).
};

struct Timings {
    std::vector<double> ms;      ///< Of each repetition.
    std::vector<double> cpu_us;  ///< CPU time of each call of run().
};

/// The median, of two middle values the lower one. 0 if there are no values.
double median(std::vector<double> values);

/// Measures by the clock, from the call of run() to the return of finish(). The GPU is idle at the start. For the CPU
/// and for software rasterisers: timer queries miss most of their work.
Timings time_with_clock(Timed& work, const TimingOptions& options);

/// Measures on the GPU, by timer queries (OpenGL 3.3).
///
/// A GPU needs unbroken work to reach its full clock rate, and loses the rate in any pause. The repetitions therefore
/// follow the warm-up without a wait, and are all queued one after the other. The queries are read after all work is
/// done.
class QueryTimer {
  public:
    explicit QueryTimer(const GladGLContext& gl);
    ~QueryTimer();
    QueryTimer(const QueryTimer&) = delete;
    QueryTimer& operator=(const QueryTimer&) = delete;

    /// Milliseconds of each repetition.
    std::vector<double> time(Timed& work, const TimingOptions& options);

  private:
    double warm_up(Timed& work, const TimingOptions& options);

    const GladGLContext& gl_;
    std::vector<GLuint> queries_;
};

}  // namespace glsort::demo
