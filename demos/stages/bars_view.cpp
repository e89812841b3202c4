#include "bars_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "canvas.h"
#include "elements.h"
#include "places.h"

namespace glsort::demo {

namespace {

// A row of bars: the elements of a stream at a moment.
struct Row {
    StreamId stream = 0;
    const std::vector<std::uint32_t>* words = nullptr;
    std::string title;
    float left = 0.0f;
    float right = 0.0f;
    float top = 0.0f;     // top of the arcs
    float bottom = 0.0f;  // bottom of the bars
    bool arcs = false;
    StreamId target = 0;  // where the op writes what it reads from here
};

float bar_width(const Row& row, std::uint32_t count) {
    return (row.right - row.left) / static_cast<float>(count);
}

float middle_of(const Row& row, std::uint32_t count, std::uint32_t element) {
    return row.left + (static_cast<float>(element) + 0.5f) * bar_width(row, count);
}

// Pairs of compared positions in a row, each once, the smaller position first.
using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

// Positions by the elements' indices in the input. Empty unless the row holds all indices.
std::map<std::uint32_t, std::uint32_t> positions_in(const Moment& moment, const Row& row) {
    std::map<std::uint32_t, std::uint32_t> positions;
    const Stream& stream = moment.program->streams[row.stream];
    const Substream written = (*moment.written)[row.stream];
    for (std::uint32_t i = 0; i < elements_of(stream); ++i) {
        if (!written.contains(i / stream.elements_per_record)) continue;
        const auto index = moment.places->index_of(row.stream, element_words(stream, *row.words, i));
        if (index) positions.try_emplace(*index, i);
    }
    return positions;
}

Pairs compared_in(const Moment& moment, const Row& row, const OpTrace* trace) {
    Pairs pairs;
    if (trace == nullptr) return pairs;
    const std::map<std::uint32_t, std::uint32_t> positions = positions_in(moment, row);
    for (const OpTrace::Comparison& comparison : trace->comparisons) {
        const auto a = moment.places->index_of_record(comparison.a);
        const auto b = moment.places->index_of_record(comparison.b);
        if (!a || !b) continue;
        const auto from = positions.find(*a);
        const auto to = positions.find(*b);
        if (from == positions.end() || to == positions.end() || from->second == to->second) continue;
        pairs.insert(std::minmax(from->second, to->second));
    }
    return pairs;
}

std::string title_of_row(const Moment& moment, StreamId id, StreamPart part) {
    const Stream& stream = moment.program->streams[id];
    std::string title = fmt::format("{}: {}", stream.name, describe(part));
    if ((*moment.written)[id].size() < stream.records) title += "; blank: nothing written yet";
    return title;
}

void draw_bars(const Moment& moment, Canvas& canvas, const Row& row) {
    const Stream& stream = moment.program->streams[row.stream];
    const std::uint32_t count = elements_of(stream);
    const float u = canvas.unit();
    const float width = bar_width(row, count);
    const float gap = width > 6.0f * u ? 2.0f * u : width > 3.0f * u ? u : 0.0f;
    const float base = row.bottom;
    const float arcs = row.arcs ? 0.4f * (row.bottom - row.top) : 0.0f;
    const float full = base - row.top - arcs;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto words = element_words(stream, *row.words, i);
        const auto height = height_of(moment, row.stream, words);
        const float x = row.left + width * static_cast<float>(i);
        if (!height || !(*moment.written)[row.stream].contains(i / stream.elements_per_record)) continue;
        const float top = base - full * (0.04f + 0.96f * *height);
        canvas.fill({x + gap * 0.5f, top}, {x + width - gap * 0.5f, base}, key_colour(*height));
        canvas.tip({x, base - full}, {x + width, base},
                   fmt::format("{}[{}]: place {} of {} in the sorted order", stream.name, i,
                               *moment.places->of(row.stream, words), moment.places->count()));
    }
}

// A band under the bars that marks the records that an op uses.
void draw_band(const Moment& moment, Canvas& canvas, const Row& row, const Substream& records, Colour colour,
               float offset) {
    const Stream& stream = moment.program->streams[row.stream];
    const std::uint32_t count = elements_of(stream);
    const float height = 4.0f * canvas.unit();
    for (const Block& block : records.blocks()) {
        const float from =
            row.left + bar_width(row, count) * static_cast<float>(block.begin * stream.elements_per_record);
        const float to = row.left + bar_width(row, count) * static_cast<float>(block.end * stream.elements_per_record);
        canvas.fill({from, row.bottom + offset}, {to - 1.0f, row.bottom + offset + height}, colour);
    }
}

void draw_arcs(const Moment& moment, Canvas& canvas, const Row& row, const Pairs& pairs) {
    const Stream& stream = moment.program->streams[row.stream];
    const std::uint32_t count = elements_of(stream);
    const float u = canvas.unit();
    const float base = row.top + 0.4f * (row.bottom - row.top) - 4.0f * u;
    const float room = base - row.top;
    std::uint32_t longest = 1;
    for (const auto& [a, b] : pairs)
        longest = std::max(longest, b - a);
    // Many arcs form one cloud, whose density says more than its lines.
    const float strength = std::clamp(std::sqrt(200.0f / static_cast<float>(pairs.size())), 0.2f, 1.0f);
    const auto towards = [strength](std::uint8_t colour, float background) {
        return static_cast<std::uint8_t>(background + strength * (static_cast<float>(colour) - background));
    };
    const Colour compared{towards(mark::faint.red, 23.0f), towards(mark::faint.green, 26.0f),
                          towards(mark::faint.blue, 31.0f)};
    std::vector<std::array<Point, 3>> above;  // arcs of exchanged keys are drawn on top
    for (const auto& [a, b] : pairs) {
        const float from = middle_of(row, count, a);
        const float to = middle_of(row, count, b);
        const float part = static_cast<float>(b - a) / static_cast<float>(longest);
        // Short arcs stay flat, however much room there is.
        const float rise = std::min(room * std::sqrt(part), 0.75f * (to - from) + 12.0f * u);
        // A curve rises half as high as its control point.
        const Point control{0.5f * (from + to), base - 2.0f * rise};
        if (has_exchanged(moment, row.stream, row.target, a, b))
            above.push_back({Point{from, base}, control, Point{to, base}});
        else
            canvas.curve({from, base}, control, {to, base}, compared);
    }
    for (const auto& [from, control, to] : above)
        canvas.curve(from, control, to, mark::exchanged, 2.0f);
}

void draw_row(const Moment& moment, Canvas& canvas, const Row& row, const OpTrace* trace) {
    canvas.text({row.left, row.top - canvas.text_height() - 4.0f * canvas.unit()}, row.title, mark::text);
    draw_bars(moment, canvas, row);
    if (row.arcs) draw_arcs(moment, canvas, row, compared_in(moment, row, trace));
}

}  // namespace

