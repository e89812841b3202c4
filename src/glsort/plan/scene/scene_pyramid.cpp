#include <glsort/plan/scene/pyramid_kernels.h>
#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/staging.h>
#include <glsort/plan/scene/tuning.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glsort::scene {
namespace {

class PyramidPlanner {
  public:
    PyramidPlanner(const SceneSpec& spec, const Limits& limits)
        : to_(spec, Backend::fragment), neighbours_(tuning_of(limits).neighbours), texture_size_(limits.texture_size) {}

    ScenePlan plan() {
        levels_ = levels_above(to_.items());
        for (const ScenePlan::Source& planned : to_.plan.sources)
            counts_on_gpu_ += planned.count ? 1 : 0;
        if (counts_on_gpu_ > 0) counts_ = scratch("counts", 2, counts_on_gpu_);
        keyed_ = scratch("keyed", to_.form.words_with_visibility(), to_.items());
        for (std::size_t parity = 0; parity < 2; ++parity)
            levels_of_[parity] = scratch(parity == 0 ? "odd_levels" : "even_levels", fan, records_of_parity(parity));
        narrow(levels_of_[0]);
        found_ = scratch("found", 2, records_for(to_.items(), neighbours_));
        to_.plan.visible = to_.declare("visible", StreamRole::output, Medium::texture,
                                       to_.form.packed() ? 1 : to_.key_words() + 1, to_.items());
        to_.plan.status = to_.declare("status", StreamRole::output, Medium::buffer, 4, 1);
        std::uint32_t place = 0;
        for (ScenePlan::Source& planned : to_.plan.sources)
            add_source(planned, planned.count ? place++ : 0);
        add_bits();
        add_sums();
        add_find();
        add_gather();
        add_status();
        to_.declare_commands();
        to_.add_commands({stream_of(levels_.size() - 1), records_of(levels_.size() - 1)}, levels_.back().begin);
        return std::move(to_.plan);
    }

  private:
    StreamId scratch(std::string name, std::uint32_t words, std::uint32_t records) {
        return to_.declare(std::move(name), StreamRole::scratch, Medium::texture, words, records);
    }

    /// A row of records of level 1 has as many items as a row of keys: fragments one below the other then read texels
    /// one below the other, which a GPU fetches together (docs/experiments/scenes.md). A warp of fragments is about
    /// eight wide.
    void narrow(StreamId levels) {
        Stream& stream = to_.plan.program.streams[levels];
        std::uint32_t& width = stream.layout.width;
        width = std::min(width, std::max(8u, to_.plan.program.streams[keyed_].layout.width / items_of_record));
        while (records_for(stream.records, width) > texture_size_)
            width *= 2;
        stream.layout.rule = items_of_record;
    }

    /// Level l + 1 is `levels_[l]`, in stream l % 2.
    std::uint32_t records_of_parity(std::size_t parity) const {
        std::uint32_t records = 0;
        for (std::size_t i = parity; i < levels_.size(); i += 2)
            records += levels_[i].size;
        return records;
    }

    void add_source(ScenePlan::Source& planned, std::uint32_t place) {
        const SceneSource& source = to_.source_of(planned);
        const std::uint32_t base = to_.base_of(planned);
        Op op;
        op.kernel = key_record_kernel(source, to_.form);
        for (const StreamId input : planned.inputs) {
            const StreamId texture = readable(to_.plan.program, input);
            op.reads.push_back({texture, to_.all_of(texture)});
        }
        if (planned.count) {
            take_count(planned, place);
            op.reads.push_back({*counts_, Substream::range(place, place + 1)});
        }
        op.domain = Substream::range(base, base + source.capacity);
        op.writes = {{keyed_, op.domain}};
        op.parameters = {source.capacity, base, place};
        op.parameters.resize(op.kernel->parameters.size());
        planned.op = to_.plan.program.ops.size();
        planned.first_depth_parameter = ScenePlan::first_value_parameter + 4 * source.values.size();
        to_.add(std::move(op));
    }

    void take_count(const ScenePlan::Source& planned, std::uint32_t place) {
        const StreamId texture = readable(to_.plan.program, *planned.count);
        Op op;
        op.kernel = take_count_kernel();
        op.domain = Substream::range(place, place + 1);
        op.reads = {{texture, to_.all_of(texture)}};
        op.writes = {{*counts_, op.domain}};
        op.parameters = {to_.source_of(planned).capacity};
        to_.add(std::move(op));
    }

    StreamId stream_of(std::size_t level) const { return levels_of_[level % 2]; }
    Substream records_of(std::size_t level) const {
        return Substream::range(levels_[level].begin, levels_[level].begin + levels_[level].size);
    }

    void add_bits() {
        Op op;
        op.kernel = bits_kernel(to_.form);
        op.domain = records_of(0);
        op.reads = {{keyed_, to_.all_of(keyed_)}};
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

    /// An op that reads all levels, and knows where they begin.
    Op op_of_levels(KernelPtr kernel, StreamId target) const {
        Op op;
        op.kernel = std::move(kernel);
        op.domain = to_.all_of(target);
        for (const StreamId levels : levels_of_)
            op.reads.push_back({levels, to_.all_of(levels)});
        op.writes = {{target, op.domain}};
        op.parameters = {static_cast<std::uint32_t>(levels_.size())};
        for (const Level& level : levels_)
            op.parameters.emplace_back(level.begin);
        op.parameters.resize(op.kernel->parameters.size());
        return op;
    }

    void add_find() { to_.add(op_of_levels(find_kernel(levels_.size(), neighbours_), found_)); }

    void add_gather() {
        Op op = op_of_levels(gather_kernel(to_.form, levels_.size(), neighbours_), to_.plan.visible);
        op.reads.push_back({found_, to_.all_of(found_)});
        op.reads.push_back({keyed_, to_.all_of(keyed_)});
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
    std::uint32_t neighbours_;
    std::uint32_t texture_size_;
    std::vector<Level> levels_;
    std::uint32_t counts_on_gpu_ = 0;
    std::optional<StreamId> counts_;
    StreamId keyed_ = 0;
    std::array<StreamId, 2> levels_of_{};  ///< The streams of odd and of even levels.
    StreamId found_ = 0;
};

}  // namespace

ScenePlan plan_pyramid(const SceneSpec& spec, const Limits& limits) {
    return PyramidPlanner(spec, limits).plan();
}

}  // namespace glsort::scene
