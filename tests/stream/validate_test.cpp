#include <glsort/error.h>
#include <glsort/planner.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stream/toy_program.h"

using namespace glsort;
using namespace glsort::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

std::shared_ptr<Kernel> copy() {
    return toy_kernel("toy_copy", {port(Access::linear)}, {port(Access::linear)});
}
std::shared_ptr<Kernel> scatter() {
    return toy_kernel("toy_scatter", {port(Access::linear)}, {port(Access::scatter)});
}
std::shared_ptr<Kernel> shared() {
    return toy_kernel("toy_shared", {port(Access::gather)}, {port(Access::shared)});
}

// A program that writes stream `a` from the input in op 0.
struct Start : ToyProgram {
    explicit Start(Backend backend = Backend::cpu) : ToyProgram(backend) {
        input = add("input", StreamRole::input);
        a = add("stream_a");
        b = add("stream_b");
        output = add("output", StreamRole::output);
        in_place = add("both", StreamRole::in_place);
        run(copy(), {{input, all_16}}, {{a, all_16}});
    }
    StreamId input, a, b, output, in_place;
};

void accept(const ToyProgram& toy, const Limits& limits = {}) {
    CHECK_NOTHROW(validate(toy.program, limits));
}

// Checks that `validate` throws for the last op, with the op's kernel, the stream and the rest of the message.
void refuse(const ToyProgram& toy, const std::string& stream, const std::string& what, const Limits& limits = {}) {
    const std::string op =
        "toy:test, op " + std::to_string(toy.program.ops.size() - 1) + " (" + toy.program.ops.back().kernel->name;
    CHECK_THROWS_AS(validate(toy.program, limits), Error);
    CHECK_THROWS_WITH(validate(toy.program, limits), StartsWith(op) && Contains(stream) && Contains(what));
}

const std::vector<Backend> backends = {Backend::fragment, Backend::compute, Backend::cpu};

}  // namespace

TEST_CASE("valid programs are accepted on every backend", "[stream]") {
    for (const Backend backend : backends) {
        CAPTURE(to_string(backend));
        accept(ToyProgram(backend));
        Start toy(backend);
        toy.run(copy(), {{toy.a, all_16}}, {{toy.b, all_16}});
        toy.run(copy(), {{toy.a, range(0, 4)}}, {{toy.b, range(0, 4)}});
        toy.run(gather(), {{toy.b, all_16}}, {{toy.b, all_16}});
        toy.run(gather(), {{toy.b, range(3, 9)}}, {{toy.output, all_16}});
        accept(toy);
    }
}

TEST_CASE("messages carry the op's labels", "[stream]") {
    Start toy;
    toy.run(copy(), {{toy.b, all_16}}, {{toy.output, all_16}}).labels = {.stage = 3, .step = 1};
    refuse(toy, "stream_b", "op 1 (toy_copy, stage 3, step 1) reads records of stream_b");
}

TEST_CASE("an op must do something", "[stream]") {
    Start toy;
    toy.run(copy(), {{toy.a, {}}}, {{toy.b, {}}});
    refuse(toy, "", "empty domain");
}

TEST_CASE("an op has a value for every parameter", "[stream]") {
    Start toy;
    auto kernel = copy();
    kernel->parameters = {{"first"}, {"second"}};
    Op& op = toy.run(kernel, {{toy.a, all_16}}, {{toy.b, all_16}});
    refuse(toy, "", "has 0 parameters, but its kernel takes 2");
    op.parameters = {1, 2, 3};
    refuse(toy, "", "has 3 parameters, but its kernel takes 2");
    op.parameters = {1, 2};
    accept(toy);
}

TEST_CASE("an op has a use for every port", "[stream]") {
    {
        Start toy;
        toy.run(copy(), {}, {{toy.b, all_16}});
        refuse(toy, "", "reads 0 streams, but its kernel has 1 ports");
    }
    {
        Start toy;
        toy.run(copy(), {{toy.a, all_16}}, {{toy.b, all_16}, {toy.output, all_16}});
        refuse(toy, "", "writes 2 streams, but its kernel has 1 ports");
    }
}

TEST_CASE("uses lie within the program's streams", "[stream]") {
    {
        Start toy;
        toy.run(copy(), {{5, all_16}}, {{toy.b, all_16}});
        refuse(toy, "stream 5 of 5", "reads");
    }
    {
        Start toy;
        toy.run(copy(), {{toy.a, all_16}}, {{99, all_16}});
        refuse(toy, "stream 99 of 5", "writes");
    }
    {
        Start toy;
        toy.run(gather(), {{toy.a, range(8, 17)}}, {{toy.b, all_16}});
        refuse(toy, "stream_a", "reads stream_a up to record 17, past its end at 16");
    }
    {
        Start toy;
        toy.run(scatter(), {{toy.a, all_16}}, {{toy.b, range(0, 20)}}, all_16);
        refuse(toy, "stream_b", "writes stream_b up to record 20, past its end at 16");
    }
}

