#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/scene_results.h>
#include <glsort/plan/scene/tile_kernels.h>

#include <utility>
#include <vector>

namespace glsort::scene {
namespace {

class TilePlanner {
  public:
    TilePlanner(const SceneSpec& spec, const Limits& limits, bool writes_sort_numbers)
        : to_(spec, Backend::compute),
          limits_(limits),
          writes_sort_numbers_(writes_sort_numbers),
          tiles_(tiles_of(spec)) {}

    ScenePlan plan() {
        groups_ = records_for(tiles_, tiles_together(limits_));
        unsorted_ = declare("unsorted_keys", StreamRole::scratch, to_.key_words(), to_.items());
        marks_ = declare("marks", StreamRole::scratch, 1, tiles_ * mark_words);
        offsets_ = declare("offsets", StreamRole::scratch, 1, first_offset_word + tiles_ + groups_);
        to_.plan.program.streams[offsets_].begins_zero = true;
        to_.plan.keys = declare("keys", StreamRole::output, to_.key_words(), to_.items());
        if (!to_.form.packed()) to_.plan.items = declare("items", StreamRole::output, 1, to_.items());
        to_.plan.status = declare("status", StreamRole::output, 1, status_words);
        to_.declare_commands();
        add_keys();
        add_scan();
        // Both at once take five blocks: keys, marks, offsets and two targets. OpenGL ES 3.1 guarantees only four
        // storage blocks.
        if (to_.plan.items && limits_.storage_blocks >= 5) {
            add_compaction(Compacted::both);
        } else {
            add_compaction(Compacted::keys);
            if (to_.plan.items) add_compaction(Compacted::items);
        }
        return std::move(to_.plan);
    }

  private:
    std::uint32_t tiles_of_source(const ScenePlan::Source& planned) const {
        return records_for(to_.source_of(planned).capacity, tile);
    }

    StreamId declare(const char* name, StreamRole role, std::uint32_t words, std::uint32_t records) {
        return to_.declare(name, role, Medium::buffer, words, records);
    }

    void add_keys() {
        std::uint32_t first_tile = 0;
        for (ScenePlan::Source& planned : to_.plan.sources) {
            const SceneSource& source = to_.source_of(planned);
            const std::uint32_t tiles = tiles_of_source(planned);
            const std::uint32_t base = to_.base_of(planned);
            Op op;
            op.kernel = key_kernel(source, to_.form, limits_);
            op.domain = Substream::range(0, tiles);
            op.reads = to_.reads_of(planned);
            op.writes = {{unsorted_, Substream::range(base, base + source.capacity)},
                         {marks_, Substream::range(first_tile * mark_words, (first_tile + tiles) * mark_words)}};
            op.parameters = {source.capacity, base, first_tile};
            op.parameters.resize(op.kernel->parameters.size());
            planned.op = to_.plan.program.ops.size();
            planned.first_depth_parameter = ScenePlan::first_value_parameter + 4 * source.values.size();
            to_.add(std::move(op));
            first_tile += tiles;
        }
    }

    void add_scan() {
        const SceneResults results = results_of(to_.spec, writes_sort_numbers_, scan_blocks, limits_);
        Op op;
        op.kernel = scan_kernel(results, limits_);
        op.domain = Substream::range(0, groups_);
        op.reads = {{marks_, to_.all_of(marks_)}};
        op.writes = {{offsets_, to_.all_of(offsets_)}};
        op.parameters = {tiles_, groups_};
        to_.add_results(std::move(op), results);
    }

    void add_compaction(Compacted what) {
        const auto use = [this](StreamId id) { return StreamUse{id, to_.all_of(id)}; };
        Op op;
        op.kernel = compact_kernel(what, to_.key_words(), limits_);
        if (what != Compacted::items) {
            op.reads.push_back(use(unsorted_));
            op.writes.push_back(use(to_.plan.keys));
        }
        if (what != Compacted::keys) op.writes.push_back(use(*to_.plan.items));
        op.reads.push_back(use(marks_));
        op.reads.push_back(use(offsets_));
        op.parameters = {tiles_};
        std::vector<Block> blocks;
        std::uint32_t first_tile = 0;
        for (const ScenePlan::Source& planned : to_.plan.sources) {
            const std::uint32_t tiles = tiles_of_source(planned);
            blocks.push_back({first_tile, first_tile + tiles});
            op.blocks.push_back({.parameters = {to_.base_of(planned) - first_tile * tile}, .labels = {}});
            first_tile += tiles;
        }
        op.domain = Substream(std::move(blocks));
        to_.add(std::move(op));
    }

    SceneBuilder to_;
    const Limits& limits_;
    bool writes_sort_numbers_ = false;  ///< Whether the numbers of the sort are wanted.
    std::uint32_t tiles_ = 0;
    std::uint32_t groups_ = 0;  ///< Of the scan.
    StreamId unsorted_ = 0;
    StreamId marks_ = 0;
    StreamId offsets_ = 0;
};

}  // namespace

ScenePlan plan_tiles(const SceneSpec& spec, const Limits& limits, bool writes_sort_numbers) {
    return TilePlanner(spec, limits, writes_sort_numbers).plan();
}

}  // namespace glsort::scene
