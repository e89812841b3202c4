#include <glsort/planner.h>
#include <glsort/stream/program.h>
#include <glsort/stream/schedule.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

using namespace glsort;

namespace {

std::string text_of(Backend backend, std::uint32_t n) {
    PlanRequest request;
    request.spec.algorithm = "bitonic";
    request.n = n;
    request.spec.backend = backend;
    return "\n" + to_text(plan(request));
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

constexpr const char* fragment_4 = R"(
bitonic:step, n = 4, u32 keys ascending, payload index, fragment backend, row-wise layout
streams
  keys           in place  4 records of 1 x 1 words  buffer
  values         output    4 records of 1 x 1 words  buffer
  keys_staged    scratch   4 records of 1 x 1 words  texture
  values_staged  scratch   4 records of 1 x 1 words  texture
  records        scratch   2 records of 2 x 2 words  texture  two copies
ops
  op  kernel                      reads                writes                                 belongs to       parameters
   0  upload                      keys[0..3]           keys_staged[0..3]
   1  load_record > bitonic_step  keys_staged[0..3]    records[0..1]                          stage 1, step 0  block=1 distance=0 last=1 count=4
   2  bitonic_step                records[0..1]        records[0..1]                          stage 2, step 1  block=2 distance=1 last=0 count=4
   3  bitonic_step                records[0..1]        records[0..1]                          stage 2, step 0  block=2 distance=0 last=0 count=4
   4  copy > store_record         records[0..1]        keys_staged[0..3] values_staged[0..3]
   5  download                    keys_staged[0..3]    keys[0..3]
   6  download                    values_staged[0..3]  values[0..3]
)";

constexpr const char* fragment_5 = R"(
bitonic:step, n = 5, u32 keys ascending, payload index, fragment backend, row-wise layout
streams
  keys           in place  5 records of 1 x 1 words  buffer
  values         output    5 records of 1 x 1 words  buffer
  keys_staged    scratch   5 records of 1 x 1 words  texture
  values_staged  scratch   5 records of 1 x 1 words  texture
  records        scratch   3 records of 2 x 2 words  texture  two copies
ops
  op  kernel                      reads                writes                                 belongs to       parameters
   0  upload                      keys[0..4]           keys_staged[0..4]
   1  load_record > bitonic_step  keys_staged[0..4]    records[0..2]                          stage 1, step 0  block=1 distance=0 last=2 count=5
   2  bitonic_step                records[0..2]        records[0..2]                          stage 2, step 1  block=2 distance=1 last=1 count=5
   3  bitonic_step                records[0..2]        records[0..2]                          stage 2, step 0  block=2 distance=0 last=1 count=5
   4  bitonic_step                records[0..2]        records[0..2]                          stage 3, step 2  block=4 distance=2 last=0 count=5
   5  bitonic_step                records[0..2]        records[0..2]                          stage 3, step 1  block=4 distance=1 last=0 count=5
   6  bitonic_step                records[0..2]        records[0..2]                          stage 3, step 0  block=4 distance=0 last=0 count=5
   7  copy > store_record         records[0..2]        keys_staged[0..4] values_staged[0..4]
   8  download                    keys_staged[0..4]    keys[0..4]
   9  download                    values_staged[0..4]  values[0..4]
)";

constexpr const char* fragment_16 = R"(
bitonic:step, n = 16, u32 keys ascending, payload index, fragment backend, row-wise layout
streams
  keys           in place  16 records of 1 x 1 words  buffer
  values         output    16 records of 1 x 1 words  buffer
  keys_staged    scratch   16 records of 1 x 1 words  texture
  values_staged  scratch   16 records of 1 x 1 words  texture
  records        scratch   8 records of 2 x 2 words   texture  two copies
