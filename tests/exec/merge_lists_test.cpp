#include <array>
#include <random>

#include "exec/lockstep.h"
#include "support/random.h"
#include "support/sorted_lists.h"

// Merges of sorted lists on the GL backends, compared with the cpu after every op. The tests of the cpu cover more
// settings (exec_cpu/merge_lists_test.cpp). Here each setting needs three to six more shaders.

namespace glsort::test {
namespace {

void check_merge(TestContext& context, GlExecutor& executor, PlanRequest request, std::mt19937_64& random) {
    const std::vector<std::uint32_t> keys = sorted_lists(request.spec.order.key, request.spec.order.direction,
                                                         request.lists, random() % 2 == 0 ? 7 : 1u << 31, random);
    request.n = static_cast<std::uint32_t>(keys.size() / (key_bytes(request.spec.order.key) / 4));
    const StreamProgram program = plan(request);
    StreamContents contents;
    contents["keys"] = keys;
    contents["values"].resize(request.n);
    for (std::uint32_t i = 0; i < request.n; ++i)
        contents["values"][i] = ~i;
    std::string lists;
    for (const std::uint32_t length : request.lists)
        lists += fmt::format(" {}", length);
    INFO(to_string(request.spec.backend) << ", tier " << tier_name(context.tier()) << ", capacity "
                                         << request.spec.capacity << ", " << to_string(program.layout.kind) << ", "
                                         << to_string(request.spec.order.key) << " "
                                         << to_string(request.spec.order.direction) << ", payload "
                                         << to_string(request.spec.payload) << ", attachments "
                                         << request.limits.attachments << ", lists of" << lists);
    check_in_lockstep(api_of(context), executor, program, request.limits, contents);
}

TEST_CASE("merge of lists: after every op the backends agree with the cpu", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    // Compilation of shaders takes most of the time, so tiers, backends, capacities and layouts take turns.
    const auto turn = random();
    for (const Tier tier : {turn % 2 == 0 ? Tier::es30 : Tier::es31, turn % 2 == 0 ? Tier::gl45 : Tier::gl33}) {
        if (!is_there(tier)) continue;
        TestContext& context = test::context(tier);
        PlanRequest request;
        request.spec.algorithm = "merge";
        request.spec.backend = backends_of(tier).back();
        request.limits = gl::query_limits(api_of(context));
        request.spec.capacity = turn / 2 % 2 == 0 ? 5000 : 600000;
        request.spec.payload = turn / 4 % 2 == 0 ? Payload::index() : Payload::none();
        request.spec.layout = turn / 8 % 2 == 0 ? Layout::row_wise : Layout::z_order;
        const auto executor = make_executor(api_of(context), request.spec.backend);
        // Up to eight lists, and more.
        for (const std::uint32_t lists : {2u, 7u, 8u, 64u})
            for (const std::uint32_t n : {40u, 700u, 3000u}) {
                request.lists = list_lengths(n, lists, random);
                check_merge(context, *executor, request, random);
            }
        context.require_clean("merge of lists in lockstep");
    }
}

TEST_CASE("merge of lists runs with few attachments, and on long keys", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const int attachments : {1, 4}) {
        const Tier tier = attachments == 1 ? Tier::es30 : Tier::gl33;
        if (!is_there(tier)) continue;
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        context.limit(GL_MAX_DRAW_BUFFERS, attachments);
        const auto executor = make_executor(api, Backend::fragment);
        PlanRequest request;
        request.spec.algorithm = "merge";
        request.spec.backend = Backend::fragment;
        request.limits = gl::query_limits(api);
        request.spec.capacity = 5000;
        request.spec.order.key = std::array{KeyType::u32, KeyType::i64}[random() % 2];
        request.spec.payload = random() % 2 == 0 ? Payload::index() : Payload::bytes(4);
        for (const std::uint32_t lists : {4u, 20u}) {
            request.lists = list_lengths(900, lists, random);
            check_merge(context, *executor, request, random);
        }
        context.unlimit();
        context.require_clean("merge of lists with few attachments");
    }
}

}  // namespace
}  // namespace glsort::test
