#include <glsort/error.h>
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

#include "stream/toy_program.h"

using namespace glsort;
using namespace glsort::test;
using Catch::Contains;

namespace {

const std::vector<Payload> payloads = {Payload::none(), Payload::index(), Payload::bytes(4)};

struct Way {
    Medium in, out;
};
const std::vector<Way> ways = {
    {Medium::buffer, Medium::buffer}, {Medium::buffer, Medium::texture}, {Medium::texture, Medium::texture}};

// Every combination of backend, media, payload and layout.
template <class Visit>
void for_each_request(std::uint32_t n, Visit visit) {
    for (const Backend backend : every_backend)
        for (const Way& way : ways)
            for (const Payload& payload : payloads) {
                PlanRequest request;
                request.spec.algorithm = "bitonic";
                request.n = n;
                request.spec.backend = backend;
                request.spec.input = way.in;
                request.spec.output = way.out;
                request.spec.payload = payload;
                request.spec.layout = n % 2 == 0 ? Layout::row_wise : Layout::z_order;
                visit(request);
            }
}

// The steps of the network, m(m+1)/2 with m = ceil(log2 n).
std::size_t expected_steps(std::uint32_t n) {
    if (n == 0) return 0;
    const auto m = static_cast<std::size_t>(std::bit_width(n - 1));
    return m * (m + 1) / 2;
}

// plan/networks/bitonic.cpp and plan/sort_frame.h. The ops are the steps of the network, and a copy that separates the
// elements of records. On other backends than fragment, or with large values, there are at least two ops. On the
// fragment backend with buffers, there is an upload and a download each of keys and of values. On other backends, a
// copy of the values precedes a sort that overwrites them.
std::size_t expected_ops(const PlanRequest& request) {
    if (request.n == 0) return 0;
    const bool one_will_do = request.spec.backend == Backend::fragment && request.spec.payload.size <= 4;
    std::size_t ops = std::max<std::size_t>(expected_steps(request.n) + 1, one_will_do ? 1 : 2);
    const bool from_buffer = request.spec.input == Medium::buffer;
    const bool to_buffer = request.spec.output == Medium::buffer;
    const bool values = request.spec.payload.kind == Payload::Kind::bytes;
    if (request.spec.backend == Backend::fragment) {
        if (from_buffer) ops += values ? 2 : 1;
        if (to_buffer) ops += request.spec.payload.size > 0 ? 2 : 1;
    } else if (from_buffer && to_buffer && values) {
        ops += 1;
    }
    return ops;
}

std::string name_of(const PlanRequest& request) {
    std::string text = "n " + std::to_string(request.n);
    for (const std::string_view word :
         {to_string(request.spec.backend), to_string(request.spec.input), to_string(request.spec.output),
          to_string(request.spec.layout.value_or(Layout::row_wise))})
        text += ", " + std::string(word);
    return text + ", payload " + to_string(request.spec.payload);
}

void check(const PlanRequest& request) {
    INFO(name_of(request));
    const StreamProgram program = plan(request);
    // `validate` throws for an invalid program. The limits are those of `glsort plan`.
    Limits limits;
    limits.storage_bytes = std::uint64_t{1} << 36;
    validate(program, limits);
    if (program.ops.size() != expected_ops(request)) FAIL(program.ops.size() << " ops, not " << expected_ops(request));
    if (program.n != request.n || program.backend != request.spec.backend || program.payload != request.spec.payload ||
        program.layout.kind != request.spec.layout || program.algorithm != "bitonic" || program.variant != "step")
        FAIL("the head is another one's");
    std::size_t steps = 0;
    for (const Op& op : program.ops)
        if (op.kernel->name == "bitonic_step") ++steps;
    if (steps != expected_steps(request.n)) FAIL(steps << " steps, not " << expected_steps(request.n));
    // Two neighbours share a record. The caller's elements have a record each.
    for (const Stream& stream : program.streams) {
        const std::uint32_t elements = stream.name == "records" ? 2 : 1;
        if (stream.elements_per_record != elements || stream.records != (request.n + elements - 1) / elements)
            FAIL(stream.name << " of " << stream.records << " x " << stream.elements_per_record);
    }
}

}  // namespace

