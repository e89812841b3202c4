#include <glsort/error.h>
#include <glsort/plan/sample/sample_levels.h>
#include <glsort/planner.h>
#include <glsort/stream/program.h>
#include <glsort/stream/schedule.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "plan/ops_of.h"

using namespace glsort;
using Catch::Matchers::Contains;
using glsort::test::ops_of;

namespace {

PlanRequest sample_plan(std::uint32_t n, const char* algorithm = "sample", std::uint32_t tile = 0,
                        std::uint32_t samples = 0) {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.spec.backend = Backend::compute;
    request.n = n;
    request.spec.tuning.sample.tile = tile;
    request.spec.tuning.sample.samples = samples;
    return request;
}

}  // namespace

TEST_CASE("sample: the program for 1000 pairs in tiles of 64", "[plan]") {
    CHECK("\n" + to_text(plan(sample_plan(1000, "sample", 64, 16))) == R"(
sample:multi-level, n = 1000, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys     in place  1000 records of 1 x 1 words  buffer
  values   output    1000 records of 1 x 1 words  buffer
  tiles    scratch   1000 records of 1 x 2 words  buffer
  records  scratch   1000 records of 1 x 2 words  buffer
  samples  scratch   512 records of 1 x 2 words   buffer  two copies
  splits   scratch   1 records of 2 x 4 words     buffer
  places   scratch   512 records of 1 x 1 words   buffer
  moves    scratch   512 records of 1 x 2 words   buffer
  starts   scratch   17 records of 1 x 1 words    buffer
  divided  scratch   257 records of 1 x 1 words   buffer
ops
  op  kernel                         reads                                        writes                         belongs to       parameters
   0  load_record > sample_tile      keys[0..999]                                 tiles[0..999]                  level 1, step 2  count=1000 tiles=16 segments=1
   1  sample_take                    tiles[0..999]                                samples[0..249]                level 1, step 3  count=1000 tiles=16 segments=1
   2  merge_tile                     samples[0..249]                              samples[0..249]                level 1, step 4  count=250
   3  sample_place                   tiles[0..999] samples[0..249]                places[0..255]                 level 1, step 6  count=1000 tiles=16 segments=1
   4  sample_prefix                  places[0..255]                               moves[0..255] starts[0..16]    level 1, step 7  count=1000 tiles=16 segments=1
   5  sample_relocate                tiles[0..999] moves[0..255]                  records[0..999]                level 1, step 8  count=1000 tiles=16 segments=1
   6  sample_tile                    records[0..999] starts[0..16]                tiles[0..999]                  level 2, step 2  count=1000 tiles=2 segments=16
   7  sample_sort                    tiles[0..999] starts[0..16]                  samples[0..511]                level 2, step 4  count=1000 tiles=2 segments=16
   8  sample_place                   tiles[0..999] samples[0..511] starts[0..16]  places[0..511]                 level 2, step 6  count=1000 tiles=2 segments=16
   9  sample_prefix                  places[0..511] starts[0..16]                 moves[0..511] divided[0..256]  level 2, step 7  count=1000 tiles=2 segments=16
  10  sample_relocate                tiles[0..999] moves[0..511] starts[0..16]    records[0..999]                level 2, step 8  count=1000 tiles=2 segments=16
  11  sample_buckets > store_record  records[0..999] divided[0..256]              keys[0..999] values[0..999]    step 9           count=1000 buckets=256 window=51
)");
}

TEST_CASE("sample: a bucket has at most 2n/s records, less one for each tile", "[plan]") {
    for (const std::uint32_t tile : {64u, 1024u, 4096u})
        for (std::uint32_t samples = 4; samples < tile; samples *= 2) {
            for (const std::uint32_t tiles : {2u, 3u, 64u, 1000u}) {
                CAPTURE(tile, samples, tiles);
                const std::uint32_t n = tiles * tile;
                CHECK(sample::bucket_bound(n, {tile, samples}) == 2 * n / samples - tiles);
                // Partial tiles count as whole tiles.
                for (const std::uint32_t fewer : {1u, tile / 2, tile - 1})
                    CHECK(sample::bucket_bound(n - fewer, {tile, samples}) <= 2 * n / samples - tiles);
            }
        }
    for (const std::uint32_t n : {0u, 1u, 3u, 4u, 15u})
        CHECK(sample::bucket_bound(n, {64, 4}) == n);
}

