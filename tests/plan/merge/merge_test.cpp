#include <glsort/planner.h>
#include <glsort/stream/program.h>
#include <glsort/stream/schedule.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "plan/ops_of.h"

using namespace glsort;
using glsort::test::ops_of;

namespace {

PlanRequest merge_request(std::uint32_t n, Payload payload = Payload::index()) {
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.backend = Backend::fragment;
    request.spec.input = request.spec.output = Medium::texture;
    request.n = n;
    request.spec.payload = payload;
    return request;
}

}  // namespace

TEST_CASE("merge: the program for 300 pairs", "[plan]") {
    CHECK("\n" + to_text(plan(merge_request(300))) == R"(
merge:multiway, n = 300, u32 keys ascending, payload index, fragment backend, row-wise layout
streams
  input    input    300 records of 1 x 1 words  texture
  output   output   300 records of 1 x 2 words  texture
  records  scratch  19 records of 16 x 2 words  texture  two copies
  splits   scratch  5 records of 2 x 4 words    texture
  sources  scratch  10 records of 2 x 4 words   texture
ops
  op  kernel                      reads                                      writes          belongs to  parameters
   0  load_record > merge_runs    input[0..299]                              records[0..18]  level 5     count=300
   1  merge_split                 records[0..18]                             splits[0..4]    level 8     count=300 run=32 log_run=5
   2  merge_order                 records[0..18] splits[0..4]                sources[0..9]   level 8     count=300 run=32 log_run=5
   3  merge_gather                records[0..18] splits[0..4] sources[0..9]  records[0..18]  level 8     count=300 run=32 log_run=5
   4  merge_split                 records[0..18]                             splits[0..4]    level 9     count=300 run=256 log_run=8
   5  merge_order                 records[0..18] splits[0..4]                sources[0..9]   level 9     count=300 run=256 log_run=8
   6  merge_place > store_record  records[0..18] splits[0..4] sources[0..9]  output[0..299]  level 9     count=300 run=256 log_run=8
)");
}

TEST_CASE("merge: the program for 300 keys alone", "[plan]") {
    CHECK("\n" + to_text(plan(merge_request(300, Payload::none()))) == R"(
merge:multiway, n = 300, u32 keys ascending, payload none, fragment backend, row-wise layout
streams
  input       input    300 records of 1 x 1 words  texture
  output      output   300 records of 1 x 1 words  texture
  records     scratch  10 records of 32 x 1 words  texture  two copies
  key_splits  scratch  5 records of 1 x 4 words    texture
ops
  op  kernel                         reads                           writes            belongs to  parameters
   0  load_record > merge_keys_runs  input[0..299]                   records[0..9]     level 6     count=300
   1  merge_keys_split               records[0..9]                   key_splits[0..4]  level 8     count=300 run=64 log_run=6
   2  merge_keys                     records[0..9] key_splits[0..4]  records[0..9]     level 8     count=300 run=64 log_run=6
   3  merge_keys_split               records[0..9]                   key_splits[0..4]  level 10    count=300 run=256 log_run=8
   4  merge_keys                     records[0..9] key_splits[0..4]  records[0..9]     level 10    count=300 run=256 log_run=8
   5  copy > store_record            records[0..9]                   output[0..299]
)");
}

TEST_CASE("merge of keys alone: two levels a merge, from runs of two records on", "[plan]") {
    for (const auto& [n, merges] : {std::pair{33u, 0},
                                    {64u, 0},
                                    {65u, 1},
                                    {256u, 1},
                                    {257u, 2},
                                    {1u << 20, 7},
                                    {(1u << 20) + 1, 8},
                                    {1u << 21, 8},
                                    {1u << 24, 9},
                                    {1u << 30, 12}}) {
        CAPTURE(n);
        const StreamProgram program = plan(merge_request(n, Payload::none()));
        CHECK(ops_of(program, "merge_keys_runs") == 1);
        CHECK(ops_of(program, "merge_keys_split") == std::size_t(merges));
        CHECK(ops_of(program, "merge_keys") == std::size_t(merges));
        CHECK(ops_of(program, "copy") == 1);
        CHECK(program.ops.size() == std::size_t(2 + 2 * merges));
    }
}

