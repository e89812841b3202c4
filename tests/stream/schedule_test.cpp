#include <glsort/error.h>
#include <glsort/stream/schedule.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "stream/random_program.h"
#include "stream/toy_program.h"
#include "support/random.h"

using namespace glsort;
using namespace glsort::test;

namespace {

const Substream low = range(0, 8);
const Substream high = range(8, 16);

std::vector<bool> barriers(const ToyProgram& toy) {
    std::vector<bool> out;
    for (const ScheduledOp& op : make_schedule(toy.program).ops)
        out.push_back(op.barrier);
    return out;
}

// The pairs (storage, record) that an op reads or writes.
using Places = std::set<std::pair<std::size_t, std::uint32_t>>;

Places places(const std::vector<StreamUse>& uses, const std::vector<std::size_t>& storages) {
    Places out;
    for (std::size_t i = 0; i < uses.size(); ++i)
        for (const Block& block : uses[i].records.blocks())
            for (std::uint32_t record = block.begin; record < block.end; ++record)
                out.insert({storages[i], record});
    return out;
}

bool meet(const Places& a, const Places& b) {
    for (const auto& place : a)
        if (b.contains(place)) return true;
    return false;
}

// Whether an op must wait for an earlier op, without a barrier between them.
bool hazard_left(const std::vector<Places>& reads, const std::vector<Places>& writes, const std::vector<bool>& waits) {
    for (std::size_t late = 0; late < waits.size(); ++late)
        for (std::size_t early = late; early-- > 0;) {
            if (waits[early + 1]) break;
            if (meet(writes[early], reads[late]) || meet(reads[early], writes[late]) ||
                meet(writes[early], writes[late]))
                return true;
        }
    return false;
}

}  // namespace

TEST_CASE("a stream has a second copy only where an op reads what it writes", "[stream]") {
    for (const Backend backend : {Backend::fragment, Backend::compute, Backend::cpu}) {
        CAPTURE(to_string(backend));
        ToyProgram toy(backend);
        const StreamId input = toy.add("input", StreamRole::input);
        const StreamId a = toy.add("a");
        const StreamId b = toy.add("b");
        toy.run(linear(), {{input, all_16}}, {{a, all_16}});
        toy.run(linear(), {{a, all_16}}, {{b, all_16}});
        CHECK(make_schedule(toy.program).storages.size() == 3);
        toy.run(gather(), {{b, all_16}}, {{b, all_16}});
        toy.run(gather(), {{b, all_16}}, {{b, all_16}});
        toy.run(gather(), {{b, all_16}}, {{b, all_16}});
        const Schedule schedule = make_schedule(toy.program);
        REQUIRE(schedule.storages.size() == 4);
        for (StreamId id : {input, a, b}) {
            CHECK(schedule.storages[id].stream == id);
            CHECK(schedule.storages[id].copy == 0);
        }
        CHECK(schedule.storages[3].stream == b);
        CHECK(schedule.storages[3].copy == 1);
        CHECK(schedule.ops[1].writes == std::vector<std::size_t>{b});
        CHECK(schedule.ops[2].reads == std::vector<std::size_t>{b});
        CHECK(schedule.ops[2].writes == std::vector<std::size_t>{3});
        CHECK(schedule.ops[3].reads == std::vector<std::size_t>{3});
        CHECK(schedule.ops[3].writes == std::vector<std::size_t>{b});
        CHECK(schedule.ops[4].writes == std::vector<std::size_t>{3});

        CHECK(schedule.current(toy.program, b, 0) == b);
        CHECK(schedule.current(toy.program, b, 2) == b);
        CHECK(schedule.current(toy.program, b, 3) == 3);
        CHECK(schedule.current(toy.program, b, 4) == b);
        CHECK(schedule.current(toy.program, b, 5) == 3);
        CHECK(schedule.current(toy.program, a, 5) == a);
        CHECK(schedule.current(toy.program, input, 5) == input);
    }
}

