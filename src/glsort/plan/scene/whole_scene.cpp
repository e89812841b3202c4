#include <glsort/plan/algorithm.h>
#include <glsort/plan/scene/scene_sort.h>
#include <glsort/plan/scene/whole_scene.h>
#include <glsort/planner.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glsort::scene {
namespace {

/// Streams of a part that are streams of the whole already.
using Known = std::map<StreamId, StreamId>;

Substream constant(const Substream& records) {
    return Substream(records.blocks());
}

/// The op with constants for all numbers that follow the count.
Op translated(Op op, const std::vector<StreamId>& ids) {
    op.domain = constant(op.domain);
    for (auto* uses : {&op.reads, &op.writes})
        for (StreamUse& use : *uses)
            use = {ids[use.stream], constant(use.records)};
    for (Counted& parameter : op.parameters)
        parameter = parameter.value();
    return op;
}

std::optional<StreamId> translated(const std::optional<StreamId>& id, const std::vector<StreamId>& ids) {
    return id ? std::optional(ids[*id]) : std::nullopt;
}

/// The program of the sort. Behind the count its streams have any contents.
StreamProgram sort_program(const SceneSpec& spec, const Limits& limits, std::uint32_t visible) {
    const SortSpec sort = sort_spec(spec, limits);
    StreamProgram program = make_program(
        {.spec = sort, .n = sort.capacity, .limits = limits, .lists = {}, .source = source_of_sort(spec, limits)});
    set_count(program, visible);
    return program;
}

/// The sinks for a number of visible items: the sort writes no records behind these items. Returns whether an op was
/// left out that had nothing to move.
bool shorten_to(SinkPlan& sinks, std::uint32_t visible) {
    std::vector<Op>& ops = sinks.program.ops;
    if (visible == 0) {
        // There is no order to move. The op that moves the order comes first.
        const bool moves_nothing = ops.front().kernel->transfer && ops.front().reads.front().stream == sinks.sorted;
        if (moves_nothing) ops.erase(ops.begin());
        return moves_nothing;
    }
    for (Op& op : ops)
        for (StreamUse& use : op.reads) {
            if (use.stream != sinks.sorted && use.stream != sinks.keys) continue;
            use.records = Substream::range(0, visible);
            if (op.kernel->transfer) op.domain = op.writes.front().records = use.records;
        }
    return false;
}

/// The program of a scene, which grows part by part.
class Joiner {
  public:
    Joiner(const SceneSpec& spec, const Limits& limits, ScenePlan keys, SinkPlan sinks, std::uint32_t visible)
        : spec_(spec),
          limits_(limits),
          visible_(visible),
          whole_{std::exchange(keys.program, {}), std::move(keys), std::move(sinks)} {}

    WholeScene join() {
        own_streams_of_keys();
        const StreamId sorted = append_sort();
        append_sinks(sorted);
        whole_.program.n = visible_;
        return std::move(whole_);
    }

  private:
    bool is_fragment() const { return spec_.backend == Backend::fragment; }

    /// Appends a part. Returns the streams of the whole, by the streams of the part.
    std::vector<StreamId> append(const StreamProgram& part, const Known& known) {
        std::vector<StreamId> ids;
        for (StreamId id = 0; id < part.streams.size(); ++id) {
            const auto found = known.find(id);
            ids.push_back(found != known.end() ? found->second : add(part.streams[id]));
        }
        for (const Op& op : part.ops)
            whole_.program.ops.push_back(translated(op, ids));
        return ids;
    }

    /// A stream between two parts is no longer the caller's.
    void own(StreamId id) {
        Stream& stream = whole_.program.streams[id];
        stream.role = StreamRole::scratch;
        stream.any_width = false;
    }

    StreamId add(Stream stream) {
        std::vector<Stream>& streams = whole_.program.streams;
        const auto taken = [&](const std::string& name) {
            return std::any_of(streams.begin(), streams.end(), [&](const Stream& other) { return other.name == name; });
        };
        while (taken(stream.name))
            stream.name += "'";
        stream.records = stream.records.value();
        streams.push_back(std::move(stream));
        return streams.size() - 1;
    }

