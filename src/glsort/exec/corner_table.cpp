#include <glsort/exec/corner_table.h>
#include <glsort/stream/max_count.h>

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
/// `CornerTable::triangles_of_gpu_count`: the last row, the full rows, and a triangle without texels. Mesa's llvmpipe
/// may draw nothing at all for nine corners (docs/driver-faults.md).
constexpr float counted_corners[]{0, 0, 1, 1,  0, 1, 0, 1,  1, 0, 1, 1, 1, 0, 1, 1, 1, 1,
                                  1, 1, 0, -1, 1, 0, 1, -1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0};
/// `CornerTable::triangles_of_gpu_count_inside`.
constexpr float counted_corners_inside[]{0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1,
                                         0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0};

/// Whether triangles may reach beyond the viewport. Block parameters come as flat values from the corners, and a driver
/// spoils flat values of triangles that it clips (docs/driver-faults.md).
bool may_clip(const Op& op) {
    return op.kernel->block_parameters.empty();
}

/// The number of floats that hold the corners of an op, for this count or any smaller count.
std::size_t room_for(const StreamProgram& program, const Op& op, const Stream& target) {
    const Substream domain = at_max_count(program, op.domain);
    // Merges of other lists may write up to the whole stream.
    if (domain.blocks().size() == 1 && domain.blocks().front().begin == 0)
        return rectangle_floats *
               max_rectangles(target.layout, 0, std::max(at_max_count(program, target.records).value(), domain.end()));
    std::size_t rectangles = 0;
    for (const Block& block : domain.blocks())
        rectangles += max_rectangles(target.layout, block.begin, block.end);
    return rectangle_floats * rectangles;
}

/// The most rectangles of a domain in any layout. Row-wise, a block has at most three.
std::size_t most_rectangles(const Substream& domain) {
    std::size_t rectangles = 0;
    for (const Block& block : domain.blocks())
        rectangles += std::max(3u, max_rectangles({Layout::z_order, 1}, block.begin, block.end));
    return rectangles;
}

std::vector<std::uint32_t> key_of(const Op& op, const StreamLayout& layout) {
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(layout.kind), layout.width, may_clip(op) ? 1u : 0u};
    if (op.domain.follows_count()) {
        // A rule adds an odd number of words to the key, and a list of blocks adds an even number. Keys of the two
        // kinds therefore never agree.
        const auto rule = op.domain.counted_end().terms();
        key.push_back(static_cast<std::uint32_t>(rule.size()));
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
    floats_.insert(floats_.end(), std::begin(counted_corners), std::end(counted_corners));
    floats_.insert(floats_.end(), std::begin(counted_corners_inside), std::end(counted_corners_inside));
    room_ = floats_.size();
    changed_ = {0, floats_.size()};
    covers_.clear();
    known_.clear();
    with_room_.clear();
}

std::size_t CornerTable::cover(const StreamProgram& program, const Op& op) {
    const Stream& target = program.streams[op.writes.front().stream];
    Key key = key_of(op, target.layout);
    const auto [known, is_new] = known_.try_emplace(key, covers_.size());
    // A program with a range of counts has all places that it needs.
    if (!program.counts && with_room_.emplace(op.kernel.get(), std::move(key)).second)
        room_ += room_for(program, op, target);
    if (!is_new) return known->second;
    reserve(most_rectangles(at_max_count(program, op.domain)));
    covers_.push_back({op.domain, target.layout, may_clip(op), floats_.size() / corner_floats});
    if (op.domain.follows_count())
        floats_.resize(floats_.size() +
                       rectangle_floats * max_rectangles(target.layout, 0, at_max_count(program, op.domain).end()));
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
        const std::size_t rectangles = most_rectangles(at_max_count(program, op.domain));
        reserve(rectangles);
        room_ += rectangle_floats * rectangles;
        floats_.resize(floats_.size() + rectangle_floats * rectangles);
    }
    return draw_at(*place, op.domain, layout, may_clip(op));
}

