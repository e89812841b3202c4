#include "stages/radix_pass.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "stages/op_records.h"
#include "stages/run.h"

using glsort::Element;
using glsort::KeyType;
using namespace glsort::demo;
using Does = RadixOp::Does;

namespace {

struct RadixSort {
    std::string algorithm;
    Input input;
    std::uint32_t digit_bits;
};

const RadixSort radix_sorts[] = {
    {"radix:reduce-then-scan", {.n = 5000, .distribution = Distribution::zipf}, 4},
    {"radix:reduce-then-scan", {.n = 3000, .distribution = Distribution::special, .key = KeyType::f32}, 7},
    {"radix:reduce-then-scan", {.n = 2500, .distribution = Distribution::gaussian, .key = KeyType::i64}, 11},
    {"radix:one-sweep", {.n = 10000, .distribution = Distribution::few_distinct}, 6},
    {"radix:reduce-then-scan", {.n = 100}, 0},
};

// Calls `check` with the moment after each op of a radix sort, and with a description of the op.
template <class Check>
void after_radix_ops(const RadixSort& sort, const Check& check) {
    Method method;
    method.algorithm = sort.algorithm;
    method.digit_bits = sort.digit_bits;
    Run run(sort.input, method, nullptr);
    for (std::size_t op = 1; op <= run.ops(); ++op) {
        run.go_to(op);
        CAPTURE(sort.algorithm, sort.input.n, op, run.moment().last_op()->kernel->name);
        const auto radix = radix_op_of(run.program(), op - 1);
        REQUIRE(radix);
        check(run.moment(), *radix);
    }
}

std::vector<Element> elements_read(const Moment& moment, const RadixOp& op) {
    const OpRecords records = OpRecords::of(moment).value();
    std::vector<Element> elements;
    for (std::uint32_t i = 0; i < op.count; ++i)
        elements.push_back(records.loaded(i));
    return elements;
}

std::vector<std::uint32_t> counts_of(const Moment& moment, const std::vector<Element>& elements, Digit digit) {
    std::vector<std::uint32_t> counts(digit.values());
    for (const Element& element : elements)
        ++counts[digit_of(*moment.program, element, digit)];
    return counts;
}

}  // namespace

TEST_CASE("histograms of a radix sort count the digits that the elements have", "[demos]") {
    for (const RadixSort& sort : radix_sorts)
        after_radix_ops(sort, [](const Moment& moment, const RadixOp& op) {
            if (op.does == Does::count)
                CHECK(digit_table(moment, op, op.pass).counts ==
                      counts_of(moment, elements_read(moment, op), op.digit()));
            if (op.does == Does::count_all)
                for (std::size_t pass = 0; pass < op.digits.size(); ++pass)
                    CHECK(digit_table(moment, op, pass).counts ==
                          counts_of(moment, elements_read(moment, op), op.digits[pass]));
        });
}

TEST_CASE("buckets of a radix sort begin where those of smaller digits end", "[demos]") {
    for (const RadixSort& sort : radix_sorts)
        after_radix_ops(sort, [](const Moment& moment, const RadixOp& op) {
            if (op.does == Does::group || op.does == Does::count || op.does == Does::count_all) return;
            const DigitTable table = digit_table(moment, op, op.pass);
            REQUIRE(table.counts.size() == op.digit().values());
            REQUIRE(table.starts.size() == table.counts.size());
            std::uint32_t sum = 0;
            for (std::size_t value = 0; value < table.counts.size(); ++value) {
                CHECK(table.starts[value].front() == sum);
                CHECK(std::ranges::is_sorted(table.starts[value]));
                sum += table.counts[value];
            }
            CHECK(sum == op.count);
        });
}

TEST_CASE("a scatter moves elements to their buckets and keeps their order there", "[demos]") {
    for (const RadixSort& sort : radix_sorts)
        after_radix_ops(sort, [](const Moment& moment, const RadixOp& op) {
            if (op.does != Does::scatter && op.does != Does::group) return;
            const std::vector<Element> elements = elements_read(moment, op);
            std::vector<std::uint32_t> order(op.count);
            std::iota(order.begin(), order.end(), 0u);
            if (op.does == Does::scatter)
                order = sorted_by_digit(*moment.program, elements, op.digit(), order);
            else
                for (const Digit& digit : op.digits)
                    order = sorted_by_digit(*moment.program, elements, digit, order);
            const OpRecords records = OpRecords::of(moment).value();
            REQUIRE(records.followed());
            REQUIRE(records.written() == op.count);
            for (std::uint32_t i = 0; i < op.count; ++i)
                REQUIRE(records.origin(i) == order[i]);
        });
}

TEST_CASE("the passes of a radix sort have all bits of the keys between them", "[demos]") {
    for (const RadixSort& sort : radix_sorts)
        after_radix_ops(sort, [&](const Moment&, const RadixOp& op) {
            std::uint32_t bits = 0;
            for (const Digit& digit : op.digits) {
                CHECK(digit.shift == bits);
                bits += digit.bits;
            }
            CHECK(bits == 8 * glsort::key_bytes(sort.input.key));
        });
}
