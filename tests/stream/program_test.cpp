#include <glsort/error.h>
#include <glsort/stream/program.h>

#include <catch2/catch.hpp>
#include <string>

#include "stream/toy_program.h"

using namespace glsort;
using namespace glsort::test;
using Catch::Contains;

namespace {

std::vector<std::string> names(const std::vector<Port>& ports) {
    std::vector<std::string> out;
    for (const Port& port : ports)
        out.push_back(port.name);
    return out;
}

}  // namespace

TEST_CASE("limits are set by name", "[stream]") {
    Limits limits;
    apply_limits(limits, "");
    CHECK(limits.attachments == 8);
    CHECK(limits.texture_size == 16384);
    CHECK(limits.shared_memory == 32768);
    CHECK(limits.invocations == 1024);
    CHECK(limits.subgroup_size == 0);
    CHECK_FALSE(limits.has_subgroups());
    CHECK(limits.pixel_pack);
    apply_limits(limits, "attachments=4");
    CHECK(limits.attachments == 4);
    apply_limits(limits,
                 "texture_size=4096,shared_memory=16384,invocations=128,storage_blocks=4,"
                 "storage_bytes=68719476736,subgroup_size=32,subgroups=ballot,"
                 "look_back=yes,software=1,pixel_pack=no,texture_barrier=0,multiprocessors=132");
    CHECK(limits.attachments == 4);
    CHECK(limits.texture_size == 4096);
    CHECK(limits.shared_memory == 16384);
    CHECK(limits.invocations == 128);
    CHECK(limits.storage_blocks == 4);
    CHECK(limits.storage_bytes == std::uint64_t{1} << 36);
    CHECK(limits.subgroup_size == 32);
    CHECK(limits.subgroups == Subgroups::ballot);
    CHECK(limits.has_subgroups());
    CHECK(limits.look_back);
    CHECK(limits.software);
    CHECK_FALSE(limits.pixel_pack);
    CHECK_FALSE(limits.texture_barrier);
    CHECK(limits.multiprocessors == 132);
    apply_limits(limits, "subgroups=none,look_back=0,pixel_pack=1");
    CHECK_FALSE(limits.has_subgroups());
    CHECK_FALSE(limits.look_back);
    CHECK(limits.pixel_pack);
    apply_limits(limits, "attachments=1,attachments=2");
    CHECK(limits.attachments == 2);
}

TEST_CASE("what is no limit is refused, and changes nothing", "[stream]") {
    const auto message = [](const std::string& text) -> std::string {
        Limits limits;
        try {
            apply_limits(limits, text);
        } catch (const Error& error) {
            CHECK(limits.attachments == 8);
            CHECK(limits.texture_size == 16384);
            return error.what();
        }
        return "accepted";
    };
    CHECK_THAT(message("attachement=4"), Contains("'attachement' is unknown") && Contains("attachments, texture_size"));
    CHECK_THAT(message("=4"), Contains("'' is unknown"));
    for (const LimitRow& row : limit_table()) {
        const std::string name(row.name);
        if (!row.is_number()) continue;
        if (name == "subgroup_size" || name == "multiprocessors" || name == "texture_buffer")
            CHECK(message(name + "=0") == "accepted");
        else
            CHECK(message(name + "=0") == "limits: " + name + " is 0; the least is 1");
    }
    CHECK_THAT(message("attachments=1,nonsense=4294967296"), Contains("'nonsense' is unknown"));
    for (const char* text :
         {"attachments", "attachments=", "attachments=x", "attachments=4x", "attachments= 4", "attachments=-1",
          "attachments=0x10", "attachments=4.5", "attachments=99999999999999999999"}) {
        CAPTURE(text);
        CHECK_THAT(message(text), Contains("name=number") && Contains(std::string("'") + text));
        CHECK_THAT(message("texture_size=1," + std::string(text)), Contains("name=number"));
    }
    CHECK_THAT(message(",attachments=4"), Contains("name=number"));
    CHECK_THAT(message("attachments=1,,texture_size=4"), Contains("name=number"));
    CHECK_THAT(message("attachments=4294967296"), Contains("attachments 4294967296") && Contains("2^32-1"));
    CHECK(message("attachments=4294967295") == "accepted");
    for (const char* text : {"software=2", "software=", "software=true", "look_back=-1"}) {
        CAPTURE(text);
        CHECK_THAT(message(text), Contains("yes|no"));
    }
    CHECK_THAT(message("subgroups=arb"), Contains("'arb'") && Contains("none|ballot|khr"));
}

