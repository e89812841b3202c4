#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/sample.h>
#include <glsort/plan/sample_kernels.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

namespace glsort {
namespace sample {
namespace {

/// The largest n: numbers of 32 bits must reach all samples of all levels.
constexpr std::uint32_t largest = 1u << 29;

/// How groups sort up to `tile` records by merges: a whole tile where it fits.
merge::GroupSetting merges_for(const SortFrame& frame, std::uint32_t tile) {
    const Limits& limits = frame.limits();
    merge::GroupSetting setting{.record = frame.record(), .elements = 8};
    const std::uint32_t fitting = limits.shared_memory / (4 * setting.record.words() * setting.elements);
    setting.invocations =
        std::bit_floor(std::max(std::min({tile / setting.elements, fitting, limits.invocations}), 2u));
    return setting;
}

/// How groups sort a tile by digits: nothing where keys have none, subgroups are missing, or it does not fit.
std::optional<radix::Setting> digits_for(const SortFrame& frame, std::uint32_t tile) {
    if (frame.record().comparison() || frame.limits().subgroup_size == 0) return std::nullopt;
    // More elements of an invocation take more registers than there are. A group has at least as many invocations as
    // there are digits.
    constexpr std::uint32_t most_elements = 16;
    const std::uint32_t invocations = std::clamp(tile / 8, 256u, std::max(frame.limits().invocations, 256u));
    const std::uint32_t elements = tile / radix::ranking_of(frame, invocations, 1).invocations;
    if (elements < 1 || elements > most_elements) return std::nullopt;
    const radix::Setting setting = radix::ranking_of(frame, invocations, elements);
    return setting.tile() == tile ? std::optional(setting) : std::nullopt;
}

/// What holds for every n up to the capacity. `stable`: equal keys always lie in the order of the input, so that
/// digits may sort. `random`: those of the samples of one tile do not.
Setting setting_of(const SortFrame& frame, bool stable, bool random) {
    if (frame.capacity() > largest)
        throw Error(fmt::format("plan: {} elements exceed the limit of {} of sample", frame.capacity(), largest));
    std::uint32_t most = merges_for(frame, largest).tile();
    if (stable && digits_for(frame, 2 * most)) most *= 2;
    const std::uint32_t asked = frame.tile();
    if (asked != 0 && (!std::has_single_bit(asked) || asked < least_sample_tile || asked > most))
        throw Error(fmt::format("plan: tiles of {} records; sample takes a power of two from {} to {} here", asked,
                                least_sample_tile, most));
    // Where there are few tiles, smaller ones keep more multiprocessors busy; where there are many, larger ones save
    // a level (docs/experiments.md).
    constexpr std::uint32_t wanted_tiles = 128;
    const std::uint32_t largest_wanted = frame.capacity() < 1u << 24 ? 4096 : 8192;
    const std::uint32_t wanted =
        std::clamp(std::bit_floor(std::max(frame.capacity() / wanted_tiles, 1u)), 512u, largest_wanted);
    Setting setting;
    setting.record = frame.record();
    setting.tile = asked != 0 ? asked : std::min(wanted, most);
    setting.merges = merges_for(frame, setting.tile);
    if (stable) setting.digits = digits_for(frame, setting.tile);
    const std::uint32_t shared_words = std::bit_floor(frame.limits().shared_memory / 4);
    setting.invocations = std::min(std::bit_floor(frame.limits().invocations), shared_words);
    // When buckets are moved, a group has two words for each.
    setting.most_samples = std::min(setting.tile, shared_words / 2);
    setting.random = random;
    if (random) setting.most_samples = std::min(setting.most_samples, merge::group_setting_of(frame).tile());
    const std::uint32_t samples = frame.samples();
    if (samples != 0 &&
        (!std::has_single_bit(samples) || samples < fewest_samples_of_tile || samples > setting.most_samples))
        throw Error(fmt::format("plan: {} samples of a tile of {} records; sample takes a power of two from {} to {}",
                                samples, setting.tile, fewest_samples_of_tile, setting.most_samples));
    return setting;
}

/// The samples of each level, for at most so many records.
using Shape = std::vector<std::uint32_t> (*)(const SortFrame&, const Setting&, std::uint32_t count);

std::vector<std::uint32_t> one_level(const SortFrame& frame, const Setting& setting, std::uint32_t count) {
    constexpr std::uint32_t of_the_paper = 64;
    if (count <= setting.tile) return {};
    return {frame.samples() != 0 ? frame.samples() : std::min(of_the_paper, setting.most_samples)};
}

/// Of the samples there can be those with the least work, in eighths of what a level does with a record. A sample of
/// the first level is sorted in several passes; and the last sort takes as long for a tile that is not full.
std::vector<std::uint32_t> several_levels(const SortFrame& frame, const Setting& setting, std::uint32_t count) {
    constexpr std::uint32_t of_a_level = 8;
    constexpr std::uint32_t of_a_sample = 64;
    constexpr std::uint32_t of_the_last_sort = 5;
    const std::uint32_t tile = setting.tile;
    if (count <= tile) return {};
    std::vector<std::uint32_t> best;
    std::uint64_t least = 0;
    const bool asked = frame.samples() != 0;
    for (std::uint32_t samples = asked ? frame.samples() : fewest_samples_of_tile; samples <= setting.most_samples;
         samples *= 2) {
        for (const std::uint32_t wanted : {tile / 2, tile / 4, tile / 8}) {
            const auto shape = samples_down_to(wanted, count, {tile, samples, setting.merges.tile()});
            if (shape.empty()) continue;
            const std::uint32_t bound = last_bound(count, tile, sample::levels_of(count, tile, shape));
            const std::uint64_t first_samples = std::uint64_t{count} / (tile / shape.front());
            const std::uint64_t work = std::uint64_t{count} * of_a_level * shape.size() + of_a_sample * first_samples +
                                       std::uint64_t{count} * of_the_last_sort * tile / (tile - bound + 1);
            if (best.empty() || work < least) {
                best = shape;
                least = work;
            }
        }
        if (asked) break;
    }
    if (best.empty())
        throw Error(fmt::format("plan: tiles of {} records with {} samples are too small for {} elements", setting.tile,
                                asked ? fmt::format("{}", frame.samples()) : "any", count));
    return best;
}

/// The levels of a sort of n records. One of fewer records has the levels of the next power of two, so that what the
/// streams have room for is known.
std::vector<Level> levels_of(const SortFrame& frame, const Setting& setting, Shape shape, std::uint32_t n) {
    if (n <= setting.tile) return {};
    const std::uint32_t count = std::min(std::bit_ceil(n), frame.capacity());
    return sample::levels_of(n, setting.tile, shape(frame, setting, count));
}

/// The samples of a segment are sorted by one group.
bool one_group_sorts_samples(const Setting& setting, const Level& level) {
    return level.tiles * level.samples <= setting.merges.tile();
}

struct Streams {
    StreamId records;
    StreamId samples;
    StreamId splits;
    StreamId places;
    StreamId moves;
    StreamId starts;
};

Streams add_streams(SortFrame& frame, const Setting& setting, Shape shape) {
    const merge::GroupSetting merges = merge::group_setting_of(frame);
    std::uint32_t samples = 1;
    std::uint32_t buckets = 1;
    for (std::uint64_t end = 1;; end *= 2) {
        const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, frame.capacity()));
        for (const Level& level : levels_of(frame, setting, shape, n)) {
            samples = std::max(samples, level.all_samples());
            buckets = std::max(buckets, level.buckets());
        }
        if (n == frame.capacity()) break;
    }
    Streams streams{};
    streams.records = frame.add_stream("records", setting.record.words());
    streams.samples = frame.add_stream("samples", setting.record.words(), 1, samples);
    streams.splits = frame.add_stream("splits", 4, merges.windows().split_elements(),
                                      records_for(samples, merges.tile()));
    streams.places = frame.add_stream("places", 1, 1, samples);
    streams.moves = frame.add_stream("moves", 2, 1, samples);
    streams.starts = frame.add_stream("starts", 1, 1, buckets + 1);
    frame.set_result(streams.records);
    return streams;
}

/// Adds ops one by one, with what all ops of a level have in common.
class LevelOps {
  public:
    LevelOps(SortFrame& frame, const Setting& setting, const Streams& streams, const Level& level, int number)
        : frame_(frame), setting_(setting), streams_(streams), level_(level), number_(number) {}

