#include "digit_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "glossary.h"
#include "page.h"

namespace glsort::demo {
namespace {

/// The rows of a chart.
struct Rows {
    float top = 0.0f;
    float height = 0.0f;
    float y(std::uint32_t value) const { return top + static_cast<float>(value) * height; }
    float thickness() const { return std::max(height - (height > 5 ? 1.0f : 0.0f), 1.0f); }
};
Rows rows_of(float top, float bottom, Digit digit) {
    return {top, (bottom - top) / static_cast<float>(digit.values())};
}

}  // namespace

std::string bits_of(Digit digit) {
    return digit.bits == 1 ? fmt::format("bit {}", digit.shift)
                           : fmt::format("bits {} to {}", digit.shift, digit.shift + digit.bits - 1);
}

Colour digit_colour(std::uint32_t value, Digit digit) {
    return place_colour(value, digit.values());
}

void draw_histogram(Canvas& canvas, Point from, Point to, Digit digit, const DigitTable& table, bool written) {
    const float unit = canvas.unit();
    const Rows rows = rows_of(from.y, to.y, digit);
    canvas.text({from.x, from.y - line_height(canvas)}, "histogram", written ? mark::written : mark::text);
    const float labels = canvas.text_width(fmt::format("{:0{}b}", 0, digit.bits)) + 8 * unit;
    // Without height, there is one label.
    const auto step = static_cast<std::uint32_t>(
        std::clamp(1.2f * canvas.text_height() / rows.height + 0.9f, 1.0f, static_cast<float>(digit.values())));
    for (std::uint32_t value = 0; value < digit.values(); value += std::bit_ceil(step)) {
        const float y = rows.y(value) + (rows.height - canvas.text_height()) / 2;
        canvas.fixed_text({from.x, std::max(y, from.y - 2 * unit)}, fmt::format("{:0{}b}", value, digit.bits),
                          mark::text);
    }
    const float left = from.x + labels;
    const bool numbers = rows.height >= canvas.text_height();
    const std::uint32_t largest = table.counts.empty() ? 1 : std::max(*std::ranges::max_element(table.counts), 1u);
    const float longest = to.x - left - (numbers ? canvas.text_width(fmt::format("{}", largest)) + 10 * unit : 0.0f);
    canvas.outline({left, from.y}, to, written ? mark::written : mark::faint);
    for (std::uint32_t value = 0; value < table.counts.size(); ++value) {
        const float part = static_cast<float>(table.counts[value]) / static_cast<float>(largest);
        canvas.fill({left, rows.y(value)}, {left + part * longest, rows.y(value) + rows.thickness()},
                    digit_colour(value, digit));
        if (!numbers) continue;
        const std::string number = fmt::format("{}", table.counts[value]);
        canvas.text(
            {to.x - canvas.text_width(number) - 4 * unit, rows.y(value) + (rows.height - canvas.text_height()) / 2},
            number, mark::text);
    }
    canvas.tip(from, to, tip_text("histogram"));
}

void draw_dots(Canvas& canvas, Point from, Point to, const Strip& elements, Digit digit,
               const std::function<std::uint32_t(std::uint32_t element)>& value_of) {
    const float unit = canvas.unit();
    const Rows rows = rows_of(from.y, to.y, digit);
    constexpr std::uint32_t max_dots = 8192;
    const std::uint32_t dots = std::min(elements.count, max_dots);
    const float width = std::max(elements.x(1) - elements.x(0), 1.5f * unit);
    for (std::uint32_t i = 0; i < dots; ++i) {
        const std::uint32_t element = spread(i, dots, elements.count);
        const std::uint32_t value = value_of(element);
        canvas.fill({elements.x(element), rows.y(value)},
                    {elements.x(element) + width, rows.y(value) + std::max(rows.thickness(), 1.5f * unit)},
                    digit_colour(value, digit));
    }
    canvas.outline(from, to, mark::faint);
    canvas.tip(from, to, "Each element is a dot in the row of its digit. The histogram counts the dots of a row");
}

void draw_scan(Canvas& canvas, Point from, Point to, const Strip& buckets, Digit digit, const DigitTable& table) {
    const float unit = canvas.unit();
    const Rows rows = rows_of(from.y, to.y, digit);
    canvas.text({from.x, from.y - line_height(canvas)}, "where each bucket begins", mark::written);
    for (std::uint32_t value = 0; value < table.starts.size(); ++value) {
        const std::vector<std::uint32_t>& starts = table.starts[value];
        const float begin = buckets.x(starts.front());
        const float end = buckets.x(starts.front() + table.counts[value]);
        const float y = rows.y(value);
        canvas.fill({begin, y}, {std::max(end, begin + unit), y + rows.thickness()}, digit_colour(value, digit));
        if (rows.height > 8 * unit)
            for (std::size_t partition = 1; partition < starts.size(); ++partition)
                canvas.line({buckets.x(starts[partition]), y}, {buckets.x(starts[partition]), y + rows.thickness()},
                            {0, 0, 0});
        if (digit.values() <= 32 || value % 16 == 0)
            canvas.line({begin, y + rows.thickness()}, {begin, buckets.from.y}, mark::faint);
    }
    canvas.outline(from, to, mark::written);
    canvas.tip(from, to, tip_text("scan"));
}

}  // namespace glsort::demo
