#include "radix_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "canvas.h"
#include "elements.h"
#include "glossary.h"
#include "op_records.h"
#include "radix_pass.h"
#include "strip.h"

namespace glsort::demo {
namespace {

using Does = RadixOp::Does;

Colour digit_colour(std::uint32_t value, Digit digit) {
    return place_colour(value, digit.values());
}

std::string bits_of(Digit digit) {
    return digit.bits == 1 ? fmt::format("bit {}", digit.shift)
                           : fmt::format("bits {} to {}", digit.shift, digit.shift + digit.bits - 1);
}

/// What an op of a radix sort does, in a sentence.
std::string radix_sentence(const Op& op, const RadixOp& radix) {
    switch (radix.does) {
        case Does::count:
            return fmt::format(
                "Each group of invocations counts how often each value of the digit occurs in its {} elements",
                radix.length);
        case Does::scan:
            return "Each value's bucket begins where the counts of all smaller values end: the sum of all counts "
                   "before";
        case Does::scatter:
            return fmt::format(
                "Each group moves its {} elements to their buckets, {}; those of one digit keep their order",
                radix.length,
                op.kernel->name == "radix_sweep" ? "behind as many as the groups before it have published (look-back)"
                                                 : "to where the scan says");
        case Does::count_all:
            return "How often each value occurs, of all digits: no pass changes that, so all keys are read once for it";
        case Does::scan_all:
            return "Of every pass: each value's bucket begins where the counts of all smaller values end";
        case Does::group:
            return fmt::format(
                "One group sorts all {} elements by one digit of {} bits after the other, the lowest first, "
                "in memory that it shares",
                radix.count, radix.digits.front().bits);
    }
    return describe(op);
}

class RadixPicture {
  public:
    RadixPicture(const Moment& moment, Canvas& canvas, const RadixOp& op)
        : moment_(moment), canvas_(canvas), op_(op), records_(OpRecords::of(moment).value()), unit_(canvas.unit()) {}

    void draw() {
        const bool of_all = op_.does != Does::count && op_.does != Does::scan && op_.does != Does::scatter;
        const std::string title = of_all ? fmt::format("{}: {} digits", kernel(), op_.digits.size())
                                         : fmt::format("{}: pass {} of {}, the digit is {}", kernel(), op_.pass + 1,
                                                       op_.digits.size(), bits_of(op_.digit()));
        float top = draw_paragraph(canvas_, 0, title, mark::text);
        top = draw_paragraph(canvas_, top, radix_sentence(*moment_.last_op(), op_), mark::faint);
        top = draw_bits(top);
        if (op_.does == Does::group) return draw_rounds(top);
        if (of_all) return draw_all_passes(top);
        draw_pass(top);
    }

  private:
    const std::string& kernel() const { return moment_.last_op()->kernel->name; }
    float line() const { return canvas_.text_height() + 4 * unit_; }

    /// The bits of a key, the highest first as numbers are written, cut into digits; that of the pass is lit.
    float draw_bits(float top) {
        const std::uint32_t bits = 8 * key_bytes(moment_.program->key);
        const float left = left_edge(canvas_);
        const float label = canvas_.text_width("a key's bits  ");
        const float cell = std::min(14 * unit_, (right_edge(canvas_) - left - label) / static_cast<float>(bits));
        canvas_.text({left, top}, "a key's bits", mark::text);
        const auto x = [&](std::uint32_t bit) { return left + label + static_cast<float>(bits - bit) * cell; };
        const float bottom = top + canvas_.text_height();
        for (std::size_t pass = 0; pass < op_.digits.size(); ++pass) {
            const Digit digit = op_.digits[pass];
            const bool lit = op_.does == Does::count_all || op_.does == Does::scan_all || op_.does == Does::group ||
                             pass == op_.pass;
            const Point from{x(digit.shift + digit.bits) + unit_, top};
            const Point to{x(digit.shift) - unit_, bottom};
            canvas_.fill(from, to, lit ? mark::other : mark::faint, lit ? 1.0f : 0.35f);
            const std::string number = fmt::format("{}", pass + 1);
            if (canvas_.text_width(number) < to.x - from.x)
                canvas_.text({(from.x + to.x - canvas_.text_width(number)) / 2, top}, number,
                             lit ? Colour{0, 0, 0} : mark::text);
        }
        canvas_.tip({x(bits), top}, {x(0), bottom}, tip_text("digit"));
        return bottom + 8 * unit_;
    }

