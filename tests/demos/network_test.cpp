#include "stages/network.h"

#include <glsort/planner.h>
#include <glsort/sorter.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plan/networks/every_network.h"
#include "stages/elements.h"
#include "stages/run.h"
#include "stages/shown_network.h"
#include "support/distributions.h"

using namespace glsort;
using namespace glsort::demo;
using glsort::test::stepwise_networks;

namespace {

StreamProgram network_program(const std::string& algorithm, std::uint32_t n, Backend backend = Backend::compute,
                              std::uint32_t tile = 0) {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.spec.backend = backend;
    request.n = n;
    request.spec.tuning.networks.tile = tile;
    return plan(request);
}

struct ByWires {
    bool operator()(const Comparator& a, const Comparator& b) const {
        return std::pair(a.smaller, a.larger) < std::pair(b.smaller, b.larger);
    }
};
using ComparatorColumn = std::set<Comparator, ByWires>;

ComparatorColumn network_column_of_all(const Network& network, std::size_t column) {
    ComparatorColumn comparators;
    for (std::uint32_t wire = 0; wire < network.wires(); ++wire)
        if (const auto comparator = network.comparator(column, wire)) comparators.insert(*comparator);
    return comparators;
}

std::vector<ComparatorColumn> network_columns_of(const Network& network) {
    std::vector<ComparatorColumn> columns;
    for (std::size_t column = 0; column < network.columns(); ++column)
        columns.push_back(network_column_of_all(network, column));
    return columns;
}

// Batcher's bitonic sorter for any n. The last block ascends, the other blocks alternate. Comparators that reach past
// the end are left out.
std::vector<ComparatorColumn> bitonic_columns(std::uint32_t n) {
    std::vector<ComparatorColumn> columns;
    const int stages = std::bit_width(n - 1);
    for (int stage = 1; stage <= stages; ++stage)
        for (int step = stage - 1; step >= 0; --step) {
            ComparatorColumn column;
            for (std::uint32_t a = 0; a < n; ++a) {
                const std::uint32_t b = a ^ 1u << step;
                if (b < a || b >= n) continue;
                const bool ascends = ((a >> stage) % 2 != 0) == (((n - 1) >> stage) % 2 != 0);
                column.insert(ascends ? Comparator{a, b} : Comparator{b, a});
            }
            columns.push_back(column);
        }
    return columns;
}

// Batcher's odd-even merge sort, in his definition. The even and the odd places are merged separately, then neighbours
// are compared.
void odd_even_merge(std::vector<std::uint32_t> places, std::size_t depth, std::vector<ComparatorColumn>& columns) {
    if (places.size() == 2) {
        columns[depth].insert({places[0], places[1]});
        return;
    }
    std::vector<std::uint32_t> even, odd;
    for (std::size_t i = 0; i < places.size(); ++i)
        (i % 2 == 0 ? even : odd).push_back(places[i]);
    odd_even_merge(even, depth, columns);
    odd_even_merge(odd, depth, columns);
    const std::size_t last = depth + static_cast<std::size_t>(std::bit_width(places.size())) - 2;
    for (std::size_t i = 1; i + 1 < places.size(); i += 2)
        columns[last].insert({places[i], places[i + 1]});
}

std::vector<ComparatorColumn> odd_even_columns(std::uint32_t n) {
    std::vector<ComparatorColumn> columns;
    for (std::uint32_t run = 2; run <= n; run *= 2) {
        const std::size_t depth = columns.size();
        columns.resize(depth + static_cast<std::size_t>(std::bit_width(run)) - 1);
        for (std::uint32_t begin = 0; begin < n; begin += run) {
            std::vector<std::uint32_t> places(run);
            std::iota(places.begin(), places.end(), begin);
            odd_even_merge(places, depth, columns);
        }
    }
    return columns;
}

// Dowd, Perl, Rudolph and Saks: each element is compared with its mirror image, in blocks that are halved. The sequence
// repeats log n times.
std::vector<ComparatorColumn> balanced_columns(std::uint32_t n) {
    std::vector<ComparatorColumn> columns;
    for (std::uint32_t stage = 1; stage < n; stage *= 2)
        for (std::uint32_t block = n; block > 1; block /= 2) {
            ComparatorColumn column;
            for (std::uint32_t begin = 0; begin < n; begin += block)
                for (std::uint32_t i = 0; i < block / 2; ++i)
                    column.insert({begin + i, begin + block - 1 - i});
            columns.push_back(column);
        }
    return columns;
}

// An input of zeros and ones that the network leaves unsorted. Empty if the network sorts (Knuth's 0-1 principle).
std::vector<std::uint32_t> unsorted_input(const std::vector<ComparatorColumn>& columns, std::uint32_t n) {
    for (std::uint32_t bits = 0; bits < 1u << n; ++bits) {
        std::vector<std::uint32_t> keys(n);
        for (std::uint32_t i = 0; i < n; ++i)
            keys[i] = bits >> i & 1;
        std::vector<std::uint32_t> input = keys;
        for (const ComparatorColumn& column : columns)
            for (const Comparator& comparator : column)
                if (keys[comparator.smaller] > keys[comparator.larger])
                    std::swap(keys[comparator.smaller], keys[comparator.larger]);
        if (!std::ranges::is_sorted(keys)) return input;
    }
    return {};
}

}  // namespace

