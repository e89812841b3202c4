#pragma once

#include <glad/gl.h>

#include <array>
#include <chrono>
#include <optional>

#include "gl_objects.h"
#include "support/headless_context.h"

namespace glsort::demo {

/// How long the commands between begin() and end() take. On hardware with timer queries, which are
/// read some frames later and never waited for; on software rasterisers, whose queries do not
/// measure that, with glFinish() and a clock.
class GpuTimer {
  public:
    GpuTimer(const GladGLContext& gl, Api api);

    void begin();
    void end();
    /// The oldest time that is known and was not given yet, in milliseconds.
    std::optional<double> take();
    /// As take(), but waits for what is under way.
    std::optional<double> wait();
    /// Whether queries measure; else a clock does.
    bool queries() const { return queries_; }

  private:
    static constexpr int depth = 4;  // queries under way

    std::optional<double> read(bool wait);

    const GladGLContext& gl_;
    bool queries_;
    bool es_;
    std::array<GlQuery, depth> query_;
    int begun_ = 0;  // counts up; query_[begun_ % depth] is next
    int read_ = 0;
    bool running_ = false;
    std::chrono::steady_clock::time_point start_;
    std::optional<double> measured_;
};

}  // namespace glsort::demo
