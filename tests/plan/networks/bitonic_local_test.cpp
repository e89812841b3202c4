#include <glsort/plan/networks/bitonic_local.h>
#include <glsort/stream/program.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/random.h"

using namespace glsort;
using Catch::Contains;

namespace {

PlanRequest local_request(std::uint32_t n, std::uint32_t tile) {
    PlanRequest request;
    request.spec.algorithm = "bitonic:local";
    request.spec.backend = Backend::compute;
    request.n = n;
    request.spec.tuning.networks.tile = tile;
    request.limits.storage_bytes = std::numeric_limits<std::uint64_t>::max();
    return request;
}

std::size_t local_ops(const StreamProgram& program) {
    return static_cast<std::size_t>(
        std::ranges::count_if(program.ops, [](const Op& op) { return op.kernel->name.starts_with("bitonic_local"); }));
}

// The paper's count, section 5.1: one op for the first t stages, and one op for each t of the other steps.
std::size_t expected_ops(std::uint32_t m, std::uint32_t t) {
    if (m <= t) return 1;
    const std::uint32_t left = m * (m + 1) / 2 - t * (t + 1) / 2;
    return 1 + (left + t - 1) / t;
}

}  // namespace

TEST_CASE("bitonic:local takes as many ops as the paper says, for every m and tile", "[plan]") {
    CHECK(expected_ops(20, 12) == 12);
    for (std::uint32_t t = 2; t <= 12; ++t)
        for (std::uint32_t m = 0; m <= 31; ++m) {
            CAPTURE(m, t);
            // A power of two, and the least count above half of it.
            for (const std::uint32_t n : {1u << m, m < 2 ? 1u << m : (1u << (m - 1)) + 1}) {
                const PlanRequest request = local_request(n, 1u << t);
                const StreamProgram program = plan(request);
                validate(program, request.limits);
                CHECK(local_ops(program) == expected_ops(m, t));
                // There are no other ops: the first op loads, the last one stores.
                CHECK(program.ops.size() == local_ops(program));
            }
        }
    // Counts near the limit of 32-bit numbers. Plans for the cpu check no memory.
    for (const std::uint32_t n : {0x80000001u, 0xffffffffu})
        CHECK(local_ops(plan(local_request(n, 4096))) == expected_ops(32, 12));
}

TEST_CASE("bitonic:local makes the steps of the network, one after the other", "[plan]") {
    for (std::uint32_t t = 2; t <= 13; ++t)
        for (std::uint32_t m = t + 1; m <= 32; ++m) {
            CAPTURE(m, t);
            std::uint32_t stage = t + 1;
            std::uint32_t step = t;
            for (const auto& [steps, labels] : bitonic::local_steps(m, t)) {
                CHECK(labels == Labels{.stage = static_cast<int>(stage), .step = static_cast<int>(step)});
                CHECK(steps.steps <= t);
                for (std::uint32_t bit = steps.steps; bit-- > 0;) {
                    CHECK(steps.element_of(0, 1u << bit) == 1u << step);
                    CHECK(steps.block_of(bit) == static_cast<std::uint32_t>(std::uint64_t{1} << stage));
                    step = step > 0 ? step - 1 : stage++;
                }
            }
            CHECK(stage == m + 1);
        }
}

TEST_CASE("the tiles of bitonic:local are a partition of the elements", "[plan]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    for (const std::uint32_t t : {2u, 3u, 5u}) {
        for (std::uint32_t m = t + 1; m <= 10; ++m) {
            const std::uint32_t n = (1u << (m - 1)) + 1 + static_cast<std::uint32_t>(random() % (1u << (m - 1)));
            CAPTURE(m, t, n);
            const StreamProgram program = plan(local_request(n, 1u << t));
            std::size_t op = 1;
            for (const auto& [steps, labels] : bitonic::local_steps(m, t)) {
                const std::uint32_t groups = program.ops.at(op++).domain.size();
                std::vector<std::uint32_t> times(n);
                // Groups come in blocks. The last block may have groups without elements.
                std::uint32_t empty = 0;
                for (std::uint32_t group = 0; group < groups; ++group) {
                    if (steps.element_of(group, 0) >= n) ++empty;
                    for (std::uint32_t place = 0; place < 1u << t; ++place) {
                        const std::uint32_t element = steps.element_of(group, place);
                        if (element < n) ++times[element];
                    }
                }
                CHECK(times == std::vector<std::uint32_t>(n, 1));
                CHECK(empty < 1u << (steps.high - steps.low));
            }
        }
    }
}

