#include <glsort/planner.h>
#include <glsort/stream/program.h>
#include <glsort/stream/schedule.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "plan/abisort/abisort_variants.h"
#include "support/random.h"

using namespace glsort;
using namespace glsort::test;

// Programs of GPU-ABiSort, compared with the paper (Greß and Zachmann 2006).

namespace {

constexpr Backend gl_backends[] = {Backend::fragment, Backend::compute};

PlanRequest abisort_request(const std::string& algorithm, std::uint32_t n, Backend backend) {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.n = n;
    request.spec.backend = backend;
    return request;
}

std::vector<Op> phase_ops(const StreamProgram& program) {
    std::vector<Op> ops;
    for (const Op& op : program.ops)
        if (op.kernel->name.starts_with("abisort_phase")) ops.push_back(op);
    return ops;
}

// An op of a merge, with its phases by stage.
struct MergeOp {
    Labels labels;
    std::vector<std::pair<int, int>> stages_and_phases;
};

// Appendix A, listing 5.
std::vector<MergeOp> sequential_level(int level) {
    std::vector<MergeOp> ops;
    for (int stage = 0; stage < level; ++stage)
        for (int phase = 0; phase < level - stage; ++phase)
            ops.push_back({{.level = level, .stage = stage, .phase = phase}, {{stage, phase}}});
    return ops;
}

// Section 5.4, without the last `cut` stages (section 7.2).
std::vector<MergeOp> overlapped_level(int level, int cut) {
    std::vector<MergeOp> ops;
    const int stages = level - cut;
    // The last stage begins at step 2 (stages-1) and has level - (stages-1) phases.
    const int steps = 2 * (stages - 1) + level - (stages - 1);
    for (int step = 0; step < steps; ++step) {
        MergeOp op{{.level = level, .step = step}, {}};
        for (int stage = 0; stage < stages; ++stage) {
            const int phase = step - 2 * stage;
            if (phase >= 0 && phase < level - stage) op.stages_and_phases.push_back({stage, phase});
        }
        ops.push_back(op);
    }
    return ops;
}

// The ops of the merges for n = 2^m.
std::vector<MergeOp> merge_ops(const std::string& algorithm, int m) {
    std::vector<MergeOp> all;
    for (int level = 1; level <= m; ++level) {
        std::vector<MergeOp> ops;
        if (algorithm == "abisort:appendix-a") ops = sequential_level(level);
        if (algorithm == "abisort:overlapped") ops = overlapped_level(level, 0);
        if ((algorithm == "abisort:paper" || algorithm == "abisort:fused") && level > 4)
            ops = overlapped_level(level, 4);
        all.insert(all.end(), ops.begin(), ops.end());
    }
    return all;
}

// Table 1, in node pairs; log n = m.
Block table_1(int m, int level, int stage, int phase) {
    const std::uint32_t trees = 1u << (m - level);
    const auto power = [](int exponent) { return 1u << exponent; };
    if (phase == 0) return {0, power(stage) * trees};
    if (phase == 1) return {power(stage) * trees, power(stage + 1) * trees};
    return {(power(stage + phase - 1) + power(stage)) * trees, (power(stage + phase - 1) + power(stage + 1)) * trees};
}

// Whether any two blocks overlap. The check does not rely on Substream.
bool has_overlap(const std::vector<Block>& blocks) {
    for (std::size_t a = 0; a < blocks.size(); ++a)
        for (std::size_t b = a + 1; b < blocks.size(); ++b)
            if (blocks[a].begin < blocks[b].end && blocks[b].begin < blocks[a].end) return true;
    return false;
}

// Every request that differs in keys, payload, order, or the places of the caller's elements.
std::vector<PlanRequest> abisort_kinds() {
    std::vector<PlanRequest> kinds;
    for (const KeyType key : {KeyType::u32, KeyType::i32, KeyType::f32})
        for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4)})
            for (const Direction order : {Direction::ascending, Direction::descending})
                for (const auto& [input, output] :
                     {std::pair{Medium::buffer, Medium::buffer}, std::pair{Medium::buffer, Medium::texture},
                      std::pair{Medium::texture, Medium::texture}}) {
                    PlanRequest request;
                    request.spec.order.key = key;
                    request.spec.payload = payload;
                    request.spec.order.direction = order;
                    request.spec.input = input;
                    request.spec.output = output;
                    kinds.push_back(request);
                }
    return kinds;
}

