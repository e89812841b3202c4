#include "support/any_order.h"

#include <glsort/planner.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using namespace glsort;
using glsort::demo::in_one_order;

namespace {

using Words = std::vector<std::uint32_t>;

// The program of a sort of keys alone in sweeps of 8 bits.
StreamProgram sweeps_of(KeyType key, std::uint32_t n) {
    PlanRequest request;
    request.n = n;
    request.spec.algorithm = "radix:one-sweep";
    request.spec.backend = Backend::compute;
    request.spec.order.key = key;
    request.spec.payload = Payload::none();
    request.limits.subgroup_size = 32;
    return plan(request);
}

// What is compared after op `number`, of the stream of elements.
Words compared(const StreamProgram& program, std::size_t number, const Words& words) {
    const Op& op = program.ops.at(number);
    return in_one_order(op, 0, program.streams.at(op.writes.at(0).stream), words);
}

}  // namespace

TEST_CASE("an open order hides the order of elements that no digit has told apart, and nothing else", "[demos]") {
    constexpr std::uint32_t n = 40'000;
    const StreamProgram program = sweeps_of(KeyType::u32, n);
    REQUIRE(program.ops.size() == 5);
    Words words(n, 0xffffffffu);
    words[0] = 0x500;
    words[1] = 0x300;
    words[2] = 0x301;
    words[3] = 0x101;
    Words swapped = words;
    std::swap(swapped[0], swapped[1]);
    // Lowest digits agree after the first sweep, but not the lowest two.
    CHECK((compared(program, 1, swapped) == compared(program, 1, words)));
    CHECK((compared(program, 2, swapped) != compared(program, 2, words)));
    swapped = words;
    std::swap(swapped[1], swapped[2]);
    CHECK((compared(program, 1, swapped) != compared(program, 1, words)));
    Words doubled = words;
    doubled[0] = words[1];
    CHECK((compared(program, 1, doubled) != compared(program, 1, words)));
    // After the last digit, nothing is open.
    CHECK((compared(program, 4, words) == words));
    // A histogram moves no elements.
    CHECK((compared(program, 0, words) == words));
}

TEST_CASE("an open order of codes of two words", "[demos]") {
    constexpr std::uint32_t n = 40'000;
    const StreamProgram program = sweeps_of(KeyType::u64, n);
    REQUIRE(program.ops.size() == 9);
    Words words(2 * n, 0xffffffffu);
    // High word, low word.
    const Words first{7, 0x12, 5, 0x12, 5, 0x13};
    std::copy(first.begin(), first.end(), words.begin());
    Words swapped = words;
    std::swap(swapped[0], swapped[2]);
    CHECK((compared(program, 4, swapped) == compared(program, 4, words)));
    CHECK((compared(program, 5, swapped) != compared(program, 5, words)));
}
