#pragma once

#include <glsort/error.h>
#include <glsort/stream/validate.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "stream/toy_program.h"

namespace glsort::test {

/// Some of records 0 ... 15, in up to three blocks.
inline Substream random_records(std::mt19937_64& random) {
    std::vector<Block> blocks;
    std::uint32_t at = 0;
    for (auto count = 1 + random() % 3; count > 0 && at < 16; --count) {
        const auto begin = at + static_cast<std::uint32_t>(random() % (16 - at));
        const auto end = begin + 1 + static_cast<std::uint32_t>(random() % (16 - begin));
        blocks.push_back({begin, end});
        at = end + static_cast<std::uint32_t>(random() % 3);
    }
    return Substream(blocks);
}

/// A valid program of about `ops` ops over a few streams of 16 records. `make_kernel` sets the name and the body of a
/// kernel.
template <class MakeKernel>
ToyProgram random_program(std::mt19937_64& random, Backend backend, int ops, MakeKernel make_kernel) {
    ToyProgram toy(backend);
    toy.add("input", StreamRole::input);
    toy.add("output", StreamRole::output);
    toy.add("both", StreamRole::in_place);
    for (const char* name : {"a", "b", "c"})
        toy.add(name);

    for (int op = 0; op < ops; ++op) {
        const bool whole = random() % 2 == 0;
        const Substream domain = whole ? Substream::range(0, 16) : random_records(random);
        std::vector<Port> inputs;
        std::vector<StreamUse> reads;
        for (auto count = random() % 3; count > 0; --count) {
            const bool linear = random() % 3 == 0;
            inputs.push_back(port(linear ? Access::linear : Access::gather));
            reads.push_back({random() % toy.program.streams.size(), linear ? domain : random_records(random)});
        }
        std::vector<Port> outputs;
        std::vector<StreamUse> writes;
        for (auto count = 1 + random() % 2; count > 0; --count) {
            outputs.push_back(port(Access::linear));
            writes.push_back({random() % toy.program.streams.size(), domain});
        }
        toy.run(make_kernel(std::move(inputs), std::move(outputs)), std::move(reads), std::move(writes), domain);
        try {
            validate(toy.program, {});
        } catch (const Error&) {
            toy.program.ops.pop_back();
        }
    }
    return toy;
}

}  // namespace glsort::test
