#include <array>
#include <random>

#include "exec/lockstep.h"
#include "support/random.h"

// The multiway merge sort on the GL backends, compared with the cpu after every op.

namespace glsort::test {
namespace {

// Lengths around a record, a side and a window; merges of two, four and eight runs; a last window with and without an
// upper side. The tests of the cpu cover more lengths (exec_cpu/merge_test.cpp). Here each length may need another
// shader.
constexpr std::uint32_t lengths[] = {1, 17, 63, 129, 257, 300, 1023, 4097};

TEST_CASE("merge: after every op the backends agree with the cpu", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto distributions = demo::all_distributions();
    std::size_t turn = random() % distributions.size();
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        for (const Backend backend : backends_of(tier)) {
            const auto executor = make_executor(api_of(context), backend);
            PlanRequest request;
            request.spec.algorithm = "merge";
            request.spec.backend = backend;
            request.limits = gl::query_limits(api_of(context));
            // Compilation of shaders takes most of the time, so the settings of executors take turns.
            ++turn;
            request.spec.capacity = turn % 2 == 0 ? 5000 : 600000;
            request.spec.payload = turn / 2 % 2 == 0 ? Payload::index() : Payload::none();
            request.spec.layout = turn / 4 % 2 == 0 ? Layout::row_wise : Layout::z_order;
            for (const std::uint32_t n : lengths) {
                request.n = n;
                check_in_lockstep(context, *executor, request, distributions[random() % distributions.size()],
                                  random());
            }
        }
        context.require_clean("merge in lockstep");
    }
}

TEST_CASE("merge: any range of bits, alone in a word with the index or not, after every op", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        for (const Backend backend : backends_of(tier)) {
            const auto executor = make_executor(api_of(context), backend);
            for (int turn = 0; turn < 4; ++turn) {
                PlanRequest request = some_request(random, "merge", 1 + static_cast<std::uint32_t>(random() % 4000),
                                                   gl::query_limits(api_of(context)));
                request.spec.backend = backend;
                request.spec.capacity = request.n;
                request.spec.order.bits = some_bits(random, request.spec.order.key);
                if (turn % 2 == 0) {
                    request.spec.order.key = KeyType::f32;
                    const auto first = static_cast<std::uint32_t>(random() % 25);
                    request.spec.order.bits = {first, first + 1 + static_cast<std::uint32_t>(random() % 8)};
                    CHECK(ElementType::of(request).words() == 1);
                }
                INFO("bits " << request.spec.order.bits.first << " to " << request.spec.order.bits.end);
                check_in_lockstep(context, *executor, request, some_distribution(random), random());
            }
        }
        context.require_clean("merge by some bits in lockstep");
    }
}

/// A merge on the fragment backend.
PlanRequest fragment_request(TestContext& context, const Payload& payload) {
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.backend = Backend::fragment;
    request.limits = gl::query_limits(api_of(context));
    request.spec.payload = payload;
    return request;
}

TEST_CASE("merge of keys alone: after every op the fragment backend agrees with the cpu", "[exec]") {
    // Lengths around a record, a window and an instance of merge_keys_split. In some merges the last group lacks runs.
    // In others, runs are so long that the search for a window skips some keys.
    constexpr std::uint32_t sizes[] = {33, 63, 64, 65, 129, 255, 256, 257, 511, 1023, 1024, 1025, 4097, 16383, 20000};
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto distributions = demo::all_distributions();
    std::size_t turn = random() % distributions.size();
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        const auto executor = make_executor(api_of(context), Backend::fragment);
        PlanRequest request = fragment_request(context, Payload::none());
        // An instance of merge_keys_split handles one, two or four windows.
        request.spec.capacity = std::array{30000u, 600000u, 1200000u}[++turn % 3];
        request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
        request.spec.layout = random() % 2 == 0 ? Layout::row_wise : Layout::z_order;
        for (const std::uint32_t n : sizes)
            for (int repeat = 0; repeat < 2; ++repeat) {
                request.n = n;
                check_in_lockstep(context, *executor, request, distributions[++turn % distributions.size()], random());
            }
        context.require_clean("merge of keys in lockstep");
    }
}

