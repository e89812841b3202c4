#include <glsort/planner.h>

#include "sorter/sorting.h"

/// A sort in steps leaves the caller's index buffer alone until its last step. An application may draw by the last
/// order meanwhile.

namespace glsort::test {
namespace {

/// The first op but the last one that writes the caller's values. Empty: there is none.
std::string early_write(const StreamProgram& program) {
    for (std::size_t number = 0; number + 1 < program.ops.size(); ++number)
        for (const StreamUse& use : program.ops[number].writes)
            if (use.stream == program.caller.values)
                return fmt::format("op {} of {}: {}", number, program.ops.size(), describe(program.ops[number]));
    return "";
}

TEST_CASE("only the last op of a program writes an index buffer", "[sorter]") {
    Limits gpu;
    gpu.subgroup_size = 32;
    gpu.look_back = true;
    gpu.multiprocessors = 132;
    Limits es;
    es.pixel_pack = false;
    es.attachments = 4;
    Limits gl33;
    gl33.texture_buffer = 1 << 27;
    Limits narrow;
    narrow.attachments = 1;
    // The elements of large sorts lie in planes.
    Limits planes = gpu;
    planes.storage_bytes = 1u << 18;
    std::size_t programs = 0;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const Backend backend : {Backend::fragment, Backend::compute})
                for (const KeyType key : {KeyType::u32, KeyType::f64})
                    for (const Limits& limits : {Limits{}, gpu, es, gl33, narrow, planes})
                        for (const std::uint32_t n : {1u, 2u, 500u, 40000u})
                            for (const bool gpu_count : {false, true}) {
                                if (backend == Backend::fragment && !variant.takes.fragment) continue;
                                if (gpu_count && !variant.takes.gpu_count) continue;
                                PlanRequest request{.spec = {}, .n = n, .limits = limits};
                                request.spec.order.key = key;
                                request.spec.algorithm = algorithm.name + ":" + variant.name;
                                request.spec.backend = backend;
                                request.spec.capacity = n;
                                request.spec.gpu_count = gpu_count;
                                INFO(request.spec.algorithm << " on " << to_string(backend) << ", " << n << " "
                                                            << to_string(key) << ", gpu_count " << gpu_count);
                                try {
                                    const StreamProgram program = plan(request);
                                    ++programs;
                                    REQUIRE(program.caller.values);
                                    CHECK(early_write(program) == "");
                                } catch (const Error&) {
                                    continue;  // Some variants need more than these limits.
                                }
                            }
    CHECK(programs > 500);
}

TEST_CASE("steps leave an index buffer alone until the last one", "[sorter]") {
    const Seed seed;
    constexpr std::uint32_t count = 3000;
    for (const Place& place : places_in_turn())
        for (const char* algorithm : {"automatic", "bitonic", "abisort"}) {
            INFO(describe(place) << ", " << algorithm);
            TestContext& context = clean_context(place.tier);
            SortSpec spec;
            spec.algorithm = algorithm;
            spec.backend = place.backend;
            spec.capacity = count;
            const Sorter sorter(spec, context.get_proc_address());
            Stepper stepper(sorter);
            Caller caller(context.gl(), sorter);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, count, seed.value());
            stepper.begin(caller.load(sample));
            const std::size_t ops = sorter.program(count).ops.size();
            const GLuint indices = buffers_of(caller.arguments()).values.name;
            const auto read = [&] {
                const GladGLContext& gl = context.gl();
                const std::size_t end = buffers_of(caller.arguments()).values.offset / 4 + count;
                Words words(end);
                gl.BindBuffer(GL_COPY_READ_BUFFER, indices);
                const auto bytes = static_cast<GLsizeiptr>(4 * end);
                const void* mapped = gl.MapBufferRange(GL_COPY_READ_BUFFER, 0, bytes, GL_MAP_READ_BIT);
                REQUIRE(mapped != nullptr);
                std::copy_n(static_cast<const std::uint32_t*>(mapped), end, words.begin());
                gl.UnmapBuffer(GL_COPY_READ_BUFFER);
                gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
                return words;
            };
            const Words before = read();
            while (stepper.steps_done() + 1 < ops) {
                REQUIRE(stepper.step());
                INFO("step " << stepper.steps_done() << " of " << ops);
                REQUIRE(read() == before);
            }
            CHECK(stepper.step());
            CHECK_FALSE(stepper.step());
            CHECK(caller.wrong(sample) == "");
            context.require_clean("steps beside an index buffer");
        }
}

}  // namespace
}  // namespace glsort::test
