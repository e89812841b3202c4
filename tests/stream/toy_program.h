#pragma once

#include <glsort/stream/program.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Programs made by hand.

namespace glsort::test {

/// A kernel without a GLSL body. A port without a name gets its place as its name.
inline std::shared_ptr<Kernel> toy_kernel(std::string name, std::vector<Port> inputs, std::vector<Port> outputs,
                                          std::function<void(CpuInvocation&)> cpu = {}) {
    auto kernel = std::make_shared<Kernel>();
    kernel->name = std::move(name);
    kernel->inputs = std::move(inputs);
    kernel->outputs = std::move(outputs);
    for (auto* ports : {&kernel->inputs, &kernel->outputs})
        for (std::size_t i = 0; i < ports->size(); ++i)
            if ((*ports)[i].name.empty())
                (*ports)[i].name = (ports == &kernel->inputs ? "in" : "out") + std::to_string(i);
    kernel->cpu = std::move(cpu);
    return kernel;
}

inline Port port(Access access, std::uint32_t words = 1, std::uint32_t elements = 1) {
    Port port;
    port.access = access;
    port.words = words;
    port.elements = elements;
    return port;
}

/// A program `toy:test` of buffers or textures. Tests add streams and ops.
struct ToyProgram {
    explicit ToyProgram(Backend backend) {
        program.algorithm = "toy";
        program.variant = "test";
        program.backend = backend;
        program.layout = stream_layout(Layout::row_wise, 64);
    }

    /// Adds a stream of 16 records of one word. Tests change the returned stream's members if necessary.
    StreamId add(std::string name, StreamRole role = StreamRole::scratch, std::uint32_t records = 16) {
        Stream stream;
        stream.name = std::move(name);
        stream.role = role;
        stream.records = records;
        const bool textures = program.backend == Backend::fragment;
        stream.medium = textures ? Medium::texture : Medium::buffer;
        stream.layout = program.layout;
        program.streams.push_back(std::move(stream));
        return program.streams.size() - 1;
    }

    /// Adds an op. Without a given domain, the domain is that of the first write.
    Op& run(KernelPtr kernel, std::vector<StreamUse> reads, std::vector<StreamUse> writes, Substream domain = {}) {
        Op op;
        op.domain = domain.empty() && !writes.empty() ? writes.front().records : std::move(domain);
        op.kernel = std::move(kernel);
        op.reads = std::move(reads);
        op.writes = std::move(writes);
        program.ops.push_back(std::move(op));
        return program.ops.back();
    }

    StreamProgram program;
};

inline Substream range(std::uint32_t begin, std::uint32_t end) {
    return Substream::range(begin, end);
}

/// All records of a stream of a toy program.
inline const Substream all_16 = range(0, 16);

/// Kernels of one input and one output.
inline std::shared_ptr<Kernel> linear() {
    return toy_kernel("toy_linear", {port(Access::linear)}, {port(Access::linear)});
}
inline std::shared_ptr<Kernel> gather() {
    return toy_kernel("toy_gather", {port(Access::gather)}, {port(Access::linear)});
}

inline const std::vector<Backend> every_backend = {Backend::fragment, Backend::compute, Backend::cpu};

}  // namespace glsort::test
