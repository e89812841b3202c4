#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace glsort {

/// Counts `first` to `last`.
struct CountRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool contains(std::uint32_t count) const { return first <= count && count <= last; }
    /// The part that has `count`, where something changes behind `end`.
    CountRange cut_behind(std::uint32_t end, std::uint32_t count) const;
};

/// The counts with the same ceil(log2 count) as `count`, which is above 0.
CountRange between_powers(std::uint32_t count);

/// A number of a program: a constant, or one that follows the count of elements by the rule
/// scale * ceil(count / per) + offset, modulo 2^32. It also has a value, which is that for the count of its program.
class Counted {
  public:
    /// A constant.
    constexpr Counted(std::uint32_t constant = 0) : value_(constant), offset_(constant) {}
    /// The count itself, which is `count` now.
    static constexpr Counted count(std::uint32_t count) {
        Counted number(count);
        number.scale_ = 1;
        number.offset_ = 0;
        return number;
    }

    constexpr operator std::uint32_t() const { return value_; }
    constexpr std::uint32_t value() const { return value_; }
    constexpr bool is_constant() const { return scale_ == 0; }

    /// The same rule for another count.
    constexpr Counted at(std::uint32_t count) const {
        Counted number = *this;
        const std::uint64_t parts = count / per_ + (count % per_ != 0 ? 1 : 0);
        number.value_ = static_cast<std::uint32_t>(scale_ * parts + offset_);
        return number;
    }

    /// As many as it takes where each has so many: ceil(number / size). Rules are kept of the count itself; what has
    /// been calculated with becomes a constant.
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

    /// `4096`, `count`, `ceil(count / 4096)`, `256 ceil(count / 4096) + 4`, `ceil(count / 8) - 1`.
    std::string rule() const;
    /// The same as numbers: scale, per and offset; different ones for different rules.
    constexpr std::array<std::uint32_t, 3> terms() const { return {scale_, is_constant() ? 1 : per_, offset_}; }

    /// Whether they follow the same rule.
    friend constexpr bool same_rule(const Counted& a, const Counted& b) { return a.terms() == b.terms(); }

    /// Whether a is at most b for every one of the counts. Certain where one of the two `per` divides the other; else
    /// counts near the ends are looked at.
    friend bool never_exceeds(const Counted& a, const Counted& b, const CountRange& counts);

  private:
    std::uint32_t value_ = 0;
    std::uint32_t scale_ = 0;
    std::uint32_t per_ = 1;
    std::uint32_t offset_ = 0;
};

}  // namespace glsort