ops
  op  kernel                      reads                 writes                                   belongs to       parameters
   0  upload                      keys[0..15]           keys_staged[0..15]
   1  load_record > bitonic_step  keys_staged[0..15]    records[0..7]                            stage 1, step 0  block=1 distance=0 last=7 count=16
   2  bitonic_step                records[0..7]         records[0..7]                            stage 2, step 1  block=2 distance=1 last=3 count=16
   3  bitonic_step                records[0..7]         records[0..7]                            stage 2, step 0  block=2 distance=0 last=3 count=16
   4  bitonic_step                records[0..7]         records[0..7]                            stage 3, step 2  block=4 distance=2 last=1 count=16
   5  bitonic_step                records[0..7]         records[0..7]                            stage 3, step 1  block=4 distance=1 last=1 count=16
   6  bitonic_step                records[0..7]         records[0..7]                            stage 3, step 0  block=4 distance=0 last=1 count=16
   7  bitonic_step                records[0..7]         records[0..7]                            stage 4, step 3  block=8 distance=4 last=0 count=16
   8  bitonic_step                records[0..7]         records[0..7]                            stage 4, step 2  block=8 distance=2 last=0 count=16
   9  bitonic_step                records[0..7]         records[0..7]                            stage 4, step 1  block=8 distance=1 last=0 count=16
  10  bitonic_step                records[0..7]         records[0..7]                            stage 4, step 0  block=8 distance=0 last=0 count=16
  11  copy > store_record         records[0..7]         keys_staged[0..15] values_staged[0..15]
  12  download                    keys_staged[0..15]    keys[0..15]
  13  download                    values_staged[0..15]  values[0..15]
)";

constexpr const char* compute_4 = R"(
bitonic:step, n = 4, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys     in place  4 records of 1 x 1 words  buffer
  values   output    4 records of 1 x 1 words  buffer
  records  scratch   2 records of 2 x 2 words  buffer  two copies
ops
  op  kernel                      reads          writes                   belongs to       parameters
   0  load_record > bitonic_step  keys[0..3]     records[0..1]            stage 1, step 0  block=1 distance=0 last=1 count=4
   1  bitonic_step                records[0..1]  records[0..1]            stage 2, step 1  block=2 distance=1 last=0 count=4
   2  bitonic_step                records[0..1]  records[0..1]            stage 2, step 0  block=2 distance=0 last=0 count=4
   3  copy > store_record         records[0..1]  keys[0..3] values[0..3]
)";

constexpr const char* compute_5 = R"(
bitonic:step, n = 5, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys     in place  5 records of 1 x 1 words  buffer
  values   output    5 records of 1 x 1 words  buffer
  records  scratch   3 records of 2 x 2 words  buffer  two copies
ops
  op  kernel                      reads          writes                   belongs to       parameters
   0  load_record > bitonic_step  keys[0..4]     records[0..2]            stage 1, step 0  block=1 distance=0 last=2 count=5
   1  bitonic_step                records[0..2]  records[0..2]            stage 2, step 1  block=2 distance=1 last=1 count=5
   2  bitonic_step                records[0..2]  records[0..2]            stage 2, step 0  block=2 distance=0 last=1 count=5
   3  bitonic_step                records[0..2]  records[0..2]            stage 3, step 2  block=4 distance=2 last=0 count=5
   4  bitonic_step                records[0..2]  records[0..2]            stage 3, step 1  block=4 distance=1 last=0 count=5
   5  bitonic_step                records[0..2]  records[0..2]            stage 3, step 0  block=4 distance=0 last=0 count=5
   6  copy > store_record         records[0..2]  keys[0..4] values[0..4]
)";

constexpr const char* compute_16 = R"(
bitonic:step, n = 16, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys     in place  16 records of 1 x 1 words  buffer
  values   output    16 records of 1 x 1 words  buffer
  records  scratch   8 records of 2 x 2 words   buffer  two copies
