#include "stages/run.h"

#include <glsort/sorter.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "stages/elements.h"
#include "stages/panels.h"
#include "stages/player.h"
#include "support/distributions.h"

using namespace glsort;
using namespace glsort::demo;

namespace {

// The words of all written records. Other records have any value.
std::vector<std::vector<std::uint32_t>> written_content(const StreamProgram& program,
                                                        const std::vector<std::vector<std::uint32_t>>& streams,
                                                        const std::vector<Substream>& written) {
    std::vector<std::vector<std::uint32_t>> content(streams.size());
    for (StreamId id = 0; id < streams.size(); ++id) {
        const std::size_t words = std::size_t{program.streams[id].words} * program.streams[id].elements_per_record;
        for (const Block& block : written[id].blocks())
            content[id].insert(content[id].end(),
                               streams[id].begin() + static_cast<std::ptrdiff_t>(words * block.begin),
                               streams[id].begin() + static_cast<std::ptrdiff_t>(words * block.end));
    }
    return content;
}

// The contents of a sorter's streams after each op, without code of the viewer.
std::vector<std::vector<std::vector<std::uint32_t>>> stepped_states(const Input& input, const Method& method) {
    std::vector<std::uint32_t> keys = glsort::demo::make_keys(input);
    std::vector<std::uint32_t> values(input.n);
    CpuSorter sorter(sort_spec(input, method));
    sorter.begin(keys, values);
    const StreamProgram& program = sorter.program();
    std::vector<Substream> written(program.streams.size());
    written[program.stream("keys")] = Substream::range(0, input.n);
    std::vector<std::vector<std::vector<std::uint32_t>>> states;
    for (std::size_t done = 0;; ++done) {
        std::vector<std::vector<std::uint32_t>> streams;
        for (StreamId id = 0; id < program.streams.size(); ++id)
            streams.push_back(sorter.read(id));
        states.push_back(written_content(program, streams, written));
        if (!sorter.step()) return states;
        for (const StreamUse& use : program.ops[done].writes)
            written[use.stream] = written[use.stream].united(use.records);
    }
}

std::vector<std::string> every_algorithm() {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            names.push_back(algorithm.name + ":" + variant.name);
    return names;
}

// A sequence of ops that turns back often, and ends at the last op.
std::vector<std::size_t> wandering(std::size_t ops) {
    std::vector<std::size_t> way = {ops, 0, ops / 2, ops / 2 + 1, ops / 3, ops, ops - 1};
    std::uint32_t random = 1;
    for (int i = 0; i < 12; ++i) {
        random = random * 1664525u + 1013904223u;
        way.push_back((random >> 8) % (ops + 1));
    }
    way.push_back(ops);
    return way;
}

}  // namespace

TEST_CASE("stages: forward and back, a run holds what stepping a sorter gives", "[demos]") {
    for (const std::string& name : every_algorithm())
        for (const std::uint32_t n : {16u, 100u, 300u}) {
            CAPTURE(name, n);
            const Input input{n, Distribution::few_distinct, KeyType::f32, Direction::descending, 7};
            Method method;
            method.algorithm = name;
            const auto states = stepped_states(input, method);
            // With memory for the replaced words of all ops, of some ops, and of one op.
            for (const std::size_t memory : {Run::usual_memory, std::size_t{20} * n, std::size_t{1}}) {
                if (memory != Run::usual_memory && n == 300) continue;
                Run run(input, method, nullptr, memory);
                REQUIRE(run.ops() + 1 == states.size());
                for (const std::size_t target : wandering(run.ops())) {
                    run.go_to(target);
                    REQUIRE(run.done() == target);
                    REQUIRE(run.moment().done == target);
                    const auto content = written_content(run.program(), *run.moment().streams, *run.moment().written);
                    REQUIRE(content == states[target]);
                }
            }
        }
}

