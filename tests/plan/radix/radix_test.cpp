#include <glsort/planner.h>
#include <glsort/stream/program.h>
#include <glsort/stream/schedule.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plan/ops_of.h"

using namespace glsort;
using Catch::Matchers::Contains;
using glsort::test::ops_of;

namespace {

PlanRequest radix_request(std::uint32_t n, const char* variant = "radix:reduce-then-scan") {
    PlanRequest request;
    request.spec.algorithm = variant;
    request.spec.backend = Backend::compute;
    request.n = n;
    return request;
}

/// A number that a kernel's shader gets by its name, or else 0.
std::uint32_t number_in(const Kernel& kernel, const char* name) {
    for (const auto& [define, value] : kernel.defines)
        if (define == name) return static_cast<std::uint32_t>(std::stoul(value));
    return 0;
}

PlanRequest sweep_request(std::uint32_t n) {
    PlanRequest request = radix_request(n, "radix:one-sweep");
    request.limits.subgroup_size = 32;
    return request;
}

}  // namespace

TEST_CASE("radix: the program for ten bits of 5000 pairs", "[plan]") {
    PlanRequest request = radix_request(5000);
    request.spec.order.bits = {4, 14};
    CHECK("\n" + to_text(plan(request)) == R"(
radix:reduce-then-scan, n = 5000, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys     in place  5000 records of 1 x 1 words  buffer
  values   output    5000 records of 1 x 1 words  buffer
  records  scratch   5000 records of 1 x 2 words  buffer
  counts   scratch   768 records of 1 x 1 words   buffer
  offsets  scratch   768 records of 1 x 1 words   buffer
ops
  op  kernel                        reads                             writes                         belongs to  parameters
   0  load_record > radix_count     keys[0..4999]                     counts[0..767]                 stage 0     count=5000 shift=4 bits=8 parts=3 length=2048
   1  radix_scan                    counts[0..767]                    offsets[0..767]                stage 0     elements=768
   2  load_record > radix_scatter   offsets[0..767] keys[0..4999]     records[0..4999]               stage 0     count=5000 shift=4 bits=8 parts=3 length=2048
   3  radix_count                   records[0..4999]                  counts[0..767]                 stage 1     count=5000 shift=12 bits=2 parts=3 length=2048
   4  radix_scan                    counts[0..767]                    offsets[0..767]                stage 1     elements=768
   5  radix_scatter > store_record  records[0..4999] offsets[0..767]  keys[0..4999] values[0..4999]  stage 1     count=5000 shift=12 bits=2 parts=3 length=2048
)");
}

TEST_CASE("radix: three ops a digit, one for a tile, none for nothing", "[plan]") {
    CHECK(plan(radix_request(0)).ops.empty());
    CHECK(plan(radix_request(1)).ops.size() == 1);
    for (const auto& [digit_bits, passes] : {std::pair{1u, 32u}, {3u, 11u}, {4u, 8u}, {8u, 4u}, {11u, 3u}}) {
        CAPTURE(digit_bits);
        PlanRequest request = radix_request(100000);
        request.spec.tuning.radix.digit_bits = digit_bits;
        const StreamProgram program = plan(request);
        CHECK(program.ops.size() == 3 * passes);
        CHECK(ops_of(program, "radix_scatter") == passes);
        CHECK_NOTHROW(validate(program, request.limits));
    }
}

TEST_CASE("radix: one sweep a digit", "[plan]") {
    for (const std::uint32_t subgroup : {4u, 8u, 16u, 32u, 64u})
        for (const KeyType key : {KeyType::u32, KeyType::u64})
            for (const std::uint32_t n : {1u, 1000u, 10000u, 1u << 18, 1u << 20, 1u << 22}) {
                PlanRequest request = sweep_request(n);
                request.limits.subgroup_size = subgroup;
                request.spec.order.key = key;
                CAPTURE(subgroup, n);
                CHECK_NOTHROW(validate(plan(request), request.limits));
            }
    const StreamProgram program = plan(sweep_request(1u << 22));
    CHECK(ops_of(program, "radix_sweep") == 4);
    CHECK(program.ops.size() == 5);
    // Keys are read to be counted. Then keys and values are read and written four times, the first and the last time in
    // the caller's form. The words of `status` are added.
    const double bytes = static_cast<double>(cost(program).bytes_read + cost(program).bytes_written);
    CHECK(bytes / (1u << 22) == Approx(4 + 4 + 8 * 7).epsilon(0.1));
}

