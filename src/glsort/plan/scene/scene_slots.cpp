#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/scene_results.h>
#include <glsort/plan/scene/slot_kernels.h>
#include <glsort/plan/scene/tile_kernels.h>

#include <algorithm>
#include <utility>

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

    void add_keys(const SceneResults& results) {
        const std::uint32_t tiles_each = tiles_of_a_group(tiles_, limits_);
        const std::uint32_t mark_words = slot_marks(limits_).words();
        const std::uint32_t status_each = records_for(digits_.status, tiles_);
        const auto of_status = [&](std::uint32_t tile) { return std::min(tile * status_each, digits_.status); };
        std::uint32_t first = 0;
        for (ScenePlan::Source& planned : to_.plan.sources) {
            const SceneSource& source = to_.source_of(planned);
            const std::uint32_t tiles = records_for(source.capacity, tile);
            const std::uint32_t end = first + tiles;
            const std::uint32_t groups = records_for(tiles, tiles_each);
            const bool last = &planned == &to_.plan.sources.back();
            Op op;
            op.kernel =
                slot_key_kernel(source, to_.form, digits_, to_.spec.direction, last ? &results : nullptr, limits_);
            op.domain = Substream::range(0, groups);
            op.reads = to_.reads_of(planned);
            op.writes = {{slots_, Substream::range(first * tile, end * tile)},
                         {marks_, Substream::range(first * mark_words, end * mark_words)},
                         {sums_, to_.all_of(sums_)},
                         {sort_status_, Substream::range(of_status(first), of_status(end))}};
            if (last) op.writes.push_back({totals_, to_.all_of(totals_)});
            op.parameters = {source.capacity, to_.base_of(planned), first};
            op.parameters.resize(first_depth_parameter(source) + (to_.form.quantised() ? 4 : 0));
            add_slot_parameters(op, {tiles, tiles_each, digits_.status, status_each, groups});
            planned.op = to_.plan.program.ops.size();
            if (last)
                to_.add_results(std::move(op), results);
            else
                to_.add(std::move(op));
            first = end;
        }
    }

    SceneBuilder to_;
    const Limits& limits_;
    const DigitCounts digits_;
    const std::uint32_t tiles_;
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
