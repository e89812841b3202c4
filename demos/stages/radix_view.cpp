#include "radix_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "canvas.h"
#include "digit_charts.h"
#include "elements.h"
#include "glossary.h"
#include "op_picture.h"
#include "op_records.h"
#include "page.h"
#include "places.h"
#include "radix_pass.h"
#include "strip.h"

namespace glsort::demo {
namespace {

using Does = RadixOp::Does;

/// A sentence that says what an op of a radix sort does.
std::string radix_sentence(const Op& op, const RadixOp& radix) {
    switch (radix.does) {
        case Does::count:
            return fmt::format(
                "Each group of invocations counts how often each value of the digit occurs in its {} elements",
                radix.length);
        case Does::scan:
            return "The bucket of each value begins where the counts of all smaller values end: at the sum of all "
                   "earlier counts";
        case Does::scatter:
            return fmt::format(
                "Each group moves its {} elements to their buckets, {}. Elements with equal digits keep their order",
                radix.length,
                writes(op, PortRole::status) ? "after the elements that earlier groups have published (look-back)"
                                             : "to where the scan says");
        case Does::count_all:
            return "Counts how often each value of every digit occurs. No pass changes these counts, so one op reads "
                   "all keys for them";
        case Does::group:
            return fmt::format(
                "One group sorts all {} elements in shared memory, by one digit of {} bits after the other, "
                "the lowest first",
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
                                         : fmt::format("{}: pass {} (of 0 to {}), the digit is {}", kernel(), op_.pass,
                                                       op_.digits.size() - 1, bits_of(op_.digit()));
        float top = draw_paragraph(canvas_, 0, title, mark::text);
        top = draw_paragraph(canvas_, top, radix_sentence(*moment_.last_op(), op_), mark::faint);
        top = draw_bits(top);
        if (op_.does == Does::group) return draw_rounds(top);
        if (of_all) return draw_all_passes(top);
        draw_pass(top);
    }

  private:
    const std::string& kernel() const { return moment_.last_op()->kernel->name; }
    float line() const { return line_height(canvas_); }

    /// The bits of a key, the highest first, cut into digits. The digit of the pass is highlighted.
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
            const bool lit = op_.does == Does::count_all || op_.does == Does::group || pass == op_.pass;
            const Point from{x(digit.shift + digit.bits) + unit_, top};
            const Point to{x(digit.shift) - unit_, bottom};
            canvas_.fill(from, to, lit ? mark::other : mark::faint, lit ? 1.0f : 0.35f);
            const std::string number = fmt::format("{}", pass);
            if (canvas_.text_width(number) < to.x - from.x)
                canvas_.text({(from.x + to.x - canvas_.text_width(number)) / 2, top}, number,
                             lit ? Colour{0, 0, 0} : mark::text);
        }
        canvas_.tip({x(bits), top}, {x(0), bottom}, tip_text("digit"));
        return bottom + 8 * unit_;
    }

    /// Bars with the height of the key and the colour of its digit.
    BarOf digit_bars(Digit digit, const PlaceOf& place_of,
                     const std::function<std::uint32_t(std::uint32_t)>& origin) const {
        return [this, digit, bar_of = key_bars(moment_.places->count(), place_of), origin](std::uint32_t element) {
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
        // A scan reads no elements, and before the scan the buckets are unknown. The rows between have more room.
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
        draw_histogram(canvas_, {left, from.y}, {middle - 12 * unit_, to.y}, digit, table, op_.does == Does::count);
        if (op_.does == Does::count) {
            draw_dots(canvas_, from, to, before, digit,
                      [&](std::uint32_t element) { return value_of(digit, element); });
            draw_starts(canvas_, {from, to, 0, op_.count}, multiples(op_.length, op_.count), mark::faint);
        }
        if (op_.does == Does::scan) draw_scan(canvas_, from, to, after, digit, table);
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

    /// Histograms of all passes side by side.
    void draw_all_passes(float top) {
        const auto passes = static_cast<float>(op_.digits.size());
        const float width = (right_edge(canvas_) - left_edge(canvas_) + 20 * unit_) / passes;
        for (std::size_t pass = 0; pass < op_.digits.size(); ++pass) {
            const Digit digit = op_.digits[pass];
            const DigitTable table = digit_table(moment_, op_, pass);
            const Point from{left_edge(canvas_) + static_cast<float>(pass) * width, top + 2 * line()};
            const Point to{from.x + width - 20 * unit_, canvas_.height() - 8 * unit_};
            canvas_.text({from.x, top}, fmt::format("pass {}: {}", pass, bits_of(digit)), mark::text);
            draw_histogram(canvas_, from, to, digit, table, true);
        }
    }

    /// The work of a group in shared memory, round by round. No stream holds these steps, but they follow from the
    /// digits.
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
            draw_strip(canvas_, strip, key_bars(moment_.places->count(), [&](std::uint32_t i) {
                           return records_.place_read(order[i]);
                       }));
        };
        draw_order(strip_at(0));
        canvas_.outline(strip_at(0).from, strip_at(0).to, mark::read);
        // If lines are narrow, only the frame has the colour of the word.
        if (row >= line()) canvas_.text({left_edge(canvas_), strip_at(0).from.y}, "read", mark::read);
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
        // The last row shows the words that the op has written, even if these are wrong.
        const Strip last = strip_at(op_.digits.size());
        draw_strip(canvas_, last,
                   key_bars(moment_.places->count(), [this](std::uint32_t i) { return records_.place_written(i); }));
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

}  // namespace

std::string RadixView::explanation() const {
    return "Digit by digit, from the lowest, all elements move to the bucket of their digit by count, scan (prefix "
           "sum) "
           "and scatter. Equal digits keep their order, so earlier digits stay sorted (Merrill and Grimshaw 2010, "
           "section 3).";
}

std::string RadixView::caption() const {
    return "Across: places of a stream. Height and colour: places in sorted order; a label says where colour is the "
           "digit. Lines: moves of elements.";
}

std::vector<LegendMark> RadixView::marks(const Moment& moment) const {
    if (moment.last_op() == nullptr) return {};
    return {LegendMark::read, LegendMark::written};
}

bool RadixView::fits(const StreamProgram& program) const {
    for (std::size_t op = 0; op < program.ops.size(); ++op)
        if (radix_op_of(program, op)) return true;
    return false;
}

void RadixView::draw(const Moment& moment, Canvas& canvas) const {
    const auto op = moment.done > 0 ? radix_op_of(*moment.program, moment.done - 1) : std::nullopt;
    if (!op) return draw_any_op(canvas, moment);
    RadixPicture(moment, canvas, *op).draw();
}

}  // namespace glsort::demo