TEST_CASE("merge of keys alone: long runs, after every op the fragment backend agrees with the cpu", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto distributions = demo::all_distributions();
    TestContext& context = test::context(is_there(Tier::gl45) ? Tier::gl45 : Tier::es30);
    const auto executor = make_executor(api_of(context), Backend::fragment);
    PlanRequest request = fragment_request(context, Payload::none());
    request.spec.capacity = random() % 2 == 0 ? 300000 : 1200000;
    // Runs are so long that a search skips several elements at once. There are three runs and a part of one, and one
    // run and a key.
    for (const std::uint32_t n : {3 * 65536u + static_cast<std::uint32_t>(random() % 65536), 65537u}) {
        request.n = n;
        check_in_lockstep(context, *executor, request, demo::Distribution::uniform, random());
        check_in_lockstep(context, *executor, request, distributions[random() % distributions.size()], random());
    }
    context.require_clean("merge of long runs of keys in lockstep");
}

TEST_CASE("merge of keys alone: runs that are not parts of one sequence, after every op", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    // Key `i` of n. The cases are: sorted runs of a power of two in reverse order; interleaved runs; many or only keys
    // of the greatest value; few different keys. The greatest value also lies past the end of a run.
    using KeyOf = std::uint32_t (*)(std::uint32_t i);
    constexpr std::uint32_t none = 0xffffffffu;
    constexpr std::array<KeyOf, 7> keys_of{
        [](std::uint32_t i) { return (~i & ~1023u) + (i & 1023u); },
        [](std::uint32_t i) { return (~i & ~63u) + (i & 63u); },
        [](std::uint32_t i) { return i % 1024 * 16 + i / 1024; },
        [](std::uint32_t i) { return i % 37 == 0 ? i : none; },
        [](std::uint32_t i) { return i % 37 == 0 ? none : i % 5 + 0xfffffffbu; },
        [](std::uint32_t) { return none; },
        [](std::uint32_t i) { return i / 512 % 2; },
    };
    for (const Tier tier : {Tier::es30, Tier::gl33}) {
        if (!is_there(tier)) continue;
        TestContext& context = test::context(tier);
        for (const std::uint32_t attachments : {8u, 4u, 2u}) {
            const auto executor = make_executor(api_of(context), Backend::fragment);
            PlanRequest request = fragment_request(context, Payload::none());
            if (attachments > request.limits.attachments) continue;
            request.limits.attachments = attachments;
            request.spec.capacity = random() % 2 == 0 ? 600000 : 1200000;
            for (std::size_t i = 0; i < keys_of.size(); ++i) {
                for (const std::uint32_t n : {256u, 1024u, static_cast<std::uint32_t>(2000 + random() % 10000)}) {
                    request.n = n;
                    request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
                    std::vector<std::uint32_t> keys(n);
                    for (std::uint32_t k = 0; k < n; ++k)
                        keys[k] = keys_of[i](k);
                    INFO(tier_name(tier) << ", attachments " << attachments << ", capacity " << request.spec.capacity
                                         << ", keys " << i << ", n " << n << " "
                                         << to_string(request.spec.order.direction));
                    check_in_lockstep(api_of(context), *executor, plan(request), request.limits, {{"keys", keys}});
                }
            }
        }
        context.require_clean("merge of keys in lockstep");
    }
}

/// A merge on compute with `bytes` bytes of shared memory.
PlanRequest shared_memory_request(TestContext& context, std::uint32_t bytes) {
    PlanRequest request;
    request.spec.algorithm = "merge";
    request.spec.backend = Backend::compute;
    request.limits = gl::query_limits(api_of(context));
    request.limits.shared_memory = bytes;
    return request;
}

TEST_CASE("merge in shared memory: after every op compute agrees with the cpu", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto distributions = demo::all_distributions();
    if (skipped_without(Tier::gl45)) return;
    TestContext& context = test::context(Tier::gl45);
    const auto executor = make_executor(api_of(context), Backend::compute);
    // Small tiles make many merges of few elements.
    PlanRequest request = shared_memory_request(context, 512);
    request.spec.payload = random() % 2 == 0 ? Payload::index() : Payload::none();
    request.spec.capacity = 20000;
    const std::uint32_t tile = request.spec.payload.kind == Payload::Kind::none ? 128 : 64;
    // One tile; a merge of two or four runs, one of eight, and two merges of eight. The last window and the last run
    // have few elements, or all.
    const std::uint32_t few_runs = random() % 2 == 0 ? tile + 1 : 3 * tile - 5;
    for (const std::uint32_t n : {tile - 1, tile, few_runs, 8 * tile, 50 * tile + 7}) {
        request.n = n;
        check_in_lockstep(context, *executor, request, distributions[random() % distributions.size()], random());
    }
    context.require_clean("merge in shared memory in lockstep");
}

