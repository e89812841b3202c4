#include "gpu_timer.h"

#include <utility>

#include "support/software.h"

namespace glsort::demo {

GpuTimer::GpuTimer(const GladGLContext& gl, Api api)
    : gl_(gl),
      queries_(!is_software(reinterpret_cast<const char*>(gl.GetString(GL_RENDERER))) &&
               (api == Api::gl || gl.EXT_disjoint_timer_query != 0)),
      es_(api == Api::gles),
      query_{GlQuery(gl), GlQuery(gl), GlQuery(gl), GlQuery(gl)} {}

void GpuTimer::begin() {
    if (!queries_) {
        gl_.Finish();
        start_ = std::chrono::steady_clock::now();
        return;
    }
    // If all queries are in use, this measurement is skipped.
    running_ = begun_ - read_ < depth;
    if (running_) gl_.BeginQuery(GL_TIME_ELAPSED, query_[begun_ % depth].name());
}

void GpuTimer::end() {
    if (!queries_) {
        gl_.Finish();
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start_;
        measured_ = time.count();
        return;
    }
    if (!running_) return;
    gl_.EndQuery(GL_TIME_ELAPSED);
    ++begun_;
    running_ = false;
}

std::optional<double> GpuTimer::take() {
    return read(false);
}

std::optional<double> GpuTimer::wait() {
    return read(true);
}

std::optional<double> GpuTimer::read(bool wait) {
    if (!queries_) return std::exchange(measured_, std::nullopt);
    if (read_ == begun_) return std::nullopt;
    const GLuint query = query_[read_ % depth].name();
    GLuint available = GL_FALSE;
    gl_.GetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &available);
    if (available == GL_FALSE && !wait) return std::nullopt;
    GLuint64 nanoseconds = 0;
    if (es_)
        gl_.GetQueryObjectui64vEXT(query, GL_QUERY_RESULT, &nanoseconds);
    else
        gl_.GetQueryObjectui64v(query, GL_QUERY_RESULT, &nanoseconds);
    ++read_;
    return 1e-6 * static_cast<double>(nanoseconds);
}

}  // namespace glsort::demo
