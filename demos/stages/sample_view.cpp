#include "sample_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "bucket_chart.h"
#include "canvas.h"
#include "elements.h"
#include "glossary.h"
#include "op_picture.h"
#include "op_records.h"
#include "page.h"
#include "places.h"
#include "sample_steps.h"
#include "strip.h"

namespace glsort::demo {
namespace {

bool samples_keys(const Op& op) {
    return op.kernel->shape.division.has_value();
}

bool sorts_by_digits(const Op& op) {
    return op.kernel->shape.digit || writes(op, PortRole::sums);
}

/// A sentence that says what an op of a sample sort does.
std::string sample_sentence(const Op& op, const std::optional<SampleLevel>& level) {
    if (!level)
        return "All elements fit one tile. One group of invocations sorts the tile, and no other step is needed";
    const char* random = level->random ? ", at random" : ", equidistant";
    const bool groups = op.kernel->group_size > 1;
    const bool samples = writes(op, PortRole::samples);
    if (samples && !groups) return fmt::format("Takes {} samples of each sorted tile{}", level->samples, random);
    if (samples)
        return fmt::format("A group for each segment takes {} samples of each of its tiles{}, and sorts them",
                           level->samples, random);
    if (op.labels.step == 4)
        return sorts_by_digits(op) ? "All samples are sorted like any sequence: digit by digit"
                                   : "All samples are sorted like any sequence: in tiles, which are then merged";
    if (writes(op, PortRole::places))
        return fmt::format(
            "The splitters are {} equidistant samples of the sorted ones. Each tile is cut at the splitters",
            level->each);
    if (writes(op, PortRole::starts))
        return "Sums, tile by tile, how many elements of each bucket earlier tiles have. The sums give the starts of "
               "buckets";
    if (reads(op, PortRole::moves)) return "Moves the elements of each tile to their buckets";
    const auto& window = op.kernel->shape.window;
    if (window && op.kernel->outputs.front().access == Access::shared)
        return "One group slowly sorts buckets that have outgrown a tile. There may be none";
    if (window && level->expected)
        return "Each group sorts a bucket, or all buckets of a segment that was divided again because a bucket had "
               "outgrown a tile";
    if (window)
        return fmt::format("Each group sorts the buckets that begin in its window of {} places", window->of(op));
    if (!groups) return "A step of a bitonic network over each bucket";
    if (op.labels.step == 9)
        return fmt::format(
            "Sorts each tile of {} elements of each bucket: the steps of a bitonic network that stay within a tile",
            level->tile);
    return fmt::format("A group of invocations sorts each tile of {} elements in shared memory", level->tile);
}

/// Step 2 of the paper.
constexpr int local_sort = 2;

class SamplePicture {
  public:
    SamplePicture(const Moment& moment, Canvas& canvas, SampleSteps steps)
        : moment_(moment),
          canvas_(canvas),
          op_(*moment.last_op()),
          steps_(steps),
          level_(sample_level_of(*moment.program, moment.done - 1)),
          unit_(canvas.unit()) {
        if (!level_) return;
        segments_ = segment_bounds(moment, *level_);
        divided_ = divided_segments(moment, *level_);
        buckets_ = bucket_bounds(moment, *level_);
    }

    void draw() {
        float top = draw_paragraph(canvas_, 0, op_.kernel->name + ": " + place_in_program(), mark::text);
        top = draw_paragraph(canvas_, top, sample_sentence(op_, level_), mark::faint) + 2 * unit_;
        left_ = left_edge(canvas_);
        if (canvas_.width() > 620 * unit_) left_ = draw_steps(top) + 16 * unit_;
        const float bottom = canvas_.height() - 4 * unit_;
        const int step = steps_.last;
        if (level_ && step >= 3 && step <= 7)
            draw_tiles(top, bottom);
        else
            draw_move(top, bottom);
    }

