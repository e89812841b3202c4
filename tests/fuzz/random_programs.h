#pragma once

#include <fuzzer/FuzzedDataProvider.h>
#include <glsort/error.h>
#include <glsort/planner.h>
#include <glsort/stream/program.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Stream programs out of the bytes of a fuzzer, most of them invalid.

namespace glsort::fuzz {

/// Once in sixteen times, and never where the bytes are used up.
inline bool rarely(FuzzedDataProvider& data) {
    return data.ConsumeIntegralInRange(0, 15) == 15;
}

/// A number that is mostly small, and sometimes one at which arithmetic wraps round.
inline std::uint32_t consume_number(FuzzedDataProvider& data, std::uint32_t small = 24) {
    if (!rarely(data)) return data.ConsumeIntegralInRange(0u, small);
    return data.PickValueInArray(
        {0u, 255u, 0x10000u, 0x3fffffffu, 0x40000000u, 0x7fffffffu, 0x80000000u, 0xfffffffeu, 0xffffffffu});
}

/// From 1 to `most`, and rarely any number.
inline std::uint32_t consume_small(FuzzedDataProvider& data, std::uint32_t most) {
    return rarely(data) ? consume_number(data) : data.ConsumeIntegralInRange(1u, most);
}

inline Counted consume_counted(FuzzedDataProvider& data, const StreamProgram& program) {
    if (!program.counts || data.ConsumeBool()) return consume_number(data);
    Counted number = Counted::count(program.n);
    if (data.ConsumeBool()) number = parts_of(number, std::max(1u, consume_number(data, 8)));
    if (data.ConsumeBool()) number = number * consume_number(data, 4);
    if (data.ConsumeBool()) number = number + consume_number(data, 4);
    return number;
}

inline Substream consume_substream(FuzzedDataProvider& data, const StreamProgram& program) {
    if (program.counts && data.ConsumeBool()) return Substream::first(consume_counted(data, program));
    std::vector<Block> blocks;
    for (auto left = data.ConsumeIntegralInRange(1, 3); left > 0; --left) {
        const std::uint32_t begin = (blocks.empty() ? 0 : blocks.back().end) + consume_number(data, 4);
        blocks.push_back({begin, begin + consume_small(data, 8)});
    }
    try {
        return Substream(blocks);
    } catch (const Error&) {
        return {};
    }
}

inline Stream consume_stream(FuzzedDataProvider& data, const StreamProgram& program) {
    Stream stream;
    stream.name = "s" + std::to_string(program.streams.size());
    stream.role = data.PickValueInArray(
        {StreamRole::scratch, StreamRole::input, StreamRole::scratch, StreamRole::output, StreamRole::in_place});
    const bool usual = !rarely(data);
    stream.medium = (program.backend == Backend::fragment) == usual ? Medium::texture : Medium::buffer;
    stream.words = data.ConsumeBool() ? 1 : consume_small(data, 4);
    stream.elements_per_record = data.ConsumeBool() ? 1 : consume_small(data, 4);
    stream.records = data.ConsumeBool() ? Counted(40) : consume_counted(data, program);
    stream.layout =
        usual ? program.layout
              : StreamLayout{data.PickValueInArray({Layout::row_wise, Layout::z_order}), consume_number(data, 8)};
    stream.begins_zero = data.ConsumeBool();
    if (rarely(data)) stream.padding = {consume_number(data, 8), consume_number(data, 8)};
    return stream;
}

/// A port, and how it uses a stream: most fit each other.
struct PortUse {
    Port port;
    StreamUse use;
};
inline PortUse consume_port(FuzzedDataProvider& data, const StreamProgram& program, const Substream& domain,
                            bool input) {
    PortUse made;
    made.use.stream = data.ConsumeIntegralInRange<std::size_t>(0, program.streams.size() - (rarely(data) ? 0 : 1));
    const Stream stream = made.use.stream < program.streams.size() ? program.streams[made.use.stream] : Stream{};
    made.port.name = input ? "in" : "out";
    made.port.access = rarely(data) ? data.PickValueInArray({Access::scatter, Access::shared, Access::gather})
                       : input
                           ? data.PickValueInArray({Access::linear, Access::gather})
                           : data.PickValueInArray({Access::linear, Access::linear, Access::scatter, Access::shared});
    made.port.words = rarely(data) ? consume_number(data, 5) : stream.words;
    made.port.elements = consume_number(data, 4);
    made.port.by_fours = rarely(data);
    made.port.role = data.PickValueInArray({PortRole::elements, PortRole::other});
    const bool as_domain = made.port.access == Access::linear && !rarely(data);
    made.use.records = as_domain            ? domain
                       : data.ConsumeBool() ? Substream::first(stream.records)
                                            : consume_substream(data, program);
    return made;
}

/// An op over some streams. Its kernel has no body.
inline Op consume_op(FuzzedDataProvider& data, const StreamProgram& program) {
    Op op;
    op.domain = consume_substream(data, program);
    if (rarely(data)) return op;  // Without a kernel.
    auto kernel = std::make_shared<Kernel>();
    kernel->name = "toy";
    const auto consume_ports = [&](bool input, int least, std::vector<Port>& ports, std::vector<StreamUse>& uses) {
        for (auto left = data.ConsumeIntegralInRange(least, 2); left > 0; --left) {
            PortUse made = consume_port(data, program, op.domain, input);
            made.port.name += std::to_string(ports.size());
            ports.push_back(made.port);
            if (!rarely(data)) uses.push_back(made.use);
        }
    };
    consume_ports(true, 0, kernel->inputs, op.reads);
    consume_ports(false, 1, kernel->outputs, op.writes);
    for (std::size_t i = 0; i < op.writes.size(); ++i)
        if (kernel->outputs[i].access == Access::linear && op.writes[i].stream < program.streams.size())
            kernel->elements_per_instance = program.streams[op.writes[i].stream].elements_per_record;
    if (rarely(data)) kernel->elements_per_instance = consume_number(data, 4);
    if (rarely(data)) kernel->group_size = consume_number(data);
    if (rarely(data)) kernel->parameters.push_back({.name = "p"});
    if (rarely(data)) kernel->block_parameters.push_back({.name = "q"});
    kernel->reads_first = data.PickValueInArray({ReadsFirst::never, ReadsFirst::one_group, ReadsFirst::always});
    op.kernel = kernel;
    if (data.ConsumeIntegralInRange(0, 3) == 3 &&
        loaded_input(*kernel) < std::min(kernel->inputs.size(), op.reads.size())) {
        // The chunk reads what the kernel would read. Its inputs come behind those of the kernel.
        const auto loaded = static_cast<std::ptrdiff_t>(loaded_input(*kernel));
        auto chunk = std::make_shared<Chunk>();
        chunk->name = "toy_load";
        chunk->inputs = {kernel->inputs[static_cast<std::size_t>(loaded)]};
        op.load = chunk;
        std::rotate(op.reads.begin() + loaded, op.reads.begin() + loaded + 1, op.reads.end());
    }
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i)
        op.parameters.push_back(consume_counted(data, program));
    if (!kernel->block_parameters.empty())
        op.blocks.resize(op.domain.blocks().size(), {.parameters = {consume_number(data)}, .labels = {}});
    return op;
}