TEST_CASE("sample: guaranteed levels go on until buckets have at most half a tile", "[plan]") {
    for (const std::uint32_t n : {5000u, 1u << 16, 1u << 24, 1u << 26}) {
        const StreamProgram program = plan(sample_plan(n));
        CAPTURE(n);
        std::uint32_t room = n;
        std::uint32_t segments = 1;
        for (const Op& op : program.ops) {
            if (op.kernel->name != "sample_prefix") continue;
            // The bound determines the number of groups.
            const std::uint32_t tile = program.ops.back().kernel->shared_words / 2;
            CHECK(op.parameters[1] == records_for(room, tile));
            CHECK(op.parameters[2] == segments);
            const std::uint32_t samples = (op.writes.back().records.end() - 1) / segments;
            room = sample::bucket_bound(room, {tile, samples});
            segments *= samples;
        }
        const Op& last = program.ops.back();
        CHECK(last.kernel->name == "sample_buckets");
        CHECK(2 * room <= last.kernel->shared_words / 2);
        // A window, and a bucket that begins with the last record of the window, fit a tile.
        CHECK(last.parameters[2] + room - 1 == last.kernel->shared_words / 2);
    }
    CHECK(ops_of(plan(sample_plan(1u << 24)), "sample_relocate") == 2);
    // Keys are read. On each level all pairs are written twice and read twice. Then all pairs are read and written once
    // more, and so are the samples.
    const Cost price = cost(plan(sample_plan(1u << 24)));
    const double moved = 4 + 8 + 16 + 32 + 16 + 8;
    CHECK(static_cast<double>(price.bytes_read + price.bytes_written) / (1u << 24) < 1.4 * moved);
}

TEST_CASE("sample: where buckets are expected to fit a tile, a second level divides what does not", "[plan]") {
    for (const std::uint32_t n : {1u << 20, (1u << 20) + 1, 3000000u, 1u << 22, 1u << 23, 1u << 24}) {
        PlanRequest request = sample_plan(n);
        request.limits.subgroup_size = 32;
        request.limits.shared_memory = 49152;
        const StreamProgram program = plan(request);
        CAPTURE(n);
        CHECK(ops_of(program, "sample_relocate") == 2);
        const Op* first = nullptr;
        const Op* second = nullptr;
        for (const Op& op : program.ops)
            if (op.kernel->name == "sample_prefix") (first == nullptr ? first : second) = &op;
        REQUIRE(second != nullptr);
        const std::uint32_t tile = n <= 1u << 22 ? 4096 : 8192;
        const std::uint32_t buckets = first->writes.back().records.end() - 1;
        const std::uint32_t segments = second->parameters[2];
        // About three quarters of a tile. For a count just above a power of two, half of that.
        CHECK(n / buckets <= tile * 3 / 4);
        CHECK(n / buckets >= tile / 4);
        CHECK(buckets % segments == 0);
        // For any keys there is room for the segments of the second level, and at the end for buckets.
        const std::uint32_t room = sample::bucket_bound(n, {tile, 256}, segments);
        CHECK(second->parameters[1] == records_for(room, tile));
        const std::uint32_t divided = (second->writes.back().records.end() - 1) / segments;
        const std::uint32_t bound = sample::bucket_bound(room, {tile, divided});
        const Op& last = program.ops.back();
        CHECK(last.parameters[1] == buckets);
        CHECK(last.parameters[2] + bound - 1 == tile);
        CHECK(last.parameters[2] * last.parameters[3] >= room);
        // A group for each bucket, and one for each segment.
        CHECK(last.domain.size() == buckets + segments);
        // The samples are sorted by merges, or by sweeps if sweeps are allowed.
        CHECK(ops_of(program, "merge_tile") == 1);
        request.limits.look_back = 1;
        const StreamProgram swept = plan(request);
        CHECK(ops_of(swept, "merge_tile") == 0);
        CHECK(ops_of(swept, "radix_sweep") == 4);
        CHECK_NOTHROW(validate(swept, request.limits));
    }
}

TEST_CASE("sample:paper has one level of 64 samples", "[plan]") {
    for (const std::uint32_t n : {5000u, 1u << 20, 1u << 24}) {
        const StreamProgram program = plan(sample_plan(n, "sample:paper"));
        CHECK(ops_of(program, "sample_relocate") == 1);
        CHECK(program.streams[program.stream("starts")].records == 65);
    }
    // Buckets of up to 2^19 in tiles of 2^12: stages 13 to 19 have one to seven steps between tiles.
    const StreamProgram program = plan(sample_plan(1u << 24, "sample:paper"));
    CHECK(ops_of(program, "sample_step") == 7 * 8 / 2);
    CHECK(ops_of(program, "sample_tile") == 1 + 8);
    CHECK(plan(sample_plan(4000, "sample:paper", 4096)).ops.size() == 1);
}

TEST_CASE("sample: what holds for the capacity holds for every count", "[plan]") {
    for (const char* algorithm : {"sample", "sample:paper", "sample:randomized"})
        for (const std::uint32_t tile : {0u, 1024u})
            for (const std::uint32_t capacity : {1u, 1000u, 5000u, 70000u, (1u << 20) + 1, 5000000u}) {
                PlanRequest request = sample_plan(1, algorithm, tile);
                request.spec.capacity = capacity;
                const StreamProgram first = plan(request);
                for (const std::uint32_t n : {2u, 257u, 5000u, 65536u, 66000u, 300000u, 1u << 20, 3000000u, capacity}) {
                    if (n > capacity) continue;
                    CAPTURE(algorithm, tile, capacity, n);
                    request.n = n;
                    const StreamProgram program = plan(request);
                    CHECK_NOTHROW(validate(program, request.limits));
                    REQUIRE(program.streams.size() == first.streams.size());
                    for (const Stream& stream : program.streams) {
                        if (stream.role != StreamRole::scratch || stream.records == n) continue;
                        CAPTURE(stream.name);
                        CHECK(stream.records == first.streams[first.stream(stream.name)].records);
                    }
                }
            }
}