TEST_CASE("bitonic programs have m(m+1)/2 ops and what they need around them", "[plan]") {
    for (std::uint32_t n = 0; n <= 70; ++n)
        for_each_request(n, check);
    for (std::uint32_t bits = 7; bits <= 24; ++bits)
        for_each_request(1u << bits, check);
    SUCCEED();
}

TEST_CASE("bitonic programs have m(m+1)/2 ops, n to 300", "[plan][slow]") {
    for (std::uint32_t n = 71; n <= 300; ++n)
        for_each_request(n, check);
    SUCCEED();
}

TEST_CASE("the largest counts have programs too", "[plan]") {
    for (const std::uint32_t n : {0x7fffffffu, 0x80000000u, 0x80000001u, 0xffffffffu}) {
        PlanRequest request;
        request.spec.algorithm = "bitonic";
        request.n = n;
        request.spec.backend = Backend::cpu;
        const StreamProgram program = plan(request);
        validate(program, {});
        CHECK(program.ops.size() == (n <= 0x80000000u ? 31u * 32 / 2 : 32u * 33 / 2) + 1);
        CHECK(program.ops.front().domain.size() == n / 2 + n % 2);
        CHECK(program.ops.back().domain.size() == n);
    }
}

TEST_CASE("what a program is made for stands in its head", "[plan]") {
    PlanRequest request;
    request.n = 5;
    request.spec.capacity = 1000;
    request.spec.order.key = KeyType::f32;
    request.spec.order.direction = Direction::descending;
    request.spec.layout = Layout::z_order;
    const StreamProgram program = plan(request);
    CHECK(program.key == KeyType::f32);
    CHECK(program.direction == Direction::descending);
    CHECK(program.backend == Backend::fragment);  // The choice of automatic.
    // The layout is that of the largest count.
    CHECK(program.layout == stream_layout(Layout::z_order, 1000));
    request.spec.layout = Layout::row_wise;
    request.n = 1000;
    const StreamLayout full = plan(request).layout;
    request.n = 1;
    CHECK(plan(request).layout == full);
    request.spec.capacity = 0;
    CHECK(plan(request).layout == stream_layout(Layout::row_wise, 1));
}

TEST_CASE("streams of the library are textures on the fragment backend, buffers elsewhere", "[plan]") {
    for_each_request(20, [](const PlanRequest& request) {
        const StreamProgram program = plan(request);
        const Medium own = request.spec.backend == Backend::fragment ? Medium::texture : Medium::buffer;
        for (const Stream& stream : program.streams) {
            CAPTURE(name_of(request), stream.name);
            if (stream.role == StreamRole::scratch) CHECK(stream.medium == own);
            if (stream.role == StreamRole::input) CHECK(stream.medium == request.spec.input);
            if (stream.role == StreamRole::output) CHECK(stream.medium == request.spec.output);
        }
    });
}

TEST_CASE("only keys and values in buffers are sorted in place", "[plan]") {
    PlanRequest request;
    request.n = 9;
    request.spec.payload = Payload::bytes(4);
    StreamProgram program = plan(request);
    CHECK(program.streams[program.stream("keys")].role == StreamRole::in_place);
    CHECK(program.streams[program.stream("values")].role == StreamRole::in_place);
    request.spec.payload = Payload::index();
    program = plan(request);
    CHECK(program.streams[program.stream("values")].role == StreamRole::output);
    request.spec.payload = Payload::none();
    CHECK_THROWS_AS(plan(request).stream("values"), Error);
    request.spec.output = Medium::texture;
    program = plan(request);
    CHECK(program.streams[program.stream("keys")].role == StreamRole::input);
    CHECK(program.streams[program.stream("output")].role == StreamRole::output);
    request.spec.input = Medium::texture;
    program = plan(request);
    CHECK(program.streams[program.stream("input")].role == StreamRole::input);
}

TEST_CASE("algorithms are chosen by name", "[plan]") {
    REQUIRE_FALSE(algorithms().empty());
    for (const Algorithm& algorithm : algorithms()) {
        REQUIRE_FALSE(algorithm.variants.empty());
        const AlgorithmChoice first = choose_algorithm(algorithm.name);
        CHECK(first.name == algorithm.name);
        CHECK(first.variant == algorithm.variants.front().name);
        for (const Algorithm::Variant& variant : algorithm.variants) {
            CHECK_FALSE(variant.summary.empty());
            const AlgorithmChoice choice = choose_algorithm(algorithm.name + ":" + variant.name);
            CHECK(choice.name == algorithm.name);
            CHECK(choice.variant == variant.name);
            CHECK(choice.portable == variant.takes.fragment);
        }
    }
    CHECK(choose_algorithm("bitonic:step").variant == "step");
    CHECK(choose_algorithm("automatic").portable);
}

