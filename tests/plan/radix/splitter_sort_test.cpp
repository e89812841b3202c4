#include <glsort/planner.h>

#include <algorithm>
#include <catch2/catch.hpp>

namespace glsort::test {
namespace {

PlanRequest request_of(std::uint32_t n) {
    PlanRequest request;
    request.spec.algorithm = "radix:one-sweep";
    request.spec.backend = Backend::compute;
    request.spec.capacity = 1u << 21;
    request.n = n;
    request.limits.multiprocessors = 132;
    request.limits.shared_memory = 49152;
    request.limits.subgroup_size = 32;
    request.limits.look_back = true;
    return request;
}

std::vector<std::string> kernels_of(const PlanRequest& request) {
    std::vector<std::string> names;
    for (const Op& op : plan(request).ops)
        names.push_back(op.kernel->name);
    return names;
}

bool has_splitters(const PlanRequest& request) {
    const std::vector<std::string> names = kernels_of(request);
    return std::find(names.begin(), names.end(), "splitter_bucket") != names.end();
}

TEST_CASE("splitters: two ops, between enumeration and sweeps", "[plan]") {
    for (const Payload payload : {Payload::bytes(4), Payload::none()}) {
        const auto of = [&](std::uint32_t n) {
            PlanRequest request = request_of(n);
            request.spec.payload = payload;
            return request;
        };
        CHECK(kernels_of(of((1u << 14) + 1)) == std::vector<std::string>{"splitter_divide", "splitter_bucket"});
        CHECK(has_splitters(of(1u << 20)));
        CHECK_FALSE(has_splitters(of(1u << 14)));
        CHECK_FALSE(has_splitters(of((1u << 20) + 1)));
    }
}

TEST_CASE("splitters: codes of one word share it with numbers, if the sort is not small", "[plan]") {
    const auto shares = [](const PlanRequest& request) {
        const StreamProgram program = plan(request);
        const auto& defines = program.ops.back().kernel->defines;
        return std::any_of(defines.begin(), defines.end(),
                           [](const auto& define) { return define.first == "GLSORT_ONE_WORD"; });
    };
    CHECK_FALSE(shares(request_of(1u << 16)));
    PlanRequest request = request_of(1u << 17);
    CHECK(shares(request));
    request.spec.order.key = KeyType::u64;
    CHECK_FALSE(shares(request));
}

TEST_CASE("splitters: tiles and buckets keep a GPU busy, and a group has room for a large bucket", "[plan]") {
    for (const std::uint32_t n : {20000u, 1u << 16, 100000u, 200000u, 1u << 19, 1u << 20}) {
        const StreamProgram program = plan(request_of(n));
        REQUIRE(program.ops.size() == 2);
        CHECK(program.ops[0].domain.size() == 128);
        const std::uint32_t buckets = program.ops[1].domain.size();
        CHECK((buckets == 128 || buckets == 256 || buckets == 512));
    }
}

TEST_CASE("splitters: many elements are sorted by few bits with sweeps", "[plan]") {
    const auto with_bits = [](std::uint32_t n, std::uint32_t first) {
        PlanRequest request = request_of(n);
        request.spec.order.bits = {first, 32};
        return request;
    };
    CHECK(has_splitters(with_bits(1u << 18, 16)));
    CHECK_FALSE(has_splitters(with_bits((1u << 18) + 1, 16)));
    CHECK(has_splitters(with_bits((1u << 18) + 1, 15)));
    CHECK(kernels_of(with_bits(1u << 14, 16)).back() == "enumeration_sort");
}

TEST_CASE("splitters: keys of 64 bits have them up to the count of other keys", "[plan]") {
    const auto wide = [](std::uint32_t n) {
        PlanRequest request = request_of(n);
        request.spec.order.key = KeyType::u64;
        request.spec.payload = Payload::none();
        return request;
    };
    CHECK(has_splitters(wide(1u << 20)));
    CHECK_FALSE(has_splitters(wide((1u << 20) + 1)));
}

TEST_CASE("splitters: a count on the GPU has them up to a capacity", "[plan]") {
    PlanRequest request = request_of(1u << 20);
    request.spec.gpu_count = true;
    request.spec.capacity = 1u << 20;
    CHECK(has_splitters(request));
    request.n = request.spec.capacity = (1u << 20) + 1;
    CHECK_FALSE(has_splitters(request));
}

TEST_CASE("splitters: not without what they need", "[plan]") {
    const auto changed = [](auto change) {
        PlanRequest request = request_of(1u << 16);
        change(request);
        return request;
    };
    CHECK(has_splitters(changed([](PlanRequest&) {})));
    CHECK_FALSE(has_splitters(changed([](PlanRequest& r) { r.limits.multiprocessors = 0; })));
    CHECK_FALSE(has_splitters(changed([](PlanRequest& r) { r.limits.storage_blocks = 5; })));
    CHECK_FALSE(has_splitters(changed([](PlanRequest& r) { r.spec.tuning.radix.digit_bits = 8; })));
}

TEST_CASE("splitters: the streams are the same for every n", "[plan]") {
    const auto streams_of = [](std::uint32_t n) {
        std::vector<std::string> streams;
        for (const Stream& stream : plan(request_of(n)).streams)
            streams.push_back(stream.name + " " + std::to_string(stream.records));
        return streams;
    };
    // The caller's streams follow n.
    const auto scratch_of = [&](std::uint32_t n) {
        std::vector<std::string> streams = streams_of(n);
        std::erase_if(streams, [](const std::string& text) {
            return text.find("splitters") && text.find("tiles") && text.find("starts") && text.find("spare") &&
                   text.find("ranked");
        });
        return streams;
    };
    REQUIRE(scratch_of(1u << 16).size() == 5);
    for (const std::uint32_t n : {1u, 1u << 14, 20000u, 1u << 18, 1u << 20})
        CHECK(scratch_of(n) == scratch_of(1u << 16));
}

}  // namespace
}  // namespace glsort::test
