#include <glsort/exec/compute_executor.h>
#include <glsort/plan/element_type.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

#include "exec/lockstep.h"
#include "support/fewer_modes.h"
#include "support/random.h"

namespace glsort::test {
namespace {

/// A request for a sort by digits on any GPU, even for few elements.
PlanRequest digit_request(std::mt19937_64& random, const char* algorithm, std::uint32_t n, Limits limits) {
    limits.multiprocessors = 0;
    return some_request(random, algorithm, n, limits);
}

TEST_CASE("radix: after every op compute agrees with the cpu, around tiles", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    // On software rasterisers invocations work alone, and on GPUs they share a tile.
    using Kind = std::pair<const char*, bool>;
    in_compute_tiers("radix", [&](TestContext& context, Limits limits) {
        for (const auto& [algorithm, software] :
             {Kind{"radix:reduce-then-scan", true}, Kind{"radix:reduce-then-scan", false},
              Kind{"radix:one-sweep", true}}) {
            if (algorithm == std::string("radix:one-sweep") && lacks_subgroups(limits)) continue;
            limits.software = software;
            INFO("software " << software);
            ComputeExecutor executor(api_of(context), {});
            PlanRequest request = digit_request(random, algorithm, 1, limits);
            request.spec.capacity = 9000;
            for (const std::uint32_t n : {1u, 2u, 511u, 512u, 513u, 2047u, 2048u, 2049u, 4097u, 9000u}) {
                request.n = n;
                // Values above 4 bytes need buffers, and OpenGL ES writes no such images.
                const bool images = request.spec.payload.size <= 4 && !api_of(context)->es;
                request.spec.output = images && n == 9000 ? Medium::texture : Medium::buffer;
                check_in_lockstep(context, executor, request, some_distribution(random), random());
            }
        }
    });
}

TEST_CASE("radix: invocations that work alone, around their parts and with long digits", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, Limits limits) {
        if (!limits.array_stores) return;  // softpipe: docs/driver-faults.md, "Stores to arrays share an index"
        limits.software = true;
        limits.subgroup_size = 0;  // Otherwise one group sorts few elements.
        ComputeExecutor executor(api_of(context), {});
        // 2688 elements are seven whole parts of 384, and 3072 are eight. Digits are long from 2^19 on.
        for (const std::uint32_t n : {2687u, 2688u, 2689u, 3071u, 3072u, 3073u, 3074u, 12289u, (1u << 19) + 3}) {
            const PlanRequest request = digit_request(random, "radix:reduce-then-scan", n, limits);
            const StreamProgram program = plan(request);
            CHECK(std::any_of(program.ops.begin(), program.ops.end(),
                              [](const Op& op) { return op.kernel->name == "radix_scatter_alone"; }));
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

/// Whether the shader of an op has a definition of this name.
bool has_define(const Op& op, const char* name) {
    const auto& defines = op.kernel->defines;
    return std::any_of(defines.begin(), defines.end(), [name](const auto& define) { return define.first == name; });
}

TEST_CASE("radix: sweeps of tiles of every shape, also in parts and with unused slots", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    struct Case {
        std::uint32_t n;
        Payload payload;
        bool has_unused_slots;
    };
    in_compute_tiers("radix", [&](TestContext& context, const Limits& limits) {
        if (lacks_subgroups(limits)) return;
        ComputeExecutor executor(api_of(context), {});
        // Counts from each range of radix::Tuning::sizes, for one multiprocessor.
        for (const auto& [n, payload, has_unused_slots] :
             {Case{2001, Payload::none(), false}, Case{4001, Payload::bytes(4), false},
              Case{16'001, Payload::none(), true}, Case{17'001, Payload::bytes(4), false},
              Case{22'001, Payload::none(), false}, Case{32'001, Payload::none(), true},
              Case{33'001, Payload::none(), false}, Case{56'001, Payload::bytes(4), true},
              Case{111'001, Payload::none(), false}}) {
            INFO(n << " elements with values of " << payload.size << " bytes");
            PlanRequest request = digit_request(random, "radix:one-sweep", n, limits);
            request.limits.multiprocessors = 1;
            request.limits.storage_blocks = std::min(limits.storage_blocks, 7u);  // sorts by splitters need more
            request.spec.order.bits = {};
            request.spec.payload = payload;
            const bool wide = key_words(request) == 2;
            const StreamProgram program = plan(request);
            REQUIRE(program.ops.back().kernel->name == "radix_sweep");
            CHECK(has_define(program.ops.back(), "GLSORT_BANK_ROW") == (has_unused_slots && !wide));
            check_in_lockstep(api_of(context), executor, program, limits,
                              contents_for(program, some_distribution(random), random()));
        }
    });
}

TEST_CASE("radix: elements that no storage buffer holds lie in halves between sweeps", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, Limits limits) {
        if (lacks_subgroups(limits)) return;
        ComputeExecutor executor(api_of(context), {});
        const std::uint32_t capacity = 20'000 + static_cast<std::uint32_t>(random() % 30'000);
        limits.storage_bytes = std::uint64_t{8} * capacity - 1;
        for (const KeyType key : {KeyType::u32, KeyType::i32, KeyType::f32}) {
            PlanRequest request = digit_request(random, "radix:one-sweep", capacity, limits);
            request.spec.order.key = key;
            request.spec.payload = random() % 2 == 0 ? Payload::index() : Payload::bytes(4);
            request.spec.capacity = capacity;
            for (const std::uint32_t n : {capacity, 12'000u}) {
                request.n = n;
                check_in_lockstep(context, executor, request, some_distribution(random), random());
            }
        }
    });
}

TEST_CASE("radix: any range of bits, any digit", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, Limits limits) {
        ComputeExecutor executor(api_of(context), {});
        for (int i = 0; i < 6; ++i) {
            limits.software = i % 2 == 0;
            PlanRequest request = digit_request(random, "radix:reduce-then-scan", 5000, limits);
            request.spec.order.bits = some_bits(random, request.spec.order.key);
            request.spec.tuning.radix.digit_bits = 1 + static_cast<std::uint32_t>(random() % 11);
            INFO("bits " << request.spec.order.bits.first << " to " << request.spec.order.bits.end << ", digits of "
                         << request.spec.tuning.radix.digit_bits);
            check_in_lockstep(context, executor, request, some_distribution(random), random());
        }
    });
}

/// The program, with sweeps that read a word `wait` times at most.
StreamProgram with_wait(StreamProgram program, std::uint32_t wait) {
    std::size_t sweeps = 0;
    for (Op& op : program.ops) {
        if (op.kernel->name != "radix_sweep") continue;
        Kernel kernel = *op.kernel;
        for (auto& [name, value] : kernel.defines)
            if (name == "GLSORT_LONGEST_WAIT") value = std::to_string(wait) + "u";
        op.kernel = std::make_shared<Kernel>(std::move(kernel));
        ++sweeps;
    }
    REQUIRE(sweeps > 3);
    return program;
}

TEST_CASE("radix: a sweep that hardly waits counts the tiles before its own", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, const Limits& limits) {
        if (lacks_subgroups(limits)) return;
        const auto api = api_of(context);
        ComputeExecutor executor(api, {});
        // With short digits, half of a group looks at blocks while the other half looks at tiles.
        for (const std::uint32_t digit_bits : {0u, 4u})
            for (const std::uint32_t wait : {0u, 1u, 2u}) {
                if (fewer_modes && random() % 2 == 0) continue;
                INFO("digits of " << digit_bits << " bits, " << wait << " reads");
                // More than one block of tiles (radix::Status).
                PlanRequest request = digit_request(random, "radix:one-sweep", 40'000, limits);
                request.spec.tuning.radix.digit_bits = digit_bits;
                const StreamProgram program = with_wait(plan(request), wait);
                check_in_lockstep(api, executor, program, limits,
                                  contents_for(program, some_distribution(random), random()));
            }
    });
}

TEST_CASE("radix: whole subgroups of ties, and missing elements behind them", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, const Limits& limits) {
        if (lacks_subgroups(limits)) return;
        const auto api = api_of(context);
        ComputeExecutor executor(api, {});
        for (const KeyType key : {KeyType::u32, KeyType::u64})
            // Bits that all keys have. Missing elements have all bits, so they agree with keys that have all lower
            // bits. Additions in the order of invocations hide missing elements that tie (ties_test.cpp). 0xff00: keys
            // tie in the second sweep if their first digits are equal.
            for (const std::uint32_t common : {0xffffu, 0xffffffu, 0xff00u}) {
                PlanRequest request = digit_request(random, "radix:one-sweep", 12'345, limits);
                request.spec.order.key = key;
                request.spec.order.bits = {};
                request.spec.order.direction = Direction::ascending;
                request.spec.payload = Payload::none();
                INFO("keys with the bits " << std::hex << common);
                const StreamProgram program = plan(request);
                REQUIRE(has_define(program.ops.back(), "GLSORT_ANY_BEFORE"));
                StreamContents contents = contents_for(program, demo::Distribution::uniform, random());
                for (std::uint32_t& word : contents.at("keys"))
                    word |= common;
                check_in_lockstep(api, executor, program, limits, contents);
            }
    });
}

TEST_CASE("radix: keys alone with a count on the GPU, in sweeps", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("radix", [&](TestContext& context, const Limits& limits) {
        if (lacks_subgroups(limits)) return;
        const auto api = api_of(context);
        const std::unique_ptr<GlExecutor> executor = make_executor(api, Backend::compute, 0, Medium::buffer);
        PlanRequest request = digit_request(random, "radix:one-sweep", 60'000, limits);
        request.spec.payload = Payload::none();
        request.spec.gpu_count = true;
        const StreamProgram program = plan(request);
        for (const std::uint32_t given : {1u, 4097u, 50'000u, 60'000u}) {
            INFO(given << " of " << request.n);
            const CountOnGpu count(api, Medium::buffer, given);
            check_in_lockstep(api, *executor, program, limits,
                              contents_for(program, some_distribution(random), random()), &count);
        }
    });
}

}  // namespace
}  // namespace glsort::test
