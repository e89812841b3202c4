#pragma once

#include <glad/gl.h>

#include <array>
#include <chrono>
#include <optional>

#include "gl_objects.h"
#include "support/headless_context.h"

namespace glsort::demo {

/// Measures the time of the commands between begin() and end(). On hardware with timer queries: reads the queries some
/// frames later, and never waits. On software rasterisers queries do not measure the work. There the timer uses
/// glFinish() and a clock.
class GpuTimer {
  public:
    GpuTimer(const GladGLContext& gl, Api api);

    void begin();
    void end();
    /// Returns the oldest finished time that was not taken yet, in milliseconds.
    std::optional<double> take();
    /// As take(), but waits for unfinished queries.
    std::optional<double> wait();
    /// Whether queries measure. Otherwise a clock does.
    bool queries() const { return queries_; }

  private:
    static constexpr int depth = 4;  // Max unfinished queries.

    std::optional<double> read(bool wait);

    const GladGLContext& gl_;
    bool queries_;
    bool es_;
    std::array<GlQuery, depth> query_;
    int begun_ = 0;  // Counts up. The next query is query_[begun_ % depth].
    int read_ = 0;
    bool running_ = false;
    std::chrono::steady_clock::time_point start_;
    std::optional<double> measured_;
};

}  // namespace glsort::demo