    /// Of a bar the height of the key, and the colour of its digit.
    BarOf digit_bars(Digit digit, const PlaceOf& place_of,
                     const std::function<std::uint32_t(std::uint32_t)>& origin) const {
        return [this, digit, bar_of = key_bars(moment_.program->n, place_of), origin](std::uint32_t element) {
            std::optional<Bar> bar = bar_of(element);
            if (bar) bar->colour = digit_colour(value_of(digit, origin(element)), digit);
            return bar;
        };
    }
    std::uint32_t value_of(Digit digit, std::uint32_t element) const {
        return digit_of(*moment_.program, records_.loaded(element), digit);
    }

    void draw_pass(float top) {
        const Digit digit = op_.digit();
        const DigitTable table = digit_table(moment_, op_, op_.pass);
        const float bottom = canvas_.height() - 4 * unit_;
        const float strip = 0.16f * (bottom - top - 2 * line());
        const float left = left_edge(canvas_);
        const float middle = left + std::max(0.22f * (right_edge(canvas_) - left), 110 * unit_);
        const float right = right_edge(canvas_);
        const Strip before{{middle, top + line()}, {right, top + line() + strip}, 0, op_.count};
        const Strip after{{middle, bottom - line() - strip}, {right, bottom - line()}, 0, op_.count};
        // A scan reads no elements, and before it nothing is known of the buckets: the rows between have more room.
        const Point from{middle, op_.does == Does::scan ? before.from.y : before.to.y + 8 * unit_};
        const Point to{right, table.starts.empty() ? bottom : after.from.y - 8 * unit_};

        const auto itself = [](std::uint32_t element) { return element; };
        if (op_.does != Does::scan) {
            draw_strip(canvas_, before,
                       digit_bars(
                           digit, [this](std::uint32_t element) { return records_.place_read(element); }, itself));
            draw_starts(canvas_, before, multiples(op_.length, op_.count), mark::text);
            canvas_.outline(before.from, before.to, mark::read);
            canvas_.text({middle, top}, "read from " + stream_name(records_.source()) + ", coloured by digit",
                         mark::read);
        }
        draw_histogram({left, from.y}, {middle - 12 * unit_, to.y}, digit, table, op_.does == Does::count);
        if (op_.does == Does::count) draw_dots(from, to, before, digit);
        if (op_.does == Does::scan) draw_scan(from, to, after, digit, table);
        if (op_.does == Does::scatter) draw_scatter(before, after, digit);
        if (table.starts.empty()) return;
        if (op_.does == Does::scan) draw_strip(canvas_, after, [](std::uint32_t) { return std::nullopt; });
        canvas_.outline(after.from, after.to, op_.does == Does::scatter ? mark::written : mark::faint);
        std::vector<std::uint32_t> begins;
        for (const auto& starts : table.starts)
            begins.push_back(starts.front());
        draw_starts(canvas_, after, begins, mark::text);
        canvas_.text({middle, after.to.y + 4 * unit_},
                     op_.does == Does::scatter ? "written to " + stream_name(records_.target()) + ", bucket by bucket"
                                               : "where the buckets will be",
                     op_.does == Does::scatter ? mark::written : mark::text);
    }

    const std::string& stream_name(StreamId stream) const { return moment_.program->streams[stream].name; }

    struct Rows {
        float top = 0.0f;
        float height = 0.0f;
        float y(std::uint32_t value) const { return top + static_cast<float>(value) * height; }
        float thickness() const { return std::max(height - (height > 5 ? 1.0f : 0.0f), 1.0f); }
    };
    static Rows rows_of(float top, float bottom, Digit digit) {
        return {top, (bottom - top) / static_cast<float>(digit.values())};
    }

