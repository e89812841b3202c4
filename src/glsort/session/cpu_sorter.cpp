#include <fmt/format.h>

#include <glsort/base/in_function.h>
#include <glsort/error.h>
#include <glsort/exec/cpu_executor.h>
#include <glsort/plan/algorithm.h>
#include <glsort/plan/element_type.h>
#include <glsort/plan/payload.h>
#include <glsort/sorter.h>
#include <glsort/stream/scheduler.h>

namespace glsort {

class CpuSorter::Implementation {
  public:
    Implementation(const SortSpec& spec, const Limits& limits) : request_{.spec = spec, .limits = limits} {
        if (spec.input != Medium::buffer || spec.output != Medium::buffer)
            throw Error("host memory is sorted in place; input and output must be buffers");
        if (spec.order.comparison && !spec.order.comparison->host)
            throw Error(fmt::format("comparison {} has no host function", spec.order.comparison->name));
        if (request_.spec.backend == Backend::automatic) request_.spec.backend = Backend::cpu;
        // A program of two elements shows errors of the specification. A program without elements has no ops that could
        // fail.
        prepare(2, {});
        prepare(0, {});
    }

    void begin(std::span<std::uint32_t> keys, std::span<std::uint32_t> values, std::span<const std::uint32_t> lists) {
        const bool payload = has_payload(request_.spec);
        const std::size_t key_words = glsort::key_words(request_);
        const std::size_t n = keys.size() / key_words;
        if (keys.size() % key_words != 0)
            throw Error(fmt::format("{} words of keys, which take {} each", keys.size(), key_words));
        if (n > 0xffffffffu) throw Error(fmt::format("{} keys exceed the limit of 2^32-1", n));
        if (values.size() != n * (request_.spec.payload.size / 4))
            throw Error(fmt::format("{} words of values for {} keys with payload {}", values.size(), n,
                                    to_string(request_.spec.payload)));
        prepare(static_cast<std::uint32_t>(n), lists);
        executor_.bind(*scheduler_.program().caller.keys, keys);
        if (payload) executor_.bind(*scheduler_.program().caller.values, values);
    }

    CpuExecutor executor_;
    Scheduler scheduler_{executor_};

  private:
    void prepare(std::uint32_t n, std::span<const std::uint32_t> lists) {
        request_.n = n;
        request_.spec.capacity = n;
        request_.lists.assign(lists.begin(), lists.end());
        scheduler_.prepare(make_program(request_), request_.limits);
    }

    PlanRequest request_;
};

CpuSorter::CpuSorter(const SortSpec& spec, const Limits& limits)
    : implementation_(
          in_function("CpuSorter::CpuSorter", [&] { return std::make_unique<Implementation>(spec, limits); })) {}
CpuSorter::~CpuSorter() = default;
CpuSorter::CpuSorter(CpuSorter&&) noexcept = default;
CpuSorter& CpuSorter::operator=(CpuSorter&&) noexcept = default;

void CpuSorter::sort(std::span<std::uint32_t> keys, std::span<std::uint32_t> values) {
    in_function("CpuSorter::sort", [&] { implementation_->begin(keys, values, {}); });
    implementation_->scheduler_.run();
}

void CpuSorter::merge(std::span<std::uint32_t> keys, std::span<std::uint32_t> values,
                      std::span<const std::uint32_t> lists) {
    in_function("CpuSorter::merge", [&] {
        if (lists.empty() && !keys.empty()) throw Error("there are keys, but no lists");
        implementation_->begin(keys, values, lists);
    });
    implementation_->scheduler_.run();
}

void CpuSorter::begin(std::span<std::uint32_t> keys, std::span<std::uint32_t> values,
                      std::span<const std::uint32_t> lists) {
    in_function("CpuSorter::begin", [&] { implementation_->begin(keys, values, lists); });
}

bool CpuSorter::step() {
    return implementation_->scheduler_.step();
}

bool CpuSorter::step(OpTrace& trace) {
    trace = {};
    return implementation_->executor_.traced(trace, [&] { return implementation_->scheduler_.step(); });
}

std::size_t CpuSorter::steps_done() const {
    return implementation_->scheduler_.done();
}

std::vector<std::uint32_t> CpuSorter::read(StreamId stream) {
    return in_function("CpuSorter::read", [&] { return implementation_->scheduler_.read(stream); });
}

const StreamProgram& CpuSorter::program() const {
    return implementation_->scheduler_.program();
}

std::uint64_t CpuSorter::comparisons() const {
    return implementation_->executor_.comparisons();
}

}  // namespace glsort
