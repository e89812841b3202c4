#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/scene_command.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/stream/count_rule.h>

#include <utility>
#include <vector>

namespace glsort::scene {
namespace {

class TilePlanner {
  public:
    TilePlanner(const SceneSpec& spec, const Limits& limits, bool numbers)
        : to_(spec, Backend::compute), limits_(limits), numbers_(numbers) {}

    ScenePlan plan() {
        for (const ScenePlan::Source& planned : to_.plan.sources)
            tiles_ += tiles_of(planned);
        unsorted_ = declare("unsorted_keys", StreamRole::scratch, to_.key_words(), to_.items());
        marks_ = declare("marks", StreamRole::scratch, 1, tiles_ * mark_words);
        groups_ = records_for(tiles_, tiles_together(limits_));
        offsets_ = declare("offsets", StreamRole::scratch, 1, tiles_ + groups_ + 2);
        to_.plan.program.streams[offsets_].begins_zero = true;
        to_.plan.keys = declare("keys", StreamRole::output, to_.key_words(), to_.items());
        if (!to_.form.packed()) to_.plan.items = declare("items", StreamRole::output, 1, to_.items());
        to_.plan.status = declare("status", StreamRole::output, 1, status_words);
        add_keys();
        to_.declare_commands();
        add_scan();
        if (!commands_in_scan()) to_.add_commands({offsets_, to_.all_of(offsets_)}, tiles_ + groups_);
        // Keys, marks, offsets and both targets: OpenGL ES 3.1 guarantees one storage block less.
        if (to_.plan.items && limits_.storage_blocks >= 5) {
            add_compaction(Compacted::both);
        } else {
            add_compaction(Compacted::keys);
            if (to_.plan.items) add_compaction(Compacted::items);
        }
        return std::move(to_.plan);
    }

  private:
    std::uint32_t tiles_of(const ScenePlan::Source& planned) const {
        return records_for(to_.source_of(planned).capacity, tile);
    }

    StreamId declare(const char* name, StreamRole role, std::uint32_t words, std::uint32_t records) {
        return to_.declare(name, role, Medium::buffer, words, records);
    }

    /// Whether the scan writes the commands, too.
    bool commands_in_scan() const {
        return tuning_of(limits_).commands_in_scan && scan_blocks + to_.spec.commands.size() <= limits_.storage_blocks;
    }

    /// Whether the scan writes the numbers of the sort, too.
    bool numbers_in_scan(std::size_t commands) const {
        return numbers_ && tuning_of(limits_).numbers_in_scan && scan_blocks + commands + 2 <= limits_.storage_blocks;
    }

    void add_keys() {
        std::uint32_t first_tile = 0;
        for (ScenePlan::Source& planned : to_.plan.sources) {
            const SceneSource& source = to_.source_of(planned);
            const std::uint32_t tiles = tiles_of(planned);
            const std::uint32_t base = to_.base_of(planned);
            Op op;
            op.kernel = key_kernel(source, to_.form, limits_);
            op.domain = Substream::range(0, tiles);
            for (const StreamId input : planned.inputs)
                op.reads.push_back({input, to_.all_of(input)});
            if (planned.count) op.reads.push_back({*planned.count, to_.all_of(*planned.count)});
            op.writes = {{unsorted_, Substream::range(base, base + source.capacity)},
                         {marks_, Substream::range(first_tile * mark_words, (first_tile + tiles) * mark_words)}};
            op.parameters = {source.capacity, base, first_tile};
            op.parameters.resize(op.kernel->parameters.size());
            planned.op = to_.plan.program.ops.size();
            to_.add(std::move(op));
            first_tile += tiles;
        }
    }

    void add_scan() {
        Op op;
        const std::vector<SceneCommand> commands = commands_in_scan() ? to_.spec.commands : std::vector<SceneCommand>{};
        const bool numbers = numbers_in_scan(commands.size());
        op.kernel = scan_kernel(commands, numbers, limits_);
        op.domain = Substream::range(0, groups_);
        op.reads = {{marks_, to_.all_of(marks_)}};
        op.writes = {{offsets_, to_.all_of(offsets_)}, {to_.plan.status, to_.all_of(to_.plan.status)}};
        op.parameters = {tiles_, groups_};
        for (std::size_t i = 0; i < commands.size(); ++i) {
            op.writes.push_back({to_.plan.commands[i], to_.all_of(to_.plan.commands[i])});
            for (const std::uint32_t parameter : parameters_of(commands[i]))
                op.parameters.push_back(parameter);
        }
        if (numbers) add_numbers(op);
        to_.add(std::move(op));
    }

    /// Lets the scan write the numbers of the sort.
    void add_numbers(Op& scan) {
        ScenePlan::SortNumbers numbers;
        numbers.rules = declare("rules", StreamRole::input, 4, rule_words / 4);
        numbers.numbers = declare("numbers", StreamRole::output, 1, count_status_words);
        numbers.op = to_.plan.program.ops.size();
        numbers.first_parameter = scan.parameters.size();
        scan.reads.push_back({numbers.rules, to_.all_of(numbers.rules)});
        scan.writes.push_back({numbers.numbers, to_.all_of(numbers.numbers)});
        scan.parameters.resize(scan.kernel->parameters.size());
        to_.plan.sort_numbers = numbers;
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
            const std::uint32_t tiles = tiles_of(planned);
            blocks.push_back({first_tile, first_tile + tiles});
            op.blocks.push_back({.parameters = {to_.base_of(planned) - first_tile * tile}, .labels = {}});
            first_tile += tiles;
        }
        op.domain = Substream(std::move(blocks));
        to_.add(std::move(op));
    }

    SceneBuilder to_;
    const Limits& limits_;
    bool numbers_ = false;  ///< Whether the numbers of the sort are wanted.
    std::uint32_t tiles_ = 0;
    std::uint32_t groups_ = 0;  ///< Of the scan.
    StreamId unsorted_ = 0;
    StreamId marks_ = 0;
    StreamId offsets_ = 0;
};

}  // namespace

ScenePlan plan_tiles(const SceneSpec& spec, const Limits& limits, bool numbers) {
    return TilePlanner(spec, limits, numbers).plan();
}

}  // namespace glsort::scene
