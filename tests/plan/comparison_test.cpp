#include <glsort/error.h>
#include <glsort/plan/algorithm.h>
#include <glsort/planner.h>
#include <glsort/stream/program.h>
#include <glsort/stream/validate.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "plan/abisort/abisort_variants.h"
#include "support/comparisons.h"
#include "support/fewer_modes.h"
#include "support/random.h"

// Programs whose kernels look up keys. Comparisons of the caller look up keys, and abisort looks up low words of 64-bit
// keys.

using namespace glsort;
using namespace glsort::test;
using Catch::Contains;
using Catch::EndsWith;

namespace {

constexpr std::array three_backends{Backend::cpu, Backend::fragment, Backend::compute};
constexpr std::uint32_t sizes[] = {0, 1, 2, 3, 16, 17, 33, 257, 1000, 1024, 4097};

PlanRequest comparison_request(std::uint32_t n, std::uint32_t key_bytes, Backend backend) {
    PlanRequest request;
    request.spec.algorithm = "bitonic";
    request.n = n;
    request.spec.order.comparison = comparison_of(key_bytes);
    request.spec.backend = backend;
    return request;
}

// Visits every combination of media for keys of `key_bytes` bytes with a payload. With fewer modes, every third one.
template <class Visit>
void for_each_way(PlanRequest request, std::uint32_t key_bytes, Visit visit) {
    static std::uint64_t turn = run_seed();
    for (const auto& [input, output] :
         {std::pair{Medium::buffer, Medium::buffer}, std::pair{Medium::buffer, Medium::texture},
          std::pair{Medium::texture, Medium::texture}})
        for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)}) {
            if (output == Medium::texture && (payload.size > 4 || key_bytes + payload.size > 16)) continue;
            request.spec.input = input;
            request.spec.output = output;
            request.spec.payload = payload;
            if (!fewer_modes || turn++ % 3 == 0) visit(request);
        }
}

}  // namespace

TEST_CASE("a comparison's programs are valid for any n, backend, keys and payload", "[plan]") {
    std::vector<std::string> algorithms;
    for (const AlgorithmDescriptor* algorithm : algorithm_descriptors())
        for (const VariantDescriptor& variant : algorithm->variants)
            if (variant.takes.comparison) algorithms.push_back(ChosenVariant{algorithm, &variant}.name());
    for (const std::string& algorithm : algorithms)
        for (const Backend backend : three_backends)
            for (const std::uint32_t key_bytes : comparison_key_bytes)
                for (const std::uint32_t n : sizes) {
                    if (backend == Backend::fragment && !choose_algorithm(algorithm).portable) continue;
                    PlanRequest any = comparison_request(n, key_bytes, backend);
                    any.spec.algorithm = algorithm;
                    // The fewest attachments of a context.
                    any.limits.attachments = 4;
                    any.limits.storage_blocks = algorithm.starts_with("sample") ? 5 : 4;
                    for_each_way(any, key_bytes, [&](const PlanRequest& request) {
                        CAPTURE(algorithm, to_string(backend), key_bytes, n, to_string(request.spec.payload),
                                to_string(request.spec.input), to_string(request.spec.output));
                        const StreamProgram program = plan(request);
                        CHECK_NOTHROW(validate(program, request.limits));
                        // Records are indices.
                        if (n > 0) CHECK(program.streams[program.stream("records")].words == 1);
                    });
                }
}

TEST_CASE("abisort's programs for 64-bit keys are valid for any n, backend and payload", "[plan]") {
    for (const std::string& algorithm : abisort_variants())
        for (const Backend backend : three_backends)
            for (const std::uint32_t n : sizes) {
                if (n > 300 && algorithm == "abisort:appendix-a") continue;
                PlanRequest of_long_keys;
                of_long_keys.spec.algorithm = algorithm;
                of_long_keys.n = n;
                of_long_keys.spec.order.key = KeyType::f64;
                of_long_keys.spec.backend = backend;
                // The default variant takes no more blocks than OpenGL ES guarantees.
                of_long_keys.limits.storage_blocks = algorithm == "abisort:fused" ? 4 : 5;
                for_each_way(of_long_keys, 8, [&](const PlanRequest& request) {
                    CAPTURE(algorithm, to_string(backend), n, to_string(request.spec.payload),
                            to_string(request.spec.input), to_string(request.spec.output));
                    CHECK_NOTHROW(validate(plan(request), request.limits));
                });
            }
}

