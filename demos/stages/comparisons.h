#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "settings.h"

namespace glsort::demo {

/// How often the ops of a program compare keys. A CpuRun counts in a thread of its own, because GPUs do not count.
class ComparisonCount {
  public:
    /// Sorts `keys`, the keys of the input. Counts until destruction, which waits for the running op.
    ComparisonCount(const Input& input, const Method& method, const Limits& limits,
                    const std::vector<std::uint32_t>& keys, std::size_t ops);
    ~ComparisonCount();
    ComparisonCount(const ComparisonCount&) = delete;
    ComparisonCount& operator=(const ComparisonCount&) = delete;

    /// Comparisons of the first `ops` ops. Nothing until all of them are counted.
    std::optional<std::uint64_t> of_first(std::size_t ops) const;

  private:
    std::vector<std::uint64_t> sums_;  // of the first 0, 1, ... ops; entries up to counted_ are final
    std::atomic<std::size_t> counted_ = 0;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

}  // namespace glsort::demo
