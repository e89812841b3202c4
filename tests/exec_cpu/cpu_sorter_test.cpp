#include <glsort/error.h>
#include <glsort/plan/key_code.h>
#include <glsort/sorter.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "plan/networks/every_network.h"
#include "plan/reference_sort.h"
#include "support/distributions.h"
#include "support/keys.h"
#include "support/random.h"

using namespace glsort;
using namespace glsort::test;
using Catch::Contains;
using glsort::demo::all_distributions;
using glsort::demo::Distribution;

namespace {

using Words = std::vector<std::uint32_t>;

// Key type, order and payload.
struct Kind {
    KeyType key;
    Direction order;
    Payload payload;
};

std::vector<Kind> all_kinds() {
    std::vector<Kind> kinds;
    for (const KeyType key : {KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64, KeyType::f64})
        for (const Direction order : {Direction::ascending, Direction::descending})
            for (const Payload payload :
                 {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(8), Payload::bytes(12),
                  Payload::bytes(16), Payload::bytes(20), Payload::bytes(64)})
                kinds.push_back({key, order, payload});
    return kinds;
}

PlanRequest request_of(const Kind& kind, Backend backend = Backend::cpu) {
    PlanRequest request;
    request.spec.order.key = kind.key;
    request.spec.order.direction = kind.order;
    request.spec.payload = kind.payload;
    request.spec.backend = backend;
    return request;
}

PlanRequest bitonic_request(const Kind& kind, Backend backend = Backend::cpu) {
    PlanRequest request = request_of(kind, backend);
    request.spec.algorithm = "bitonic";
    return request;
}

Words random_words(std::mt19937_64& random, std::size_t n) {
    Words words(n);
    for (std::uint32_t& word : words)
        word = static_cast<std::uint32_t>(random());
    return words;
}

// The input and the result of std::stable_sort.
struct Sample {
    Words keys, values;
    Words sorted_keys, sorted_values;
};

Sample sample_of(const Kind& kind, const Words& keys, std::mt19937_64& random) {
    Sample s;
    s.keys = keys;
    const Words order = sorted_order(kind.key, kind.order, keys);
    s.sorted_keys = gathered(keys, key_words(kind.key), order);
    s.values = random_words(random, order.size() * value_words(kind.payload));
    s.sorted_values =
        kind.payload.kind == Payload::Kind::index ? order : gathered(s.values, value_words(kind.payload), order);
    return s;
}

void check_sort(CpuSorter& sorter, const Kind& kind, const Words& keys, std::mt19937_64& random) {
    Sample s = sample_of(kind, keys, random);
    sorter.sort(s.keys, s.values);
    if (s.keys != s.sorted_keys || s.values != s.sorted_values)
        FAIL(to_string(kind.key) << " " << to_string(kind.order) << ", payload " << to_string(kind.payload) << ", "
                                 << keys.size() / key_words(kind.key) << " keys");
}

}  // namespace

TEST_CASE("the cpu sorter agrees with std::stable_sort at small sizes", "[exec_cpu]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    std::vector<std::size_t> sizes = {0, 1, 2, 3};
    for (std::size_t power = 4; power <= 64; power *= 2)
        for (const std::size_t n : {power - 1, power, power + 1})
            sizes.push_back(n);
    for (const Kind& kind : all_kinds()) {
        CpuSorter sorter(request_of(kind).spec);
        for (const Distribution distribution : all_distributions()) {
            INFO(demo::distribution_name(distribution));
            for (const std::size_t n : sizes)
                check_sort(sorter, kind, make_keys(distribution, kind.key, n, random()), random);
        }
    }
    SUCCEED();
}

TEST_CASE("the cpu sorter agrees with std::stable_sort around powers of two", "[exec_cpu]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    const std::vector<Kind> kinds = all_kinds();
    std::vector<CpuSorter> sorters;
    for (const Kind& kind : kinds)
        sorters.emplace_back(request_of(kind).spec);
    // Every size has every distribution. The kinds take turns.
    std::size_t turn = random() % kinds.size();
    for (std::size_t power = 128; power <= 4096; power *= 2)
        for (const std::size_t n : {power - 1, power, power + 1})
            for (const Distribution distribution : all_distributions()) {
                INFO(demo::distribution_name(distribution));
                const std::size_t kind = ++turn % kinds.size();
                check_sort(sorters[kind], kinds[kind], make_keys(distribution, kinds[kind].key, n, random()), random);
            }
    SUCCEED();
}