    void add_all() {
        add(2, tile_kernel(setting_, starts()), segments({records()}), {records()}, level_.all_tiles());
        add_samples();
        add(6, place_kernel(setting_, level_, starts()), segments({records(), samples()}), {places()},
            level_.all_tiles());
        add(7, prefix_kernel(setting_, level_, starts()), segments({places()}),
            {{streams_.moves, rows()}, buckets()}, level_.buckets() / columns_of(level_));
        add(8, relocate_kernel(setting_, level_), {records(), {streams_.moves, rows()}, buckets()},
            {records()}, level_.all_tiles());
    }

  private:
    bool starts() const { return number_ > 1; }
    Substream rows() const { return Substream::range(0, level_.all_samples()); }
    /// What the first level takes, all tiles one after the other.
    std::uint32_t taken() const { return frame_.n() / (setting_.tile / level_.samples); }
    bool grouped() const { return one_group_sorts_samples(setting_, level_); }

    StreamUse records() const { return {streams_.records, frame_.elements_of(streams_.records)}; }
    StreamUse samples() const {
        return {streams_.samples, grouped() ? rows() : Substream::range(0, taken())};
    }
    StreamUse places() const { return {streams_.places, rows()}; }
    StreamUse buckets() const { return {streams_.starts, Substream::range(0, level_.buckets() + 1)}; }

