#include <glsort/stream/program.h>
#include <glsort/stream/schedule.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "stream/random_program.h"
#include "stream/toy_program.h"
#include "support/random.h"

using namespace glsort;
using namespace glsort::test;

namespace {

// A program with everything that a line can hold: blocks, parameters, chunks, labels, two copies.
ToyProgram example() {
    ToyProgram toy(Backend::compute);
    toy.program.n = 16;
    const StreamId keys = toy.add("keys", StreamRole::in_place);
    const StreamId pairs = toy.add("pairs", StreamRole::scratch, 8);
    toy.program.streams[pairs].words = 2;
    toy.program.streams[pairs].elements_per_record = 2;

    auto first = toy_kernel("toy_first", {port(Access::gather)}, {port(Access::linear, 2, 2)});
    first->elements_per_instance = 2;
    auto load = std::make_shared<Chunk>();
    load->name = "toy_load";
    load->inputs = {port(Access::gather, 1, 2)};
    toy.run(first, {{keys, range(0, 16)}}, {{pairs, range(0, 8)}}).load = load;

    auto turn = toy_kernel("toy_turn", {port(Access::gather, 2, 2)}, {port(Access::linear, 2, 2)});
    turn->elements_per_instance = 2;
    turn->parameters = {{"distance", Parameter::Kind::index}, {"count"}};
    Op& op = toy.run(turn, {{pairs, range(0, 8)}}, {{pairs, range(0, 8)}});
    op.parameters = {4, 8};
    op.labels = {.level = 1, .stage = 2, .phase = 0, .step = 3};

    auto last = toy_kernel("toy_last", {port(Access::gather, 2, 1)}, {port(Access::scatter)});
    const Substream some({{0, 1}, {2, 5}});
    toy.run(last, {{pairs, some}}, {{keys, Substream({{0, 2}, {4, 10}})}}, some);
    return toy;
}

struct Dot {
    std::set<std::string> nodes;
    std::vector<std::array<std::string, 3>> edges;  // From, to, label.
};

// Removes `text` from the front of `line`, if the line begins with it.
bool take(std::string_view& line, std::string_view text) {
    if (!line.starts_with(text)) return false;
    line.remove_prefix(text.size());
    return true;
}

// Removes and returns the characters up to `end`. Also removes `end`.
std::string take_until(std::string_view& line, std::string_view end) {
    const std::size_t size = line.find(end);
    REQUIRE(size != std::string_view::npos);
    const std::string taken(line.substr(0, size));
    line.remove_prefix(size + end.size());
    return taken;
}

// Reads the used part of the language. Fails at any other text.
Dot parse_dot(const std::string& text) {
    Dot dot;
    std::string_view rest = text;
    REQUIRE(take(rest, "digraph \""));
    take_until(rest, "\" {\n  node [shape=box];\n");
    while (rest.starts_with("  ")) {
        std::string line = take_until(rest, "\n");
        CAPTURE(line);
        std::string_view left = line;
        take(left, "  ");
        const std::string name = take_until(left, " ");
        CHECK_THAT(name, Catch::StartsWith("op") || Catch::StartsWith("s"));
        const std::string to = take(left, "-> ") ? take_until(left, " ") : "";
        REQUIRE(take(left, "[label=\""));
        const std::string label = take_until(left, "\"");
        if (to.empty()) {
            take(left, ", shape=ellipse");
            REQUIRE(dot.nodes.insert(name).second);
        } else {
            dot.edges.push_back({name, to, label});
        }
        REQUIRE(left == "];");
    }
    REQUIRE(rest == "}\n");
    for (const auto& [from, to, label] : dot.edges) {
        CAPTURE(from, to);
        REQUIRE(dot.nodes.contains(from));
        REQUIRE(dot.nodes.contains(to));
    }
    return dot;
}

std::vector<std::string> words(const std::string& line) {
    std::istringstream stream(line);
    return {std::istream_iterator<std::string>(stream), {}};
}

}  // namespace

TEST_CASE("a program as text", "[stream]") {
    CHECK("\n" + to_text(example().program) == R"(
toy:test, n = 16, u32 keys ascending, payload index, compute backend, row-wise layout
streams
  keys   in place  16 records of 1 x 1 words  buffer
  pairs  scratch   8 records of 2 x 2 words   buffer  two copies
ops
  op  kernel                reads             writes           belongs to                         parameters
   0  toy_load > toy_first  keys[0..15]       pairs[0..7]
   1  toy_turn              pairs[0..7]       pairs[0..7]      level 1, stage 2, phase 0, step 3  distance=4 count=8
   2  toy_last              pairs[0..0,2..4]  keys[0..1,4..9]
)");
}

