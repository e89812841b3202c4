#include <glsort/stream/stream.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/random.h"

using namespace glsort;

namespace {

constexpr StreamLayout z_order{Layout::z_order, 1};

// Widths that are powers of two, and others. 100000 exceeds the records of most tests.
const std::vector<StreamLayout> layouts = {
    z_order,
    {Layout::row_wise, 1},
    {Layout::row_wise, 2},
    {Layout::row_wise, 3},
    {Layout::row_wise, 7},
    {Layout::row_wise, 8},
    {Layout::row_wise, 17},
    {Layout::row_wise, 64},
    {Layout::row_wise, 100000},
};

std::uint64_t area(const Rectangle& r) {
    return std::uint64_t{r.x1 - r.x0} * (r.y1 - r.y0);
}

bool disjoint(const Rectangle& a, const Rectangle& b) {
    return a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0;
}

// The largest x and y of records 0 ... count-1 in Z-order. The candidates agree with count-1 above some bit that is 1
// in count-1. They have 0 at this bit, and ones below.
Rectangle z_order_box(std::uint32_t count) {
    const std::uint32_t last = count - 1;
    Texel most = texel_of(z_order, last);
    for (int bit = 0; bit < 32; ++bit) {
        if ((last >> bit & 1) == 0) continue;
        const std::uint32_t below = (1u << bit) - 1;
        const Texel texel = texel_of(z_order, (last & ~(below | 1u << bit)) | below);
        most = {std::max(most.x, texel.x), std::max(most.y, texel.y)};
    }
    return {0, 0, most.x + 1, most.y + 1};
}

// Whether `parts` are disjoint and hold exactly the records begin ... end-1. In both layouts indices grow with x and
// with y. The corners of a rectangle are therefore its first and last record.
bool exactly(const StreamLayout& layout, const std::vector<Rectangle>& parts, std::uint32_t begin, std::uint32_t end) {
    std::uint64_t texels = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Rectangle& part = parts[i];
        if (part.x0 >= part.x1 || part.y0 >= part.y1) return false;
        if (layout.kind == Layout::row_wise && part.x1 > layout.width) return false;
        if (index_of(layout, {part.x0, part.y0}) < begin) return false;
        if (index_of(layout, {part.x1 - 1, part.y1 - 1}) >= end) return false;
        for (std::size_t j = 0; j < i; ++j)
            if (!disjoint(part, parts[j])) return false;
        texels += area(part);
    }
    return texels == end - begin;
}

}  // namespace

TEST_CASE("bits are spread to the even places and gathered again", "[stream]") {
    STATIC_REQUIRE(spread_bits(0xffff) == 0x55555555u);
    STATIC_REQUIRE(spread_bits(0x8001) == 0x40000001u);
    STATIC_REQUIRE(gather_bits(0x55555555u) == 0xffff);
    STATIC_REQUIRE(gather_bits(0xaaaaaaaau) == 0);
    std::uint32_t wrong = 0;
    for (std::uint32_t x = 0; x < 0x10000; ++x) {
        std::uint32_t spread = 0;
        for (int bit = 0; bit < 16; ++bit)
            spread |= (x >> bit & 1) << (2 * bit);
        wrong += spread_bits(x) != spread;
        wrong += gather_bits(spread) != x;
        wrong += gather_bits(spread | 0xaaaaaaaau) != x;
    }
    CHECK(wrong == 0);
}

TEST_CASE("texel and index are inverses", "[stream]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    for (const StreamLayout& layout : layouts) {
        CAPTURE(to_string(layout.kind), layout.width);
        std::uint32_t wrong = 0;
        const auto check = [&](std::uint32_t index) {
            const Texel texel = texel_of(layout, index);
            wrong += index_of(layout, texel) != index;
            if (layout.kind == Layout::row_wise) wrong += texel.x >= layout.width;
        };
        for (std::uint32_t index = 0; index < 5000; ++index)
            check(index);
        for (int i = 0; i < 5000; ++i)
            check(static_cast<std::uint32_t>(random()));
        check(0xffffffffu);
        CHECK(wrong == 0);
    }
    CHECK(texel_of(z_order, 0xffffffffu) == Texel{0xffff, 0xffff});
    CHECK(texel_of({Layout::row_wise, 3}, 7) == Texel{1, 2});
}

