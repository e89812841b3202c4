#include "comparisons.h"

#include <glsort/planner.h>

#include "cpu_run.h"

namespace glsort::demo {

ComparisonCount::ComparisonCount(const Input& input, const Method& method, const Limits& limits,
                                 const std::vector<std::uint32_t>& keys, std::size_t ops)
    : sums_(ops + 1) {
    thread_ = std::thread([this, input, method, limits, keys = std::vector<std::uint32_t>(keys)] {
        try {
            const std::unique_ptr<CpuRun> run = make_cpu_run(input, method, limits, keys);
            for (std::size_t op = 1; op < sums_.size() && !stop_ && run->step(nullptr); ++op) {
                sums_[op] = run->comparisons();
                counted_ = op;
            }
        } catch (const std::exception&) {
            // For example not enough memory. The count then stays unknown.
        }
    });
}

ComparisonCount::~ComparisonCount() {
    stop_ = true;
    thread_.join();
}

std::optional<std::uint64_t> ComparisonCount::of_first(std::size_t ops) const {
    if (ops > counted_) return std::nullopt;
    return sums_[ops];
}

}  // namespace glsort::demo
