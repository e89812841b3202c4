#include <glsort/exec/gl_executor.h>
#include <glsort/exec/program_cache.h>
#include <glsort/plan/algorithm.h>
#include <glsort/stream/validate.h>
#include <algorithm>

#include <string>
#include <unordered_map>

#include "exec/lockstep.h"
#include "support/random.h"

namespace glsort::test {
namespace {

struct HashOfIdentity {
    std::size_t operator()(const ShaderIdentity& identity) const { return identity.hash(); }
};
using Texts = std::unordered_map<ShaderIdentity, std::string, HashOfIdentity>;

/// Requests for every algorithm and variant, on each backend that supports it.
std::vector<PlanRequest> all_requests(std::uint32_t capacity) {
    std::vector<PlanRequest> requests;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const Backend backend : {Backend::fragment, Backend::compute}) {
                if (backend == Backend::fragment && !variant.takes.fragment) continue;
                PlanRequest request;
                request.spec.algorithm = algorithm.name + ":" + variant.name;
                request.spec.backend = backend;
                request.spec.capacity = request.n = capacity;
                request.spec.payload = Payload::bytes(4);
                request.limits.look_back = request.limits.texture_barrier = true;
                requests.push_back(request);
            }
    return requests;
}

/// Composes the shaders of all unknown requests, and returns their number. If `checks`, composes all shaders, and
/// compares known ones with their earlier text.
std::size_t compose(Texts& texts, const StreamProgram& program, bool checks) {
    const ExternalStreams external(program);
    std::size_t composed = 0;
    for (const Op& op : program.ops) {
        if (op.kernel->transfer) continue;
        const ShaderRequest request = shader_request(program, op, stage_of(program, op), false, external);
        const auto [known, is_new] = texts.try_emplace(ShaderIdentity(request));
        if (is_new) {
            std::string text = compose_shader(request).source.text();
            const auto same = [&](const auto& other) { return other.second == text; };
            composed += std::any_of(texts.begin(), texts.end(), same) ? 0 : 1;
            known->second = std::move(text);
        } else if (checks) {
            INFO(describe(op));
            CHECK(known->second == compose_shader(request).source.text());
        }
    }
    return composed;
}

TEST_CASE("shaders of one identity have one text", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (PlanRequest& request : all_requests(3000)) {
        CAPTURE(request.spec.algorithm, to_string(request.spec.backend));
        Texts texts;
        for (int i = 0; i < 3; ++i) {
            request.n = 1 + static_cast<std::uint32_t>(random() % request.spec.capacity);
            compose(texts, plan(request), true);
        }
    }
}

TEST_CASE("no count needs a shader composed that the counts with kernels of their own did not", "[exec]") {
    for (PlanRequest& request : all_requests(700)) {
        CAPTURE(request.spec.algorithm, to_string(request.spec.backend));
        Texts texts;
        for (const std::uint32_t count : kernel_counts(request)) {
            request.n = count;
            compose(texts, plan(request), false);
        }
        std::size_t composed = 0;
        for (request.n = 1; request.n <= request.spec.capacity; request.n += 3)
            composed += compose(texts, plan(request), false);
        CHECK(composed == 0);
    }
}

TEST_CASE("a sorter that grows needs no shader that the smaller one did not have", "[exec]") {
    for (PlanRequest& request : all_requests(1u << 20)) {
        // Shaders of `sample` know the number of buckets, and those of `abisort` the number of blocks.
        if (request.spec.algorithm.starts_with("sample") || request.spec.algorithm.starts_with("abisort")) continue;
        CAPTURE(request.spec.algorithm, to_string(request.spec.backend));
        for (const Medium medium : {Medium::buffer, Medium::texture}) {
            request.spec.input = request.spec.output = medium;
            Texts texts;
            const auto compose_all = [&](std::uint32_t capacity) {
                request.spec.capacity = capacity;
                std::size_t composed = 0;
                for (const std::uint32_t count : kernel_counts(request)) {
                    request.n = count;
                    composed += compose(texts, plan(request), true);
                }
                return composed;
            };
            CHECK(compose_all(1u << 20) > 0);
            CHECK(compose_all(1u << 21) == 0);
        }
    }
}

TEST_CASE("a shader that is not known is not taken for another", "[exec]") {
    PlanRequest plan_request;
    plan_request.spec.algorithm = "merge:multiway";
    plan_request.spec.backend = Backend::fragment;
    plan_request.n = 1000;
    plan_request.spec.input = plan_request.spec.output = Medium::texture;
    StreamProgram program = plan(plan_request);
    const ExternalStreams external(program);
    const Op op = program.ops.front();
    REQUIRE(op.load != nullptr);
    const auto request_of = [&](const Op& of) {
        return shader_request(program, of, ShaderStage::fragment, false, external);
    };
    const ShaderIdentity identity(request_of(op));
    CHECK(ShaderIdentity(request_of(op)) == identity);

    // A count on the GPU reaches shaders in another way.
    ShaderRequest counted = request_of(op);
    counted.gpu_count = !counted.gpu_count;
    CHECK_FALSE(ShaderIdentity(counted) == identity);

    // Every part of the kernel's code changes the identity. Other members do not.
    const auto with_kernel = [&](const auto& change) {
        Op other = op;
        Kernel kernel = *op.kernel;
        change(kernel);
        other.kernel = std::make_shared<Kernel>(std::move(kernel));
        return ShaderIdentity(request_of(other));
    };
    CHECK(with_kernel([](Kernel& kernel) { kernel.cpu = nullptr; }) == identity);
    CHECK_FALSE(with_kernel([](Kernel& kernel) { kernel.source = "void kernel(Index i) {}"; }) == identity);
    CHECK_FALSE(with_kernel([](Kernel& kernel) { kernel.prelude.text += " "; }) == identity);
    CHECK_FALSE(with_kernel([](Kernel& kernel) { kernel.defines.emplace_back("A", "1"); }) == identity);
    CHECK_FALSE(with_kernel([](Kernel& kernel) { kernel.elements_per_instance += 1; }) == identity);
    Op unloaded = op;
    Chunk chunk = *op.load;
    chunk.defines.emplace_back("A", "1");
    unloaded.load = std::make_shared<Chunk>(std::move(chunk));
    CHECK_FALSE(ShaderIdentity(request_of(unloaded)) == identity);

    // The width of an external texture is a uniform.
    ExternalStreams wide = external;
    wide.bind(*program.caller.input, TextureView{1, 7, 200, Layout::row_wise});
    ExternalStreams wider = external;
    wider.bind(*program.caller.input, TextureView{1, 9, 200, Layout::row_wise});
    const ShaderIdentity of_wide(shader_request(program, op, ShaderStage::fragment, false, wide));
    CHECK(of_wide == ShaderIdentity(shader_request(program, op, ShaderStage::fragment, false, wider)));
    CHECK_FALSE(of_wide == identity);
}

}  // namespace
}  // namespace glsort::test
