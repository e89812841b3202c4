#include <glsort/plan/radix/enumeration.h>
#include <glsort/planner.h>
#include <glsort/stream/schedule.h>

#include <catch2/catch.hpp>

namespace glsort::test {
namespace {

PlanRequest request_of(std::uint32_t n, std::uint32_t multiprocessors) {
    PlanRequest request;
    request.spec.algorithm = "radix:reduce-then-scan";
    request.spec.backend = Backend::compute;
    request.n = n;
    request.limits.multiprocessors = multiprocessors;
    request.limits.shared_memory = 49152;
    return request;
}

bool enumerates(const PlanRequest& request) {
    return plan(request).ops.back().kernel->name == "enumeration_sort";
}

TEST_CASE("enumeration sort: for as many elements as all multiprocessors rank at once", "[plan]") {
    CHECK(enumerates(request_of(1u << 15, 132)));
    CHECK_FALSE(enumerates(request_of((1u << 15) + 1, 132)));
    CHECK(enumerates(request_of(4096, 16)));
    CHECK_FALSE(enumerates(request_of(4097, 16)));
    // The driver reports an impossible number.
    CHECK_FALSE(enumerates(request_of((1u << 15) + 1, 0xffffffffu)));
}

TEST_CASE("enumeration sort: one op where one group may move all elements, else a copy as well", "[plan]") {
    CHECK(plan(request_of(8192, 132)).ops.size() == 1);
    const StreamProgram program = plan(request_of(8193, 132));
    REQUIRE(program.ops.size() == 2);
    CHECK(program.ops.back().kernel->name == "enumeration_sort");
}

TEST_CASE("enumeration sort: about as many groups as multiprocessors", "[plan]") {
    CHECK(plan(request_of(4096, 132)).ops.back().domain.size() == 128);
    CHECK(plan(request_of(1u << 15, 132)).ops.back().domain.size() == 128);
    CHECK(plan(request_of(64, 132)).ops.back().domain.size() == 2);
}

TEST_CASE("enumeration sort: not where multiprocessors are not known, or storage blocks are few", "[plan]") {
    CHECK_FALSE(enumerates(request_of(64, 0)));
    PlanRequest request = request_of(64, 132);
    request.limits.storage_blocks = 4;
    CHECK_FALSE(enumerates(request));
    request.limits.storage_blocks = 5;
    CHECK(enumerates(request));
}

TEST_CASE("enumeration sort: not where the length of digits is asked for", "[plan]") {
    PlanRequest request = request_of(64, 132);
    request.spec.tuning.radix.digit_bits = 4;
    CHECK_FALSE(enumerates(request));
}

TEST_CASE("enumeration sort: what it writes is what it costs", "[plan]") {
    // Each element has a key and an index. Elements are read and written once among the ranked elements, once with a
    // count for each of two groups, and once to their places.
    PlanRequest request = request_of(64, 132);
    request.spec.capacity = 4096;
    CHECK(cost(plan(request)).bytes_written == 4 * (64 * 2 + 2 + 64 * 2));
}

TEST_CASE("enumeration sort: its stream begins zero, and is the same for every n", "[plan]") {
    PlanRequest request = request_of(1, 132);
    request.spec.capacity = 1u << 20;
    for (const std::uint32_t n : {1u, 8192u, 8193u, 1u << 15, 1u << 20}) {
        request.n = n;
        const StreamProgram program = plan(request);
        const Stream& ranked = program.streams[program.stream("ranked")];
        CHECK(ranked.begins_zero);
        CHECK(ranked.records == 1 + 2 * 8192);
    }
}

}  // namespace
}  // namespace glsort::test
