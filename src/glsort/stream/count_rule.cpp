#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/stream/count_rule.h>

#include <algorithm>

namespace glsort {

std::uint32_t CountRule::number(std::uint32_t count) const {
    return scale * records_for(count, per) + offset;
}

std::array<std::uint32_t, 3> CountRule::groups(std::uint32_t count, std::uint32_t most_columns) const {
    const std::uint32_t all = count == 0 ? 0 : records_for(number(count), extra);
    const std::uint32_t here = all > first_group ? std::min(all - first_group, most_groups) : 0;
    const std::uint32_t columns = std::min(here, most_columns);
    return {columns, columns == 0 ? 1 : records_for(here, columns), 1};
}

std::array<std::uint32_t, 3> terms_of_rule(const Counted& number) {
    const auto [scale, per, offset, less] = number.terms();
    if (less != 0) throw Error(fmt::format("the GPU does not compute {}", number.rule()));
    return {scale, per, offset};
}

}  // namespace glsort