    /// What an op reads, and where segments begin.
    std::vector<StreamUse> segments(std::vector<StreamUse> reads) const {
        if (starts()) reads.push_back({streams_.starts, Substream::range(0, level_.segments + 1)});
        return reads;
    }

    void add_samples() {
        if (grouped())
            return add(4, sort_kernel(setting_, level_, starts()), segments({records()}), {samples()},
                       level_.segments);
        add(3, take_kernel(setting_, level_), {records()}, {samples()}, taken());
        for (Op& op : merge::shared_sort(merge::group_setting_of(frame_), streams_.samples, streams_.splits, taken())) {
            op.labels = {.level = number_, .step = 4};
            frame_.add(std::move(op));
        }
    }

    void add(int step, KernelPtr kernel, std::vector<StreamUse> reads, std::vector<StreamUse> writes,
             std::uint32_t domain) {
        Op op;
        op.parameters = {frame_.n(), level_.tiles, level_.segments};
        // Other numbers on each level.
        if (setting_.random) op.parameters.push_back(static_cast<std::uint32_t>(number_));
        op.kernel = std::move(kernel);
        op.reads = std::move(reads);
        op.writes = std::move(writes);
        op.domain = Substream::range(0, domain);
        op.labels = {.level = number_, .step = step};
        frame_.add(std::move(op));
    }