TEST_CASE("radix: the first sweep of keys alone keeps no order of equal digits", "[plan]") {
    const auto ordered = [](const PlanRequest& request) {
        std::vector<bool> sweeps;
        for (const Op& op : plan(request).ops) {
            if (op.kernel->name != "radix_sweep") continue;
            sweeps.push_back(number_in(*op.kernel, "GLSORT_ANY_ORDER") == 0);
            CHECK(op.kernel->shape.digit.value().leaves_order_open == !sweeps.front());
            // Later sweeps know that elements came in any order.
            CHECK((number_in(*op.kernel, "GLSORT_ANY_BEFORE") != 0) == (sweeps.back() && !sweeps.front()));
        }
        return sweeps;
    };
    PlanRequest request = sweep_request(1u << 22);
    CHECK(ordered(request) == std::vector<bool>(4, true));
    request.spec.payload = Payload::none();
    CHECK(ordered(request) == std::vector<bool>{false, true, true, true});
    request.spec.order.key = KeyType::f64;
    CHECK(ordered(request) == std::vector<bool>{false, true, true, true, true, true, true, true});
    // Keys that agree in some bits may differ in others.
    request.spec.order.bits = {8, 64};
    CHECK(ordered(request) == std::vector<bool>(7, true));
    request.spec.order.bits = {0, 56};
    CHECK(ordered(request) == std::vector<bool>(7, true));
}

TEST_CASE("radix: sorted input reaches many banks of shared memory", "[plan]") {
    struct Case {
        std::uint32_t n;
        Payload payload;
    };
    for (const auto& [n, payload] : {Case{1u << 21, Payload::none()}, Case{1u << 22, Payload::none()},
                                     Case{1u << 24, Payload::none()}, Case{1u << 24, Payload::bytes(4)}}) {
        PlanRequest request = sweep_request(n);
        request.spec.payload = payload;
        const StreamProgram program = plan(request);
        const Kernel& sweep = *program.ops.back().kernel;
        REQUIRE(sweep.name == "radix_sweep");
        const std::uint32_t row = number_in(sweep, "GLSORT_BANK_ROW");
        const std::uint32_t words = sweep.inputs.front().words;
        const std::uint32_t part = number_in(sweep, "GLSORT_TILE") / number_in(sweep, "GLSORT_PARTS");
        const auto slot_of = [row](std::uint32_t place) { return row == 0 ? place : place + (place >> row); };
        CAPTURE(n, words, part, row);
        // Neighbours have neighbouring digits, which are equally frequent.
        const std::uint32_t distance = number_in(sweep, "GLSORT_TILE") / number_in(sweep, "GLSORT_DIGITS");
        std::map<std::uint32_t, int> invocations_of_bank;
        for (std::uint32_t i = 0; i < 32; ++i)
            ++invocations_of_bank[slot_of(i * distance) * words % 32];
        // Four meet in tiles of 11264 keys. Without unused slots, 32 would meet in the other tiles.
        for (const auto& [bank, invocations] : invocations_of_bank)
            CHECK(invocations <= 4);
        // The last element of a part has room.
        CHECK((slot_of(part - 1) + 1) * words <= number_in(sweep, "GLSORT_MEMORY"));
    }
}

