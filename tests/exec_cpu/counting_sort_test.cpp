#include "support/counting_sort.h"

#include <glsort/error.h>
#include <glsort/exec/cpu_executor.h>
#include <glsort/stream/program.h>
#include <glsort/stream/scheduler.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "support/distributions.h"
#include "support/random.h"

using namespace glsort;
using namespace glsort::test;
using Catch::Contains;

using Words = std::vector<std::uint32_t>;

TEST_CASE("a counting sort runs on the cpu and is stable", "[exec_cpu]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    CpuExecutor executor;
    Scheduler scheduler(executor);
    for (const std::uint32_t n : {0u, 1u, 2u, 63u, 64u, 65u, 128u, 1000u, 4096u, 5001u})
        for (const std::uint32_t shift : {0u, 12u, 28u}) {
            CAPTURE(n, shift);
            scheduler.prepare(counting_sort_program(n, Backend::cpu, shift), {});
            Words keys = demo::make_keys32(demo::Distribution::uniform, KeyType::u32, n, random());
            Words sorted(n), order(n);
            executor.bind(scheduler.program().stream("keys"), keys);
            executor.bind(scheduler.program().stream("sorted"), sorted);
            executor.bind(scheduler.program().stream("order"), order);
            // Runs twice: words that the first run leaves in scratch streams must not matter.
            for (int run = 0; run < 2; ++run) {
                std::fill(sorted.begin(), sorted.end(), 0u);
                scheduler.run();
                Words expected(n);
                std::iota(expected.begin(), expected.end(), 0u);
                std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
                    return (keys[a] >> shift & 15) < (keys[b] >> shift & 15);
                });
                CHECK(order == expected);
                for (std::uint32_t& index : expected)
                    index = keys[index];
                CHECK(sorted == expected);
            }
        }
}

TEST_CASE("eight counting sorts make a radix sort", "[exec_cpu]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    Words keys = demo::make_keys32(demo::Distribution::zipf, KeyType::u32, 1500, random());
    Words expected = keys;
    std::sort(expected.begin(), expected.end());
    for (std::uint32_t shift = 0; shift < 32; shift += 4) {
        CpuExecutor executor;
        Scheduler scheduler(executor);
        scheduler.prepare(counting_sort_program(1500, Backend::cpu, shift), {});
        Words sorted(keys.size()), order(keys.size());
        executor.bind(scheduler.program().stream("keys"), keys);
        executor.bind(scheduler.program().stream("sorted"), sorted);
        executor.bind(scheduler.program().stream("order"), order);
        while (scheduler.step()) {
        }
        keys = sorted;
    }
    CHECK(keys == expected);
}

TEST_CASE("a counting sort is scheduled like any other program", "[exec_cpu]") {
    const StreamProgram program = counting_sort_program(1000, Backend::compute);
    const Schedule schedule = make_schedule(program);
    // The scan replaces the counts, so the counts have two copies. Every op waits for the streams that it reads.
    REQUIRE(schedule.storages.size() == program.streams.size() + 1);
    CHECK(schedule.storages.back().stream == program.stream("counts"));
    CHECK(schedule.ops[2].reads[0] != schedule.ops[2].writes[0]);
    CHECK(schedule.ops[3].reads[1] == schedule.ops[2].writes[0]);
    std::vector<bool> barriers;
    for (const ScheduledOp& op : schedule.ops)
        barriers.push_back(op.barrier);
    CHECK(barriers == std::vector<bool>{false, true, true, true});
    CHECK(cost(program).scratch_bytes == 4 * (2 * 16 * 16 + 16));
}

TEST_CASE("a counting sort is printed like any other program", "[exec_cpu]") {
    const StreamProgram program = counting_sort_program(100, Backend::compute, 4);
    CHECK("\n" + to_text(program) == R"(
counting:digit, n = 100, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys    input    100 records of 1 x 1 words  buffer
  counts  scratch  32 records of 1 x 1 words   buffer  two copies
  totals  scratch  16 records of 1 x 1 words   buffer
  sorted  output   100 records of 1 x 1 words  buffer
  order   output   100 records of 1 x 1 words  buffer
ops
  op  kernel              reads                        writes                       belongs to  parameters
   0  counting_clear                                   totals[0..15]                step 0      count=100 tiles=2 shift=4
   1  counting_histogram  keys[0..99]                  counts[0..31] totals[0..15]  step 1      count=100 tiles=2 shift=4
   2  counting_scan       counts[0..31] totals[0..15]  counts[0..31]                step 2      count=100 tiles=2 shift=4
   3  counting_scatter    keys[0..99] counts[0..31]    sorted[0..99] order[0..99]   step 3      count=100 tiles=2 shift=4
)");
    CHECK("\n" + to_table(program) == R"(
counting:digit, n = 100, u32 keys ascending, payload index, compute backend, row-wise layout
kernel              ops  elements read  written  bytes read  written
counting_clear      1    0              16       0           64
counting_histogram  1    100            48       400         192
counting_scan       1    48             32       192         128
counting_scatter    1    132            200      528         800
all                 4    280            296      1120        1184
scratch bytes: 320
)");
}

TEST_CASE("a counting sort needs what only compute and cpu have", "[exec_cpu]") {
    CHECK_NOTHROW(validate(counting_sort_program(1000, Backend::compute), {}));
    CHECK_THROWS_WITH(validate(counting_sort_program(1000, Backend::fragment), {}),
                      Contains("counting_histogram") && Contains("groups, scatter or atomics"));
    Limits limits;
    limits.storage_blocks = 4;
    limits.shared_memory = 256;
    limits.invocations = 64;
    CHECK_NOTHROW(validate(counting_sort_program(1000, Backend::compute), limits));
    limits.invocations = 63;
    CHECK_THROWS_WITH(validate(counting_sort_program(1000, Backend::compute), limits),
                      Contains("counting_histogram") && Contains("64 invocations"));
    // Without the clearing op, the histograms would add to the old words.
    StreamProgram program = counting_sort_program(1000, Backend::compute);
    program.ops.erase(program.ops.begin());
    CHECK_THROWS_WITH(validate(program, {}), Contains("counting_histogram") && Contains("shares records of totals"));
}
