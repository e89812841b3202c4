#include <glsort/exec/pieces.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "exec/lockstep.h"
#include "support/counting_sort.h"
#include "support/fewer_modes.h"
#include "support/random.h"

/// Ops in pieces write what whole ops write.

namespace glsort::test {
namespace {

TEST_CASE("pieces cover a rectangle once, in order, and none is too large", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (int repeat = 0; repeat < 2000; ++repeat) {
        const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
        const Rectangle box{below(9), below(9), below(40), below(40)};
        const std::uint32_t most = repeat % 10 == 0 ? unlimited : 1 + below(300);
        INFO("box " << box.x0 << " " << box.y0 << " " << box.x1 << " " << box.y1 << ", most " << most);
        std::vector<std::uint32_t> found;
        std::uint32_t largest = 0;
        for_pieces(box, most, [&](const Rectangle& piece) {
            for (std::uint32_t y = piece.y0; y < piece.y1; ++y)
                for (std::uint32_t x = piece.x0; x < piece.x1; ++x)
                    found.push_back(100 * y + x);
            largest = std::max(largest, (piece.x1 - piece.x0) * (piece.y1 - piece.y0));
        });
        std::vector<std::uint32_t> expected;
        for (std::uint32_t y = box.y0; y < box.y1; ++y)
            for (std::uint32_t x = box.x0; x < box.x1; ++x)
                expected.push_back(100 * y + x);
        CHECK(found == expected);
        CHECK(largest <= most);
    }
    // Nothing overflows.
    std::uint32_t pieces = 0;
    for_pieces({0, 0, unlimited, 1}, 1u << 31, [&](const Rectangle&) { ++pieces; });
    for_pieces({0, 0, 1, unlimited}, unlimited - 1, [&](const Rectangle&) { ++pieces; });
    CHECK(pieces == 4);
}

TEST_CASE("an instance touches as many elements as its kernel says", "[exec]") {
    Limits limits;
    limits.storage_bytes = std::uint64_t{1} << 32;
    limits.subgroup_size = 32;
    limits.shared_memory = 49152;
    limits.invocations = 1024;
    std::size_t tiles = 0;
    std::size_t records = 0;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const Backend backend : {Backend::fragment, Backend::compute}) {
                if (backend == Backend::fragment && !variant.takes.fragment) continue;
                PlanRequest request;
                request.n = 100'003;
                request.spec.algorithm = algorithm.name + ":" + variant.name;
                request.spec.backend = backend;
                request.limits = limits;
                const StreamProgram program = plan(request);
                for (const Op& op : program.ops) {
                    INFO(request.spec.algorithm << " on " << to_string(backend) << ": " << describe(op));
                    const std::uint32_t elements = elements_of_instance(program, op);
                    if (op.kernel->group_size > 1 && op.kernel->shape.tile) {
                        CHECK(elements >= op.kernel->shape.tile->of(op));
                        ++tiles;
                    }
                    // Instances that handle records of the target, and nothing else.
                    if (op.kernel->transfer) CHECK(elements == 1);
                    const Stream& target = program.streams[op.writes.front().stream];
                    const bool whole = op.domain.size() == target.records && op.kernel->group_size == 1;
                    if (whole) CHECK(elements >= target.elements_per_record);
                    records += whole ? 1 : 0;
                    CHECK(most_instances(program, op, 0) == unlimited);
                    CHECK(most_instances(program, op, 1) == 1);
                    CHECK(most_instances(program, op, elements) == 1);
                    CHECK(most_instances(program, op, 3 * elements - 1) == 2);
                    CHECK(most_instances(program, op, 1u << 30) <= 1u << 30);
                }
            }
    CHECK(tiles > 0);
    CHECK(records > 0);
}

/// Runs one of `share` variants that take a backend, with limits and counts that `draw` chooses. In tiers beside OpenGL
/// 4.5 one of three times as many.
template <class Draw>
void check_pieces(std::mt19937_64& random, std::uint64_t share, const Draw& draw) {
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        Limits limits = gl::query_limits(api);
        // Several groups for few elements.
        limits.multiprocessors = 0;
        for (const Backend backend : backends_of(tier))
            for (const Algorithm& algorithm : algorithms())
                for (const Algorithm::Variant& variant : algorithm.variants) {
                    if (backend == Backend::fragment && !variant.takes.fragment) continue;
                    if (algorithm.name == "abisort" && variant.name == "fused" && limits.attachments < 8) continue;
                    if (variant.name == "one-sweep" && lacks_subgroups(limits)) continue;
                    // Compilation of shaders takes longer than sorts.
                    if (random() % (share * (fewer_modes || tier != Tier::gl45 ? 3 : 1)) != 0) continue;
                    PlanRequest request = some_request(random, algorithm.name + ":" + variant.name, 1, limits);
                    request.spec.backend = backend;
                    request.spec.layout = random() % 2 == 0 ? Layout::row_wise : Layout::z_order;
                    const bool textures = request.spec.payload.size <= 4 && !(backend == Backend::compute && api->es);
                    request.spec.output = textures && random() % 2 == 0 ? Medium::texture : Medium::buffer;
                    request.spec.input =
                        request.spec.output == Medium::texture && random() % 2 == 0 ? Medium::texture : Medium::buffer;
                    const auto [limit, counts] = draw(variant);
                    request.spec.capacity = *std::max_element(counts.begin(), counts.end());
                    const auto executor = make_executor(api, backend, limit);
                    INFO("max_elements_per_draw " << limit);
                    for (const std::uint32_t n : counts) {
                        request.n = n;
                        check_in_lockstep(context, *executor, request, some_distribution(random), random());
                    }
                }
        context.require_clean("pieces");
    }
}