TEST_CASE("a program as a table", "[stream]") {
    CHECK("\n" + to_table(example().program) == R"(
toy:test, n = 16, u32 keys ascending, payload index, compute backend, row-wise layout
kernel     ops  elements read  written  bytes read  written
toy_first  1    16             16       64          128
toy_turn   1    16             16       128         128
toy_last   1    4              4        32          16
all        3    36             36       224         272
scratch bytes: 256
)");
}

TEST_CASE("a program as JSON", "[stream]") {
    ToyProgram toy = example();
    toy.program.key = KeyType::f32;
    toy.program.payload = Payload::bytes(4);
    toy.program.layout.kind = Layout::z_order;
    toy.run(toy.program.ops[1].kernel, toy.program.ops[1].reads, toy.program.ops[1].writes);
    toy.program.ops[3].parameters = {2, 8};
    const std::string text = to_json(toy.program);
    const auto json = nlohmann::json::parse(text);
    CHECK(text.back() == '\n');
    CHECK(json == nlohmann::json{{"algorithm", "toy"},
                                 {"variant", "test"},
                                 {"backend", "compute"},
                                 {"layout", "z-order"},
                                 {"n", 16},
                                 {"key", "f32"},
                                 {"payload", "4"},
                                 {"ops", 4},
                                 {"kernels", {{"toy_first", 1}, {"toy_turn", 2}, {"toy_last", 1}}},
                                 {"bytes_read", 224 + 128},
                                 {"bytes_written", 272 + 128},
                                 {"scratch_bytes", 256}});
}

TEST_CASE("the table's lines add up to its sums", "[stream]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    int kernels = 0;
    const auto kernel = [&](std::vector<Port> inputs, std::vector<Port> outputs) {
        return toy_kernel("toy_" + std::to_string(kernels++ % 5), std::move(inputs), std::move(outputs));
    };
    for (int round = 0; round < 50; ++round) {
        const ToyProgram toy = random_program(random, Backend::compute, 30, kernel);
        const Cost sum = cost(toy.program);
        std::istringstream lines(to_table(toy.program));
        std::string line;
        std::vector<std::string> head(2);
        for (std::string& text : head)
            std::getline(lines, text);
        std::array<std::uint64_t, 5> totals{};
        while (std::getline(lines, line)) {
            const auto cells = words(line);
            REQUIRE(cells.size() == 6);
            std::array<std::uint64_t, 5> numbers{};
            for (std::size_t i = 0; i < 5; ++i)
                numbers[i] = std::stoull(cells[i + 1]);
            if (cells[0] == "all") {
                CHECK(numbers == totals);
                break;
            }
            for (std::size_t i = 0; i < 5; ++i)
                totals[i] += numbers[i];
        }
        CHECK(totals == std::array<std::uint64_t, 5>{sum.ops, sum.elements_read, sum.elements_written, sum.bytes_read,
                                                     sum.bytes_written});
        std::getline(lines, line);
        CHECK(line == "scratch bytes: " + std::to_string(sum.scratch_bytes));
        CHECK_FALSE(std::getline(lines, line));
    }
}

TEST_CASE("a program as a graph", "[stream]") {
    const std::string text = to_dot(example().program);
    CHECK("\n" + text == R"(
digraph "toy:test n=16" {
  node [shape=box];
  s0 [label="keys", shape=ellipse];
  op0 [label="0: toy_load > toy_first"];
  op1 [label="1: toy_turn\nlevel 1, stage 2, phase 0, step 3"];
  op2 [label="2: toy_last"];
  s0 -> op0 [label="[0..15]"];
  op0 -> op1 [label="pairs[0..7]"];
  op1 -> op2 [label="pairs[0..0,2..4]"];
  op2 -> s0 [label="[0..1,4..9]"];
}
)");
    parse_dot(text);
    parse_dot(to_dot(ToyProgram(Backend::cpu).program));
}

