#include <fmt/format.h>

#include <glsort/stream/counted.h>

namespace glsort {

std::string Counted::rule() const {
    if (is_constant()) return fmt::format("{}", offset_);
    const std::string parts = per_ == 1 ? "count" : fmt::format("ceil(count / {})", per_);
    const std::string scaled = scale_ == 1 ? parts : fmt::format("{} {}", scale_, parts);
    return offset_ == 0 ? scaled : fmt::format("{} + {}", scaled, offset_);
}

}  // namespace glsort
