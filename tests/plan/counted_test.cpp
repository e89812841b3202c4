#include <glsort/error.h>
#include <glsort/planner.h>
#include <glsort/stream/program.h>
#include <glsort/stream/schedule.h>
#include <glsort/stream/stream.h>
#include <glsort/stream/validate.h>

#include <algorithm>
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

// Everything that determines the shaders of a program, and their bindings.
std::string kernels_of(const StreamProgram& program) {
    std::string text;
    for (const Op& op : program.ops) {
        const Kernel& kernel = *op.kernel;
        text += kernel.name + " " + std::to_string(kernel.group_size) + " " + std::to_string(kernel.shared_words);
        for (const auto& [name, value] : kernel.defines)
            text += " " + name + "=" + value;
        for (const Port& port : kernel.inputs)
            text += " " + port.name;
        for (const Port& port : kernel.outputs)
            text += " " + port.name;
        text += "\n";
    }
    return text;
}

std::string barriers_of(const StreamProgram& program) {
    std::string text;
    const Schedule schedule = make_schedule(program);
    for (const Storage& storage : schedule.storages)
        text += std::to_string(storage.stream) + "/" + std::to_string(storage.copy) + " ";
    for (const ScheduledOp& op : schedule.ops)
        text += op.barrier ? "|" : ".";
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
    // A number that was computed has no rule.
    CHECK(parts_of(words, 10).is_constant());
    CHECK(parts_of(words, 10) == 7u);
    CHECK(Counted::count(0xffffffffu).at(0xffffffffu) == 0xffffffffu);
    // Parts of parts.
    CHECK(parts_of(tiles, 3).rule() == "ceil(count / 768)");
    CHECK(parts_of(tiles, 3) == 2u);
    // Parts that are full.
    const Counted full = full_parts_of(count, 16);
    CHECK(full == 62u);
    CHECK(full.rule() == "ceil((count - 15) / 16)");
    CHECK(full.at(15) == 0u);
    CHECK(full.at(16) == 1u);
    CHECK(full.at(0xffffffffu) == 0xfffffffu);
    CHECK(parts_of(full, 4).rule() == "ceil((count - 15) / 64)");
    for (const std::uint32_t n : {0u, 15u, 16u, 63u, 64u, 79u, 80u, 81u, 1000u}) {
        CAPTURE(n);
        CHECK(full.at(n) == n / 16);
        CHECK(parts_of(full, 4).at(n) == (n / 16 + 3) / 4);
    }
    CHECK(full_parts_of(tiles, 2).is_constant());
    CHECK(full_parts_of(tiles, 2) == 2u);
    CHECK_FALSE(same_rule(full, parts_of(count, 16)));
    CHECK(parts_of(Counted::count(0xffffffffu), 2) == 0x80000000u);
}