TEST_CASE("unknown algorithms and variants are refused with those there are", "[plan]") {
    for (const char* text : {"quicksort", "", ":", ":step", "bitonic:", "bitonic:steps", "bitonic:step:more", "Bitonic",
                             "automatic:step"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(choose_algorithm(text), Error);
        CHECK_THROWS_WITH(choose_algorithm(text),
                          Contains("'" + std::string(text) + "'") && Contains("bitonic:step") && Contains("automatic"));
        PlanRequest request;
        request.spec.algorithm = text;
        CHECK_THROWS_AS(plan(request), Error);
    }
}

TEST_CASE("what no program can do is refused", "[plan]") {
    PlanRequest request;
    request.n = 10;
    const auto with = [&](auto change) {
        PlanRequest changed = request;
        change(changed);
        return changed;
    };
    CHECK_NOTHROW(plan(request));
    for (const KeyType key : {KeyType::u64, KeyType::i64, KeyType::f64})
        CHECK_NOTHROW(plan(with([&](PlanRequest& r) { r.spec.order.key = key; })));
    for (const std::uint32_t size : {0u, 3u, 10u})
        CHECK_THROWS_WITH(plan(with([&](PlanRequest& r) { r.spec.payload = Payload::bytes(size); })),
                          Contains("payload") && Contains(std::to_string(size) + " bytes"));
    CHECK_THROWS_WITH(plan(with([](PlanRequest& r) {
                          r.spec.payload = Payload::bytes(64);
                          r.spec.capacity = 1u << 30;
                      })),
                      Contains("64 bytes for 1073741824 elements"));
    CHECK_THROWS_WITH(plan(with([](PlanRequest& r) {
                          r.spec.payload = Payload::bytes(8);
                          r.spec.output = Medium::texture;
                      })),
                      Contains("8 bytes is not supported in textures"));
    CHECK_THROWS_WITH(plan(with([](PlanRequest& r) { r.spec.capacity = 9; })), Contains("n 10 exceeds the capacity 9"));
    CHECK_NOTHROW(plan(with([](PlanRequest& r) { r.spec.capacity = 10; })));
    CHECK_THROWS_WITH(plan(with([](PlanRequest& r) { r.spec.input = Medium::texture; })),
                      Contains("from a texture to buffers"));
    CHECK_THROWS_AS(plan(with([](PlanRequest& r) { r.spec.input = Medium::texture; })), Error);
}

TEST_CASE("keys of 64 bits and values of any size: valid programs for any n", "[plan]") {
    for (const char* algorithm : {"merge", "bitonic"})
        for (const std::uint32_t attachments : {8u, 4u, 2u, 1u})
            for (const Backend backend : every_backend)
                for (const Payload& payload :
                     {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(8), Payload::bytes(12),
                      Payload::bytes(16), Payload::bytes(20), Payload::bytes(64)})
                    for (const std::uint32_t n : {0u, 1u, 2u, 3u, 16u, 33u, 257u, 1000u, 4097u}) {
                        PlanRequest request;
                        request.spec.algorithm = algorithm;
                        request.limits.attachments = attachments;
                        request.spec.backend = backend;
                        request.spec.order.key = n % 2 == 0 ? KeyType::f64 : KeyType::u32;
                        request.spec.payload = payload;
                        request.n = n;
                        const bool textures = payload.size <= 4 && n % 3 == 0;
                        if (textures) request.spec.input = request.spec.output = Medium::texture;
                        CAPTURE(algorithm, attachments, name_of(request));
                        const StreamProgram program = plan(request);
                        // Two elements of three words do not fit one texel. No OpenGL has so few attachments.
                        if (algorithm == std::string("bitonic") && attachments == 1 && n > 1 && n % 2 == 0 &&
                            payload.size > 0 && backend == Backend::fragment) {
                            CHECK_THROWS_WITH(validate(program, request.limits),
                                              Contains("2 attachments; the limit is 1"));
                            continue;
                        }
                        CHECK_NOTHROW(validate(program, request.limits));
                        const std::uint32_t key_words = n % 2 == 0 ? 2 : 1;
                        if (textures) {
                            const bool moves = payload.kind == Payload::Kind::bytes;
                            CHECK(program.streams[program.stream("input")].words == key_words + moves);
                            CHECK(program.streams[program.stream("output")].words == key_words + payload.size / 4);
                            continue;
                        }
                        CHECK(program.streams[program.stream("keys")].words == key_words);
                        CHECK(program.streams[program.stream("keys")].bytes() == 4u * key_words * n);
                        if (payload.size == 0) continue;
                        const Stream& values = program.streams[program.stream("values")];
                        CHECK(values.bytes() == payload.size * n);
                        // One more op moves values that are not words.
                        const auto moves_values = [](const Op& op) { return op.kernel->name == "gather_values"; };
                        CHECK(std::ranges::any_of(program.ops, moves_values) == (payload.size > 4 && n > 0));
                    }
}

TEST_CASE("values of several words are gathered after the keys, in words", "[plan]") {
    PlanRequest request;
    request.spec.algorithm = "bitonic";
    request.n = 3;
    request.spec.order.key = KeyType::f64;
    request.spec.payload = Payload::bytes(12);  // Three times one word.
    CHECK("\n" + to_text(plan(request)) == R"(
bitonic:step, n = 3, f64 keys ascending, payload 12, fragment backend, row-wise layout
streams
  keys           in place  3 records of 1 x 2 words  buffer
  values         in place  9 records of 1 x 1 words  buffer
  keys_staged    scratch   3 records of 1 x 2 words  texture
  values_staged  scratch   9 records of 1 x 1 words  texture  two copies
  records        scratch   2 records of 2 x 3 words  texture  two copies
ops
  op  kernel                      reads                              writes               belongs to       parameters
   0  upload                      keys[0..2]                         keys_staged[0..2]
   1  upload                      values[0..8]                       values_staged[0..8]
   2  load_record > bitonic_step  keys_staged[0..2]                  records[0..1]        stage 1, step 0  block=1 distance=0 last=1 count=3
   3  bitonic_step                records[0..1]                      records[0..1]        stage 2, step 1  block=2 distance=1 last=0 count=3
   4  bitonic_step                records[0..1]                      records[0..1]        stage 2, step 0  block=2 distance=0 last=0 count=3
   5  copy > store_record         records[0..1]                      keys_staged[0..2]
   6  gather_values               records[0..1] values_staged[0..8]  values_staged[0..8]
   7  download                    keys_staged[0..2]                  keys[0..2]
   8  download                    values_staged[0..8]                values[0..8]
)");
    request.spec.backend = Backend::compute;
    request.spec.payload = Payload::bytes(64);  // Four times four words.
    CHECK("\n" + to_text(plan(request)) == R"(
bitonic:step, n = 3, f64 keys ascending, payload 64, compute backend, row-wise layout
streams
  keys           in place  3 records of 1 x 2 words   buffer
  values         in place  12 records of 1 x 4 words  buffer
  values_staged  scratch   12 records of 1 x 4 words  buffer
  records        scratch   2 records of 2 x 3 words   buffer  two copies
ops
  op  kernel                      reads                               writes                belongs to       parameters
   0  copy                        values[0..11]                       values_staged[0..11]
   1  load_record > bitonic_step  keys[0..2]                          records[0..1]         stage 1, step 0  block=1 distance=0 last=1 count=3
   2  bitonic_step                records[0..1]                       records[0..1]         stage 2, step 1  block=2 distance=1 last=0 count=3
   3  bitonic_step                records[0..1]                       records[0..1]         stage 2, step 0  block=2 distance=0 last=0 count=3
   4  copy > store_record         records[0..1]                       keys[0..2]
   5  gather_values               records[0..1] values_staged[0..11]  values[0..11]
)");
}

TEST_CASE("keys of 64 bits with values in textures take three words of four", "[plan]") {
    PlanRequest request;
    request.spec.algorithm = "bitonic";
    request.n = 3;
    request.spec.order.key = KeyType::u64;
    request.spec.payload = Payload::bytes(4);
    request.spec.input = request.spec.output = Medium::texture;
    const StreamProgram program = plan(request);
    for (const char* name : {"input", "output", "records"}) {
        CAPTURE(name);
        CHECK(program.streams[program.stream(name)].words == 3);
    }
    CHECK(program.streams[program.stream("input")].texel_words() == 4);
    // Two records of two elements, a texel each, in two copies.
    CHECK(cost(program).scratch_bytes == 2 * 16 * 4);
}

TEST_CASE("what 64-bit keys and values cost is said beforehand", "[plan]") {
    constexpr std::uint64_t n = 1u << 16;
    const auto cost_of = [](Backend backend, KeyType key, const Payload& payload) {
        PlanRequest request;
        request.spec.algorithm = "merge";
        request.n = n;
        request.spec.backend = backend;
        request.spec.order.key = key;
        request.spec.payload = payload;
        return cost(plan(request));
    };
    // Two copies of the records, and less than a tenth more. In textures, keys lie beside their records.
    const auto check = [](std::uint64_t bytes, std::uint64_t expected) {
        CHECK(bytes >= expected);
        CHECK(10 * bytes <= 11 * expected);
    };
    check(cost_of(Backend::compute, KeyType::u64, Payload::none()).scratch_bytes, 2 * 8 * n);
    check(cost_of(Backend::compute, KeyType::u64, Payload::index()).scratch_bytes, 2 * 12 * n);
    check(cost_of(Backend::fragment, KeyType::u64, Payload::none()).scratch_bytes, (2 * 8 + 8) * n);
    check(cost_of(Backend::fragment, KeyType::u64, Payload::index()).scratch_bytes, (2 * 16 + 12) * n);

    // Values move twice: to a copy, and to their places. The last merge writes records instead of keys and indices,
    // because the records lead to the values. A copy makes keys of the records.
    for (const std::uint32_t size : {8u, 12u, 20u, 64u}) {
        CAPTURE(size);
        const Cost index = cost_of(Backend::compute, KeyType::f64, Payload::index());
        const Cost values = cost_of(Backend::compute, KeyType::f64, Payload::bytes(size));
        CHECK(values.scratch_bytes == index.scratch_bytes + size * n);
        CHECK(values.bytes_written == index.bytes_written + (2 * size + 8) * n);
        CHECK(values.bytes_read == index.bytes_read + (2 * size + 24) * n);
        CHECK(values.ops == index.ops + 3);
    }
}

TEST_CASE("a range of all bits is no smaller range", "[plan]") {
    for (const KeyType key : {KeyType::u32, KeyType::f64})
        for (const char* algorithm : {"abisort", "bitonic"}) {
            PlanRequest request;
            request.spec.algorithm = algorithm;
            request.spec.backend = Backend::fragment;
            request.spec.order.key = key;
            request.n = 100;
            request.spec.order.bits = {0, 8 * key_bytes(key)};
            CHECK_NOTHROW(plan(request));
            request.spec.order.bits.first = 1;
            CHECK_THROWS_AS(plan(request), Error);
        }
}

TEST_CASE("bits to compare share a word with the index if both fit", "[plan]") {
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.backend = Backend::fragment;
    request.spec.capacity = 1024;
    request.n = 1000;
    const auto words = [&request](KeyType key, BitRange bits) {
        request.spec.order.key = key;
        request.spec.order.bits = bits;
        return plan(request).streams[plan(request).stream("records")].words;
    };
    CHECK(words(KeyType::u32, {0, 22}) == 1);
    CHECK(words(KeyType::f32, {10, 32}) == 1);
    CHECK(words(KeyType::u32, {0, 23}) == 2);
    CHECK(words(KeyType::u64, {0, 22}) == 3);
    request.spec.capacity = 1025;
    CHECK(words(KeyType::u32, {0, 22}) == 2);
    CHECK(words(KeyType::u32, {0, 21}) == 1);
}

TEST_CASE("groups without invocations are refused", "[plan]") {
    PlanRequest request;
    request.spec.algorithm = "radix:one-sweep";
    request.spec.backend = Backend::compute;
    request.n = 100;
    request.limits.invocations = 0;
    CHECK_THROWS_WITH(plan(request), Contains("radix:one-sweep") && Contains("(invocations)"));
}
