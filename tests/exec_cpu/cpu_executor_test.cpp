#include <glsort/error.h>
#include <glsort/exec/cpu_executor.h>
#include <glsort/plan/key_code.h>
#include <glsort/stream/cpu_invocation.h>
#include <glsort/stream/scheduler.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "stream/random_program.h"
#include "stream/toy_program.h"
#include "support/distributions.h"
#include "support/random.h"

using namespace glsort;
using namespace glsort::test;
using Catch::Contains;

namespace {

using Words = std::vector<std::uint32_t>;

std::shared_ptr<Kernel> copy() {
    return toy_kernel("toy_copy", {port(Access::linear)}, {port(Access::linear)},
                      [](CpuInvocation& k) { k.write(0, 0, k.read(0, k.instance)); });
}

Words numbers(std::uint32_t first, std::uint32_t count) {
    Words words(count);
    for (std::uint32_t i = 0; i < count; ++i)
        words[i] = first + i;
    return words;
}

std::uint32_t mixed(std::uint32_t hash, std::uint32_t word) {
    return (hash ^ word) * 0x9e3779b1u + (hash >> 15);
}

// Sorts the four keys of each record by odd-even transposition.
std::shared_ptr<Kernel> sort_four() {
    auto kernel =
        toy_kernel("toy_sort_four", {port(Access::linear, 1, 4)}, {port(Access::linear, 1, 4)}, [](CpuInvocation& k) {
            std::array<Element, 4> keys;
            for (std::uint32_t i = 0; i < 4; ++i)
                keys[i] = k.read(0, 4 * k.instance + i);
            for (std::uint32_t round = 0; round < 4; ++round)
                for (std::uint32_t i = round % 2; i + 1 < 4; i += 2)
                    if (k.precedes(keys[i + 1], keys[i])) std::swap(keys[i], keys[i + 1]);
            for (std::uint32_t i = 0; i < 4; ++i)
                k.write(0, i, keys[i]);
        });
    kernel->elements_per_instance = 4;
    return kernel;
}

}  // namespace

TEST_CASE("instances run over the blocks of a substream, and nowhere else", "[exec_cpu]") {
    ToyProgram toy(Backend::cpu);
    const StreamId input = toy.add("input", StreamRole::input);
    const StreamId output = toy.add("output", StreamRole::output);
    const Substream some({{0, 1}, {3, 6}, {6, 7}, {15, 16}});
    toy.run(copy(), {{input, some}}, {{output, some}});
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(toy.program, {});
    Words in = numbers(100, 16);
    Words out(16, 7);
    executor.bind(input, in);
    executor.bind(output, out);
    scheduler.run();
    for (std::uint32_t i = 0; i < 16; ++i) {
        const bool there = i == 0 || (i >= 3 && i < 7) || i == 15;
        CHECK(out[i] == (there ? 100 + i : 7));
    }
}

TEST_CASE("a kernel without a cpu body is refused by its name", "[exec_cpu]") {
    ToyProgram toy(Backend::cpu);
    const StreamId input = toy.add("input", StreamRole::input);
    const StreamId output = toy.add("output", StreamRole::output);
    toy.run(linear(), {{input, all_16}}, {{output, all_16}});
    CpuExecutor executor;
    Scheduler scheduler(executor);
    CHECK_THROWS_WITH(scheduler.prepare(toy.program, {}), "CpuExecutor::resolve: kernel toy_linear has no cpu body");
}