TEST_CASE("one number exceeds another where it does for any count", "[plan]") {
    const Counted count = Counted::count(100);
    const Counted fours = parts_of(count, 4);
    CHECK((count * 4u + ~0u).rule() == "4 count - 1");
    CHECK((fours + ~0u).at(9) == 2u);
    CHECK(never_exceeds(fours, count, {1, 1000}));
    CHECK_FALSE(never_exceeds(count, fours, {1, 1000}));
    CHECK(never_exceeds(count, fours, {0, 1}));
    CHECK(never_exceeds(fours, parts_of(count, 2), {1, 1000}));
    // For 5 elements, two groups of four are 8.
    CHECK(never_exceeds(fours * 4u, count + 3u, {1, 1000}));
    CHECK_FALSE(never_exceeds(fours * 4u, count + 2u, {1, 1000}));
    CHECK(never_exceeds(fours * 4u, count + 2u, {2, 4}));
    CHECK_FALSE(never_exceeds(fours, 25, {1, 101}));
    CHECK(never_exceeds(fours, 25, {1, 100}));
    CHECK(never_exceeds(count, 0xffffffffu, {1, 0xffffffffu}));
    CHECK_FALSE(never_exceeds(count, 0xfffffffeu, {1, 0xffffffffu}));
    // The comparison holds at both ends of the range. In between, the first number wraps round.
    CHECK_FALSE(never_exceeds(count * 4u, count * 3u, {0, 0x50000000u}));
    CHECK_FALSE(never_exceeds(count * 4u, 0xfffffff0u, {1, 0x40000001u}));
    // For 7 elements, two parts of 5 are 10, and three parts of 3 are 9. For 6 elements, there are only two parts of 3.
    CHECK(never_exceeds(parts_of(count, 5) * 3u, parts_of(count, 3) * 3u, {1, 1000}));
    CHECK_FALSE(never_exceeds(parts_of(count, 3) * 3u, parts_of(count, 5) * 5u + ~0u, {1, 200}));
    CHECK(never_exceeds(parts_of(count, 3) * 3u, parts_of(count, 5) * 5u + 2u, {1, 200}));
    CHECK_FALSE(never_exceeds(parts_of(count, 3) * 3u, parts_of(count, 5) * 5u + 1u, {1, 200}));
    const Counted full = full_parts_of(count, 16);
    CHECK(never_exceeds(full, parts_of(count, 16), {1, 1000}));
    CHECK_FALSE(never_exceeds(parts_of(count, 16), full, {1, 1000}));
    CHECK(never_exceeds(parts_of(count, 16), full + 1u, {1, 1000}));
    CHECK(never_exceeds(full, 3, {1, 63}));
    CHECK_FALSE(never_exceeds(full, 3, {1, 64}));
    CHECK(never_exceeds(parts_of(full, 4) * 4u, full + 3u, {1, 1000}));
    CHECK_FALSE(never_exceeds(parts_of(full, 4) * 4u, full + 2u, {1, 1000}));
    CHECK(between_powers(1).last == 1);
    CHECK(between_powers(5).first == 5);
    CHECK(between_powers(0xffffffffu).first == 0x80000001u);
    CHECK(between_powers(0xffffffffu).last == 0xffffffffu);
}

namespace {

// Whether a program after set_count() equals the program that is planned for this count, in everything that affects its
// run.
void check_same(const StreamProgram& program, const StreamProgram& planned) {
    CHECK(to_text(program) == to_text(planned));
    CHECK(to_rules(program) == to_rules(planned));
    CHECK(kernels_of(program) == kernels_of(planned));
    CHECK(barriers_of(program) == barriers_of(planned));
    REQUIRE(planned.counts);
    CHECK(planned.counts->first == program.counts->first);
    CHECK(planned.counts->last == program.counts->last);
}

bool is_possible(PlanRequest request) {
    request.n = 1000;
    try {
        validate(plan(request), request.limits);
        return true;
    } catch (const Error&) {
        return false;
    }
}

// Requests of a variant, for several devices and callers.
std::vector<PlanRequest> requests_of(const std::string& algorithm, const Takes& takes) {
    std::vector<PlanRequest> requests;
    for (const Backend backend : {Backend::fragment, Backend::compute})
        for (const Payload& payload : {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(8)})
            for (const KeyType key : {KeyType::u32, KeyType::f64})
                for (const Layout layout : {Layout::row_wise, Layout::z_order})
                    for (const bool gpu : {false, true}) {
                        if (backend == Backend::fragment ? !takes.fragment : layout == Layout::z_order) continue;
                        PlanRequest request;
                        request.spec.algorithm = algorithm;
                        request.spec.backend = backend;
                        request.spec.order.key = key;
                        request.spec.payload = payload;
                        request.spec.layout = layout;
                        if (gpu) request.limits = limits_of_gpu();
                        if (gpu && backend == Backend::fragment) request.limits.attachments = 2;
                        request.limits.storage_bytes = std::uint64_t{1} << 40;
                        if (backend == Backend::fragment && gpu && payload.size <= 4)
                            request.spec.input = request.spec.output = Medium::texture;
                        if (is_possible(request)) requests.push_back(request);
                    }
    return requests;
}

}  // namespace

