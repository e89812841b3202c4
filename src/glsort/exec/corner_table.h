#pragma once

#include <glsort/stream/program.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace glsort {

struct Viewport {
    Rectangle texels = {};
    bool mirrored = false;  ///< Whether the viewport reaches from (-x1, -y1) to (x1, y1) of `texels`.
    friend bool operator==(const Viewport&, const Viewport&) = default;
};

/// The triangles that cover the domain of an op.
struct Triangles {
    Viewport viewport = {};
    Rectangle box = {};       ///< The texels of the domain lie in this box.
    std::size_t first = 0;    ///< The number of the first corner.
    std::size_t corners = 0;  ///< Three for each triangle.
};

/// The corners of the triangles that all ops of a program draw: three floats each, x, y, and the number of the block. x
/// and y are exact.
///
/// The buffer for the corners has `room` floats. `room` is a bound for all counts of the program. Programs of other
/// ranges of counts have buffers of their own. A merge of lists has no range of counts (`StreamProgram::counts`).
/// `room` is then a bound for all counts and lists: a program of fewer elements, or of other lists, needs no more. In
/// Z-order an odd count has more rectangles than a power of two. `room` then assumes the worst count for each block.
/// The bound relies on two properties of all planners (tests/exec_cpu/any_count_test.cpp). Fewer elements never have
/// more ops, more blocks or longer blocks. If ops of one kernel share a domain for one count, the ops share a domain
/// for every count.
///
/// A domain that follows the count has a place with room for all counts of its program. Another count then changes
/// floats, but no place.
class CornerTable {
  public:
    /// The first corner of a domain that has a place of its own. Empty: no place yet.
    using Place = std::optional<std::size_t>;

    /// A range of `floats`.
    struct Range {
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    CornerTable() { clear(); }

    /// For a domain that only the GPU knows: the last row as two triangles, and the full rows as one. x and y count in
    /// sides of the rectangle, from its lower left corner. The third number is 1 for the last row, and 0 for the full
    /// rows. The triangle of the full rows contains the rectangle, and reaches to negative coordinates. In a mirrored
    /// viewport no driver clips the triangle. Some drivers spoil the flat values of triangles that they clip
    /// (docs/driver-faults.md).
    static constexpr Triangles triangles_of_gpu_count{.viewport = {.mirrored = true}, .first = 3, .corners = 12};
    /// As `triangles_of_gpu_count`, for a viewport that is not mirrored: the full rows are two triangles. Fragments on
    /// their common edge are shaded twice. In a texture of few rows these are a quarter of all fragments.
    static constexpr Triangles triangles_of_gpu_count_inside{.first = 15, .corners = 12};

    /// Removes all domains.
    void clear();

    /// Returns the number of the cover for an op of `program` that draws to a scratch stream. Ops with equal domains
    /// share a cover. Triangles may reach beyond the viewport unless blocks have parameters.
    std::size_t cover(const StreamProgram& program, const Op& op);
    const Triangles& triangles(std::size_t cover) const { return covers_[cover].triangles; }
    /// Updates all covers for another count of the program. Cost: linear in the domains that follow the count.
    void set_count(std::uint32_t count);

    /// The triangles for an op that draws to a caller's texture, whose layout may change between calls. The corners go
    /// to `place`, or to the end if `place` is empty. The place has room for any layout and all counts.
    Triangles cover_anew(Place& place, const StreamProgram& program, const Op& op, const StreamLayout& layout);

    const std::vector<float>& floats() const { return floats_; }
    /// At least the number of floats in `floats`.
    std::size_t room() const { return std::max(room_, floats_.size()); }
    /// The range of `floats` that has changed since the last call.
    Range take_changes();

  private:
    /// A rectangle of a domain.
    struct Part {
        Rectangle texels;
        std::size_t block = 0;  ///< The number of the rectangle's block.

        std::uint64_t area() const { return std::uint64_t{texels.x1 - texels.x0} * (texels.y1 - texels.y0); }
    };

    /// A domain and its triangles.
    struct Cover {
        Substream domain;
        StreamLayout layout;
        bool may_clip = true;
        std::size_t place = 0;  ///< The number of the first corner.
        Triangles triangles = {};
    };

    void draw(Cover& cover);
    Triangles draw_at(std::size_t place, const Substream& domain, const StreamLayout& layout, bool may_clip);
    void reserve(std::size_t rectangles);
    void list_parts(const Substream& domain, const StreamLayout& layout);
    Rectangle exact_viewport() const;
    Rectangle box() const;
    void add_corners(const Rectangle& viewport, bool may_clip);
    void put(std::size_t at);

    std::vector<float> floats_;
    std::size_t room_ = 0;
    Range changed_;
    std::vector<Cover> covers_;
    // Of the domain that is drawn. They have room for all domains, so that another count allocates nothing.
    std::vector<Rectangle> rectangles_;  ///< Of one block.
    std::vector<Part> parts_;
    std::vector<float> corners_;
    using Key = std::vector<std::uint32_t>;              ///< Layout, clipping, and the blocks or their rule.
    std::map<Key, std::size_t> known_;                   ///< Numbers of covers.
    std::set<std::pair<const Kernel*, Key>> with_room_;  ///< The domains that `room_` includes.
};

}  // namespace glsort