TEST_CASE("merge of keys alone: a row of records is a row of the caller's keys, of a sort and of lists", "[plan]") {
    const auto layout_of = [](const PlanRequest& request) {
        const StreamProgram program = plan(request);
        const auto records = std::ranges::find(program.streams, "records", &Stream::name);
        REQUIRE(records != program.streams.end());
        return records->layout;
    };
    PlanRequest request = merge_request(1u << 20, Payload::none());
    CHECK(layout_of(request).width == 32);
    request.lists = {1u << 19, 1u << 19};
    CHECK(layout_of(request).width == 32);
    // The width is at least that of a warp. The rows fit in a texture.
    request = merge_request(1000, Payload::none());
    CHECK(layout_of(request).width == 8);
    request = merge_request(1u << 24, Payload::none());
    request.limits.texture_size = 4096;
    CHECK(layout_of(request).width == 256);
    request.spec.layout = Layout::z_order;
    CHECK(layout_of(request).kind == Layout::z_order);
}

TEST_CASE("merge of keys alone: others take the kernels of pairs", "[plan]") {
    const auto merges_keys = [](const PlanRequest& request) { return ops_of(plan(request), "merge_keys") > 0; };
    const PlanRequest keys = merge_request(1000, Payload::none());
    CHECK(merges_keys(keys));
    PlanRequest other = keys;
    other.spec.payload = Payload::index();
    CHECK_FALSE(merges_keys(other));
    other = keys;
    other.spec.order.key = KeyType::u64;
    CHECK_FALSE(merges_keys(other));
    other = keys;
    other.limits.attachments = 1;
    CHECK_FALSE(merges_keys(other));
    other = keys;
    other.spec.backend = Backend::compute;
    CHECK_FALSE(merges_keys(other));
    other = keys;
    other.lists = {400, 600};
    CHECK_FALSE(merges_keys(other));
    // More elements than a texture holds.
    for (const std::uint32_t n : {(1u << 30) + 1, 0xffffffffu})
        CHECK_FALSE(merges_keys(merge_request(n, Payload::none())));
}

TEST_CASE("merge: three levels a merge, and longer runs where that saves one", "[plan]") {
    for (const auto& [m, merges] : {std::pair{4, 0},
                                    {5, 0},
                                    {6, 1},
                                    {8, 1},
                                    {16, 4},
                                    {17, 4},
                                    {18, 5},
                                    {19, 5},
                                    {20, 5},
                                    {21, 6},
                                    {22, 6},
                                    {23, 6},
                                    {24, 7}}) {
        CAPTURE(m);
        const StreamProgram program = plan(merge_request(1u << m));
        CHECK(ops_of(program, "merge_runs") == 1);
        CHECK(ops_of(program, "merge_order") == std::size_t(merges));
        // The last gather writes the caller's output.
        CHECK(ops_of(program, "merge_gather") == std::size_t(std::max(merges - 1, 0)));
        CHECK(ops_of(program, "merge_place") == std::size_t(merges > 0));
        CHECK(ops_of(program, "copy") == 0);
        CHECK(ops_of(program, "merge_split") <= std::size_t(merges));
        // The last op makes one run of all elements.
        int level = 0;
        for (const Op& op : program.ops) {
            CHECK(op.labels.level <= m + 1);
            level = std::max(level, op.labels.level);
        }
        CHECK(level >= m);
    }
}

TEST_CASE("merge: up to 32 elements are one draw", "[plan]") {
    for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4)})
        for (const auto& [n, ops] : {std::pair{1u, 1u}, {2u, 1u}, {17u, 1u}, {32u, 1u}}) {
            CAPTURE(to_string(payload), n);
            CHECK(plan(merge_request(n, payload)).ops.size() == ops);
        }
    CHECK(plan(merge_request(33)).ops.size() == 3);
    CHECK(plan(merge_request(33, Payload::none())).ops.size() == 2);
    // Between buffers, transfers come before and after the sort.
    PlanRequest request = merge_request(20);
    request.spec.input = request.spec.output = Medium::buffer;
    CHECK(ops_of(plan(request), "merge_runs") == 1);
    CHECK(ops_of(plan(request), "copy") == 0);
    // Values of several words follow in their own op, which also needs the records.
    request.spec.payload = Payload::bytes(8);
    CHECK(ops_of(plan(request), "copy") == 1);
}