TEST_CASE("ports fit the elements of their streams", "[stream]") {
    const auto kernel = [](std::uint32_t read, std::uint32_t written) {
        return toy_kernel("toy_words", {port(Access::linear, read)}, {port(Access::linear, written)});
    };
    Start toy;
    toy.program.streams[toy.b].words = 2;
    Op& op = toy.run(kernel(1, 2), {{toy.a, all_16}}, {{toy.b, all_16}});
    accept(toy);
    op.kernel = kernel(2, 2);
    refuse(toy, "stream_a", "reads 2 words of an element of stream_a, which has 1");
    op.kernel = kernel(1, 3);
    refuse(toy, "stream_b", "writes 3 words of an element of stream_b, which has 2");
    // A write of a part of an element would leave the rest unspecified.
    op.kernel = kernel(1, 1);
    refuse(toy, "stream_b", "writes 1 of the 2 words of an element of stream_b");
    // A read of a part is allowed.
    op.kernel = kernel(1, 2);
    toy.run(kernel(1, 1), {{toy.b, all_16}}, {{toy.a, all_16}});
    accept(toy);
}

TEST_CASE("inputs do not write, outputs do not read", "[stream]") {
    for (const Access access : {Access::scatter, Access::shared}) {
        Start toy;
        toy.run(toy_kernel("toy_in", {port(access)}, {port(Access::linear)}), {{toy.a, all_16}}, {{toy.b, all_16}});
        refuse(toy, "stream_a", "with an access that writes");
    }
    Start toy;
    toy.run(toy_kernel("toy_out", {port(Access::linear)}, {port(Access::gather)}), {{toy.a, all_16}},
            {{toy.b, all_16}});
    refuse(toy, "stream_b", "with an access that reads");
}

TEST_CASE("what is read by fours is gathered, in elements of one word", "[stream]") {
    const auto reading = [](Port input) {
        input.by_fours = true;
        return toy_kernel("toy_fours", {std::move(input)}, {port(Access::linear)});
    };
    Start toy;
    toy.run(reading(port(Access::linear)), {{toy.a, all_16}}, {{toy.b, all_16}});
    refuse(toy, "in0", "by fours");
    Start gathering;
    gathering.run(reading(port(Access::gather)), {{gathering.a, all_16}}, {{gathering.b, all_16}});
    accept(gathering);
    for (const std::uint32_t records : {15u, 16u}) {
        Start callers;
        callers.program.streams[callers.input].records = records;
        callers.run(reading(port(Access::gather)), {{callers.input, Substream::first(records)}}, {{callers.b, all_16}});
        callers.program.ops.erase(callers.program.ops.begin());  // The copy of all 16 records.
        if (records == 16)
            accept(callers);
        else
            refuse(callers, "input", "by fours, but its 15 elements are no multiple of 4");
    }
    Start loading;
    loading.run(reading(port(Access::gather)), {}, {{loading.b, all_16}}).load = std::make_shared<Chunk>();
    refuse(loading, "in0", "by fours, but its load chunk gives single elements");
}

TEST_CASE("a linear port uses the records of the domain", "[stream]") {
    for (const std::uint32_t group_size : {1u, 64u}) {
        CAPTURE(group_size);
        auto kernel = copy();
        kernel->group_size = group_size;
        {
            Start toy;
            toy.run(kernel, {{toy.a, range(0, 8)}}, {{toy.b, all_16}});
            refuse(toy, "stream_a", "reads stream_a linearly");
        }
        {
            Start toy;
            toy.run(kernel, {{toy.a, all_16}}, {{toy.b, range(8, 16)}}, all_16);
            refuse(toy, "stream_b", "writes stream_b linearly");
        }
    }
}

TEST_CASE("a linear output takes a whole record", "[stream]") {
    Start toy;
    toy.program.streams[toy.b].elements_per_record = 4;
    auto kernel = gather();
    Op& op = toy.run(kernel, {{toy.a, all_16}}, {{toy.b, all_16}});
    refuse(toy, "stream_b", "writes 1 elements per instance to stream_b, whose records have 4");
    kernel->elements_per_instance = 4;
    accept(toy);
    // A scattered output is written element by element.
    op.kernel = scatter();
    accept(toy);
}

TEST_CASE("chunks replace a port, of one element", "[stream]") {
    const auto chunk = std::make_shared<Chunk>();
    {
        Start toy;
        auto kernel = toy_kernel("toy_source", {}, {port(Access::linear)});
        Op& op = toy.run(kernel, {}, {{toy.b, all_16}});
        accept(toy);
        op.load = chunk;
        refuse(toy, "", "no port of elements to replace");
    }
    {
        Start toy;
        toy.program.streams[toy.a].elements_per_record = 1;
        auto kernel = copy();
        kernel->elements_per_instance = 2;
        Op& op = toy.run(kernel, {{toy.a, all_16}}, {}, all_16);
        op.store = chunk;
        refuse(toy, "", "has a store chunk, which takes one element per instance, not 2");
        kernel->elements_per_instance = 1;
        accept(toy);
    }
}

