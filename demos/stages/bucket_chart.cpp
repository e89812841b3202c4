#include "bucket_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "glossary.h"
#include "page.h"
#include "strip.h"

namespace glsort::demo {

void draw_buckets(Canvas& canvas, Point from, Point to, const BucketChart& chart) {
    const std::uint32_t n = chart.bounds.back();
    const auto size = [&](std::uint32_t bucket) { return chart.bounds[bucket + 1] - chart.bounds[bucket]; };
    std::uint32_t largest = 0;
    for (std::uint32_t i = chart.first; i < chart.first + chart.count; ++i)
        largest = std::max(largest, size(i));
    const float highest = 1.12f * static_cast<float>(std::max(largest, chart.bound));
    const Strip strip{{from.x, from.y + line_height(canvas)}, to, chart.first, chart.count};
    draw_strip(canvas, strip, [&](std::uint32_t bucket) -> std::optional<Bar> {
        const Colour colour =
            size(bucket) > chart.bound ? mark::exchanged : place_colour(std::min(chart.bounds[bucket], n - 1), n);
        return Bar{static_cast<float>(size(bucket)) / highest, colour};
    });
    const float y = to.y - static_cast<float>(chart.bound) / highest * (to.y - strip.from.y);
    canvas.line({from.x, y}, {to.x, y}, mark::other, 2);

    const std::string title = fmt::format("the elements of {} buckets; the largest has {}", chart.count, largest);
    const std::string bound = fmt::format("{} = {}", chart.name, chart.bound);
    const std::string more = fmt::format("{}{}", bound, chart.about);
    const bool fits = canvas.text_width(title + more) + 20 * canvas.unit() < to.x - from.x;
    const std::string& shown = fits ? more : bound;
    canvas.text(from, title, chart.written ? mark::written : mark::text);
    canvas.text({to.x - canvas.text_width(shown), from.y}, shown, mark::other);
    canvas.tip(strip.from, strip.to, tip_text("bucket"));
}

}  // namespace glsort::demo
