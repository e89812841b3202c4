#include <glsort/exec/corner_table.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace glsort {
namespace {

constexpr std::size_t corner_floats = 3;
constexpr std::size_t rectangle_floats = 6 * corner_floats;
/// One triangle over the whole viewport, for domains of one rectangle.
constexpr float whole_viewport[]{-1.0f, -1.0f, 0.0f, 3.0f, -1.0f, 0.0f, -1.0f, 3.0f, 0.0f};

/// A rectangle of a domain.
struct DomainRectangle {
    Rectangle texels;
    std::size_t block;  ///< Its number.

    std::uint64_t area() const {
        return std::uint64_t{texels.x1 - texels.x0} * (texels.y1 - texels.y0);
    }
};

/// The largest comes last. A few fragments that begin when all others have begun would add all of their own
/// time: some ops read and compare hundreds of times, one after the other.
std::vector<DomainRectangle> domain_rectangles(const Substream& domain, const StreamLayout& layout) {
    std::vector<DomainRectangle> all;
    for (std::size_t b = 0; b < domain.blocks().size(); ++b) {
        const Block& block = domain.blocks()[b];
        for (const Rectangle& part : rectangles(layout, block.begin, block.end)) all.push_back({part, b});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const DomainRectangle& a, const DomainRectangle& b) { return a.area() < b.area(); });
    return all;
}

/// A viewport from (0, 0) whose sides are powers of two: corners of texels inside it then have
/// exact coordinates.
Rectangle exact_viewport(const std::vector<DomainRectangle>& rectangles) {
    Rectangle viewport{0, 0, 1, 1};
    for (const DomainRectangle& r : rectangles) {
        viewport.x1 = std::max(viewport.x1, std::bit_ceil(r.texels.x1));
        viewport.y1 = std::max(viewport.y1, std::bit_ceil(r.texels.y1));
    }
    return viewport;
}

/// The corners of triangles that cover rectangles in such a viewport.
std::vector<float> triangles_over(const std::vector<DomainRectangle>& rectangles, const Rectangle& viewport,
                                  bool may_clip) {
    std::vector<float> corners;
    for (const auto& [r, block] : rectangles) {
        // Exact: the sides of the viewport are powers of two, the blocks few.
        const auto add = [&, block = block](std::int64_t x, std::int64_t y) {
            corners.push_back(2.0f * static_cast<float>(x) / static_cast<float>(viewport.x1) - 1.0f);
            corners.push_back(2.0f * static_cast<float>(y) / static_cast<float>(viewport.y1) - 1.0f);
            corners.push_back(static_cast<float>(block));
        };
        const std::int64_t x1 = r.x1;
        const std::int64_t y1 = r.y1;
        if (may_clip && r.x0 == 0 && r.y0 == 0) {
            // One triangle, twice as wide and high, of which the viewport leaves the rectangle: where two meet,
            // fragments are shaded for nothing, in a texture of few rows a quarter of them.
            add(x1, y1);
            add(-x1, y1);
            add(x1, -y1);
            continue;
        }
        add(r.x0, r.y0);
        add(x1, r.y0);
        add(r.x0, y1);
        add(r.x0, y1);
        add(x1, r.y0);
        add(x1, y1);
    }
    return corners;
}

/// What blocks have for themselves comes flat from the corners. A driver spoils flat values of triangles that it clips
/// (docs/driver-faults.md).
bool may_clip(const Op& op) { return op.kernel->block_parameters.empty(); }

/// What a domain is drawn with, but for the place of its corners.
struct Cover {
    Triangles triangles;
    std::vector<float> corners;  ///< None: those of the whole viewport.
};

Cover cover_of(const Op& op, const StreamLayout& layout) {
    const std::vector<DomainRectangle> parts = domain_rectangles(op.domain, layout);
    if (parts.size() == 1 && may_clip(op)) return {{parts.front().texels, 0, 3}, {}};
    Cover cover{{exact_viewport(parts), 0, 0}, {}};
    cover.corners = triangles_over(parts, cover.triangles.viewport, may_clip(op));
    cover.triangles.corners = cover.corners.size() / corner_floats;
    return cover;
}

/// Floats that take the corners of such an op for as many elements or fewer.
std::size_t room_for(const Op& op, const Stream& target) {
    const std::vector<Block>& blocks = op.domain.blocks();
    // Other lists may write all that there is of a stream.
    if (blocks.size() == 1 && blocks.front().begin == 0)
        return rectangle_floats * most_rectangles(target.layout, 0, std::max(target.records.value(), blocks.front().end));
    std::size_t rectangles = 0;
    for (const Block& block : blocks) rectangles += most_rectangles(target.layout, block.begin, block.end);
    return rectangle_floats * rectangles;
}

/// The same in any layout. In rows a block has three rectangles at the most.
std::size_t room_in_any_layout(const Op& op) {
    std::size_t rectangles = 0;
    for (const Block& block : op.domain.blocks())
        rectangles += std::max(3u, most_rectangles({Layout::z_order, 1}, block.begin, block.end));
    return rectangle_floats * rectangles;
}

std::vector<std::uint32_t> key_of(const Op& op, const StreamLayout& layout) {
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(layout.kind), layout.width, may_clip(op) ? 1u : 0u};
    for (const Block& block : op.domain.blocks()) key.insert(key.end(), {block.begin, block.end});
    return key;
}

}  // namespace

void CornerTable::clear() {
    floats_.assign(std::begin(whole_viewport), std::end(whole_viewport));
    room_ = floats_.size();
    changed_ = {0, floats_.size()};
    known_.clear();
    counted_.clear();
}

Triangles CornerTable::cover(const Op& op, const Stream& target) {
    Key key = key_of(op, target.layout);
    const auto [known, is_new] = known_.try_emplace(key);
    if (counted_.emplace(op.kernel.get(), std::move(key)).second) room_ += room_for(op, target);
    if (!is_new) return known->second;
    const Cover cover = cover_of(op, target.layout);
    known->second = cover.triangles;
    if (!cover.corners.empty()) {
        known->second.first = floats_.size() / corner_floats;
        put(floats_.size(), cover.corners);
    }
    return known->second;
}

Triangles CornerTable::cover_anew(Place& place, const Op& op, const StreamLayout& layout) {
    if (!place) {
        place = floats_.size() / corner_floats;
        const std::size_t room = room_in_any_layout(op);
        room_ += room;
        floats_.resize(floats_.size() + room);
    }
    Cover cover = cover_of(op, layout);
    if (cover.corners.empty()) return cover.triangles;
    cover.triangles.first = *place;
    put(*place * corner_floats, cover.corners);
    return cover.triangles;
}

CornerTable::Range CornerTable::take_changes() { return std::exchange(changed_, {}); }

void CornerTable::put(std::size_t at, const std::vector<float>& corners) {
    const std::size_t end = at + corners.size();
    floats_.resize(std::max(floats_.size(), end));
    std::copy(corners.begin(), corners.end(), floats_.begin() + static_cast<std::ptrdiff_t>(at));
    changed_ = changed_.begin == changed_.end ? Range{at, end}
                                              : Range{std::min(changed_.begin, at), std::max(changed_.end, end)};
}

}  // namespace glsort
