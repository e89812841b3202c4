#include "texture_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "canvas.h"
#include "elements.h"
#include "places.h"
#include "stream_picture.h"

namespace glsort::demo {

namespace {

// A rectangle of a view.
struct Area {
    float left = 0.0f, top = 0.0f, right = 0.0f, bottom = 0.0f;
    float width() const { return right - left; }
    float height() const { return bottom - top; }
};

// Which content of a stream is shown: before or after the last op.
enum class Side { before, after };

// Two lines: how a stream lies in memory, and what a cell of its picture is.
std::array<std::string, 2> shape_of(const Moment& moment, StreamId id, const StreamGrid& grid) {
    const Stream& stream = moment.program->streams[id];
    const bool texture = stream.medium == Medium::texture;
    const bool keys = moment.places->holds_keys(id);
    const std::string lies =
        texture ? fmt::format("texture {}x{}, {}", grid.box.x1, grid.box.y1, to_string(stream.layout.kind))
                : fmt::format("buffer, in rows of {}", grid.width());
    const char* where = texture ? "texel" : "record";
    if (keys && stream.elements_per_record == 1) return {lies, fmt::format("one key per {}", where)};
    if (keys) return {lies, fmt::format("{} keys per {}", stream.elements_per_record, where)};
    if (grid.cells == 1) return {lies, fmt::format("one number per {}", where)};
    return {lies, fmt::format("{} numbers per {}", grid.cells, where)};
}

std::string tip_of(const Moment& moment, StreamId id, const std::vector<std::uint32_t>& words, const StreamGrid& grid,
                   const StreamGrid::Cell& cell) {
    const Stream& stream = moment.program->streams[id];
    const bool keys = moment.places->holds_keys(id);
    const std::uint32_t element =
        cell.record * stream.elements_per_record + (keys ? cell.cell : cell.cell / stream.words);
    std::string text = fmt::format("{}[{}]", stream.name, element);
    if (stream.medium == Medium::texture) {
        const Texel texel = texel_of(grid.layout, cell.record);
        text += fmt::format(", record {} at texel ({}, {})", cell.record, texel.x, texel.y);
    }
    if (!(*moment.written)[id].contains(cell.record)) return text + "\nnothing written here yet";
    const auto element_of = element_words(stream, words, element);
    text += fmt::format("\nwords {:#x}", fmt::join(element_of, " "));
    if (const auto place = moment.places->of(id, element_of))
        text += fmt::format("\nplace {} of {} in the sorted order", *place, moment.places->count());
    else if (keys)
        text += "\nnot a key of the input";
    return text;
}

void draw_outline(Canvas& canvas, const StreamGrid& grid, const Substream& records, Point origin, Point texel,
                  Colour colour, float thickness) {
    // One segment around everything is the frame. Too many small ones would be a blot.
    const std::vector<Segment> segments = outline_of(grid, records);
    constexpr std::size_t max_segments = 4000;
    if (segments.size() > max_segments) return;
    for (const Segment& segment : segments)
        canvas.line(
            {origin.x + texel.x * static_cast<float>(segment.x0), origin.y + texel.y * static_cast<float>(segment.y0)},
            {origin.x + texel.x * static_cast<float>(segment.x1), origin.y + texel.y * static_cast<float>(segment.y1)},
            colour, thickness);
}

// Draws a stream in `area`, under its name. Returns the bottom of its picture.
float draw_stream(const Moment& moment, Canvas& canvas, StreamId id, Side side, const Area& area) {
    const float u = canvas.unit();
    const Stream& stream = moment.program->streams[id];
    const std::vector<std::uint32_t>& words = side == Side::before ? words_before(moment, id) : (*moment.streams)[id];
    const StreamGrid grid(stream, moment.places->holds_keys(id));
    const float line = canvas.text_height();
    float top = area.top;
    canvas.text({area.left, top}, canvas.fitted(stream.name, area.width()), mark::text);
    for (const std::string& text : shape_of(moment, id, grid))
        canvas.text({area.left, top += line}, canvas.fitted(text, area.width()), mark::faint);
    top += line + 4.0f * u;

    if (area.bottom - top < 6.0f * u) return top;

    // Cells are squares. Texels with several cells are rectangles.
    const float cell = std::min({area.width() / static_cast<float>(grid.width()),
                                 (area.bottom - top) / static_cast<float>(grid.height()), 40.0f * u});
    const Point origin{area.left, top};
    const Point end{origin.x + cell * static_cast<float>(grid.width()),
                    origin.y + cell * static_cast<float>(grid.height())};
    canvas.image(
        2 * id + (side == Side::before ? 0 : 1), moment.version, [&] { return picture_of(moment, id, words); }, origin,
        end);
    const Point texel{cell * static_cast<float>(grid.across), cell * static_cast<float>(grid.down)};
    const float thin = std::min(texel.x, texel.y) / u;
    if (thin >= 6.0f && stream.elements_per_record > 1)
        for (std::uint32_t y = 0; y <= grid.box.y1; ++y)
            canvas.line({origin.x, origin.y + texel.y * static_cast<float>(y)},
                        {end.x, origin.y + texel.y * static_cast<float>(y)}, {17, 19, 22});
    if (thin >= 6.0f && stream.elements_per_record > 1)
        for (std::uint32_t x = 0; x <= grid.box.x1; ++x)
            canvas.line({origin.x + texel.x * static_cast<float>(x), origin.y},
                        {origin.x + texel.x * static_cast<float>(x), end.y}, {17, 19, 22});
    const float thickness = std::min(end.x - origin.x, end.y - origin.y) < 24.0f * u ? 1.0f : 2.0f;
    if (side == Side::before || written_records(moment, id).empty())
        draw_outline(canvas, grid, read_records(moment, id), origin, texel, mark::read, thickness);
    else
        draw_outline(canvas, grid, written_records(moment, id), origin, texel, mark::written, thickness);
    const Point cursor = canvas.cursor();
    if (cursor.x >= origin.x && cursor.y >= origin.y && cursor.x < end.x && cursor.y < end.y)
        if (const auto found = grid.at(static_cast<std::uint32_t>((cursor.x - origin.x) / cell),
                                       static_cast<std::uint32_t>((cursor.y - origin.y) / cell), stream.records))
            canvas.tip(origin, end, tip_of(moment, id, words, grid, *found));
    return end.y;
}

// Draws streams one below the other, each with the height that it needs, but at most its share.
void draw_column(const Moment& moment, Canvas& canvas, const std::vector<StreamId>& streams, Side side,
                 const std::string& title, Colour colour, Area area) {
    const float u = canvas.unit();
    const Point behind_title{area.left + canvas.text_width(title) + 8.0f * u, area.top};
    canvas.text({area.left, area.top}, title, colour);
    area.top += canvas.text_height() + 8.0f * u;
    for (std::size_t i = 0; i < streams.size(); ++i) {
        // A stream needs at least its name and two lines.
        if (i > 0 && area.bottom - area.top < 3.0f * canvas.text_height()) {
            canvas.text(behind_title, fmt::format("{} of {} shown", i, streams.size()), mark::faint);
            return;
        }
        const float share =
            (area.bottom - area.top) / static_cast<float>(std::max<std::size_t>(streams.size() - i, i == 0 ? 2 : 1));
        const float gap = 10.0f * u;
        area.top = gap + draw_stream(moment, canvas, streams[i], side,
                                     {area.left, area.top, area.right, area.top + share - gap});
    }
    if (streams.empty())
        canvas.text({area.left, area.top}, moment.done == 0 ? "no op has run" : "nothing", mark::faint);
}

// Explains the colours that are neither keys nor marks.
void draw_scale(Canvas& canvas, Point at) {
    const float u = canvas.unit();
    const float middle = at.y + 0.5f * canvas.text_height();
    const auto swatch = [&](Colour colour) {
        canvas.fill({at.x, middle - 4.0f * u}, {at.x + 14.0f * u, middle + 4.0f * u}, colour);
        canvas.outline({at.x, middle - 4.0f * u}, {at.x + 14.0f * u, middle + 4.0f * u}, mark::faint);
        at.x += 20.0f * u;
    };
    const auto say = [&](std::string_view text) {
        canvas.text(at, text, mark::faint);
        at.x += canvas.text_width(text) + 18.0f * u;
    };
    constexpr int steps = 16;
    for (int i = 0; i < steps; ++i)
        canvas.fill({at.x + 3.0f * u * static_cast<float>(i), middle - 4.0f * u},
                    {at.x + 3.0f * u * static_cast<float>(i + 1), middle + 4.0f * u},
                    word_colour(static_cast<float>(i) / (steps - 1)));
    at.x += 3.0f * u * steps + 6.0f * u;
    say("other numbers: small to large");
    swatch(stream_colour::unwritten);
    say("not written yet");
    swatch(stream_colour::no_key);
    say("no key");
}

}  // namespace

std::string TextureView::explanation() const {
    return "Streams in memory order: element 0 at the top left, textures in their layout (GPU-ABiSort, section "
           "6.2), buffers in rows. Keys are coloured by their place in the sorted order, other numbers purple.";
}

std::string TextureView::caption() const {
    return "Cells: elements as they lie in memory, from the top left. Colour: places in sorted order.";
}

std::vector<LegendMark> TextureView::marks(const Moment& moment) const {
    if (moment.last_op() == nullptr) return {};
    return {LegendMark::read, LegendMark::written};
}

void TextureView::draw(const Moment& moment, Canvas& canvas) const {
    const float u = canvas.unit();
    const float margin = 12.0f * u;
    const float side = std::clamp(0.24f * canvas.width(), std::min(186.0f * u, 0.3f * canvas.width()), 220.0f * u);
    const float bottom = canvas.height() - margin;
    const float line = canvas.text_height();
    draw_column(moment, canvas, read_streams(moment), Side::before, "reads", mark::read,
                {margin, margin, side, bottom - line - 6.0f * u});
    const StreamId shown = key_stream(moment);
    const float left = side + 2.0f * margin;
    const StreamPart part = part_in_op(moment, shown);
    const Colour colour = part == StreamPart::written ? mark::written
                          : part == StreamPart::read  ? mark::read
                                                      : mark::faint;
    canvas.text({left, margin}, "shown: " + describe(part), colour);
    draw_stream(moment, canvas, shown, Side::after,
                {left, margin + line + 8.0f * u, canvas.width() - side - margin, bottom - line - 6.0f * u});
    draw_scale(canvas, {margin, bottom - line});
    draw_column(moment, canvas, written_streams(moment), Side::after, "writes", mark::written,
                {canvas.width() - side, margin, canvas.width() - margin, bottom - line - 6.0f * u});
}

}  // namespace glsort::demo
