#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/algorithm.h>
#include <glsort/plan/merge/tuning.h>
#include <glsort/plan/radix/one_sweep.h>
#include <glsort/plan/sample/sample.h>
#include <glsort/plan/sample/sample_kernels.h>
#include <glsort/plan/sample/tuning.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

namespace glsort {
namespace sample {
namespace {

/// Max n: 32-bit numbers must address the samples of all levels.
constexpr std::uint32_t largest = 1u << 29;

/// The merges by which groups sort up to `tile` elements: a whole tile if a group has room, else a smaller tile.
merge::GroupPolicy merges_for(const SortFrame& frame, std::uint32_t tile) {
    const Limits& limits = frame.limits();
    merge::GroupPolicy policy{.element_type = frame.element_type().with_index(),
                              .elements = tuning_of(frame).merged_elements};
    const std::uint32_t fitting = limits.shared_memory / (4 * policy.element_type.words() * policy.elements);
    policy.invocations = std::bit_floor(std::max(std::min({tile / policy.elements, fitting, limits.invocations}), 2u));
    return policy;
}

/// The digits by which groups sort a tile. Empty if keys have no codes, if there are no subgroups, or if the tile does
/// not fit.
std::optional<radix::Policy> digits_for(const SortFrame& frame, std::uint32_t tile) {
    if (frame.element_type().comparison() || !frame.limits().has_subgroups()) return std::nullopt;
    // A group has at least one invocation per digit value.
    const Tuning& tuning = tuning_of(frame);
    const std::uint32_t min_invocations = tuning.ranked_invocations;
    const std::uint32_t invocations = std::clamp(tile / tuning.ranked_elements, min_invocations,
                                                 std::max(frame.limits().invocations, min_invocations));
    const auto policy = radix::ranking_tile_of(frame, invocations, tile);
    return policy && policy->elements <= tuning.max_ranked_elements ? policy : std::nullopt;
}

/// Max elements for an expected level, with buckets of three quarters of a tile. With more elements, the places of
/// buckets in tiles would take more than half a word per element.
constexpr std::uint32_t max_of_expected_level(std::uint32_t tile) {
    return static_cast<std::uint32_t>(std::min(std::uint64_t{tile} * tile / 8 * 3, std::uint64_t{largest}));
}

/// Does not depend on n. `stable`: whether equal keys always stay in input order, so that digits may sort. `random`:
/// whether samples are random, so that equal samples of a tile may lose their order.
Policy policy_of(const SortFrame& frame, bool stable, bool random) {
    if (frame.capacity() > largest)
        throw Error(fmt::format("{} elements exceed the limit of {} of sample", frame.capacity(), largest));
    std::uint32_t limit = merges_for(frame, largest).tile();
    if (stable && digits_for(frame, 2 * limit)) limit *= 2;
    const std::uint32_t asked = frame.tuning().sample.tile;
    if (asked != 0 && (!std::has_single_bit(asked) || asked < min_sample_tile || asked > limit))
        throw Error(fmt::format("a tile of {} elements; sample needs a power of two from {} to {} here", asked,
                                min_sample_tile, limit));
    const Tuning& tuning = tuning_of(frame);
    const std::uint32_t largest_wanted =
        frame.capacity() <= max_of_expected_level(tuning.max_tile) ? tuning.max_tile : tuning.largest_tile;
    const std::uint32_t wanted =
        std::clamp(std::bit_floor(std::max(frame.capacity() / tuning.tiles, 1u)), tuning.min_tile, largest_wanted);
    Policy policy;
    policy.prefix_columns = tuning.prefix_columns;
    policy.min_prefix_parts = tuning.min_prefix_parts;
    policy.max_prefix_parts = tuning.max_prefix_parts;
    policy.relocated_elements = tuning.relocated_elements;
    policy.element_type = frame.element_type();
    policy.sample = frame.element_type().with_index();
    policy.tile = asked != 0 ? asked : std::min(wanted, limit);
    policy.merges = merges_for(frame, policy.tile);
    if (stable) policy.digits = digits_for(frame, policy.tile);
    policy.shared_words = frame.limits().shared_memory / 4;
    const std::uint32_t max_words = std::bit_floor(policy.shared_words);
    policy.invocations = std::min(std::bit_floor(frame.limits().invocations), max_words);
    // To move buckets, a group has some words for each.
    policy.max_samples = std::min(policy.tile, max_words / 2);
    while (policy.max_samples >= min_samples_of_tile &&
           relocated_words(policy.tile, policy.max_samples) > policy.shared_words)
        policy.max_samples /= 2;
    if (policy.max_samples < min_samples_of_tile)
        throw Error(fmt::format("sample needs groups with more shared memory than {} bytes (shared_memory)",
                                frame.limits().shared_memory));
    policy.random = random;
    if (random) policy.max_samples = std::min(policy.max_samples, merge::group_policy_of(frame, policy.sample).tile());
    const std::uint32_t samples = frame.tuning().sample.samples;
    if (samples != 0 &&
        (!std::has_single_bit(samples) || samples < min_samples_of_tile || samples > policy.max_samples))
        throw Error(fmt::format("{} samples per tile of {} elements; sample needs a power of two from {} to {}",
                                samples, policy.tile, min_samples_of_tile, policy.max_samples));
    return policy;
}

/// Chooses the division of up to `count` elements into levels.
using CutChooser = std::vector<Cut> (*)(const SortFrame&, const Policy&, std::uint32_t count);

std::vector<Cut> one_level(const SortFrame& frame, const Policy& policy, std::uint32_t count) {
    if (count <= policy.tile) return {};
    return {{.samples = frame.tuning().sample.samples != 0
                            ? frame.tuning().sample.samples
                            : std::min(tuning_of(frame).paper_samples, policy.max_samples)}};
}

/// The largest count below `too_many` for which there are guaranteed levels.
std::uint32_t max_of_guaranteed_levels(const SortFrame& frame, const Policy& policy, std::uint32_t too_many) {
    const std::uint32_t asked = frame.tuning().sample.samples;
    const auto fits = [&](std::uint32_t count) {
        const std::uint32_t most = asked != 0 ? asked : policy.max_samples;
        for (std::uint32_t samples = asked != 0 ? asked : min_samples_of_tile; samples <= most; samples *= 2)
            for (const std::uint32_t wanted : {policy.tile / 2, policy.tile / 4, policy.tile / 8})
                if (!cuts_down_to(wanted, count, {policy.tile, samples, policy.samples_together()}).empty())
                    return true;
        return false;
    };
    std::uint32_t low = policy.tile;  // One tile needs no levels.
    while (low + 1 < too_many) {
        const std::uint32_t middle = low + (too_many - low) / 2;
        (fits(middle) ? low : too_many) = middle;
    }
    return low;
}

/// If the request has no number of samples, chooses the number with the least work. The unit of work is an eighth of a
/// level's work per element. A sample of the first level is sorted in several passes. The last sort takes as long for a
/// partly filled tile as for a full one.
std::vector<Cut> guaranteed_levels(const SortFrame& frame, const Policy& policy, std::uint32_t count) {
    const Tuning& tuning = tuning_of(frame);
    const std::uint32_t tile = policy.tile;
    if (count <= tile) return {};
    std::vector<Cut> best;
    std::uint64_t best_work = 0;
    const bool asked = frame.tuning().sample.samples != 0;
    for (std::uint32_t samples = asked ? frame.tuning().sample.samples : min_samples_of_tile;
         samples <= policy.max_samples; samples *= 2) {
        for (const std::uint32_t wanted : {tile / 2, tile / 4, tile / 8}) {
            const auto shape = cuts_down_to(wanted, count, {tile, samples, policy.samples_together()});
            if (shape.empty()) continue;
            const std::uint32_t bound = last_bound(tile, sample::levels_of(count, tile, shape));
            const std::uint64_t first_samples = std::uint64_t{count} / (tile / shape.front().samples);
            const std::uint64_t work = std::uint64_t{count} * tuning.level_work * shape.size() +
                                       tuning.sample_work * first_samples +
                                       std::uint64_t{count} * tuning.last_sort_work * tile / (tile - bound + 1);
            if (best.empty() || work < best_work) {
                best = shape;
                best_work = work;
            }
        }
        if (asked) break;
    }
    if (best.empty())
        throw Error(fmt::format("tiles of {} elements with {} samples sort up to {} elements, not the capacity {}",
                                policy.tile, asked ? fmt::format("{}", frame.tuning().sample.samples) : "any number of",
                                max_of_guaranteed_levels(frame, policy, count), frame.capacity()));
    return best;
}

/// A first level, and a second level for the buckets that still outgrow a tile. Buckets of the first level have at most
/// three quarters of a tile on average. Empty if one guaranteed level is enough, or if more than one would have to
/// follow. Also empty if samples would exceed a sixteenth of a tile.
///
/// For keys in random order, the number of elements between two samples varies like a sum of independent distances.
/// With q elements per sample, a bucket of b elements has a standard deviation of sqrt(b q). With 256 samples, a full
/// tile is four and a half standard deviations away.
std::vector<Cut> expected_level(const SortFrame& frame, const Policy& policy, std::uint32_t count) {
    const Tuning& tuning = tuning_of(frame);
    // Storage blocks of the last op if the op writes the caller's output. With fewer, a copy would have to follow.
    constexpr std::uint32_t storage_blocks = 5;
    const std::uint32_t tile = policy.tile;
    const std::uint32_t samples =
        frame.tuning().sample.samples != 0 ? frame.tuning().sample.samples : tuning.expected_samples;
    const auto buckets = static_cast<std::uint32_t>(std::uint64_t{count} * 4 / 3 / tile);
    if (policy.random || frame.limits().storage_blocks < storage_blocks) return {};
    if (tile / samples < tuning.sample_spacing || buckets < 8) return {};
    if (count > max_of_expected_level(tile) || relocated_words(tile, buckets + samples) > policy.shared_words)
        return {};
    const std::uint32_t segments = std::min(std::bit_floor(buckets / 2), samples);
    const Cut first{samples, segments, records_for(buckets, segments)};
    const std::uint32_t room = bucket_bound(count, {tile, samples}, segments);
    const auto second = cuts_down_to(tile / 4, room, {tile, policy.max_samples, policy.samples_together()}, false);
    if (room <= tile || second.size() != 1) return {};
    return {first, second.front()};
}

std::vector<Cut> several_levels(const SortFrame& frame, const Policy& policy, std::uint32_t count) {
    const std::vector<Cut> expected = expected_level(frame, policy, count);
    return expected.empty() ? guaranteed_levels(frame, policy, count) : expected;
}

/// The max count for the cuts of n elements. A sort has the cuts of the next power of two. The required sizes of the
/// streams are then known.
std::uint32_t last_of_cuts(const SortFrame& frame, std::uint32_t n) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::bit_ceil(std::uint64_t{n}), frame.capacity()));
}