    /// A row for each value of the digit: how often it occurs.
    void draw_histogram(Point from, Point to, Digit digit, const DigitTable& table, bool written) {
        const Rows rows = rows_of(from.y, to.y, digit);
        canvas_.text({from.x, from.y - line()}, "histogram", written ? mark::written : mark::text);
        const float labels = canvas_.text_width(fmt::format("{:0{}b}", 0, digit.bits)) + 8 * unit_;
        const auto step = static_cast<std::uint32_t>(std::max(1.2f * canvas_.text_height() / rows.height + 0.9f, 1.0f));
        for (std::uint32_t value = 0; value < digit.values(); value += std::max(std::bit_ceil(step), 1u)) {
            const float y = rows.y(value) + (rows.height - canvas_.text_height()) / 2;
            canvas_.fixed_text({from.x, std::max(y, from.y - 2 * unit_)}, fmt::format("{:0{}b}", value, digit.bits),
                               mark::text);
        }
        const float left = from.x + labels;
        const bool numbers = rows.height >= canvas_.text_height();
        const float longest = to.x - left - (numbers ? canvas_.text_width(fmt::format("{} ", op_.count)) : 0.0f);
        canvas_.outline({left, from.y}, to, written ? mark::written : mark::faint);
        const std::uint32_t most = table.counts.empty() ? 1 : std::max(*std::ranges::max_element(table.counts), 1u);
        for (std::uint32_t value = 0; value < table.counts.size(); ++value) {
            const float part = static_cast<float>(table.counts[value]) / static_cast<float>(most);
            canvas_.fill({left, rows.y(value)}, {left + part * longest, rows.y(value) + rows.thickness()},
                         digit_colour(value, digit));
            if (!numbers) continue;
            const std::string number = fmt::format("{}", table.counts[value]);
            canvas_.text({to.x - canvas_.text_width(number) - 4 * unit_,
                          rows.y(value) + (rows.height - canvas_.text_height()) / 2},
                         number, mark::text);
        }
        canvas_.tip(from, to, tip_text("histogram"));
    }

    /// Each element in the row of its digit's value: the histogram counts them.
    void draw_dots(Point from, Point to, const Strip& before, Digit digit) {
        const Rows rows = rows_of(from.y, to.y, digit);
        constexpr std::uint32_t most_dots = 8192;
        const std::uint32_t dots = std::min(op_.count, most_dots);
        const float width = std::max(before.x(1) - before.x(0), 1.5f * unit_);
        for (std::uint32_t i = 0; i < dots; ++i) {
            const std::uint32_t element = spread(i, dots, op_.count);
            const std::uint32_t value = value_of(digit, element);
            canvas_.fill({before.x(element), rows.y(value)},
                         {before.x(element) + width, rows.y(value) + std::max(rows.thickness(), 1.5f * unit_)},
                         digit_colour(value, digit));
        }
        canvas_.outline(from, to, mark::faint);
        draw_starts(canvas_, {from, to, 0, op_.count}, multiples(op_.length, op_.count), mark::faint);
        canvas_.tip(from, to, "Each element in the row of its digit; the histogram counts the dots of a row");
    }

    /// The counts one after the other: where each bucket begins.
    void draw_scan(Point from, Point to, const Strip& after, Digit digit, const DigitTable& table) {
        const Rows rows = rows_of(from.y, to.y, digit);
        canvas_.outline(from, to, mark::faint);
        canvas_.text({from.x, from.y - line()}, "where each bucket begins", mark::written);
        for (std::uint32_t value = 0; value < table.starts.size(); ++value) {
            const std::vector<std::uint32_t>& starts = table.starts[value];
            const float begin = after.x(starts.front());
            const float end = after.x(starts.front() + table.counts[value]);
            const float y = rows.y(value);
            canvas_.fill({begin, y}, {std::max(end, begin + unit_), y + rows.thickness()}, digit_colour(value, digit));
            if (rows.height > 8 * unit_)
                for (std::size_t stretch = 1; stretch < starts.size(); ++stretch)
                    canvas_.line({after.x(starts[stretch]), y}, {after.x(starts[stretch]), y + rows.thickness()},
                                 {0, 0, 0});
            if (digit.values() <= 32 || value % 16 == 0)
                canvas_.line({begin, y + rows.thickness()}, {begin, after.from.y}, mark::faint);
        }
        canvas_.outline(from, to, mark::written);
        canvas_.tip(from, to, tip_text("scan"));
    }

    void draw_scatter(const Strip& before, const Strip& after, Digit digit) {
        if (!records_.followed()) return;
        const auto origin = [this](std::uint32_t element) { return records_.origin(element); };
        draw_flights(canvas_, before, after, origin, [&](std::uint32_t element) {
            return digit_colour(value_of(digit, records_.origin(element)), digit);
        });
        draw_strip(canvas_, after,
                   digit_bars(
                       digit, [this](std::uint32_t element) { return records_.place_written(element); }, origin));
        canvas_.tip({before.from.x, before.to.y}, {after.to.x, after.from.y}, tip_text("scatter"));
    }

