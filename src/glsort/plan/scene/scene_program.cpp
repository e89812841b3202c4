#include <fmt/format.h>

#include <glsort/base/glsl_text.h>
#include <glsort/error.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/plan/scene/scene_kernels.h>
#include <glsort/plan/scene/scene_program.h>

#include <string>
#include <utility>

namespace glsort::scene {
namespace {

constexpr std::uint32_t status_words = 4;
/// Halves of words are numbered by 32 bits.
constexpr std::uint64_t max_input_words = std::uint64_t{1} << 31;

void check_source(const SceneSource& source) {
    check_callers_glsl("sort_key", source.sort_key);
    for (std::size_t i = 0; i < source.inputs.size(); ++i) {
        const SceneInput& input = source.inputs[i];
        try {
            check_input(input);
        } catch (const Error& error) {
            throw Error(fmt::format("input {}: {}", i, error.what()));
        }
        for (std::size_t j = 0; j < i; ++j)
            if (source.inputs[j].name == input.name)
                throw Error(fmt::format("inputs {} and {} are both named {}", j, i, input.name));
        if (const std::uint64_t words = words_of(input, source.capacity); words > max_input_words)
            throw Error(fmt::format("input {}: {} elements take {} bytes; the limit is {}", i, source.capacity, 4 * words,
                                    4 * max_input_words));
    }
}

/// Adds streams and ops to a plan.
class ScenePlanner {
  public:
    ScenePlanner(const SceneSpec& spec, const Limits& limits) : spec_(spec), limits_(limits) {}

    ScenePlan plan() {
        StreamProgram& program = plan_.program;
        program.algorithm = "scene";
        program.variant = "keys";
        program.backend = Backend::compute;
        program.n = items_of(spec_);
        program.key = spec_.key;
        program.direction = spec_.direction;
        program.payload = Payload::bytes(4);
        program.layout = stream_layout(Layout::row_wise, program.n);
        declare_callers_streams();
        key_words_ = key_bytes(spec_.key) / 4;
        const std::uint32_t tiles = count_tiles();
        unsorted_ = declare("unsorted_keys", StreamRole::scratch, key_words_, program.n);
        marks_ = declare("marks", StreamRole::scratch, 1, tiles * mark_words);
        offsets_ = declare("offsets", StreamRole::scratch, 1, tiles);
        plan_.keys = declare("keys", StreamRole::output, key_words_, program.n);
        plan_.items = declare("items", StreamRole::output, 1, program.n);
        plan_.status = declare("status", StreamRole::output, 1, status_words);
        add_keys();
        add_scan(tiles);
        add_compaction(false);
        add_compaction(true);
        return std::move(plan_);
    }

  private:
    static std::uint32_t tiles_of(const SceneSource& source) { return records_for(source.capacity, tile); }

    std::uint32_t count_tiles() const {
        std::uint32_t tiles = 0;
        for (const SceneSource& source : spec_.sources)
            tiles += tiles_of(source);
        return tiles;
    }

    StreamId declare(std::string name, StreamRole role, std::uint32_t words, std::uint32_t records) {
        plan_.program.streams.push_back({.name = std::move(name),
                                         .role = role,
                                         .medium = Medium::buffer,
                                         .words = words,
                                         .records = records,
                                         .layout = plan_.program.layout});
        return plan_.program.streams.size() - 1;
    }

    void declare_callers_streams() {
        for (std::size_t number = 0; number < spec_.sources.size(); ++number) {
            const SceneSource& source = spec_.sources[number];
            if (source.capacity == 0) continue;
            ScenePlan::Source planned;
            for (const SceneInput& input : source.inputs)
                planned.inputs.push_back(declare(fmt::format("{}.{}", source.name, input.name), StreamRole::input, 1,
                                                 static_cast<std::uint32_t>(words_of(input, source.capacity))));
            if (source.gpu_count) planned.count = declare(source.name + ".gpu_count", StreamRole::input, 1, 1);
            plan_.sources.push_back(std::move(planned));
            plan_.numbers.push_back(number);
        }
    }