TEST_CASE("a network's columns are those of the literature", "[demos]") {
    for (const Backend backend : {Backend::cpu, Backend::fragment, Backend::compute}) {
        CAPTURE(to_string(backend));
        for (const std::uint32_t n : {2u, 8u, 11u, 16u, 64u})
            CHECK(network_columns_of(Network(network_program("bitonic:step", n, backend))) == bitonic_columns(n));
        for (const std::uint32_t n : {2u, 16u, 64u}) {
            CHECK(network_columns_of(Network(network_program("odd-even:step", n, backend))) == odd_even_columns(n));
            CHECK(network_columns_of(Network(network_program("periodic-balanced:step", n, backend))) ==
                  balanced_columns(n));
        }
    }
}

TEST_CASE("a network's columns sort, whatever the number of wires", "[demos]") {
    for (const std::string& algorithm : stepwise_networks())
        for (std::uint32_t n = 1; n <= 11; ++n) {
            CAPTURE(algorithm, n);
            const std::vector<ComparatorColumn> columns = network_columns_of(Network(network_program(algorithm, n)));
            CHECK(unsorted_input(columns, n).empty());
            // Checks the test itself: merge sorts without their last column do not sort.
            if (n > 1 && algorithm != "periodic-balanced:step")
                CHECK_FALSE(unsorted_input({columns.begin(), columns.end() - 1}, n).empty());
        }
}

TEST_CASE("an op that does several steps has the columns of all of them", "[demos]") {
    for (const std::uint32_t n : {11u, 64u, 1000u}) {
        const StreamProgram step = network_program("bitonic:step", n);
        const Network steps(step);
        for (const std::uint32_t tile : {4u, 16u, 64u}) {
            CAPTURE(n, tile);
            const StreamProgram program = network_program("bitonic:local", n, Backend::compute, tile);
            REQUIRE(Network::is_run_by(program));
            const Network network(program);
            REQUIRE(network.columns() == steps.columns());
            CHECK(network_columns_of(network) == network_columns_of(steps));
            std::size_t column = 0;
            for (std::size_t op = 0; op < program.ops.size(); ++op) {
                const Columns columns = network.columns_of(op);
                CHECK(columns.begin == column);
                CHECK(columns.begin < columns.end);
                column = columns.end;
                CHECK(network.columns_done(op + 1) == column);
            }
            CHECK(column == network.columns());
        }
    }
}

TEST_CASE("the comparators of a column are what its op compares", "[demos]") {
    for (const std::string& algorithm : stepwise_networks()) {
        constexpr std::uint32_t n = 46;
        PlanRequest request;
        request.spec.algorithm = algorithm;
        CpuSorter sorter(request.spec, request.limits);
        std::vector<std::uint32_t> keys = make_keys32(Distribution::few_distinct, KeyType::u32, n, 7);
        std::vector<std::uint32_t> indexes(n);
        sorter.begin(keys, indexes);
        const Network network(sorter.program());
        std::vector<std::uint32_t> wire_of(n);  // By the index of a key.
        std::iota(wire_of.begin(), wire_of.end(), 0u);
        OpTrace trace;
        for (std::size_t op = 0; sorter.step(trace); ++op) {
            CAPTURE(algorithm, op);
            const Columns columns = network.columns_of(op);
            std::set<std::pair<std::uint32_t, std::uint32_t>> compared, expected;
            for (const OpTrace::Comparison& comparison : trace.comparisons)
                compared.insert(std::minmax(wire_of[comparison.a[1]], wire_of[comparison.b[1]]));
            for (std::size_t column = columns.begin; column < columns.end; ++column)
                for (const Comparator& comparator : network_column_of_all(network, column))
                    expected.insert(std::minmax(comparator.smaller, comparator.larger));
            CHECK(compared == expected);
            CHECK(columns.end - columns.begin == (trace.comparisons.empty() ? 0 : 1));
            if (trace.comparisons.empty()) continue;
            const std::vector<std::uint32_t> records = sorter.read(sorter.program().stream("records"));
            for (std::uint32_t wire = 0; wire < n; ++wire)
                wire_of[records[2 * wire + 1]] = wire;
        }
    }
}

