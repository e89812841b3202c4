#include <glsort/exec/cpu_executor.h>
#include <glsort/planner.h>
#include <glsort/stream/scheduler.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "stream/toy_program.h"

using namespace glsort;
using namespace glsort::test;

namespace {

// Sorts every sequence of n zeros and ones: then the network sorts everything (Knuth, volume 3,
// section 5.3.4). All in one go, with everything prepared once.
void sort_all_zero_one(Backend backend, Payload payload, std::uint32_t n) {
    CAPTURE(to_string(backend), to_string(payload), n);
    PlanRequest request;
    request.algorithm = "bitonic";
    request.n = n;
    request.backend = backend;
    request.payload = payload;
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(plan(request), request.limits);
    std::vector<std::uint32_t> keys(n), values(n), expected(n);
    executor.bind(scheduler.program().stream("keys"), keys);
    const bool indexed = payload.kind == Payload::Kind::index;
    if (indexed) executor.bind(scheduler.program().stream("values"), values);

    for (std::uint32_t bits = 0; bits < 1u << n; ++bits) {
        for (std::uint32_t i = 0; i < n; ++i)
            keys[i] = bits >> i & 1;
        // Stable: the zeros in their order, then the ones in theirs.
        std::uint32_t zeros = 0;
        for (std::uint32_t i = 0; i < n; ++i)
            if (keys[i] == 0) expected[zeros++] = i;
        std::uint32_t at = zeros;
        for (std::uint32_t i = 0; i < n; ++i)
            if (keys[i] == 1) expected[at++] = i;

        scheduler.run();
        bool sorted = true;
        for (std::uint32_t i = 0; i < n; ++i)
            sorted &= keys[i] == (i < zeros ? 0u : 1u);
        if (!sorted) FAIL("input bits " << bits);
        if (indexed && values != expected) FAIL("input bits " << bits << " is not stable");
    }
}

}  // namespace

TEST_CASE("the bitonic network sorts all zeros and ones, n to 12", "[exec_cpu]") {
    for (const Backend backend : every_backend)
        for (std::uint32_t n = 1; n <= 12; ++n)
            sort_all_zero_one(backend, Payload::none(), n);
    SUCCEED();
}

TEST_CASE("the bitonic network sorts all zeros and ones, n = 13 to 16", "[exec_cpu][slow]") {
    for (const Backend backend : every_backend)
        for (std::uint32_t n = 13; n <= 16; ++n)
            sort_all_zero_one(backend, Payload::none(), n);
    SUCCEED();
}

TEST_CASE("pairs of key and index are sorted stably", "[exec_cpu]") {
    for (const Backend backend : every_backend)
        for (std::uint32_t n = 1; n <= 10; ++n)
            sort_all_zero_one(backend, Payload::index(), n);
    SUCCEED();
}