/// The counts that share levels with n elements: a quarter of the counts between two powers of two. Rooms and bounds
/// are those of the last of these counts, and so at most a quarter larger than needed.
CountRange counts_of_levels(const SortFrame& frame, const Policy& policy, std::uint32_t n) {
    if (n <= policy.tile) return {1, policy.tile};
    // A tile, and so the count before the first, is a multiple of four.
    const std::uint32_t before = between_powers(n).first - 1;
    const std::uint32_t quarter = before / 4;
    const std::uint32_t first = before + (n - 1 - before) / quarter * quarter;
    return {first + 1, std::min(first + quarter, frame.capacity())};
}

/// The levels of a sort of n elements.
std::vector<Level> levels_of(const SortFrame& frame, const Policy& policy, CutChooser choose_cuts, std::uint32_t n) {
    if (n <= policy.tile) return {};
    return sample::levels_of(counts_of_levels(frame, policy, n).last, policy.tile,
                             choose_cuts(frame, policy, last_of_cuts(frame, n)));
}

/// Whether a level divides only buckets that have outgrown a tile.
bool divides_again(const Level& level) {
    return level.of_buckets > 1;
}

/// Whether one group sorts the samples of a segment.
bool one_group_sorts_samples(const Policy& policy, const Level& level) {
    return level.samples_each() <= policy.samples_together();
}