TEST_CASE("streams of several blocks pass through a program", "[exec_cpu]") {
    // Even blocks of two records go through stream a, odd blocks through b. Then both are joined.
    ToyProgram toy(Backend::cpu);
    const StreamId input = toy.add("input", StreamRole::input);
    const StreamId output = toy.add("output", StreamRole::output);
    const StreamId a = toy.add("a");
    const StreamId b = toy.add("b");
    const Substream even({{0, 2}, {4, 6}, {8, 10}, {12, 14}});
    const Substream odd({{2, 4}, {6, 8}, {10, 12}, {14, 16}});
    const auto increment = toy_kernel("toy_increment", {port(Access::gather)}, {port(Access::linear)},
                                      [](CpuInvocation& k) { k.write(0, 0, {k.read(0, k.instance)[0] + 1}); });
    toy.run(copy(), {{input, even}}, {{a, even}});
    toy.run(copy(), {{input, odd}}, {{b, odd}});
    toy.run(increment, {{a, even}}, {{a, even}});
    toy.run(increment, {{b, odd}}, {{b, odd}});
    toy.run(increment, {{b, odd}}, {{b, odd}});
    toy.run(copy(), {{b, odd}}, {{a, odd}});
    toy.run(copy(), {{a, all_16}}, {{output, all_16}});
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(toy.program, {});
    // Two copies of a and of b.
    CHECK(scheduler.schedule().storages.size() == 6);
    Words in = numbers(100, 16);
    Words out(16, 7);
    executor.bind(input, in);
    executor.bind(output, out);
    scheduler.run();
    for (std::uint32_t i = 0; i < 16; ++i)
        CHECK(out[i] == 100 + i + (i / 2 % 2 == 0 ? 1 : 2));
    // Runs step by step, and reads a half-written stream.
    scheduler.restart();
    for (int i = 0; i < 4; ++i)
        REQUIRE(scheduler.step());
    CHECK(scheduler.done() == 4);
    const Words half = scheduler.read(b);
    for (const Block& block : odd.blocks())
        for (std::uint32_t i = block.begin; i < block.end; ++i)
            CHECK(half[i] == 101 + i);
}

TEST_CASE("random programs do what their ops say, one after the other", "[exec_cpu]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    // Each output word is a hash of all words that the op may read, in order. Tests the programs of all backends.
    for (int round = 0; round < 300; ++round) {
        const Backend backend =
            std::array{Backend::fragment, Backend::compute, Backend::cpu}[static_cast<std::size_t>(round % 3)];
        CAPTURE(round, to_string(backend));
        const auto kernel = [](std::vector<Port> inputs, std::vector<Port> outputs) {
            return toy_kernel("toy", std::move(inputs), std::move(outputs));
        };
        ToyProgram toy = random_program(random, backend, 25, kernel);
        for (Op& op : toy.program.ops) {
            const auto bound = std::make_shared<Kernel>(*op.kernel);
            bound->cpu = [inputs = bound->inputs, outputs = bound->outputs.size(), reads = op.reads](CpuInvocation& k) {
                std::uint32_t hash = k.instance;
                for (std::size_t i = 0; i < inputs.size(); ++i) {
                    if (inputs[i].access == Access::linear) {
                        hash = mixed(hash, k.read(i, k.instance)[0]);
                        continue;
                    }
                    for (const Block& block : reads[i].records.blocks())
                        for (std::uint32_t r = block.begin; r < block.end; ++r)
                            hash = mixed(hash, k.read(i, r)[0]);
                }
                for (std::size_t o = 0; o < outputs; ++o)
                    k.write(o, 0, {mixed(hash, static_cast<std::uint32_t>(o))});
            };
            op.kernel = bound;
        }
        const StreamProgram& program = toy.program;

        CpuExecutor executor;
        Scheduler scheduler(executor);
        scheduler.prepare(program, {});
        // The contents of the streams by definition: one copy per stream, and all reads of an op before its writes.
        std::vector<Words> memory, bound;
        std::vector<std::vector<bool>> known;
        for (const Stream& stream : program.streams) {
            memory.push_back(numbers(static_cast<std::uint32_t>(random()), stream.records));
            known.emplace_back(stream.records, stream.role != StreamRole::scratch);
        }
        bound = memory;
        for (StreamId id = 0; id < program.streams.size(); ++id)
            if (program.streams[id].role != StreamRole::scratch) executor.bind(id, bound[id]);

        for (const Op& op : program.ops) {
            REQUIRE(scheduler.step());
            const std::vector<Words> before = memory;
            for (const Block& block : op.domain.blocks())
                for (std::uint32_t r = block.begin; r < block.end; ++r) {
                    std::uint32_t hash = r;
                    for (std::size_t i = 0; i < op.reads.size(); ++i) {
                        const Words& stream = before[op.reads[i].stream];
                        if (op.kernel->inputs[i].access == Access::linear) {
                            hash = mixed(hash, stream[r]);
                            continue;
                        }
                        for (const Block& read : op.reads[i].records.blocks())
                            for (std::uint32_t k = read.begin; k < read.end; ++k)
                                hash = mixed(hash, stream[k]);
                    }
                    for (std::size_t o = 0; o < op.writes.size(); ++o) {
                        memory[op.writes[o].stream][r] = mixed(hash, static_cast<std::uint32_t>(o));
                        known[op.writes[o].stream][r] = true;
                    }
                }
            // Every stream, between every two steps.
            for (StreamId id = 0; id < program.streams.size(); ++id) {
                const Words now = scheduler.read(id);
                REQUIRE(now.size() == memory[id].size());
                for (std::size_t r = 0; r < now.size(); ++r)
                    if (known[id][r] && now[r] != memory[id][r])
                        FAIL(program.streams[id].name << "[" << r << "] after op " << scheduler.done() - 1);
            }
        }
        REQUIRE_FALSE(scheduler.step());
    }
}