TEST_CASE("merge: a program is valid for any n, payload and number of attachments", "[plan]") {
    for (const std::uint32_t attachments : {8u, 7u, 4u, 2u, 1u})
        for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4)})
            for (const Backend backend : {Backend::fragment, Backend::compute, Backend::cpu})
                for (const std::uint32_t capacity : {0u, 5000u, 70000u, 600000u, 1200000u})
                    for (const std::uint32_t n :
                         {0u,   1u,   2u,   3u,   15u,  16u,   17u,   31u,   33u,   127u,  129u,
                          255u, 256u, 257u, 511u, 513u, 1000u, 1024u, 2047u, 2049u, 4097u, 5000u}) {
                        PlanRequest request = merge_request(n, payload);
                        request.spec.backend = backend;
                        request.spec.capacity = capacity;
                        request.limits.attachments = attachments;
                        CAPTURE(attachments, to_string(payload), to_string(backend), capacity, n);
                        const StreamProgram program = plan(request);
                        CHECK_NOTHROW(validate(program, request.limits));
                    }
}

TEST_CASE("merge: streams are those of the capacity, whatever n is", "[plan]") {
    struct Mode {
        Backend backend;
        Payload payload;
    };
    for (const std::uint32_t capacity : {5000u, 70000u, 600000u, 1200000u})
        for (const auto& [backend, payload] :
             {Mode{Backend::fragment, Payload::index()}, Mode{Backend::fragment, Payload::none()},
              Mode{Backend::compute, Payload::index()}}) {
            PlanRequest request = merge_request(capacity, payload);
            request.spec.backend = backend;
            request.spec.capacity = capacity;
            const StreamProgram whole = plan(request);
            for (const std::uint32_t n : {1u, 20u, 300u, 4999u}) {
                request.n = n;
                const StreamProgram part = plan(request);
                REQUIRE(part.streams.size() == whole.streams.size());
                for (std::size_t i = 0; i < whole.streams.size(); ++i) {
                    CHECK(part.streams[i].name == whole.streams[i].name);
                    CHECK(part.streams[i].words == whole.streams[i].words);
                    CHECK(part.streams[i].elements_per_record == whole.streams[i].elements_per_record);
                    CHECK(part.streams[i].records <= whole.streams[i].records);
                }
            }
        }
}

TEST_CASE("merge: scratch is two copies of the elements and less than a tenth more", "[plan]") {
    for (const int m : {16, 20, 24}) {
        const std::uint64_t n = std::uint64_t{1} << m;
        const PlanRequest request = merge_request(static_cast<std::uint32_t>(n));
        const Cost whole = cost(plan(request));
        CHECK(whole.scratch_bytes >= 16 * n);
        CHECK(whole.scratch_bytes <= 18 * n);
        const Cost keys = cost(plan(merge_request(static_cast<std::uint32_t>(n), Payload::none())));
        CHECK(keys.scratch_bytes >= 8 * n);
        CHECK(keys.scratch_bytes <= 9 * n);
    }
}

TEST_CASE("merge on compute: the program for 10000 pairs", "[plan]") {
    PlanRequest request = merge_request(10000);
    request.spec.backend = Backend::compute;
    request.spec.input = request.spec.output = Medium::buffer;
    CHECK("\n" + to_text(plan(request)) == R"(
merge:shared, n = 10000, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys     in place  10000 records of 1 x 1 words  buffer
  values   output    10000 records of 1 x 1 words  buffer
  records  scratch   10000 records of 1 x 2 words  buffer  two copies
  splits   scratch   20 records of 2 x 4 words     buffer
ops
  op  kernel                       reads                           writes                         belongs to  parameters
   0  load_record > merge_tile     keys[0..9999]                   records[0..9999]               level 9     count=10000
   1  merge_split                  records[0..9999]                splits[0..19]                  level 12    count=10000 run=512 log_run=9
   2  merge_shared                 records[0..9999] splits[0..19]  records[0..9999]               level 12    count=10000 run=512 log_run=9
   3  merge_split                  records[0..9999]                splits[0..19]                  level 14    count=10000 run=4096 log_run=12
   4  merge_shared > store_record  records[0..9999] splits[0..19]  keys[0..9999] values[0..9999]  level 14    count=10000 run=4096 log_run=12
)");
}

