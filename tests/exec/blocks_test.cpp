#include <glsort/error.h>
#include <glsort/stream/cpu_invocation.h>
#include <glsort/stream/validate.h>

#include <random>

#include "exec/lockstep.h"
#include "support/random.h"

/// Parameters of an op's blocks, and ops that read and write different records of a stream. Toy kernels replace the
/// sorts that use these features.

namespace glsort::test {
namespace {

constexpr std::uint32_t toy_records = 256;

KernelPtr fill_toy(std::uint32_t elements) {
    Kernel kernel;
    kernel.name = "fill_toy";
    kernel.elements_per_instance = elements;
    kernel.outputs = {{.name = "target", .words = 2, .elements = elements}};
    kernel.source = fmt::format(
        "void glsort_kernel(glsort_Index instance) {{\n"
        "    for (uint k = 0u; k < {0}u; ++k)\n"
        "        glsort_target_write({1}uvec2(glsort_number_of(instance) * 2654435761u, k));\n"
        "}}\n",
        elements, elements == 1 ? "" : "k, ");
    kernel.cpu = [elements](CpuInvocation& k) {
        for (std::uint32_t i = 0; i < elements; ++i)
            k.write(0, i, {k.instance * 2654435761u, i});
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

/// Each instance reads the record number `instance ^ mask`. The other words that it writes show all its parameters. The
/// mask is a parameter of the op, or of its blocks.
KernelPtr mask_toy(std::uint32_t elements, bool of_blocks) {
    Kernel kernel;
    kernel.name = of_blocks ? "mask_of_block_toy" : "mask_toy";
    kernel.elements_per_instance = elements;
    kernel.inputs = {{.name = "source", .access = Access::gather, .words = 2, .elements = elements}};
    kernel.outputs = {{.name = "target", .words = 2, .elements = elements}};
    kernel.parameters = {{"all", Parameter::Kind::number}, {"place", Parameter::Kind::index}};
    std::vector<Parameter>& more = of_blocks ? kernel.block_parameters : kernel.parameters;
    for (const Parameter& parameter :
         {Parameter{"value", Parameter::Kind::number}, Parameter{"mask", Parameter::Kind::index},
          Parameter{"third", Parameter::Kind::number}})
        more.push_back(parameter);
    kernel.source = fmt::format(
        "void glsort_kernel(glsort_Index instance) {{\n"
        "    for (uint k = 0u; k < {0}u; ++k) {{\n"
        "        uvec2 element = glsort_source_read(instance ^ glsort_op_mask{1}{2});\n"
        "        element.x = element.x * 3u + glsort_op_value + glsort_op_all;\n"
        "        element.y = element.y + glsort_number_of(glsort_op_mask) + glsort_op_third * "
        "glsort_number_of(instance ^ glsort_op_place);\n"
        "        glsort_target_write({2}{1}element);\n"
        "    }}\n"
        "}}\n",
        elements, elements == 1 ? "" : ", ", elements == 1 ? "" : "k");
    kernel.cpu = [elements, of_blocks](CpuInvocation& k) {
        const auto own = [&](std::size_t i) { return of_blocks ? k.block_parameter(i) : k.parameter(2 + i); };
        for (std::uint32_t i = 0; i < elements; ++i) {
            Element element = k.read(0, (k.instance ^ own(1)) * elements + i);
            element[0] = element[0] * 3 + own(0) + k.parameter(0);
            element[1] += own(1) + own(2) * (k.instance ^ k.parameter(1));
            k.write(0, i, element);
        }
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

/// Scratch streams "a" and "b". All of "a" is filled.
StreamProgram toy_blocks_program(Backend backend, Layout layout, std::uint32_t elements) {
    StreamProgram program;
    program.algorithm = "test";
    program.variant = "blocks";
    program.backend = backend;
    program.layout = stream_layout(layout, toy_records);
    program.n = toy_records;
    for (const char* name : {"a", "b"})
        program.streams.push_back({.name = name,
                                   .medium = backend == Backend::fragment ? Medium::texture : Medium::buffer,
                                   .words = 2,
                                   .elements_per_record = elements,
                                   .records = toy_records,
                                   .layout = program.layout});
    Op op;
    op.kernel = fill_toy(elements);
    op.domain = Substream::range(0, toy_records);
    op.writes = {{0, op.domain}};
    program.ops.push_back(std::move(op));
    return program;
}

/// Up to `most` blocks. Some blocks are adjacent.
Substream toy_blocks(std::mt19937_64& random, std::size_t most) {
    std::vector<Block> blocks;
    std::uint32_t at = static_cast<std::uint32_t>(random() % 9);
    while (blocks.size() < most && at < toy_records) {
        const auto end = std::min(toy_records, at + 1 + static_cast<std::uint32_t>(random() % 20));
        blocks.push_back({at, end});
        at = end + static_cast<std::uint32_t>(random() % 9);
    }
    return Substream(blocks);
}

/// The records whose number has bit `bit` set, or the records whose number has not.
Substream records_with(std::uint32_t bit, bool set) {
    std::vector<Block> blocks;
    for (std::uint32_t at = set ? bit : 0; at < toy_records; at += 2 * bit)
        blocks.push_back({at, at + bit});
    return Substream(blocks);
}

TEST_CASE("every block of a domain has parameters of its own", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto word = [&] { return static_cast<std::uint32_t>(random()); };
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        const Limits limits = gl::query_limits(api);
        for (const Backend backend : backends_of(tier))
            for (const Layout layout : {Layout::row_wise, Layout::z_order})
                for (const std::uint32_t elements : {1u, 2u}) {
                    const auto executor = make_executor(api, backend);
                    StreamProgram program = toy_blocks_program(backend, layout, elements);
                    const auto kernel = mask_toy(elements, true);
                    for (const std::size_t most : {1u, 2u, 3u, 5u, 9u}) {
                        Op op;
                        op.kernel = kernel;
                        op.domain = toy_blocks(random, most);
                        op.reads = {{0, Substream::range(0, toy_records)}};
                        op.writes = {{1, op.domain}};
                        op.parameters = {word(), word() % toy_records};
                        for (std::size_t b = 0; b < op.domain.blocks().size(); ++b)
                            op.blocks.push_back({{word(), word() % toy_records, word()}, {}});
                        program.ops.push_back(std::move(op));
                    }
                    INFO(tier_name(tier) << ", " << to_string(backend) << ", " << to_string(layout) << ", " << elements
                                         << " elements");
                    check_in_lockstep(api, *executor, program, limits, {});
                }
        context.require_clean("parameters of blocks");
    }
}

/// Ops that replace one half of stream "a" by values that depend on the other half.
StreamProgram in_place_program(Backend backend, Layout layout, std::uint32_t elements, std::mt19937_64& random) {
    StreamProgram program = toy_blocks_program(backend, layout, elements);
    const auto kernel = mask_toy(elements, false);
    for (int i = 0; i < 8; ++i) {
        const std::uint32_t bit = 1u << random() % 8;
        const bool set = random() % 2 == 0;
        Op op;
        op.kernel = kernel;
        op.domain = records_with(bit, set);
        op.reads = {{0, records_with(bit, !set)}};
        op.writes = {{0, op.domain}};
        const std::uint32_t mask = (static_cast<std::uint32_t>(random()) % toy_records) | bit;
        op.parameters = {static_cast<std::uint32_t>(random()), 1, 5, mask, 7};
        program.ops.push_back(std::move(op));
    }
    return program;
}

TEST_CASE("an op reads other records of a stream than it writes, in one storage", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        const Limits limits = gl::query_limits(api);
        for (const Backend backend : backends_of(tier))
            for (const Layout layout : {Layout::row_wise, Layout::z_order})
                for (const std::uint32_t elements : {1u, 2u, 4u}) {
                    INFO(tier_name(tier) << ", " << to_string(backend) << ", " << to_string(layout) << ", " << elements
                                         << " elements");
                    const StreamProgram program = in_place_program(backend, layout, elements, random);
                    const auto executor = make_executor(api, backend);
                    if (backend == Backend::fragment && !limits.texture_barrier) {
                        Scheduler scheduler(*executor);
                        CHECK_THROWS_WITH(scheduler.prepare(program, limits), Catch::Contains("texture barriers"));
                        continue;
                    }
                    for (std::size_t op = 1; op < program.ops.size(); ++op)
                        CHECK(reads_in_place(program, program.ops[op], 0).has_value());
                    CHECK(make_schedule(program).storages.size() == program.streams.size());
                    check_in_lockstep(api, *executor, program, limits, {});
                }
        context.require_clean("in place");
    }
}

TEST_CASE("a texture barrier stands before each op in place, and nowhere else", "[exec]") {
    if (skipped_without(Tier::gl45)) return;
    TestContext& context = test::context(Tier::gl45);
    static int barriers = 0;
    static gl::Api original;
    auto api = std::make_shared<gl::Api>(*api_of(context));
    original = *api;
    api->TextureBarrier = [] {
        ++barriers;
        original.TextureBarrier();
    };
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const StreamProgram program = in_place_program(Backend::fragment, Layout::row_wise, 2, random);
    FragmentExecutor executor(api, {});
    Scheduler scheduler(executor);
    scheduler.prepare(program, gl::query_limits(api));
    for (std::size_t op = 0; op < program.ops.size(); ++op) {
        barriers = 0;
        scheduler.step();
        CHECK(barriers == (op == 0 ? 0 : 1));
    }
    context.require_clean("texture barriers");
}

}  // namespace
}  // namespace glsort::test