// Plans and validates a program under the default limits. On the fragment backend, without texture barriers. If the
// variant uses texture barriers, also with them.
void check_valid(PlanRequest request, const std::string& algorithm, std::uint32_t n, Backend backend, Layout layout) {
    if (backend == Backend::fragment && algorithm == "abisort:fused" && !request.limits.texture_barrier) {
        PlanRequest in_place = request;
        in_place.limits.texture_barrier = 1;
        check_valid(in_place, algorithm, n, backend, layout);
    }
    request.spec.algorithm = algorithm;
    request.n = n;
    request.spec.backend = backend;
    request.spec.layout = layout;
    INFO(algorithm << ", n " << n << ", " << to_string(backend) << ", " << to_string(layout) << ", "
                   << to_string(request.spec.order.key) << " " << to_string(request.spec.order.direction)
                   << ", payload " << to_string(request.spec.payload) << ", " << to_string(request.spec.input) << " to "
                   << to_string(request.spec.output) << ", texture barriers " << request.limits.texture_barrier);
    const StreamProgram program = plan(request);
    REQUIRE_NOTHROW(validate(program, request.limits));
    for (const Op& op : program.ops)
        if (has_overlap(op.domain.blocks())) FAIL("blocks overlap: " << describe(op));
}

}  // namespace

TEST_CASE("abisort: how many phases or steps a sort of 2^m takes", "[plan]") {
    for (const Backend backend : gl_backends)
        for (std::uint32_t m = 0; m <= 24; ++m) {
            CAPTURE(m, to_string(backend));
            const auto ops = [&](const std::string& algorithm) {
                return phase_ops(plan(abisort_request(algorithm, 1u << m, backend))).size();
            };
            CHECK(ops("abisort:appendix-a") == m * (m + 1) * (m + 2) / 6);
            CHECK(ops("abisort:overlapped") == m * m);
            for (const std::string without_last_stages : {"abisort:paper", "abisort:fused"})
                CHECK(ops(without_last_stages) == (m < 4 ? 0 : m * (m - 4)));
        }
}

TEST_CASE("abisort: an op writes the blocks of Table 1, of the stages active in its step", "[plan]") {
    for (const std::string algorithm : {"abisort:appendix-a", "abisort:overlapped", "abisort:paper", "abisort:fused"})
        for (const Backend backend : gl_backends)
            for (int m = 0; m <= 22; ++m) {
                // In place, phases 0 and 1 have other places: below.
                if (algorithm == "abisort:fused" && backend == Backend::compute) continue;
                const StreamProgram program = plan(abisort_request(algorithm, 1u << m, backend));
                const std::vector<Op> ops = phase_ops(program);
                const std::vector<MergeOp> expected = merge_ops(algorithm, m);
                CAPTURE(algorithm, m, to_string(backend));
                REQUIRE(ops.size() == expected.size());
                for (std::size_t i = 0; i < ops.size(); ++i) {
                    const Op& op = ops[i];
                    const int level = expected[i].labels.level;
                    CAPTURE(describe(op));
                    CHECK(op.labels == expected[i].labels);
                    // Sorted by their start, as in a substream.
                    std::vector<std::pair<std::uint32_t, Labels>> details;
                    std::vector<Block> blocks;
                    for (const auto& [stage, phase] : expected[i].stages_and_phases) {
                        const Block block = table_1(m, level, stage, phase);
                        blocks.push_back(block);
                        details.push_back({block.begin, {.level = level, .stage = stage, .phase = phase}});
                    }
                    const auto first = [](const auto& a, const auto& b) { return a.first < b.first; };
                    std::sort(details.begin(), details.end(), first);
                    std::sort(blocks.begin(), blocks.end(),
                              [](const Block& a, const Block& b) { return a.begin < b.begin; });
                    CHECK_FALSE(has_overlap(blocks));
                    CHECK(op.domain.blocks() == blocks);
                    CHECK(blocks.back().end <= (1u << m) / 2);
                    REQUIRE(op.blocks.size() == details.size());
                    for (std::size_t b = 0; b < details.size(); ++b)
                        CHECK(op.blocks[b].labels == details[b].second);
                    // Nodes and paths go to equal record numbers.
                    for (const StreamUse& use : op.writes)
                        CHECK(use.records == op.domain);
                }
            }
}