TEST_CASE("the graph has an edge from the op that wrote a record last, and no other", "[stream]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    const auto kernel = [](std::vector<Port> inputs, std::vector<Port> outputs) {
        return toy_kernel("toy", std::move(inputs), std::move(outputs));
    };
    for (int round = 0; round < 100; ++round) {
        const StreamProgram program = random_program(random, Backend::cpu, 30, kernel).program;
        const Dot dot = parse_dot(to_dot(program));
        std::multiset<std::pair<std::string, std::string>> found, expected;
        for (const auto& [from, to, label] : dot.edges)
            found.insert({from, to});

        std::map<std::pair<StreamId, std::uint32_t>, std::size_t> writers;
        for (std::size_t i = 0; i < program.ops.size(); ++i) {
            const std::string op = "op" + std::to_string(i);
            const auto each = [](const StreamUse& use, auto visit) {
                for (const Block& block : use.records.blocks())
                    for (std::uint32_t r = block.begin; r < block.end; ++r)
                        visit(r);
            };
            for (const StreamUse& use : program.ops[i].reads) {
                std::set<std::string> from;
                each(use, [&](std::uint32_t record) {
                    const auto writer = writers.find({use.stream, record});
                    from.insert(writer == writers.end() ? "s" + std::to_string(use.stream)
                                                        : "op" + std::to_string(writer->second));
                });
                for (const std::string& node : from)
                    expected.insert({node, op});
            }
            for (const StreamUse& use : program.ops[i].writes) {
                each(use, [&](std::uint32_t record) { writers[{use.stream, record}] = i; });
                if (program.streams[use.stream].role != StreamRole::scratch)
                    expected.insert({op, "s" + std::to_string(use.stream)});
            }
        }
        REQUIRE(found == expected);
    }
}

TEST_CASE("the graph shows what an op shares", "[stream]") {
    ToyProgram toy(Backend::compute);
    const StreamId counts = toy.add("counts");
    toy.run(toy_kernel("toy_clear", {}, {port(Access::linear)}), {}, {{counts, range(0, 16)}});
    toy.run(toy_kernel("toy_count", {}, {port(Access::shared)}), {}, {{counts, range(0, 16)}});
    const Dot dot = parse_dot(to_dot(toy.program));
    CHECK(dot.edges == std::vector<std::array<std::string, 3>>{{"op0", "op1", "counts[0..15]"}});
}

TEST_CASE("what follows the count is printed by its rule", "[stream]") {
    ToyProgram toy(Backend::compute);
    const Counted count = Counted::count(10);
    toy.program.n = 10;
    const StreamId a = toy.add("keys", StreamRole::input);
    const StreamId b = toy.add("records");
    const StreamId c = toy.add("table", StreamRole::scratch, 3);
    const StreamId d = toy.add("values", StreamRole::output);
    for (const StreamId id : {a, d})
        toy.program.streams[id].records = count;
    toy.program.streams[b].records = parts_of(count, 4);
    auto kernel = gather();
    kernel->parameters = {{"count"}, {"size"}, {"last"}};
    const auto add = [&](StreamId from, StreamId to, const Counted& domain, std::vector<Counted> parameters) {
        toy.run(kernel, {{from, Substream::first(toy.program.streams[from].records)}}, {{to, Substream::first(domain)}})
            .parameters = std::move(parameters);
    };
    CHECK(to_rules(toy.program) == "");
    add(a, b, parts_of(count, 4), {count, 4, parts_of(count, 4) + ~0u});
    add(b, b, parts_of(count, 4), {count, 4, parts_of(count, 4) + ~0u});
    add(b, c, 3, {7, 8, 9});
    add(b, b, parts_of(count, 4), {count, 4, parts_of(count, 4) + ~0u});
    add(b, d, count, {10, 4, 0});
    CHECK(to_rules(toy.program) == "");
    toy.program.counts = CountRange{9, 12};
    CHECK("\n" + to_rules(toy.program) == R"(
counts 9 to 12: the same ops, with these numbers
streams
  keys values  count records
  records      ceil(count / 4) records
ops
  0-1 3  domain ceil(count / 4), count = count, last = ceil(count / 4) - 1
  4      domain count
)");
    // The costs show the range, too.
    const std::string table = to_table(toy.program);
    CHECK(table.find("all, n = 9 ") != std::string::npos);
    CHECK(table.find("all, n = 12 ") != std::string::npos);
}

TEST_CASE("JSON holds any name", "[stream]") {
    StreamProgram program;
    program.comparison = std::make_shared<Comparison>(Comparison{.name = "by \"depth\"\\\n\x01"});
    CHECK(nlohmann::json::parse(to_json(program))["key"] == "by \"depth\"\\\n\x01 (4 bytes)");
}
