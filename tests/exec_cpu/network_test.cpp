#include <glsort/exec/cpu_executor.h>
#include <glsort/plan/networks/sorting_network.h>
#include <glsort/planner.h>
#include <glsort/stream/scheduler.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "plan/networks/every_network.h"
#include "stream/toy_program.h"

using namespace glsort;
using namespace glsort::test;

namespace {

// Sorts every sequence of n zeros and ones. A network that sorts all of these sorts everything (Knuth, volume 3,
// section 5.3.4). One program sorts all sequences.
void sort_all_zero_one(PlanRequest request, std::uint32_t n) {
    CAPTURE(request.spec.algorithm, request.spec.tuning.networks.tile, to_string(request.spec.backend),
            to_string(request.spec.payload), n);
    request.n = n;
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(plan(request), request.limits);
    std::vector<std::uint32_t> keys(n), values(n), expected(n);
    executor.bind(scheduler.program().stream("keys"), keys);
    const bool indexed = request.spec.payload.kind == Payload::Kind::index;
    if (indexed) executor.bind(scheduler.program().stream("values"), values);

    for (std::uint32_t bits = 0; bits < 1u << n; ++bits) {
        for (std::uint32_t i = 0; i < n; ++i)
            keys[i] = bits >> i & 1;
        // Stable: the zeros in their order, then the ones in their order.
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

PlanRequest network(const std::string& algorithm, Backend backend, Payload payload, std::uint32_t tile = 0) {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.spec.backend = backend;
    request.spec.payload = payload;
    request.spec.tuning.networks.tile = tile;
    return request;
}

}  // namespace

TEST_CASE("networks sort all zeros and ones, n to 10", "[exec_cpu]") {
    for (const std::string& algorithm : stepwise_networks())
        for (const Backend backend : every_backend)
            for (std::uint32_t n = 1; n <= 10; ++n)
                sort_all_zero_one(network(algorithm, backend, Payload::none()), n);
    SUCCEED();
}

TEST_CASE("the bitonic network in tiles sorts all zeros and ones, n to 12", "[exec_cpu]") {
    for (const std::uint32_t tile : {4u, 8u, 16u})
        for (std::uint32_t n = 1; n <= 12; ++n)
            sort_all_zero_one(network("bitonic:local", Backend::compute, Payload::none(), tile), n);
    SUCCEED();
}

TEST_CASE("networks sort all zeros and ones, n = 11 to 16", "[exec_cpu][slow]") {
    for (std::uint32_t n = 11; n <= 16; ++n) {
        for (const std::string& algorithm : stepwise_networks())
            sort_all_zero_one(network(algorithm, Backend::cpu, Payload::none()), n);
        for (const std::uint32_t tile : {4u, 8u})
            sort_all_zero_one(network("bitonic:local", Backend::cpu, Payload::none(), tile), n);
    }
    SUCCEED();
}

TEST_CASE("pairs of key and index are sorted stably", "[exec_cpu]") {
    for (const Backend backend : every_backend)
        for (std::uint32_t n = 1; n <= 9; ++n) {
            for (const std::string& algorithm : stepwise_networks())
                sort_all_zero_one(network(algorithm, backend, Payload::index()), n);
            if (backend != Backend::fragment)
                sort_all_zero_one(network("bitonic:local", backend, Payload::index(), 4), n);
        }
    SUCCEED();
}

namespace {

std::uint64_t comparisons_of(const char* algorithm, std::uint32_t n, std::uint32_t tile = 0) {
    PlanRequest request = network(algorithm, Backend::cpu, Payload::none(), tile);
    request.n = n;
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(plan(request), request.limits);
    std::vector<std::uint32_t> keys(n);
    executor.bind(scheduler.program().stream("keys"), keys);
    scheduler.run();
    return executor.comparisons();
}

}  // namespace

// In a network by steps, both elements of a comparator compare, unless they share a record.
TEST_CASE("networks compare as often as they are known to", "[exec_cpu]") {
    for (std::uint32_t m = 1; m <= 8; ++m) {
        const std::uint32_t n = 1u << m;
        CAPTURE(m);
        const std::uint64_t bitonic = n / 2 * m * (m + 1) / 2;
        const std::uint64_t balanced = n / 2 * m * m;
        CHECK(comparisons_of("bitonic:step", n) == 2 * bitonic - n / 2 * m);
        CHECK(comparisons_of("bitonic:local", n, 8) == bitonic);
        CHECK(comparisons_of("periodic-balanced", n) == 2 * balanced - n / 2 * m);
    }
    for (std::uint32_t n = 2; n <= 100; n += 2) {
        CAPTURE(n);
        CHECK(comparisons_of("odd-even", n) == 2 * odd_even_merge_sort(n).size() - n / 2);
    }
}

TEST_CASE("a network's kernel with the numbers of another step runs, or is refused", "[exec_cpu]") {
    std::size_t without_partner = 0;
    for (const std::string& algorithm : stepwise_networks()) {
        PlanRequest request = network(algorithm, Backend::cpu, Payload::none());
        request.n = 7;
        const StreamProgram program = plan(request);
        for (std::size_t i = 0; i < program.ops.size(); ++i)
            for (const Op& other : program.ops) {
                StreamProgram changed = program;
                changed.ops[i].kernel = other.kernel;
                try {
                    CpuExecutor executor;
                    Scheduler scheduler(executor);
                    scheduler.prepare(changed, request.limits);
                    std::vector<std::uint32_t> keys(7);
                    executor.bind(scheduler.program().stream("keys"), keys);
                    scheduler.run();
                } catch (const Error& error) {
                    without_partner += std::string(error.what()).find("has no partner") != std::string::npos;
                }
            }
    }
    CHECK(without_partner > 0);
}