ops
  op  kernel                      reads          writes                     belongs to       parameters
   0  load_record > bitonic_step  keys[0..15]    records[0..7]              stage 1, step 0  block=1 distance=0 last=7 count=16
   1  bitonic_step                records[0..7]  records[0..7]              stage 2, step 1  block=2 distance=1 last=3 count=16
   2  bitonic_step                records[0..7]  records[0..7]              stage 2, step 0  block=2 distance=0 last=3 count=16
   3  bitonic_step                records[0..7]  records[0..7]              stage 3, step 2  block=4 distance=2 last=1 count=16
   4  bitonic_step                records[0..7]  records[0..7]              stage 3, step 1  block=4 distance=1 last=1 count=16
   5  bitonic_step                records[0..7]  records[0..7]              stage 3, step 0  block=4 distance=0 last=1 count=16
   6  bitonic_step                records[0..7]  records[0..7]              stage 4, step 3  block=8 distance=4 last=0 count=16
   7  bitonic_step                records[0..7]  records[0..7]              stage 4, step 2  block=8 distance=2 last=0 count=16
   8  bitonic_step                records[0..7]  records[0..7]              stage 4, step 1  block=8 distance=1 last=0 count=16
   9  bitonic_step                records[0..7]  records[0..7]              stage 4, step 0  block=8 distance=0 last=0 count=16
  10  copy > store_record         records[0..7]  keys[0..15] values[0..15]
)";

}  // namespace

TEST_CASE("bitonic programs of the fragment backend, in words", "[plan]") {
    CHECK(text_of(Backend::fragment, 4) == fragment_4);
    CHECK(text_of(Backend::fragment, 5) == fragment_5);
    CHECK(text_of(Backend::fragment, 16) == fragment_16);
}

TEST_CASE("bitonic programs of the compute backend, in words", "[plan]") {
    CHECK(text_of(Backend::compute, 4) == compute_4);
    CHECK(text_of(Backend::compute, 5) == compute_5);
    CHECK(text_of(Backend::compute, 16) == compute_16);
}

TEST_CASE("bitonic programs of the cpu backend are those of compute", "[plan]") {
    const auto cpu = [](const char* text) { return replaced(text, "compute backend", "cpu backend"); };
    CHECK(text_of(Backend::cpu, 4) == cpu(compute_4));
    CHECK(text_of(Backend::cpu, 5) == cpu(compute_5));
    CHECK(text_of(Backend::cpu, 16) == cpu(compute_16));
}

TEST_CASE("values of the caller's are set aside and gathered by the last op", "[plan]") {
    PlanRequest request;
    request.spec.algorithm = "bitonic";
    request.n = 3;
    request.spec.backend = Backend::compute;
    request.spec.order.key = KeyType::f32;
    request.spec.order.direction = Direction::descending;
    request.spec.payload = Payload::bytes(4);
    CHECK("\n" + to_text(plan(request)) == R"(
bitonic:step, n = 3, f32 keys descending, payload 4, compute backend, row-wise layout
streams
  keys           in place  3 records of 1 x 1 words  buffer
  values         in place  3 records of 1 x 1 words  buffer
  values_staged  scratch   3 records of 1 x 1 words  buffer
  records        scratch   2 records of 2 x 2 words  buffer  two copies
ops
  op  kernel                      reads                              writes                   belongs to       parameters
   0  copy                        values[0..2]                       values_staged[0..2]
   1  load_record > bitonic_step  keys[0..2]                         records[0..1]            stage 1, step 0  block=1 distance=0 last=1 count=3
   2  bitonic_step                records[0..1]                      records[0..1]            stage 2, step 1  block=2 distance=1 last=0 count=3
   3  bitonic_step                records[0..1]                      records[0..1]            stage 2, step 0  block=2 distance=0 last=0 count=3
   4  copy > store_record         records[0..1] values_staged[0..2]  keys[0..2] values[0..2]
)");
    request.spec.backend = Backend::fragment;
    request.spec.input = request.spec.output = Medium::texture;
    request.spec.layout = Layout::z_order;
    CHECK("\n" + to_text(plan(request)) == R"(
bitonic:step, n = 3, f32 keys descending, payload 4, fragment backend, z-order layout
streams
  input    input    3 records of 1 x 2 words  texture
  output   output   3 records of 1 x 2 words  texture
  records  scratch  2 records of 2 x 2 words  texture  two copies
ops
  op  kernel                      reads                      writes         belongs to       parameters
   0  load_record > bitonic_step  input[0..2]                records[0..1]  stage 1, step 0  block=1 distance=0 last=1 count=3
   1  bitonic_step                records[0..1]              records[0..1]  stage 2, step 1  block=2 distance=1 last=0 count=3
   2  bitonic_step                records[0..1]              records[0..1]  stage 2, step 0  block=2 distance=0 last=0 count=3
   3  copy > store_record         records[0..1] input[0..2]  output[0..2]
)");
}

