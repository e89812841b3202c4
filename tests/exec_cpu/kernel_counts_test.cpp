#include <glsort/error.h>
#include <glsort/exec/gl_executor.h>
#include <glsort/plan/algorithm.h>
#include <glsort/planner.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/comparisons.h"
#include "support/random.h"

/// A sorter compiles the programs of `kernel_counts`. No other count may need a kernel that these programs lack.

using namespace glsort;
using namespace glsort::test;

namespace {

/// The texts of all shaders of a program, as an executor composes the shaders.
std::set<std::string> shaders_of(const StreamProgram& program) {
    ExternalStreams external;
    external.follow(program);
    std::set<std::string> shaders;
    for (const Op& op : program.ops) {
        if (op.kernel->transfer) continue;
        const ShaderStage stage = stage_of(program, op);
        shaders.insert(compose_shader(shader_request(program, op, stage, false, external)).source.text());
    }
    return shaders;
}

/// The shaders that a sorter compiles.
std::set<std::string> compiled_shaders(PlanRequest request) {
    std::set<std::string> compiled;
    for (const std::uint32_t count : kernel_counts(request)) {
        request.n = count;
        compiled.merge(shaders_of(plan(request)));
    }
    return compiled;
}

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}
    std::uint32_t from(std::uint32_t first, std::uint32_t last) {
        return std::uniform_int_distribution<std::uint32_t>(first, last)(random_);
    }
    template <class T>
    T one_of(std::initializer_list<T> values) {
        return values.begin()[from(0, static_cast<std::uint32_t>(values.size()) - 1)];
    }

  private:
    std::mt19937_64 random_;
};

Limits some_limits(Dice& dice) {
    Limits limits;
    limits.storage_bytes = std::uint64_t{1} << 40;
    limits.attachments = dice.one_of({1u, 2u, 4u, 8u});
    limits.shared_memory = dice.one_of({16384u, 32768u, 49152u});
    limits.invocations = dice.one_of({128u, 1024u});
    limits.storage_blocks = dice.one_of({4u, 8u});
    limits.subgroup_size = dice.one_of({0u, 8u, 32u});
    if (limits.subgroup_size == 32) {
        limits.look_back = true;
        limits.multiprocessors = dice.one_of({0u, 20u, 132u});
    } else if (limits.subgroup_size == 8) {
        limits.software = true;
        limits.subgroups = Subgroups::ballot;
    }
    limits.texture_barrier = dice.from(0, 1) != 0;
    limits.pixel_pack = dice.from(0, 1) != 0;
    return limits;
}

PlanRequest some_request(Dice& dice, const std::string& algorithm, const Takes& takes) {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.spec.backend = takes.fragment ? dice.one_of({Backend::fragment, Backend::compute}) : Backend::compute;
    request.limits = some_limits(dice);
    request.spec.order.key = dice.one_of({KeyType::u32, KeyType::f64});
    if (takes.comparison && dice.from(0, 3) == 0) request.spec.order.comparison = comparison_of(dice.one_of({4u, 12u}));
    request.spec.payload = dice.one_of({Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)});
    if (takes.digit_bits != 0 && dice.from(0, 3) == 0)
        request.spec.tuning.radix.digit_bits = dice.from(1, takes.digit_bits);
    if (takes.bits && dice.from(0, 3) == 0) request.spec.order.bits = {dice.from(0, 7), dice.from(8, 32)};
    if (request.spec.payload.size != 12 && dice.from(0, 2) == 0)
        request.spec.input = request.spec.output = Medium::texture;
    request.spec.capacity = 1 + (dice.from(1, 1u << 22) >> dice.from(0, 18));
    return request;
}

}  // namespace

TEST_CASE("no count needs a kernel that the counts of construction do not have", "[plan][slow]") {
    const Seed seed;
    Dice dice(seed.value());
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants) {
            std::size_t checked = 0;
            for (int turn = 0; turn < 12; ++turn) {
                PlanRequest request = some_request(dice, algorithm.name + ":" + variant.name, variant.takes);
                request.n = request.spec.capacity;
                try {
                    validate(plan(request), request.limits);
                } catch (const Error&) {
                    continue;  // The sort is refused as a whole.
                }
                const std::set<std::string> known = compiled_shaders(request);
                for (int i = 0; i < 12; ++i) {
                    // Random counts of all magnitudes.
                    request.n = dice.from(1, std::max(request.spec.capacity >> dice.from(0, 12), 1u));
                    const std::set<std::string> needed = shaders_of(plan(request));
                    CAPTURE(request.spec.algorithm, to_string(request.spec.backend), to_string(request.spec.order.key),
                            to_string(request.spec.payload), request.spec.order.comparison.has_value(),
                            request.spec.tuning.radix.digit_bits, request.n, request.spec.capacity,
                            request.limits.subgroup_size, request.limits.attachments, request.limits.shared_memory,
                            request.limits.invocations, request.limits.storage_blocks, request.limits.multiprocessors,
                            request.spec.order.bits.first, request.spec.order.bits.end);
                    CHECK(std::includes(known.begin(), known.end(), needed.begin(), needed.end()));
                    ++checked;
                }
            }
            CAPTURE(algorithm.name, variant.name);
            CHECK(checked > 0);
        }
}

TEST_CASE("counts that neither a group nor splitters can sort have kernels", "[plan]") {
    // Nothing is enumerated, one group sorts 1024 elements, and splitters need more than 2048.
    PlanRequest request;
    request.spec.algorithm = "radix:one-sweep";
    request.spec.backend = Backend::compute;
    request.spec.order.key = KeyType::f64;
    request.spec.order.bits = {4, 15};
    request.spec.payload = Payload::bytes(4);
    request.spec.capacity = 1u << 20;
    request.limits.storage_bytes = std::uint64_t{1} << 40;
    request.limits.shared_memory = 32768;
    request.limits.invocations = 128;
    request.limits.storage_blocks = 8;
    request.limits.subgroup_size = 32;
    request.limits.look_back = true;
    request.limits.multiprocessors = 20;
    const std::set<std::string> known = compiled_shaders(request);
    for (const std::uint32_t count : {1024u, 1025u, 2048u, 2049u}) {
        CAPTURE(count);
        request.n = count;
        const StreamProgram program = plan(request);
        const std::set<std::string> needed = shaders_of(program);
        CHECK(std::includes(known.begin(), known.end(), needed.begin(), needed.end()));
        // A program of splitters must not serve fewer elements than splitters need.
        const bool by_splitters = program.ops.front().kernel->name == "splitter_divide";
        CHECK(by_splitters == (count > 2048));
        REQUIRE(program.counts);
        CHECK(program.counts->contains(2048) == (count == 1025 || count == 2048));
    }
}
