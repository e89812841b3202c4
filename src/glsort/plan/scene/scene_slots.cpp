#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/scene_results.h>
#include <glsort/plan/scene/slot_kernels.h>
#include <glsort/plan/scene/sort_key.h>
#include <glsort/plan/scene/tile_kernels.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace glsort::scene {
namespace {

class SlotPlanner {
  public:
    SlotPlanner(const SceneSpec& spec, const Limits& limits, const DigitCounts& digits)
        : to_(spec, Backend::compute), limits_(limits), digits_(digits), tiles_(tiles_of(spec)) {}

    ScenePlan plan(bool numbers) {
        slots_ = declare("slots", StreamRole::output, to_.key_words(), tiles_ * tile);
        marks_ = declare("marks", StreamRole::output, 1, tiles_ * slot_marks(limits_).words());
        totals_ = declare("totals", StreamRole::output, 1, digits_.columns());
        sort_status_ = declare("sort_status", StreamRole::output, 1, digits_.status);
        to_.plan.slots = {slots_, marks_, totals_, sort_status_};
        sums_ = declare("sums", StreamRole::scratch, 1, digits_.columns() + words_behind_sums);
        to_.plan.program.streams[sums_].begins_zero = true;
        to_.plan.keys = declare("keys", StreamRole::output, to_.key_words(), to_.items());
        if (!to_.form.packed()) to_.plan.items = declare("items", StreamRole::output, 1, to_.items());
        to_.plan.status = declare("status", StreamRole::output, 1, status_words);
        to_.declare_commands();
        add_keys(results_of(to_.spec, numbers, slot_key_blocks(to_.spec), limits_));
        return std::move(to_.plan);
    }

  private:
    StreamId declare(const char* name, StreamRole role, std::uint32_t words, std::uint32_t records) {
        return to_.declare(name, role, Medium::buffer, words, records);
    }

    using Sources = std::span<ScenePlan::Source>;

    /// An op for each few neighbouring sources that are alike.
    void add_keys(const SceneResults& results) {
        const Sources all = to_.plan.sources;
        for (std::size_t first = 0; first < all.size();) {
            const SceneSource& source = to_.source_of(all[first]);
            std::size_t end = first + 1;
            while (end < all.size() && alike(source, to_.source_of(all[end])))
                ++end;
            std::size_t in_last = 0;
            if (end == all.size()) in_last = std::min(end - first, sources_of_an_op(source, &results, limits_));
            const std::size_t most = sources_of_an_op(source, nullptr, limits_);
            for (const std::size_t others = end - in_last; first < others;) {
                const std::size_t together = std::min(most, others - first);
                add_key_op(all.subspan(first, together), nullptr);
                first += together;
            }
            if (in_last > 0) add_key_op(all.subspan(first, in_last), &results);
            first = end;
        }
    }

    /// `results`: of the last op.
    void add_key_op(Sources planned, const SceneResults* results) {
        const std::uint32_t tiles_each = tiles_of_a_group(tiles_, limits_);
        const std::uint32_t mark_words = slot_marks(limits_).words();
        const std::uint32_t status_each = records_for(digits_.status, tiles_);
        std::vector<SceneSource> sources;
        Op op;
        std::vector<Block> blocks;
        std::uint32_t groups = 0;
        const std::uint32_t first_tile = next_tile_;
        for (ScenePlan::Source& one : planned) {
            const SceneSource& source = sources.emplace_back(to_.source_of(one));
            const std::uint32_t tiles = records_for(source.capacity, tile);
            const SlotBlockParameters block{source.capacity, to_.base_of(one), next_tile_, tiles, groups};
            blocks.push_back({groups, groups + records_for(tiles, tiles_each)});
            op.blocks.push_back({.parameters = block.words(source.values.size()), .labels = {}});
            one.op = to_.plan.program.ops.size();
            one.block = op.blocks.size() - 1;
            groups = blocks.back().end;
            next_tile_ += tiles;
        }
        op.kernel = slot_key_kernel(sources, to_.form, digits_, to_.spec.direction, results, limits_);
        op.domain = Substream(std::move(blocks));
        op.reads = reads_of(planned);
        const auto of_status = [&](std::uint32_t number) { return std::min(number * status_each, digits_.status); };
        op.writes = {{slots_, Substream::range(first_tile * tile, next_tile_ * tile)},
                     {marks_, Substream::range(first_tile * mark_words, next_tile_ * mark_words)},
                     {sums_, to_.all_of(sums_)},
                     {sort_status_, Substream::range(of_status(first_tile), of_status(next_tile_))}};
        op.parameters.resize(to_.form.quantised() ? 4 : 0);
        add_slot_parameters(op, {tiles_each, digits_.status, status_each, groups});
        if (results == nullptr) return to_.add(std::move(op));
        op.writes.push_back({totals_, to_.all_of(totals_)});
        to_.add_results(std::move(op), *results);
    }

    /// Input i of all sources, then input i + 1. The counts come last.
    std::vector<StreamUse> reads_of(Sources planned) const {
        std::vector<StreamUse> reads;
        for (std::size_t i = 0; i < planned.front().inputs.size(); ++i)
            for (const ScenePlan::Source& one : planned)
                reads.push_back({one.inputs[i], to_.all_of(one.inputs[i])});
        for (const ScenePlan::Source& one : planned)
            if (one.count) reads.push_back({*one.count, to_.all_of(*one.count)});
        return reads;
    }

    SceneBuilder to_;
    const Limits& limits_;
    const DigitCounts digits_;
    const std::uint32_t tiles_;
    std::uint32_t next_tile_ = 0;
    StreamId slots_ = 0;
    StreamId marks_ = 0;
    StreamId totals_ = 0;
    StreamId sort_status_ = 0;
    StreamId sums_ = 0;
};

}  // namespace

ScenePlan plan_slots(const SceneSpec& spec, const Limits& limits, bool numbers, const DigitCounts& digits) {
    return SlotPlanner(spec, limits, digits).plan(numbers);
}

}  // namespace glsort::scene