std::string BarsView::explanation() const {
    return "Each bar is an element of a stream: its height and colour are the place of its key in the sorted order. "
           "Arcs join elements that the last op compared. Vermilion arcs: their keys were exchanged.";
}

std::string BarsView::caption() const {
    return "Across: places of a stream. Height and colour: places in sorted order.";
}

std::vector<LegendMark> BarsView::marks(const Moment& moment) const {
    if (moment.last_op() == nullptr) return {};
    if (moment.last_trace == nullptr || moment.last_trace->comparisons.empty())
        return {LegendMark::read, LegendMark::written};
    return {LegendMark::read, LegendMark::written, LegendMark::exchanged, LegendMark::compared};
}

void BarsView::draw(const Moment& moment, Canvas& canvas) const {
    const float u = canvas.unit();
    const StreamId shown = key_stream(moment);
    const float title = canvas.text_height() + 8.0f * u;
    const Substream read = read_records(moment, shown);
    const std::optional<StreamId> source = source_of(moment, shown);
    Row row{shown, &(*moment.streams)[shown], {}, 12.0f * u, canvas.width() - 12.0f * u, title, 0.0f, true, shown};
    row.bottom = canvas.height() - 20.0f * u;
    row.title = title_of_row(moment, shown, part_in_op(moment, shown));
    if (source) {
        Row above{*source, &words_before(moment, *source), {}, row.left, row.right, title, 0.0f, true, shown};
        above.arcs = moment.last_trace != nullptr && !moment.last_trace->comparisons.empty();
        above.bottom = 0.5f * canvas.height() - 16.0f * u;
        above.title = title_of_row(moment, *source, StreamPart::read);
        draw_row(moment, canvas, above, moment.last_trace);
        draw_band(moment, canvas, above, read_records(moment, *source), mark::read, 3.0f * u);
        row.top = 0.5f * canvas.height() + title;
        row.arcs = false;
    }
    draw_row(moment, canvas, row, moment.last_trace);
    draw_band(moment, canvas, row, read, mark::read, 3.0f * u);
    draw_band(moment, canvas, row, written_records(moment, shown), mark::written, 8.0f * u);
}

}  // namespace glsort::demo
