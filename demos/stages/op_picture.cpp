#include "op_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "elements.h"
#include "page.h"
#include "places.h"
#include "strip.h"

namespace glsort::demo {

void draw_before_and_after(Canvas& canvas, Point from, Point to, const Moment& moment, const OpRecords& records,
                           Block shown, std::span<const std::uint32_t> starts_before,
                           std::span<const std::uint32_t> starts_after) {
    const std::uint32_t n = moment.places->count();
    const float unit = canvas.unit();
    const float line = line_height(canvas);
    const float height = 0.34f * (to.y - from.y - 2 * line);
    const auto strip = [&](float top, std::uint32_t elements) {
        const std::uint32_t end = std::min(shown.end, elements);
        return Strip{{from.x, top}, {to.x, top + height}, shown.begin, end - std::min(shown.begin, end)};
    };
    const Strip before = strip(from.y + line, records.read());
    const Strip after = strip(to.y - line - height, records.written());

    if (records.followed())
        draw_flights(
            canvas, before, after, [&](std::uint32_t element) { return records.origin(element); },
            [&](std::uint32_t element) { return place_colour(records.place_written(element).value_or(0), n); });
    draw_strip(canvas, before, key_bars(n, [&](std::uint32_t element) { return records.place_read(element); }));
    draw_strip(canvas, after, key_bars(n, [&](std::uint32_t element) { return records.place_written(element); }));
    draw_starts(canvas, before, starts_before, mark::text);
    draw_starts(canvas, after, starts_after, mark::text);
    canvas.outline(before.from, before.to, mark::read);
    canvas.outline(after.from, after.to, mark::written);
    const auto& streams = moment.program->streams;
    canvas.text(from, "read from " + streams[records.source()].name, mark::read);
    canvas.text({from.x, after.to.y + 4 * unit}, "written to " + streams[records.target()].name, mark::written);
}

void draw_any_op(Canvas& canvas, const Moment& moment) {
    const StreamId keys = key_stream(moment);
    const std::uint32_t n = elements_of(moment.program->streams[keys]);
    const std::string& name = moment.program->streams[keys].name;
    const auto records = OpRecords::of(moment);
    const Point bottom_right{right_edge(canvas), canvas.height() - 6 * canvas.unit()};
    if (records && moment.places->holds_keys(records->target())) {
        const Op& op = *moment.last_op();
        const std::string title =
            op.kernel->transfer ? op.kernel->name + ": moves words without a shader" : describe(op);
        const float top = draw_paragraph(canvas, 0, title, mark::text);
        return draw_before_and_after(canvas, {left_edge(canvas), top}, bottom_right, moment, *records,
                                     {0, std::max(records->read(), records->written())}, {}, {});
    }
    const std::string title = moment.done == 0 ? fmt::format("the input, {} elements in {}", n, name)
                                               : fmt::format("{} moves no keys. This is the content of {}",
                                                             moment.last_op()->kernel->name, name);
    const float top = draw_paragraph(canvas, 0, title, mark::text);
    draw_strip(canvas, {{left_edge(canvas), top}, bottom_right, 0, n},
               key_bars(moment.places->count(), [&](std::uint32_t element) {
                   return place_of(moment, keys, (*moment.streams)[keys], element);
               }));
}

}  // namespace glsort::demo
