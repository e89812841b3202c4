#include <fmt/format.h>

#include <glsort/stream/stream.h>

#include <algorithm>
#include <bit>

namespace glsort {

CountRange CountRange::cut_behind(std::uint32_t end, std::uint32_t count) const {
    if (count <= end) return {first, std::min(last, end)};
    return {std::max(first, end + 1), last};
}

CountRange between_powers(std::uint32_t count) {
    constexpr std::uint64_t largest = 0xffffffffu;
    const std::uint64_t power = std::uint64_t{1} << std::bit_width(count - 1);
    return {static_cast<std::uint32_t>(power / 2 + 1), static_cast<std::uint32_t>(std::min(power, largest))};
}

std::string Counted::rule() const {
    if (is_constant()) return fmt::format("{}", offset_);
    const std::string rest = less_ == 0 ? "count" : fmt::format("(count - {})", less_);
    const std::string parts = per_ == 1 ? rest : fmt::format("ceil({} / {})", rest, per_);
    std::string scaled = scale_ == 1 ? parts : fmt::format("{} {}", scale_, parts);
    if (offset_ == 0) return scaled;
    // `offset_` is modulo 2^32, so a negative offset is a number close to 2^32.
    const std::uint32_t negative = ~offset_ + 1;
    return negative < offset_ ? fmt::format("{} - {}", scaled, negative) : fmt::format("{} + {}", scaled, offset_);
}

bool wraps_round(const Counted& number, const CountRange& counts) {
    const std::uint64_t first = number.at(counts.first).value();
    return first + number.scale_ * (number.parts(counts.last) - number.parts(counts.first)) > 0xffffffffu;
}

bool never_exceeds(const Counted& a, const Counted& b, const CountRange& counts) {
    if (same_rule(a, b)) return true;
    if (wraps_round(a, counts) || wraps_round(b, counts)) return false;
    const auto holds = [&](std::uint64_t count) {
        if (count < counts.first || count > counts.last) return true;
        return a.at(static_cast<std::uint32_t>(count)) <= b.at(static_cast<std::uint32_t>(count));
    };
    if (!holds(counts.first) || !holds(counts.last)) return false;
    // Numbers never fall, so the ends decide about a constant.
    if (a.is_constant() || b.is_constant()) return true;
    // The first count after which the number has grown `parts` times.
    const auto after = [](const Counted& number, std::uint64_t parts) { return number.less_ + parts * number.per_; };
    // `a - b` is largest just after `a` grows. If the period of `a` divides the period of `b`, the last of these counts
    // before `b` grows decides. From period to period this max changes evenly, so the first and the last period decide.
    if (a.less_ == b.less_ && (a.per_ % b.per_ == 0 || b.per_ % a.per_ == 0)) {
        for (const Counted* number : {&a, &b}) {
            const std::uint64_t low = after(*number, number->parts(counts.first));
            const std::uint64_t parts = number->parts(counts.last);
            const std::uint64_t high = after(*number, parts > 0 ? parts - 1 : 0);
            for (const std::uint64_t count : {low, low + 1, high, high + 1})
                if (!holds(count)) return false;
        }
        return true;
    }
    constexpr std::uint64_t max_tests = 1u << 16;
    if ((counts.last - counts.first) / a.per_ > max_tests) return false;
    for (std::uint64_t parts = a.parts(counts.first); after(a, parts) < counts.last; ++parts)
        if (!holds(after(a, parts) + 1)) return false;
    return true;
}

}  // namespace glsort