TEST_CASE("one key, or none, has a program too", "[plan]") {
    CHECK(text_of(Backend::compute, 1) == R"(
bitonic:step, n = 1, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys     in place  1 records of 1 x 1 words  buffer
  values   output    1 records of 1 x 1 words  buffer
  records  scratch   1 records of 2 x 2 words  buffer
ops
  op  kernel               reads          writes                   belongs to  parameters
   0  load_record > copy   keys[0..0]     records[0..0]                        count=1
   1  copy > store_record  records[0..0]  keys[0..0] values[0..0]
)");
    CHECK(text_of(Backend::fragment, 0) == R"(
bitonic:step, n = 0, u32 keys ascending, payload index, fragment backend, row-wise layout
streams
  keys           in place  0 records of 1 x 1 words  buffer
  values         output    0 records of 1 x 1 words  buffer
  keys_staged    scratch   0 records of 1 x 1 words  texture
  values_staged  scratch   0 records of 1 x 1 words  texture
  records        scratch   0 records of 2 x 2 words  texture
ops
  op  kernel  reads  writes  belongs to  parameters
)");
}

TEST_CASE("bitonic programs compare with i xor 2^step in blocks of 2^stage", "[plan]") {
    for (const std::uint32_t n : {2u, 3u, 64u, 1000u, 1025u, 0x80000001u, 0xffffffffu}) {
        CAPTURE(n);
        PlanRequest request;
        request.spec.algorithm = "bitonic";
        request.n = n;
        request.spec.backend = Backend::compute;
        const StreamProgram program = plan(request);
        std::size_t at = 0;
        for (int stage = 1; stage <= static_cast<int>(std::bit_width(n - 1)); ++stage)
            for (int step = stage - 1; step >= 0; --step) {
                const Op& op = program.ops.at(at++);
                CHECK(op.labels == Labels{.stage = stage, .step = step});
                // In records of two elements. With a distance of one element, both partners lie in one record.
                const std::uint64_t block = (std::uint64_t{1} << stage) / 2;
                const std::uint64_t distance = (std::uint64_t{1} << step) / 2;
                const std::uint64_t last = std::uint64_t{n - 1} >> stage;
                const std::vector<std::uint64_t> expected{block, distance, last, n};
                CHECK(std::vector<std::uint64_t>(op.parameters.begin(), op.parameters.end()) == expected);
                CHECK(op.domain == Substream::range(0, n / 2 + n % 2));
            }
        // The copy writes each element of a record separately.
        REQUIRE(at + 1 == program.ops.size());
        CHECK(program.ops[at].kernel->name == "copy");
        CHECK(program.ops[at].domain == Substream::range(0, n));
    }
}

