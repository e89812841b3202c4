#include "strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "page.h"

namespace glsort::demo {
namespace {

constexpr Colour ground{34, 37, 42};

}  // namespace

Colour place_colour(std::uint32_t place, std::uint32_t n) {
    return key_colour(n > 1 ? static_cast<float>(place) / static_cast<float>(n - 1) : 1.0f);
}

BarOf key_bars(std::uint32_t n, PlaceOf place_of) {
    return key_bars(n, {0, n}, std::move(place_of));
}

BarOf key_bars(std::uint32_t n, Block among, PlaceOf place_of) {
    return [n, among, place_of = std::move(place_of)](std::uint32_t element) -> std::optional<Bar> {
        // Even the smallest key must be visible.
        constexpr float min_height = 0.06f;
        const std::optional<std::uint32_t> place = place_of(element);
        if (!place) return std::nullopt;
        const float height = (static_cast<float>(*place) + 1 - static_cast<float>(among.begin)) /
                             static_cast<float>(among.end - among.begin);
        return Bar{min_height + (1.0f - min_height) * std::clamp(height, 0.0f, 1.0f), place_colour(*place, n)};
    };
}

BarOf key_cells(std::uint32_t n, PlaceOf place_of) {
    return [n, place_of = std::move(place_of)](std::uint32_t element) -> std::optional<Bar> {
        const std::optional<std::uint32_t> place = place_of(element);
        if (!place) return std::nullopt;
        return Bar{1.0f, place_colour(*place, n)};
    };
}

void draw_strip(Canvas& canvas, const Strip& strip, const BarOf& bar_of) {
    canvas.fill(strip.from, strip.to, ground);
    const float width = strip.to.x - strip.from.x;
    const auto columns = std::min(strip.count, static_cast<std::uint32_t>(std::max(width, 1.0f)));
    const float column = width / static_cast<float>(std::max(columns, 1u));
    const float gap = column >= 4 * canvas.unit() ? canvas.unit() : 0.0f;
    for (std::uint32_t i = 0; i < columns; ++i) {
        const auto element = static_cast<std::uint32_t>((2 * std::uint64_t{i} + 1) * strip.count / (2 * columns));
        const std::optional<Bar> bar = bar_of(strip.first + element);
        if (!bar) continue;
        const float left = strip.from.x + static_cast<float>(i) * column;
        const float top = strip.to.y - bar->height * (strip.to.y - strip.from.y);
        canvas.fill({left, top}, {left + column - gap, strip.to.y}, bar->colour);
    }
}

void draw_starts(Canvas& canvas, const Strip& strip, std::span<const std::uint32_t> starts, Colour colour) {
    // A narrow pane may leave a strip no width. No distance of lines would be enough there.
    if (strip.to.x <= strip.from.x) return;
    const float over = 3 * canvas.unit();
    const float min_distance = 8 * canvas.unit();
    std::size_t drawn = 0;
    for (const std::uint32_t start : starts)
        drawn += start >= strip.first && start <= strip.first + strip.count ? 1 : 0;
    std::size_t step = 1;
    while ((strip.to.x - strip.from.x) * static_cast<float>(step) < min_distance * static_cast<float>(drawn))
        step *= 2;
    for (std::size_t i = 0; i < starts.size(); i += step) {
        if (starts[i] < strip.first || starts[i] > strip.first + strip.count) continue;
        const float x = strip.x(starts[i]);
        canvas.line({x, strip.from.y - over}, {x, strip.to.y + over}, colour);
    }
}

std::uint32_t spread(std::uint32_t i, std::uint32_t number, std::uint32_t count) {
    const auto begin = static_cast<std::uint32_t>(std::uint64_t{i} * count / number);
    const auto end = static_cast<std::uint32_t>((std::uint64_t{i} + 1) * count / number);
    return begin + (i * 0x9e3779b9u >> 8) % std::max(end - begin, 1u);
}

void draw_flights(Canvas& canvas, const Strip& before, const Strip& after,
                  const std::function<std::uint32_t(std::uint32_t element)>& origin,
                  const std::function<Colour(std::uint32_t element)>& colour) {
    // More lines would hide each other.
    constexpr std::uint32_t max_lines = 640;
    const std::uint32_t lines = std::min(after.count, max_lines);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> flights;
    for (std::uint32_t i = 0; i < lines; ++i) {
        const std::uint32_t element = after.first + spread(i, lines, after.count);
        const std::uint32_t from = origin(element);
        // If only some elements are shown, others may come from elsewhere.
        if (from >= before.first && from < before.first + before.count) flights.emplace_back(from, element);
    }
    // Ordered by where they begin, so that no colour covers all others where lines end.
    std::ranges::sort(flights);
    for (const auto& [from, to] : flights)
        canvas.line({before.middle(from), before.to.y}, {after.middle(to), after.from.y}, colour(to));
}

std::vector<std::uint32_t> multiples(std::uint32_t length, std::uint32_t end) {
    std::vector<std::uint32_t> starts;
    for (std::uint64_t start = 0; start < end; start += length)
        starts.push_back(static_cast<std::uint32_t>(start));
    return starts;
}

std::vector<std::uint32_t> parts_of(std::uint32_t length, std::uint32_t count) {
    std::vector<std::uint32_t> bounds = multiples(length, count);
    bounds.push_back(count);
    return bounds;
}

std::size_t draw_choice(Canvas& canvas, float left, float& top, std::span<const std::uint32_t> bounds,
                        std::string_view part_name, const BarOf& bar_of) {
    if (bounds.size() < 3) return 0;
    const float unit = canvas.unit();
    const std::uint32_t first = bounds.front();
    const Strip all{{left, top + 3 * unit}, {right_edge(canvas), top + 25 * unit}, first, bounds.back() - first};
    const Point cursor = canvas.cursor();
    std::size_t part = (bounds.size() - 2) / 2;
    if (cursor.y >= all.from.y && cursor.y < all.to.y && cursor.x >= all.from.x && cursor.x < all.to.x) {
        part = 0;
        while (part + 2 < bounds.size() && cursor.x >= all.x(bounds[part + 1]))
            ++part;
    }
    draw_strip(canvas, all, bar_of);
    draw_starts(canvas, all, bounds, mark::text);
    canvas.outline({all.x(bounds[part]), all.from.y - 2 * unit}, {all.x(bounds[part + 1]), all.to.y + 2 * unit},
                   mark::other, 2);
    canvas.tip(all.from, all.to, "All elements. The part under the cursor is shown below");
    canvas.text({all.from.x, all.to.y + 4 * unit},
                fmt::format("{} {} of {}, {} elements from {} on:", part_name, part + 1, bounds.size() - 1,
                            bounds[part + 1] - bounds[part], bounds[part]),
                mark::other);
    top = all.to.y + 8 * unit + line_height(canvas);
    return part;
}

}  // namespace glsort::demo
