#include "stages/sample_steps.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "stages/op_records.h"
#include "stages/run.h"

using namespace glsort::demo;

namespace {

struct SampleSort {
    std::string algorithm;
    std::uint32_t n;
    Distribution distribution;
    std::uint32_t tile;
    std::uint32_t samples;
};

const SampleSort sample_sorts[] = {{"sample:paper", 1024, Distribution::uniform, 64, 8},
                                   {"sample:paper", 1000, Distribution::constant, 64, 16},
                                   {"sample:multi-level", 512, Distribution::gaussian, 64, 8},
                                   {"sample:multi-level", 5000, Distribution::few_distinct, 128, 16},
                                   {"sample:multi-level", 20000, Distribution::staggered, 0, 0},
                                   {"sample:multi-level", 8192, Distribution::uniform, 256, 16},
                                   {"sample:randomized", 4096, Distribution::zipf, 128, 16}};

// Calls `check` with the moment after each op, and the level that the op belongs to.
template <class Check>
void after_sample_ops(const SampleSort& sort, const Check& check) {
    Method method;
    method.algorithm = sort.algorithm;
    method.tile = sort.tile;
    method.samples = sort.samples;
    Run run({.n = sort.n, .distribution = sort.distribution}, method, nullptr);
    for (std::size_t op = 1; op <= run.ops(); ++op) {
        run.go_to(op);
        CAPTURE(sort.algorithm, sort.n, op, run.moment().last_op()->kernel->name);
        const auto level = sample_level_of(run.program(), op - 1);
        REQUIRE(level);
        check(run.moment(), *level);
    }
}

}  // namespace

TEST_CASE("the ops of a sample sort make all steps of the paper, in its order", "[demos]") {
    for (const SampleSort& sort : sample_sorts) {
        int level = 0;
        int done = 9;
        after_sample_ops(sort, [&](const Moment& moment, const SampleLevel&) {
            const auto steps = sample_steps_of(*moment.program, moment.done - 1);
            REQUIRE(steps);
            const int of_op = moment.last_op()->labels.level;
            if (of_op > level) {
                CHECK((level == 0 || done == 8));
                CHECK(steps->first == 1);
                level = of_op;
            } else {
                // Several ops sort the samples, and at the end the buckets.
                CHECK((steps->first == done + 1 || (steps->first == done && (done == 4 || done == 9))));
            }
            CHECK(steps->last >= steps->first);
            done = steps->last;
        });
        CHECK(done == 9);
    }
}

TEST_CASE("buckets of a sample sort divide all elements, and keep their bound", "[demos]") {
    for (const SampleSort& sort : sample_sorts) {
        std::size_t levels = 0;
        after_sample_ops(sort, [&](const Moment& moment, const SampleLevel& level) {
            const std::vector<std::uint32_t> buckets = bucket_bounds(moment, level);
            if (moment.done <= level.prefix_op) {
                CHECK(buckets.empty());
                return;
            }
            REQUIRE(buckets.size() == level.buckets() + 1);
            CHECK(buckets.front() == 0);
            CHECK(buckets.back() == sort.n);
            CHECK(std::ranges::is_sorted(buckets));
            if (!level.random && !level.expected && !level.again())
                for (std::size_t i = 0; i + 1 < buckets.size(); ++i)
                    CHECK(buckets[i + 1] - buckets[i] <= level.bound());
            levels += moment.last_op()->kernel->name == "sample_prefix" ? 1 : 0;
        });
        CHECK(levels > 0);
    }
}

TEST_CASE("segments of a level are the buckets of the level before", "[demos]") {
    for (const SampleSort& sort : sample_sorts) {
        std::vector<std::uint32_t> last{0, sort.n};
        std::vector<std::uint32_t> current;
        int number = 1;
        after_sample_ops(sort, [&](const Moment& moment, const SampleLevel& level) {
            // Ops after all levels belong to one of the levels.
            if (moment.last_op()->labels.level < 0) return;
            if (level.number > number) {
                last = current;
                number = level.number;
            }
            std::vector<std::uint32_t> begins;
            for (std::size_t i = 0; i < last.size(); i += std::max(level.of_buckets, 1u))
                begins.push_back(last[i]);
            CHECK(segment_bounds(moment, level) == begins);
            current = bucket_bounds(moment, level);
        });
    }
}

TEST_CASE("what the tiles have of a bucket is the bucket", "[demos]") {
    for (const SampleSort& sort : sample_sorts)
        after_sample_ops(sort, [](const Moment& moment, const SampleLevel& level) {
            if (moment.last_op()->kernel->name != "sample_prefix") return;
            const std::vector<std::uint32_t> segments = segment_bounds(moment, level);
            const std::vector<std::uint32_t> buckets = bucket_bounds(moment, level);
            std::vector<std::uint32_t> sizes(level.buckets());
            const std::vector<bool> divided = divided_segments(moment, level);
            for (std::uint32_t segment = 0; segment < level.segments; ++segment) {
                if (!divided[segment]) continue;
                const std::vector<std::uint32_t> tiles = tile_bounds(level, segments[segment], segments[segment + 1]);
                for (std::uint32_t tile = 0; tile + 1 < tiles.size(); ++tile) {
                    const std::vector<std::uint32_t> places =
                        bucket_places(moment, level, segment, tile, tiles[tile + 1] - tiles[tile]);
                    REQUIRE(places.size() == level.each + 1);
                    for (std::uint32_t i = 0; i < level.each; ++i)
                        sizes[segment * level.each + i] += places[i + 1] - places[i];
                }
            }
            for (std::uint32_t i = 0; i < level.buckets(); ++i)
                if (divided[i / level.each]) CHECK(sizes[i] == buckets[i + 1] - buckets[i]);
        });
}

TEST_CASE("relocated elements are in the buckets of their places in the sorted order", "[demos]") {
    for (const SampleSort& sort : sample_sorts)
        after_sample_ops(sort, [](const Moment& moment, const SampleLevel& level) {
            if (moment.last_op()->kernel->name != "sample_relocate") return;
            const OpRecords records = OpRecords::of(moment).value();
            const std::vector<std::uint32_t> buckets = bucket_bounds(moment, level);
            for (std::size_t bucket = 0; bucket + 1 < buckets.size(); ++bucket)
                for (std::uint32_t i = buckets[bucket]; i < buckets[bucket + 1]; ++i) {
                    const std::uint32_t place = records.place_written(i).value();
                    REQUIRE((buckets[bucket] <= place && place < buckets[bucket + 1]));
                }
        });
}
