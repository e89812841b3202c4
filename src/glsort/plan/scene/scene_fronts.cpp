#include <glsort/plan/scene/front_kernels.h>
#include <glsort/plan/scene/front_source.h>
#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/scene_results.h>
#include <glsort/plan/scene/source_ops.h>

#include <algorithm>
#include <utility>

namespace glsort::scene {
namespace {

class FrontPlanner {
  public:
    FrontPlanner(const SceneSpec& spec, const Limits& limits, const Fronts& fronts)
        : to_(spec, Backend::compute), limits_(limits), fronts_(fronts), digits_(fronts.digits) {}

    ScenePlan plan(bool writes_sort_numbers) {
        keys_ = declare("front_keys", StreamRole::output, to_.key_words(), to_.items());
        to_.plan.unsorted = {keys_};
        if (!to_.form.packed()) {
            items_ = declare("front_items", StreamRole::output, 1, to_.items());
            to_.plan.unsorted.push_back(items_);
        }
        records_ = declare("fronts", StreamRole::output, 1, words_of_fronts(fronts_.fronts));
        to_.plan.unsorted.push_back(records_);
        to_.plan.program.streams[records_].begins_zero = true;
        if (digits_) {
            totals_ = declare("totals", StreamRole::output, 1, digits_->columns());
            sort_status_ = declare("sort_status", StreamRole::output, 1, digits_->status);
            to_.plan.unsorted.insert(to_.plan.unsorted.end(), {totals_, sort_status_});
            sums_ = declare("sums", StreamRole::scratch, 1, digits_->columns());
            to_.plan.program.streams[sums_].begins_zero = true;
        }
        to_.plan.keys = declare("keys", StreamRole::output, to_.key_words(), to_.items());
        if (!to_.form.packed()) to_.plan.items = declare("items", StreamRole::output, 1, to_.items());
        to_.plan.status = declare("status", StreamRole::output, 1, status_words);
        to_.declare_commands();
        const std::uint32_t blocks = front_key_blocks(digits_.has_value());
        add_keys(blocks, results_of(to_.spec, writes_sort_numbers, blocks + most_buffers_of(to_.spec), limits_));
        return std::move(to_.plan);
    }

  private:
    StreamId declare(const char* name, StreamRole role, std::uint32_t words, std::uint32_t records) {
        return to_.declare(name, role, Medium::buffer, words, records);
    }

    void add_keys(std::uint32_t blocks, const SceneResults& results) {
        std::optional<CountedKeys> counted;
        FrontParameters parameters{.portion = fronts_.portion, .fronts = fronts_.fronts};
        if (digits_) {
            counted = CountedKeys{*digits_, to_.spec.direction};
            parameters.status = digits_->status;
            parameters.status_each = records_for(digits_->status, fronts_.fronts);
        }
        for (SourceOp& part : divide_sources(to_, fronts_.portion, blocks, blocks + results.blocks(), limits_)) {
            parameters.groups = part.groups;
            Op op = std::move(part.op);
            op.kernel = front_key_kernel(part.sources, to_.form, counted, part.last ? &results : nullptr, limits_);
            op.writes = writes_of(part, parameters);
            op.parameters.resize(to_.form.quantised() ? 4 : 0);
            add_front_parameters(op, parameters);
            parameters.first_front += part.groups;
            if (part.last)
                to_.add_results(std::move(op), results);
            else
                to_.add(std::move(op));
        }
    }

    std::vector<StreamUse> writes_of(const SourceOp& part, const FrontParameters& parameters) const {
        const std::uint32_t first = parameters.first_front;
        const std::uint32_t end = first + parameters.groups;
        const Substream places = Substream::range(part.first_item, part.end_item);
        std::vector<StreamUse> writes{{keys_, places}};
        if (!to_.form.packed()) writes.push_back({items_, places});
        writes.push_back({records_, part.last ? to_.all_of(records_)
                                              : Substream::range(word_of_front(first, 0), word_of_front(end, 0))});
        if (!digits_) return writes;
        const auto status_of = [&](std::uint32_t front) {
            return std::min(front * parameters.status_each, parameters.status);
        };
        writes.push_back({sums_, to_.all_of(sums_)});
        writes.push_back({sort_status_, Substream::range(status_of(first), status_of(end))});
        if (part.last) writes.push_back({totals_, to_.all_of(totals_)});
        return writes;
    }

    SceneBuilder to_;
    const Limits& limits_;
    const Fronts fronts_;
    const std::optional<DigitCounts> digits_;
    StreamId keys_ = 0;
    StreamId items_ = 0;
    StreamId records_ = 0;
    StreamId totals_ = 0;
    StreamId sort_status_ = 0;
    StreamId sums_ = 0;
};

}  // namespace

ScenePlan plan_fronts(const SceneSpec& spec, const Limits& limits, bool writes_sort_numbers, const Fronts& fronts) {
    return FrontPlanner(spec, limits, fronts).plan(writes_sort_numbers);
}

}  // namespace glsort::scene