TEST_CASE("the programs of all backends sort alike on the cpu, merge and networks", "[exec_cpu]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    std::vector<std::string> algorithms{"merge"};
    for (const SortingNetwork* network : every_network())
        algorithms.emplace_back(network->name);
    for (const std::string& algorithm : algorithms)
        for (const Backend backend : {Backend::fragment, Backend::compute})
            for (const Kind& kind : all_kinds()) {
                CAPTURE(algorithm, to_string(backend));
                PlanRequest request = request_of(kind, backend);
                request.spec.algorithm = algorithm;
                CpuSorter sorter(request.spec, request.limits);
                for (const std::size_t n : {0u, 1u, 2u, 3u, 15u, 16u, 17u, 100u, 257u}) {
                    check_sort(sorter, kind, make_keys(Distribution::special, kind.key, n, random()), random);
                    CHECK(sorter.program().backend == backend);
                    CHECK(sorter.program().n == n);
                    CHECK(sorter.program().algorithm == algorithm);
                }
            }
}

TEST_CASE("floats come back bit for bit", "[exec_cpu]") {
    // Quiet and signalling NaNs with and without a sign, in the order of their codes.
    const Words sorted = {0xff800000, 0xbf800000, 0x80000001, 0x80000000, 0x00000000, 0x00000001, 0x3f800000,
                          0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff, 0xffffffff, 0xffc00000, 0xff800001};
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Direction order : {Direction::ascending, Direction::descending}) {
        Words keys = sorted;
        std::shuffle(keys.begin(), keys.end(), random);
        CpuSorter sorter(request_of({KeyType::f32, order, Payload::none()}).spec);
        sorter.sort(keys);
        if (order == Direction::descending) std::reverse(keys.begin(), keys.end());
        CHECK(keys == sorted);
    }
}

TEST_CASE("doubles come back bit for bit", "[exec_cpu]") {
    // Like above. In some pairs the low word decides, in others the high word alone.
    const std::vector<std::uint64_t> sorted = {
        0xfff0000000000000, 0xbff0000000000001, 0xbff0000000000000, 0x8000000100000000, 0x80000000ffffffff,
        0x8000000000000001, 0x8000000000000000, 0x0000000000000000, 0x0000000000000001, 0x00000000ffffffff,
        0x0000000100000000, 0x3ff0000000000000, 0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8000000000000,
        0x7fffffffffffffff, 0xffffffffffffffff, 0xfff8000000000000, 0xfff0000000000001};
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Direction order : {Direction::ascending, Direction::descending}) {
        std::vector<std::uint64_t> keys = sorted;
        std::shuffle(keys.begin(), keys.end(), random);
        Words words;
        for (const std::uint64_t key : keys)
            words.insert(words.end(), {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)});
        CpuSorter sorter(request_of({KeyType::f64, order, Payload::none()}).spec);
        sorter.sort(words);
        for (std::size_t i = 0; i < keys.size(); ++i)
            keys[i] = std::uint64_t{words[2 * i + 1]} << 32 | words[2 * i];
        if (order == Direction::descending) std::reverse(keys.begin(), keys.end());
        CHECK(keys == sorted);
    }
}

TEST_CASE("equal keys keep their order, ascending and descending", "[exec_cpu]") {
    for (const Direction order : {Direction::ascending, Direction::descending}) {
        Words keys(100, 7);
        Words values(100, 0);
        CpuSorter sorter(request_of({KeyType::u32, order, Payload::index()}).spec);
        sorter.sort(keys, values);
        for (std::uint32_t i = 0; i < 100; ++i)
            CHECK(values[i] == i);
    }
}

