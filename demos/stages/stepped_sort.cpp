#include "stepped_sort.h"

#include <glsort/sorter.h>

#include <chrono>
#include <stdexcept>
#include <utility>

#include "cpu_run.h"
#include "support/gl_buffer.h"

namespace glsort::demo {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class CpuSteppedSort : public SteppedSort {
  public:
    explicit CpuSteppedSort(std::unique_ptr<CpuRun> run) : run_(std::move(run)) {}
    const StreamProgram& program() const override { return run_->program(); }
    void begin() override { run_->begin(); }
    double step() override {
        const Clock::time_point start = Clock::now();
        run_->step(nullptr);
        return milliseconds_since(start);
    }
    std::vector<std::uint32_t> read(StreamId stream) override { return run_->read(stream); }
    std::string source(std::size_t) const override { return {}; }

  private:
    std::unique_ptr<CpuRun> run_;
};

class GlSteppedSort : public SteppedSort {
  public:
    GlSteppedSort(const Input& input, const Method& method, std::span<const std::uint32_t> keys, const Device& device)
        : gl_(device.gl),
          queries_(!device.report.limits.software),
          sorter_(sort_spec(input, method), device.get_proc_address),
          stepper_(sorter_),
          program_(sorter_.program(input.n)),
          input_(gl_, keys),
          keys_(gl_, keys),
          no_values_(gl_, std::vector<std::uint32_t>(input.n)),
          values_(gl_, std::vector<std::uint32_t>(input.n)),
          count_(input.n) {
        // Some drivers finish compiling when a shader first runs. Compile time is not part of an op's time, so a first
        // sort is not measured. A long sort has no such first sort, because compile time hardly matters there.
        constexpr std::uint32_t soon_done = 1u << 16;
        if (queries_ || count_ <= soon_done) {
            sorter_.sort(arguments());
            gl_.Finish();
        }
        begin();
        gl_.GenQueries(1, &query_);  // Nothing throws from here on.
    }
    ~GlSteppedSort() override { gl_.DeleteQueries(1, &query_); }

    const StreamProgram& program() const override { return program_; }
    void begin() override {
        keys_.copy_from(input_);
        values_.copy_from(no_values_);
        stepper_.begin(arguments());
    }
    double step() override {
        gl_.Finish();
        const Clock::time_point start = Clock::now();
        if (!queries_) {
            stepper_.step();
            gl_.Finish();
            return milliseconds_since(start);
        }
        gl_.BeginQuery(GL_TIME_ELAPSED, query_);
        try {
            stepper_.step();
        } catch (...) {
            gl_.EndQuery(GL_TIME_ELAPSED);  // The other sort needs to begin its own query.
            throw;
        }
        gl_.EndQuery(GL_TIME_ELAPSED);
        GLuint64 nanoseconds = 0;
        gl_.GetQueryObjectui64v(query_, GL_QUERY_RESULT, &nanoseconds);
        return 1e-6 * static_cast<double>(nanoseconds);
    }
    std::vector<std::uint32_t> read(StreamId stream) override { return stepper_.read(stream); }
    std::string source(std::size_t op) const override { return stepper_.source(op); }

  private:
    SortArguments arguments() const { return {.input = Buffers{{keys_.name()}, {values_.name()}}, .count = count_}; }

    const GladGLContext& gl_;
    bool queries_;
    Sorter sorter_;
    Stepper stepper_;
    StreamProgram program_;
    GlBuffer input_;
    GlBuffer keys_;
    GlBuffer no_values_;
    GlBuffer values_;
    std::uint32_t count_;
    GLuint query_ = 0;
};

}  // namespace

Device make_device(GetProcAddress get_proc_address) {
    Device device;
    if (gladLoadGLContext(&device.gl, get_proc_address) == 0)
        throw std::runtime_error("the driver's OpenGL functions cannot be loaded");
    device.get_proc_address = get_proc_address;
    device.report = describe_context(get_proc_address);
    return device;
}

Limits limits_for(const Method& method, const Device* device) {
    return device != nullptr && method.backend != Backend::cpu ? device->report.limits : Limits{};
}

std::unique_ptr<SteppedSort> make_stepped_sort(const Input& input, const Method& method,
                                               std::span<const std::uint32_t> keys, const Device* device) {
    if (method.backend == Backend::cpu || input.is_scene())
        return std::make_unique<CpuSteppedSort>(make_cpu_run(input, method, limits_for(method, device), keys));
    if (device == nullptr) throw Error("there is no OpenGL context to sort in");
    return std::make_unique<GlSteppedSort>(input, method, keys, *device);
}

}  // namespace glsort::demo