struct HandMade {
    StreamProgram program;
    Limits limits;
};

/// Takes the last stream or op of a program back if the program is invalid with it, but for rare ones.
template <class Members>
void keep_if_valid(FuzzedDataProvider& data, HandMade& made, Members& members) {
    try {
        validate(made.program, made.limits);
    } catch (const Error&) {
        if (!rarely(data)) members.pop_back();
    }
}

inline HandMade consume_hand_made(FuzzedDataProvider& data) {
    HandMade made;
    StreamProgram& program = made.program;
    program.algorithm = "toy";
    program.variant = "fuzz";
    program.backend = data.PickValueInArray({Backend::cpu, Backend::compute, Backend::fragment});
    program.layout = stream_layout(Layout::row_wise, 64);
    made.limits.texture_barrier = data.ConsumeBool();
    program.n = consume_number(data);
    if (data.ConsumeBool()) {
        const std::uint32_t before = data.ConsumeIntegralInRange(0u, 8u);
        program.counts = {program.n - std::min(program.n, before), program.n + consume_number(data)};
    }
    for (auto left = data.ConsumeIntegralInRange(2, 6); left > 0; --left) {
        program.streams.push_back(consume_stream(data, program));
        keep_if_valid(data, made, program.streams);
    }
    if (program.streams.empty()) return made;
    for (auto left = data.ConsumeIntegralInRange(1, 16); left > 0; --left) {
        program.ops.push_back(consume_op(data, program));
        keep_if_valid(data, made, program.ops);
    }
    return made;
}