// GPU-ABiSort, section 6.2.2.
TEST_CASE("the propositions of the paper hold for Z-order", "[stream]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    std::uint32_t wrong = 0;
    for (int i = 0; i < 10000; ++i) {
        const auto a = static_cast<std::uint32_t>(random() >> (33 + random() % 31));
        const Texel texel = texel_of(z_order, a);
        const Texel twice = texel_of(z_order, 2 * a);
        wrong += twice.x != 2 * texel.y || twice.y != texel.x;

        const std::uint32_t s = 1u << random() % 32;
        const Texel first = texel_of(z_order, s);
        const Texel offset = texel_of(z_order, a % s);
        wrong += texel_of(z_order, s + a % s) != Texel{first.x + offset.x, first.y + offset.y};
    }
    CHECK(wrong == 0);
    for (int bits = 0; bits < 32; ++bits) {
        const std::uint32_t length = 1u << bits;
        const Texel last = texel_of(z_order, length - 1);
        CHECK((last.x + 1) * (last.y + 1) == length);
        CHECK((last.x == last.y || last.x + 1 == 2 * (last.y + 1)));
    }
}

// The same section, and section 6.2.1 for row-wise streams.
TEST_CASE("an aligned power-of-two block is one rectangle", "[stream]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    for (int i = 0; i < 1000; ++i) {
        const std::uint32_t length = 1u << random() % 28;
        const auto begin = static_cast<std::uint32_t>(random() >> 33) / length * length;
        CAPTURE(begin, length);
        const auto square = rectangles(z_order, begin, begin + length);
        REQUIRE(square.size() == 1);
        const std::uint32_t width = square[0].x1 - square[0].x0;
        const std::uint32_t height = square[0].y1 - square[0].y0;
        CHECK((width == height || width == 2 * height));
        const StreamLayout rows{Layout::row_wise, 1u << random() % 16};
        REQUIRE(rectangles(rows, begin, begin + length).size() == 1);
    }
}

TEST_CASE("exclusive or commutes with the layout", "[stream]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    for (const StreamLayout& layout : layouts) {
        if (layout.kind == Layout::row_wise && !std::has_single_bit(layout.width)) continue;
        CAPTURE(to_string(layout.kind), layout.width);
        std::uint32_t wrong = 0;
        for (int i = 0; i < 5000; ++i) {
            const auto a = static_cast<std::uint32_t>(random());
            const auto b = static_cast<std::uint32_t>(random() >> (32 + random() % 32));
            const Texel ta = texel_of(layout, a);
            const Texel tb = texel_of(layout, b);
            wrong += texel_of(layout, a ^ b) != Texel{ta.x ^ tb.x, ta.y ^ tb.y};
            const Texel masked = {ta.x & tb.x, ta.y & tb.y};
            wrong += ((a & b) != 0) != ((masked.x | masked.y) != 0);
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("the bounding box is exact", "[stream]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    for (const StreamLayout& layout : layouts) {
        CAPTURE(to_string(layout.kind), layout.width);
        CHECK(bounding_box(layout, 0) == Rectangle{});
        std::uint32_t wrong = 0;
        Rectangle box;
        for (std::uint32_t count = 1; count <= 70000; ++count) {
            const Texel last = texel_of(layout, count - 1);
            box = {0, 0, std::max(box.x1, last.x + 1), std::max(box.y1, last.y + 1)};
            if (count <= 300 || count % 97 == 0 || std::has_single_bit(count - 1))
                wrong += bounding_box(layout, count) != box;
        }
        CHECK(wrong == 0);
    }
    for (int i = 0; i < 2000; ++i) {
        const auto count = static_cast<std::uint32_t>(random() >> (32 + random() % 20)) | 1;
        if (bounding_box(z_order, count) != z_order_box(count)) FAIL(count);
    }
    CHECK(bounding_box(z_order, 0xffffffffu) == Rectangle{0, 0, 0x10000, 0x10000});
    CHECK(bounding_box({Layout::row_wise, 65536}, 0xffffffffu) == Rectangle{0, 0, 65536, 65536});
}

TEST_CASE("a Z-order texture has at most 1.5 texels a record", "[stream]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    const auto fits = [](std::uint32_t count) {
        return 2 * area(bounding_box(z_order, count)) <= std::uint64_t{3} * count;
    };
    std::vector<std::uint32_t> wrong;
    const auto check = [&](std::uint32_t count) {
        if (!fits(count)) wrong.push_back(count);
    };
    for (std::uint32_t count = 1; count <= 20000; ++count)
        check(count);
    for (int i = 0; i < 20000; ++i)
        check(static_cast<std::uint32_t>(random() >> (32 + random() % 20)) | 1);
    CHECK(wrong == std::vector<std::uint32_t>{});
}

