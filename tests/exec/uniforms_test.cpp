#include <glsort/exec/external_streams.h>
#include <glsort/exec/program_cache.h>
#include <glsort/exec/shader_composer.h>

#include <string>

#include "exec/lockstep.h"
#include "support/random.h"

namespace glsort::test {
namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t number = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++number;
    return number;
}

TEST_CASE("where uniforms are hidden, shaders reach them by a place that no compiler knows", "[exec]") {
    for (const char* algorithm : {"radix:reduce-then-scan", "merge:shared", "bitonic:local", "abisort:fused"}) {
        PlanRequest plan_request;
        plan_request.spec.algorithm = algorithm;
        plan_request.spec.backend = Backend::compute;
        plan_request.n = 100000;
        const StreamProgram program = plan(plan_request);
        ExternalStreams external;
        external.follow(program);
        for (const Op& op : program.ops) {
            CAPTURE(algorithm, op.kernel->name);
            ShaderRequest request = shader_request(program, op, ShaderStage::compute, false, external);
            const ShaderIdentity plain(request);
            CHECK(occurrences(compose_shader(request).source.text(), "gl_NumWorkGroups.z") == 0);
            request.hide_uniforms = true;
            CHECK_FALSE(ShaderIdentity(request) == plain);
            const std::string text = compose_shader(request).source.text();
            CHECK(occurrences(text, "gl_NumWorkGroups.z - 1u") == 1);
            // One occurrence is the declaration, the other is the definition that all accesses use.
            CHECK(occurrences(text, "glsort_op[") == 2);
        }
    }
}

TEST_CASE("where indices are mistaken, shaders store elements of records at constant indices", "[exec]") {
    PlanRequest plan_request;
    plan_request.spec.algorithm = "merge:multiway";
    plan_request.n = 100000;
    const StreamProgram program = plan(plan_request);
    ExternalStreams external;
    external.follow(program);
    for (const ShaderStage stage : {ShaderStage::fragment, ShaderStage::vertex}) {
        std::size_t records = 0;
        for (const Op& op : program.ops) {
            if (op.kernel->transfer) continue;
            CAPTURE(op.kernel->name, static_cast<int>(stage));
            ShaderRequest request = shader_request(program, op, stage, false, external);
            const ShaderIdentity plain(request);
            const std::string text = compose_shader(request).source.text();
            const std::size_t arrays = occurrences(text, "_record[k] = value;");
            CHECK(occurrences(text, "_record[1] = value;") == 0);
            records += arrays;
            request.index_by_constants = true;
            CHECK_FALSE(ShaderIdentity(request) == plain);
            const std::string changed = compose_shader(request).source.text();
            CHECK(occurrences(changed, "_record[k] = value;") == 0);
            CHECK(occurrences(changed, "_record[1] = value;") == arrays);
        }
        CHECK(records > 0);
    }
}

TEST_CASE("programs in turn take the uniforms that they are given", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("uniforms", [&](TestContext& context, const Limits& limits) {
        ComputeExecutor executor(api_of(context), {});
        // Short digits lead to many dispatches. A few counts repeat again and again.
        for (int i = 0; i < 12; ++i) {
            PlanRequest request = some_request(random, "radix:reduce-then-scan", 3000, limits);
            request.limits.subgroup_size = request.limits.multiprocessors = 0;
            request.spec.order.key = KeyType::u32;
            request.spec.payload = Payload::none();
            request.n += 2048 * static_cast<std::uint32_t>(random() % 3);
            request.spec.capacity = 9000;
            request.spec.tuning.radix.digit_bits = 3 + static_cast<std::uint32_t>(random() % 3);
            check_in_lockstep(context, executor, request, demo::Distribution::uniform, random());
        }
    });
}

}  // namespace
}  // namespace glsort::test
