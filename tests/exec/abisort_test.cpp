#include <glsort/planner.h>
#include <glsort/stream/validate.h>

#include <array>
#include <iterator>
#include <random>
#include <string>
#include <tuple>

#include "exec/lockstep.h"
#include "plan/abisort/abisort_variants.h"
#include "support/random.h"

// GPU-ABiSort on the GL backends. Pointers are texels on fragment and numbers on compute. Each backend is therefore
// compared with the cpu's run of the backend's own program.

namespace glsort::test {
namespace {

/// A random request: keys, payload, order, and a place of the caller's elements that the backend offers.
PlanRequest any_request(const gl::Api& api, Backend backend, Layout layout, std::mt19937_64& random) {
    const auto any_of = [&random](const auto& list) { return list[random() % std::size(list)]; };
    std::vector<std::pair<Medium, Medium>> media = {{Medium::buffer, Medium::buffer}};
    if (backend == Backend::fragment || !api.es) {
        media.push_back({Medium::buffer, Medium::texture});
        media.push_back({Medium::texture, Medium::texture});
    }
    PlanRequest request;
    request.spec.backend = backend;
    request.spec.layout = layout;
    request.spec.order.key = any_of(std::array{KeyType::u32, KeyType::i32, KeyType::f32});
    request.spec.order.direction = any_of(std::array{Direction::ascending, Direction::descending});
    request.spec.payload = any_of(std::array{Payload::none(), Payload::index(), Payload::bytes(4)});
    std::tie(request.spec.input, request.spec.output) = any_of(media);
    return request;
}

void check_abisort(TestContext& context, GlExecutor& executor, const PlanRequest& request, std::uint64_t seed) {
    const std::vector<demo::Distribution> distributions = demo::all_distributions();
    check_in_lockstep(context, executor, request, distributions[seed % distributions.size()], seed);
}

// Lengths around powers of two. Trees are full, or pruned by little or much.
constexpr std::uint32_t abisort_lengths[] = {1,  2,  3,  4,  5,   7,   8,   9,    15,   16,
                                             17, 31, 33, 64, 100, 127, 257, 1000, 1024, 4097};

// Comparisons after every op cost as much as the ops. Long programs therefore sort few elements, and only one tier
// sorts the longest inputs.
constexpr std::uint32_t longest(const std::string& algorithm, Tier tier) {
    if (algorithm == "abisort:appendix-a") return 100;
    return algorithm == "abisort:overlapped" || tier != Tier::gl45 ? 1024 : 4097;
}

/// The ops of a program that read and write one scratch storage, and the ops that copy back.
struct Stores {
    std::size_t in_place = 0;
    std::size_t copied_back = 0;

    void count(const StreamProgram& program) {
        for (const Op& op : program.ops) {
            copied_back += op.kernel->name == "abisort_copy_back";
            if (op.kernel->name != "abisort_phase") continue;
            const StreamId nodes = op.writes.back().stream;
            in_place += reads_in_place(program, op, nodes).has_value();
        }
    }
};

TEST_CASE("abisort: after every op the backends agree with the cpu", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    std::size_t turn = random() % 8;
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        const Limits limits = gl::query_limits(api);
        Limits without_barriers = limits;
        without_barriers.texture_barrier = 0;
        for (const Backend backend : backends_of(tier)) {
            // Compilation of shaders takes most of the time. There is one executor, one layout, one way in and out, and
            // mostly one capacity. backends_agree_test.cpp tests all ways in and out.
            const auto executor = make_executor(api, backend);
            const Layout layout = ++turn % 2 == 0 ? Layout::row_wise : Layout::z_order;
            const PlanRequest any = any_request(*api, backend, layout, random);
            Stores fused;
            // One tier sorts all lengths. The others sort every second length. Each variant sorts the lengths that the
            // previous variant left out.
            std::size_t skipped = turn;
            for (const std::string& algorithm : abisort_variants()) {
                ++skipped;
                // Fused writes eight attachments: the next test case.
                if (algorithm == "abisort:fused" && backend == Backend::fragment && limits.attachments < 8) continue;
                for (std::size_t i = 0; i < std::size(abisort_lengths); ++i) {
                    const std::uint32_t n = abisort_lengths[i];
                    if (n > longest(algorithm, tier)) continue;
                    if (tier != Tier::gl45 && (i + skipped) % 2 == 0) continue;
                    PlanRequest request = any;
                    request.spec.algorithm = algorithm;
                    request.n = n;
                    request.spec.capacity = random() % 20 == 0 ? n : 5000;
                    request.limits = limits;
                    check_abisort(context, *executor, request, random());
                    if (algorithm != "abisort:fused") continue;
                    fused.count(plan(request));
                    if (backend == Backend::compute || !limits.texture_barrier) continue;
                    request.limits = without_barriers;
                    fused.count(plan(request));
                    check_abisort(context, *executor, request, random());
                }
            }
            INFO("tier " << tier_name(tier) << ", " << to_string(backend) << ", texture barriers "
                         << limits.texture_barrier);
            const bool may = backend == Backend::compute || limits.texture_barrier;
            const bool runs = backend == Backend::compute || limits.attachments >= 8;
            CHECK((fused.in_place > 0) == (may && runs));
            CHECK((fused.copied_back > 0) == (backend == Backend::fragment && runs));
            // OpenGL ES and the oldest tier need not have texture barriers.
            if (tier == Tier::gl45) CHECK(limits.texture_barrier);
            if (tier == Tier::es30 || tier == Tier::es31) CHECK_FALSE(limits.texture_barrier);
        }
        context.require_clean("abisort in lockstep");
    }
}

TEST_CASE("abisort: paper runs with four attachments, fused refuses them", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Tier tier : {Tier::es30, Tier::gl33}) {
        if (!is_there(tier)) continue;
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        context.limit(GL_MAX_DRAW_BUFFERS, 4);
        const auto executor = make_executor(api, Backend::fragment);
        PlanRequest request = any_request(*api, Backend::fragment, Layout::row_wise, random);
        request.limits = gl::query_limits(api);
        CHECK(request.limits.attachments == 4);
        request.spec.capacity = 5000;
        request.spec.algorithm = "abisort:fused";
        CHECK_THROWS_WITH(
            plan(request),
            "plan: abisort:fused writes runs of 16, which need 8 attachments; the limit is 4 (attachments)");
        for (const std::string algorithm : {"abisort", "abisort:paper"})
            for (const std::uint32_t n : {1u, 9u, 17u, 33u, 100u, 257u}) {
                request.spec.algorithm = algorithm;
                request.n = n;
                check_abisort(context, *executor, request, random());
            }
        context.unlimit();
        context.require_clean("abisort with four attachments");
    }
}

}  // namespace
}  // namespace glsort::test
