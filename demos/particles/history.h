#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

namespace glsort::demo {

/// The median of at least one value. For an even number of values, the mean of the middle two.
inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 != 0) return *middle;
    return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

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