TEST_CASE("nothing reads what is not there to read", "[stream]") {
    {
        Start toy;
        toy.run(copy(), {{toy.b, all_16}}, {{toy.output, all_16}});
        refuse(toy, "stream_b", "reads records of stream_b that no op has written");
    }
    {
        ToyProgram toy(Backend::cpu);
        const StreamId a = toy.add("stream_a");
        const StreamId b = toy.add("stream_b");
        const auto source = toy_kernel("toy_source", {}, {port(Access::linear)});
        toy.run(source, {}, {{a, Substream({{0, 4}, {5, 16}})}});
        Op& op = toy.run(gather(), {{a, all_16}}, {{b, all_16}});
        refuse(toy, "stream_a", "that no op has written");
        op.reads[0].records = Substream({{1, 3}, {5, 6}, {8, 16}});
        accept(toy);
    }
    {
        Start toy;
        toy.run(shared(), {{toy.a, all_16}}, {{toy.b, all_16}});
        refuse(toy, "stream_b", "shares records of stream_b that no op has written");
    }
    {
        Start toy;
        toy.run(copy(), {{toy.a, all_16}}, {{toy.output, all_16}});
        toy.run(copy(), {{toy.output, all_16}}, {{toy.b, all_16}});
        refuse(toy, "output", "reads output, an output of the caller");
    }
    {
        Start toy;
        toy.run(copy(), {{toy.a, all_16}}, {{toy.input, all_16}});
        refuse(toy, "input", "writes input, an input of the caller");
    }
}

TEST_CASE("no record is written through two ports", "[stream]") {
    for (const Backend backend : backends) {
        Start toy(backend);
        const auto kernel = toy_kernel("toy_two", {port(Access::gather)}, {port(Access::linear), port(Access::linear)});
        Op& op = toy.run(kernel, {{toy.a, all_16}}, {{toy.b, all_16}, {toy.b, all_16}});
        refuse(toy, "stream_b", "writes stream_b through two ports");
        op.writes[1].stream = toy.output;
        accept(toy);
    }
    Start toy;
    const auto kernel = toy_kernel("toy_two", {port(Access::gather)}, {port(Access::linear), port(Access::scatter)});
    toy.run(kernel, {{toy.a, all_16}}, {{toy.b, range(0, 8)}, {toy.b, range(8, 16)}});
    accept(toy);
}

TEST_CASE("an op that reads what it writes replaces all of it", "[stream]") {
    for (const Backend backend : backends) {
        CAPTURE(to_string(backend));
        {
            Start toy(backend);
            toy.run(gather(), {{toy.in_place, all_16}}, {{toy.in_place, all_16}});
            refuse(toy, "both", "reads and writes both, a stream of the caller");
        }
        {
            Start toy(backend);
            toy.run(gather(), {{toy.a, all_16}}, {{toy.a, range(0, 8)}});
            refuse(toy, "stream_a", "reads stream_a and writes only a part of this stream");
        }
        {
            // Only written records must be replaced.
            ToyProgram toy(backend);
            const StreamId a = toy.add("stream_a");
            toy.run(toy_kernel("toy_source", {}, {port(Access::linear)}), {}, {{a, range(0, 8)}});
            toy.run(gather(), {{a, range(0, 8)}}, {{a, range(0, 8)}});
            accept(toy);
        }
    }
    // Outside the fragment backend, an instance may read the record that it writes.
    Start linear(Backend::compute);
    linear.run(copy(), {{linear.a, range(0, 8)}}, {{linear.a, range(0, 8)}});
    linear.run(copy(), {{linear.in_place, all_16}}, {{linear.in_place, all_16}});
    accept(linear);
    // An instance may not read a record that another instance writes.
    Start permuted(Backend::compute);
    permuted.run(scatter(), {{permuted.in_place, all_16}}, {{permuted.in_place, all_16}});
    refuse(permuted, "both", "reads and writes both");
}

TEST_CASE("an op reads other records of a stream than it writes, in place", "[stream]") {
    Limits barriers;
    barriers.texture_barrier = 1;
    const Limits none;
    for (const Backend backend : backends) {
        CAPTURE(to_string(backend));
        {
            Start toy(backend);
            toy.run(gather(), {{toy.a, range(0, 8)}}, {{toy.a, range(8, 16)}});
            accept(toy, barriers);
            if (backend == Backend::fragment)
                refuse(toy, "stream_a",
                       "reads stream_a while it writes other records of this stream, which needs texture "
                       "barriers; the limit texture_barrier is no",
                       none);
            else
                accept(toy, none);
        }
        // Records that alternate with each other.
        Start woven(backend);
        const auto two = toy_kernel("toy_two", {port(Access::gather), port(Access::gather)},
                                    {port(Access::linear), port(Access::linear)});
        const Substream odd({{1, 2}, {3, 4}, {9, 16}});
        Op& op = woven.run(two, {{woven.a, all_16}, {woven.a, Substream({{0, 1}, {2, 3}, {4, 9}})}},
                           {{woven.b, odd}, {woven.a, odd}});
        // The first port still reads written records. One such port is enough for an error.
        refuse(woven, "stream_a", "reads stream_a and writes only a part of this stream", barriers);
        op.reads[0].records = range(4, 9);
        accept(woven, barriers);
        op.reads[1].records = Substream({{0, 1}, {2, 4}});
        refuse(woven, "stream_a", "reads stream_a and writes only a part of this stream", barriers);
    }
    // If an op replaces the whole stream, there are two copies, with and without barriers.
    for (const Limits& limits : {none, barriers}) {
        Start toy(Backend::fragment);
        toy.run(gather(), {{toy.a, all_16}}, {{toy.a, all_16}});
        accept(toy, limits);
        CHECK(needs_two_copies(toy.program.ops[1], toy.a, Backend::fragment));
    }
    // Texture barriers order only accesses to other records. A fragment may not even read its own record.
    Start linear(Backend::fragment);
    linear.run(copy(), {{linear.a, range(0, 8)}}, {{linear.a, range(0, 8)}});
    refuse(linear, "stream_a", "reads stream_a and writes only a part of this stream", barriers);
}