TEST_CASE("records of several elements", "[exec_cpu]") {
    const test::Seed seed;
    for (const Backend backend : {Backend::cpu, Backend::compute, Backend::fragment}) {
        CAPTURE(to_string(backend));
        ToyProgram toy(backend);
        const StreamId input = toy.add("input", StreamRole::input);
        const StreamId sorted = toy.add("sorted");
        const StreamId output = toy.add("output", StreamRole::output);
        for (Stream& stream : toy.program.streams)
            stream.elements_per_record = 4;
        const Substream some({{0, 5}, {9, 16}});
        toy.run(sort_four(), {{input, some}}, {{sorted, some}});
        toy.run(sort_four(), {{sorted, some}}, {{sorted, some}});  // The records that the op reads.
        toy.run(sort_four(), {{sorted, some}}, {{output, some}});
        CpuExecutor executor;
        Scheduler scheduler(executor);
        scheduler.prepare(toy.program, {});
        Words in = demo::make_keys32(demo::Distribution::uniform, KeyType::u32, 64, seed.value());
        Words out(64, 7);
        executor.bind(input, in);
        executor.bind(output, out);
        REQUIRE(scheduler.step());
        Words expected = in;
        for (std::ptrdiff_t i = 0; i < 64; i += 4)
            std::sort(expected.begin() + i, expected.begin() + i + 4);
        const Words first = scheduler.read(sorted);
        CHECK(first.size() == 64);
        CHECK(std::equal(first.begin(), first.begin() + 20, expected.begin()));
        while (scheduler.step()) {
        }
        CHECK(std::equal(out.begin(), out.begin() + 20, expected.begin()));
        CHECK(std::equal(out.begin() + 36, out.end(), expected.begin() + 36));
        CHECK(Words(out.begin() + 20, out.begin() + 36) == Words(16, 7));
        CHECK(executor.comparisons() == 3 * 12 * 6);
    }
}

TEST_CASE("elements of several words", "[exec_cpu]") {
    for (std::uint32_t words = 1; words <= 4; ++words) {
        CAPTURE(words);
        ToyProgram toy(Backend::cpu);
        const StreamId input = toy.add("input", StreamRole::input);
        const StreamId output = toy.add("output", StreamRole::output);
        for (Stream& stream : toy.program.streams)
            stream.words = words;
        const auto reverse = toy_kernel("toy_reverse", {port(Access::gather, words)}, {port(Access::scatter, words)},
                                        [](CpuInvocation& k) { k.scatter(0, 15 - k.instance, k.read(0, k.instance)); });
        toy.run(reverse, {{input, all_16}}, {{output, all_16}});
        CpuExecutor executor;
        Scheduler scheduler(executor);
        scheduler.prepare(toy.program, {});
        Words in = numbers(100, 16 * words);
        Words out(16 * words);
        executor.bind(input, in);
        executor.bind(output, out);
        scheduler.run();
        for (std::uint32_t i = 0; i < 16; ++i)
            for (std::uint32_t w = 0; w < words; ++w)
                CHECK(out[(15 - i) * words + w] == in[i * words + w]);
    }
}

TEST_CASE("groups are called once each and share by addition", "[exec_cpu]") {
    ToyProgram toy(Backend::cpu);
    const StreamId sums = toy.add("sums", StreamRole::in_place, 2);
    const StreamId calls = toy.add("calls", StreamRole::output, 4);
    auto kernel = toy_kernel("toy_group", {}, {port(Access::shared), port(Access::linear)}, [](CpuInvocation& k) {
        const std::uint32_t before = k.add(0, k.instance % 2, 10);
        k.write(1, 0, {before});
    });
    kernel->group_size = 32;
    toy.run(kernel, {}, {{sums, range(0, 2)}, {calls, range(0, 4)}}, range(0, 4));
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(toy.program, {});
    Words in = {1, 2};
    Words out(4, 7);
    executor.bind(sums, in);
    executor.bind(calls, out);
    scheduler.run();
    CHECK(in == Words{21, 22});
    CHECK(out == Words{1, 2, 11, 12});
}