TEST_CASE("step by step is all at once", "[exec_cpu]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Kind& kind : all_kinds())
        for (const std::size_t n : {0u, 1u, 2u, 37u}) {
            Sample s = sample_of(kind, make_keys(Distribution::few_distinct, kind.key, n, random()), random);
            CpuSorter sorter(request_of(kind).spec);
            sorter.begin(s.keys, s.values);
            CHECK(sorter.steps_done() == 0);
            std::size_t steps = 0;
            while (sorter.step()) {
                ++steps;
                CHECK(sorter.steps_done() == steps);
            }
            CHECK(steps == sorter.program().ops.size());
            CHECK(steps == sorter.steps_done());
            CHECK_FALSE(sorter.step());
            CHECK(s.keys == s.sorted_keys);
            CHECK(s.values == s.sorted_values);
        }
}

TEST_CASE("streams can be read between steps", "[exec_cpu]") {
    const test::Seed seed;
    std::mt19937_64 random(seed.value());
    constexpr std::uint32_t n = 21;
    constexpr Direction order = Direction::descending;
    Words keys = random_words(random, n);
    Words values(n);
    const Words before = keys;
    CpuSorter sorter(bitonic_request({KeyType::i32, order, Payload::index()}, Backend::compute).spec);
    sorter.begin(keys, values);
    const StreamProgram& program = sorter.program();
    const StreamId records = program.stream("records");
    const StreamId key_stream = program.stream("keys");
    CHECK(sorter.read(key_stream) == before);

    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < n; ++i)
        expected.emplace_back(encode_key(KeyType::i32, order, before[i]), i);
    std::sort(expected.begin(), expected.end());
    while (sorter.steps_done() + 1 < program.ops.size()) {
        REQUIRE(sorter.step());
        CAPTURE(sorter.steps_done());
        // The keys do not change until the last op. The records are a permutation of the keys.
        CHECK(sorter.read(key_stream) == before);
        // Records of two pairs. With an odd count, the last record has an unused second element.
        const Words words = sorter.read(records);
        REQUIRE(words.size() == 2 * (n + n % 2));
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (std::uint32_t i = 0; i < n; ++i)
            pairs.emplace_back(words[2 * i], words[2 * i + 1]);
        // At the end of a stage its blocks are sorted, up or down.
        const Labels& labels = program.ops[sorter.steps_done() - 1].labels;
        if (labels.step == 0)
            for (std::uint32_t begin = 0; begin < n; begin += 1u << labels.stage) {
                const auto first = pairs.begin() + begin;
                const auto last = pairs.begin() + std::min(n, begin + (1u << labels.stage));
                CHECK((std::is_sorted(first, last) || std::is_sorted(first, last, std::greater<>())));
            }
        std::sort(pairs.begin(), pairs.end());
        CHECK(pairs == expected);
    }
    REQUIRE(sorter.step());
    CHECK(sorter.read(key_stream) == keys);
    CHECK(sorter.read(program.stream("values")) == values);
    CHECK(keys != before);
}

TEST_CASE("a new begin ends the sort begun before", "[exec_cpu]") {
    Words first = {3, 1, 2};
    Words second = {9, 8, 7, 6};
    CpuSorter sorter(request_of({KeyType::u32, Direction::ascending, Payload::none()}).spec);
    sorter.begin(first);
    sorter.step();
    sorter.begin(second);
    CHECK(sorter.steps_done() == 0);
    while (sorter.step()) {
    }
    CHECK(second == Words{6, 7, 8, 9});
    CHECK(first == Words{3, 1, 2});
    sorter.sort(first);
    CHECK(first == Words{1, 2, 3});
}

TEST_CASE("a sort that ended early leaves nothing to the next", "[exec_cpu]") {
    const Seed seed;
    PlanRequest request = request_of({KeyType::u32, Direction::ascending, Payload::none()});
    // The first op adds to counts that begin as zero.
    request.spec.algorithm = "radix:one-sweep";
    CpuSorter sorter(request.spec, request.limits);
    std::mt19937 random(static_cast<std::uint32_t>(seed.value()));
    Words keys(5000);
    std::generate(keys.begin(), keys.end(), std::ref(random));
    Words first = keys;
    for (int steps = 0; steps < 4; ++steps) {
        sorter.begin(first);
        for (int step = 0; step < steps; ++step)
            sorter.step();
    }
    Words sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    sorter.sort(keys);
    CHECK((keys == sorted));
}

