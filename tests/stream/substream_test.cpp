#include <glsort/error.h>
#include <glsort/stream/stream.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "support/random.h"

using namespace glsort;
using Catch::Contains;

namespace {

std::set<std::uint32_t> records_of(const Substream& substream) {
    std::set<std::uint32_t> records;
    for (const Block& block : substream.blocks())
        for (std::uint32_t i = block.begin; i < block.end; ++i)
            records.insert(i);
    return records;
}

// Up to `most` blocks of records 0 ... 30. Some blocks are adjacent.
Substream random_substream(std::mt19937_64& random, std::size_t most) {
    std::vector<Block> blocks;
    std::uint32_t at = static_cast<std::uint32_t>(random() % 4);
    for (std::size_t i = random() % (most + 1); i > 0; --i) {
        const auto end = at + 1 + static_cast<std::uint32_t>(random() % 4);
        blocks.push_back({at, end});
        at = end + static_cast<std::uint32_t>(random() % 4);
    }
    return Substream(blocks);
}

}  // namespace

TEST_CASE("a substream's blocks are ascending, disjoint and not empty", "[stream]") {
    CHECK_THROWS_AS(Substream(std::vector<Block>{{3, 3}}), Error);
    CHECK_THROWS_WITH(Substream(std::vector<Block>{{3, 3}}), Contains("[3, 3)") && Contains("empty"));
    CHECK_THROWS_WITH(Substream(std::vector<Block>{{5, 4}}), Contains("[5, 4)"));
    CHECK_THROWS_WITH(Substream(std::vector<Block>{{0, 4}, {3, 8}}), Contains("[3, 8)") && Contains("before 4"));
    CHECK_THROWS_WITH(Substream(std::vector<Block>{{8, 9}, {0, 4}}), Contains("[0, 4)"));
    CHECK_THROWS_WITH(Substream(std::vector<Block>{{0, 4}, {4, 4}}), Contains("[4, 4)"));
    CHECK_NOTHROW(Substream(std::vector<Block>{{0, 4}, {4, 8}}));
    CHECK_NOTHROW(Substream(std::vector<Block>{{0xfffffffeu, 0xffffffffu}}));
}

TEST_CASE("ranges, sizes and ends", "[stream]") {
    CHECK(Substream().empty());
    CHECK(Substream().size() == 0);
    CHECK(Substream().end() == 0);
    CHECK(Substream(std::vector<Block>{}) == Substream());
    CHECK(Substream::range(7, 7) == Substream());
    CHECK(Substream::range(8, 7) == Substream());
    CHECK(Substream::range(2, 7) == Substream(std::vector<Block>{{2, 7}}));
    const Substream two(std::vector<Block>{{2, 7}, {10, 11}});
    CHECK(two.size() == 6);
    CHECK(two.end() == 11);
    CHECK(two.blocks().size() == 2);
    CHECK(Substream::range(0, 0xffffffffu).size() == 0xffffffffu);
}

TEST_CASE("overlaps, covers, contains, without and united are those of sets", "[stream]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    int overlapping = 0;
    int covering = 0;
    int cut = 0;  // A block that was cut in two.
    for (int i = 0; i < 20000; ++i) {
        const Substream a = random_substream(random, 5);
        const Substream b = random_substream(random, i % 2 == 0 ? 5 : 1);
        const std::set<std::uint32_t> in_a = records_of(a);
        const std::set<std::uint32_t> in_b = records_of(b);
        bool overlap = false;
        bool cover = true;
        for (std::uint32_t record : in_b) {
            overlap |= in_a.contains(record);
            cover &= in_a.contains(record);
        }
        std::set<std::uint32_t> both = in_a;
        both.insert(in_b.begin(), in_b.end());

        bool fine = a.overlaps(b) == overlap && b.overlaps(a) == overlap;
        fine &= a.covers(b) == cover;
        const Substream united = a.united(b);
        fine &= records_of(united) == both && united.size() == both.size();
        fine &= united == b.united(a);
        for (std::size_t k = 1; k < united.blocks().size(); ++k)
            fine &= united.blocks()[k - 1].end < united.blocks()[k].begin;
        const Substream without = a.without(b);
        std::set<std::uint32_t> only_a = in_a;
        for (std::uint32_t record : in_b)
            only_a.erase(record);
        fine &= records_of(without) == only_a && without.size() == only_a.size();
        // Blocks are in order, as the constructor checks. There is no record of b, and no other record is missing.
        CHECK_NOTHROW(Substream(without.blocks()));
        fine &= !without.overlaps(b) && a.covers(without);
        fine &= without.united(b) == united;
        for (std::uint32_t record = 0; record < 40; ++record)
            fine &= a.contains(record) == in_a.contains(record);
        fine &= a.without(Substream()) == a && a.without(a).empty() && Substream().without(a).empty();
        fine &= a.covers(a) && united.covers(a) && united.covers(b) && a.covers(Substream());
        fine &= a.size() == in_a.size() && a.end() == (in_a.empty() ? 0 : *in_a.rbegin() + 1);
        if (!fine) FAIL("pair " << i);
        overlapping += overlap;
        covering += cover;
        cut += !only_a.empty() && without.blocks().size() > a.blocks().size();
    }
    CHECK(overlapping > 1000);
    CHECK(covering > 1000);
    CHECK(cut > 100);
}

TEST_CASE("a substream contains records up to the greatest number there is", "[stream]") {
    const Substream last = Substream::range(0xfffffff0u, 0xffffffffu);
    CHECK(last.contains(0xfffffff0u));
    CHECK(last.contains(0xfffffffeu));
    CHECK_FALSE(last.contains(0xffffffefu));
    CHECK_FALSE(last.contains(0xffffffffu));
    CHECK_FALSE(Substream().contains(0));
    const Substream all = Substream::range(0, 0xffffffffu);
    CHECK(all.without(last) == Substream::range(0, 0xfffffff0u));
    CHECK(all.without(Substream::range(5, 6)) == Substream(std::vector<Block>{{0, 5}, {6, 0xffffffffu}}));
}