TEST_CASE("stream layouts are about square", "[stream]") {
    for (const Layout kind : {Layout::row_wise, Layout::z_order}) {
        CHECK(stream_layout(kind, 0).width == 1);
        CHECK(stream_layout(kind, 1).width == 1);
        for (std::uint32_t count = 1; count < 70000; ++count) {
            const StreamLayout layout = stream_layout(kind, count);
            const Rectangle box = bounding_box(layout, count);
            if (layout.kind != kind || !std::has_single_bit(layout.width) || box.x1 > 4 * box.y1 || box.y1 > box.x1)
                FAIL(to_string(kind) << " " << count);
        }
    }
    CHECK(stream_layout(Layout::row_wise, 1u << 20).width == 1024);
    CHECK(stream_layout(Layout::row_wise, (1u << 20) + 1).width == 2048);
    CHECK(stream_layout(Layout::row_wise, 0xffffffffu).width == 65536);
}

TEST_CASE("rectangles hold exactly the records of every small range", "[stream]") {
    for (const StreamLayout& layout : layouts) {
        CAPTURE(to_string(layout.kind), layout.width);
        std::vector<std::string> wrong;
        for (std::uint32_t begin = 0; begin <= 70; ++begin) {
            for (std::uint32_t end = 0; end <= 70; ++end) {
                const auto parts = rectangles(layout, begin, end);
                std::vector<int> hits(200, 0);
                bool fine = true;
                for (const Rectangle& part : parts)
                    for (std::uint32_t y = part.y0; y < part.y1; ++y)
                        for (std::uint32_t x = part.x0; x < part.x1; ++x) {
                            const std::uint32_t index = index_of(layout, {x, y});
                            fine &= texel_of(layout, index) == Texel{x, y};
                            if (index < hits.size())
                                ++hits[index];
                            else
                                fine = false;
                        }
                for (std::uint32_t i = 0; i < hits.size(); ++i)
                    fine &= hits[i] == (i >= begin && i < end ? 1 : 0);
                fine &= exactly(layout, parts, begin, std::max(begin, end));
                if (!fine) wrong.push_back(std::to_string(begin) + " ... " + std::to_string(end));
            }
        }
        CHECK(wrong == std::vector<std::string>{});
    }
}