TEST_CASE("what an op reads in the storage that it writes", "[stream]") {
    Start toy(Backend::compute);
    const auto kernel = toy_kernel("toy_two", {port(Access::gather), port(Access::gather)},
                                   {port(Access::linear), port(Access::linear)});
    const Substream low = range(0, 8);
    const Substream high = range(8, 16);
    Op& op = toy.run(kernel, {{toy.input, low}, {toy.a, low}}, {{toy.b, high}, {toy.a, high}});
    CHECK(reads_in_place(toy.program, op, toy.a) == std::optional<std::size_t>{1});
    CHECK(reads_in_place(toy.program, op, toy.b) == std::nullopt);
    CHECK(reads_in_place(toy.program, op, toy.input) == std::nullopt);
    // Both ports are one storage block, so there are three blocks in all.
    Limits limits;
    limits.storage_blocks = 3;
    accept(toy, limits);
    limits.storage_blocks = 2;
    refuse(toy, "", "needs 3 storage blocks; the limit is 2", limits);
    // In two copies, the ports are two blocks.
    op.reads[1].records = all_16;
    op.domain = op.writes[0].records = op.writes[1].records = all_16;
    op.reads[0].records = all_16;
    CHECK(reads_in_place(toy.program, op, toy.a) == std::nullopt);
    limits.storage_blocks = 3;
    refuse(toy, "", "needs 4 storage blocks; the limit is 3 (storage_blocks)", limits);
    limits.storage_blocks = 4;
    accept(toy, limits);
}

namespace {

// Whether validate() refuses a changed program of GPU-ABiSort. Op `number` writes its nodes directly to the stream that
// it reads, to the places of the later copy-back. The ops before do not change.
bool races_in_place(const StreamProgram& planned, std::size_t number) {
    StreamProgram program = planned;
    program.ops.resize(number + 1);
    Op& op = program.ops.back();
    const std::uint32_t nodes = op.parameters.at(3);
    std::vector<Block> blocks = op.domain.blocks();
    for (Block& block : blocks)
        block = {block.begin + nodes, block.end + nodes};
    op.domain = Substream(blocks);
    op.writes.at(1) = {program.stream("trees"), op.domain};
    // An instance writes the record of its number, so a stream of paths must have such a record.
    const StreamId paths = op.writes.at(0).stream;
    program.streams[paths].records = program.streams[op.writes[1].stream].records;
    op.writes[0].records = op.domain;
    Limits limits;
    limits.texture_barrier = 1;
    try {
        validate(program, limits);
    } catch (const Error& error) {
        CHECK_THAT(error.what(), Contains("reads trees and writes only a part of this stream"));
        return true;
    }
    return false;
}

}  // namespace

// Nodes may be stored in place from phase 2 on. Phases 0 and 1 of a stage overwrite nodes of earlier stages, which
// other instances of the op read. Stage 0 is an exception, because there are no earlier stages.
TEST_CASE("phases 0 and 1 of GPU-ABiSort race where they are stored in place", "[stream]") {
    for (const std::string algorithm : {"abisort:appendix-a", "abisort:overlapped", "abisort:paper", "abisort:fused"})
        for (const Backend backend : backends) {
            // Only variant fused is in place. Without barriers, fused has the places of Table 1.
            if (algorithm == "abisort:fused" && backend != Backend::fragment) continue;
            for (const std::uint32_t n : {64u, 100u, 128u}) {
                PlanRequest request;
                request.spec.algorithm = algorithm;
                request.spec.backend = backend;
                request.n = n;
                const StreamProgram program = plan(request);
                std::size_t races = 0;
                std::size_t fine = 0;
                for (std::size_t number = 0; number < program.ops.size(); ++number) {
                    const Op& op = program.ops[number];
                    if (op.kernel->name != "abisort_phase") continue;
                    const bool overwrites = std::any_of(op.blocks.begin(), op.blocks.end(), [](const BlockDetail& b) {
                        return b.labels.stage > 0 && b.labels.phase < 2;
                    });
                    CAPTURE(algorithm, to_string(backend), n, describe(op));
                    CHECK(races_in_place(program, number) == overwrites);
                    ++(overwrites ? races : fine);
                }
                CHECK(races > 0);
                CHECK(fine > 0);
            }
        }
}