TEST_CASE("bitonic:local in words", "[plan]") {
    CHECK("\n" + to_text(plan(local_request(100, 16))) == R"(
bitonic:local, n = 100, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys     in place  100 records of 1 x 1 words  buffer
  values   output    100 records of 1 x 1 words  buffer
  records  scratch   100 records of 1 x 2 words  buffer  two copies
ops
  op  kernel                              reads           writes                     belongs to       parameters
   0  load_record > bitonic_local_sort    keys[0..99]     records[0..99]             stage 4          count=100 stages=4
   1  bitonic_local_steps                 records[0..99]  records[0..99]             stage 5, step 4  count=100 steps=4 block=32 low=0 high=1
   2  bitonic_local_steps                 records[0..99]  records[0..99]             stage 5, step 0  count=100 steps=4 block=32 low=1 high=3
   3  bitonic_local_steps                 records[0..99]  records[0..99]             stage 6, step 2  count=100 steps=4 block=64 low=3 high=6
   4  bitonic_local_steps                 records[0..99]  records[0..99]             stage 7, step 5  count=100 steps=4 block=128 low=0 high=2
   5  bitonic_local_steps > store_record  records[0..99]  keys[0..99] values[0..99]  stage 7, step 1  count=100 steps=2 block=128 low=4 high=4
)");
    // One op sorts a tile in place.
    CHECK("\n" + to_text(plan(local_request(100, 128))) == R"(
bitonic:local, n = 100, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys     in place  100 records of 1 x 1 words  buffer
  values   output    100 records of 1 x 1 words  buffer
  records  scratch   100 records of 1 x 2 words  buffer
ops
  op  kernel                                           reads        writes                     belongs to  parameters
   0  load_record > bitonic_local_sort > store_record  keys[0..99]  keys[0..99] values[0..99]  stage 7     count=100 stages=7
)");
}

TEST_CASE("tiles of bitonic:local are as large as asked for, or as fits", "[plan]") {
    const auto tile_of = [](const PlanRequest& request) {
        const StreamProgram program = plan(request);
        validate(program, request.limits);
        return program.ops.front().kernel->inputs.front().elements;
    };
    PlanRequest request = local_request(1u << 20, 0);
    CHECK(tile_of(request) == 4096);
    request.spec.order.key = KeyType::f64;
    CHECK(tile_of(request) == 2048);
    // The shared memory that OpenGL ES 3.1 guarantees.
    request.limits.shared_memory = 16384;
    request.limits.invocations = 128;
    CHECK(tile_of(request) == 1024);
    request.spec.payload = Payload::none();
    CHECK(tile_of(request) == 2048);
    request = local_request(1000, 0);
    CHECK(tile_of(request) == 1024);
    request.spec.capacity = 3000;
    CHECK(tile_of(request) == 4096);
    request.spec.tuning.networks.tile = 64;
    CHECK(tile_of(request) == 64);
    request.spec.payload = Payload::none();
    request.spec.tuning.networks.tile = 8192;
    CHECK(tile_of(request) == 8192);
}

TEST_CASE("tiles that can't be are refused", "[plan]") {
    for (const std::uint32_t tile : {1u, 2u, 3u, 5u, 4095u})
        CHECK_THROWS_WITH(
            plan(local_request(100, tile)),
            Contains("plan: a tile of " + std::to_string(tile) + " elements") && Contains("power of two, at least 4"));
    CHECK_THROWS_WITH(plan(local_request(100, 8192)), Contains("8192 elements exceeds the limit of 4096") &&
                                                          Contains("32768 bytes") && Contains("1024 invocations"));
    for (const char* algorithm : {"bitonic:step", "odd-even", "merge:shared"}) {
        PlanRequest request = local_request(100, 16);
        request.spec.algorithm = algorithm;
        CHECK_THROWS_WITH(plan(request), Contains("plan: tuning.networks.tile 16: " + std::string(algorithm)) &&
                                             Contains("does not read it; bitonic:local does"));
    }
    PlanRequest request = local_request(100, 16);
    request.spec.backend = Backend::fragment;
    CHECK_THROWS_WITH(plan(request), Contains("bitonic:local does not run on the fragment backend"));
}