TEST_CASE("abisort: in place, phases from 2 on write the blocks of Table 1", "[plan]") {
    for (const Backend backend : gl_backends)
        for (int m = 5; m <= 22; ++m) {
            PlanRequest request = abisort_request("abisort:fused", 1u << m, backend);
            request.limits.texture_barrier = 1;
            const StreamProgram program = plan(request);
            const std::vector<Op> ops = phase_ops(program);
            const std::vector<MergeOp> expected = merge_ops("abisort:fused", m);
            CAPTURE(m, to_string(backend));
            REQUIRE(ops.size() == expected.size());
            for (std::size_t i = 0; i < ops.size(); ++i) {
                const Op& op = ops[i];
                CAPTURE(describe(op));
                CHECK(op.labels == expected[i].labels);
                REQUIRE(op.blocks.size() == op.domain.blocks().size());
                std::vector<std::pair<int, int>> found;
                for (std::size_t b = 0; b < op.blocks.size(); ++b) {
                    const Labels& labels = op.blocks[b].labels;
                    const Block block = op.domain.blocks()[b];
                    const Block table = table_1(m, labels.level, labels.stage, labels.phase);
                    found.push_back({labels.stage, labels.phase});
                    CHECK(block.end - block.begin == table.end - table.begin);
                    if (labels.phase >= 2) CHECK(block == table);
                }
                std::sort(found.begin(), found.end());
                CHECK(found == expected[i].stages_and_phases);
                // One stream of nodes, and one of paths.
                const auto stream = [&](const StreamUse& use) { return program.streams[use.stream].name; };
                REQUIRE(op.writes.size() == 2);
                CHECK(stream(op.writes[0]) == "paths");
                CHECK(stream(op.writes[1]) == "trees");
                for (const StreamUse& use : op.writes)
                    CHECK(use.records == op.domain);
            }
        }
}

// An instance has a subtree, and exchanges elements only between both halves of the subtree.
TEST_CASE("abisort: a block has an instance for every subtree that matters", "[plan]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto check = [](const std::string& algorithm, std::uint32_t n, Backend backend) {
        INFO(algorithm << ", n " << n << ", " << to_string(backend));
        for (const Op& op : phase_ops(plan(abisort_request(algorithm, n, backend)))) {
            REQUIRE(op.blocks.size() == op.domain.blocks().size());
            for (std::size_t b = 0; b < op.blocks.size(); ++b) {
                const Labels& labels = op.blocks[b].labels;
                const std::uint64_t subtree = std::uint64_t{1} << (labels.level - labels.stage);
                std::uint32_t instances = 0;
                for (std::uint64_t begin = 0; begin < n; begin += subtree)
                    instances += labels.phase < 2 || begin + subtree / 2 < n;
                const Block& block = op.domain.blocks()[b];
                if (block.end - block.begin != instances)
                    FAIL(describe(op) << ": stage " << labels.stage << ", phase " << labels.phase << " has "
                                      << block.end - block.begin << " instances, not " << instances);
            }
        }
    };
    for (const std::string& algorithm : abisort_variants())
        for (const Backend backend : gl_backends) {
            for (std::uint32_t n = 0; n < 140; ++n)
                check(algorithm, n, backend);
            for (int i = 0; i < 20; ++i)
                check(algorithm, static_cast<std::uint32_t>(140 + random() % 4000), backend);
        }
    SUCCEED();
}

TEST_CASE("abisort: in place nothing is copied back", "[plan]") {
    const auto copies = [](const std::string& algorithm, std::uint32_t n, Backend backend,
                           std::uint32_t texture_barrier) {
        PlanRequest request = abisort_request(algorithm, n, backend);
        request.limits.texture_barrier = texture_barrier;
        const StreamProgram program = plan(request);
        return std::count_if(program.ops.begin(), program.ops.end(),
                             [](const Op& op) { return op.kernel->name == "abisort_copy_back"; });
    };
    for (const std::uint32_t n : {1u, 16u, 17u, 32u, 100u, 1024u, 5000u}) {
        CAPTURE(n);
        CHECK(copies("abisort:fused", n, Backend::compute, 0) == 0);
        CHECK(copies("abisort:fused", n, Backend::cpu, 0) == 0);
        CHECK(copies("abisort:fused", n, Backend::fragment, 1) == 0);
        // One copy for each op of phases.
        const auto phases = phase_ops(plan(abisort_request("abisort:fused", n, Backend::fragment))).size();
        CHECK(copies("abisort:fused", n, Backend::fragment, 0) == static_cast<std::ptrdiff_t>(phases));
        CHECK((phases > 0) == (n > 16));
        // Variant paper needs no barriers.
        CHECK(copies("abisort:paper", n, Backend::fragment, 1) == copies("abisort:paper", n, Backend::compute, 0));
    }
}