TEST_CASE("an op has details for each block of its domain", "[stream]") {
    for (const Backend backend : backends) {
        CAPTURE(to_string(backend));
        Start toy(backend);
        auto kernel = copy();
        kernel->block_parameters = {{"first"}, {"second", Parameter::Kind::index}};
        const Substream blocks({{0, 4}, {6, 9}});
        Op& op = toy.run(kernel, {{toy.a, blocks}}, {{toy.b, blocks}});
        refuse(toy, "", "has 0 block details for a domain of 2 blocks");
        op.blocks = {{{1, 2}, {}}};
        refuse(toy, "", "has 1 block details for a domain of 2 blocks");
        op.blocks = {{{1, 2}, {}}, {{3, 4}, {}}, {{5, 6}, {}}};
        refuse(toy, "", "has 3 block details for a domain of 2 blocks");
        op.blocks = {{{1, 2}, {}}, {{3}, {}}};
        refuse(toy, "", "has 1 parameters for a block, but its kernel takes 2");
        op.blocks.back().parameters = {3, 4, 5};
        refuse(toy, "", "has 3 parameters for a block, but its kernel takes 2");
        op.blocks.back().parameters = {3, 4};
        accept(toy);
        // A kernel without block parameters has only labels.
        op.kernel = copy();
        refuse(toy, "", "has 2 parameters for a block, but its kernel takes 0");
        op.blocks = {{{}, {.phase = 1}}};
        refuse(toy, "", "has 1 block details for a domain of 2 blocks");
        op.blocks.push_back({{}, {.phase = 2}});
        accept(toy);
        op.blocks.clear();
        accept(toy);
    }
    // A buffer gets its vertices in one run, without block parameters.
    Start feedback(Backend::fragment);
    auto kernel = copy();
    kernel->block_parameters = {{"first"}};
    feedback.program.streams[feedback.b].medium = Medium::buffer;
    feedback.run(kernel, {{feedback.a, all_16}}, {{feedback.b, all_16}}).blocks = {{{1}, {}}};
    refuse(feedback, "", "writes buffers from a domain of several blocks");
}

TEST_CASE("a stream with two copies is not shared", "[stream]") {
    Start toy(Backend::compute);
    toy.run(shared(), {{toy.a, all_16}}, {{toy.a, all_16}});
    refuse(toy, "stream_a", "reads and shares stream_a");
    Start alone(Backend::compute);
    alone.run(toy_kernel("toy_alone", {}, {port(Access::shared)}), {}, {{alone.a, all_16}});
    accept(alone);
}

TEST_CASE("the fragment backend lacks groups, scatter and atomics", "[stream]") {
    auto grouped = gather();
    grouped->group_size = 64;
    CHECK(gather()->portable());
    CHECK_FALSE(grouped->portable());
    CHECK_FALSE(scatter()->portable());
    CHECK_FALSE(shared()->portable());
    for (const auto& kernel : {grouped, scatter(), shared()}) {
        Start toy(Backend::fragment);
        toy.run(copy(), {{toy.a, all_16}}, {{toy.b, all_16}});
        toy.run(kernel, {{toy.a, all_16}}, {{toy.b, all_16}});
        refuse(toy, "", "which the fragment backend lacks");
        toy.program.backend = Backend::cpu;
        accept(toy);
    }
}

TEST_CASE("the fragment backend draws into its attachments", "[stream]") {
    Start toy(Backend::fragment);
    toy.program.streams[toy.b].words = 2;
    toy.program.streams[toy.b].elements_per_record = 8;
    auto kernel =
        toy_kernel("toy_many", {port(Access::gather)}, {port(Access::linear, 2, 8), port(Access::linear, 2, 8)});
    kernel->elements_per_instance = 8;
    const StreamId c = toy.add("stream_c");
    toy.program.streams[c] = toy.program.streams[toy.b];
    toy.run(kernel, {{toy.a, all_16}}, {{toy.b, all_16}, {c, all_16}});
    accept(toy);
    Limits limits;
    limits.attachments = 7;
    refuse(toy, "", "writes 8 attachments; the limit is 7 (attachments)", limits);
    limits.attachments = 4;
    toy.program.ops[1].kernel = [&] {
        auto one = std::make_shared<Kernel>(*kernel);
        one->outputs.pop_back();
        return one;
    }();
    toy.program.ops[1].writes.pop_back();
    accept(toy, limits);
}

TEST_CASE("shaders of the fragment backend read so many textures", "[stream]") {
    Start toy(Backend::fragment);
    const auto kernel = toy_kernel("toy_two", {port(Access::gather), port(Access::gather)}, {port(Access::linear)});
    toy.run(kernel, {{toy.a, all_16}, {toy.a, all_16}}, {{toy.b, all_16}});
    Limits limits;
    CHECK(limits.textures_read == 4);
    apply_limits(limits, "textures_read=2");
    accept(toy, limits);
    limits.textures_read = 1;
    refuse(toy, "", "reads 2 textures; the limit is 1 (textures_read)", limits);
}

TEST_CASE("shaders of the fragment backend touch no buffers but by transform feedback", "[stream]") {
    Start toy(Backend::fragment);
    toy.program.streams[toy.b].medium = Medium::buffer;
    const auto two = toy_kernel("toy_two", {port(Access::gather)}, {port(Access::linear), port(Access::linear)});
    toy.run(two, {{toy.a, all_16}}, {{toy.b, all_16}, {toy.output, all_16}});
    refuse(toy, "", "writes buffers and textures at once");

    Start feedback(Backend::fragment);
    feedback.program.streams[feedback.b].medium = Medium::buffer;
    feedback.run(copy(), {{feedback.a, all_16}}, {{feedback.b, all_16}});
    accept(feedback);

    Start reader(Backend::fragment);
    reader.program.streams[reader.in_place].medium = Medium::buffer;
    auto kernel = copy();
    reader.run(kernel, {{reader.in_place, all_16}}, {{reader.b, all_16}});
    refuse(reader, "both", "reads both, a buffer of 16 elements, as a texture; the limit is 0 texels (texture_buffer)");
    Limits limits;
    limits.texture_buffer = 15;
    refuse(reader, "both", "the limit is 15 texels (texture_buffer)", limits);
    limits.texture_buffer = 16;
    accept(reader, limits);
    reader.program.streams[reader.in_place].words = 3;
    refuse(reader, "both", "reads both, a buffer of three words, in a shader of the fragment backend", limits);
    reader.program.streams[reader.in_place].words = 1;
    kernel->transfer = true;
    accept(reader);
}