struct PiecesCase {
    std::uint32_t limit;
    std::vector<std::uint32_t> counts;
};

TEST_CASE("ops in pieces agree with the cpu", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const std::array cases{PiecesCase{1, {2, 1, 67}}, PiecesCase{7, {130, 6, 8}}, PiecesCase{256, {1023, 257, 256}}};
    std::size_t turn = random() % cases.size();
    check_pieces(random, 3, [&](const auto&) { return cases[++turn % cases.size()]; });
}

TEST_CASE("ops in pieces agree with the cpu: larger sizes", "[exec][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const std::array cases{PiecesCase{256, {5000, 1023}}, PiecesCase{1000, {5000, 2003}},
                           PiecesCase{4096, {(1u << 14) + 3, 4097}}, PiecesCase{1000, {(1u << 14) + 3, 999}}};
    std::size_t turn = random() % cases.size();
    check_pieces(random, 1, [&](const Algorithm::Variant& variant) {
        // The other algorithms take hundreds of ops, and thousands of pieces.
        const bool few = variant.takes.gpu_count || variant.takes.lists;
        return few ? cases[++turn % cases.size()] : cases[++turn % 2];
    });
}

TEST_CASE("groups in pieces find their number, their blocks and the sums of earlier groups", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("groups in pieces", [&](TestContext& context, const Limits& limits) {
        const auto api = api_of(context);
        for (const std::uint32_t n : {1u, 65u, 1000u, 5000u})
            for (const std::uint32_t limit : {1u, 100u, 200u, 4096u}) {
                INFO("n " << n << ", limit " << limit);
                const StreamProgram program = counting_sort_program(n, Backend::compute);
                StreamContents contents;
                for (const Stream& stream : program.streams)
                    if (stream.role == StreamRole::input || stream.role == StreamRole::in_place)
                        for (std::uint64_t i = 0; i < stream.bytes() / 4; ++i)
                            contents[stream.name].push_back(static_cast<std::uint32_t>(random()));
                const auto executor = make_executor(api, Backend::compute, limit);
                check_in_lockstep(api, *executor, program, limits, contents);
            }
        if (lacks_subgroups(limits)) return;
        // Look-back over several dispatches.
        Limits any_gpu = limits;
        any_gpu.multiprocessors = 0;
        const auto executor = make_executor(api, Backend::compute, 4096);
        PlanRequest request = some_request(random, "radix:one-sweep", 20'001, any_gpu);
        check_in_lockstep(context, *executor, request, some_distribution(random), random());
    });
}

}  // namespace
}  // namespace glsort::test
