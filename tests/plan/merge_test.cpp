#include <glsort/planner.h>
#include <glsort/stream/print.h>
#include <glsort/stream/schedule.h>
#include <glsort/stream/validate.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

using namespace glsort;

namespace {

PlanRequest merge_request(std::uint32_t n, Payload payload = Payload::index()) {
    PlanRequest request;
    request.algorithm = "merge";
    request.backend = Backend::fragment;
    request.input = request.output = Medium::texture;
    request.n = n;
    request.payload = payload;
    return request;
}

std::size_t ops_of(const StreamProgram& program, const std::string& kernel) {
    std::size_t count = 0;
    for (const Op& op : program.ops)
        count += op.kernel->name == kernel;
    return count;
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
  op  kernel                    reads                                      writes          belongs to  parameters
   0  load_record > merge_runs  input[0..299]                              records[0..18]  level 4     count=300
   1  merge_split               records[0..18]                             splits[0..4]    level 7     count=300 run=16 log_run=4
   2  merge_order               records[0..18] splits[0..4]                sources[0..9]   level 7     count=300 run=16 log_run=4
   3  merge_gather              records[0..18] splits[0..4] sources[0..9]  records[0..18]  level 7     count=300 run=16 log_run=4
   4  merge_split               records[0..18]                             splits[0..4]    level 9     count=300 run=128 log_run=7
   5  merge_order               records[0..18] splits[0..4]                sources[0..9]   level 9     count=300 run=128 log_run=7
   6  merge_gather              records[0..18] splits[0..4] sources[0..9]  records[0..18]  level 9     count=300 run=128 log_run=7
   7  copy > store_record       records[0..18]                             output[0..299]
)");
}

TEST_CASE("merge: three levels a merge, and longer runs where that saves one", "[plan]") {
    for (const auto& [m, merges] : {std::pair{4, 0}, {5, 0}, {6, 1}, {8, 1}, {16, 4}, {17, 4}, {18, 5},
                                    {19, 5}, {20, 5}, {21, 6}, {22, 6}, {23, 6}, {24, 7}}) {
        CAPTURE(m);
        const StreamProgram program = plan(merge_request(1u << m));
        CHECK(ops_of(program, "merge_runs") == 1);
        CHECK(ops_of(program, "merge_order") == std::size_t(merges));
        CHECK(ops_of(program, "merge_gather") == std::size_t(merges));
        CHECK(ops_of(program, "merge_split") <= std::size_t(merges));
        // The last op makes one run of all.
        int level = 0;
        for (const Op& op : program.ops) {
            CHECK(op.labels.level <= m + 1);
            level = std::max(level, op.labels.level);
        }
        CHECK(level >= m);
    }
}

TEST_CASE("merge: a program is valid for any n, payload and number of attachments", "[plan]") {
    for (const std::uint32_t attachments : {8u, 7u, 4u, 2u, 1u})
        for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4)})
            for (const Backend backend : {Backend::fragment, Backend::compute, Backend::cpu})
                for (const std::uint32_t capacity : {0u, 5000u, 70000u, 600000u})
                    for (const std::uint32_t n :
                         {0u, 1u, 2u, 3u, 15u, 16u, 17u, 31u, 33u, 127u, 129u, 255u, 256u, 257u, 511u,
                          513u, 1000u, 1024u, 2047u, 2049u, 4097u, 5000u}) {
                        PlanRequest request = merge_request(n, payload);
                        request.backend = backend;
                        request.capacity = capacity;
                        request.limits.attachments = attachments;
                        CAPTURE(attachments, to_string(payload), to_string(backend), capacity, n);
                        const StreamProgram program = plan(request);
                        CHECK_NOTHROW(validate(program, request.limits));
                    }
}

TEST_CASE("merge: streams are those of the capacity, whatever n is", "[plan]") {
    for (const std::uint32_t capacity : {5000u, 70000u, 600000u}) {
        PlanRequest request = merge_request(capacity);
        request.capacity = capacity;
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
    }
}