    SortFrame& frame_;
    const Setting& setting_;
    const Streams& streams_;
    const Level& level_;
    int number_;
};

/// The paper's step 9.
constexpr int sublist_sort = 9;

void add_last(SortFrame& frame, KernelPtr kernel, std::vector<StreamUse> reads, const StreamUse& write,
              std::uint32_t domain, std::vector<std::uint32_t> parameters, int stage = -1) {
    Op op;
    op.kernel = std::move(kernel);
    op.reads = std::move(reads);
    op.writes = {write};
    op.domain = Substream::range(0, domain);
    op.parameters = std::move(parameters);
    op.labels = {.stage = stage, .step = sublist_sort};
    frame.add(std::move(op));
}

void add_levels(SortFrame& frame, const Setting& setting, const Streams& streams, const std::vector<Level>& levels) {
    int number = 0;
    for (const Level& level : levels) LevelOps(frame, setting, streams, level, ++number).add_all();
}

/// What fits a tile.
void add_tile(SortFrame& frame, const Setting& setting, const Streams& streams) {
    const StreamUse records{streams.records, frame.elements_of(streams.records)};
    std::vector<std::uint32_t> parameters{frame.n(), 1, 1};
    const auto kernel = tile_kernel(setting, false);
    parameters.resize(kernel->parameters.size());
    add_last(frame, kernel, {records}, records, 1, std::move(parameters));
}

void plan_levels(SortFrame& frame, bool random) {
    if (frame.n() == 0) return;
    const Setting setting = setting_of(frame, true, random);
    const Streams streams = add_streams(frame, setting, several_levels);
    const std::vector<Level> levels = levels_of(frame, setting, several_levels, frame.n());
    if (levels.empty()) return add_tile(frame, setting, streams);
    add_levels(frame, setting, streams, levels);

    const std::uint32_t buckets = levels.back().buckets();
    const std::uint32_t window = setting.tile - last_bound(frame.n(), setting.tile, levels) + 1;
    const std::uint32_t windows = records_for(frame.n(), window);
    const StreamUse records{streams.records, frame.elements_of(streams.records)};
    const StreamUse starts{streams.starts, Substream::range(0, buckets + 1)};
    const std::vector<std::uint32_t> parameters{frame.n(), buckets, window};
    if (random) add_last(frame, outgrown_kernel(setting), {starts}, records, windows, parameters);
    add_last(frame, buckets_kernel(setting), {records, starts}, records, windows, parameters);
}

void plan_one_level(SortFrame& frame) {
    if (frame.n() == 0) return;
    // A bitonic network leaves equal keys in any order.
    const Setting setting = setting_of(frame, false, false);
    const Streams streams = add_streams(frame, setting, one_level);
    const std::vector<Level> levels = levels_of(frame, setting, one_level, frame.n());
    if (levels.empty()) return add_tile(frame, setting, streams);
    add_levels(frame, setting, streams, levels);

    const std::uint32_t buckets = levels.back().buckets();
    const std::uint32_t bound = last_bound(frame.n(), setting.tile, levels);
    const std::uint32_t tiles = records_for(bound, setting.tile);
    const StreamUse records{streams.records, frame.elements_of(streams.records)};
    const StreamUse starts{streams.starts, Substream::range(0, buckets + 1)};
    const auto tile = tile_kernel(setting, true);
    const auto step = step_kernel(setting);
    int stage = std::bit_width(setting.tile) - 1;
    const auto add_tiles = [&] {
        add_last(frame, tile, {records, starts}, records, buckets * tiles, {frame.n(), tiles, buckets}, stage);
    };
    const auto add_step = [&](std::uint32_t mask) {
        add_last(frame, step, {records, starts}, records, frame.n(), {buckets, mask}, stage);
    };
    add_tiles();
    for (std::uint64_t block = 2 * std::uint64_t{setting.tile}; block / 2 < bound; block *= 2) {
        ++stage;
        add_step(static_cast<std::uint32_t>(block - 1));
        for (auto distance = static_cast<std::uint32_t>(block / 4); distance >= setting.tile; distance /= 2)
            add_step(distance);
        add_tiles();
    }
}

}  // namespace
}  // namespace sample

void plan_sample_multi_level(SortFrame& frame) { sample::plan_levels(frame, false); }
void plan_sample_randomized(SortFrame& frame) { sample::plan_levels(frame, true); }
void plan_sample_paper(SortFrame& frame) { sample::plan_one_level(frame); }

}  // namespace glsort
