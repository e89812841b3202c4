#include <array>
#include <random>

#include "exec/lockstep.h"
#include "support/counting_sort.h"
#include "support/fewer_modes.h"
#include "support/random.h"

namespace glsort::test {
namespace {

/// One mode of each `modes_in_turn` modes is tested. The value divides no number of modes, so that all modes are tested
/// in turn.
constexpr std::uint64_t modes_in_turn = fewer_modes ? 71 : 23;

constexpr std::array key_types{KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64, KeyType::f64};

/// The default variant of each algorithm, for one n, in some of the modes that `backend` offers. Compilation of shaders
/// takes most of the time, so modes take turns. Other variants differ only between the way in and the way out:
/// abisort_test.cpp.
void check_algorithms(TestContext& context, Backend backend, std::uint32_t n, std::uint64_t seed) {
    const auto api = api_of(context);
    const Limits limits = gl::query_limits(api);
    std::mt19937_64 random(seed + n);
    const auto distributions = demo::all_distributions();
    std::uint64_t turn = random();
    for (const Algorithm& algorithm : algorithms()) {
        // Compilation of shaders takes longer than the sorts, so there is one executor.
        const auto executor = make_executor(api, backend);
        for (const Algorithm::Variant& variant : algorithm.variants) {
            if (backend == Backend::fragment && !variant.takes.fragment) continue;
            // Fused writes eight attachments.
            const bool fuses = backend == Backend::compute || limits.attachments >= 8;
            if (algorithm.name == "abisort" && variant.name != (fuses ? "fused" : "paper")) continue;
            if (variant.name == "one-sweep" && lacks_subgroups(limits)) continue;
            for (const Layout layout : {Layout::row_wise, Layout::z_order})
                for (const auto& [input, output] :
                     {std::pair{Medium::buffer, Medium::buffer}, std::pair{Medium::buffer, Medium::texture},
                      std::pair{Medium::texture, Medium::texture}})
                    for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4),
                                                  Payload::bytes(8), Payload::bytes(12), Payload::bytes(64)}) {
                        if (backend == Backend::compute && output == Medium::texture && api->es) continue;
                        if (payload.size > 4 && output == Medium::texture) continue;
                        if (++turn % modes_in_turn != 0) continue;
                        PlanRequest request;
                        request.n = n;
                        request.spec.order.key = key_types[random() % key_types.size()];
                        request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
                        request.spec.payload = payload;
                        request.spec.algorithm = algorithm.name + ":" + variant.name;
                        request.spec.backend = backend;
                        request.spec.layout = layout;
                        request.spec.input = input;
                        request.spec.output = output;
                        request.limits = limits;
                        const auto distribution = distributions[random() % distributions.size()];
                        check_in_lockstep(context, *executor, request, distribution, random());
                    }
        }
    }
    context.require_clean("lockstep");
}

TEST_CASE("after every op the backends agree with the cpu", "[exec]") {
    const Seed seed;
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        for (const Backend backend : backends_of(tier)) {
            INFO("tier " << tier_name(tier));
            for (const std::uint32_t n : {1u, 2u, 3u, 4u, 7u, 16u, 33u, 100u})
                check_algorithms(context, backend, n, seed.value());
        }
    }
}

TEST_CASE("after every op the backends agree with the cpu: larger, odd sizes", "[exec][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        for (const Backend backend : backends_of(tier)) {
            INFO("tier " << tier_name(tier));
            check_algorithms(context, backend, 200 + static_cast<std::uint32_t>(random() % 3000), seed.value());
        }
    }
}

TEST_CASE("a counting sort of groups, shared memory, atomics and scatter runs on compute", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Tier tier : available_tiers()) {
        if (backends_of(tier).size() < 2) continue;
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        for (const std::uint32_t n : {1u, 63u, 64u, 65u, 1000u, 5000u}) {
            INFO("tier " << tier_name(tier) << ", n " << n);
            const StreamProgram program = counting_sort_program(n, Backend::compute);
            StreamContents contents;
            for (const Stream& stream : program.streams)
                if (stream.role == StreamRole::input || stream.role == StreamRole::in_place)
                    for (std::uint64_t i = 0; i < stream.bytes() / 4; ++i)
                        contents[stream.name].push_back(static_cast<std::uint32_t>(random()));
            ComputeExecutor executor(api, {});
            check_in_lockstep(api, executor, program, gl::query_limits(api), contents);
        }
        context.require_clean("counting sort");
    }
}

}  // namespace
}  // namespace glsort::test