/// Whether the samples of the first level are sorted by digits.
bool sweeps_samples(const SortFrame& frame, const Policy& policy) {
    // Storage blocks of the first sweep.
    constexpr std::uint32_t blocks_of_sweep = 5;
    return policy.digits_sort_samples() && frame.limits().look_back && frame.limits().storage_blocks >= blocks_of_sweep;
}

struct Streams {
    StreamId tiles;
    StreamId records;
    StreamId samples;
    StreamId splits;
    StreamId places;
    StreamId moves;
    StreamId starts;
    StreamId divided;
    std::optional<radix::OneSweep> sweeps = std::nullopt;
};

Streams add_streams(SortFrame& frame, const Policy& policy, CutChooser choose_cuts) {
    std::uint32_t samples = 1;
    std::uint32_t places = 1;
    std::uint32_t buckets = 1;
    std::uint32_t divided = 1;
    for (std::uint64_t end = 1;; end *= 2) {
        const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, frame.capacity()));
        int number = 0;
        for (const Level& level : levels_of(frame, policy, choose_cuts, n)) {
            samples = std::max(samples, level.all_samples());
            places = std::max(places, level.all_places());
            std::uint32_t& max_buckets = ++number % 2 == 1 ? buckets : divided;
            max_buckets = std::max(max_buckets, level.buckets());
        }
        if (n == frame.capacity()) break;
    }
    Streams streams{};
    streams.tiles = frame.add_stream("tiles", policy.element_type.words());
    streams.records = frame.add_stream("records", policy.element_type.words());
    streams.samples = frame.add_stream("samples", policy.sample.words(), 1, samples);
    if (sweeps_samples(frame, policy)) {
        streams.sweeps.emplace(frame, policy.sample, samples, BitRange{0, 32 * policy.sample.code_words()});
    } else {
        const merge::GroupPolicy merges = merge::group_policy_of(frame, policy.sample);
        streams.splits =
            frame.add_stream("splits", 4, merges.windows().split_elements(), records_for(samples, merges.tile()));
    }
    streams.places = frame.add_stream("places", 1, 1, places);
    streams.moves = frame.add_stream("moves", 2, 1, places);
    streams.starts = frame.add_stream("starts", 1, 1, buckets + 1);
    streams.divided = frame.add_stream("divided", 1, 1, divided + 1);
    frame.set_result(streams.records);
    return streams;
}

