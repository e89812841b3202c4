#include <glsort/planner.h>
#include <glsort/stream/program.h>
#include <glsort/stream/validate.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>

#include "plan/ops_of.h"
#include "stream/toy_program.h"

using namespace glsort;
using namespace glsort::test;

// bitonic_test.cpp has more tests of the bitonic network. exec_cpu/network_test.cpp tests that networks sort.

namespace {

PlanRequest network_request(const char* algorithm, std::uint32_t n, Backend backend) {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.n = n;
    request.spec.backend = backend;
    request.limits.storage_bytes = std::numeric_limits<std::uint64_t>::max();
    return request;
}

std::string text_of(const char* algorithm, std::uint32_t n) {
    return "\n" + to_text(plan(network_request(algorithm, n, Backend::compute)));
}

}  // namespace

TEST_CASE("odd-even merge sorts take m(m+1)/2 steps, periodic balanced networks m^2", "[plan]") {
    for (std::uint32_t n = 0; n <= 4100; n = n < 40 ? n + 1 : 2 * n - n / 3)
        for (const Backend backend : every_backend) {
            CAPTURE(n, to_string(backend));
            const std::size_t m = n == 0 ? 0 : static_cast<std::size_t>(std::bit_width(n - 1));
            const PlanRequest odd_even = network_request("odd-even", n, backend);
            validate(plan(odd_even), odd_even.limits);
            CHECK(ops_of(plan(odd_even), "odd_even_step") == m * (m + 1) / 2);
            const PlanRequest balanced = network_request("periodic-balanced", n, backend);
            validate(plan(balanced), balanced.limits);
            CHECK(ops_of(plan(balanced), "periodic_balanced_step") == m * m);
        }
    for (const std::uint32_t n : {0x80000000u, 0x80000001u, 0xffffffffu}) {
        const std::size_t m = n == 0x80000000u ? 31 : 32;
        CHECK(ops_of(plan(network_request("odd-even", n, Backend::cpu)), "odd_even_step") == m * (m + 1) / 2);
        CHECK(ops_of(plan(network_request("periodic-balanced", n, Backend::cpu)), "periodic_balanced_step") == m * m);
    }
}

TEST_CASE("an odd-even merge sort in words", "[plan]") {
    CHECK(text_of("odd-even", 7) == R"(
odd-even:step, n = 7, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys     in place  7 records of 1 x 1 words  buffer
  values   output    7 records of 1 x 1 words  buffer
  records  scratch   4 records of 2 x 2 words  buffer  two copies
ops
  op  kernel                       reads          writes                   belongs to       parameters
   0  load_record > odd_even_step  keys[0..6]     records[0..3]            stage 1, step 0  block=1 distance=0 count=7
   1  odd_even_step                records[0..3]  records[0..3]            stage 2, step 1  block=2 distance=1 count=7
   2  odd_even_step                records[0..3]  records[0..3]            stage 2, step 0  block=2 distance=0 count=7
   3  odd_even_step                records[0..3]  records[0..3]            stage 3, step 2  block=4 distance=2 count=7
   4  odd_even_step                records[0..3]  records[0..3]            stage 3, step 1  block=4 distance=1 count=7
   5  odd_even_step                records[0..3]  records[0..3]            stage 3, step 0  block=4 distance=0 count=7
   6  copy > store_record          records[0..3]  keys[0..6] values[0..6]
)");
}

TEST_CASE("a periodic balanced network in words", "[plan]") {
    CHECK(text_of("periodic-balanced", 5) == R"(
periodic-balanced:step, n = 5, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys     in place  5 records of 1 x 1 words  buffer
  values   output    5 records of 1 x 1 words  buffer
  records  scratch   3 records of 2 x 2 words  buffer  two copies
ops
  op  kernel                                reads          writes                   belongs to       parameters
   0  load_record > periodic_balanced_step  keys[0..4]     records[0..2]            stage 1, step 2  mirror=3 half=2 count=5
   1  periodic_balanced_step                records[0..2]  records[0..2]            stage 1, step 1  mirror=1 half=1 count=5
   2  periodic_balanced_step                records[0..2]  records[0..2]            stage 1, step 0  mirror=0 half=0 count=5
   3  periodic_balanced_step                records[0..2]  records[0..2]            stage 2, step 2  mirror=3 half=2 count=5
   4  periodic_balanced_step                records[0..2]  records[0..2]            stage 2, step 1  mirror=1 half=1 count=5
   5  periodic_balanced_step                records[0..2]  records[0..2]            stage 2, step 0  mirror=0 half=0 count=5
   6  periodic_balanced_step                records[0..2]  records[0..2]            stage 3, step 2  mirror=3 half=2 count=5
   7  periodic_balanced_step                records[0..2]  records[0..2]            stage 3, step 1  mirror=1 half=1 count=5
   8  periodic_balanced_step                records[0..2]  records[0..2]            stage 3, step 0  mirror=0 half=0 count=5
   9  copy > store_record                   records[0..2]  keys[0..4] values[0..4]
)");
}