TEST_CASE("merge on compute: a tile is one op, a merge of up to eight runs two", "[plan]") {
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.backend = Backend::compute;
    request.limits.storage_blocks = 4;
    // Tiles have 512 records, and 2048 from 2^18 on.
    for (const auto& [m, merges] : {std::pair{0, 0},
                                    {9, 0},
                                    {10, 1},
                                    {12, 1},
                                    {13, 2},
                                    {15, 2},
                                    {16, 3},
                                    {18, 3},
                                    {20, 3},
                                    {21, 4},
                                    {23, 4},
                                    {24, 5}}) {
        CAPTURE(m);
        request.n = 1u << m;
        const StreamProgram program = plan(request);
        CHECK(ops_of(program, "merge_tile") == 1);
        CHECK(ops_of(program, "merge_split") == std::size_t(merges));
        CHECK(ops_of(program, "merge_shared") == std::size_t(merges));
        // A program has at least two ops.
        CHECK(ops_of(program, "copy") == std::size_t(merges == 0));
        CHECK(program.ops.back().store != nullptr);
    }
}

TEST_CASE("merge on compute: a copy stores where the storage blocks are too few", "[plan]") {
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.backend = Backend::compute;
    request.n = 100000;
    // A merge reads records and splits, and stores keys and values. With gathered values, the merge needs five blocks.
    request.spec.payload = Payload::bytes(4);
    request.limits.storage_blocks = 5;
    CHECK(plan(request).ops.back().kernel->name == "merge_shared");
    request.limits.storage_blocks = 4;
    const StreamProgram program = plan(request);
    CHECK(program.ops.back().kernel->name == "copy");
    CHECK_NOTHROW(validate(program, request.limits));
}

TEST_CASE("merge on compute: tiles fit the memory and the invocations of a group", "[plan]") {
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.backend = Backend::compute;
    for (const std::uint32_t shared_memory : {256u, 1000u, 16384u, 32768u, 49152u})
        for (const std::uint32_t invocations : {2u, 128u, 1024u})
            for (const Payload payload : {Payload::none(), Payload::index()})
                for (const std::uint32_t capacity : {1u, 600000u, 1u << 24})
                    for (const std::uint32_t n : {1u, 31u, 33u, 4096u, 4097u, 600000u}) {
                        if (n > capacity) continue;
                        request.limits.shared_memory = shared_memory;
                        request.limits.invocations = invocations;
                        request.spec.payload = payload;
                        request.spec.capacity = capacity;
                        request.n = n;
                        CAPTURE(shared_memory, invocations, to_string(payload), capacity, n);
                        const StreamProgram program = plan(request);
                        CHECK_NOTHROW(validate(program, request.limits));
                    }
    // The memory of every context is enough for the largest tiles of pairs.
    request.limits.shared_memory = 32768;
    request.limits.invocations = 256;
    CHECK(cost(plan(request)).scratch_bytes <= 17 * std::uint64_t{1 << 24});
}

TEST_CASE("merge of lists: the program for 2000 keys in three lists", "[plan]") {
    PlanRequest request = merge_request(2000, Payload::none());
    request.lists = {1500, 0, 499, 1};
    // A merge of four lists.
    request.limits.attachments = 1;
    CHECK("\n" + to_text(plan(request)) == R"(
merge:multiway, n = 2000, u32 keys ascending, payload none, fragment backend, row-wise layout
streams
  input    input    2000 records of 1 x 1 words  texture
  output   output   2000 records of 1 x 1 words  texture
  records  scratch  500 records of 4 x 1 words   texture
  splits   scratch  63 records of 1 x 4 words    texture
  sources  scratch  125 records of 1 x 4 words   texture
ops
  op  kernel                      reads                                          writes           belongs to  parameters
   0  load_record > copy          input[0..1999]                                 records[0..499]              count=2000
   1  merge_split                 records[0..499]                                splits[0..62]    level 1     begin=0 end=2000 begin0=0 begin1=1500 begin2=1999 begin3=2000 end0=1500 end1=1999 end2=2000 end3=2000
   2  merge_order                 records[0..499] splits[0..62]                  sources[0..124]  level 1     begin=0 end=2000 begin0=0 begin1=1500 begin2=1999 begin3=2000 end0=1500 end1=1999 end2=2000 end3=2000
   3  merge_place > store_record  records[0..499] splits[0..62] sources[0..124]  output[0..1999]  level 1     begin=0 end=2000 begin0=0 begin1=1500 begin2=1999 begin3=2000 end0=1500 end1=1999 end2=2000 end3=2000
)");
}

