#include <algorithm>
#include <numeric>
#include <random>

#include <glsort/stream/cpu_invocation.h>

#include "exec/lockstep.h"
#include "support/random.h"

/// Records of several elements, elements of 1 to 4 words, and substreams of several blocks. The stream level offers
/// more combinations than the algorithms use today.

namespace glsort::test {
namespace {

/// Reverses the elements of each record, and adds the number of the record to the first word. Neighbouring instances
/// begin with different elements, and so write at different indices at a time. `by_fours`: reads elements of one word
/// by fours.
KernelPtr reverse_kernel(std::uint32_t words, std::uint32_t elements, bool by_fours = false) {
    Kernel kernel;
    kernel.name = "reverse";
    kernel.elements_per_instance = elements;
    kernel.inputs = {
        {.name = "source", .access = Access::gather, .words = words, .elements = elements, .by_fours = by_fours}};
    kernel.outputs = {{.name = "target", .words = words, .elements = elements}};
    const std::string type = words == 1 ? "uint" : fmt::format("uvec{}", words);
    const std::string first = words == 1 ? "element" : "element.x";
    const std::string number = fmt::format("(glsort_number_of(instance) * {}u + {}u - k)", elements, elements - 1);
    const std::string read = by_fours
                                 ? fmt::format("glsort_channel_of(glsort_source_gather4({0} / 4u), {0} % 4u)", number)
                             : elements == 1 ? "glsort_source_read(instance)"
                                             : fmt::format("glsort_source_read(instance, {}u - k)", elements - 1);
    const std::string write = elements == 1 ? "glsort_target_write(element)" : "glsort_target_write(k, element)";
    kernel.source = fmt::format(
        "void glsort_kernel(glsort_Index instance) {{\n"
        "    for (uint step = 0u; step < {0}u; ++step) {{\n"
        "        uint k = (step + glsort_number_of(instance)) % {0}u;\n"
        "        {1} element = {2};\n"
        "        {3} += glsort_number_of(instance);\n"
        "        {4};\n"
        "    }}\n"
        "}}\n",
        elements, type, read, first, write);
    kernel.cpu = [elements](CpuInvocation& k) {
        for (std::uint32_t i = 0; i < elements; ++i) {
            Element element = k.read(0, k.instance * elements + elements - 1 - i);
            element[0] += k.instance;
            k.write(0, i, element);
        }
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

/// Writes record numbers to `a`, then `a` to `b`, then a part of `a` to `b` again.
StreamProgram records_program(Backend backend, Layout layout, std::uint32_t words, std::uint32_t elements,
                              std::uint32_t records, const Substream& part) {
    Kernel fill;
    fill.name = "fill";
    fill.elements_per_instance = elements;
    fill.outputs = {{.name = "target", .words = words, .elements = elements}};
    const std::string type = words == 1 ? "uint" : fmt::format("uvec{}", words);
    fill.source = fmt::format(
        "void glsort_kernel(glsort_Index instance) {{\n"
        "    for (uint k = 0u; k < {0}u; ++k) {{\n"
        "        uint seed = (glsort_number_of(instance) * {0}u + k) * 2654435761u;\n"
        "        glsort_target_write({1}{2});\n"
        "    }}\n"
        "}}\n",
        elements, elements == 1 ? "" : "k, ",
        words == 1   ? "seed"
        : words == 2 ? "uvec2(seed, seed ^ 1u)"
        : words == 3 ? "uvec3(seed, seed ^ 1u, seed ^ 2u)"
                     : "uvec4(seed, seed ^ 1u, seed ^ 2u, seed ^ 3u)");
    fill.cpu = [elements](CpuInvocation& k) {
        for (std::uint32_t i = 0; i < elements; ++i) {
            const std::uint32_t seed = (k.instance * elements + i) * 2654435761u;
            k.write(0, i, {seed, seed ^ 1u, seed ^ 2u, seed ^ 3u});
        }
    };
    StreamProgram program;
    program.algorithm = "test";
    program.variant = "records";
    program.backend = backend;
    program.layout = stream_layout(layout, records);
    program.n = records;
    for (const char* name : {"a", "b"})
        program.streams.push_back({.name = name,
                                   .medium = backend == Backend::fragment ? Medium::texture : Medium::buffer,
                                   .words = words,
                                   .elements_per_record = elements,
                                   .records = records,
                                   .layout = program.layout});
    const Substream all = Substream::range(0, records);
    const auto add = [&](const KernelPtr& kernel, const Substream& domain, std::vector<StreamUse> reads,
                         StreamId target) {
        Op op;
        op.kernel = kernel;
        op.domain = domain;
        op.reads = std::move(reads);
        op.writes = {{target, domain}};
        program.ops.push_back(std::move(op));
    };
    const auto reverse = reverse_kernel(words, elements);
    // Reads by fours need a number of elements that is a multiple of four.
    const bool by_fours = words == 1 && std::uint64_t{records} * elements % 4 == 0;
    add(std::make_shared<Kernel>(std::move(fill)), all, {}, 0);
    add(reverse, all, {{0, all}}, 1);
    add(reverse, part, {{1, all}}, 0);
    add(reverse_kernel(words, elements, by_fours), part, {{0, all}}, 1);
    return program;
}

/// The first record of either stream that differs from the cpu's after the whole program. Records outside the part must
/// not change.
std::string compare_streams(const std::shared_ptr<const gl::Api>& api, Backend backend, const StreamProgram& program,
                            const Limits& limits) {
    const auto executor = make_executor(api, backend);
    Scheduler gl_scheduler(*executor);
    gl_scheduler.prepare(program, limits);
    gl_scheduler.run();
    CpuExecutor cpu_executor;
    Scheduler cpu_scheduler(cpu_executor);
    cpu_scheduler.prepare(program, limits);
    cpu_scheduler.run();
    for (StreamId id = 0; id < program.streams.size(); ++id)
        if (gl_scheduler.read(id) != cpu_scheduler.read(id)) return program.streams[id].name;
    return "";
}

TEST_CASE("records of several elements and words, substreams of several blocks", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        const Limits limits = gl::query_limits(api);
        for (const Backend backend : backends_of(tier))
            for (const Layout layout : {Layout::row_wise, Layout::z_order})
                for (const std::uint32_t words : {1u, 2u, 3u, 4u})
                    for (const std::uint32_t elements : {1u, 2u, 3u, 4u, 8u, 16u}) {
                        const auto records = static_cast<std::uint32_t>(1 + random() % 300);
                        std::vector<Block> blocks;
                        for (std::uint32_t at = random() % 8; at < records;) {
                            const auto length = static_cast<std::uint32_t>(1 + random() % 60);
                            blocks.push_back({at, std::min(at + length, records)});
                            at += length + 1 + static_cast<std::uint32_t>(random() % 40);
                        }
                        if (blocks.empty()) blocks.push_back({0, 1});
                        StreamProgram program =
                            records_program(backend, layout, words, elements, records, Substream(blocks));
                        if (backend == Backend::compute)
                            for (Stream& stream : program.streams)
                                stream.padding = some_padding(random);
                        if (backend == Backend::fragment && program.streams[0].layers() > limits.attachments) continue;
                        INFO(tier_name(tier)
                             << ", " << to_string(backend) << ", " << to_string(layout) << ", " << words << " words, "
                             << elements << " elements, " << records << " records, " << blocks.size()
                             << " blocks, padding of " << program.streams[0].padding.length << " behind every "
                             << program.streams[0].padding.run);
                        const auto executor = make_executor(api, backend);
                        check_in_lockstep(api, *executor, program, limits, {});
                        CHECK(compare_streams(api, backend, program, limits) == "");
                    }
        context.require_clean("records");
    }
}

TEST_CASE("limits come from what the context reports, framebuffers tried", "[exec]") {
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        GLint buffers = 0;
        context.driver().GetIntegerv(GL_MAX_DRAW_BUFFERS, &buffers);
        CHECK(gl::query_limits(api).attachments == (buffers >= 8 ? 8 : 4));
        for (const GLint most : {1, 2, 3, 4, 7}) {
            context.limit(GL_MAX_DRAW_BUFFERS, most);
            const std::uint32_t expected = most >= 4 ? 4 : most >= 2 ? 2 : 1;
            CHECK(gl::query_limits(api).attachments == expected);
        }
        context.unlimit();
        context.require_clean("limits");
    }
}

TEST_CASE("a kernel whose records need more attachments than there are is refused", "[exec]") {
    TestContext& context = test::context(is_there(Tier::gl33) ? Tier::gl33 : Tier::es30);
    const auto api = api_of(context);
    Limits limits = gl::query_limits(api);
    limits.attachments = 4;
    const StreamProgram program =
        records_program(Backend::fragment, Layout::row_wise, 2, 16, 10, Substream::range(0, 10));
    FragmentExecutor executor(api, {});
    Scheduler scheduler(executor);
    CHECK_THROWS_WITH(scheduler.prepare(program, limits), Catch::Contains("8 attachments; the limit is 4"));
}

TEST_CASE("one op is one draw or one dispatch, however many blocks its substream has", "[exec]") {
    if (skipped_without(Tier::gl45)) return;
    TestContext& context = test::context(Tier::gl45);
    static int draws = 0;
    static int dispatches = 0;
    static gl::Api original;
    auto api = std::make_shared<gl::Api>(*api_of(context));
    original = *api;
    api->DrawArrays = [](GLenum mode, GLint first, GLsizei count) {
        ++draws;
        original.DrawArrays(mode, first, count);
    };
    api->DispatchCompute = [](GLuint x, GLuint y, GLuint z) {
        ++dispatches;
        original.DispatchCompute(x, y, z);
    };
    const Substream part({{1, 2}, {4, 9}, {11, 30}, {40, 47}});
    for (const Layout layout : {Layout::row_wise, Layout::z_order}) {
        draws = dispatches = 0;
        compare_streams(api, Backend::fragment, records_program(Backend::fragment, layout, 2, 1, 50, part), Limits{});
        CHECK(draws == 4);
        CHECK(dispatches == 0);
        draws = 0;
        compare_streams(api, Backend::compute, records_program(Backend::compute, layout, 2, 1, 50, part), Limits{});
        CHECK(draws == 0);
        CHECK(dispatches == 4);
    }
    context.require_clean("draws");
}

TEST_CASE("compute places a memory barrier where the schedule has one, and nowhere else", "[exec]") {
    if (skipped_without(Tier::gl45)) return;
    TestContext& context = test::context(Tier::gl45);
    static int barriers = 0;
    static gl::Api original;
    auto api = std::make_shared<gl::Api>(*api_of(context));
    original = *api;
    api->MemoryBarrier = [](GLbitfield bits) {
        ++barriers;
        original.MemoryBarrier(bits);
    };
    const StreamProgram program =
        records_program(Backend::compute, Layout::row_wise, 1, 1, 50, Substream({{1, 2}, {4, 9}}));
    ComputeExecutor executor(api, {});
    Scheduler scheduler(executor);
    scheduler.prepare(program, Limits{});
    for (std::size_t op = 0; op < program.ops.size(); ++op) {
        barriers = 0;
        scheduler.step();
        CHECK(barriers == (scheduler.schedule().ops[op].barrier ? 1 : 0));
    }
    // Each of these ops reads the output of the previous op.
    const std::vector<bool> expected{false, true, true, true};
    for (std::size_t op = 0; op < expected.size(); ++op)
        CHECK(scheduler.schedule().ops[op].barrier == expected[op]);
}

TEST_CASE("a dispatch of more groups than one dimension holds takes two", "[exec]") {
    if (skipped_without(Tier::gl45)) return;
    TestContext& context = test::context(Tier::gl45);
    context.limit(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 3);
    // The driver itself takes more groups than the limit, so the calls tell.
    static GLuint most_x = 0;
    static GLuint most_y = 0;
    static gl::Api original;
    most_x = most_y = 0;
    auto api = std::make_shared<gl::Api>(*api_of(context));
    original = *api;
    api->DispatchCompute = [](GLuint x, GLuint y, GLuint z) {
        most_x = std::max(most_x, x);
        most_y = std::max(most_y, y);
        original.DispatchCompute(x, y, z);
    };
    const StreamProgram program =
        records_program(Backend::compute, Layout::row_wise, 1, 1, 2000, Substream({{0, 700}, {800, 1999}}));
    CHECK(compare_streams(api, Backend::compute, program, Limits{}) == "");
    CHECK(most_x <= 3);
    CHECK(most_y > 1);
    context.unlimit();
    context.require_clean("two dimensions");
}

}  // namespace
}  // namespace glsort::test