TEST_CASE("what bitonic programs cost, in closed form", "[plan]") {
    for (const std::uint32_t n : {3u, 4u, 5u, 255u, 256u, 257u, 5000u, 1u << 20})
        for (const Layout layout : {Layout::row_wise, Layout::z_order}) {
            CAPTURE(n, to_string(layout));
            const auto cost_of = [&](Backend backend, Payload payload, Medium medium) {
                PlanRequest request;
                request.spec.algorithm = "bitonic";
                request.n = n;
                request.spec.backend = backend;
                request.spec.payload = payload;
                request.spec.layout = layout;
                request.spec.input = request.spec.output = medium;
                return cost(plan(request));
            };
            const std::uint64_t m = static_cast<std::uint64_t>(std::bit_width(n - 1));
            const std::uint64_t steps = m * (m + 1) / 2;
            const std::uint64_t N = n;
            // Steps read and write whole records of two elements. With an odd count the last record is padded.
            const std::uint64_t pairs = (N + 1) / 2;
            const std::uint64_t P = 2 * pairs;
            // Texels of the records, and of the rows that pixel unpack fills.
            const auto texels = [&](Layout kind, std::uint64_t count) {
                const Rectangle box = bounding_box(stream_layout(kind, n), static_cast<std::uint32_t>(count));
                return std::uint64_t{box.x1} * box.y1;
            };
            const std::uint64_t records = texels(layout, pairs);
            const std::uint64_t rows = texels(Layout::row_wise, N);

            for (const Backend backend : {Backend::compute, Backend::cpu}) {
                // The first step reads the keys, the others read the records. The copy separates the elements of a
                // record.
                Cost c = cost_of(backend, Payload::none(), Medium::buffer);
                CHECK(c.ops == steps + 1);
                CHECK(c.elements_read == N + P * (steps - 1) + N);
                CHECK(c.elements_written == P * steps + N);
                CHECK(c.bytes_read == 4 * c.elements_read);
                CHECK(c.bytes_written == 4 * c.elements_written);
                CHECK(c.scratch_bytes == 2 * 4 * P);
                // Pairs of code and index, between the keys and the keys and values.
                c = cost_of(backend, Payload::index(), Medium::buffer);
                CHECK(c.ops == steps + 1);
                CHECK(c.bytes_read == 4 * N + 8 * P * (steps - 1) + 8 * N);
                CHECK(c.bytes_written == 8 * P * steps + 8 * N);
                CHECK(c.scratch_bytes == 2 * 8 * P);
                // Also the values: a copy copies them, and the last op reads the copy.
                c = cost_of(backend, Payload::bytes(4), Medium::buffer);
                CHECK(c.ops == steps + 2);
                CHECK(c.bytes_read == 4 * N + 4 * N + 8 * P * (steps - 1) + 8 * N + 4 * N);
                CHECK(c.bytes_written == 4 * N + 8 * P * steps + 8 * N);
                CHECK(c.scratch_bytes == 2 * 8 * P + 4 * N);
            }
            // One more upload, and two downloads, of keys and of values.
            Cost c = cost_of(Backend::fragment, Payload::index(), Medium::buffer);
            CHECK(c.ops == steps + 4);
            CHECK(c.bytes_read == 4 * N + 4 * N + 8 * P * (steps - 1) + 8 * N + 8 * N);
            CHECK(c.bytes_written == 4 * N + 8 * P * steps + 8 * N + 8 * N);
            CHECK(c.scratch_bytes == 2 * 16 * records + 2 * 4 * rows);
            // The last op reads the caller's values while it writes values.
            c = cost_of(Backend::fragment, Payload::bytes(4), Medium::buffer);
            CHECK(c.scratch_bytes == 2 * 16 * records + 3 * 4 * rows);
            // From texture to texture, there is no such copy.
            c = cost_of(Backend::fragment, Payload::index(), Medium::texture);
            CHECK(c.ops == steps + 1);
            CHECK(c.bytes_read == 4 * N + 8 * P * (steps - 1) + 8 * N);
            CHECK(c.bytes_written == 8 * P * steps + 8 * N);
            CHECK(c.scratch_bytes == 2 * 16 * records);
        }
}