  private:
    std::string place_in_program() const {
        if (!level_) return "one tile";
        if (op_.labels.level < 0) return fmt::format("the last step, of {} buckets", level_->buckets());
        const std::string of = fmt::format("level {} of {}", level_->number, sample_levels(*moment_.program).size());
        if (level_->again())
            return fmt::format("{}, only for segments with a bucket that has outgrown a tile: {} of {}", of,
                               std::ranges::count(divided_, true), level_->segments);
        return fmt::format(
            "{}, {} into {} buckets{}", of,
            level_->segments == 1 ? "all elements" : fmt::format("each of {} segments", level_->segments), level_->each,
            level_->random ? " by random samples" : "");
    }
    float line() const { return line_height(canvas_); }
    float right() const { return right_edge(canvas_); }
    const std::string& stream_name(StreamId stream) const { return moment_.program->streams[stream].name; }

    /// The steps of the paper, with the op's step highlighted. Returns their right edge.
    float draw_steps(float top) {
        const float left = left_edge(canvas_);
        float wide = 0;
        for (const SampleStep& step : sample_steps)
            wide = std::max(wide, canvas_.text_width(step.name));
        const float to = left + wide + canvas_.text_width("9 ") + 16 * unit_;
        for (int i = 1; i <= static_cast<int>(sample_steps.size()); ++i) {
            const SampleStep& step = sample_steps[static_cast<std::size_t>(i - 1)];
            const bool lit = i >= steps_.first && i <= steps_.last;
            const float y = top + static_cast<float>(i - 1) * (line() + 4 * unit_);
            if (lit) canvas_.fill({left, y}, {to, y + line()}, mark::other);
            canvas_.text({left + 6 * unit_, y + 2 * unit_}, fmt::format("{} {}", i, step.name),
                         lit ? Colour{0, 0, 0} : mark::faint);
            canvas_.tip({left, y}, {to, y + line()},
                        fmt::format("Step {} of Dehne and Zaboli's algorithm: {} (2010, section 4)", i, step.does));
        }
        return to;
    }

    std::optional<std::uint32_t> place_before(StreamId stream, std::uint32_t element) const {
        return place_of(moment_, stream, words_before(moment_, stream), element);
    }
    /// Keys of a segment. The keys of one of many segments have nearly equal colours, but different heights.
    BarOf keys_of(std::uint32_t segment, PlaceOf place_of) const {
        const std::uint32_t n = moment_.program->n;
        return key_bars(n, {segments_[segment], segments_[segment + 1]}, std::move(place_of));
    }
    std::optional<StreamId> stream_named(std::string_view name) const {
        for (StreamId id = 0; id < moment_.program->streams.size(); ++id)
            if (moment_.program->streams[id].name == name) return id;
        return std::nullopt;
    }

    // Steps 3 to 7: a segment's tiles one below the other, their samples, the splitters, the buckets.

    void draw_tiles(float top, float bottom) {
        const StreamId records = stream_named("tiles").value();
        constexpr std::uint32_t max_tiles = 16;
        // If there is one segment, some of its tiles. Otherwise one of many segments.
        const std::vector<std::uint32_t> parts =
            level_->segments == 1 ? parts_of(max_tiles * level_->tile, moment_.program->n) : segments_;
        const std::size_t part = draw_choice(
            canvas_, left_, top, parts, level_->segments == 1 ? "part" : "segment",
            key_bars(moment_.places->count(), [&](std::uint32_t element) { return place_before(records, element); }));
        const std::uint32_t segment = level_->segments == 1 ? 0 : static_cast<std::uint32_t>(part);
        if (!divided_[segment]) return draw_left_alone(top, bottom);
        const std::uint32_t first_tile = level_->segments == 1 ? static_cast<std::uint32_t>(part) * max_tiles : 0;
        std::vector<std::uint32_t> tiles = tile_bounds(*level_, parts[part], parts[part + 1]);
        if (tiles.size() > max_tiles + 1) tiles.resize(max_tiles + 1);
        const bool chart = !buckets_.empty();
        const float middle = top + (chart ? 0.5f : 0.72f) * (bottom - top);
        draw_tile_rows(top, middle, records, segment, first_tile, tiles);
        if (chart)
            draw_chart(middle + 8 * unit_, bottom, segment);
        else
            draw_samples(middle + 8 * unit_, bottom, segment);
    }

