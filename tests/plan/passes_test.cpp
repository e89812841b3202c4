#include <glsort/planner.h>
#include <glsort/stream/program.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

using namespace glsort;

namespace {

bool has_stream(const StreamProgram& program, const std::string& name) {
    return std::any_of(program.streams.begin(), program.streams.end(),
                       [&name](const Stream& stream) { return stream.name == name; });
}

PlanRequest request_for(const std::string& algorithm, Backend backend, Medium medium, Payload payload,
                        std::uint32_t n) {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.spec.backend = backend;
    request.spec.input = request.spec.output = medium;
    request.spec.payload = payload;
    request.n = n;
    return request;
}

}  // namespace

TEST_CASE("the last pass leaves the program that plan makes", "[plan]") {
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const Backend backend : {Backend::fragment, Backend::compute})
                for (const std::uint32_t n : {0u, 1u, 2u, 1000u}) {
                    if (backend == Backend::fragment && !variant.takes.fragment) continue;
                    const PlanRequest request =
                        request_for(algorithm.name + ":" + variant.name, backend, Medium::buffer, Payload::bytes(8), n);
                    CAPTURE(request.spec.algorithm, to_string(backend), n);
                    CHECK(to_text(plan_pass_by_pass(request).back().program) == to_text(plan(request)));
                }
}

TEST_CASE("every pass does what its name says", "[plan]") {
    const auto planned =
        plan_pass_by_pass(request_for("bitonic:step", Backend::fragment, Medium::buffer, Payload::bytes(8), 8));
    std::set<std::string> names;
    bool loaded = true;
    for (const PlannedPass& pass : planned) {
        CAPTURE(pass.name);
        CHECK(names.insert(pass.name).second);
        CHECK_FALSE(pass.summary.empty());
        if (pass.name == "algorithm") loaded = false;
        if (pass.name == "fuse load") loaded = true;
        CHECK(has_stream(pass.program, "unsorted") == !loaded);
        const auto& ops = pass.program.ops;
        if (pass.name == "declare inputs") CHECK(ops.empty());
        if (pass.name == "stage inputs") CHECK(ops.back().kernel->name == "upload");
        if (pass.name == "declare outputs") CHECK(ops.size() == 2);
        if (pass.name == "algorithm") CHECK(ops.size() == 2 + 6);
        if (pass.name == "copy result") CHECK(ops.back().kernel->name == "copy");
        if (pass.name == "load first") CHECK(ops.size() == 2 + 6 + 1);
        if (pass.name == "fuse load") CHECK(ops[2].load != nullptr);
        if (pass.name == "fuse store") CHECK(ops.back().store != nullptr);
        if (pass.name == "gather values") CHECK(ops.back().kernel->name == "gather_values");
        if (pass.name == "stage outputs") CHECK(ops.back().kernel->name == "download");
    }
    CHECK(names.size() == 10);
}

TEST_CASE("a first op that is also the last is loaded by a copy before", "[plan]") {
    // A group that sorts all elements in shared memory reads all of them before it writes. A copy does not.
    PlanRequest request = request_for("bitonic:local", Backend::compute, Medium::buffer, Payload::index(), 100);
    request.spec.tuning.networks.tile = 64;
    CHECK(plan(request).ops.front().load != nullptr);
    request = request_for("merge:multiway", Backend::compute, Medium::buffer, Payload::none(), 1);
    const StreamProgram program = plan(request);
    REQUIRE(program.ops.size() == 2);
    CHECK(program.ops.front().load != nullptr);
    CHECK(program.ops.back().store != nullptr);
}

TEST_CASE("fragment shaders read a buffer where it is, if they can", "[plan]") {
    const auto uploads = [](const PlanRequest& request) {
        std::set<std::string> names;
        const StreamProgram program = plan(request);
        for (const Op& op : program.ops)
            if (op.kernel->name == "upload") names.insert(program.streams[op.reads.front().stream].name);
        return names;
    };
    using Names = std::set<std::string>;
    const auto request_of = [](Payload payload, std::uint32_t texels) {
        PlanRequest request = request_for("merge", Backend::fragment, Medium::buffer, payload, 100);
        request.spec.capacity = 200;
        request.limits.texture_buffer = texels;
        return request;
    };
    CHECK(uploads(request_of(Payload::none(), 0)) == Names{"keys"});
    CHECK(uploads(request_of(Payload::bytes(4), 0)) == Names{"keys", "values"});
    // The limit is that of the capacity: all counts have equal streams. At most 63 texels precede the elements.
    CHECK(uploads(request_of(Payload::bytes(4), 262)) == Names{"keys", "values"});
    CHECK(uploads(request_of(Payload::bytes(4), 263)).empty());
    // Values of 8 bytes are gathered by an op that captures them, in place.
    CHECK(uploads(request_of(Payload::bytes(8), 463)) == Names{"values"});
    PlanRequest request = request_of(Payload::none(), 263);
    // Without pixel packs, the last op captures keys into the buffer that the first op reads.
    request.limits.pixel_pack = false;
    CHECK(uploads(request) == Names{"keys"});
}