TEST_CASE("of a large network a part is shown that no comparator leaves", "[demos]") {
    std::vector<std::string> algorithms = stepwise_networks();
    algorithms.emplace_back("bitonic:local");
    for (const std::string& algorithm : algorithms)
        for (const std::uint32_t n : {65u, 1000u, 65536u}) {
            const StreamProgram program = network_program(algorithm, n);
            const Network network(program);
            for (std::size_t centre = 0; centre < network.columns(); centre += 7) {
                CAPTURE(algorithm, n, centre);
                const NetworkPart part = part_of(network, centre, 32, 200);
                CHECK(part.wires.size() >= 2);
                CHECK(part.wires.size() <= 32);
                CHECK(std::ranges::is_sorted(part.wires));
                CHECK(std::ranges::any_of(part.columns, [&](const auto& column) { return column.number == centre; }));
                for (const NetworkPart::Column& column : part.columns) {
                    std::size_t ends = 0;
                    for (const std::uint32_t wire : part.wires)
                        if (network.comparator(column.number, wire)) ++ends;
                    CHECK(ends == 2 * column.comparators.size());
                    for (const Comparator& comparator : column.comparators) {
                        CHECK(std::ranges::binary_search(part.wires, comparator.smaller));
                        CHECK(std::ranges::binary_search(part.wires, comparator.larger));
                    }
                }
            }
        }
}

TEST_CASE("comparators of one lane do not overlap", "[demos]") {
    const StreamProgram program = network_program("periodic-balanced", 32);
    const Network network(program);
    const NetworkPart part = part_of(network, 0, 64, 10000);
    CHECK(part.wires.size() == 32);
    CHECK(part.columns.size() == 25);
    for (const NetworkPart::Column& column : part.columns)
        for (std::size_t a = 0; a < column.comparators.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) {
                if (column.lanes[a] != column.lanes[b]) continue;
                const auto [from_a, to_a] = std::minmax(column.comparators[a].smaller, column.comparators[a].larger);
                const auto [from_b, to_b] = std::minmax(column.comparators[b].smaller, column.comparators[b].larger);
                CHECK((to_a < from_b || to_b < from_a));
            }
}

TEST_CASE("the columns of a part make of keys what the program makes", "[demos]") {
    constexpr std::uint32_t n = 23;
    const StreamProgram program = network_program("odd-even", n);
    const Network network(program);
    const NetworkPart part = part_of(network, 0, 64, 10000);
    std::vector<std::optional<std::uint32_t>> places;
    for (std::uint32_t wire = 0; wire < n; ++wire)
        places.emplace_back((wire * 7) % n);
    for (const NetworkPart::Column& column : part.columns)
        compare(part, column, places);
    for (std::uint32_t wire = 0; wire < n; ++wire)
        CHECK(places[wire] == wire);
}

TEST_CASE("stages: the keys on a network's wires are those that its comparators exchange", "[demos]") {
    struct Case {
        Input input;
        Method method;
    };
    std::vector<Case> cases;
    for (const char* algorithm : {"bitonic:step", "bitonic:local", "odd-even:step"})
        for (const Distribution distribution : {Distribution::uniform, Distribution::zero, Distribution::few_distinct})
            cases.push_back({{.n = 16, .distribution = distribution}, {.algorithm = algorithm}});
    cases.push_back({{.n = 33, .distribution = Distribution::zero, .order = Direction::descending}, {}});
    for (const Backend backend : {Backend::compute, Backend::fragment})
        for (const std::uint32_t sources : {1u, 3u})
            for (const double visible : {0.6, 1.0})
                if (sources > 1 || visible < 1)
                    cases.push_back({{.n = 48, .sources = sources, .visible = visible}, {.backend = backend}});
    for (const auto& [input, method] : cases) {
        CAPTURE(method.algorithm, to_string(method.backend), distribution_name(input.distribution), input.n,
                input.sources, input.visible);
        Run run(input, method, nullptr);
        const Network network(run.program());
        for (std::size_t done = 0; done <= run.ops(); ++done) {
            CAPTURE(done);
            run.go_to(done);
            const Moment& moment = run.moment();
            const ShownNetwork shown = shown_network(network, moment, 64, 10000);
            REQUIRE(shown.part.wires.size() == network.wires());
            REQUIRE(shown.places.size() == network.columns() + 1);
            for (std::uint32_t wire = 0; wire < network.wires(); ++wire)
                CHECK(shown.places[0][wire] == moment.places->of_sorted(wire));
            for (std::size_t i = 0; i < shown.ran; ++i) {
                CAPTURE(i);
                WirePlaces after = shown.places[i];
                compare(shown.part, shown.part.columns[i], after);
                CHECK(shown.places[i + 1] == after);
                for (const Comparator& comparator : shown.part.columns[i].comparators)
                    CHECK(shown.has_exchanged(i, comparator) ==
                          (shown.places[i][comparator.smaller] > shown.places[i][comparator.larger]));
            }
            if (done == run.ops()) CHECK(std::ranges::is_sorted(shown.places.back()));
            // Arcs over bars tell the exchanges of different keys, whether the op works in place or between streams.
            if (input.distribution != Distribution::uniform || shown.lit.end != shown.lit.begin + 1) continue;
            // The first step of a culled scene reads a stream in which its elements have other positions.
            if (input.visible < 1 && shown.lit.begin == 0) continue;
            const StreamId target = key_stream(moment);
            const StreamId source = source_of(moment, target).value_or(target);
            for (const Comparator& comparator : shown.part.columns[shown.lit.begin].comparators)
                CHECK(has_exchanged(moment, source, target, comparator.smaller, comparator.larger) ==
                      shown.has_exchanged(shown.lit.begin, comparator));
        }
    }
}
