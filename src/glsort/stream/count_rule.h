#pragma once

#include <glsort/stream/stream.h>

#include <array>
#include <cstdint>

namespace glsort {

/// A rule by which the GPU computes numbers of a program from the count, in the form that shaders read: two vectors of
/// four words (shaders/lib/count_rule.glsl).
struct CountRule {
    /// What the rule gives.
    enum class Kind : std::uint32_t {
        number,  ///< An integer of an op: `scale` times the parts of the count, plus `offset`.
        groups,  ///< The three arguments of a dispatch. The number is the number of instances.
        base,    ///< Where one of the caller's buffers begins. Does not follow the count.
    };
    std::uint32_t word = 0;  ///< The first word that the rule gives.
    Kind kind = Kind::number;
    std::uint32_t extra = 0;  ///< groups: instances of a group. base: the number of the base.
    std::uint32_t scale = 0;
    std::uint32_t per = 1;  ///< Elements of a part, above 0.
    std::uint32_t offset = 0;
    std::uint32_t first_group = 0;  ///< groups: how many groups of the op earlier dispatches run.
    std::uint32_t most_groups = 0;  ///< groups: the max groups of the dispatch.

    std::uint32_t number(std::uint32_t count) const;
    /// The arguments of a dispatch: rows of up to `most_columns` groups. The last row may have more groups than needed.
    std::array<std::uint32_t, 3> groups(std::uint32_t count, std::uint32_t most_columns) const;
};

/// The scale, the elements of a part and the offset of a number, for a rule. Throws `Error` for a number of another
/// form.
std::array<std::uint32_t, 3> terms_of_rule(const Counted& number);

/// Words of a `CountRule`.
inline constexpr std::uint32_t rule_words = 8;
static_assert(sizeof(CountRule) == 4 * rule_words);

/// Words in front of all numbers: {count, 1 if the count was above the capacity, 0, 0}.
inline constexpr std::uint32_t count_status_words = 4;
/// The most buffers of the caller's in a program.
inline constexpr std::uint32_t max_count_bases = 8;

}  // namespace glsort