    /// Draws a segment that is not divided again: there is nothing to do.
    void draw_left_alone(float top, float bottom) {
        canvas_.text({left_, top}, "no bucket of this segment has outgrown a tile, so the segment stays as it is",
                     mark::faint);
        const SampleLevel before = sample_levels(*moment_.program).front();
        top += 2 * line();
        draw_chart(top, std::min(bottom, top + 0.5f * canvas_.height()), before, bucket_bounds(moment_, before),
                   std::nullopt);
    }

    /// The range of a segment's samples in their stream.
    Block samples_of(std::uint32_t segment) const {
        const std::uint32_t room = level_->tiles * level_->samples;
        const std::uint32_t size = segments_[segment + 1] - segments_[segment];
        const std::uint32_t count = std::min(size / (level_->tile / level_->samples), room);
        return {segment * room, segment * room + count};
    }
    /// The sample that ends the bucket before `bucket`.
    std::optional<std::uint32_t> splitter(const Block& samples, std::uint32_t bucket) const {
        const std::uint64_t before = std::uint64_t{samples.end - samples.begin} * bucket / level_->each;
        if (before == 0) return std::nullopt;
        return samples.begin + static_cast<std::uint32_t>(before) - 1;
    }

    bool writes_stream(std::string_view name) const {
        return std::ranges::any_of(op_.writes, [&](const StreamUse& use) { return stream_name(use.stream) == name; });
    }

    void draw_tile_rows(float top, float bottom, StreamId records, std::uint32_t segment, std::uint32_t first_tile,
                        const std::vector<std::uint32_t>& tiles) {
        const auto rows = static_cast<std::uint32_t>(tiles.size() - 1);
        const float row = (bottom - top) / static_cast<float>(std::max(rows, 1u));
        const float from = left_ + canvas_.text_width("tile 000 ");
        const bool placed = steps_.last >= 6;
        const std::vector<bool> sampled = placed ? std::vector<bool>{} : sampled_places(segment);
        canvas_.tip({from, top}, {right(), bottom}, tip_text(placed ? "splitter" : "tile"));
        std::vector<float> last;
        for (std::uint32_t i = 0; i < rows; ++i) {
            const std::uint32_t size = tiles[i + 1] - tiles[i];
            const float y = top + static_cast<float>(i) * row;
            const float width = static_cast<float>(size) / static_cast<float>(level_->tile) * (right() - from);
            const Strip strip{{from, y}, {from + width, y + 0.65f * row}, tiles[i], size};
            if (row > canvas_.text_height())
                canvas_.text({left_, y + (0.65f * row - canvas_.text_height()) / 2},
                             fmt::format("tile {}", first_tile + i + 1), mark::text);
            if (size == 0) continue;
            const PlaceOf place = [&](std::uint32_t element) { return place_before(records, element); };
            draw_strip(canvas_, strip,
                       level_->segments == 1 ? key_cells(moment_.places->count(), place) : keys_of(segment, place));
            if (!placed) draw_sample_marks(strip, records, sampled);
            if (placed)
                last = draw_cuts(strip, bucket_places(moment_, *level_, segment, first_tile + i, size), last, y);
        }
    }

    std::vector<bool> sampled_places(std::uint32_t segment) const {
        const StreamId samples = stream_named("samples").value();
        std::vector<bool> sampled(moment_.program->n);
        const Block all = samples_of(segment);
        for (std::uint32_t i = all.begin; i < all.end; ++i)
            if (const auto place = place_of(moment_, samples, (*moment_.streams)[samples], i)) sampled[*place] = true;
        return sampled;
    }