TEST_CASE("a sorter can be moved", "[exec_cpu]") {
    Words keys = {3, 1, 2, 5, 4};
    CpuSorter one(request_of({KeyType::u32, Direction::ascending, Payload::none()}).spec);
    one.begin(keys);
    one.step();
    CpuSorter two = std::move(one);
    CHECK(two.steps_done() == 1);
    while (two.step()) {
    }
    CHECK(keys == Words{1, 2, 3, 4, 5});
}

TEST_CASE("comparisons are counted from the last begin", "[exec_cpu]") {
    Words keys(16);
    CpuSorter sorter(bitonic_request({KeyType::u32, Direction::ascending, Payload::none()}).spec);
    CHECK(sorter.comparisons() == 0);
    sorter.sort(keys);
    // Of m(m+1)/2 = 10 steps, the last step of each of m = 4 stages compares the two elements of a record, once for
    // each record. In the other steps each of the 16 elements compares on its own.
    constexpr std::uint64_t all = 4 * 16 / 2 + 6 * 16;
    CHECK(sorter.comparisons() == all);
    sorter.begin(keys);
    CHECK(sorter.comparisons() == 0);
    sorter.step();  // Stage 1, step 0.
    CHECK(sorter.comparisons() == 16 / 2);
    sorter.step();  // Stage 2, step 1.
    CHECK(sorter.comparisons() == 16 / 2 + 16);
    sorter.sort(keys);
    CHECK(sorter.comparisons() == all);
}

TEST_CASE("a trace of an op has all that its instances read, wrote and compared", "[exec_cpu]") {
    PlanRequest request = request_of({KeyType::u32, Direction::ascending, Payload::none()});
    request.spec.algorithm = "bitonic";
    CpuSorter sorter(request.spec, request.limits);
    Words keys = {9, 4, 7, 1};
    sorter.begin(keys);
    OpTrace trace;
    REQUIRE(sorter.step(trace));  // Neighbours are compared, and each writes its own element.
    using Pair = std::pair<std::uint32_t, std::uint32_t>;
    std::vector<Pair> read, written, compared;
    const Op& op = sorter.program().ops.front();
    for (const OpTrace::Touch& touch : trace.touches) {
        CHECK(touch.use < (touch.write ? op.writes : op.reads).size());
        (touch.write ? written : read).push_back({touch.instance, touch.element});
    }
    for (const OpTrace::Comparison& comparison : trace.comparisons)
        compared.push_back(std::minmax(comparison.a[0], comparison.b[0]));
    std::sort(read.begin(), read.end());
    CHECK(read == std::vector<Pair>{{0, 0}, {0, 1}, {1, 2}, {1, 3}});
    CHECK(written == read);
    std::sort(compared.begin(), compared.end());
    CHECK(compared == std::vector<Pair>{{1, 7}, {4, 9}});
    CHECK(sorter.comparisons() == 2);
    // Later steps without a trace write to no trace. Past the end there are no steps.
    const std::size_t touches = trace.touches.size();
    while (sorter.step()) {
    }
    CHECK(trace.touches.size() == touches);
    CHECK_FALSE(sorter.step(trace));
    CHECK(trace.touches.empty());
    CHECK(trace.comparisons.empty());
}