TEST_CASE("radix: any shared memory, subgroups and invocations that a context may have", "[plan]") {
    for (const std::uint32_t shared_memory : {16384u, 32768u, 49152u})
        for (const std::uint32_t subgroup : {0u, 4u, 8u, 16u, 32u, 64u})
            for (const std::uint32_t invocations : {128u, 256u, 512u, 1024u})
                for (const char* variant : {"radix:reduce-then-scan", "radix:one-sweep"})
                    for (const KeyType key : {KeyType::u32, KeyType::f64})
                        for (const std::uint32_t n : {100u, 5000u, 1u << 22}) {
                            if (subgroup == 0 && variant == std::string("radix:one-sweep")) continue;
                            PlanRequest request = radix_request(n, variant);
                            request.limits.shared_memory = shared_memory;
                            request.limits.subgroup_size = subgroup;
                            request.limits.invocations = invocations;
                            request.limits.software = invocations == 1024 ? 1 : 0;
                            request.spec.order.key = key;
                            CAPTURE(shared_memory, subgroup, invocations, variant, n);
                            CHECK_NOTHROW(validate(plan(request), request.limits));
                        }
    PlanRequest request = sweep_request(5000);
    request.limits.shared_memory = 4096;
    request.spec.tuning.radix.digit_bits = 8;
    CHECK_THROWS_WITH(plan(request), Contains("digits of 8 bits") && Contains("4096 bytes"));
}

TEST_CASE("radix: on a software rasteriser each invocation counts and moves elements alone", "[plan]") {
    const auto digits_of = [](const PlanRequest& request) -> std::string {
        const StreamProgram program = plan(request);
        for (const auto& [name, value] : program.ops.at(2).kernel->defines)
            if (name == "GLSORT_DIGITS") return value;
        return "none";
    };
    PlanRequest request = radix_request(1u << 20);
    request.limits.software = true;
    CHECK(plan(request).ops.size() == 9);
    CHECK(plan(request).ops.at(0).kernel->name == "radix_count_alone");
    CHECK(plan(request).ops.at(2).kernel->name == "radix_scatter_alone");
    CHECK(plan(request).ops.at(2).kernel->group_size == 8);
    CHECK(digits_of(request) == "2048u");
    // Few elements, and counts that may be small, have fewer counts of digits.
    request.n = 1u << 18;
    CHECK(digits_of(request) == "256u");
    request.spec.capacity = 1u << 20;
    CHECK(digits_of(request) == "256u");
    request.n = 1u << 20;
    request.spec.gpu_count = true;
    CHECK(digits_of(request) == "256u");
    request.spec.gpu_count = false;
    request.spec.order.bits = {3, 19};
    CHECK(digits_of(request) == "256u");
    request.spec.tuning.radix.digit_bits = 5;
    CHECK(digits_of(request) == "32u");
    // softpipe stores to the arrays of other invocations.
    request.limits.array_stores = false;
    CHECK(plan(request).ops.at(0).kernel->name == "radix_count");
    CHECK(plan(request).ops.at(2).kernel->name == "radix_scatter");
}

TEST_CASE("radix: no invocation that works alone has more elements than a software rasteriser goes through", "[plan]") {
    for (const std::uint32_t n : {2049u, 100000u, 1u << 20, (1u << 22) + 1, 1u << 26, 1u << 30}) {
        CAPTURE(n);
        PlanRequest request = radix_request(n);
        request.limits.software = true;
        const StreamProgram program = plan(request);
        const Op& count = program.ops.at(0);
        const std::uint64_t length = count.parameters.at(4).value();
        CHECK(length % (8 * 48) == 0);
        CHECK(length <= 8u << 17);
        CHECK(count.domain.size() == records_for(n, static_cast<std::uint32_t>(length)));
        CHECK(count.parameters.at(3).value() == 8 * count.domain.size());
    }
}

TEST_CASE("radix: every kernel takes the extension that the limits name, on software rasterisers too", "[plan]") {
    for (const std::uint32_t software : {0u, 1u})
        for (const Subgroups extension : {Subgroups::ballot, Subgroups::khr})
            for (const char* variant : {"radix:reduce-then-scan", "radix:one-sweep"})
                for (const std::uint32_t n : {100u, 100000u}) {
                    PlanRequest request = radix_request(n, variant);
                    request.limits.software = software;
                    request.limits.subgroup_size = 8;
                    request.limits.subgroups = extension;
                    CAPTURE(software, to_string(extension), variant, n);
                    std::size_t with_subgroups = 0;
                    for (const Op& op : plan(request).ops) {
                        if (op.kernel->subgroups == Subgroups::none) continue;
                        CHECK(op.kernel->subgroups == extension);
                        ++with_subgroups;
                    }
                    // Invocations of a software rasteriser work alone, unless there are few elements.
                    const bool alone = software != 0 && request.spec.algorithm != "radix:one-sweep" && n > 100;
                    if (!alone) CHECK(with_subgroups > 0);
                }
}