    /// Adds a stream that no op writes, in place of one that the sinks declare as read.
    StreamId add_unwritten(Stream stream) {
        stream.role = StreamRole::in_place;
        stream.any_width = false;
        return add(std::move(stream));
    }

    void own_streams_of_keys() {
        const ScenePlan& keys = whole_.keys;
        std::vector<Stream>& streams = whole_.program.streams;
        // Fragment shaders write no scratch buffers.
        streams[keys.status].role = StreamRole::in_place;
        if (is_fragment()) {
            if (keys.visible) own(*keys.visible);
        } else {
            // Without visible items there is no sort. If the sort would have read fronts, no op writes the streams that
            // the sinks declare as read. The streams are then the caller's, which may be read unwritten.
            const auto own_result = [&](StreamId id) {
                own(id);
                if (!keys.unsorted.empty() && visible_ == 0) streams[id].role = StreamRole::in_place;
            };
            own_result(keys.keys);
            if (keys.items) own_result(*keys.items);
        }
        for (const StreamId id : keys.unsorted)
            own(id);
    }

    /// Returns what the sinks read.
    StreamId append_sort() {
        const ScenePlan& keys = whole_.keys;
        SinkPlan& sinks = whole_.sinks;
        StreamId sorted = is_fragment() ? keys.visible.value_or(0) : keys.items.value_or(keys.keys);
        if (visible_ == 0) {
            if (!is_fragment() || keys.visible || sinks.program.ops.empty()) return sorted;
            return add_unwritten(sinks.program.streams[sinks.sorted]);
        }
        const StreamProgram sort = sort_program(spec_, limits_, visible_);
        Known known;
        if (sort.caller.input) known[*sort.caller.input] = *keys.visible;
        if (sort.caller.keys) known[*sort.caller.keys] = keys.keys;
        if (sort.caller.values) known[*sort.caller.values] = *keys.items;
        for (std::size_t i = 0; i < keys.unsorted.size(); ++i)
            known[sort.caller.source[i]] = keys.unsorted[i];
        const std::vector<StreamId> ids = append(sort, known);
        whole_.program.variant = sort.algorithm;
        if (!sort.caller.output) return sorted;
        sorted = ids[*sort.caller.output];
        if (spec_.texture && sinks.program.ops.empty())
            sinks.texture = sorted;
        else
            own(sorted);
        return sorted;
    }

    void append_sinks(StreamId sorted) {
        SinkPlan& sinks = whole_.sinks;
        if (sinks.program.ops.empty()) {
            sinks.sorted = sorted;
            return;
        }
        const bool moves_nothing = shorten_to(sinks, visible_);
        const std::size_t first = whole_.program.ops.size() - (moves_nothing ? 1 : 0);
        Known known{{sinks.sorted, sorted}, {sinks.status, whole_.keys.status}};
        if (sinks.keys) known[*sinks.keys] = whole_.keys.keys;
        const std::vector<StreamId> ids = append(std::exchange(sinks.program, {}), known);
        sinks.sorted = sorted;
        sinks.status = whole_.keys.status;
        for (auto* id : {&sinks.keys, &sinks.order, &sinks.indices, &sinks.triangles, &sinks.texture})
            *id = translated(*id, ids);
        sinks.triangles_op += first;
        for (SinkPlan::Result& result : sinks.results) {
            result.op += first;
            result.target = ids[result.target];
            for (StreamId& input : result.inputs)
                input = ids[input];
        }
    }

    const SceneSpec& spec_;
    const Limits& limits_;
    std::uint32_t visible_;
    WholeScene whole_;
};

}  // namespace

WholeScene join(const SceneSpec& spec, const Limits& limits, ScenePlan keys, SinkPlan sinks, std::uint32_t visible) {
    return Joiner(spec, limits, std::move(keys), std::move(sinks), visible).join();
}

}  // namespace glsort::scene