/// The starts of a level's buckets. Levels alternate between two streams: one op writes the starts of buckets, and
/// later ops of the level still read the starts of segments.
StreamUse starts_of(const Streams& streams, int number, std::uint32_t buckets) {
    return {number % 2 == 1 ? streams.starts : streams.divided, Substream::range(0, buckets + 1)};
}

/// Adds the ops of a level one by one, with their common properties.
class LevelOps {
  public:
    LevelOps(SortFrame& frame, const Policy& policy, Streams& streams, const Level& level, int number)
        : frame_(frame), policy_(policy), streams_(streams), level_(level), number_(number) {}

    void add_all() {
        add(2, tile_kernel(policy_, level_.of_buckets), segments({records()}), {tiles()}, groups());
        add_samples();
        add(6, place_kernel(policy_, level_), segments({tiles(), samples()}), {places()}, groups());
        add(7, prefix_kernel(policy_, level_), segments({places()}), {moves(), buckets()},
            level_.segments * column_groups_of(policy_, level_));
        add(8, relocate_kernel(policy_, level_), segments({tiles(), moves()}), {records()},
            groups(tiles_together(policy_.tile, level_.buckets_each())));
    }

  private:
    /// The number of samples that the first level takes, in the order of the tiles.
    Counted taken() const { return full_parts_of(frame_.count(), policy_.tile / level_.cut.samples); }
    /// The number of tiles of a segment. The only segment of the first level has all elements.
    Counted tiles_each() const { return number_ == 1 ? parts_of(frame_.count(), policy_.tile) : Counted(level_.tiles); }
    /// The number of groups of a kernel that works on tiles. A group has all tiles of a segment, or `together` tiles.
    Counted groups(std::uint32_t together = 1) const {
        return divides_again(level_) ? Counted(level_.segments) : parts_of(tiles_each(), together) * level_.segments;
    }
    /// The records of a stream that has `each` records for each tile.
    Substream of_tiles(std::uint32_t each) const { return Substream::first(tiles_each() * (level_.segments * each)); }
    bool grouped() const { return one_group_sorts_samples(policy_, level_); }