TEST_CASE("in place where the backend can", "[stream]") {
    for (const Backend backend : {Backend::fragment, Backend::compute, Backend::cpu}) {
        CAPTURE(to_string(backend));
        const std::size_t copies = backend == Backend::fragment ? 2 : 1;
        ToyProgram toy(backend);
        const StreamId a = toy.add("a");
        toy.run(toy_kernel("toy_source", {}, {port(Access::linear)}), {}, {{a, all_16}});
        toy.run(linear(), {{a, all_16}}, {{a, all_16}});
        CHECK(make_schedule(toy.program).storages.size() == copies);
    }
    ToyProgram toy(Backend::compute);
    const StreamId a = toy.add("a");
    toy.run(toy_kernel("toy_source", {}, {port(Access::linear)}), {}, {{a, all_16}});
    toy.run(gather(), {{a, low}}, {{a, high}});
    CHECK(make_schedule(toy.program).storages.size() == 1);
    toy.run(toy_kernel("toy_scatter", {port(Access::linear)}, {port(Access::scatter)}), {{a, all_16}}, {{a, all_16}});
    CHECK(make_schedule(toy.program).storages.size() == 2);
}

TEST_CASE("barriers stand where a record must be waited for, and nowhere else", "[stream]") {
    ToyProgram toy(Backend::compute);
    const StreamId in = toy.add("in", StreamRole::in_place);
    const StreamId a = toy.add("a", StreamRole::in_place);
    const StreamId b = toy.add("b", StreamRole::in_place);
    using Waits = std::vector<bool>;

    SECTION("the first op does not wait") {
        toy.run(linear(), {{in, all_16}}, {{a, all_16}});
        CHECK(barriers(toy) == Waits{false});
    }
    SECTION("read after write") {
        toy.run(linear(), {{in, all_16}}, {{a, all_16}});
        toy.run(linear(), {{a, all_16}}, {{b, all_16}});
        CHECK(barriers(toy) == Waits{false, true});
    }
    SECTION("write after read") {
        toy.run(linear(), {{in, all_16}}, {{a, all_16}});
        toy.run(linear(), {{b, all_16}}, {{in, all_16}});
        CHECK(barriers(toy) == Waits{false, true});
    }
    SECTION("write after write") {
        toy.run(linear(), {{in, all_16}}, {{a, all_16}});
        toy.run(linear(), {{b, low}}, {{a, low}});
        CHECK(barriers(toy) == Waits{false, true});
    }
    SECTION("one record is enough") {
        toy.run(linear(), {{in, low}}, {{a, low}});
        toy.run(gather(), {{a, range(7, 12)}}, {{b, all_16}});
        CHECK(barriers(toy) == Waits{false, true});
    }
    SECTION("disjoint blocks") {
        toy.run(linear(), {{in, low}}, {{a, low}});
        toy.run(linear(), {{in, high}}, {{a, high}});
        toy.run(gather(), {{b, low}}, {{b, high}});
        CHECK(barriers(toy) == Waits{false, false, false});
    }
    SECTION("interleaved blocks") {
        const Substream even({{0, 2}, {4, 6}, {8, 10}});
        const Substream odd({{2, 4}, {6, 8}, {10, 16}});
        toy.run(linear(), {{in, even}}, {{a, even}});
        toy.run(gather(), {{a, odd}}, {{b, odd}});
        CHECK(barriers(toy) == Waits{false, false});
    }
    SECTION("reads together") {
        toy.run(linear(), {{in, all_16}}, {{a, all_16}});
        toy.run(linear(), {{in, all_16}}, {{b, all_16}});
        CHECK(barriers(toy) == Waits{false, false});
    }
    SECTION("one barrier serves all before it") {
        toy.run(linear(), {{in, low}}, {{a, low}});
        toy.run(linear(), {{in, high}}, {{a, high}});
        toy.run(linear(), {{a, low}}, {{b, low}});
        toy.run(linear(), {{a, high}}, {{b, high}});
        CHECK(barriers(toy) == Waits{false, false, true, false});
    }
    SECTION("a barrier forgets what was before it, not what came with it") {
        toy.run(linear(), {{in, all_16}}, {{a, all_16}});
        toy.run(linear(), {{a, all_16}}, {{b, all_16}});
        toy.run(linear(), {{in, all_16}}, {{a, all_16}});  // Read by the previous op.
        CHECK(barriers(toy) == Waits{false, true, true});
    }
    SECTION("the copies of a stream are places of their own") {
        const StreamId c = toy.add("c");
        toy.run(linear(), {{in, all_16}}, {{c, all_16}});
        toy.run(gather(), {{c, all_16}}, {{c, all_16}});   // From copy 0 to copy 1.
        toy.run(linear(), {{in, all_16}}, {{a, all_16}});  // elsewhere
        toy.run(gather(), {{c, all_16}}, {{c, all_16}});   // Back.
        CHECK(barriers(toy) == Waits{false, true, false, true});
    }
    SECTION("atomics wait for each other") {
        const auto shared = toy_kernel("toy_shared", {}, {port(Access::shared)});
        toy.run(shared, {}, {{a, all_16}});
        toy.run(shared, {}, {{b, all_16}});
        toy.run(shared, {}, {{a, all_16}});
        CHECK(barriers(toy) == Waits{false, false, true});
    }
}