TEST_CASE("chunks stand for port 0 and keep the others in order", "[exec_cpu]") {
    ToyProgram toy(Backend::cpu);
    const StreamId keys = toy.add("keys", StreamRole::input);
    const StreamId table = toy.add("table", StreamRole::input);
    const StreamId values = toy.add("values", StreamRole::input);
    const StreamId first = toy.add("first", StreamRole::output);
    const StreamId second = toy.add("second", StreamRole::output);
    const StreamId third = toy.add("third", StreamRole::output);
    const auto kernel = toy_kernel("toy", {port(Access::gather), port(Access::gather)},
                                   {port(Access::linear), port(Access::linear)}, [](CpuInvocation& k) {
                                       k.write(0, 0, {k.read(0, 15 - k.instance)[0] + k.read(1, k.instance)[0]});
                                       k.write(1, 0, {k.read(1, 0)[0]});
                                   });
    auto load = std::make_shared<Chunk>();
    load->name = "toy_load";
    load->inputs = {port(Access::gather)};
    load->load = [](CpuInvocation& k, std::uint32_t index) { return Element{10 * k.read(0, index)[0]}; };
    auto store = std::make_shared<Chunk>();
    store->name = "toy_store";
    store->inputs = {port(Access::gather)};
    store->outputs = {port(Access::linear), port(Access::linear)};
    store->store = [](CpuInvocation& k, std::uint32_t index, const Element& element) {
        k.write(0, 0, element);
        k.write(1, 0, {k.read(0, index)[0] + index});
    };
    Op& op = toy.run(kernel, {{table, all_16}, {keys, all_16}, {values, all_16}},
                     {{first, all_16}, {second, all_16}, {third, all_16}});
    op.load = load;
    op.store = store;
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(toy.program, {});
    Words k = numbers(100, 16), t = numbers(1, 16), v = numbers(5000, 16);
    Words out1(16), out2(16), out3(16);
    executor.bind(keys, k);
    executor.bind(table, t);
    executor.bind(values, v);
    executor.bind(first, out1);
    executor.bind(second, out2);
    executor.bind(third, out3);
    scheduler.run();
    for (std::uint32_t i = 0; i < 16; ++i) {
        CHECK(out1[i] == 1);
        CHECK(out2[i] == 10 * (115 - i) + 1 + i);
        CHECK(out3[i] == 5000 + 2 * i);
    }
}

TEST_CASE("a body that reaches past a stream is told so", "[exec_cpu]") {
    const auto run = [](std::function<void(CpuInvocation&)> body) {
        ToyProgram toy(Backend::cpu);
        const StreamId input = toy.add("input", StreamRole::input);
        const StreamId output = toy.add("output", StreamRole::output);
        toy.run(toy_kernel("toy", {port(Access::gather)}, {port(Access::scatter)}, std::move(body)), {{input, all_16}},
                {{output, all_16}});
        CpuExecutor executor;
        Scheduler scheduler(executor);
        scheduler.prepare(toy.program, {});
        Words in(20), out(16);  // More memory than the stream has records.
        executor.bind(input, in);
        executor.bind(output, out);
        scheduler.run();
    };
    CHECK_THROWS_AS(run([](CpuInvocation& k) { k.read(0, 16); }), Error);
    CHECK_THROWS_WITH(run([](CpuInvocation& k) { k.read(0, 16); }),
                      Contains("element 16") && Contains("input, which has 16"));
    CHECK_THROWS_WITH(run([](CpuInvocation& k) { k.scatter(0, 16, {}); }),
                      Contains("element 16") && Contains("output"));
    CHECK_THROWS_WITH(run([](CpuInvocation& k) { k.add(0, 0xffffffffu, 1); }), Contains("element 4294967295"));
    CHECK_NOTHROW(run([](CpuInvocation& k) { k.scatter(0, 15, k.read(0, 15)); }));
}