    void draw_sample_marks(const Strip& strip, StreamId records, const std::vector<bool>& sampled) {
        const Colour colour = steps_.first <= 3 ? mark::written : mark::read;
        for (std::uint32_t i = strip.first; i < strip.first + strip.count; ++i) {
            const auto place = place_before(records, i);
            if (!place || !sampled[*place]) continue;
            draw_mark({strip.middle(i), (strip.from.y + strip.to.y) / 2}, strip.to.y, colour);
        }
    }

    /// A line that can be seen on keys of any colour.
    void draw_mark(Point from, float bottom, Colour colour) {
        canvas_.line(from, {from.x, bottom}, {0, 0, 0}, 4);
        canvas_.line(from, {from.x, bottom}, colour, 2);
    }

    /// The starts of buckets in a tile, and lines to them from the starts in the tile above (`last`, a position for
    /// each).
    std::vector<float> draw_cuts(const Strip& strip, const std::vector<std::uint32_t>& places,
                                 const std::vector<float>& last, float y) {
        const Colour colour = writes_stream("places") ? mark::written : mark::read;
        const float above = y - 0.35f * (strip.to.y - strip.from.y) / 0.65f;
        std::vector<float> cuts;
        constexpr std::size_t max_cuts = 64;
        const std::size_t step = (places.size() + max_cuts - 1) / max_cuts;
        for (std::size_t bucket = step; bucket + 1 < places.size(); bucket += step) {
            const float x = strip.x(strip.first + places[bucket]);
            draw_mark({x, strip.from.y}, strip.to.y, colour);
            if (cuts.size() < last.size()) canvas_.line({last[cuts.size()], above}, {x, y}, colour);
            cuts.push_back(x);
        }
        return cuts;
    }

    /// The samples in stream order, with the splitters.
    void draw_samples(float top, float bottom, std::uint32_t segment) {
        const StreamId samples = stream_named("samples").value();
        const Block of_segment = samples_of(segment);
        const PlaceOf place_of_sample = [&](std::uint32_t i) {
            return place_of(moment_, samples, (*moment_.streams)[samples], i);
        };
        bool sorted = true;
        for (std::uint32_t i = of_segment.begin + 1; i < of_segment.end; ++i)
            sorted = sorted && place_of_sample(i - 1) <= place_of_sample(i);
        const Strip strip{
            {left_, top + line()}, {right(), bottom - line()}, of_segment.begin, of_segment.end - of_segment.begin};
        canvas_.text(
            {left_, top},
            fmt::format("{} samples of {}, {}", strip.count, level_->segments == 1 ? "all tiles" : "the segment",
                        sorted ? "sorted" : "not sorted yet"),
            writes_stream("samples") ? mark::written : mark::read);
        draw_strip(canvas_, strip, keys_of(segment, place_of_sample));
        canvas_.tip(strip.from, strip.to, tip_text(steps_.last < 6 ? "sample" : "splitter"));
        canvas_.outline(strip.from, strip.to, writes_stream("samples") ? mark::written : mark::read);
        if (steps_.last < 6) return;
        for (std::uint32_t bucket = 1; bucket < level_->each; ++bucket)
            if (const auto at = splitter(of_segment, bucket))
                draw_mark({strip.middle(*at), strip.from.y - 3 * unit_}, strip.to.y + 3 * unit_, mark::other);
        canvas_.text({left_, strip.to.y + 5 * unit_}, "the splitters: equidistant samples of the sorted ones",
                     mark::other);
    }