TEST_CASE("random programs: every hazard has its barrier, and every barrier its hazard", "[stream]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    const auto kernel = [](std::vector<Port> inputs, std::vector<Port> outputs) {
        return toy_kernel("toy", std::move(inputs), std::move(outputs));
    };
    std::size_t total = 0;
    std::size_t waiting = 0;
    std::size_t second_copies = 0;
    for (int round = 0; round < 300; ++round) {
        const Backend backend =
            std::array{Backend::fragment, Backend::compute, Backend::cpu}[static_cast<std::size_t>(round % 3)];
        CAPTURE(round, to_string(backend));
        const ToyProgram toy = random_program(random, backend, 40, kernel);
        const StreamProgram& program = toy.program;
        const Schedule schedule = make_schedule(program);
        REQUIRE(schedule.ops.size() == program.ops.size());

        // Every copy has its own storage.
        std::set<std::pair<StreamId, std::uint32_t>> copies;
        for (const Storage& storage : schedule.storages) {
            copies.insert({storage.stream, storage.copy});
            REQUIRE(storage.copy < 2);
            if (storage.copy == 1) {
                ++second_copies;
                REQUIRE(program.streams[storage.stream].role == StreamRole::scratch);
            }
        }
        REQUIRE(copies.size() == schedule.storages.size());

        std::vector<Places> reads, writes;
        std::vector<bool> waits;
        for (std::size_t i = 0; i < program.ops.size(); ++i) {
            const Op& op = program.ops[i];
            const ScheduledOp& scheduled = schedule.ops[i];
            REQUIRE(scheduled.reads.size() == op.reads.size());
            REQUIRE(scheduled.writes.size() == op.writes.size());
            for (std::size_t k = 0; k < op.reads.size(); ++k) {
                REQUIRE(schedule.storages[scheduled.reads[k]].stream == op.reads[k].stream);
                // The op reads the current storage of the stream.
                REQUIRE(scheduled.reads[k] == schedule.current(program, op.reads[k].stream, i));
            }
            for (std::size_t k = 0; k < op.writes.size(); ++k) {
                REQUIRE(schedule.storages[scheduled.writes[k]].stream == op.writes[k].stream);
                REQUIRE(scheduled.writes[k] == schedule.current(program, op.writes[k].stream, i + 1));
            }
            reads.push_back(places(op.reads, scheduled.reads));
            writes.push_back(places(op.writes, scheduled.writes));
            waits.push_back(scheduled.barrier);
            // An op never reads a texture that it draws to.
            if (backend == Backend::fragment)
                for (const std::size_t read : scheduled.reads)
                    for (const std::size_t write : scheduled.writes)
                        REQUIRE(read != write);
        }
        REQUIRE_FALSE(hazard_left(reads, writes, waits));
        for (std::size_t i = 0; i < waits.size(); ++i) {
            if (!waits[i]) continue;
            waits[i] = false;
            CAPTURE(i);
            REQUIRE(hazard_left(reads, writes, waits));
            waits[i] = true;
            ++waiting;
        }
        total += waits.size();
    }
    // The programs are not trivial.
    CHECK(total > 1500);
    CHECK(waiting > 300);
    CHECK(waiting < total);
    CHECK(second_copies > 30);
}

