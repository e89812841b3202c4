#include <glsort/error.h>
#include <glsort/exec/cpu_executor.h>
#include <glsort/planner.h>
#include <glsort/stream/scheduler.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/random.h"

/// With a count on the GPU the program of the capacity sorts every count up to the capacity.

using namespace glsort;
using namespace glsort::test;

namespace {

using Words = std::vector<std::uint32_t>;

/// Keys and values after a run of a program with `keys`.
struct Sorted {
    Words keys, values;
};

Sorted run(const StreamProgram& program, const Limits& limits, const Words& keys) {
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(program, limits);
    std::map<StreamId, Words> memory;
    for (StreamId id = 0; id < program.streams.size(); ++id) {
        const Stream& stream = program.streams[id];
        if (stream.role == StreamRole::scratch) continue;
        Words& words = memory[id];
        words.assign(static_cast<std::size_t>(stream.bytes() / 4), 0);
        if (id == program.caller.keys) std::copy(keys.begin(), keys.end(), words.begin());
        executor.bind(id, words);
    }
    scheduler.run();
    Sorted sorted{memory[*program.caller.keys], {}};
    if (program.caller.values) sorted.values = memory[*program.caller.values];
    sorted.keys.resize(keys.size());
    sorted.values.resize(program.caller.values ? keys.size() : 0);
    return sorted;
}

Words order_of(const Words& keys) {
    Words order(keys.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    return order;
}

PlanRequest request_of(const std::string& algorithm, Backend backend, std::uint32_t capacity, bool gpu) {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.spec.backend = backend;
    request.spec.capacity = request.n = capacity;
    request.spec.gpu_count = true;
    if (gpu) {
        request.limits.subgroup_size = 32;
        request.limits.look_back = true;
        request.limits.shared_memory = 49152;
    }
    return request;
}

/// Whether a device with these limits can run the program.
bool is_possible(const StreamProgram& program, const Limits& limits) {
    try {
        validate(program, limits);
        return true;
    } catch (const Error&) {
        return false;
    }
}

TEST_CASE("small subgroups have few buckets, and sort every smaller count", "[plan]") {
    const Seed seed;
    std::mt19937 random(static_cast<std::uint32_t>(seed.value()));
    for (const std::uint32_t subgroup : {4u, 8u, 16u}) {
        PlanRequest request = request_of("radix:one-sweep", Backend::compute, 20000, true);
        request.limits.subgroup_size = subgroup;
        request.limits.subgroups = Subgroups::khr;
        request.limits.multiprocessors = 100;
        request.limits.storage_blocks = 8;
        for (const std::uint32_t count : {20000u, 9000u, 1u}) {
            StreamProgram program = plan(request);
            set_count(program, count);
            Words keys(count);
            for (std::uint32_t& key : keys)
                key = static_cast<std::uint32_t>(random());
            const Words order = order_of(keys);
            const Sorted sorted = run(program, request.limits, keys);
            CHECK((sorted.values == order));
        }
    }
}

TEST_CASE("the program of the capacity sorts every smaller count", "[plan]") {
    const Seed seed;
    std::mt19937 random(static_cast<std::uint32_t>(seed.value()));
    std::size_t sorts = 0;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const Backend backend : {Backend::fragment, Backend::compute})
                for (const bool gpu : {false, true})
                    for (const std::uint32_t capacity : {1u, 2u, 3u, 16u, 33u, 256u, 700u, 2049u, 9000u}) {
                        if (!variant.takes.gpu_count || (backend == Backend::fragment && !variant.takes.fragment))
                            continue;
                        PlanRequest request = request_of(algorithm.name + ":" + variant.name, backend, capacity, gpu);
                        request.spec.payload = capacity % 2 == 0 ? Payload::index() : Payload::none();
                        StreamProgram program = plan(request);
                        if (!is_possible(program, request.limits)) continue;
                        REQUIRE(program.counts);
                        CHECK(program.counts->first == 1);
                        CHECK(program.counts->last == capacity);
                        std::set<std::uint32_t> counts{1, capacity, (capacity + 1) / 2, std::max(capacity - 1, 1u)};
                        for (int i = 0; i < 3; ++i)
                            counts.insert(1 + random() % capacity);
                        for (const std::uint32_t count : counts) {
                            CAPTURE(request.spec.algorithm, to_string(backend), gpu, capacity, count);
                            Words keys(count);
                            for (std::uint32_t& key : keys)
                                key = count % 2 == 0 ? random() % 7 : random();
                            set_count(program, count);
                            const Sorted sorted = run(program, request.limits, keys);
                            const Words order = order_of(keys);
                            Words expected;
                            for (const std::uint32_t place : order)
                                expected.push_back(keys[place]);
                            CHECK(sorted.keys == expected);
                            if (request.spec.payload != Payload::none()) CHECK(sorted.values == order);
                            ++sorts;
                        }
                    }
    CHECK(sorts > 500);
}

TEST_CASE("a count on the GPU is planned for the capacity alone", "[plan]") {
    PlanRequest request = request_of("radix", Backend::compute, 1000, false);
    request.n = 999;
    CHECK_THROWS_WITH(plan(request),
                      "plan: n 999 differs from the capacity 1000; with gpu_count a program is that of the "
                      "capacity");
    request.n = 1000;
    request.spec.algorithm = "merge";
    request.lists = {500, 500};
    CHECK_THROWS_WITH(plan(request), "plan: gpu_count is given with 2 lists");
    request.lists = {};
    request.spec.algorithm = "odd-even";
    CHECK_THROWS_WITH(plan(request), "plan: odd-even:step takes no count on the GPU; merge, radix and bitonic:step do");
    request.spec.gpu_count = false;
    CHECK_NOTHROW(plan(request));
}

}  // namespace