TEST_CASE("a draw of the fragment backend has one shape", "[stream]") {
    const auto two = toy_kernel("toy_two", {port(Access::gather)}, {port(Access::linear), port(Access::linear)});
    Start toy(Backend::fragment);
    toy.run(two, {{toy.a, all_16}}, {{toy.b, all_16}, {toy.output, all_16}});
    accept(toy);
    toy.program.streams[toy.output].layout.width = 2;
    refuse(toy, "", "writes textures of different layouts at once");

    // Several blocks are several rectangles, but a buffer gets its vertices in one run.
    const Substream blocks({{0, 4}, {6, 9}});
    Start feedback(Backend::fragment);
    feedback.run(copy(), {{feedback.a, blocks}}, {{feedback.b, blocks}});
    accept(feedback);
    feedback.program.streams[feedback.b].medium = Medium::buffer;
    refuse(feedback, "", "writes buffers from a domain of several blocks");
}

TEST_CASE("compute kernels keep within a group's limits", "[stream]") {
    auto kernel = gather();
    kernel->group_size = 256;
    kernel->shared_words = 1024;
    Start toy(Backend::compute);
    toy.run(kernel, {{toy.a, all_16}}, {{toy.b, all_16}});
    Limits limits;
    limits.invocations = 256;
    limits.shared_memory = 4096;
    accept(toy, limits);
    limits.invocations = 255;
    refuse(toy, "", "needs 256 invocations in a group; the limit is 255 (invocations)", limits);
    limits.invocations = 256;
    limits.shared_memory = 4095;
    refuse(toy, "", "needs 4096 bytes of shared memory; the limit is 4095 bytes (shared_memory)", limits);
    toy.program.backend = Backend::cpu;
    accept(toy, limits);
}

TEST_CASE("compute kernels keep within the storage blocks", "[stream]") {
    Start toy(Backend::compute);
    const auto kernel = toy_kernel("toy_many", {port(Access::gather), port(Access::gather)},
                                   {port(Access::linear), port(Access::linear)});
    toy.run(kernel, {{toy.a, all_16}, {toy.input, all_16}}, {{toy.b, all_16}, {toy.output, all_16}});
    Limits limits;
    limits.storage_blocks = 4;
    accept(toy, limits);
    limits.storage_blocks = 3;
    refuse(toy, "", "needs 4 storage blocks; the limit is 3 (storage_blocks)", limits);
    // Textures do not count.
    toy.program.streams[toy.input].medium = Medium::texture;
    toy.program.streams[toy.output].medium = Medium::texture;
    limits.storage_blocks = 2;
    accept(toy, limits);
}

TEST_CASE("compute kernels scatter into buffers and textures, and share buffers", "[stream]") {
    for (const Medium medium : {Medium::buffer, Medium::texture}) {
        Start toy(Backend::compute);
        toy.program.streams[toy.output].medium = medium;
        toy.run(scatter(), {{toy.a, all_16}}, {{toy.output, all_16}});
        accept(toy);
        toy.program.streams[toy.in_place].medium = medium;
        toy.run(shared(), {{toy.a, all_16}}, {{toy.in_place, all_16}});
        if (medium == Medium::buffer)
            accept(toy);
        else
            refuse(toy, "both", "shares both, a texture");
    }
}

TEST_CASE("streams fit the device", "[stream]") {
    const auto refuse_stream = [](const ToyProgram& toy, const std::string& what, const Limits& limits) {
        CHECK_THROWS_WITH(validate(toy.program, limits), StartsWith("toy:test, stream stream_a ") && Contains(what));
    };
    Limits limits;
    {
        ToyProgram toy(Backend::compute);
        const StreamId a = toy.add("stream_a", StreamRole::scratch, 1024);
        limits.storage_bytes = 4096;
        accept(toy, limits);
        toy.program.streams[a].words = 2;
        refuse_stream(toy,
                      "with 1024 records needs 8192 bytes; the limit of a storage buffer is 4096 bytes (storage_bytes)",
                      limits);
        toy.program.backend = Backend::cpu;
        accept(toy, limits);
    }
    {
        ToyProgram toy(Backend::fragment);
        const StreamId a = toy.add("stream_a", StreamRole::scratch, 1000);
        toy.program.streams[a].layout = {Layout::row_wise, 32};
        limits.texture_size = 32;
        accept(toy, limits);
        limits.texture_size = 31;
        refuse_stream(toy, "with 1000 records needs a texture of 32x32 texels; the limit is 31 (texture_size)", limits);
        toy.program.streams[a].layout.kind = Layout::z_order;
        refuse_stream(toy, "32x32 texels", limits);
        toy.program.streams[a].role = StreamRole::input;  // The caller chooses the shape.
        accept(toy, limits);
    }
    for (const std::uint32_t words : {0u, 5u}) {
        ToyProgram toy(Backend::cpu);
        const StreamId a = toy.add("stream_a");
        toy.program.streams[a].words = words;
        refuse_stream(toy, "has elements of " + std::to_string(words) + " words", {});
    }
}