TEST_CASE("a program of another count is what would have been planned for it", "[plan]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto between = [&random](std::uint32_t first, std::uint32_t last) {
        return std::uniform_int_distribution<std::uint32_t>(first, last)(random);
    };
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants) {
            std::size_t compared = 0;
            // GPU-ABiSort is planned for each count (docs/experiments/construction.md).
            const bool follows = algorithm.name != "abisort";
            for (PlanRequest& request : requests_of(algorithm.name + ":" + variant.name, variant.takes))
                for (const std::uint32_t capacity : {60u, 3000000u})
                    for (int i = 0; i < 2; ++i) {
                        request.spec.capacity = capacity;
                        // Random counts of all magnitudes.
                        request.n = between(1u, std::max(capacity >> between(0u, 20u), 1u));
                        StreamProgram program = plan(request);
                        CAPTURE(request.spec.algorithm, to_string(request.spec.backend),
                                to_string(request.spec.payload), to_string(request.spec.order.key),
                                request.limits.subgroup_size, request.n, capacity);
                        CHECK_NOTHROW(validate(program, request.limits));
                        // Networks of one element have no step.
                        if (follows && request.n > 1) REQUIRE(program.counts);
                        if (!program.counts) continue;
                        const auto [first, last] = *program.counts;
                        CAPTURE(first, last);
                        CHECK(program.counts->contains(request.n));
                        CHECK(first >= 1);
                        CHECK(last <= capacity);
                        for (const std::uint32_t count : {first, last, between(first, last)}) {
                            CAPTURE(count);
                            PlanRequest other = request;
                            other.n = count;
                            const StreamProgram planned = plan(other);
                            set_count(program, count);
                            check_same(program, planned);
                            if (first != last) ++compared;
                        }
                    }
            CAPTURE(algorithm.name, variant.name);
            if (follows) CHECK(compared > 20);
        }
}

TEST_CASE("sorts between two powers of two are one program", "[plan]") {
    for (const char* algorithm :
         {"merge:shared", "bitonic:step", "bitonic:local", "odd-even", "periodic-balanced", "pairwise"}) {
        PlanRequest request;
        request.spec.algorithm = algorithm;
        request.spec.backend = Backend::compute;
        request.spec.capacity = 1u << 20;
        request.n = 600000;
        const StreamProgram program = plan(request);
        CAPTURE(algorithm);
        REQUIRE(program.counts);
        CHECK(program.counts->first == (1u << 19) + 1);
        CHECK(program.counts->last + 1 >= 1u << 20);
    }
}

TEST_CASE("what a program costs for another of its counts is what the program planned for that one costs", "[plan]") {
    PlanRequest request;
    request.spec.algorithm = "merge:multiway";
    request.n = 5000;
    request.spec.capacity = 100000;
    const StreamProgram program = plan(request);
    REQUIRE(program.counts);
    request.n = program.counts->last;
    CHECK(cost(program, request.n).bytes_read == cost(plan(request)).bytes_read);
    CHECK(cost(program, request.n).bytes_read > cost(program).bytes_read);
    CHECK_THROWS_AS(cost(program, program.counts->last + 1), Error);
}

TEST_CASE("a program refuses counts that it is not valid for", "[plan]") {
    PlanRequest request;
    request.spec.algorithm = "radix:reduce-then-scan";
    request.n = request.spec.capacity = 100000;
    StreamProgram program = plan(request);
    REQUIRE(program.counts);
    CHECK_THROWS_AS(set_count(program, program.counts->first - 1), Error);
    program.counts.reset();
    CHECK_THROWS_AS(set_count(program, 99999), Error);
}
