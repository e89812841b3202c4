#pragma once

#include <glsort/stream/program.h>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace glsort {

/// The triangles that cover the domain of an op.
struct Triangles {
    Rectangle viewport;       ///< In texels.
    std::size_t first = 0;    ///< Number of the first corner.
    std::size_t corners = 0;  ///< Three for each triangle.
};

/// The corners of the triangles that all ops of a program are drawn with: x, y, and the number of the block, three
/// floats each. Where corners of texels are, x and y are exact.
///
/// A device's buffer for them has `room` floats. That is a bound for all counts: the program of fewer elements, or of
/// other lists, needs no more room than that of the most. In Z-order an odd count has more rectangles than a power of
/// two, and `room` reckons with the worst count for each block. The bound takes for granted what is so for all
/// planners (tests/exec_cpu/any_count_test.cpp): fewer elements have fewer or the same ops, of fewer or the same
/// blocks, which are not longer; and where ops of one kernel have one domain, they have one for any count.
///
/// A domain that follows the count has a place with room for all counts of its program: so another count changes
/// floats, and no place.
class CornerTable {
  public:
    /// The first corner of a domain that has a place of its own.
    using Place = std::optional<std::size_t>;

    /// A part of `floats`.
    struct Range {
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    CornerTable() { clear(); }

    /// Forgets all domains.
    void clear();

    /// The number of the triangles over the domain of an op of `program`, which draws to a stream of the library's. Ops
    /// with the same domain share them. Unless blocks have parameters, triangles may reach beyond the viewport.
    std::size_t cover(const StreamProgram& program, const Op& op);
    const Triangles& triangles(std::size_t cover) const { return covers_[cover].triangles; }
    /// Makes all of those the triangles of another count of their program. Cost: linear in the domains that follow the
    /// count.
    void set_count(std::uint32_t count);

    /// The same as `cover` for a texture of the caller's, whose layout may be another next time: at `place`, or at the
    /// end where that is empty. The place has room for any layout, and for all counts.
    Triangles cover_anew(Place& place, const StreamProgram& program, const Op& op, const StreamLayout& layout);

    const std::vector<float>& floats() const { return floats_; }
    /// At least the floats that there are.
    std::size_t room() const { return room_; }
    /// What has changed since the last call.
    Range take_changes();

  private:
    /// A domain, and what it is drawn with.
    struct Cover {
        Substream domain;
        StreamLayout layout;
        bool may_clip = true;
        std::size_t place = 0;  ///< The number of its first corner.
        Triangles triangles = {};
    };

    void draw(Cover& cover);
    void put(std::size_t at, const std::vector<float>& corners);

    std::vector<float> floats_;
    std::size_t room_ = 0;
    Range changed_;
    std::vector<Cover> covers_;
    using Key = std::vector<std::uint32_t>;            ///< Layout, clipping, and blocks or their rule.
    std::map<Key, std::size_t> known_;                 ///< Numbers of covers.
    std::set<std::pair<const Kernel*, Key>> counted_;  ///< In `room_`.
};

}  // namespace glsort