TEST_CASE("two copies are needed where a record is read that another instance writes", "[stream]") {
    struct Case {
        Access read, write;
        Substream records_read, records_written;
        bool compute, fragment;
    };
    const Substream low = range(0, 8);
    const Substream high = range(8, 16);
    const Case cases[] = {
        {Access::linear, Access::linear, all_16, all_16, false, true},
        {Access::gather, Access::linear, all_16, all_16, true, true},
        {Access::gather, Access::linear, low, high, false, false},
        {Access::gather, Access::scatter, low, high, false, false},
        {Access::gather, Access::linear, Substream({{0, 1}, {15, 16}}), high, true, true},
        {Access::linear, Access::scatter, all_16, all_16, true, true},
        {Access::linear, Access::scatter, low, high, false, false},
    };
    for (const Case& c : cases) {
        ToyProgram toy(Backend::cpu);
        const StreamId a = toy.add("stream_a");
        const StreamId b = toy.add("stream_b");
        const auto kernel = toy_kernel("toy", {port(c.read)}, {port(c.write)});
        const Op& op = toy.run(kernel, {{a, c.records_read}}, {{a, c.records_written}});
        CHECK(needs_two_copies(op, a, Backend::cpu) == c.compute);
        CHECK(needs_two_copies(op, a, Backend::compute) == c.compute);
        CHECK(needs_two_copies(op, a, Backend::fragment) == c.fragment);
        CHECK_FALSE(needs_two_copies(op, b, Backend::fragment));
        ToyProgram apart(Backend::cpu);
        const Op& other = apart.run(kernel, {{a, c.records_read}}, {{b, c.records_written}});
        CHECK_FALSE(needs_two_copies(other, a, Backend::fragment));
        CHECK_FALSE(needs_two_copies(other, b, Backend::fragment));
    }
}