void CornerTable::draw(Cover& cover) {
    cover.triangles = draw_at(cover.place, cover.domain, cover.layout, cover.may_clip);
}

/// Writes the corners of a domain to a place, unless the domain is the whole viewport.
Triangles CornerTable::draw_at(std::size_t place, const Substream& domain, const StreamLayout& layout, bool may_clip) {
    list_parts(domain, layout);
    if (parts_.size() == 1 && may_clip) {
        const Rectangle& texels = parts_.front().texels;
        return {.viewport = {texels}, .box = texels, .first = 0, .corners = 3};
    }
    const Rectangle viewport = exact_viewport();
    add_corners(viewport, may_clip);
    put(place * corner_floats);
    return {.viewport = {viewport}, .box = box(), .first = place, .corners = corners_.size() / corner_floats};
}

void CornerTable::reserve(std::size_t rectangles) {
    rectangles_.reserve(rectangles);
    parts_.reserve(rectangles);
    corners_.reserve(rectangle_floats * rectangles);
}

/// Lists the rectangles of a domain, the largest last. Some ops read and compare hundreds of times in sequence. If a
/// few fragments began after all others, the op would wait for these fragments alone.
void CornerTable::list_parts(const Substream& domain, const StreamLayout& layout) {
    parts_.clear();
    for (std::size_t b = 0; b < domain.blocks().size(); ++b) {
        const Block& block = domain.blocks()[b];
        rectangles_.clear();
        append_rectangles(rectangles_, layout, block.begin, block.end);
        for (const Rectangle& texels : rectangles_) {
            const Part part{texels, b};
            const auto smaller = [](const Part& x, const Part& y) { return x.area() < y.area(); };
            // Parts are few, and std::stable_sort would allocate.
            parts_.insert(std::upper_bound(parts_.begin(), parts_.end(), part, smaller), part);
        }
    }
}

/// A viewport from (0, 0) whose sides are powers of two. Corners of texels then have exact coordinates.
Rectangle CornerTable::exact_viewport() const {
    Rectangle viewport{0, 0, 1, 1};
    for (const Part& part : parts_) {
        viewport.x1 = std::max(viewport.x1, std::bit_ceil(part.texels.x1));
        viewport.y1 = std::max(viewport.y1, std::bit_ceil(part.texels.y1));
    }
    return viewport;
}

Rectangle CornerTable::box() const {
    Rectangle box = parts_.front().texels;
    for (const Part& part : parts_)
        box = {std::min(box.x0, part.texels.x0), std::min(box.y0, part.texels.y0), std::max(box.x1, part.texels.x1),
               std::max(box.y1, part.texels.y1)};
    return box;
}

/// The corners of triangles that cover the parts in such a viewport.
void CornerTable::add_corners(const Rectangle& viewport, bool may_clip) {
    corners_.clear();
    for (const Part& part : parts_) {
        // Exact: the sides of the viewport are powers of two, and the blocks are few.
        const auto add = [&](std::int64_t x, std::int64_t y) {
            corners_.push_back(2.0f * static_cast<float>(x) / static_cast<float>(viewport.x1) - 1.0f);
            corners_.push_back(2.0f * static_cast<float>(y) / static_cast<float>(viewport.y1) - 1.0f);
            corners_.push_back(static_cast<float>(part.block));
        };
        const Rectangle& r = part.texels;
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
}

CornerTable::Range CornerTable::take_changes() {
    return std::exchange(changed_, {});
}

void CornerTable::put(std::size_t at) {
    const std::size_t end = at + corners_.size();
    floats_.resize(std::max(floats_.size(), end));
    std::copy(corners_.begin(), corners_.end(), floats_.begin() + static_cast<std::ptrdiff_t>(at));
    changed_ = changed_.begin == changed_.end ? Range{at, end}
                                              : Range{std::min(changed_.begin, at), std::max(changed_.end, end)};
}

}  // namespace glsort
