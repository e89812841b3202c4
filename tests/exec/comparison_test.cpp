#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <tuple>
#include <utility>

#include "exec/lockstep.h"
#include "plan/abisort/abisort_variants.h"
#include "plan/networks/every_network.h"
#include "support/random.h"

// Sorts that look up keys on the GL backends, compared with the cpu after every op. Comparisons of the caller look up
// keys, and abisort looks up low words of 64-bit keys. Compilation of shaders takes most of the time, so modes take
// turns.

namespace glsort::test {
namespace {

/// Random media that the backend supports for such keys and payload.
std::pair<Medium, Medium> any_media(const gl::Api& api, Backend backend, std::uint32_t key_bytes,
                                    const Payload& payload, std::mt19937_64& random) {
    const bool textures = backend == Backend::fragment || !api.es;
    const bool fits = payload.size <= 4 && key_bytes + payload.size <= 16;
    if (!textures || !fits || random() % 2 == 0) return {Medium::buffer, Medium::buffer};
    return {random() % 2 == 0 ? Medium::buffer : Medium::texture, Medium::texture};
}

constexpr std::array payloads{Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)};

TEST_CASE("by a caller's comparison the backends agree with the cpu after every op", "[exec][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    std::size_t turn = random() % 16;
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        for (const Backend backend : backends_of(tier)) {
            const auto executor = make_executor(api, backend);
            ++turn;
            PlanRequest request;
            // llvmpipe compiles merge:multiway on compute for up to 20 s.
            const char* merge = backend == Backend::fragment ? "merge:multiway" : "merge:shared";
            const std::vector<std::string> networks = stepwise_networks();
            const bool local = backend == Backend::compute && random() % 2 == 0;
            const std::string network = local ? "bitonic:local" : networks[random() % networks.size()];
            request.spec.algorithm = turn % 3 == 0 ? network : merge;
            request.spec.backend = backend;
            const std::uint32_t key_bytes = comparison_key_bytes[turn % 4];
            request.spec.order.comparison = comparison_of(key_bytes);
            request.spec.payload = payloads[random() % payloads.size()];
            request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
            request.spec.layout = random() % 2 == 0 ? Layout::row_wise : Layout::z_order;
            request.limits = gl::query_limits(api);
            request.limits.shared_memory = std::min(request.limits.shared_memory, 512u);
            // Runs of 8 in registers. Longer runs look keys up at hundreds of places, and compile for long.
            request.limits.attachments = std::min(request.limits.attachments, 2u);
            std::tie(request.spec.input, request.spec.output) =
                any_media(*api, backend, key_bytes, request.spec.payload, random);
            request.spec.capacity = 5000;
            // For 17 elements, runs of 32 would make a merge unnecessary.
            for (const std::uint32_t n : {2u, 40u, 300u}) {
                request.n = n;
                check_in_lockstep(context, *executor, request, demo::Distribution::uniform, random());
            }
        }
        context.require_clean("a comparison in lockstep");
    }
}

TEST_CASE("abisort: with 64-bit keys the backends agree with the cpu after every op", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto distributions = demo::all_distributions();
    const std::vector<std::string> variants = abisort_variants();
    std::size_t turn = random() % 16;
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        for (const Backend backend : backends_of(tier)) {
            // Tests every second place.
            if (++turn % 2 != 0) continue;
            const auto executor = make_executor(api, backend);
            PlanRequest request;
            request.spec.algorithm = variants[turn / 2 % variants.size()];
            // The phases of the other variants take five storage blocks. OpenGL ES guarantees four.
            if (backend == Backend::compute && api->es) request.spec.algorithm = "abisort:fused";
            request.limits = gl::query_limits(api);
            // In fragment shaders the fused variant writes eight attachments. OpenGL ES guarantees four.
            if (backend == Backend::fragment && request.limits.attachments < 8)
                request.spec.algorithm = "abisort:paper";
            request.spec.backend = backend;
            request.spec.order.key = std::array{KeyType::u64, KeyType::i64, KeyType::f64}[random() % 3];
            request.spec.payload = payloads[random() % payloads.size()];
            request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
            request.spec.layout = random() % 2 == 0 ? Layout::row_wise : Layout::z_order;
            std::tie(request.spec.input, request.spec.output) =
                any_media(*api, backend, 8, request.spec.payload, random);
            request.spec.capacity = 1000;
            for (const std::uint32_t n : {1u, 17u, 100u, 257u}) {
                request.n = n;
                // Few different keys: most pairs have equal high words.
                const auto distribution =
                    n == 100 ? demo::Distribution::few_distinct : distributions[random() % distributions.size()];
                check_in_lockstep(context, *executor, request, distribution, random());
            }
        }
        context.require_clean("abisort with 64-bit keys in lockstep");
    }
}

}  // namespace
}  // namespace glsort::test
