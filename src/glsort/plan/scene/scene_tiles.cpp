#include <glsort/plan/scene/front_source.h>
#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/scene_command.h>
#include <glsort/plan/scene/tile_kernels.h>
#include <glsort/plan/scene/tuning.h>
#include <glsort/stream/count_rule.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace glsort::scene {
namespace {

class TilePlanner {
  public:
    TilePlanner(const SceneSpec& spec, const Limits& limits, bool numbers)
        : to_(spec, Backend::compute), limits_(limits), numbers_(numbers), digits_(front_digits(to_.spec, limits)) {}

    ScenePlan plan() {
        tiles_ = scene::tiles_of(to_.spec);
        groups_ = records_for(tiles_, tiles_together(limits_));
        const std::uint32_t offsets = offset_words(tiles_, limits_);
        if (digits_) {
            declare_fronts(offsets);
        } else {
            unsorted_ = declare("unsorted_keys", StreamRole::scratch, to_.key_words(), to_.items());
            marks_ = declare("marks", StreamRole::scratch, 1, tiles_ * mark_words);
            offsets_ = declare("offsets", StreamRole::scratch, 1, offsets);
        }
        to_.plan.program.streams[offsets_].begins_zero = true;
        to_.plan.keys = declare("keys", StreamRole::output, to_.key_words(), to_.items());
        if (!to_.form.packed()) to_.plan.items = declare("items", StreamRole::output, 1, to_.items());
        to_.plan.status = declare("status", StreamRole::output, 1, status_words);
        add_keys();
        to_.declare_commands();
        add_scan();
        if (!commands_in_scan()) to_.add_commands({offsets_, to_.all_of(offsets_)}, all_visible_word);
        if (digits_) return std::move(to_.plan);
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
        return tuning_of(limits_).commands_in_scan &&
               scan_blocks + blocks_of_digits() + to_.spec.commands.size() <= limits_.storage_blocks;
    }

    /// Whether the scan writes the numbers of the sort, too.
    bool numbers_in_scan(std::size_t commands) const {
        return numbers_ && tuning_of(limits_).numbers_in_scan &&
               scan_blocks + blocks_of_digits() + commands + 2 <= limits_.storage_blocks;
    }
    /// Storage blocks that the scan takes to move the sums of digits.
    std::uint32_t blocks_of_digits() const { return digits_ ? 2 : 0; }

    /// The streams that the sort reads, in the order of `front_source`.
    void declare_fronts(std::uint32_t offsets) {
        unsorted_ = declare("fronts", StreamRole::output, to_.key_words(), tiles_ * tile);
        if (!to_.form.packed()) front_items_ = declare("front_items", StreamRole::output, 1, tiles_ * tile);
        const StreamRole marks = to_.form.packed() ? StreamRole::scratch : StreamRole::in_place;
        marks_ = declare("marks", marks, 1, tiles_ * mark_words);
        offsets_ = declare("offsets", StreamRole::in_place, 1, offsets);
        totals_ = declare("totals", StreamRole::output, 1, digits_->columns());
        sort_status_ = declare("sort_status", StreamRole::output, 1, digits_->status);
        to_.plan.fronts = {unsorted_};
        if (!to_.form.packed()) to_.plan.fronts.insert(to_.plan.fronts.end(), {front_items_, marks_});
        for (const StreamId id : {offsets_, totals_, sort_status_})
            to_.plan.fronts.push_back(id);
        sums_ = declare("sums", StreamRole::scratch, 1, digits_->columns());
        to_.plan.program.streams[sums_].begins_zero = true;
    }

    void add_keys() {
        const std::uint32_t tiles_each = digits_ ? tiles_of_a_counting_group(tiles_, limits_) : 1;
        const std::uint32_t status = digits_ ? digits_->status : 0;
        const std::uint32_t status_each = records_for(status, tiles_);
        std::uint32_t first_tile = 0;
        for (ScenePlan::Source& planned : to_.plan.sources) {
            const SceneSource& source = to_.source_of(planned);
            const std::uint32_t tiles = tiles_of(planned);
            const std::uint32_t base = to_.base_of(planned);
            const std::uint32_t place = digits_ ? first_tile * tile : base;
            const std::uint32_t room = digits_ ? tiles * tile : source.capacity;
            Op op;
            op.kernel = key_kernel(source, to_.form, digits_, to_.spec.direction, limits_);
            op.domain = Substream::range(0, records_for(tiles, tiles_each));
            for (const StreamId input : planned.inputs)
                op.reads.push_back({input, to_.all_of(input)});
            if (planned.count) op.reads.push_back({*planned.count, to_.all_of(*planned.count)});
            op.writes = {{unsorted_, Substream::range(place, place + room)},
                         {marks_, Substream::range(first_tile * mark_words, (first_tile + tiles) * mark_words)}};
            if (digits_) {
                op.writes.push_back({sums_, to_.all_of(sums_)});
                op.writes.push_back(
                    {sort_status_, Substream::range(std::min(first_tile * status_each, status),
                                                    std::min((first_tile + tiles) * status_each, status))});
                if (!to_.form.packed()) op.writes.push_back({front_items_, Substream::range(place, place + room)});
            }
            op.parameters = {source.capacity, base, first_tile};
            set_tile_parameters(op, {place, tiles, tiles_each, status, status_each});
            planned.op = to_.plan.program.ops.size();
            to_.add(std::move(op));
            first_tile += tiles;
        }
    }

    void add_scan() {
        Op op;
        const std::vector<SceneCommand> commands = commands_in_scan() ? to_.spec.commands : std::vector<SceneCommand>{};
        const bool numbers = numbers_in_scan(commands.size());
        op.kernel = scan_kernel(commands, numbers, digits_ ? digits_->columns() : 0, limits_);
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
        if (digits_) {
            op.writes.push_back({sums_, to_.all_of(sums_)});
            op.writes.push_back({totals_, to_.all_of(totals_)});
        }
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
    bool numbers_ = false;               ///< Whether the numbers of the sort are wanted.
    std::optional<DigitCounts> digits_;  ///< If the sort reads the fronts.
    std::uint32_t tiles_ = 0;
    std::uint32_t groups_ = 0;  ///< Of the scan.
    StreamId unsorted_ = 0;
    StreamId marks_ = 0;
    StreamId offsets_ = 0;
    // With `digits_`:
    StreamId front_items_ = 0;
    StreamId sums_ = 0;
    StreamId totals_ = 0;
    StreamId sort_status_ = 0;
};

}  // namespace

ScenePlan plan_tiles(const SceneSpec& spec, const Limits& limits, bool numbers) {
    return TilePlanner(spec, limits, numbers).plan();
}

}  // namespace glsort::scene
