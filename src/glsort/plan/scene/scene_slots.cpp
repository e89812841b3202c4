#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/scene_results.h>
#include <glsort/plan/scene/slot_kernels.h>
#include <glsort/plan/scene/source_ops.h>
#include <glsort/plan/scene/tile_kernels.h>

#include <algorithm>
#include <cstddef>
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
        to_.plan.unsorted = {slots_, marks_, totals_, sort_status_};
        sums_ = declare("sums", StreamRole::scratch, 1, digits_.columns() + words_behind_sums);
        to_.plan.program.streams[sums_].begins_zero = true;
        to_.plan.keys = declare("keys", StreamRole::output, to_.key_words(), to_.items());
        if (!to_.form.packed()) to_.plan.items = declare("items", StreamRole::output, 1, to_.items());
        to_.plan.status = declare("status", StreamRole::output, 1, status_words);
        to_.declare_commands();
        add_keys(results_of(to_.spec, numbers, last_slot_key_blocks + most_buffers_of(to_.spec), limits_));
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
        const auto of_status = [&](std::uint32_t number) { return std::min(number * status_each, digits_.status); };
        for (SourceOp& part :
             divide_sources(to_, tiles_each, slot_key_blocks, last_slot_key_blocks + results.blocks(), limits_)) {
            Op op = std::move(part.op);
            op.kernel = slot_key_kernel(part.sources, to_.form, digits_, to_.spec.direction,
                                        part.last ? &results : nullptr, limits_);
            for (std::size_t i = 0; i < part.sources.size(); ++i)
                op.blocks[i].parameters.push_back(records_for(part.sources[i].capacity, tile));
            op.writes = {{slots_, Substream::range(part.first_tile * tile, part.end_tile * tile)},
                         {marks_, Substream::range(part.first_tile * mark_words, part.end_tile * mark_words)},
                         {sums_, to_.all_of(sums_)},
                         {sort_status_, Substream::range(of_status(part.first_tile), of_status(part.end_tile))}};
            op.parameters.resize(to_.form.quantised() ? 4 : 0);
            add_slot_parameters(op, {tiles_each, digits_.status, status_each, part.groups});
            if (!part.last) {
                to_.add(std::move(op));
                continue;
            }
            op.writes.push_back({totals_, to_.all_of(totals_)});
            to_.add_results(std::move(op), results);
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