    /// Histograms, or scans, of all passes side by side.
    void draw_all_passes(float top) {
        const auto passes = static_cast<float>(op_.digits.size());
        const float width = (right_edge(canvas_) - left_edge(canvas_) + 20 * unit_) / passes;
        for (std::size_t pass = 0; pass < op_.digits.size(); ++pass) {
            const Digit digit = op_.digits[pass];
            const DigitTable table = digit_table(moment_, op_, pass);
            const Point from{left_edge(canvas_) + static_cast<float>(pass) * width, top + 2 * line()};
            const Point to{from.x + width - 20 * unit_, canvas_.height() - 8 * unit_};
            canvas_.text({from.x, top}, fmt::format("pass {}: {}", pass + 1, bits_of(digit)), mark::text);
            if (op_.does == Does::count_all)
                draw_histogram(from, to, digit, table, true);
            else
                draw_scan(from, to, {{from.x, to.y}, to, 0, op_.count}, digit, table);
        }
    }

    /// What a group does in its memory, round by round. No stream holds that: it follows from the digits.
    void draw_rounds(float top) {
        const std::uint32_t n = op_.count;
        std::vector<Element> loaded;
        for (std::uint32_t i = 0; i < n; ++i)
            loaded.push_back(records_.loaded(i));
        std::vector<std::uint32_t> order(n);
        std::iota(order.begin(), order.end(), 0u);
        const float label = canvas_.text_width("by bits 00 to 00  ");
        const float row = (canvas_.height() - top - line()) / (static_cast<float>(op_.digits.size()) + 0.5f);
        const auto strip_at = [&](std::size_t round) {
            const float y = top + static_cast<float>(round) * row;
            return Strip{{left_edge(canvas_) + label, y}, {right_edge(canvas_), y + 0.5f * row}, 0, n};
        };
        const auto draw_order = [&](const Strip& strip) {
            draw_strip(canvas_, strip, key_bars(n, [&](std::uint32_t i) { return records_.place_read(order[i]); }));
        };
        draw_order(strip_at(0));
        canvas_.outline(strip_at(0).from, strip_at(0).to, mark::read);
        canvas_.text({left_edge(canvas_), strip_at(0).from.y}, "read", mark::read);
        for (std::size_t round = 0; round < op_.digits.size(); ++round) {
            const Strip before = strip_at(round);
            const Strip after = strip_at(round + 1);
            const Digit digit = op_.digits[round];
            std::vector<std::uint32_t> place(n);
            for (std::uint32_t i = 0; i < n; ++i)
                place[order[i]] = i;
            order = sorted_by_digit(*moment_.program, loaded, digit, order);
            draw_flights(
                canvas_, before, after, [&](std::uint32_t i) { return place[order[i]]; },
                [&](std::uint32_t i) {
                    return digit_colour(digit_of(*moment_.program, loaded[order[i]], digit), digit);
                });
            draw_order(after);
            canvas_.text({left_edge(canvas_), after.from.y + (0.5f * row - canvas_.text_height()) / 2},
                         "by " + bits_of(digit), mark::text);
        }
        // The last row is what the op has written, not what should be.
        const Strip last = strip_at(op_.digits.size());
        draw_strip(canvas_, last, key_bars(n, [this](std::uint32_t i) { return records_.place_written(i); }));
        canvas_.outline(last.from, last.to, mark::written);
        canvas_.text({left_edge(canvas_), last.to.y + 4 * unit_},
                     "written to " + stream_name(records_.target()) + "; the rows between follow from the digits",
                     mark::written);
    }

    const Moment& moment_;
    Canvas& canvas_;
    const RadixOp& op_;
    OpRecords records_;
    float unit_;
};

bool is_radix(const Op& op) {
    return op.kernel->name.starts_with("radix_");
}

}  // namespace

std::string RadixView::explanation() const {
    return "Digit by digit, from the lowest, all elements move to the bucket of their digit: count, scan (prefix sum), "
           "scatter. Equal digits keep their order, so that the digits before stay sorted.";
}

bool RadixView::fits(const StreamProgram& program) const {
    return std::ranges::any_of(program.ops, is_radix);
}

void RadixView::draw(const Moment& moment, Canvas& canvas) const {
    const auto op = moment.done > 0 ? radix_op_of(*moment.program, moment.done - 1) : std::nullopt;
    if (!op) return draw_any_op(canvas, moment);
    RadixPicture(moment, canvas, *op).draw();
}

}  // namespace glsort::demo