TEST_CASE("rectangles hold exactly the records of large ranges, and are few", "[stream]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    std::size_t most_joined = 0;
    for (int i = 0; i < 20000; ++i) {
        const auto a = static_cast<std::uint32_t>(random() >> (32 + random() % 24));
        const auto b = static_cast<std::uint32_t>(random() >> (32 + random() % 24));
        const auto [begin, end] = std::minmax(a, b);
        const auto parts = rectangles(z_order, begin, end);
        if (!exactly(z_order, parts, begin, end) || parts.size() > 2 * static_cast<std::size_t>(std::bit_width(end)))
            FAIL("z-order " << begin << " ... " << end << ": " << parts.size());
        most_joined = std::max(most_joined, parts.size());

        const auto width = static_cast<std::uint32_t>(random() % 5000 + 1);
        const StreamLayout rows{Layout::row_wise, width};
        const auto row_parts = rectangles(rows, begin, end);
        if (!exactly(rows, row_parts, begin, end) || row_parts.size() > 3)
            FAIL("row-wise, width " << width << ", " << begin << " ... " << end);
    }
    CHECK(most_joined > 3);  // The ranges are not all trivial.
    for (const StreamLayout& layout : {z_order, StreamLayout{Layout::row_wise, 65536}}) {
        CHECK(exactly(layout, rectangles(layout, 0, 0xffffffffu), 0, 0xffffffffu));
        CHECK(exactly(layout, rectangles(layout, 0xfffffffeu, 0xffffffffu), 0xfffffffeu, 0xffffffffu));
    }
}

TEST_CASE("the worst range stays below two rectangles a bit", "[stream]") {
    for (int bits = 1; bits < 32; ++bits) {
        // The range has a block of every size upwards, then one of every size downwards.
        const std::uint32_t end = (1u << bits) - 1;
        const auto parts = rectangles(z_order, 1, end);
        CHECK(parts.size() <= 2 * static_cast<std::size_t>(bits));
        CHECK(exactly(z_order, parts, 1, std::max(1u, end)));
    }
    CHECK(rectangles(z_order, 1, 7) == std::vector<Rectangle>{{1, 0, 2, 1}, {0, 1, 2, 2}, {2, 0, 4, 1}, {2, 1, 3, 2}});
}

TEST_CASE("no range has more rectangles than the bound of one that is longer, or ends later", "[stream]") {
    constexpr std::uint32_t count = 140;
    const auto aligned = [](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t power = 1; power <= 256; power *= 2)
            if (begin % power == 0 && power >= end - begin) return true;
        return false;
    };
    for (const StreamLayout& layout : layouts) {
        // The max of all ranges so far: for aligned ranges by length, for others by end.
        std::vector<std::size_t> most_of_length(count + 1, 0);
        std::vector<std::size_t> most_of_end(count + 1, 0);
        for (std::uint32_t end = 1; end <= count; ++end)
            for (std::uint32_t begin = 0; begin < end; ++begin) {
                const std::size_t parts = rectangles(layout, begin, end).size();
                most_of_end[end] = std::max(most_of_end[end], parts);
                std::size_t& most = most_of_length[end - begin];
                if (aligned(begin, end)) most = std::max(most, parts);
            }
        for (std::uint32_t i = 1; i <= count; ++i) {
            most_of_length[i] = std::max(most_of_length[i], most_of_length[i - 1]);
            most_of_end[i] = std::max(most_of_end[i], most_of_end[i - 1]);
        }
        std::uint32_t wrong = 0;
        for (std::uint32_t end = 1; end <= count; ++end)
            for (std::uint32_t begin = 0; begin < end; ++begin) {
                const std::size_t most = aligned(begin, end) ? most_of_length[end - begin] : most_of_end[end];
                if (max_rectangles(layout, begin, end) < most) ++wrong;
            }
        INFO("layout " << static_cast<int>(layout.kind) << ", width " << layout.width);
        CHECK(wrong == 0);
    }
    CHECK(max_rectangles(z_order, 0, 0) == 0);
    // 0b1011 has three bits set, the max of all numbers up to 0b1100. 0b111 and 0b1110 also have three.
    CHECK(max_rectangles(z_order, 0, 12) == 3);
    CHECK(max_rectangles(z_order, 16, 31) == 4);
    CHECK(max_rectangles(z_order, 0, 0xffffffff) == 32);
    CHECK(max_rectangles({Layout::row_wise, 8}, 0, 8) == 1);
    CHECK(max_rectangles({Layout::row_wise, 8}, 0, 9) == 2);
}