TEST_CASE("stages: a scene runs from the keys of its sources to the visible keys in order", "[demos]") {
    for (const Backend backend : {Backend::cpu, Backend::compute, Backend::fragment})
        for (const char* algorithm : {"merge", "bitonic:step", "radix"})
            for (const std::uint32_t sources : {0u, 1u, 3u})
                for (const double visible : {0.0, 0.5, 1.0}) {
                    const Input input{.n = 150,
                                      .key = KeyType::i32,
                                      .order = Direction::descending,
                                      .seed = 3,
                                      .sources = sources,
                                      .visible = visible};
                    if (!input.is_scene() || (backend == Backend::fragment && std::string(algorithm) == "radix"))
                        continue;
                    CAPTURE(to_string(backend), algorithm, sources, visible);
                    Run run(input, {.algorithm = algorithm, .backend = backend}, nullptr);
                    CHECK(run.program().backend == (backend == Backend::fragment ? backend : Backend::compute));
                    run.go_to(run.ops() / 2);
                    const auto half = *run.moment().streams;
                    run.go_to(run.ops());
                    run.go_to(run.ops() / 2);
                    CHECK(*run.moment().streams == half);
                    run.go_to(run.ops());

                    const std::vector<std::uint32_t> shown = shown_elements(input);
                    CHECK(run.program().n == shown.size());
                    CHECK((visible == 1.0) == (shown.size() == 150));
                    if (shown.empty()) continue;
                    // Every key has its place among all keys, and keys that are not visible are gone.
                    const bool fragment = run.program().backend == Backend::fragment;
                    // The last op of a sort writes keys, items, or both.
                    const StreamId keys = run.program().stream(fragment ? "output" : "keys");
                    const bool has_keys = !(*run.moment().written)[keys].empty();
                    const StreamId result = has_keys ? keys : run.program().stream("items");
                    REQUIRE(run.moment().places->holds_keys(result));
                    std::vector<std::uint32_t> expected;
                    for (const std::uint32_t element : shown)
                        expected.push_back(run.moment().places->of_index(element));
                    std::ranges::sort(expected);
                    std::vector<std::uint32_t> found;
                    for (std::uint32_t i = 0; i < shown.size(); ++i)
                        found.push_back(run.moment()
                                            .places
                                            ->of(result, element_words(run.program().streams[result],
                                                                       (*run.moment().streams)[result], i))
                                            .value_or(~0u));
                    CHECK(found == expected);
                }
}

TEST_CASE("stages: the sort of a scene shows its keys in every op", "[demos]") {
    for (const Backend backend : {Backend::compute, Backend::fragment}) {
        Run run({.n = 100, .sources = 2, .visible = 0.4}, {.algorithm = "bitonic:step", .backend = backend}, nullptr);
        std::size_t shown = 0;
        for (std::size_t op = 0; op < run.ops(); ++op) {
            run.go_to(op + 1);
            CHECK(run.moment().last_trace != nullptr);
            if (run.program().ops[op].kernel->name != "bitonic_step") continue;
            ++shown;
            CHECK(part_in_op(run.moment(), key_stream(run.moment())) == StreamPart::written);
        }
        CHECK(shown > 10);
    }
}

TEST_CASE("stages: what the last op replaced is there after steps in either direction", "[demos]") {
    const Input input{64};
    Run run(input, {}, nullptr);
    const StreamId records = run.program().stream("records");
    run.go_to(5);
    const std::vector<std::uint32_t> earlier = (*run.moment().streams)[records];
    CHECK(run.moment().before->at(run.program().stream("keys")).empty());  // The op does not write keys.
    run.go_to(6);
    CHECK(run.moment().before->at(records) == earlier);
    run.go_to(20);
    run.go_to(6);
    CHECK(run.moment().before->at(records) == earlier);
    CHECK(words_before(run.moment(), records) == earlier);
    const std::uint64_t version = run.moment().version;
    run.go_to(6);
    CHECK(run.moment().version == version);
    run.go_to(5);
    CHECK(run.moment().version != version);
}

TEST_CASE("stages: a run goes on for a while at a time", "[demos]") {
    Run run({256}, {}, nullptr);
    run.aim(run.ops() + 5);
    CHECK(run.target() == run.ops());
    std::size_t calls = 0;
    while (!run.work(0.0))
        ++calls;  // No time, so one op.
    CHECK(calls + 1 == run.ops());
    CHECK(run.done() == run.ops());
}

TEST_CASE("stages: a run is told from one that was where it is now", "[demos]") {
    const std::uint64_t first = Run({64}, {}, nullptr).number();
    CHECK(first > 0);
    CHECK(Run({64}, {}, nullptr).number() != first);
}

TEST_CASE("stages: one sort goes by op, whatever the pace of two is", "[demos]") {
    const Device device;
    Player player(device);
    player.choose({64}, {{}, {}});
    const auto settle = [&player] {
        // To the input, sometimes by way of the result, which has all times.
        for (int i = 0; i < 4; ++i) {
            do
                player.update(0.0, 10.0);
            while (player.making() || !player.arrived());
        }
    };
    player.set_pace(Player::Pace::time);
    settle();
    for (const std::uint32_t n : {64u, 128u}) {  // The first of the two, then a sort without known times.
        player.choose({n}, {{}});
        settle();
        const Run& run = *player.slots()[0].run;
        CHECK(player.length() == static_cast<double>(run.ops()));
        CHECK(run.done() == 0);
        player.step(1);
        settle();
        CHECK(run.done() == 1);
    }
    // A change of pace does not move the player.
    player.set_pace(Player::Pace::op);
    settle();
    CHECK(player.slots()[0].run->done() == 1);
}