    void add_keys() {
        std::uint32_t first_tile = 0;
        for (std::size_t i = 0; i < plan_.sources.size(); ++i) {
            const SceneSource& source = spec_.sources[plan_.numbers[i]];
            const std::uint32_t tiles = tiles_of(source);
            const std::uint32_t base = base_of(spec_.sources, plan_.numbers[i]);
            Op op;
            op.kernel = key_kernel(source, spec_.key, limits_);
            op.domain = Substream::range(0, tiles);
            const auto read = [&](StreamId id) {
                op.reads.push_back({id, Substream::first(plan_.program.streams[id].records)});
            };
            for (const StreamId input : plan_.sources[i].inputs)
                read(input);
            if (plan_.sources[i].count) read(*plan_.sources[i].count);
            op.writes = {{unsorted_, Substream::range(base, base + source.capacity)},
                         {marks_, Substream::range(first_tile * mark_words, (first_tile + tiles) * mark_words)}};
            op.parameters = {source.capacity, base, first_tile};
            plan_.sources[i].op = plan_.program.ops.size();
            plan_.program.ops.push_back(std::move(op));
            first_tile += tiles;
        }
    }

    Substream all_of(StreamId id) const { return Substream::first(plan_.program.streams[id].records); }

    void add_scan(std::uint32_t tiles) {
        Op op;
        op.kernel = scan_kernel(limits_);
        op.domain = Substream::range(0, 1);
        op.reads = {{marks_, all_of(marks_)}};
        op.writes = {{offsets_, all_of(offsets_)}, {plan_.status, all_of(plan_.status)}};
        op.parameters = {tiles};
        plan_.program.ops.push_back(std::move(op));
    }

    void add_compaction(bool items) {
        Op op;
        op.kernel = compact_kernel(items, key_words_, limits_);
        if (!items) op.reads.push_back({unsorted_, all_of(unsorted_)});
        op.reads.push_back({marks_, all_of(marks_)});
        op.reads.push_back({offsets_, all_of(offsets_)});
        const StreamId target = items ? plan_.items : plan_.keys;
        op.writes = {{target, all_of(target)}};
        std::vector<Block> blocks;
        std::uint32_t first_tile = 0;
        for (const std::size_t number : plan_.numbers) {
            const std::uint32_t tiles = tiles_of(spec_.sources[number]);
            blocks.push_back({first_tile, first_tile + tiles});
            op.blocks.push_back({.parameters = {base_of(spec_.sources, number) - first_tile * tile}, .labels = {}});
            first_tile += tiles;
        }
        op.domain = Substream(std::move(blocks));
        plan_.program.ops.push_back(std::move(op));
    }

    const SceneSpec& spec_;
    const Limits& limits_;
    ScenePlan plan_;
    std::uint32_t key_words_ = 1;
    StreamId unsorted_ = 0;
    StreamId marks_ = 0;
    StreamId offsets_ = 0;
};

}  // namespace

std::uint32_t items_of(const SceneSpec& spec) {
    return base_of(spec.sources, spec.sources.size());
}

void check_spec(const SceneSpec& spec) {
    if (spec.sources.empty() || spec.sources.size() > max_scene_sources)
        throw Error(fmt::format("{} sources; there must be 1 to {}", spec.sources.size(), max_scene_sources));
    if (spec.key != KeyType::f32 && spec.key != KeyType::i32 && spec.key != KeyType::u32 && spec.key != KeyType::u64)
        throw Error(fmt::format("key {}; it must be f32, i32, u32 or u64", to_string(spec.key)));
    std::uint64_t items = 0;
    for (std::size_t i = 0; i < spec.sources.size(); ++i) {
        items += spec.sources[i].capacity;
        try {
            check_source(spec.sources[i]);
        } catch (const Error& error) {
            throw Error(fmt::format("source {} ({}): {}", i, spec.sources[i].name, error.what()));
        }
    }
    constexpr std::uint64_t most = 0xfffffffe;
    if (items < 1 || items > most)
        throw Error(fmt::format("the capacities add up to {}; the sum must be 1 to {}", items, most));
}

ScenePlan plan_scene(const SceneSpec& spec, const Limits& limits) {
    return ScenePlanner(spec, limits).plan();
}

}  // namespace glsort::scene
