#include <glsort/planner.h>

#include <array>
#include <iterator>
#include <random>
#include <tuple>

#include "exec/lockstep.h"
#include "plan/abisort_variants.h"
#include "support/random.h"

// GPU-ABiSort on the GL backends: pointers are texels on fragment and numbers on compute, so each
// backend is compared with the cpu's run of its own program.

namespace glsort::test {
namespace {

/// Any keys, payload and order, and any place of the caller's elements that the backend offers.
PlanRequest any_request(const gl::Api& api, Backend backend, Layout layout,
                        std::mt19937_64& random) {
    const auto any_of = [&random](const auto& list) { return list[random() % std::size(list)]; };
    std::vector<std::pair<Medium, Medium>> media = {{Medium::buffer, Medium::buffer}};
    if (backend == Backend::fragment || !api.es) {
        media.push_back({Medium::buffer, Medium::texture});
        media.push_back({Medium::texture, Medium::texture});
    }
    PlanRequest request;
    request.backend = backend;
    request.layout = layout;
    request.key = any_of(std::array{KeyType::u32, KeyType::i32, KeyType::f32});
    request.order = any_of(std::array{Order::ascending, Order::descending});
    request.payload = any_of(std::array{Payload::none(), Payload::index(), Payload::bytes(4)});
    std::tie(request.input, request.output) = any_of(media);
    return request;
}

void check_abisort(TestContext& context, const std::shared_ptr<const gl::Api>& api,
                   GlExecutor& executor, const PlanRequest& request, std::uint64_t seed) {
    const std::vector<demo::Distribution> distributions = demo::all_distributions();
    const demo::Distribution distribution = distributions[seed % distributions.size()];
    INFO(request.algorithm << " on " << to_string(request.backend) << ", tier "
                           << tier_name(context.tier()) << ", n " << request.n << " of "
                           << request.capacity << ", " << to_string(request.layout.value_or(Layout::row_wise)) << ", "
                           << to_string(request.input) << " to " << to_string(request.output)
                           << ", " << to_string(request.key) << " " << to_string(request.order)
                           << ", payload " << to_string(request.payload) << ", "
                           << demo::distribution_name(distribution));
    const StreamProgram program = plan(request);
    const auto mismatch = run_in_lockstep(api, executor, program, gl::query_limits(api),
                                          contents_for(program, distribution, seed));
    CHECK((mismatch ? mismatch->text : "") == "");
}

// Around powers of two, where trees are full, or pruned by little or much.
constexpr std::uint32_t abisort_lengths[] = {1,  2,  3,  4,  5,   7,   8,   9,    15,   16,
                                             17, 31, 33, 64, 100, 127, 257, 1000, 1024, 4097};

TEST_CASE("abisort: after every op the backends agree with the cpu", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    Layout longest = Layout::row_wise;  // of the longest programs, in turn
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        for (const Backend backend : backends_of(tier)) {
            // One executor, and one way in and out for each layout: to compile shaders takes longer
            // than all else here, and backends_agree_test.cpp goes through all the ways.
            const auto executor = make_executor(api, backend);
            longest = longest == Layout::row_wise ? Layout::z_order : Layout::row_wise;
            for (const Layout layout : {Layout::row_wise, Layout::z_order}) {
                PlanRequest request = any_request(*api, backend, layout, random);
                for (const std::uint32_t n : abisort_lengths) {
                    if (n > 4096 && layout != longest) continue;
                    request.n = n;
                    request.capacity = random() % 2 == 0 ? n : 5000;
                    for (const std::string& algorithm : abisort_variants()) {
                        request.algorithm = algorithm;
                        check_abisort(context, api, *executor, request, random());
                    }
                }
            }
        }
        context.require_clean("abisort in lockstep");
    }
}

}  // namespace
}  // namespace glsort::test