// A run of 16 elements is drawn to 8 attachments.
TEST_CASE("abisort: where attachments are few, fused is refused and paper taken", "[plan]") {
    for (const std::uint32_t n : {0u, 1u, 9u, 1024u})
        for (const std::uint32_t attachments : {1u, 4u, 7u, 8u}) {
            CAPTURE(n, attachments);
            const bool few = attachments < 8;
            PlanRequest request = abisort_request("abisort", n, Backend::fragment);
            request.limits.attachments = attachments;
            CHECK(plan(request).variant == (few ? "paper" : "fused"));
            request.spec.backend = Backend::compute;
            CHECK(plan(request).variant == "fused");
            request = abisort_request("abisort:fused", n, Backend::fragment);
            request.limits.attachments = attachments;
            if (few)
                CHECK_THROWS_WITH(plan(request),
                                  Catch::Contains("abisort:fused writes runs of 16, which need 8 attachments; "
                                                  "the limit is " +
                                                  std::to_string(attachments)));
            else
                CHECK(plan(request).variant == "fused");
        }
}

// Bit 31 of a pointer is no bit of the node's number.
TEST_CASE("abisort: more elements than pointers can name are refused", "[plan]") {
    for (const std::string& algorithm : abisort_variants()) {
        const std::uint32_t largest = algorithm == "abisort:fused" ? 1u << 31 : 1u << 30;
        for (const Backend backend : {Backend::compute, Backend::cpu}) {
            CAPTURE(algorithm, to_string(backend));
            CHECK_NOTHROW(plan(abisort_request(algorithm, largest, backend)));
            for (const std::uint32_t more : {largest + 1, 0xffffffffu})
                CHECK_THROWS_WITH(plan(abisort_request(algorithm, more, backend)),
                                  Catch::Contains(std::to_string(more) + " elements exceed the limit of " +
                                                  std::to_string(largest) + " of " + algorithm));
            // Streams are allocated for the capacity.
            PlanRequest request = abisort_request(algorithm, 100, backend);
            request.spec.capacity = largest + 1;
            CHECK_THROWS_WITH(plan(request), Catch::Contains(std::to_string(largest + 1) + " elements exceed"));
        }
    }
}

TEST_CASE("abisort: the stages active in a step are an interval", "[plan]") {
    // Compares the formulas of the bounds with the definition in merge_ops().
    for (int level = 1; level <= 22; ++level)
        for (const int cut : {0, 4}) {
            if (level <= cut) continue;
            const std::vector<MergeOp> ops = overlapped_level(level, cut);
            CHECK(static_cast<int>(ops.size()) == (cut == 0 ? 2 * level - 1 : 2 * level - 5));
            for (int step = 0; step < static_cast<int>(ops.size()); ++step) {
                CAPTURE(level, cut, step);
                const int first = std::max(0, step - level + 1);
                const int last = std::min(step / 2, level - 1 - cut);
                const auto& active = ops[static_cast<std::size_t>(step)].stages_and_phases;
                REQUIRE(static_cast<int>(active.size()) == last - first + 1);
                for (int stage = first; stage <= last; ++stage)
                    CHECK(active[static_cast<std::size_t>(stage - first)] == std::pair{stage, step - 2 * stage});
            }
        }
}

TEST_CASE("abisort: programs of any length are valid", "[plan][slow]") {
    const std::vector<PlanRequest> kinds = abisort_kinds();
    std::size_t turn = 0;
    for (const std::string& algorithm : abisort_variants())
        for (const Backend backend : gl_backends)
            for (const Layout layout : {Layout::row_wise, Layout::z_order})
                for (std::uint32_t n = 0; n <= 300; ++n)
                    // Each length tests a few kinds, and the next length the next kinds.
                    for (int i = 0; i < 3; ++i)
                        check_valid(kinds[turn++ % kinds.size()], algorithm, n, backend, layout);
    SUCCEED();
}