TEST_CASE("a comparison stands in the head of its program, and in its JSON", "[plan]") {
    PlanRequest request = comparison_request(3, 8, Backend::compute);
    request.spec.order.direction = Direction::descending;
    CHECK("\n" + to_text(plan(request)) == R"(
bitonic:step, n = 3, depth, then material (8 bytes) keys descending, payload index, compute backend, row-wise layout
streams
  keys         in place  3 records of 1 x 2 words  buffer
  values       output    3 records of 1 x 1 words  buffer
  keys_staged  scratch   3 records of 1 x 2 words  buffer
  records      scratch   2 records of 2 x 1 words  buffer  two copies
ops
  op  kernel                      reads                            writes                   belongs to       parameters
   0  copy                        keys[0..2]                       keys_staged[0..2]
   1  load_record > bitonic_step  keys_staged[0..2]                records[0..1]            stage 1, step 0  block=1 distance=0 last=1 count=3
   2  bitonic_step                records[0..1] keys_staged[0..2]  records[0..1]            stage 2, step 1  block=2 distance=1 last=0 count=3
   3  bitonic_step                records[0..1] keys_staged[0..2]  records[0..1]            stage 2, step 0  block=2 distance=0 last=0 count=3
   4  copy > store_record         records[0..1] keys_staged[0..2]  keys[0..2] values[0..2]
)");
    CHECK_THAT(to_json(plan(request)), Contains("\"key\": \"depth, then material (8 bytes)\""));
}

TEST_CASE("keys of 12 bytes come into textures word by word", "[plan]") {
    PlanRequest request = comparison_request(3, 12, Backend::fragment);
    request.spec.payload = Payload::none();
    CHECK("\n" + to_text(plan(request)) == R"(
bitonic:step, n = 3, third word, then second downwards (12 bytes) keys ascending, payload none, fragment backend, row-wise layout
streams
  keys               in place  3 records of 1 x 3 words  buffer
  keys_staged_words  scratch   9 records of 1 x 1 words  texture
  keys_staged        scratch   3 records of 1 x 3 words  texture
  records            scratch   2 records of 2 x 1 words  texture  two copies
ops
  op  kernel                      reads                            writes                   belongs to       parameters
   0  upload                      keys[0..2]                       keys_staged_words[0..8]
   1  join_words                  keys_staged_words[0..8]          keys_staged[0..2]
   2  load_record > bitonic_step  keys_staged[0..2]                records[0..1]            stage 1, step 0  block=1 distance=0 last=1 count=3
   3  bitonic_step                records[0..1] keys_staged[0..2]  records[0..1]            stage 2, step 1  block=2 distance=1 last=0 count=3
   4  bitonic_step                records[0..1] keys_staged[0..2]  records[0..1]            stage 2, step 0  block=2 distance=0 last=0 count=3
   5  copy > store_record         records[0..1] keys_staged[0..2]  keys[0..2]
)");
    // The first count whose words exceed 32-bit numbers.
    request.n = 0xffffffffu / 3 + 1;
    CHECK_THROWS_WITH(plan(request), Contains("1431655766 keys of 12 bytes"));
}

TEST_CASE("comparisons that no program can take are refused", "[plan]") {
    const auto message_of = [](const PlanRequest& request) -> std::string {
        try {
            plan(request);
        } catch (const Error& error) {
            return error.what();
        }
        return "(nothing thrown)";
    };
    PlanRequest request = comparison_request(10, 8, Backend::fragment);
    CHECK(message_of(request) == "(nothing thrown)");
    for (const std::string& algorithm : abisort_variants()) {
        request.spec.algorithm = algorithm;
        CHECK_THAT(
            message_of(request),
            Contains("plan: " + algorithm + " takes no comparison; merge, sample, bitonic, ") && EndsWith(" do"));
    }
    request = comparison_request(10, 8, Backend::fragment);
    for (const std::uint32_t bytes : {0u, 3u, 5u, 20u, 64u}) {
        request.spec.order.comparison->key_bytes = bytes;
        CHECK(message_of(request) == "plan: comparison depth, then material has keys of " + std::to_string(bytes) +
                                         " bytes; they must have 4, 8, 12 or 16");
    }
    for (const Backend backend : {Backend::fragment, Backend::compute}) {
        request = comparison_request(10, 4, backend);
        request.spec.order.comparison->host = nullptr;
        CHECK(message_of(request) == "(nothing thrown)");
        request.spec.order.comparison->glsl.clear();
        CHECK(message_of(request) == "plan: comparison by low bits has no GLSL, which the " +
                                         std::string(to_string(backend)) + " backend needs");
    }
    request = comparison_request(10, 4, Backend::cpu);
    request.spec.order.comparison->glsl.clear();
    CHECK(message_of(request) == "(nothing thrown)");
    request.spec.order.comparison->host = nullptr;
    CHECK(message_of(request) == "plan: comparison by low bits has no host function, which the cpu backend needs");
    request = comparison_request(10, 4, Backend::fragment);
    request.spec.algorithm = "merge";
    request.spec.order.bits = {0, 8};
    CHECK(message_of(request) == "plan: bits 0 to 8 with comparison by low bits; a comparison takes whole keys");
    request = comparison_request(10, 16, Backend::fragment);
    request.spec.input = request.spec.output = Medium::texture;
    for (const Payload payload : {Payload::index(), Payload::bytes(4)}) {
        request.spec.payload = payload;
        CHECK_THAT(message_of(request), Contains("at most 12 bytes beside a payload"));
    }
    request.spec.payload = Payload::none();
    CHECK(message_of(request) == "(nothing thrown)");
}