TEST_CASE("radix: what holds for the capacity holds for every count", "[plan]") {
    // A little above 256 tiles, partitions are twice as long, and there are fewer.
    for (const std::uint32_t capacity : {1000u, 5000u, 300000u, 257u * 2048, 600000u, 1100000u, 5u << 20})
        for (const auto& [variant, software] :
             {std::pair{"radix:reduce-then-scan", 0u}, {"radix:reduce-then-scan", 1u}, {"radix:one-sweep", 0u}}) {
            PlanRequest request = radix_request(1, variant);
            request.limits.subgroup_size = 32;
            request.limits.software = software;
            request.spec.capacity = capacity;
            const StreamProgram first = plan(request);
            for (const std::uint32_t n :
                 {2u, 5000u, 1u << 18, (1u << 18) + 1, 400000u, 1u << 19, (1u << 19) + 1, 1u << 22, capacity}) {
                if (n > capacity) continue;
                CAPTURE(variant, software, capacity, n);
                request.n = n;
                const StreamProgram program = plan(request);
                CHECK_NOTHROW(validate(program, request.limits));
                for (const char* name : {"counts", "offsets", "sums", "totals", "status"}) {
                    const auto named = [name](const Stream& stream) { return stream.name == name; };
                    const auto before = std::ranges::find_if(first.streams, named);
                    const auto now = std::ranges::find_if(program.streams, named);
                    if (before != first.streams.end()) CHECK(now->records == before->records);
                }
            }
        }
}

TEST_CASE("radix: padding between pairs where digits would begin pages apart", "[plan]") {
    const auto records_of = [](std::uint32_t capacity, const Payload& payload, std::uint64_t storage_bytes) {
        PlanRequest request = sweep_request(capacity);
        request.spec.payload = payload;
        request.limits.storage_bytes = storage_bytes;
        const StreamProgram program = plan(request);
        return program.streams[program.stream("records")];
    };
    const std::uint64_t plenty = std::uint64_t{1} << 31;
    const Stream spread = records_of(1u << 26, Payload::bytes(4), plenty);
    CHECK(spread.padding.run == 1u << 14);
    // The last run has no padding after it.
    CHECK(spread.buffer_bytes() == 8 * ((1u << 26) + 256 * ((1u << 12) - 1)));
    CHECK(spread.bytes() == 8u << 26);
    CHECK(records_of((1u << 26) - 1, Payload::bytes(4), plenty).padding.run == 0);
    CHECK(records_of(1u << 27, Payload::none(), plenty).padding.run == 0);
    // The device has room for the records without padding only.
    CHECK(records_of(1u << 26, Payload::bytes(4), 8u << 26).padding.run == 0);
}

TEST_CASE("radix: elements that no storage buffer holds lie in halves between sweeps", "[plan]") {
    constexpr std::uint64_t two_gib = std::uint64_t{1} << 31;
    PlanRequest request = sweep_request(1u << 28);
    request.limits.multiprocessors = 132;
    request.limits.shared_memory = 49152;
    request.limits.storage_bytes = two_gib - 1;
    const StreamProgram largest = plan(request);
    CHECK(ops_of(largest, "radix_sweep") == 4);
    for (const Stream& stream : largest.streams)
        CHECK(stream.buffer_bytes() < two_gib);
    for (const char* half : {"lower_half", "upper_half"})
        CHECK(largest.streams[largest.stream(half)].padding.run == 1u << 14);
    // Smaller counts find their streams in the memory of the largest.
    request.spec.capacity = request.n;
    for (const std::uint32_t n : {1u, 5000u, 1u << 15, 1u << 19, (1u << 19) + 1, 1u << 27}) {
        CAPTURE(n);
        request.n = n;
        const StreamProgram program = plan(request);
        CHECK_NOTHROW(validate(program, request.limits));
        REQUIRE(program.streams.size() == largest.streams.size());
        for (std::size_t i = 0; i < program.streams.size(); ++i) {
            CHECK(program.streams[i].name == largest.streams[i].name);
            CHECK(program.streams[i].records.value() <= largest.streams[i].records.value());
        }
    }
    // Buffers that hold all elements need no halves.
    request.n = request.spec.capacity;
    request.limits.storage_bytes = two_gib;
    const StreamProgram whole = plan(request);
    CHECK(whole.streams[whole.stream("records")].records == 1u << 28);
    // No stream lies between the sweeps of a sort in one sweep. Values of 12 bytes do not fit a buffer.
    request.limits.storage_bytes = two_gib - 1;
    request.spec.order.bits = {0, 8};
    CHECK_THROWS_WITH(validate(plan(request), request.limits), Contains("stream records"));
    request.spec.order.bits = {0, 9};
    CHECK_NOTHROW(validate(plan(request), request.limits));
    request.spec.payload = Payload::bytes(12);
    CHECK_THROWS_WITH(validate(plan(request), request.limits), Contains("needs 3221225472 bytes"));
}