TEST_CASE("abisort: programs of all keys, payloads and orders are valid", "[plan][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    std::vector<std::uint32_t> lengths = {1, 2, 3, 4, 7, 8, 16, 31, 33, 100};
    for (int i = 0; i < 3; ++i)
        lengths.push_back(static_cast<std::uint32_t>(301 + random() % 5000));
    for (const std::string& algorithm : abisort_variants())
        for (const PlanRequest& kind : abisort_kinds())
            for (const std::uint32_t n : lengths)
                for (const Backend backend : gl_backends)
                    for (const Layout layout : {Layout::row_wise, Layout::z_order})
                        check_valid(kind, algorithm, n, backend, layout);
    SUCCEED();
}

TEST_CASE("abisort: long programs are valid", "[plan]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const std::vector<PlanRequest> kinds = abisort_kinds();
    for (const std::string& algorithm : abisort_variants())
        for (const Backend backend : gl_backends)
            for (const Layout layout : {Layout::row_wise, Layout::z_order}) {
                for (int i = 0; i < 10; ++i) {
                    const std::uint64_t most = 1u << (9 + random() % 14);
                    const auto n = static_cast<std::uint32_t>(most - random() % (most / 2));
                    check_valid(kinds[random() % kinds.size()], algorithm, n, backend, layout);
                }
                check_valid(kinds[random() % kinds.size()], algorithm, 1u << 22, backend, layout);
            }
    SUCCEED();
}

TEST_CASE("abisort: scratch memory in closed form", "[plan]") {
    for (const std::string algorithm : {"abisort:appendix-a", "abisort:overlapped"})
        for (const Backend backend : gl_backends)
            for (const Layout layout : {Layout::row_wise, Layout::z_order})
                for (std::uint32_t m = 1; m <= 22; ++m) {
                    CAPTURE(algorithm, to_string(backend), to_string(layout), m);
                    PlanRequest request = abisort_request(algorithm, 1u << m, backend);
                    request.spec.layout = layout;
                    const std::uint64_t pairs = std::uint64_t{1} << m >> 1;
                    const std::uint64_t trees = 2 * pairs * 8;
                    const std::uint64_t nodes_out = pairs * 8;
                    const std::uint64_t paths = 2 * pairs * 2;
                    const std::uint64_t staged = backend == Backend::fragment ? 2 * 2 * pairs : 0;
                    CHECK(cost(plan(request)).scratch_bytes == 4 * (trees + nodes_out + paths + staged));
                }
}

namespace {

// Records of the texture for q 2^p records, in rows of at most 2^p texels, or in Z-order.
std::uint64_t box(std::uint64_t q, std::uint32_t p, Backend backend, Layout layout) {
    if (backend == Backend::fragment && layout == Layout::z_order) {
        // A square of two by two blocks, and a block beside it: three by two.
        if (q == 5) return std::uint64_t{6} << p;
        // 8 + 2 + 1 and 8 + 4 + 1 blocks. The last blocks lie in the last row and in the last column.
        if (q == 11 || q == 13) return std::uint64_t{16} << p;
    }
    return q << p;
}

}  // namespace

