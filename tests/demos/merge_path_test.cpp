#include "stages/merge_path.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "stages/elements.h"
#include "stages/op_records.h"
#include "stages/run.h"

using glsort::Block;
using glsort::StreamId;
using namespace glsort::demo;

namespace {

struct MergeSort {
    std::string algorithm;
    std::uint32_t n;
    Distribution distribution;
};

const MergeSort merge_sorts[] = {
    {"merge:multiway", 48, Distribution::uniform},      {"merge:multiway", 100, Distribution::few_distinct},
    {"merge:multiway", 300, Distribution::gaussian},    {"merge:multiway", 4096, Distribution::uniform},
    {"merge:shared", 1000, Distribution::few_distinct}, {"merge:shared", 5000, Distribution::zipf}};

// Calls `check` with the moment after each op of a merge.
template <class Check>
void after_merge_ops(const MergeSort& sort, const Check& check) {
    Method method;
    method.algorithm = sort.algorithm;
    Run run({.n = sort.n, .distribution = sort.distribution}, method, nullptr);
    std::size_t merges = 0;
    for (std::size_t op = 1; op <= run.ops(); ++op) {
        run.go_to(op);
        CAPTURE(sort.algorithm, sort.n, op, run.moment().last_op()->kernel->name);
        if (const auto merge = merge_of(*run.moment().last_op())) {
            check(run.moment(), *merge);
            ++merges;
        }
    }
    CHECK(merges > 0);
}

// The places of the runs' elements before the op.
std::vector<std::uint32_t> places_before(const Moment& moment, const Merge& merge) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = 0; i < merge.count; ++i)
        places.push_back(place_of(moment, merge.records, words_before(moment, merge.records), i).value());
    return places;
}

StreamId stream_of(const Moment& moment, glsort::PortRole role) {
    const auto written = stream_written(*moment.last_op(), role);
    return written ? *written : stream_read(*moment.last_op(), role).value();
}

std::vector<std::uint32_t> split_before(const Moment& moment, const Merge& merge, std::uint32_t group,
                                        std::uint32_t place) {
    const StreamId splits = stream_of(moment, glsort::PortRole::splits);
    const glsort::Stream& stream = moment.program->streams[splits];
    return split_at(merge, group, place, (*moment.streams)[splits], stream.words * stream.elements_per_record);
}

}  // namespace

TEST_CASE("what an op of a merge calls a run is sorted", "[demos]") {
    for (const MergeSort& sort : merge_sorts)
        after_merge_ops(sort, [](const Moment& moment, const Merge& merge) {
            const std::vector<std::uint32_t> places = places_before(moment, merge);
            std::uint32_t elements = 0;
            for (std::uint32_t group = 0; group < merge.groups(); ++group)
                for (std::uint32_t i = 0; i < merge.runs; ++i) {
                    const Block run = merge.run(group, i);
                    CHECK(std::is_sorted(places.begin() + run.begin, places.begin() + run.end));
                    elements += run.end - run.begin;
                }
            CHECK(elements == merge.count);
        });
}

TEST_CASE("the windows of a merge begin on the merge path", "[demos]") {
    for (const MergeSort& sort : merge_sorts)
        after_merge_ops(sort, [](const Moment& moment, const Merge& merge) {
            const std::vector<std::uint32_t> places = places_before(moment, merge);
            for (std::uint32_t group = 0; group < merge.groups(); ++group) {
                const Block a = merge.run(group, 0);
                const Block b = merge.run(group, 1);
                for (std::uint32_t window = 0; window <= merge.windows(group); ++window) {
                    const std::uint32_t place = merge.window_begin(group, window);
                    const std::vector<std::uint32_t> splits = split_before(moment, merge, group, place);
                    // All elements before the place are smaller than all others, and their number is the place.
                    std::uint32_t sum = 0;
                    std::uint32_t greatest_before = 0;
                    std::uint32_t smallest_behind = ~0u;
                    for (std::uint32_t i = 0; i < merge.runs; ++i) {
                        const Block run = merge.run(group, i);
                        const std::uint32_t split = splits[i];
                        sum += split;
                        if (split > 0) greatest_before = std::max(greatest_before, places[run.begin + split - 1]);
                        if (run.begin + split < run.end)
                            smallest_behind = std::min(smallest_behind, places[run.begin + split]);
                    }
                    CHECK(sum == place - merge.group(group).begin);
                    if (sum > 0) CHECK(greatest_before < smallest_behind);

                    const PathPoint start{splits[0], splits[1]};
                    CHECK(path_at(
                              start.a + start.b, a.end - a.begin, b.end - b.begin,
                              [&](std::uint32_t i) { return places[a.begin + i]; },
                              [&](std::uint32_t i) { return places[b.begin + i]; }) == start);
                }
            }
        });
}

TEST_CASE("elements come from the runs that merge_order has noted", "[demos]") {
    for (const MergeSort& sort : merge_sorts) {
        if (sort.algorithm != "merge:multiway") continue;
        after_merge_ops(sort, [](const Moment& moment, const Merge& merge) {
            const std::string& name = moment.last_op()->kernel->name;
            if (name != "merge_gather" && name != "merge_place") return;
            const StreamId sources = stream_of(moment, glsort::PortRole::sources);
            const glsort::Stream& stream = moment.program->streams[sources];
            const OpRecords records = OpRecords::of(moment).value();
            REQUIRE(records.followed());
            REQUIRE(records.written() == merge.count);
            for (std::uint32_t place = 0; place < merge.count; ++place) {
                const std::uint32_t source =
                    source_run(merge, place, (*moment.streams)[sources], stream.words * stream.elements_per_record);
                REQUIRE(source < merge.runs);
                const Block run = merge.run(place / (merge.length * merge.runs), source);
                const std::uint32_t origin = records.origin(place);
                REQUIRE((run.begin <= origin && origin < run.end));
            }
        });
    }
}

TEST_CASE("the merge path takes equal elements of the first run first", "[demos]") {
    const std::vector<std::uint32_t> a{1, 3, 3, 7};
    const std::vector<std::uint32_t> b{3, 4};
    const std::vector<PathPoint> path{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}, {3, 2}, {4, 2}};
    for (std::uint32_t diagonal = 0; diagonal < path.size(); ++diagonal)
        CHECK(path_at(
                  diagonal, 4, 2, [&](std::uint32_t i) { return a[i]; }, [&](std::uint32_t i) { return b[i]; }) ==
              path[diagonal]);
}