TEST_CASE("radix: automatic where groups are fast, and by look-back where that is known to end", "[plan]") {
    PlanRequest request;
    request.spec.backend = Backend::compute;
    CHECK(choose_algorithm(request).name == "radix");
    CHECK(choose_algorithm(request).variant == "reduce-then-scan");
    request.limits.subgroup_size = 32;
    CHECK(choose_algorithm(request).variant == "reduce-then-scan");
    request.limits.look_back = 1;
    CHECK(choose_algorithm(request).variant == "one-sweep");
    request.spec.algorithm = "radix:reduce-then-scan";
    CHECK(choose_algorithm(request).variant == "reduce-then-scan");
    request.spec.algorithm = "automatic";
    request.limits.software = 1;
    request.n = (1u << 14) - 1;
    CHECK(choose_algorithm(request).name == "merge");
    request.n = 1u << 14;
    CHECK(choose_algorithm(request).name == "radix");
    request.n = 5;
    request.spec.capacity = 1u << 14;
    CHECK(choose_algorithm(request).name == "radix");
    request.limits.array_stores = false;
    CHECK(choose_algorithm(request).name == "merge");
    request.spec.order.bits = {0, 16};
    CHECK(choose_algorithm(request).name == "radix");
    request.spec.order.bits = {};
    request.limits.software = 0;
    request.lists = {1, 2};
    CHECK(choose_algorithm(request).name == "merge");
    request.lists = {};
    request.spec.order.comparison = Comparison{};
    CHECK(choose_algorithm(request).name == "merge");
}

TEST_CASE("radix: bits and digits that are none are refused", "[plan]") {
    PlanRequest request = radix_request(10);
    request.spec.order.bits = {0, 33};
    CHECK_THROWS_WITH(plan(request), Contains("0 to 33") && Contains("32 bits"));
    request.spec.order.bits = {8, 8};
    CHECK_THROWS_WITH(plan(request), Contains("8 to 8"));
    request.spec.order.bits = {};
    request.spec.tuning.radix.digit_bits = 12;
    CHECK_THROWS_WITH(plan(request), Contains("12") && Contains("11"));
    request = sweep_request(10);
    request.spec.tuning.radix.digit_bits = 9;
    CHECK_THROWS_WITH(plan(request), Contains("9") && Contains("8"));
    request = radix_request(10, "abisort");
    request.spec.order.bits = {0, 8};
    CHECK_THROWS_WITH(plan(request), Contains("abisort") && Contains("merge and radix"));
    request = radix_request(10, "merge");
    request.spec.tuning.radix.digit_bits = 8;
    CHECK_THROWS_WITH(plan(request), Contains("merge") && Contains("radix"));
    request = radix_request(10);
    request.spec.backend = Backend::fragment;
    CHECK_THROWS_WITH(plan(request), Contains("fragment"));
    request = sweep_request(100000);
    request.limits.subgroup_size = 0;
    CHECK_THROWS_WITH(validate(plan(request), request.limits), Contains("subgroup"));
}
