#include <glsort/exec/corner_table.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace glsort {
namespace {

constexpr std::size_t corner_floats = 3;
constexpr std::size_t rectangle_floats = 6 * corner_floats;
/// One triangle over the whole viewport, for a domain that is one rectangle.
constexpr float whole_viewport[]{-1.0f, -1.0f, 0.0f, 3.0f, -1.0f, 0.0f, -1.0f, 3.0f, 0.0f};
/// `CornerTable::counted`.
constexpr float counted_rectangles[]{0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1,
                                     0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0};

/// A rectangle of a domain.
struct DomainRectangle {
    Rectangle texels;
    std::size_t block;  ///< The number of the rectangle's block.

    std::uint64_t area() const { return std::uint64_t{texels.x1 - texels.x0} * (texels.y1 - texels.y0); }
};

/// The rectangles of a domain, the largest last. Some ops read and compare hundreds of times in sequence. If a few
/// fragments began after all others, the op would wait for these fragments alone.
std::vector<DomainRectangle> domain_rectangles(const Substream& domain, const StreamLayout& layout) {
    std::vector<DomainRectangle> all;
    for (std::size_t b = 0; b < domain.blocks().size(); ++b) {
        const Block& block = domain.blocks()[b];
        for (const Rectangle& part : rectangles(layout, block.begin, block.end))
            all.push_back({part, b});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const DomainRectangle& a, const DomainRectangle& b) { return a.area() < b.area(); });
    return all;
}

/// A viewport from (0, 0) whose sides are powers of two. Corners of texels then have exact coordinates.
Rectangle exact_viewport(const std::vector<DomainRectangle>& rectangles) {
    Rectangle viewport{0, 0, 1, 1};
    for (const DomainRectangle& r : rectangles) {
        viewport.x1 = std::max(viewport.x1, std::bit_ceil(r.texels.x1));
        viewport.y1 = std::max(viewport.y1, std::bit_ceil(r.texels.y1));
    }
    return viewport;
}

Rectangle box_around(const std::vector<DomainRectangle>& rectangles) {
    Rectangle box = rectangles.front().texels;
    for (const DomainRectangle& r : rectangles)
        box = {std::min(box.x0, r.texels.x0), std::min(box.y0, r.texels.y0), std::max(box.x1, r.texels.x1),
               std::max(box.y1, r.texels.y1)};
    return box;
}