    StreamUse all_of(StreamId stream) const { return {stream, frame_.elements_of(stream)}; }
    StreamUse tiles() const { return all_of(streams_.tiles); }
    StreamUse records() const { return all_of(streams_.records); }
    StreamUse samples() const {
        return {streams_.samples, grouped() ? of_tiles(level_.cut.samples) : Substream::first(taken())};
    }
    StreamUse places() const { return {streams_.places, of_tiles(level_.buckets_each())}; }
    StreamUse moves() const { return {streams_.moves, places().records}; }
    StreamUse buckets() const { return starts_of(streams_, number_, level_.buckets()); }

    /// `reads`, followed by the starts of segments if there are several.
    std::vector<StreamUse> segments(std::vector<StreamUse> reads) const {
        if (level_.of_buckets > 0)
            reads.push_back(starts_of(streams_, number_ - 1, level_.segments * level_.of_buckets));
        return reads;
    }

    void add_samples() {
        if (grouped()) return add(4, sort_kernel(policy_, level_), segments({tiles()}), {samples()}, level_.segments);
        add(3, take_kernel(policy_, level_), {tiles()}, {samples()}, taken());
        if (streams_.sweeps) return streams_.sweeps->add(streams_.samples, taken(), {.level = number_, .step = 4});
        const merge::GroupPolicy merges = merge::group_policy_of(frame_, policy_.sample);
        for (Op& op : merge::shared_sort(merges, streams_.samples, streams_.splits, taken())) {
            op.labels = {.level = number_, .step = 4};
            frame_.add(std::move(op));
        }
    }

    void add(int step, KernelPtr kernel, std::vector<StreamUse> reads, std::vector<StreamUse> writes,
             const Counted& domain) {
        Op op;
        op.parameters = {frame_.count(), tiles_each(), level_.segments};
        // The seed, which differs from level to level.
        if (policy_.random) op.parameters.push_back(static_cast<std::uint32_t>(number_));
        op.kernel = std::move(kernel);
        op.reads = std::move(reads);
        op.writes = std::move(writes);
        op.domain = Substream::first(domain);
        op.labels = {.level = number_, .step = step};
        frame_.add(std::move(op));
    }

    SortFrame& frame_;
    const Policy& policy_;
    Streams& streams_;
    const Level& level_;
    int number_;
};

/// Step 9 of the paper.
constexpr int sublist_sort = 9;

void add_last(SortFrame& frame, KernelPtr kernel, std::vector<StreamUse> reads, const StreamUse& write,
              const Counted& domain, std::vector<Counted> parameters, int stage = -1) {
    Op op;
    op.kernel = std::move(kernel);
    op.reads = std::move(reads);
    op.writes = {write};
    op.domain = Substream::first(domain);
    op.parameters = std::move(parameters);
    op.labels = {.stage = stage, .step = sublist_sort};
    frame.add(std::move(op));
}

/// The counts of these levels whose samples are sorted by the ops of n elements.
CountRange counts_alike(const SortFrame& frame, const Policy& policy, const Streams& streams,
                        const std::vector<Level>& levels) {
    const CountRange counts = counts_of_levels(frame, policy, frame.n());
    const Level& level = levels.front();
    if (one_group_sorts_samples(policy, level)) return counts;
    const std::uint32_t spacing = policy.tile / level.cut.samples;
    const std::uint32_t taken = frame.n() / spacing;
    const CountRange samples = streams.sweeps
                                   ? streams.sweeps->counts_alike(taken)
                                   : merge::counts_alike(merge::group_policy_of(frame, policy.sample), taken);
    const std::uint64_t last = std::uint64_t{samples.last} * spacing + spacing - 1;
    return {std::max(counts.first, samples.first * spacing),
            static_cast<std::uint32_t>(std::min<std::uint64_t>(counts.last, last))};
}

