#include <glsort/error.h>
#include <glsort/planner.h>
#include <glsort/stream/counted.h>
#include <glsort/stream/print.h>
#include <glsort/stream/schedule.h>
#include <glsort/stream/validate.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/random.h"

using namespace glsort;
using namespace glsort::test;

namespace {

Limits limits_of_gpu() {
    Limits limits;
    limits.shared_memory = 49152;
    limits.subgroup_size = 32;
    limits.look_back = 1;
    limits.multiprocessors = 132;
    return limits;
}

// Everything that decides which shaders there are, and how they are bound.
std::string kernels_of(const StreamProgram& program) {
    std::string text;
    for (const Op& op : program.ops) {
        const Kernel& kernel = *op.kernel;
        text += kernel.name + " " + std::to_string(kernel.group_size) + " " + std::to_string(kernel.shared_words);
        for (const auto& [name, value] : kernel.defines) text += " " + name + "=" + value;
        for (const Port& port : kernel.inputs) text += " " + port.name;
        for (const Port& port : kernel.outputs) text += " " + port.name;
        text += "\n";
    }
    return text;
}

std::string barriers_of(const StreamProgram& program) {
    std::string text;
    const Schedule schedule = make_schedule(program);
    for (const Storage& storage : schedule.storages)
        text += std::to_string(storage.stream) + "/" + std::to_string(storage.copy) + " ";
    for (const ScheduledOp& op : schedule.ops) text += op.barrier ? "|" : ".";
    return text;
}

}  // namespace

TEST_CASE("numbers follow the count", "[plan]") {
    const Counted count = Counted::count(1000);
    CHECK(count.rule() == "count");
    CHECK(Counted(7).rule() == "7");
    const Counted tiles = parts_of(count, 256);
    CHECK(tiles == 4u);
    CHECK(tiles.rule() == "ceil(count / 256)");
    const Counted words = tiles * 16u + 3u;
    CHECK(words == 67u);
    CHECK(words.rule() == "16 ceil(count / 256) + 3");
    CHECK(words.at(1025) == 83u);
    CHECK(words.at(0) == 3u);
    CHECK((tiles * 0u).is_constant());
    // Of what has been calculated with, no rule is known.
    CHECK(parts_of(words, 10).is_constant());
    CHECK(parts_of(words, 10) == 7u);
    CHECK(Counted::count(0xffffffffu).at(0xffffffffu) == 0xffffffffu);
    CHECK(parts_of(Counted::count(0xffffffffu), 2) == 0x80000000u);
}

TEST_CASE("a program of another count is what would have been planned for it", "[plan]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto between = [&random](std::uint32_t first, std::uint32_t last) {
        return std::uniform_int_distribution<std::uint32_t>(first, last)(random);
    };
    std::size_t compared = 0;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const Payload& payload : {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(8)})
                for (const KeyType key : {KeyType::u32, KeyType::f64})
                    for (const bool gpu : {false, true}) {
                        PlanRequest request;
                        request.algorithm = algorithm.name + ":" + variant.name;
                        request.backend = Backend::compute;
                        request.key = key;
                        request.payload = payload;
                        request.capacity = 3000000;
                        if (gpu) request.limits = limits_of_gpu();
                        for (int i = 0; i < 6; ++i) {
                            request.n = between(1u, request.capacity);
                            StreamProgram program = plan(request);
                            if (!program.counts) continue;
                            CAPTURE(request.algorithm, to_string(payload), to_string(key), gpu, request.n,
                                    program.counts->first, program.counts->last);
                            CHECK(program.counts->contains(request.n));
                            const std::uint32_t last = std::min(program.counts->last, request.capacity);
                            for (const std::uint32_t count :
                                 {program.counts->first, last, between(program.counts->first, last)}) {
                                request.n = count;
                                CAPTURE(count);
                                const StreamProgram planned = plan(request);
                                set_count(program, count);
                                CHECK(to_text(program) == to_text(planned));
                                CHECK(kernels_of(program) == kernels_of(planned));
                                CHECK(barriers_of(program) == barriers_of(planned));
                                REQUIRE(planned.counts);
                                CHECK(planned.counts->first == program.counts->first);
                                CHECK(planned.counts->last == program.counts->last);
                                ++compared;
                            }
                        }
                    }
    CHECK(compared > 100);
}

TEST_CASE("a program refuses counts that it is none for", "[plan]") {
    PlanRequest request;
    request.algorithm = "radix:reduce-then-scan";
    request.n = request.capacity = 100000;
    StreamProgram program = plan(request);
    REQUIRE(program.counts);
    CHECK_THROWS_AS(set_count(program, program.counts->first - 1), Error);
    program.counts.reset();
    CHECK_THROWS_AS(set_count(program, 99999), Error);
}