TEST_CASE("padding is for scratch buffers of the compute backend", "[stream]") {
    const auto refused = [](Backend backend, StreamId Start::*stream, const Padding& padding) -> std::string {
        Start toy(backend);
        toy.program.streams[toy.*stream].padding = padding;
        try {
            validate(toy.program, {});
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    };
    CHECK(refused(Backend::compute, &Start::a, {8, 3}) == "accepted");
    CHECK_THAT(refused(Backend::compute, &Start::a, {12, 3}), Contains("stream_a") && Contains("every 12 elements"));
    CHECK_THAT(refused(Backend::compute, &Start::input, {8, 3}), Contains("input") && Contains("only scratch buffers"));
    CHECK_THAT(refused(Backend::cpu, &Start::a, {8, 3}), Contains("only scratch buffers"));
    CHECK_THAT(refused(Backend::fragment, &Start::a, {8, 3}), Contains("only scratch buffers"));
}

TEST_CASE("a program with a range of counts is valid for all of them", "[stream]") {
    const Counted count = Counted::count(16);
    const auto toy_of = [&](const Counted& records, const Counted& read, const Counted& written) {
        Start toy;
        toy.program.n = 16;
        toy.program.counts = CountRange{9, 31};
        toy.program.streams[toy.input].records = 31;
        toy.program.streams[toy.b].records = records;
        toy.program.ops.clear();
        toy.run(copy(), {{toy.input, Substream::first(written)}}, {{toy.b, Substream::first(written)}});
        toy.run(gather(), {{toy.b, Substream::first(read)}}, {{toy.output, all_16}});
        return toy;
    };
    accept(toy_of(count, count, count));
    accept(toy_of(31, count, count));
    accept(toy_of(count, parts_of(count, 2), count));
    // Right for 16 elements, but not for all counts.
    {
        Start toy = toy_of(16, 16, 16);
        toy.run(copy(), {{toy.input, Substream::first(count)}}, {{toy.b, Substream::first(count)}});
        refuse(toy, "stream_b", "writes stream_b up to record count, past its end at 16 for a count from 9 to 31");
    }
    refuse(toy_of(31, count, 16), "stream_b", "reads records of stream_b that no op has written");
    refuse(toy_of(32, parts_of(count, 2) * 2u, count), "stream_b", "reads records of stream_b that no op has written");
    {
        Start toy = toy_of(31, count, count);
        toy.run(copy(), {{toy.input, all_16}}, {{toy.b, Substream::first(count)}});
        refuse(toy, "input", "reads input linearly, but not the records of its domain");
    }
    {
        Start toy = toy_of(31, 16, 16);
        toy.run(gather(), {{toy.b, range(0, 9)}}, {{toy.b, Substream::first(count)}});
        refuse(toy, "stream_b", "reads stream_b and writes only a part of this stream");
    }
    {
        Start toy = toy_of(31, count, count);
        toy.run(gather(), {{toy.b, Substream::first(count)}}, {{toy.output, Substream::first(count + ~8u)}});
        refuse(toy, "", "has an empty domain");
    }
    {
        Start toy = toy_of(31, count, count);
        auto kernel = gather();
        kernel->reads_first = ReadsFirst::one_group;
        toy.run(kernel, {{toy.b, Substream::first(count)}}, {{toy.output, Substream::first(parts_of(count, 16))}});
        refuse(toy, "", "has one group for some counts only");
    }
}

TEST_CASE("what ops read is there for every count", "[stream]") {
    const Counted count = Counted::count(16);
    Start toy;
    toy.program.n = 16;
    toy.program.counts = CountRange{9, 31};
    toy.program.streams[toy.a].records = toy.program.streams[toy.input].records = 31;
    toy.program.ops.clear();
    // For 16 elements the two ranges touch. For 9 elements there is a gap from 9 to 12.
    toy.run(copy(), {{toy.input, Substream::first(count)}}, {{toy.a, Substream::first(count)}});
    toy.run(copy(), {{toy.input, range(12, 20)}}, {{toy.a, range(12, 20)}});
    Start hole = toy;
    hole.run(gather(), {{hole.a, range(0, 20)}}, {{hole.output, all_16}});
    refuse(hole, "stream_a", "reads records of stream_a that no op has written");
    toy.run(gather(), {{toy.a, range(12, 20)}}, {{toy.output, all_16}});
    accept(toy);
}

TEST_CASE("an op reads what it writes for every count or for none", "[stream]") {
    const Counted count = Counted::count(16);
    Start toy;
    toy.program.n = 16;
    toy.program.counts = CountRange{9, 31};
    toy.program.streams[toy.a].records = toy.program.streams[toy.input].records = 40;
    toy.program.ops.clear();
    toy.run(copy(), {{toy.input, range(0, 40)}}, {{toy.a, range(0, 40)}});
    Start some = toy;
    some.run(gather(), {{some.a, range(20, 40)}}, {{some.a, Substream::first(count)}});
    refuse(some, "stream_a", "reads and writes the same records of stream_a for some counts only");
    toy.run(gather(), {{toy.a, range(31, 40)}}, {{toy.a, Substream::first(count)}});
    accept(toy);
}

TEST_CASE("a program is for one of its counts", "[stream]") {
    Start toy;
    toy.program.n = 16;
    for (const CountRange counts : {CountRange{17, 20}, CountRange{1, 15}, CountRange{20, 10}}) {
        toy.program.counts = counts;
        CHECK_THROWS_WITH(validate(toy.program, {}), Contains("toy:test has 16 elements, which is not from"));
    }
    toy.program.counts = CountRange{16, 16};
    accept(toy);
}

TEST_CASE("numbers that wrap round are refused", "[stream]") {
    const Counted count = Counted::count(16);
    const auto toy_of = [&](const Counted& records) {
        Start toy;
        toy.program.n = 16;
        toy.program.counts = CountRange{1, 0x40000001};
        toy.program.streams[toy.output].records = records;
        return toy;
    };
    // 4 * 0x40000001 is 4 modulo 2^32.
    CHECK_THROWS_WITH(validate(toy_of(count * 4u).program, {}), Contains("4 count records, which exceed 2^32-1"));
    accept(toy_of(count * 3u));
    Start toy = toy_of(0xffffffffu);
    toy.run(toy_kernel("toy_all", {}, {port(Access::scatter)}), {}, {{toy.output, all_16}},
            Substream::first(count * 4u));
    refuse(toy, "", "has a domain up to record 4 count, which exceeds 2^32-1 for a count from 1 to 1073741825");
}

TEST_CASE("streams have elements of some words, and 32 bits number them", "[stream]") {
    const auto refuse_stream = [](const std::string& what, auto change) {
        Start toy;
        change(toy.program.streams[toy.output]);
        CHECK_THROWS_WITH(validate(toy.program, {}), Contains("stream output") && Contains(what));
    };
    refuse_stream("has records of 0 elements", [](Stream& stream) { stream.elements_per_record = 0; });
    refuse_stream("has 4294967298 elements; the limit is 4294967296", [](Stream& stream) {
        stream.elements_per_record = 2;
        stream.records = 0x80000001u;
    });
    refuse_stream("has rows of 0 records", [](Stream& stream) {
        stream.medium = Medium::texture;
        stream.layout = {Layout::row_wise, 0};
    });
    Start toy;
    toy.run(toy_kernel("toy_none", {port(Access::gather, 0)}, {port(Access::linear)}), {{toy.a, all_16}},
            {{toy.output, all_16}});
    refuse(toy, "stream_a", "reads 0 words of an element of stream_a");
}

TEST_CASE("an op has a kernel, and a kernel an invocation", "[stream]") {
    Start toy;
    toy.run(nullptr, {}, {{toy.output, all_16}});
    CHECK_THROWS_WITH(validate(toy.program, {}), "toy:test, op 1 has no kernel");
    const auto kernel = copy();
    kernel->group_size = 0;
    toy.program.ops.pop_back();
    toy.run(kernel, {{toy.a, all_16}}, {{toy.output, all_16}});
    refuse(toy, "", "has a kernel with groups of 0 invocations");
}

TEST_CASE("textures have room for the greatest count of a program", "[stream]") {
    Start toy(Backend::fragment);
    toy.program.n = 16;
    toy.program.streams[toy.b].records = Counted::count(16);
    Limits limits;
    limits.texture_size = 8;
    accept(toy, limits);
    toy.program.counts = CountRange{1, 65};
    CHECK_THROWS_WITH(validate(toy.program, limits),
                      Contains("stream_b") && Contains("65 records") && Contains("8x9 texels"));
    toy.program.counts = CountRange{1, 64};
    accept(toy, limits);
}