void add_levels(SortFrame& frame, const Policy& policy, Streams& streams, const std::vector<Level>& levels) {
    int number = 0;
    for (const Level& level : levels)
        LevelOps(frame, policy, streams, level, ++number).add_all();
}

/// Sorts up to one tile.
void add_tile(SortFrame& frame, const Policy& policy, const Streams& streams) {
    const StreamUse records{streams.records, frame.elements_of(streams.records)};
    std::vector<Counted> parameters{frame.count(), 1, 1};
    const auto kernel = tile_kernel(policy, 0);
    parameters.resize(kernel->parameters.size());
    add_last(frame, kernel, {records}, records, 1, std::move(parameters));
    frame.set_counts({1, policy.tile});
}

void plan_levels(SortFrame& frame, bool random) {
    if (frame.n() == 0) return;
    const Policy policy = policy_of(frame, true, random);
    Streams streams = add_streams(frame, policy, several_levels);
    const std::vector<Level> levels = levels_of(frame, policy, several_levels, frame.n());
    if (levels.empty()) return add_tile(frame, policy, streams);
    add_levels(frame, policy, streams, levels);
    frame.set_counts(counts_alike(frame, policy, streams, levels));

    const Level& last = levels.back();
    const StreamUse records{streams.records, frame.elements_of(streams.records)};
    const std::uint32_t window = policy.tile - last_bound(policy.tile, levels) + 1;
    if (divides_again(last)) {
        const std::uint32_t buckets = levels.front().buckets();
        const std::uint32_t windows = records_for(last.room, window);
        return add_last(frame, buckets_kernel(policy, last),
                        {records, starts_of(streams, 1, buckets), starts_of(streams, 2, last.buckets())}, records,
                        buckets + last.segments, {frame.count(), buckets, window, windows, last.tiles});
    }
    const Counted windows = parts_of(frame.count(), window);
    const StreamUse starts = starts_of(streams, static_cast<int>(levels.size()), last.buckets());
    const std::vector<Counted> parameters{frame.count(), last.buckets(), window};
    if (random) add_last(frame, outgrown_kernel(policy), {starts}, records, windows, parameters);
    add_last(frame, buckets_kernel(policy), {records, starts}, records, windows, parameters);
}

void plan_one_level(SortFrame& frame) {
    if (frame.n() == 0) return;
    // A bitonic network leaves equal keys in any order.
    const Policy policy = policy_of(frame, false, false);
    Streams streams = add_streams(frame, policy, one_level);
    const std::vector<Level> levels = levels_of(frame, policy, one_level, frame.n());
    if (levels.empty()) return add_tile(frame, policy, streams);
    add_levels(frame, policy, streams, levels);
    frame.set_counts(counts_alike(frame, policy, streams, levels));

    const std::uint32_t buckets = levels.back().buckets();
    const std::uint32_t bound = last_bound(policy.tile, levels);
    const std::uint32_t tiles = records_for(bound, policy.tile);
    const StreamUse records{streams.records, frame.elements_of(streams.records)};
    const StreamUse starts{streams.starts, Substream::range(0, buckets + 1)};
    const auto tile = bucket_tile_kernel(policy);
    const auto step = step_kernel(policy);
    int stage = std::bit_width(policy.tile) - 1;
    const auto add_tiles = [&] {
        add_last(frame, tile, {records, starts}, records, buckets * tiles, {frame.count(), tiles, buckets}, stage);
    };
    const auto add_step = [&](std::uint32_t mask) {
        add_last(frame, step, {records, starts}, records, frame.count(), {buckets, mask}, stage);
    };
    add_tiles();
    for (std::uint64_t block = 2 * std::uint64_t{policy.tile}; block / 2 < bound; block *= 2) {
        ++stage;
        add_step(static_cast<std::uint32_t>(block - 1));
        for (auto distance = static_cast<std::uint32_t>(block / 4); distance >= policy.tile; distance /= 2)
            add_step(distance);
        add_tiles();
    }
}