struct Planned {
    StreamProgram program;
    Limits limits;
    bool changed = false;
};

/// Changes one thing of a program.
inline void change(FuzzedDataProvider& data, StreamProgram& program) {
    if (program.ops.empty() || program.streams.empty()) return;
    const std::size_t number = data.ConsumeIntegralInRange<std::size_t>(0, program.ops.size() - 1);
    const std::size_t other = data.ConsumeIntegralInRange<std::size_t>(0, program.ops.size() - 1);
    const std::size_t stream = data.ConsumeIntegralInRange<std::size_t>(0, program.streams.size() - 1);
    Op& op = program.ops[number];
    const auto place = [&](std::size_t index) { return program.ops.begin() + static_cast<std::ptrdiff_t>(index); };
    std::vector<StreamUse>& uses = data.ConsumeBool() ? op.reads : op.writes;
    StreamUse* use = uses.empty() ? nullptr : &uses[data.ConsumeIntegralInRange<std::size_t>(0, uses.size() - 1)];
    switch (data.ConsumeIntegralInRange(0, 9)) {
        case 0:
            program.ops.erase(place(number));
            break;
        case 1:
            program.ops.insert(place(number), Op(program.ops[other]));
            break;
        case 2:
            std::swap(program.ops[number], program.ops[other]);
            break;
        case 3:
            program.streams.erase(program.streams.begin() + static_cast<std::ptrdiff_t>(stream));
            break;
        case 4:
            program.streams[stream].records = consume_number(data, 700);
            break;
        case 5:
            program.streams[stream].elements_per_record = consume_number(data, 8);
            break;
        case 6:
            op.domain = consume_substream(data, program);
            break;
        case 7:
            if (use != nullptr) use->records = consume_substream(data, program);
            break;
        case 8:
            if (use != nullptr) use->stream = stream;
            break;
        default:
            op.kernel = program.ops[other].kernel;
            break;
    }
}

/// A planned program, changed in up to three places. Nothing where the request is refused.
inline std::optional<Planned> consume_planned(FuzzedDataProvider& data) {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Algorithm& algorithm : algorithms())
            for (const Algorithm::Variant& variant : algorithm.variants)
                all.push_back(algorithm.name + ":" + variant.name);
        return all;
    }();
    PlanRequest request;
    request.spec.algorithm = names[data.ConsumeIntegralInRange<std::size_t>(0, names.size() - 1)];
    request.spec.backend = data.PickValueInArray({Backend::cpu, Backend::compute, Backend::fragment});
    request.spec.order.key = data.PickValueInArray(every_key_type);
    request.spec.payload = data.PickValueInArray({Payload::none(), Payload::index(), Payload::bytes(12)});
    request.n = data.ConsumeIntegralInRange(0u, 700u);
    request.spec.capacity = data.ConsumeBool() ? 0 : request.n + data.ConsumeIntegralInRange(0u, 5000u);
    request.limits.look_back = data.ConsumeBool();
    request.limits.texture_barrier = data.ConsumeBool();
    Planned planned;
    planned.limits = request.limits;
    try {
        planned.program = plan(request);
    } catch (const Error&) {
        return std::nullopt;
    }
    const int changes = data.ConsumeIntegralInRange(0, 3);
    for (int i = 0; i < changes; ++i)
        change(data, planned.program);
    planned.changed = changes > 0;
    return planned;
}

}  // namespace glsort::fuzz
