#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

namespace glsort::demo {

/// Random numbers that are equal on every platform. The distributions of <random> do not guarantee equal numbers.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}
    /// A number from `low` up to but not including `high`. Rounding may give `high`.
    float uniform(float low = 0.0f, float high = 1.0f) {
        return low + (high - low) * (static_cast<float>(random_() >> 40) * 0x1p-24f);
    }
    /// A normal number with mean 0 and standard deviation 1 (Box and Muller).
    float normal() {
        const float radius = std::sqrt(-2.0f * std::log(1.0f - uniform()));
        return radius * std::cos(2.0f * std::numbers::pi_v<float> * uniform());
    }
    /// A number below `limit`, which is above 0.
    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

  private:
    std::mt19937_64 random_;
};

}  // namespace glsort::demo
