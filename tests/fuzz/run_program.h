#pragma once

#include <glsort/exec/cpu_executor.h>
#include <glsort/stream/cpu_invocation.h>
#include <glsort/stream/scheduler.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

/// Programs on the cpu executor.

namespace glsort::fuzz {

using Words = std::vector<std::uint32_t>;

/// Whether a program takes little memory and time, whatever its streams and domains say.
inline bool is_small(const StreamProgram& program) {
    constexpr std::uint64_t max_bytes = 1u << 20, max_instances = 1u << 12;
    std::uint64_t bytes = 0, instances = 0;
    for (const Stream& stream : program.streams) {
        if (stream.bytes() > max_bytes) return false;
        bytes += stream.bytes();
    }
    for (const Op& op : program.ops)
        instances += op.domain.size();
    return bytes <= max_bytes && instances <= max_instances;
}

/// Runs a program over streams of known words. Returns the words of all streams.
inline Words run_program(const StreamProgram& program, const Limits& limits) {
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(program, limits);
    std::vector<Words> external(program.streams.size());
    for (StreamId id = 0; id < program.streams.size(); ++id) {
        if (program.streams[id].role == StreamRole::scratch) continue;
        external[id].resize(program.streams[id].bytes() / 4);
        for (std::size_t i = 0; i < external[id].size(); ++i)
            external[id][i] = static_cast<std::uint32_t>((i + id) * 0x9e3779b1u);
        executor.bind(id, external[id]);
    }
    scheduler.run();
    Words all;
    for (StreamId id = 0; id < program.streams.size(); ++id) {
        const Words words = scheduler.read(id);
        all.insert(all.end(), words.begin(), words.end());
    }
    return all;
}

/// What an instance may touch, of one port.
struct Reach {
    Access access;
    Substream records;
};

/// The ends of each block of a reach: where an access out of range would show.
inline std::vector<std::uint32_t> edges(const Reach& reach, std::uint32_t elements_per_record) {
    std::vector<std::uint32_t> elements;
    for (const Block& block : reach.records.blocks()) {
        elements.push_back(block.begin * elements_per_record);
        elements.push_back(block.end * elements_per_record - 1);
    }
    return elements;
}

/// A hash over all that an invocation may read through one port.
inline std::uint32_t read_port(CpuInvocation& k, std::size_t port, std::size_t view, const Reach& reach) {
    std::uint32_t hash = 0;
    const auto read = [&](std::uint32_t element) {
        for (const std::uint32_t word : k.read(port, element))
            hash = (hash ^ word) * 0x9e3779b1u + (hash >> 15);
    };
    const std::uint32_t size = k.inputs[view].elements_per_record;
    if (reach.access != Access::linear)
        for (const std::uint32_t element : edges(reach, size))
            read(element);
    else
        for (std::uint32_t element = 0; element < size; ++element)
            read(k.instance * size + element);
    return hash;
}

/// Writes everywhere that an invocation may write through one port.
inline void write_port(CpuInvocation& k, std::size_t port, std::size_t view, const Reach& reach, std::uint32_t hash) {
    const std::uint32_t size = k.outputs[view].elements_per_record;
    if (reach.access == Access::linear)
        for (std::uint32_t element = 0; element < size; ++element)
            k.write(port, element, {hash, hash + element, ~hash, hash ^ element});
    else
        for (const std::uint32_t element : edges(reach, size)) {
            if (reach.access == Access::shared) hash += k.shared(port, element)[0] + k.add(port, element, hash);
            k.scatter(port, element, {hash, hash, hash, hash});
        }
}

/// The reaches of some uses of an op, as its program's current count has them.
inline std::vector<Reach> reaches(const std::vector<Port>& ports, const std::vector<StreamUse>& uses, std::size_t first,
                                  std::size_t count) {
    std::vector<Reach> out;
    for (std::size_t i = first; i < first + count; ++i)
        out.push_back({ports[i].access, uses[i].records});
    return out;
}

/// A load chunk that reads all of its streams.
inline std::shared_ptr<const Chunk> with_load(const Chunk& chunk, std::vector<Reach> reads) {
    auto bound = std::make_shared<Chunk>(chunk);
    bound->load = [reads](CpuInvocation& k, std::uint32_t) {
        std::uint32_t hash = 1;
        for (std::size_t i = 0; i < reads.size(); ++i)
            if (reads[i].access == Access::gather) hash += read_port(k, i, i, reads[i]);
        return Element{hash};
    };
    return bound;
}

/// Gives every kernel of an op a body that touches all that its ports and uses allow.
inline void add_body(Op& op) {
    const std::vector<Port> inputs = input_ports(op), outputs = output_ports(op);
    const std::size_t own_inputs = op.kernel->inputs.size() - (op.load ? 1 : 0);
    const auto bound = std::make_shared<Kernel>(*op.kernel);
    const bool loads = op.load != nullptr;
    const std::size_t loaded = loaded_input(*bound);
    bound->cpu = [loads, loaded, ports = bound->inputs.size(), reads = reaches(inputs, op.reads, 0, own_inputs),
                  writes = reaches(outputs, op.writes, 0, op.writes.size())](CpuInvocation& k) {
        std::uint32_t hash = k.instance;
        for (std::size_t port = 0; port < ports; ++port) {
            const std::size_t view = loads && port > loaded ? port - 1 : port;
            hash += loads && port == loaded ? k.read(port, k.instance)[0] : read_port(k, port, view, reads[view]);
        }
        for (std::size_t port = 0; port < writes.size(); ++port)
            write_port(k, port, port, writes[port], hash);
    };
    if (op.load) op.load = with_load(*op.load, reaches(inputs, op.reads, own_inputs, op.load->inputs.size()));
    op.kernel = bound;
}

inline void add_bodies(StreamProgram& program) {
    for (Op& op : program.ops)
        add_body(op);
}

/// Whether two schedules agree but for their barriers. A range of counts may need barriers that one count does not.
inline bool same_storages(const Schedule& a, const Schedule& b) {
    const auto same_op = [](const ScheduledOp& x, const ScheduledOp& y) {
        return x.reads == y.reads && x.writes == y.writes;
    };
    const auto same_storage = [](const Storage& x, const Storage& y) {
        return x.stream == y.stream && x.copy == y.copy;
    };
    return std::equal(a.ops.begin(), a.ops.end(), b.ops.begin(), b.ops.end(), same_op) &&
           std::equal(a.storages.begin(), a.storages.end(), b.storages.begin(), b.storages.end(), same_storage);
}

/// Counts at which a program might go wrong.
inline std::vector<std::uint32_t> counts_to_try(const StreamProgram& program) {
    if (!program.counts) return {program.n};
    std::vector<std::uint32_t> counts{program.counts->first, program.n, program.counts->last};
    for (std::uint32_t count = 1; count < 128; count += 1 + count / 8)
        if (program.counts->contains(count)) counts.push_back(count);
    return counts;
}

}  // namespace glsort::fuzz