TEST_CASE("memory is bound to the caller's streams, and long enough", "[exec_cpu]") {
    ToyProgram toy(Backend::cpu);
    const StreamId input = toy.add("input", StreamRole::input);
    const StreamId a = toy.add("a");
    toy.run(copy(), {{input, all_16}}, {{a, all_16}});
    CpuExecutor executor;
    Words words(16);
    CHECK_THROWS_AS(executor.bind(input, words), Error);  // Before resolve.
    Scheduler scheduler(executor);
    scheduler.prepare(toy.program, {});
    CHECK_THROWS_WITH(scheduler.read(input), Contains("input") && Contains("no memory"));
    CHECK_THROWS_WITH(scheduler.run(), Contains("input"));
    CHECK_THROWS_WITH(executor.bind(a, words), Contains("stream 1"));
    CHECK_THROWS_WITH(executor.bind(9, words), Contains("stream 9"));
    Words few(15);
    CHECK_THROWS_WITH(executor.bind(input, few), Contains("15 words") && Contains("needs 16"));
    CHECK_NOTHROW(executor.bind(input, words));
    CHECK_NOTHROW(scheduler.run());
}

TEST_CASE("a program that is not valid is not prepared", "[exec_cpu]") {
    ToyProgram toy(Backend::cpu);
    const StreamId input = toy.add("input", StreamRole::input);
    const StreamId a = toy.add("a");
    toy.run(copy(), {{input, all_16}}, {{a, all_16}});
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(toy.program, {});
    ToyProgram broken = toy;
    broken.run(copy(), {{a, all_16}}, {{input, all_16}});
    CHECK_THROWS_AS(scheduler.prepare(broken.program, {}), Error);
    // The previous program is still there.
    CHECK(scheduler.program().ops.size() == 1);
    Words in = numbers(3, 16);
    executor.bind(input, in);
    scheduler.run();
    CHECK(scheduler.read(a) == in);
}

TEST_CASE("in place, an op reads only the records that it says it reads", "[exec_cpu]") {
    // Instances 8 ... 15 read the record `read` of stream a, which they write.
    for (const std::uint32_t read : {0u, 7u, 8u, 15u}) {
        CAPTURE(read);
        ToyProgram toy(Backend::cpu);
        const StreamId input = toy.add("input", StreamRole::input);
        const StreamId a = toy.add("stream_a");
        const StreamId output = toy.add("output", StreamRole::output);
        auto kernel = toy_kernel("toy_in_place", {port(Access::gather)}, {port(Access::linear)},
                                 [](CpuInvocation& k) { k.write(0, 0, {k.read(0, k.parameter(0))[0] + k.instance}); });
        kernel->parameters = {{"read"}};
        toy.run(copy(), {{input, all_16}}, {{a, all_16}});
        toy.run(kernel, {{a, range(0, 8)}}, {{a, range(8, 16)}}).parameters = {read};
        toy.run(copy(), {{a, all_16}}, {{output, all_16}});
        CpuExecutor executor;
        Scheduler scheduler(executor);
        scheduler.prepare(toy.program, {});
        CHECK(scheduler.schedule().storages.size() == 3);
        Words in = numbers(100, 16);
        Words out(16, 0);
        executor.bind(input, in);
        executor.bind(output, out);
        if (read >= 8) {
            // In parallel, another instance may or may not have written the record.
            CHECK_THROWS_AS(scheduler.run(), Error);
            scheduler.restart();
            CHECK_THROWS_WITH(scheduler.run(), Contains("element " + std::to_string(read) + " of stream stream_a"));
            continue;
        }
        scheduler.run();
        for (std::uint32_t i = 0; i < 16; ++i)
            CHECK(out[i] == (i < 8 ? 100 + i : 100 + read + i));
    }
}

TEST_CASE("an instance sees the block parameters of its block", "[exec_cpu]") {
    ToyProgram toy(Backend::cpu);
    const StreamId output = toy.add("output", StreamRole::output);
    auto kernel = toy_kernel("toy_blocks", {}, {port(Access::linear)}, [](CpuInvocation& k) {
        k.write(0, 0, {100 * k.block_parameter(0) + 10 * k.block_parameter(1) + k.parameter(0)});
    });
    kernel->parameters = {{"all"}};
    kernel->block_parameters = {{"first"}, {"second", Parameter::Kind::index}};
    const Substream blocks({{0, 2}, {2, 3}, {5, 9}});
    Op& op = toy.run(kernel, {}, {{output, blocks}});
    op.parameters = {7};
    op.blocks = {{{1, 2}, {}}, {{3, 4}, {}}, {{5, 6}, {}}};
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(toy.program, {});
    Words out(16, 0);
    executor.bind(output, out);
    scheduler.run();
    CHECK(out == Words{127, 127, 347, 0, 0, 567, 567, 567, 567, 0, 0, 0, 0, 0, 0, 0});
}