// Without the last four stages of a merge, blocks end at record 5n/16 of the nodes by Table 1, and at 11n/32 in place.
TEST_CASE("abisort: scratch memory of paper and fused in closed form", "[plan]") {
    for (const Backend backend : gl_backends)
        for (const Layout layout : {Layout::row_wise, Layout::z_order})
            // From 2^10 on, all textures have full rows.
            for (std::uint32_t m = backend == Backend::compute ? 6 : 10; m <= 22; ++m) {
                CAPTURE(to_string(backend), to_string(layout), m);
                const std::uint64_t n = std::uint64_t{1} << m;
                const auto scratch = [&](const std::string& algorithm, std::uint32_t barriers) {
                    PlanRequest request = abisort_request(algorithm, 1u << m, backend);
                    request.spec.layout = layout;
                    request.limits.texture_barrier = barriers;
                    return cost(plan(request)).scratch_bytes;
                };
                const std::uint64_t staged = backend == Backend::fragment ? 2 * n : 0;  // Keys and values.
                const std::uint64_t runs = 2 * 2 * n;  // In two copies: merges read the records that they replace.
                // Node pairs have 8 words, pairs of paths 2.
                const std::uint64_t nodes = box(5, m - 4, backend, layout);
                const std::uint64_t in_place = 8 + 2;
                const std::uint64_t with_output = 8 + 8 + 2 + 2;
                CHECK(scratch("abisort:paper", 0) ==
                      4 * (8 * box(13, m - 4, backend, layout) + (8 + 2 + 2) * nodes + runs + staged));
                CHECK(scratch("abisort:paper", 1) == scratch("abisort:paper", 0));
                const std::uint64_t fused_in_place = 4 * (in_place * box(11, m - 5, backend, layout) + runs + staged);
                CHECK(scratch("abisort:fused", 1) == fused_in_place);
                CHECK(scratch("abisort:fused", 0) ==
                      (backend == Backend::compute ? fused_in_place : 4 * (with_output * nodes + runs + staged)));
            }
    // If no merge is adaptive, one node pair of each stream remains.
    for (std::uint32_t m = 0; m <= 4; ++m) {
        CAPTURE(m);
        const std::uint64_t n = std::uint64_t{1} << m;
        const std::uint64_t run_copies = m < 4 ? 1 : 2;
        const std::uint64_t trees = std::max<std::uint64_t>(1, n / 2) + 1;
        CHECK(cost(plan(abisort_request("abisort:paper", 1u << m, Backend::compute))).scratch_bytes ==
              4 * (8 * trees + 8 + 2 + 2 + run_copies * 2 * std::max<std::uint64_t>(n, 8)));
        CHECK(cost(plan(abisort_request("abisort:fused", 1u << m, Backend::compute))).scratch_bytes ==
              4 * (8 + 2 + 2 * 16));
    }
    // For 2^5 elements, merges have only even stages, whose blocks end at 10n/32.
    CHECK(cost(plan(abisort_request("abisort:fused", 32, Backend::compute))).scratch_bytes ==
          4 * (10 * 10 + 2 * 2 * 32));
}

TEST_CASE("abisort: any length costs about what the power of two below it does", "[plan][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    struct Setting {
        std::string algorithm;
        Backend backend;
        std::uint32_t texture_barrier;
        std::uint32_t from;  ///< The least power for which the factor holds.
    };
    // Fused has 6 levels of adaptive merges at 2^10. With fewer levels, one more level has a large effect.
    const Setting settings[] = {
        {"abisort:overlapped", Backend::fragment, 0, 12}, {"abisort:overlapped", Backend::compute, 0, 12},
        {"abisort:paper", Backend::fragment, 0, 12},      {"abisort:paper", Backend::compute, 0, 12},
        {"abisort:fused", Backend::fragment, 0, 10},      {"abisort:fused", Backend::fragment, 1, 10},
        {"abisort:fused", Backend::compute, 0, 10}};
    for (const Setting& setting : settings) {
        const auto bytes_of = [&](std::uint32_t n) {
            PlanRequest request = abisort_request(setting.algorithm, n, setting.backend);
            request.limits.texture_barrier = setting.texture_barrier;
            const Cost c = cost(plan(request));
            return static_cast<double>(c.bytes_read + c.bytes_written) / n;
        };
        std::vector<double> of_power;
        for (int k = 0; k <= 22; ++k)
            of_power.push_back(bytes_of(1u << k));
        const auto check = [&](std::uint32_t n) {
            const auto k = static_cast<std::size_t>(std::bit_width(n) - 1);
            const double ratio = bytes_of(n) / of_power[k];
            if (ratio > 1.25)
                FAIL(setting.algorithm << " on " << to_string(setting.backend) << ", texture barriers "
                                       << setting.texture_barrier << ", n " << n << ": " << ratio
                                       << " times the bytes of an element of 2^" << k);
        };
        // The bounds of each interval, and 1000 lengths. Each setting tests its part.
        for (std::uint32_t k = setting.from; k < 22; ++k)
            for (const std::uint32_t n : {(1u << k) + 1, (2u << k) - 1})
                check(n);
        for (std::size_t i = 0; i < 1000 / std::size(settings) + 1; ++i) {
            const std::uint32_t power = 1u
                                        << (setting.from + static_cast<std::uint32_t>(random() % (22 - setting.from)));
            check(power + static_cast<std::uint32_t>(random() % power));
        }
    }
    SUCCEED();
}
