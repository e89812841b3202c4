#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace glsort::check {

/// splitmix64 (Steele, Lea, Flood). Makes independent seeds from one seed and a number.
constexpr std::uint64_t mixed(std::uint64_t seed, std::uint64_t number) {
    std::uint64_t x = seed + (number + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/// Random choices. A seed gives the same choices on every platform.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}

    std::uint64_t number() { return random_(); }
    /// A number below `limit`. `limit` must be above 0.
    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
    /// A number from `low` to `high`, both included.
    std::uint32_t from(std::uint32_t low, std::uint32_t high) {
        return low + static_cast<std::uint32_t>(below(std::uint64_t{high} - low + 1));
    }
    bool chance(double probability) { return static_cast<double>(random_() >> 11) * 0x1p-53 < probability; }
    template <class T>
    T pick(const std::vector<T>& values) {
        return values[static_cast<std::size_t>(below(values.size()))];
    }

  private:
    std::mt19937_64 random_;
};

}  // namespace glsort::check