TEST_CASE("merge of lists: an op triple for eight lists, another for every eight of these", "[plan]") {
    for (const std::uint32_t attachments : {8u, 1u})
        for (const auto& [lists, merges] : {std::pair{1u, 0u},
                                            {2u, 1u},
                                            {8u, attachments == 1 ? 2u : 1u},
                                            {9u, 2u},
                                            {64u, attachments == 1 ? 3u : 2u}}) {
            CAPTURE(attachments, lists);
            PlanRequest request = merge_request(6400);
            request.limits.attachments = attachments;
            request.lists.assign(lists, 6400 / lists);
            request.lists.back() += 6400 % lists;
            const StreamProgram program = plan(request);
            for (const char* kernel : {"merge_split", "merge_order"})
                CHECK(ops_of(program, kernel) == merges);
            CHECK(ops_of(program, "merge_gather") + ops_of(program, "merge_place") == merges);
            CHECK(ops_of(program, "merge_runs") == 0);
            // A copy loads the keys. If there is no merge, another copy stores them.
            CHECK(program.ops.size() == 3 * merges + (merges == 0 ? 2 : 1));
        }
}

TEST_CASE("merge of lists: a program is valid for any lists, payload and number of attachments", "[plan]") {
    for (const std::uint32_t attachments : {8u, 4u, 2u, 1u})
        for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4)})
            for (const Backend backend : {Backend::fragment, Backend::compute, Backend::cpu})
                for (const std::uint32_t capacity : {5000u, 600000u})
                    for (const std::uint32_t lists : {1u, 2u, 7u, 8u, 9u, 33u, 64u})
                        for (const std::uint32_t length : {0u, 1u, 16u, 63u, 78u}) {
                            PlanRequest request = merge_request(lists * length + 5, payload);
                            request.spec.order.key = length % 2 == 0 ? KeyType::u32 : KeyType::f64;
                            // A texture has no room for a larger payload.
                            if (request.spec.order.key == KeyType::f64) request.spec.payload = Payload::index();
                            request.lists.assign(lists, length);
                            request.lists[lists / 2] += 5;
                            request.spec.backend = backend;
                            request.spec.capacity = capacity;
                            request.limits.attachments = attachments;
                            if (backend == Backend::compute) {
                                request.spec.input = request.spec.output = Medium::buffer;
                                request.limits.storage_blocks = 4;
                            }
                            CAPTURE(attachments, to_string(payload), to_string(backend), capacity, lists, length);
                            const StreamProgram program = plan(request);
                            CHECK_NOTHROW(validate(program, request.limits));
                        }
}

TEST_CASE("merge of lists: eight lists cost less than half a sort", "[plan]") {
    PlanRequest request = merge_request(1 << 20);
    const Cost sort = cost(plan(request));
    request.lists.assign(8, 1 << 17);
    const Cost merge = cost(plan(request));
    CHECK(2 * merge.bytes_written < sort.bytes_written);
    CHECK(2 * merge.ops < sort.ops);
    // No op writes the stream that the only merge reads.
    CHECK(2 * merge.scratch_bytes < sort.scratch_bytes + sort.scratch_bytes / 10);
    // More lists take some more windows.
    request.lists.assign(64, 1 << 14);
    request.lists.front() -= 3;
    request.lists.back() += 3;
    CHECK(cost(plan(request)).scratch_bytes < sort.scratch_bytes + sort.scratch_bytes / 25);
}