TEST_CASE("stages: an op without GLSL says why", "[demos]") {
    Run scene({.n = 64, .sources = 3}, {.backend = Backend::fragment}, nullptr);
    for (std::size_t op = 0; op < scene.ops(); ++op) {
        CHECK(scene.source(op).empty());
        CHECK_THAT(why_no_source(scene, op), Catch::Contains("scenes in C++"));
    }
    CHECK_THAT(why_no_source(Run({64}, {}, nullptr), 0), Catch::Contains("Choose backend"));
}

TEST_CASE("stages: traces and comparisons are those of the ops", "[demos]") {
    Run run({64}, {}, nullptr);
    std::uint64_t comparisons = 0;
    for (std::size_t op = 0; op < run.ops(); ++op) {
        REQUIRE(run.moment().next_trace != nullptr);
        run.go_to(op + 1);
        REQUIRE(run.moment().last_trace != nullptr);
        comparisons += run.moment().last_trace->comparisons.size();
        while (!run.comparisons_of_first(op + 1)) {
        }
        CHECK(*run.comparisons_of_first(op + 1) == comparisons);
        CHECK(run.milliseconds(op).has_value());
    }
    CHECK(comparisons > 0);
    CHECK(run.moment().next_trace == nullptr);
    CHECK(run.cost_of_first(run.ops()).bytes_read == cost(run.program()).bytes_read);
    CHECK(run.cost_of_first(run.ops()).bytes_written == cost(run.program()).bytes_written);
    CHECK(run.cost_of_first(0).bytes_read == 0);
    CHECK(Run({2048}, {}, nullptr).moment().next_trace == nullptr);  // Too long to trace.
}

TEST_CASE("stages: keys are found in every form, and nothing else is", "[demos]") {
    const KeyType key = GENERATE(KeyType::u32, KeyType::f32, KeyType::i64);
    const Direction order = GENERATE(Direction::ascending, Direction::descending);
    for (const std::string& name : every_algorithm()) {
        CAPTURE(name, to_string(key), to_string(order));
        Method method;
        method.algorithm = name;
        Run run({150, Distribution::uniform, key, order, 3}, method, nullptr);
        const StreamProgram& program = run.program();
        const StreamId keys = program.stream("keys");
        std::size_t found = 0;
        for (std::size_t done = 0; done <= run.ops(); ++done) {
            run.go_to(done);
            const Moment& moment = run.moment();
            for (const StreamId id : written_streams(moment)) {
                if (!moment.places->holds_keys(id)) continue;
                const Substream written = written_records(moment, id);
                for (const Block& block : written.blocks())
                    for (std::uint32_t e = block.begin * program.streams[id].elements_per_record;
                         e < block.end * program.streams[id].elements_per_record; ++e)
                        found +=
                            moment.places->of(id, element_words(program.streams[id], (*moment.streams)[id], e)) ? 1 : 0;
            }
            for (const char* other : {"values", "splits", "sources", "counts", "offsets", "sums", "starts", "totals",
                                      "status", "places", "moves", "paths", "paths_2"})
                for (StreamId id = 0; id < program.streams.size(); ++id)
                    if (program.streams[id].name == other) CHECK_FALSE(moment.places->holds_keys(id));
        }
        CHECK(found >= 150);
        // At the end the places are 0, 1, 2, ...
        const Moment& moment = run.moment();
        for (std::uint32_t i = 0; i < 150; ++i)
            REQUIRE(moment.places->of(keys, element_words(program.streams[keys], (*moment.streams)[keys], i)) == i);
        CHECK(key_stream(moment) == keys);
    }
}

TEST_CASE("stages: of equal keys each has a place of its own beside its index, and the first one without", "[demos]") {
    Run run({32, Distribution::zero}, {}, nullptr);
    run.go_to(3);
    const StreamId keys = run.program().stream("keys");
    const StreamId records = run.program().stream("records");
    const auto place = [&run](StreamId id, std::uint32_t element) {
        return run.moment().places->of(id,
                                       element_words(run.program().streams[id], (*run.moment().streams)[id], element));
    };
    std::set<std::uint32_t> places;
    for (std::uint32_t i = 0; i < 32; ++i) {
        CHECK(place(keys, i) == 0u);
        REQUIRE(place(records, i).has_value());
        places.insert(*place(records, i));
    }
    CHECK(places.size() == 32);
    const std::uint32_t unknown = 5;
    CHECK_FALSE(run.moment().places->of(keys, std::span(&unknown, 1)).has_value());
}