TEST_CASE("an op that throws does not keep the trace", "[exec_cpu]") {
    bool refuses = true;
    PlanRequest request;
    request.spec.algorithm = "bitonic";
    request.spec.order.comparison =
        Comparison{.name = "refuses", .key_bytes = 4, .glsl = "bool comes_before(uint a, uint b) { return a < b; }"};
    request.spec.order.comparison->host = [&refuses](const Comparison::Key& a, const Comparison::Key& b) {
        if (refuses) throw std::runtime_error("refused");
        return a < b;
    };
    CpuSorter sorter(request.spec, request.limits);
    Words keys{3, 1, 2, 0}, values(4);
    sorter.begin(keys, values);
    const auto touches_of_step = [&sorter] {
        OpTrace trace;
        CHECK_THROWS_AS(
            [&] {
                while (sorter.step(trace)) {
                }
            }(),
            std::runtime_error);
        return trace.touches.size();
    };
    CHECK(touches_of_step() > 0);
    // The trace of the failed step no longer exists.
    refuses = false;
    sorter.begin(keys, values);
    while (sorter.step()) {
    }
    CHECK(sorter.steps_done() == sorter.program().ops.size());
}

TEST_CASE("misuse of the cpu sorter is refused", "[exec_cpu]") {
    Words keys(5), four(4), five(5), none;
    const auto sort_with = [&](Payload payload, Words& values) {
        CpuSorter sorter(request_of({KeyType::u32, Direction::ascending, payload}).spec);
        sorter.sort(keys, values);
    };
    CHECK_NOTHROW(sort_with(Payload::none(), none));
    CHECK_THROWS_AS(sort_with(Payload::none(), five), Error);
    CHECK_THROWS_WITH(sort_with(Payload::none(), five),
                      Contains("5 words of values for 5 keys") && Contains("payload none"));
    for (const Payload payload : {Payload::index(), Payload::bytes(4)}) {
        CHECK_NOTHROW(sort_with(payload, five));
        CHECK_THROWS_WITH(sort_with(payload, four), Contains("4 words of values for 5 keys"));
        CHECK_THROWS_WITH(sort_with(payload, none), Contains("0 words of values for 5 keys"));
    }
    const Kind kind{KeyType::u32, Direction::ascending, Payload::index()};
    PlanRequest request = request_of(kind);
    request.spec.output = Medium::texture;
    CHECK_THROWS_WITH(CpuSorter(request.spec, request.limits), Contains("must be buffers"));
    request.spec.input = Medium::texture;
    CHECK_THROWS_WITH(CpuSorter(request.spec, request.limits), Contains("must be buffers"));
    request.spec.output = Medium::buffer;
    CHECK_THROWS_AS(CpuSorter(request.spec, request.limits), Error);
    CpuSorter wide(request_of({KeyType::f64, Direction::ascending, Payload::none()}).spec);
    CHECK_THROWS_WITH(wide.sort(five), Contains("5 words of keys, which take 2 each"));
    wide.begin(four);
    CHECK_NOTHROW(wide.read(0));
    CHECK_THROWS_WITH(wide.read(99), Contains("CpuSorter::read: stream 99 of "));
    CpuSorter large(request_of({KeyType::u32, Direction::ascending, Payload::bytes(12)}).spec);
    CHECK_THROWS_WITH(large.sort(keys, five), Contains("5 words of values for 5 keys"));
    request = request_of(kind);
    request.spec.payload = Payload::bytes(6);
    CHECK_THROWS_AS(CpuSorter(request.spec, request.limits), Error);
    request = request_of(kind);
    request.spec.algorithm = "bogo";
    CHECK_THROWS_WITH(CpuSorter(request.spec, request.limits), Contains("bogo"));
    // The constructor throws, not the first sort.
    request.spec.algorithm = "radix:one-sweep";
    request.spec.tuning.radix.digit_bits = 7;
    CHECK_THROWS_WITH(CpuSorter(request.spec, request.limits), Contains("digits of 7 bits exceed the limit of 6"));
}

TEST_CASE("a failed begin leaves the input alone", "[exec_cpu]") {
    Words keys = {2, 1}, values = {0};
    CpuSorter sorter(request_of({KeyType::u32, Direction::ascending, Payload::index()}).spec);
    CHECK_THROWS_AS(sorter.begin(keys, values), Error);
    CHECK(keys == Words{2, 1});
    values.resize(2);
    sorter.sort(keys, values);
    CHECK(keys == Words{1, 2});
    CHECK(values == Words{1, 0});
}
