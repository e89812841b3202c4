#include <glsort/plan/radix/radix_kernels.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "exec/lockstep.h"
#include "support/random.h"

namespace glsort::test {
namespace {

constexpr std::uint32_t digits = 4;
constexpr std::uint32_t block = radix::Status::block;

/// What some tiles of a sweep have published about each digit, and what the sums are.
struct Tiles {
    enum State { silent, counted, summed };

    std::uint32_t number = 0;
    std::vector<State> states;                      ///< Of each digit of each tile.
    std::vector<std::uint32_t> counts;              ///< In the same order.
    std::vector<std::uint32_t> starts{0, 0, 0, 0};  ///< Where the elements of each digit begin.

    State state(std::uint32_t tile, std::uint32_t digit) const { return states[tile * digits + digit]; }
    std::uint32_t sum_before(std::uint32_t tile, std::uint32_t digit) const {
        std::uint32_t sum = starts[digit];
        for (std::uint32_t t = 0; t < tile; ++t)
            sum += counts[t * digits + digit];
        return sum;
    }
    /// Whether all tiles from `first` to `end` - 1 have published something.
    bool speak(std::uint32_t first, std::uint32_t end, std::uint32_t digit) const {
        for (std::uint32_t t = first; t < end; ++t)
            if (state(t, digit) == silent) return false;
        return true;
    }
};

/// `silent` and `summed`: percentages. Tile 0 publishes its sum, or nothing.
Tiles some_tiles(std::mt19937_64& random, std::uint32_t number, unsigned silent, unsigned summed) {
    Tiles tiles;
    tiles.number = number;
    for (std::uint32_t i = 0; i < number * digits; ++i) {
        const auto chance = static_cast<unsigned>(random() % 100);
        tiles.states.push_back(chance < silent                          ? Tiles::silent
                               : chance < silent + summed || i < digits ? Tiles::summed
                                                                        : Tiles::counted);
        tiles.counts.push_back(static_cast<std::uint32_t>(random() % 8193));
    }
    for (std::uint32_t& start : tiles.starts)
        start = static_cast<std::uint32_t>(random() % (1u << 29));
    return tiles;
}

/// What a group of a tile learns by looking back. Sums are compared only if they are complete.
Element expected_of(const Tiles& tiles, std::uint32_t tile, std::uint32_t digit) {
    const std::uint32_t begin = tile - tile % block;
    std::uint32_t missing = tile;
    while (missing > begin && tiles.state(missing - 1, digit) == Tiles::counted)
        --missing;
    const bool found = missing > begin && tiles.state(missing - 1, digit) == Tiles::summed;
    Element expected{found ? 0 : missing, 0, 0, 0};
    if (found) expected[1] = tiles.sum_before(tile, digit);
    // From the last earlier block that ends in a sum on, all tiles must have published something.
    std::uint32_t open = begin;
    while (open > 0 && tiles.state(open - 1, digit) != Tiles::summed && tiles.speak(open - block, open, digit))
        open -= block;
    const bool complete = open == 0 || tiles.state(open - 1, digit) == Tiles::summed;
    expected[2] = complete ? 1 : 0;
    if (complete && begin > 0) expected[3] = tiles.sum_before(begin, digit);
    return expected;
}

constexpr const char* publish_source = R"(
// Publishes the counts and sums of tiles, as the groups of a sweep do.
//
// expects ports: tiles
// expects macros: GLSORT_DIGITS

#include "lib/layout.glsl"
#include "radix/look_back.glsl"

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    uint tile = number / GLSORT_DIGITS;
    uint digit = number % GLSORT_DIGITS;
    uvec4 words = glsort_tiles_read(instance);  // state, count, sum
    if (words.x == 0u) return;
    if (tile == 0u) {
        glsort_publish_first_sum(digit, words.z);
    } else {
        glsort_publish_count(tile, digit, words.y);
        if (words.x == 2u) glsort_publish_sum(tile, digit, words.z);
    }
}
)";

constexpr const char* probe_source = R"(
// Looks back from a tile, without the group of a sweep.
//
// expects ports: found
// expects macros: GLSORT_DIGITS

#include "lib/layout.glsl"
#include "radix/look_back.glsl"

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    uint tile = number / GLSORT_DIGITS;
    uint digit = number % GLSORT_DIGITS;
    uint sum = 0u;
    uint missing = glsort_look_back(tile, digit, sum);
    uint before = 0u;
    bool complete = glsort_look_back_over_blocks(tile, digit, before);
    glsort_found_write(uvec4(missing, missing == 0u && tile > 0u ? sum : 0u, complete ? 1u : 0u, complete ? before : 0u));
}
)";

