#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace glsort {

/// The counts from `first` to `last`, both included.
struct CountRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool contains(std::uint32_t count) const { return first <= count && count <= last; }
    /// Cuts this range after `end` and returns the part that contains `count`. For ranges in which something changes
    /// after `end`.
    CountRange cut_behind(std::uint32_t end, std::uint32_t count) const;
};

/// The range of counts whose ceil(log2) equals that of `count`. `count` must be above 0.
CountRange between_powers(std::uint32_t count);

/// A number in a program. It is a constant, or it follows the count of elements by the rule scale * ceil(count / per) +
/// offset, modulo 2^32. `value()` is the number for the current count of the program.
class Counted {
  public:
    /// A constant.
    constexpr Counted(std::uint32_t constant = 0) : value_(constant), offset_(constant) {}
    /// The count of elements. Its current value is `count`.
    static constexpr Counted count(std::uint32_t count) {
        Counted number(count);
        number.scale_ = 1;
        number.offset_ = 0;
        return number;
    }

    constexpr operator std::uint32_t() const { return value_; }
    constexpr std::uint32_t value() const { return value_; }
    constexpr bool is_constant() const { return scale_ == 0; }

    /// This number, evaluated for another count.
    constexpr Counted at(std::uint32_t count) const {
        Counted number = *this;
        const std::uint64_t parts = count / per_ + (count % per_ != 0 ? 1 : 0);
        number.value_ = static_cast<std::uint32_t>(scale_ * parts + offset_);
        return number;
    }

    /// ceil(number / size): how many parts of `size` elements hold `number` elements. The result follows the count only
    /// if `number` is the count itself. The parts of any other number are a constant.
    friend constexpr Counted parts_of(const Counted& number, std::uint32_t size) {
        Counted parts = number;
        parts.value_ = number.value_ / size + (number.value_ % size != 0 ? 1 : 0);
        if (number.scale_ != 1 || number.per_ != 1 || number.offset_ != 0) return parts.value_;
        parts.per_ = size;
        return parts;
    }
    friend constexpr Counted operator*(const Counted& number, std::uint32_t factor) {
        Counted product = number;
        product.value_ *= factor;
        product.scale_ *= factor;
        product.offset_ *= factor;
        return product;
    }
    friend constexpr Counted operator+(const Counted& number, std::uint32_t addend) {
        Counted sum = number;
        sum.value_ += addend;
        sum.offset_ += addend;
        return sum;
    }

    /// The rule as text: `4096`, `count`, `ceil(count / 4096)`, `256 ceil(count / 4096) + 4`, `ceil(count / 8) - 1`.
    std::string rule() const;
    /// The rule as numbers: scale, per and offset. Two rules are equal if and only if their terms are.
    constexpr std::array<std::uint32_t, 3> terms() const { return {scale_, is_constant() ? 1 : per_, offset_}; }

    /// Whether both numbers follow the same rule.
    friend constexpr bool same_rule(const Counted& a, const Counted& b) { return a.terms() == b.terms(); }

    /// Whether a <= b for every count of the range. The answer is exact if one `per` divides the other. Otherwise only
    /// counts near the ends of the range are tested.
    friend bool never_exceeds(const Counted& a, const Counted& b, const CountRange& counts);

  private:
    std::uint32_t value_ = 0;
    std::uint32_t scale_ = 0;
    std::uint32_t per_ = 1;
    std::uint32_t offset_ = 0;
};

}  // namespace glsort
