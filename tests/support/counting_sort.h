#pragma once

#include <glsort/stream/cpu_invocation.h>
#include <glsort/stream/program.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/paths.h"

/// A stable sort by one digit of four bits: groups, shared memory, scatter and atomics in one small program. The
/// library has no such algorithm. The sort tests the stream level alone.

namespace glsort::test {

inline constexpr std::uint32_t counting_tile = 64;    ///< Keys of a group, and invocations of a group.
inline constexpr std::uint32_t counting_digits = 16;  ///< Values of a digit.

namespace counting {

enum : std::size_t { count_parameter, tiles_parameter, shift_parameter };

inline std::uint32_t digit_of(CpuInvocation& k, std::uint32_t key) {
    return key >> k.parameter(shift_parameter) & (counting_digits - 1);
}

/// The elements of the group's tile: from `first` up to but not including `second`.
inline std::pair<std::uint32_t, std::uint32_t> tile_of(CpuInvocation& k) {
    const std::uint32_t begin = k.instance * counting_tile;
    return {begin, std::min(begin + counting_tile, k.parameter(count_parameter))};
}

/// The body of tests/support/counting_histogram.glsl: counts digits by tile, and in all.
inline void histogram(CpuInvocation& k) {
    std::array<std::uint32_t, counting_digits> counts{};
    const auto [begin, end] = tile_of(k);
    for (std::uint32_t i = begin; i < end; ++i)
        ++counts[digit_of(k, k.read(0, i)[0])];
    for (std::uint32_t digit = 0; digit < counting_digits; ++digit) {
        k.scatter(0, digit * k.parameter(tiles_parameter) + k.instance, {counts[digit]});
        k.add(1, digit, counts[digit]);
    }
}

/// The body of tests/support/counting_scan.glsl: finds the places for the keys of one digit, tile by tile.
inline void scan(CpuInvocation& k) {
    const std::uint32_t tiles = k.parameter(tiles_parameter);
    std::uint32_t sum = 0;
    for (std::uint32_t digit = 0; digit < k.instance; ++digit)
        sum += k.read(1, digit)[0];
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
        const std::uint32_t element = k.instance * tiles + tile;
        const std::uint32_t count = k.read(0, element)[0];
        k.scatter(0, element, {sum});
        sum += count;
    }
}

/// The body of tests/support/counting_scatter.glsl: moves the keys of a tile.
inline void scatter(CpuInvocation& k) {
    const std::uint32_t tiles = k.parameter(tiles_parameter);
    std::array<std::uint32_t, counting_digits> ranks{};
    const auto [begin, end] = tile_of(k);
    for (std::uint32_t i = begin; i < end; ++i) {
        const std::uint32_t key = k.read(0, i)[0];
        const std::uint32_t digit = digit_of(k, key);
        const std::uint32_t place = k.read(1, digit * tiles + k.instance)[0] + ranks[digit]++;
        k.scatter(0, place, {key});
        k.scatter(1, place, {i});
    }
}

inline std::string shader_text(const std::string& name) {
    const std::string path = paths::source("tests/support/" + name + ".glsl");
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::shared_ptr<Kernel> kernel(const std::string& name, void (*cpu)(CpuInvocation&)) {
    auto kernel = std::make_shared<Kernel>();
    kernel->name = name;
    kernel->source = shader_text(name);
    kernel->parameters = {{"count"}, {"tiles"}, {"shift"}};
    kernel->defines = {{"GLSORT_DIGITS", std::to_string(counting_digits) + "u"}};
    kernel->group_size = counting_tile;
    kernel->cpu = cpu;
    return kernel;
}

}  // namespace counting

/// Sorts the `n` words of stream `keys` by their bits shift ... shift+3 into stream `sorted`. Stream `order` gets the
/// place in `keys` of each sorted word. For the compute and cpu backends.
inline StreamProgram counting_sort_program(std::uint32_t n, Backend backend, std::uint32_t shift = 0) {
    StreamProgram program;
    program.algorithm = "counting";
    program.variant = "digit";
    program.backend = backend;
    program.n = n;
    const std::uint32_t tiles = (n + counting_tile - 1) / counting_tile;

    const auto declare = [&](const char* name, StreamRole role, std::uint32_t records) {
        Stream stream;
        stream.name = name;
        stream.role = role;
        stream.records = records;
        program.streams.push_back(stream);
        return program.streams.size() - 1;
    };
    const StreamId keys = declare("keys", StreamRole::input, n);
    const StreamId counts = declare("counts", StreamRole::scratch, counting_digits * tiles);
    const StreamId totals = declare("totals", StreamRole::scratch, counting_digits);
    const StreamId sorted = declare("sorted", StreamRole::output, n);
    const StreamId order = declare("order", StreamRole::output, n);
    if (n == 0) return program;

    const Substream all_keys = Substream::range(0, n);
    const Substream all_counts = Substream::range(0, counting_digits * tiles);
    const Substream all_digits = Substream::range(0, counting_digits);
    const Substream all_tiles = Substream::range(0, tiles);
    const auto add = [&](const std::shared_ptr<Kernel>& kernel, std::vector<StreamUse> reads,
                         std::vector<StreamUse> writes, const Substream& domain) {
        Op op;
        op.kernel = kernel;
        op.reads = std::move(reads);
        op.writes = std::move(writes);
        op.domain = domain;
        op.parameters = {n, tiles, shift};
        op.labels.step = static_cast<int>(program.ops.size());
        program.ops.push_back(std::move(op));
    };
    const auto gathered = [](const char* name, std::uint32_t elements) {
        return Port{.name = name, .access = Access::gather, .elements = elements};
    };
    const auto scattered = [](const char* name, std::uint32_t elements) {
        return Port{.name = name, .access = Access::scatter, .elements = elements};
    };

    // Atomic additions need zeros to begin with.
    const auto clear = counting::kernel("counting_clear", [](CpuInvocation& k) { k.write(0, 0, {}); });
    clear->group_size = 1;
    clear->outputs = {{.name = "totals"}};
    add(clear, {}, {{totals, all_digits}}, all_digits);

    const auto histogram = counting::kernel("counting_histogram", counting::histogram);
    histogram->inputs = {gathered("keys", counting_tile)};
    histogram->outputs = {scattered("counts", counting_digits),
                          {.name = "totals", .access = Access::shared, .elements = counting_digits}};
    histogram->shared_words = counting_digits;
    add(histogram, {{keys, all_keys}}, {{counts, all_counts}, {totals, all_digits}}, all_tiles);

    const auto scan = counting::kernel("counting_scan", counting::scan);
    scan->inputs = {gathered("counts", tiles), gathered("totals", counting_digits)};
    scan->outputs = {scattered("offsets", tiles)};
    scan->shared_words = counting_tile;
    add(scan, {{counts, all_counts}, {totals, all_digits}}, {{counts, all_counts}}, all_digits);

    const auto scatter = counting::kernel("counting_scatter", counting::scatter);
    scatter->inputs = {gathered("keys", counting_tile), gathered("offsets", counting_digits)};
    scatter->outputs = {scattered("sorted", counting_tile), scattered("order", counting_tile)};
    scatter->shared_words = counting_tile;
    add(scatter, {{keys, all_keys}, {counts, all_counts}}, {{sorted, all_keys}, {order, all_keys}}, all_tiles);
    return program;
}

}  // namespace glsort::test