TEST_CASE("the cost of an op is what its ports can fetch, each record once", "[stream]") {
    ToyProgram toy(Backend::compute);
    const StreamId input = toy.add("input", StreamRole::input);
    const StreamId wide = toy.add("wide");
    toy.program.streams[wide].words = 2;
    toy.program.streams[wide].elements_per_record = 4;

    // 16 instances read 2 of 16 elements each, but each element counts once. The instances write 4 elements of 2 words
    // each.
    auto kernel = toy_kernel("toy_wide", {port(Access::gather, 1, 2)}, {port(Access::linear, 2, 4)});
    kernel->elements_per_instance = 4;
    toy.run(kernel, {{input, all_16}}, {{wide, all_16}});
    Cost sum = cost(toy.program);
    CHECK(sum.ops == 1);
    CHECK(sum.elements_read == 16);
    CHECK(sum.bytes_read == 64);
    CHECK(sum.elements_written == 64);
    CHECK(sum.bytes_written == 512);
    CHECK(sum.scratch_bytes == 512);

    // 8 instances read at most 8 of 64 elements, and one of two words of each.
    toy.run(toy_kernel("toy_narrow", {port(Access::gather, 1, 1)}, {port(Access::scatter, 2, 1)}), {{wide, all_16}},
            {{wide, all_16}}, low);
    sum = cost(toy.program);
    CHECK(sum.ops == 2);
    CHECK(sum.elements_read == 16 + 8);
    CHECK(sum.bytes_read == 64 + 32);
    CHECK(sum.elements_written == 64 + 8);
    CHECK(sum.bytes_written == 512 + 64);
    CHECK(sum.scratch_bytes == 2 * 512);  // Now there are two copies.
}

TEST_CASE("scratch textures count their bounding box, in texels of 1, 2 or 4 words", "[stream]") {
    for (const Layout layout : {Layout::row_wise, Layout::z_order}) {
        ToyProgram toy(Backend::fragment);
        toy.program.layout = stream_layout(layout, 21);
        const StreamId a = toy.add("a", StreamRole::scratch, 21);
        toy.add("input", StreamRole::input, 21);
        toy.add("output", StreamRole::output, 21);
        Stream& stream = toy.program.streams[a];
        const auto bytes = [&](std::uint32_t words, std::uint32_t elements) {
            stream.words = words;
            stream.elements_per_record = elements;
            return cost(toy.program).scratch_bytes;
        };
        // Row-wise 8 x 3, with 3 texels unused. In Z-order record 20 is at (6, 0).
        const std::uint64_t texels = layout == Layout::row_wise ? 8 * 3 : 7 * 4;
        CHECK(bytes(1, 1) == texels * 4);
        CHECK(bytes(2, 1) == texels * 8);
        CHECK(bytes(3, 1) == texels * 16);
        CHECK(bytes(4, 1) == texels * 16);
        CHECK(bytes(1, 2) == texels * 8);
        CHECK(bytes(1, 4) == texels * 16);
        CHECK(bytes(2, 2) == texels * 16);
        CHECK(bytes(2, 8) == texels * 64);
        CHECK(bytes(3, 2) == texels * 32);
        stream.medium = Medium::buffer;
        CHECK(bytes(3, 1) == 21 * 12);
    }
}

TEST_CASE("barriers are those of all counts of a program", "[stream]") {
    ToyProgram toy(Backend::compute);
    const StreamId a = toy.add("stream_a", StreamRole::scratch, 64);
    const StreamId b = toy.add("stream_b", StreamRole::scratch, 64);
    const Counted count = Counted::count(16);
    toy.program.n = 16;
    toy.run(linear(), {{b, Substream::first(count)}}, {{a, Substream::first(count)}});
    toy.run(linear(), {{a, range(16, 20)}}, {{b, range(16, 20)}});
    CHECK_FALSE(make_schedule(toy.program).ops[1].barrier);
    toy.program.counts = CountRange{16, 17};
    CHECK(make_schedule(toy.program).ops[1].barrier);
}