/// The corners of triangles that cover the rectangles in such a viewport.
std::vector<float> triangles_over(const std::vector<DomainRectangle>& rectangles, const Rectangle& viewport,
                                  bool may_clip) {
    std::vector<float> corners;
    for (const auto& [r, block] : rectangles) {
        // Exact: the sides of the viewport are powers of two, and the blocks are few.
        const auto add = [&, block = block](std::int64_t x, std::int64_t y) {
            corners.push_back(2.0f * static_cast<float>(x) / static_cast<float>(viewport.x1) - 1.0f);
            corners.push_back(2.0f * static_cast<float>(y) / static_cast<float>(viewport.y1) - 1.0f);
            corners.push_back(static_cast<float>(block));
        };
        const std::int64_t x1 = r.x1;
        const std::int64_t y1 = r.y1;
        if (may_clip && r.x0 == 0 && r.y0 == 0) {
            // One triangle, twice as wide and high as the rectangle; the viewport clips it. Two triangles would shade
            // extra fragments along their common edge: a quarter of all fragments in a texture of few rows.
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

/// Whether triangles may reach beyond the viewport. Block parameters come as flat values from the corners, and a driver
/// spoils flat values of triangles that it clips (docs/driver-faults.md).
bool may_clip(const Op& op) {
    return op.kernel->block_parameters.empty();
}

/// The triangles and corners of a domain. `triangles.first` is not set.
struct Drawing {
    Triangles triangles;
    std::vector<float> corners;  ///< Empty: the corners of the whole viewport.
};

Drawing drawing_of(const Substream& domain, const StreamLayout& layout, bool may_clip) {
    const std::vector<DomainRectangle> parts = domain_rectangles(domain, layout);
    if (parts.size() == 1 && may_clip) return {{parts.front().texels, parts.front().texels, 0, 3}, {}};
    Drawing drawing{{exact_viewport(parts), box_around(parts), 0, 0}, {}};
    drawing.corners = triangles_over(parts, drawing.triangles.viewport, may_clip);
    drawing.triangles.corners = drawing.corners.size() / corner_floats;
    return drawing;
}

/// The max of a number over all counts of the program.
std::uint32_t max_of(const StreamProgram& program, const Counted& number) {
    return program.counts ? number.at(program.counts->last).value() : number.value();
}
Substream max_of(const StreamProgram& program, const Substream& records) {
    return program.counts ? records.at(program.counts->last) : records;
}

/// The number of floats that hold the corners of an op, for this count or any smaller count.
std::size_t room_for(const StreamProgram& program, const Op& op, const Stream& target) {
    const Substream domain = max_of(program, op.domain);
    // Merges of other lists may write up to the whole stream.
    if (domain.blocks().size() == 1 && domain.blocks().front().begin == 0)
        return rectangle_floats *
               max_rectangles(target.layout, 0, std::max(max_of(program, target.records), domain.end()));
    std::size_t rectangles = 0;
    for (const Block& block : domain.blocks())
        rectangles += max_rectangles(target.layout, block.begin, block.end);
    return rectangle_floats * rectangles;
}

/// The number of floats that hold the corners in any layout. Row-wise, a block has at most three rectangles.
std::size_t room_in_any_layout(const Substream& domain) {
    std::size_t rectangles = 0;
    for (const Block& block : domain.blocks())
        rectangles += std::max(3u, max_rectangles({Layout::z_order, 1}, block.begin, block.end));
    return rectangle_floats * rectangles;
}

std::vector<std::uint32_t> key_of(const Op& op, const StreamLayout& layout) {
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(layout.kind), layout.width, may_clip(op) ? 1u : 0u};
    if (op.domain.follows_count()) {
        // The key gets an odd number of words more, unlike the key of a list of blocks.
        const auto rule = op.domain.counted_end().terms();
        key.insert(key.end(), rule.begin(), rule.end());
        return key;
    }
    for (const Block& block : op.domain.blocks())
        key.insert(key.end(), {block.begin, block.end});
    return key;
}

}  // namespace

void CornerTable::clear() {
    floats_.assign(std::begin(whole_viewport), std::end(whole_viewport));
    floats_.insert(floats_.end(), std::begin(counted_rectangles), std::end(counted_rectangles));
    room_ = floats_.size();
    changed_ = {0, floats_.size()};
    covers_.clear();
    known_.clear();
    counted_.clear();
}

std::size_t CornerTable::cover(const StreamProgram& program, const Op& op) {
    const Stream& target = program.streams[op.writes.front().stream];
    Key key = key_of(op, target.layout);
    const auto [known, is_new] = known_.try_emplace(key, covers_.size());
    if (counted_.emplace(op.kernel.get(), std::move(key)).second) room_ += room_for(program, op, target);
    if (!is_new) return known->second;
    covers_.push_back({op.domain, target.layout, may_clip(op), floats_.size() / corner_floats});
    if (op.domain.follows_count())
        floats_.resize(floats_.size() +
                       rectangle_floats * max_rectangles(target.layout, 0, max_of(program, op.domain).end()));
    draw(covers_.back());
    return known->second;
}

void CornerTable::set_count(std::uint32_t count) {
    for (Cover& cover : covers_) {
        if (!cover.domain.follows_count()) continue;
        cover.domain.set_count(count);
        draw(cover);
    }
}

Triangles CornerTable::cover_anew(Place& place, const StreamProgram& program, const Op& op,
                                  const StreamLayout& layout) {
    if (!place) {
        place = floats_.size() / corner_floats;
        const std::size_t room = room_in_any_layout(max_of(program, op.domain));
        room_ += room;
        floats_.resize(floats_.size() + room);
    }
    Drawing drawing = drawing_of(op.domain, layout, may_clip(op));
    if (drawing.corners.empty()) return drawing.triangles;
    drawing.triangles.first = *place;
    put(*place * corner_floats, drawing.corners);
    return drawing.triangles;
}

/// Writes the corners of a cover to its place.
void CornerTable::draw(Cover& cover) {
    const Drawing drawing = drawing_of(cover.domain, cover.layout, cover.may_clip);
    cover.triangles = drawing.triangles;
    if (drawing.corners.empty()) return;
    cover.triangles.first = cover.place;
    put(cover.place * corner_floats, drawing.corners);
}

CornerTable::Range CornerTable::take_changes() {
    return std::exchange(changed_, {});
}

void CornerTable::put(std::size_t at, const std::vector<float>& corners) {
    const std::size_t end = at + corners.size();
    floats_.resize(std::max(floats_.size(), end));
    std::copy(corners.begin(), corners.end(), floats_.begin() + static_cast<std::ptrdiff_t>(at));
    changed_ = changed_.begin == changed_.end ? Range{at, end}
                                              : Range{std::min(changed_.begin, at), std::max(changed_.end, end)};
}

}  // namespace glsort
