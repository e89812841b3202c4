#include <glsort/base/browser.h>
#include <glsort/plan/scene/pyramid_kernels.h>
#include <glsort/plan/scene/pyramid_streams.h>
#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/staging.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/plan/scene/visible_source.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glsort::scene {
namespace {

class PyramidPlanner {
  public:
    PyramidPlanner(const SceneSpec& spec, const Limits& limits)
        : to_(spec, Backend::fragment), limits_(limits), neighbours_(tuning_of(limits).neighbours) {}

    ScenePlan plan() {
        levels_ = levels_above(to_.items());
        for (const ScenePlan::Source& planned : to_.plan.sources)
            counts_on_gpu_ += planned.count ? 1 : 0;
        if (counts_on_gpu_ > 0)
            counts_ = to_.declare("counts", StreamRole::scratch, Medium::texture, 2, counts_on_gpu_);
        declare_pyramid();
        to_.plan.status = to_.declare("status", StreamRole::output, Medium::buffer, 4, 1);
        std::uint32_t place = 0;
        for (ScenePlan::Source& planned : to_.plan.sources)
            add_source(planned, planned.count ? place++ : 0);
        add_bits();
        add_sums();
        add_find();
        if (to_.plan.visible) add_gather();
        add_status();
        if (!in_browser) add_commands();
        return std::move(to_.plan);
    }

  private:
    void add_commands() {
        to_.declare_commands();
        to_.add_commands({stream_of(levels_.size() - 1), records_of(levels_.size() - 1)}, levels_.back().begin);
    }

    /// The sort finds the visible items in the pyramid. If the sort cannot, an op gathers them.
    void declare_pyramid() {
        const bool is_read_by_sort = visible_source(to_.spec, limits_) != nullptr;
        for (Stream& stream : pyramid_streams(to_.items(), to_.form, limits_)) {
            if (is_read_by_sort) stream.role = StreamRole::in_place;
            streams_.push_back(to_.add(std::move(stream)));
        }
        if (is_read_by_sort)
            to_.plan.unsorted = streams_;
        else
            to_.plan.visible = to_.declare("visible", StreamRole::output, Medium::texture,
                                           to_.form.packed() ? 1 : to_.key_words() + 1, to_.items());
    }

    void add_source(ScenePlan::Source& planned, std::uint32_t place) {
        const SceneSource& source = to_.source_of(planned);
        const std::uint32_t base = to_.base_of(planned);
        Op op;
        op.kernel = key_record_kernel(source, to_.form);
        for (const StreamId input : planned.inputs) {
            const StreamId texture = stage_for_reading(to_.plan.program, input, limits_);
            op.reads.push_back({texture, to_.all_of(texture)});
        }
        if (planned.count) {
            take_count(planned, place);
            op.reads.push_back({*counts_, Substream::range(place, place + 1)});
        }
        op.domain = Substream::range(base, base + source.capacity);
        op.writes = {{streams_[keyed_items], op.domain}};
        op.parameters = {source.capacity, base, place};
        op.parameters.resize(op.kernel->parameters.size());
        planned.op = to_.plan.program.ops.size();
        planned.first_depth_parameter = ScenePlan::first_value_parameter + 4 * source.values.size();
        to_.add(std::move(op));
    }

    void take_count(const ScenePlan::Source& planned, std::uint32_t place) {
        const StreamId texture = stage_for_reading(to_.plan.program, *planned.count, limits_);
        Op op;
        op.kernel = take_count_kernel();
        op.domain = Substream::range(place, place + 1);
        op.reads = {{texture, to_.all_of(texture)}};
        op.writes = {{*counts_, op.domain}};
        op.parameters = {to_.source_of(planned).capacity};
        to_.add(std::move(op));
    }

    /// Level l + 1 is `levels_[l]`.
    StreamId stream_of(std::size_t level) const { return streams_[level % 2 == 0 ? odd_levels : even_levels]; }
    Substream records_of(std::size_t level) const {
        return Substream::range(levels_[level].begin, levels_[level].begin + levels_[level].size);
    }

    void add_bits() {
        Op op;
        op.kernel = bits_kernel(to_.form);
        op.domain = records_of(0);
        op.reads = {{streams_[keyed_items], to_.all_of(streams_[keyed_items])}};
        op.writes = {{stream_of(0), op.domain}};
        op.parameters = {to_.items()};
        op.labels.level = 1;
        to_.add(std::move(op));
    }

    void add_sums() {
        for (std::size_t level = 1; level < levels_.size(); ++level) {
            Op op;
            op.kernel = sum_kernel(level == 1);
            op.domain = records_of(level);
            op.reads = {{stream_of(level - 1), records_of(level - 1)}};
            op.writes = {{stream_of(level), op.domain}};
            op.parameters = {levels_[level - 1].size, levels_[level - 1].begin, levels_[level].begin};
            op.labels.level = static_cast<int>(level) + 1;
            to_.add(std::move(op));
        }
    }

    /// Reads of all records of the pyramid's streams 0 to `last`.
    std::vector<StreamUse> reads_up_to(std::size_t last) const {
        std::vector<StreamUse> reads;
        for (std::size_t i = 0; i <= last; ++i)
            reads.push_back({streams_[i], to_.all_of(streams_[i])});
        return reads;
    }

    void add_find() {
        Op op;
        op.kernel = find_kernel(levels_.size(), neighbours_);
        op.domain = to_.all_of(streams_[found_items]);
        op.reads = reads_up_to(even_levels);
        op.writes = {{streams_[found_items], op.domain}};
        op.parameters = {static_cast<std::uint32_t>(levels_.size())};
        for (const Level& level : levels_)
            op.parameters.emplace_back(level.begin);
        op.parameters.resize(op.kernel->parameters.size());
        to_.add(std::move(op));
    }

    void add_gather() {
        Op op;
        op.kernel = gather_kernel(to_.form, levels_.size(), neighbours_);
        op.domain = to_.all_of(*to_.plan.visible);
        op.reads = reads_up_to(keyed_items);
        op.writes = {{*to_.plan.visible, op.domain}};
        to_.add(std::move(op));
    }

    void add_status() {
        Op op;
        op.kernel = status_kernel(counts_.has_value());
        op.domain = Substream::range(0, 1);
        op.reads = {{stream_of(levels_.size() - 1), records_of(levels_.size() - 1)}};
        if (counts_) op.reads.push_back({*counts_, to_.all_of(*counts_)});
        op.writes = {{to_.plan.status, op.domain}};
        op.parameters = {levels_.back().begin, counts_on_gpu_};
        to_.add(std::move(op));
    }

    SceneBuilder to_;
    const Limits& limits_;
    std::uint32_t neighbours_;
    std::vector<Level> levels_;
    std::uint32_t counts_on_gpu_ = 0;
    std::optional<StreamId> counts_;
    std::vector<StreamId> streams_;  ///< Of `pyramid_streams`.
};

}  // namespace

ScenePlan plan_pyramid(const SceneSpec& spec, const Limits& limits) {
    return PyramidPlanner(spec, limits).plan();
}

}  // namespace glsort::scene
