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

/// A program that grows part by part.
class Joiner {
  public:
    explicit Joiner(StreamProgram first) : whole_(std::move(first)) {}

    /// Appends a part. Returns the streams of the whole, by the streams of the part.
    std::vector<StreamId> append(const StreamProgram& part, const Known& known) {
        std::vector<StreamId> ids;
        for (StreamId id = 0; id < part.streams.size(); ++id) {
            const auto found = known.find(id);
            ids.push_back(found != known.end() ? found->second : add(part.streams[id]));
        }
        for (const Op& op : part.ops)
            whole_.ops.push_back(translated(op, ids));
        return ids;
    }

    /// A stream between two parts is no longer the caller's.
    void own(StreamId id) {
        Stream& stream = whole_.streams[id];
        stream.role = StreamRole::scratch;
        stream.any_width = false;
    }

    StreamId add(Stream stream) {
        const auto taken = [this](const std::string& name) {
            return std::any_of(whole_.streams.begin(), whole_.streams.end(),
                               [&](const Stream& other) { return other.name == name; });
        };
        while (taken(stream.name))
            stream.name += "'";
        stream.records = stream.records.value();
        whole_.streams.push_back(std::move(stream));
        return whole_.streams.size() - 1;
    }

    StreamProgram whole_;

  private:
    /// The op with constants for all numbers that follow the count.
    static Op translated(Op op, const std::vector<StreamId>& ids) {
        op.domain = constant(op.domain);
        for (auto* uses : {&op.reads, &op.writes})
            for (StreamUse& use : *uses)
                use = {ids[use.stream], constant(use.records)};
        for (Counted& parameter : op.parameters)
            parameter = parameter.value();
        return op;
    }
};

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

}  // namespace

WholeScene join(const SceneSpec& spec, const Limits& limits, ScenePlan keys, SinkPlan sinks, std::uint32_t visible) {
    const bool fragment = spec.backend == Backend::fragment;
    Joiner joiner(std::exchange(keys.program, {}));
    // Fragment shaders write no scratch buffers.
    joiner.whole_.streams[keys.status].role = StreamRole::in_place;
    if (fragment) {
        if (keys.visible) joiner.own(*keys.visible);
        for (const StreamId id : keys.unsorted)
            joiner.own(id);
    } else {
        // Without visible items there is no sort. If the sort would have read fronts, no op writes the streams that the
        // sinks declare as read. The streams are then the caller's, which may be read unwritten.
        const auto own = [&](StreamId id) {
            joiner.own(id);
            if (!keys.unsorted.empty() && visible == 0) joiner.whole_.streams[id].role = StreamRole::in_place;
        };
        own(keys.keys);
        if (keys.items) own(*keys.items);
        for (const StreamId id : keys.unsorted)
            joiner.own(id);
    }
    // What the sinks read.
    StreamId sorted = fragment ? keys.visible.value_or(0) : keys.items.value_or(keys.keys);
    if (visible == 0 && fragment && !keys.visible && !sinks.program.ops.empty()) {
        // No op writes what the sinks declare as read.
        Stream unwritten = sinks.program.streams[sinks.sorted];
        unwritten.role = StreamRole::in_place;
        unwritten.any_width = false;
        sorted = joiner.add(std::move(unwritten));
    }
    if (visible > 0) {
        const StreamProgram sort = sort_program(spec, limits, visible);
        Known known;
        if (sort.caller.input) known[*sort.caller.input] = *keys.visible;
        if (sort.caller.keys) known[*sort.caller.keys] = keys.keys;
        if (sort.caller.values) known[*sort.caller.values] = *keys.items;
        for (std::size_t i = 0; i < keys.unsorted.size(); ++i)
            known[sort.caller.source[i]] = keys.unsorted[i];
        const std::vector<StreamId> ids = joiner.append(sort, known);
        if (sort.caller.output) {
            sorted = ids[*sort.caller.output];
            if (spec.texture && sinks.program.ops.empty())
                sinks.texture = sorted;
            else
                joiner.own(sorted);
        }
        joiner.whole_.variant = sort.algorithm;
    }
    if (!sinks.program.ops.empty()) {
        // The sort writes no records behind the visible items.
        for (Op& op : sinks.program.ops)
            for (StreamUse& use : op.reads) {
                if ((use.stream != sinks.sorted && use.stream != sinks.keys) || visible == 0) continue;
                use.records = Substream::range(0, visible);
                if (op.kernel->transfer) op.domain = op.writes.front().records = use.records;
            }
        // Without visible items, there is no order to move. The op that moves the order comes first.
        std::vector<Op>& ops = sinks.program.ops;
        const bool moves_nothing =
            visible == 0 && ops.front().kernel->transfer && ops.front().reads.front().stream == sinks.sorted;
        if (moves_nothing) ops.erase(ops.begin());
        const std::size_t first = joiner.whole_.ops.size() - (moves_nothing ? 1 : 0);
        Known known{{sinks.sorted, sorted}, {sinks.status, keys.status}};
        if (sinks.keys) known[*sinks.keys] = keys.keys;
        const std::vector<StreamId> ids = joiner.append(std::exchange(sinks.program, {}), known);
        sinks.sorted = sorted;
        sinks.status = keys.status;
        for (auto* id : {&sinks.keys, &sinks.order, &sinks.indices, &sinks.triangles, &sinks.texture})
            *id = translated(*id, ids);
        sinks.triangles_op += first;
        for (SinkPlan::Result& result : sinks.results) {
            result.op += first;
            result.target = ids[result.target];
            for (StreamId& input : result.inputs)
                input = ids[input];
        }
    } else {
        sinks.sorted = sorted;
    }
    joiner.whole_.n = visible;
    return {std::move(joiner.whole_), std::move(keys), std::move(sinks)};
}

}  // namespace glsort::scene