std::shared_ptr<Kernel> kernel_of(const char* name, const char* source) {
    auto kernel = std::make_shared<Kernel>();
    kernel->name = name;
    kernel->source = source;
    kernel->parameters = {{"first_status"}};
    kernel->defines = {{"GLSORT_DIGITS", std::to_string(digits) + "u"},
                       {"GLSORT_BLOCK_BITS", std::to_string(radix::Status::block_bits) + "u"},
                       {"GLSORT_LOOK_BACK", "4u"},
                       {"GLSORT_LONGEST_WAIT", "2u"}};
    return kernel;
}

/// The words of `tiles`.
std::vector<std::uint32_t> words_of(const Tiles& tiles) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t i = 0; i < tiles.number * digits; ++i)
        words.insert(words.end(), {static_cast<std::uint32_t>(tiles.states[i]), tiles.counts[i],
                                   tiles.sum_before(i / digits + 1, i % digits), 0});
    return words;
}

/// A program in which tiles publish what they have, and then look back: an instance for each digit of each tile.
StreamProgram probe(const Tiles& tiles, std::uint32_t first_status) {
    using radix::Status;
    const std::uint32_t words = first_status + Status::block_row_of(tiles.number + block) * digits;
    StreamProgram program;
    program.algorithm = "look-back";
    program.variant = "probe";
    program.backend = Backend::compute;
    program.n = tiles.number * digits;
    Stream given;
    given.name = "tiles";
    given.role = StreamRole::input;
    given.words = 4;
    given.records = program.n;
    Stream status;
    status.name = "status";
    status.role = StreamRole::in_place;
    status.records = words;
    Stream found = given;
    found.name = "found";
    found.role = StreamRole::output;
    program.streams = {given, status, found};
    const StreamUse all_status{1, Substream::range(0, words)};

    const auto publish = kernel_of("look_back_publish", publish_source);
    publish->inputs = {{.name = "tiles", .words = 4}};
    publish->outputs = {{.name = "status", .access = Access::shared, .elements = any_elements}};
    publish->cpu = [tiles, first_status](CpuInvocation& k) {
        const std::uint32_t tile = k.instance / digits;
        const std::uint32_t digit = k.instance % digits;
        const Tiles::State state = tiles.state(tile, digit);
        if (state == Tiles::silent) return;
        const std::uint32_t count = tiles.counts[k.instance];
        const std::uint32_t word =
            state == Tiles::counted ? count << 2 | 1 : tiles.sum_before(tile + 1, digit) << 2 | 2;
        k.scatter(0, first_status + Status::row_of(tile) * digits + digit, {word});
        k.add(0, first_status + Status::block_row_of(tile) * digits + digit, (tile == 0 ? 0 : count * 2 * block) + 1);
    };
    Op op;
    op.kernel = publish;
    op.domain = Substream::range(0, program.n);
    op.reads = {{0, op.domain}};
    op.writes = {all_status};
    op.parameters = {first_status};
    program.ops = {op};

    const auto look = kernel_of("look_back_probe", probe_source);
    look->outputs = {{.name = "found", .words = 4},
                     {.name = "status", .access = Access::shared, .elements = any_elements, .specified = false}};
    look->cpu = [tiles](CpuInvocation& k) {
        k.write(0, 0, expected_of(tiles, k.instance / digits, k.instance % digits));
    };
    op.kernel = look;
    op.reads = {};
    op.writes = {{2, op.domain}, all_status};
    program.ops.push_back(op);
    return program;
}

TEST_CASE("look-back: sums of earlier tiles, from tiles and from blocks", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("look-back", [&](TestContext& context, const Limits& limits) {
        if (!limits.array_stores) return;  // softpipe: docs/driver-faults.md, "Stores to arrays share an index"
        const auto api = api_of(context);
        ComputeExecutor executor(api, {});
        struct Shares {
            unsigned silent;
            unsigned summed;
        };
        // With the first two, all tiles have published.
        for (const auto [silent, summed] : {Shares{0, 0}, Shares{0, 100}, Shares{1, 3}, Shares{3, 0}, Shares{100, 0}})
            for (const std::uint32_t number : {1u, block - 1, block, block + 1, 7 * block + 5}) {
                INFO(number << " tiles, of 100 tiles " << silent << " silent and " << summed << " summed");
                const Tiles tiles = some_tiles(random, number, silent, summed);
                const StreamProgram program = probe(tiles, digits * static_cast<std::uint32_t>(random() % 3));
                const std::vector<std::uint32_t> zeros(program.streams[1].records);
                check_in_lockstep(api, executor, program, limits, {{"tiles", words_of(tiles)}, {"status", zeros}});
            }
    });
}

}  // namespace
}  // namespace glsort::test