TEST_CASE("sample: programs are valid for all keys and payloads, four storage blocks included", "[plan]") {
    for (const char* algorithm : {"sample", "sample:paper", "sample:randomized"})
        for (const KeyType key : {KeyType::u32, KeyType::f64})
            for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)})
                for (const std::uint32_t n : {0u, 1u, 5000u, 1u << 20}) {
                    PlanRequest request = sample_plan(n, algorithm);
                    request.spec.order.key = key;
                    request.spec.payload = payload;
                    request.limits.storage_blocks = 4;
                    request.limits.invocations = 128;
                    request.limits.shared_memory = 16384;
                    CAPTURE(algorithm, to_string(key), to_string(payload), n);
                    CHECK_NOTHROW(validate(plan(request), request.limits));
                }
}

TEST_CASE("sample: with subgroups tiles are sorted by digits, where there is no comparison", "[plan]") {
    for (const std::uint32_t subgroup : {4u, 8u, 16u, 32u, 64u})
        for (const char* algorithm : {"sample", "sample:randomized"})
            for (const std::uint32_t tile : {0u, 64u, 4096u, 8192u})
                for (const std::uint32_t n : {5000u, 1u << 20, 1u << 24}) {
                    PlanRequest request = sample_plan(n, algorithm, tile);
                    if (tile == 64 && n > 5000) continue;
                    if (tile == 8192 && subgroup < 32) continue;
                    request.limits.subgroup_size = subgroup;
                    request.limits.shared_memory = 49152;
                    CAPTURE(subgroup, algorithm, tile, n);
                    const StreamProgram program = plan(request);
                    CHECK_NOTHROW(validate(program, request.limits));
                    const bool by_digits = program.ops.back().kernel->subgroups != Subgroups::none;
                    // Small subgroups lead to small groups, of at most 16 records per invocation.
                    if (tile == 64) CHECK(by_digits == (subgroup == 4));
                    if (tile >= 4096 || n == 1u << 24) CHECK(by_digits == (subgroup >= 16));
                    if (tile == 0 && n == 5000) CHECK(by_digits);
                }
    PlanRequest request = sample_plan(100000);
    request.limits.subgroup_size = 32;
    request.spec.order.comparison = Comparison{.glsl = "bool comes_before(uint a, uint b) { return a < b; }\n"};
    CHECK(plan(request).ops.back().kernel->subgroups == Subgroups::none);
    request.spec.order.comparison.reset();
    request.spec.algorithm = "sample:paper";
    CHECK(plan(request).ops.back().kernel->subgroups == Subgroups::none);
}

TEST_CASE("sample: tiles and samples that are none are refused", "[plan]") {
    for (const std::uint32_t tile : {1u, 8u, 100u, 8192u})
        CHECK_THROWS_WITH(plan(sample_plan(10, "sample", tile)),
                          Contains("a tile of " + std::to_string(tile) + " elements") && Contains("16 to 4096"));
    for (const std::uint32_t samples : {1u, 2u, 5u, 128u})
        CHECK_THROWS_WITH(plan(sample_plan(10, "sample", 64, samples)),
                          Contains(std::to_string(samples) + " samples") && Contains("4 to 64"));
    CHECK_THROWS_WITH(plan(sample_plan(1u << 20, "sample", 16)),
                      Contains("tiles of 16") && Contains("sort up to 1024 elements, not the capacity 1048576"));
    PlanRequest bare = sample_plan(10);
    for (const std::uint32_t bytes : {0u, 1u, 8u}) {
        bare.limits.shared_memory = bytes;
        CHECK_THROWS_WITH(plan(bare), Contains("shared memory") && Contains("(shared_memory)"));
    }
    PlanRequest few = sample_plan(1u << 20);
    few.limits.subgroups = Subgroups::khr;
    few.limits.subgroup_size = 32;
    few.limits.look_back = true;
    few.limits.storage_blocks = 4;
    CHECK_NOTHROW(validate(plan(few), few.limits));
    CHECK_THROWS_WITH(plan(sample_plan((1u << 29) + 1)), Contains("536870913") && Contains("536870912"));
    PlanRequest request = sample_plan(10, "merge", 64);
    CHECK_THROWS_WITH(plan(request), Contains("tile 64") && Contains("merge") && Contains("sample"));
    request.spec.tuning.sample.tile = 0;
    request.spec.tuning.sample.samples = 32;
    CHECK_THROWS_WITH(plan(request), Contains("samples 32") && Contains("merge") && Contains("sample"));
    request = sample_plan(10);
    request.spec.backend = Backend::fragment;
    CHECK_THROWS_WITH(plan(request), Contains("fragment"));
}
