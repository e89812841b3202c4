#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <vector>

#include "job.h"

namespace glsort::demo {

/// How long to measure.
struct TimingOptions {
    double warm_up_ms = 0;        ///< Sorts before the first one that counts; one at the least.
    double min_ms = 300;          ///< All repetitions together.
    std::size_t repetitions = 0;  ///< 0: as many as `min_ms` takes, and at least 5 (3 slow ones).
};

struct Timings {
    std::vector<double> ms;      ///< Of each repetition.
    std::vector<double> cpu_us;  ///< CPU time of the call of sort() itself, of each repetition.
};

/// The middle value, the lower one of two; 0 of none.
double median(std::vector<double> values);

/// By the wall clock, from the call of sort() until finish() returns, starting from an idle GPU.
/// Right for the CPU and for software rasterisers, whose timer queries miss most of the work.
Timings time_with_clock(SortJob& job, const TimingOptions& options);

/// Measures on the GPU, by timer queries (OpenGL 3.3).
///
/// A GPU needs unbroken work to reach its clock rate, and loses it in any pause. So the warm-up
/// runs into the repetitions without waiting for its end, these are all queued one after the other,
/// and the queries are read when everything is done.
class QueryTimer {
  public:
    explicit QueryTimer(const GladGLContext& gl);
    ~QueryTimer();
    QueryTimer(const QueryTimer&) = delete;
    QueryTimer& operator=(const QueryTimer&) = delete;

    /// Milliseconds of each repetition.
    std::vector<double> time(SortJob& job, const TimingOptions& options);

  private:
    double warm_up(SortJob& job, const TimingOptions& options);

    const GladGLContext& gl_;
    std::vector<GLuint> queries_;
};

}  // namespace glsort::demo
