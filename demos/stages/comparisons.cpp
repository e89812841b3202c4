#include "comparisons.h"

#include <glsort/sorter.h>

namespace glsort::demo {

ComparisonCount::ComparisonCount(const PlanRequest& request, const std::vector<std::uint32_t>& keys, std::size_t ops)
    : sums_(ops + 1) {
    thread_ = std::thread([this, request, keys = std::vector<std::uint32_t>(keys)]() mutable {
        try {
            std::vector<std::uint32_t> values(request.n);
            CpuSorter sorter(request.spec, request.limits);
            sorter.begin(keys, values);
            for (std::size_t op = 1; op < sums_.size() && !stop_ && sorter.step(); ++op) {
                sums_[op] = sorter.comparisons();
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
