#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "support/timing.h"

namespace glsort::demo {

/// The last values of a measurement, the oldest first.
class History {
  public:
    static constexpr std::size_t longest = 120;      ///< Usual number of values to keep: those of a plot.
    static constexpr std::size_t of_report = 10000;  ///< Number of values for the report at the end.

    History() = default;
    /// Keeps the last `most` values.
    explicit History(std::size_t most) : most_(most) {}

    void add(double value) {
        ++added_;
        values_.push_back(value);
        if (values_.size() > most_) values_.pop_front();
    }
    /// The number of all values, also of those that are no longer kept.
    std::uint64_t added() const { return added_; }

    bool empty() const { return values_.empty(); }
    const std::deque<double>& values() const { return values_; }
    /// The number to show: steadier than the last value, and not moved by one slow frame.
    double median() const { return demo::median({values_.begin(), values_.end()}); }
    double largest() const { return *std::max_element(values_.begin(), values_.end()); }

  private:
    std::size_t most_ = longest;
    std::uint64_t added_ = 0;
    std::deque<double> values_;
};

}  // namespace glsort::demo
