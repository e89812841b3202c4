#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

#include "support/timing.h"

namespace glsort::demo {

/// The last values of a measurement, the oldest first.
class History {
  public:
    static constexpr std::size_t longest = 120;

    void add(double value) {
        values_.push_back(value);
        if (values_.size() > longest) values_.pop_front();
    }

    bool empty() const { return values_.empty(); }
    const std::deque<double>& values() const { return values_; }
    /// The number to show: steadier than the last value, and not moved by one slow frame.
    double median() const { return demo::median({values_.begin(), values_.end()}); }
    double largest() const { return *std::max_element(values_.begin(), values_.end()); }

  private:
    std::deque<double> values_;
};

}  // namespace glsort::demo