TEST_CASE("merge in shared memory stores to a texture", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto distributions = demo::all_distributions();
    if (skipped_without(Tier::gl45)) return;
    TestContext& context = test::context(Tier::gl45);
    const auto executor = make_executor(api_of(context), Backend::compute);
    PlanRequest request = shared_memory_request(context, 256);
    request.spec.input = request.spec.output = Medium::texture;
    request.spec.payload = random() % 2 == 0 ? Payload::index() : Payload::bytes(4);
    request.spec.layout = random() % 2 == 0 ? Layout::row_wise : Layout::z_order;
    request.n = 123;
    check_in_lockstep(context, *executor, request, distributions[random() % distributions.size()], random());
    context.require_clean("merge in shared memory to a texture");
}

// Records of one, two and three words. Values move by one, two and four words at a time.
TEST_CASE("merge of 64-bit keys and large values: after every op the backends agree with the cpu", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    struct Mode {
        KeyType key;
        Payload payload;
    };
    constexpr std::array modes{Mode{KeyType::f64, Payload::none()},   Mode{KeyType::u32, Payload::bytes(12)},
                               Mode{KeyType::i64, Payload::index()},  Mode{KeyType::u64, Payload::bytes(16)},
                               Mode{KeyType::f64, Payload::bytes(8)}, Mode{KeyType::f32, Payload::bytes(64)},
                               Mode{KeyType::u64, Payload::bytes(4)}};
    std::size_t turn = random() % modes.size();
    for (const Tier tier : available_tiers()) {
        TestContext& context = test::context(tier);
        for (const Backend backend : backends_of(tier)) {
            const auto executor = make_executor(api_of(context), backend);
            const Mode& mode = modes[++turn % modes.size()];
            PlanRequest request;
            request.spec.algorithm = "merge";
            request.spec.backend = backend;
            request.limits = gl::query_limits(api_of(context));
            request.spec.capacity = 5000;
            request.spec.order.key = mode.key;
            request.spec.payload = mode.payload;
            request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
            request.spec.layout = random() % 2 == 0 ? Layout::row_wise : Layout::z_order;
            for (const std::uint32_t n : {17u, 300u}) {
                request.n = n;
                check_in_lockstep(context, *executor, request, demo::Distribution::special, random());
            }
        }
        context.require_clean("merge of large records in lockstep");
    }
}

TEST_CASE("merge runs with four, two and one attachment", "[exec][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto distributions = demo::all_distributions();
    for (const Tier tier : {Tier::es30, Tier::gl33}) {
        if (!is_there(tier)) continue;
        TestContext& context = test::context(tier);
        const auto api = api_of(context);
        for (const int attachments : {4, 2, 1}) {
            context.limit(GL_MAX_DRAW_BUFFERS, attachments);
            const auto executor = make_executor(api, Backend::fragment);
            PlanRequest request = fragment_request(context, random() % 2 == 0 ? Payload::index() : Payload::none());
            CHECK(request.limits.attachments == static_cast<std::uint32_t>(attachments));
            request.spec.capacity = 5000;
            request.spec.layout = random() % 2 == 0 ? Layout::row_wise : Layout::z_order;
            request.spec.order.key = random() % 2 == 0 ? KeyType::f32 : KeyType::f64;
            const auto check = [&] {
                for (const std::uint32_t n : {9u, 100u, 1025u}) {
                    request.n = n;
                    check_in_lockstep(context, *executor, request, distributions[random() % distributions.size()],
                                      random());
                }
            };
            check();
            request.spec.payload = Payload::none();
            request.spec.order.key = KeyType::i32;
            check();
            context.unlimit();
        }
        context.require_clean("merge with few attachments");
    }
}

}  // namespace
}  // namespace glsort::test