/// The counts of each quarter have the same levels. Within a quarter, only the number of samples changes the kernels.
Counts counts_of(const SortFrame& frame, const Policy& policy, CutChooser choose_cuts) {
    const merge::GroupPolicy merges = merge::group_policy_of(frame, policy.sample);
    const Counts ends_of_sort = sweeps_samples(frame, policy) ? radix::OneSweep::counts(frame, policy.sample)
                                                              : merge::counts_of_shared_sort(merges, frame.capacity());
    Counts counts{policy.tile};
    for (std::uint64_t first = std::uint64_t{policy.tile} + 1; first <= frame.capacity();) {
        const auto n = static_cast<std::uint32_t>(first);
        const std::uint32_t last = counts_of_levels(frame, policy, n).last;
        const std::vector<Level> levels = levels_of(frame, policy, choose_cuts, n);
        const std::uint32_t spacing = policy.tile / levels.front().cut.samples;
        add_changes(counts, n, last, [&](std::uint32_t count) {
            return std::count_if(ends_of_sort.begin(), ends_of_sort.end(),
                                 [&](std::uint32_t end) { return count / spacing > end; });
        });
        first = std::uint64_t{last} + 1;
    }
    return counts;
}

}  // namespace
}  // namespace sample

ElementType::Form form_of_sample(const PlanRequest& request, const AlgorithmChoice& choice) {
    if (request.spec.order.comparison || request.n == 0) return ElementType::Form::indexed;
    const SortFrame trial(request, choice, ElementType::Form::key_value);
    return sample::policy_of(trial, true, false).digits ? ElementType::Form::key_value : ElementType::Form::indexed;
}

void plan_sample_multi_level(SortFrame& frame) {
    sample::plan_levels(frame, false);
}
void plan_sample_randomized(SortFrame& frame) {
    sample::plan_levels(frame, true);
}
void plan_sample_paper(SortFrame& frame) {
    sample::plan_one_level(frame);
}

namespace {

Counts counts_of_sample_multi_level(const SortFrame& largest) {
    return sample::counts_of(largest, sample::policy_of(largest, true, false), sample::several_levels);
}

Counts counts_of_sample_randomized(const SortFrame& largest) {
    return sample::counts_of(largest, sample::policy_of(largest, true, true), sample::several_levels);
}

Counts counts_of_sample_paper(const SortFrame& largest) {
    return sample::counts_of(largest, sample::policy_of(largest, false, false), sample::one_level);
}

/// Tiles and samples are sorted as in a radix sort or a merge sort.
constexpr std::array<const TuningFamily*, 3> tunings{&sample::tuning_family, &radix::tuning_family,
                                                     &merge::tuning_family};

constexpr Takes taken_by_sample{.comparison = true, .tile = true, .samples = true};

constexpr VariantDescriptor sample_variants[] = {
    {.name = "multi-level",
     .summary = "deterministic sample sort, buckets divided again until they fit a tile",
     .source = "Dehne and Zaboli 2010, extended",
     .takes = taken_by_sample,
     .form = ElementType::Form::indexed,
     .form_for = form_of_sample,
     .plan = plan_sample_multi_level,
     .counts = counts_of_sample_multi_level,
     .tuning = tunings},
    {.name = "paper",
     .summary = "GPU Bucket Sort: one level of 64 samples a tile",
     .source = "Dehne and Zaboli 2010",
     .takes = taken_by_sample,
     .form = ElementType::Form::indexed,
     .plan = plan_sample_paper,
     .counts = counts_of_sample_paper,
     .tuning = tunings},
    {.name = "randomized",
     .summary = "sample sort with samples drawn at random",
     .source = "Leischner, Osipov and Sanders 2010",
     .takes = taken_by_sample,
     .form = ElementType::Form::indexed,
     .plan = plan_sample_randomized,
     .counts = counts_of_sample_randomized,
     .tuning = tunings},
};

}  // namespace

extern constinit const AlgorithmDescriptor sample_algorithm{.name = "sample", .variants = sample_variants};

}  // namespace glsort