    /// The buckets of a segment, or of all segments.
    void draw_chart(float top, float bottom, std::optional<std::uint32_t> segment) {
        draw_chart(top, bottom, *level_, buckets_, segment);
    }
    void draw_chart(float top, float bottom, const SampleLevel& level, const std::vector<std::uint32_t>& buckets,
                    std::optional<std::uint32_t> segment) {
        std::string_view about = ": no bucket can have more elements, whatever the keys are";
        if (level.random) about = ", which random samples do not guarantee";
        if (level.expected) about = ": larger buckets are divided again";
        draw_buckets(canvas_, {left_, top}, {right(), bottom},
                     {.bounds = buckets,
                      .first = segment ? *segment * level.each : 0,
                      .count = segment ? level.each : level.buckets(),
                      .bound = level.bound(),
                      .name = level.expected ? "a tile" : "the bound",
                      .about = about,
                      .written = writes(op_, PortRole::starts)});
    }

    // Steps 2, 8 and 9: elements move.

    void draw_move(float top, float bottom) {
        const OpRecords records = OpRecords::of(moment_).value();
        const bool again = level_ && level_->again();
        const bool chart = !buckets_.empty() && !again;
        const float end = chart ? top + 0.66f * (bottom - top) : bottom;
        std::vector<std::uint32_t> before;
        std::vector<std::uint32_t> after;
        if (level_ && op_.labels.level >= 0) before = all_tile_bounds();
        after = buckets_.empty() ? before : buckets_;
        if (op_.labels.step == 9) before = buckets_;
        // If elements stay in their tile, a few tiles show that better than all.
        std::vector<std::uint32_t> parts{0, records.written()};
        if (level_ && op_.labels.step == local_sort && op_.labels.level >= 0)
            parts = parts_of(std::max(8 * level_->tile, 256u), records.written());
        if (again) parts = segments_;
        const std::size_t part = draw_choice(
            canvas_, left_, top, parts, "part",
            key_bars(moment_.places->count(), [&](std::uint32_t element) { return records.place_written(element); }));
        if (again && !divided_[part]) return draw_left_alone(top, bottom);
        draw_before_and_after(canvas_, {left_, top}, {right(), end}, moment_, records, {parts[part], parts[part + 1]},
                              before, after);
        if (chart) draw_chart(end + 8 * unit_, bottom, std::nullopt);
    }

    std::vector<std::uint32_t> all_tile_bounds() const {
        std::vector<std::uint32_t> bounds;
        for (std::size_t segment = 0; segment + 1 < segments_.size(); ++segment) {
            const std::vector<std::uint32_t> tiles = tile_bounds(*level_, segments_[segment], segments_[segment + 1]);
            bounds.insert(bounds.end(), tiles.begin(), tiles.end() - 1);
        }
        return bounds;
    }

    const Moment& moment_;
    Canvas& canvas_;
    const Op& op_;
    SampleSteps steps_;
    std::optional<SampleLevel> level_;
    std::vector<std::uint32_t> segments_;
    std::vector<bool> divided_;
    std::vector<std::uint32_t> buckets_;
    float unit_;
    float left_ = 0;
};

}  // namespace

std::string SampleView::explanation() const {
    return "Samples of sorted tiles divide all elements into buckets. With s equidistant samples of each tile, no "
           "bucket can have more than 2n/s elements, where n is rounded up to whole tiles. Then each bucket is sorted "
           "(Dehne and Zaboli 2010, section 4).";
}

std::string SampleView::caption() const {
    return "Across: elements, or buckets in a chart of buckets. Colour: places in sorted order.";
}

std::vector<LegendMark> SampleView::marks(const Moment& moment) const {
    if (moment.last_op() == nullptr) return {};
    return {LegendMark::read, LegendMark::written};
}

bool SampleView::fits(const StreamProgram& program) const {
    return std::ranges::any_of(program.ops, samples_keys);
}

void SampleView::draw(const Moment& moment, Canvas& canvas) const {
    const auto steps = moment.done > 0 ? sample_steps_of(*moment.program, moment.done - 1) : std::nullopt;
    if (!steps) return draw_any_op(canvas, moment);
    SamplePicture(moment, canvas, *steps).draw();
}

}  // namespace glsort::demo