TEST_CASE("every limit has a row, whose text sets it again", "[stream]") {
    // No value is the default.
    const Limits from{.attachments = 2,
                      .texture_size = 3,
                      .textures_read = 5,
                      .texture_buffer = 11,
                      .shared_memory = 6,
                      .invocations = 7,
                      .storage_blocks = 9,
                      .storage_bytes = std::uint64_t{1} << 40,
                      .block_arrays = false,
                      .subgroup_size = 16,
                      .subgroups = Subgroups::ballot,
                      .look_back = true,
                      .multiprocessors = 10,
                      .texture_barrier = true,
                      .pixel_pack = false,
                      .software = true,
                      .array_stores = false};
    Limits to;
    for (const LimitRow& row : limit_table()) {
        CAPTURE(row.name);
        CHECK(row.text(to) != row.text(from));
        CHECK_FALSE(row.help.empty());
        apply_limits(to, std::string(row.name) + "=" + row.text(from));
        CHECK(row.text(to) == row.text(from));
    }
    // With a new member, this line does not compile until the member is compared. The comparison needs a row of the
    // table.
    const auto& [a, b, c, q, d, e, f, g, o, h, i, j, k, l, m, n, p] = to;
    CHECK(limit_table().size() == 17);
    CHECK((a == from.attachments && b == from.texture_size && c == from.textures_read && d == from.shared_memory &&
           e == from.invocations && f == from.storage_blocks && g == from.storage_bytes && h == from.subgroup_size &&
           i == from.subgroups && j == from.look_back && k == from.multiprocessors && l == from.texture_barrier &&
           m == from.pixel_pack && n == from.software && o == from.block_arrays && p == from.array_stores &&
           q == from.texture_buffer));
}

TEST_CASE("streams are found by name", "[stream]") {
    ToyProgram toy(Backend::cpu);
    toy.add("one");
    const StreamId two = toy.add("two");
    CHECK(toy.program.stream("two") == two);
    CHECK_THROWS_WITH(toy.program.stream("three"), Contains("'three'") && Contains("toy:test") && Contains("one, two"));
}

TEST_CASE("an op is described by its kernel and its labels", "[stream]") {
    Op op;
    op.kernel = toy_kernel("toy", {}, {});
    CHECK(describe(op) == "toy");
    op.labels = {.stage = 3, .step = 0};
    CHECK(describe(op) == "toy, stage 3, step 0");
    op.labels = {.level = 1, .stage = 2, .phase = 3, .step = 4};
    CHECK(describe(op) == "toy, level 1, stage 2, phase 3, step 4");
}

TEST_CASE("chunks replace port 0 and bring their own ports", "[stream]") {
    Op op;
    Port in0 = port(Access::gather), in1 = in0, out0 = port(Access::linear), out1 = out0;
    in0.name = "in0", in1.name = "in1", out0.name = "out0", out1.name = "out1";
    op.kernel = toy_kernel("toy", {in0, in1}, {out0, out1});
    CHECK(names(input_ports(op)) == std::vector<std::string>{"in0", "in1"});
    CHECK(names(output_ports(op)) == std::vector<std::string>{"out0", "out1"});
    Port loaded = in0, gathered = in0, stored = out0;
    loaded.name = "loaded", gathered.name = "gathered", stored.name = "stored";
    auto load = std::make_shared<Chunk>();
    load->inputs = {loaded};
    auto store = std::make_shared<Chunk>();
    store->inputs = {gathered};
    store->outputs = {stored};
    op.load = load;
    CHECK(names(input_ports(op)) == std::vector<std::string>{"in1", "loaded"});
    op.store = store;
    CHECK(names(input_ports(op)) == std::vector<std::string>{"in1", "loaded", "gathered"});
    CHECK(names(output_ports(op)) == std::vector<std::string>{"out1", "stored"});
    CHECK(output_ports(op).back().access == Access::linear);
}

TEST_CASE("a store chunk writes where, and as often as, the output that it replaces", "[stream]") {
    Op op;
    op.kernel = toy_kernel("toy", {port(Access::gather)}, {port(Access::scatter, 1, 64)});
    auto store = std::make_shared<Chunk>();
    store->inputs = {port(Access::gather, 1, 2)};
    store->outputs = {port(Access::linear)};
    op.store = store;
    CHECK(output_ports(op).back().access == Access::scatter);
    CHECK(output_ports(op).back().elements == 64);
    CHECK(input_ports(op).back().access == Access::gather);
    CHECK(input_ports(op).back().elements == 128);
}

TEST_CASE("records in textures: layers of texels", "[stream]") {
    struct Case {
        std::uint32_t words, elements, texel_words, layers;
    };
    for (const Case& c : {Case{1, 1, 1, 1}, Case{2, 1, 2, 1}, Case{3, 1, 4, 1}, Case{4, 1, 4, 1}, Case{1, 2, 2, 1},
                          Case{1, 3, 4, 1}, Case{1, 8, 4, 2}, Case{2, 2, 4, 1}, Case{2, 8, 4, 4}, Case{2, 16, 4, 8},
                          Case{3, 2, 4, 2}, Case{4, 3, 4, 3}}) {
        CAPTURE(c.words, c.elements);
        Stream stream;
        stream.words = c.words;
        stream.elements_per_record = c.elements;
        stream.records = 5;
        CHECK(stream.texel_words() == c.texel_words);
        CHECK(stream.layers() == c.layers);
        CHECK(stream.bytes() == std::uint64_t{4} * c.words * c.elements * 5);
        // Every element lies within one texel.
        CHECK(c.layers * c.texel_words >= c.words * c.elements);
    }
    Stream large;
    large.words = 4;
    large.elements_per_record = 16;
    large.records = 0xffffffffu;
    CHECK(large.bytes() == std::uint64_t{256} * 0xffffffffu);
}
