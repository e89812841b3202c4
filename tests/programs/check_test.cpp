// The self-test glsort check, as its users run it, and its parts.

#include <glsort/sorter.h>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "check_campaign.h"
#include "check_dice.h"
#include "check_objects.h"
#include "check_shrink.h"
#include "check_slot.h"
#include "programs/process.h"
#include "support/hostile_state.h"
#include "support/paths.h"

using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;
using nlohmann::json;
using namespace glsort;
using namespace glsort::check;
using glsort::test::Folder;
using glsort::test::Process;
using glsort::test::Result;

namespace {

Result run_check(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "check");
    return test::run_program(paths::program(GLSORT_CLI_PATH), arguments);
}

/// Choices without a context.
Choices some_choices() {
    Offer gl{.tier = Tier::gl45,
             .backends = {Backend::fragment, Backend::compute},
             .automatic = Backend::compute,
             .limits = {},
             .least = {},
             .persistent = true};
    Offer es{.tier = Tier::es30,
             .backends = {Backend::fragment},
             .automatic = Backend::fragment,
             .limits = {},
             .least = {},
             .persistent = false};
    // radix:one-sweep needs these.
    gl.limits.subgroup_size = 32;
    gl.limits.look_back = 1;
    es.limits.pixel_pack = es.least.pixel_pack = 0;
    es.least.attachments = 4;
    es.least.texture_size = 2048;
    return {.offers = {gl, es}};
}

/// A round of one sorter with one call: a sort of `count` keys.
Round one_sort(Tier tier, const SortSpec& spec, std::uint32_t count) {
    Round round;
    round.seed = 1;
    SorterPlan sorter;
    sorter.tier = tier;
    sorter.spec = spec;
    sorter.slots = {SlotPlan{}};
    sorter.samples = {{.count = count, .seed = 7}};
    round.sorters.push_back(sorter);
    Visit visit;
    visit.compare = true;
    visit.calls = {Call{}};
    round.visits.push_back(visit);
    return round;
}

SortSpec plain_spec(Backend backend, std::uint32_t capacity) {
    SortSpec spec;
    spec.payload = Payload::none();
    spec.algorithm = "bitonic:step";
    spec.backend = backend;
    spec.capacity = capacity;
    return spec;
}

}  // namespace

TEST_CASE("check describes itself", "[programs]") {
    const Result help = run_check({"--help"});
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    for (const char* option : {"--minutes", "--rounds", "--seed", "--reproduce", "--contexts", "--backends", "--large",
                               "--max-count", "--report", "--format"})
        CHECK_THAT(help.out, Contains(option));
    CHECK_THAT(test::run_program(paths::program(GLSORT_CLI_PATH), {"--help"}).out, Contains("check"));
}

TEST_CASE("check refuses wrong arguments by a line that names them", "[programs]") {
    struct Case {
        std::vector<std::string> arguments;
        std::vector<std::string> words;
    };
    const std::vector<Case> cases = {
        {{"--minutes", "soon"}, {"--minutes", "soon"}},
        {{"--minutes", "-1"}, {"--minutes", "-1"}},
        {{"--rounds", "0"}, {"--rounds", "0 rounds", "1 or more"}},
        {{"--max-count", "0"}, {"--max-count", "0 elements", "1 to 2^20"}},
        {{"--max-count", "2^21"}, {"--max-count", "2097152 elements", "1 to 2^20"}},
        {{"--rounds", "1", "--minutes", "1"}, {"--rounds", "--minutes"}},
        {{"--seed", "x"}, {"--seed", "x"}},
        {{"--seed", "2^64"}, {"--seed", "2^64", "2^64-1"}},
        {{"--reproduce", "1", "--seed", "1"}, {"--reproduce", "--seed"}},
        {{"--contexts", "gl46"}, {"--contexts", "gl46", "gl45", "compat"}},
        {{"--contexts", ""}, {"--contexts", "empty"}},
        {{"--backends", "cpu"}, {"--backends", "cpu", "fragment", "compute"}},
        {{"--format", "table"}, {"--format", "table", "json"}},
        {{"stray"}, {"stray", "glsort check"}},
    };
    for (const Case& wrong : cases) {
        const Result result = run_check(wrong.arguments);
        INFO(wrong.arguments.front() << "\n" << result.err);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK(test::lines_of(result.err).size() == 1);
        for (const std::string& word : wrong.words)
            CHECK_THAT(result.err, Contains(word));
    }
    const Result nowhere = run_check({"--report", "/nowhere/report", "--rounds", "1"});
    CHECK(nowhere.code == 1);
    CHECK_THAT(nowhere.err, Contains("cannot write /nowhere/report: No such file"));
}

TEST_CASE("check writes its report, and JSON with the members of its contract", "[programs]") {
    const Folder folder;
    const Result result = run_check({"--rounds", "1", "--seed", "3", "--contexts", "gl33,es30", "--format", "json",
                                     "--report", folder.file("report")});
    INFO(result.err);
    const json found = json::parse(result.out);
    for (const char* name : {"sorts", "configurations", "steps", "state_values", "refused_calls", "contexts",
                             "failures", "seed", "seconds"})
        CHECK(found.contains(name));
    CHECK(result.code == (found["failures"].empty() ? 0 : 1));
    CHECK(found["seed"] == 3);
    CHECK(found["sorts"] > 0);
    CHECK(found["configurations"] > 0);
    CHECK(found["rounds"] == 1);
    REQUIRE(found["contexts"].size() == 2);
    CHECK(found["contexts"][0]["name"] == "gl33");
    const std::string report = test::read_text(folder.file("report"));
    CHECK_THAT(report, StartsWith("glsort ") && Contains("seed 3") && Contains("attachments") &&
                           Contains(fmt::format("sorts           {}", found["sorts"].get<std::uint64_t>())));
}

TEST_CASE("check tells its totals even if the report cannot be written", "[programs]") {
    const Result result = run_check({"--rounds", "1", "--seed", "3", "--contexts", "gl33", "--max-count", "1000",
                                     "--format", "json", "--report", "/dev/full"});
    CHECK(result.code == 1);
    CHECK(json::parse(result.out)["rounds"] == 1);
    CHECK_THAT(result.err, Contains("cannot write /dev/full: "));
}

TEST_CASE("a round's seed brings it back, alone", "[programs]") {
    const auto rounds_of = [](const std::string& text) {
        // Each round begins with its seed. Progress may come in between, and failures follow.
        std::vector<std::string> rounds;
        for (const std::string& line : test::lines_of(text)) {
            if (line.starts_with("round ")) rounds.push_back("");
            const bool of_round =
                line.starts_with("round ") || line.starts_with("sorter ") || line.starts_with("  place ");
            if (!rounds.empty() && of_round) rounds.back() += line + "\n";
        }
        return rounds;
    };
    const std::vector<std::string> contexts{"--contexts", "gl33", "-v"};
    const auto run = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), contexts.begin(), contexts.end());
        return rounds_of(run_check(arguments).err);
    };
    const std::vector<std::string> first = run({"--rounds", "2", "--seed", "8"});
    REQUIRE(first.size() == 2);
    CHECK(first[0] != first[1]);
    const std::string seed = test::lines_of(first[1]).front().substr(std::string("round ").size());
    const std::vector<std::string> again = run({"--reproduce", seed});
    REQUIRE(again.size() == 1);
    CHECK(again[0] == first[1]);
}

TEST_CASE("an interrupted check tells what it has done so far", "[programs]") {
    const Folder folder;
    Process process(paths::program(GLSORT_CLI_PATH),
                    {"check", "--minutes", "60", "--contexts", "gl33", "-v", "--format", "json"}, {},
                    folder.file("out"), folder.file("err"));
    REQUIRE(test::eventually([&] { return test::read_text(folder.file("err")).find("round ") != std::string::npos; }));
    process.terminate();
    const int code = process.wait(std::chrono::seconds(200));
    const json found = json::parse(test::read_text(folder.file("out")));
    CHECK(found["interrupted"] == true);
    CHECK(code == (found["failures"].empty() ? 0 : 1));
}

TEST_CASE("a check that crashes leaves the round in the report", "[programs]") {
    const Folder folder;
    Process process(paths::program(GLSORT_CLI_PATH),
                    {"check", "--minutes", "60", "--contexts", "gl33", "-v", "--report", folder.file("report")}, {},
                    folder.file("out"), folder.file("err"));
    REQUIRE(test::eventually([&] { return test::read_text(folder.file("err")).find("round ") != std::string::npos; }));
    process.send(SIGSEGV);
    CHECK(process.wait(std::chrono::seconds(200)) == 128 + SIGSEGV);
    for (const char* file : {"err", "report"})
        CHECK_THAT(test::read_text(folder.file(file)), Contains("crashed in round ") && Contains("SortSpec{"));
}

TEST_CASE("what a round does depends on its seed alone", "[programs]") {
    const Choices choices = some_choices();
    std::set<std::string> texts;
    for (std::uint64_t number = 0; number < 40; ++number) {
        const Round round = make_round(mixed(5, number), choices);
        texts.insert(to_text(round));
        CHECK(to_text(make_round(mixed(5, number), choices)) == to_text(round));
    }
    CHECK(texts.size() == 40);
}

TEST_CASE("the counts of rounds have a max", "[programs]") {
    Choices choices = some_choices();
    for (const std::uint32_t most : {1u, 300u, 5000u}) {
        choices.max_count = most;
        std::set<std::uint32_t> capacities;
        for (std::uint64_t seed = 0; seed < 100; ++seed)
            for (const SorterPlan& sorter : make_round(mixed(11, seed), choices).sorters) {
                INFO(to_source(sorter));
                CHECK(sorter.spec.capacity <= most);
                capacities.insert(sorter.spec.capacity);
            }
        CHECK(*capacities.rbegin() > most / 2);
        CHECK(capacities.size() > most / 100);
    }
}

/// The active queries of visits, and the most ops that run during one of them.
struct Queries {
    std::size_t count = 0;
    std::size_t most_ops = 0;
    bool pieces = false;  ///< Whether a sort in pieces runs during one of them.
};

Queries queries_of(const Choices& choices) {
    Queries queries;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Round round = make_round(mixed(13, seed), choices);
        for (const Visit& visit : round.visits) {
            if (!visit.state || !visit.state->query) continue;
            const SorterPlan& sorter = round.sorters[visit.sorter];
            const Offer& offer = *std::ranges::find(choices.offers, sorter.context(), &Offer::context);
            PlanRequest request =
                request_of(sorter.spec, sorter.least_limits ? offer.least : offer.limits, sorter.spec.capacity);
            if (sorter.spec.backend == Backend::automatic) request.spec.backend = offer.automatic;
            ++queries.count;
            queries.most_ops = std::max(queries.most_ops, visit.calls.size() * plan(request).ops.size());
            queries.pieces = queries.pieces || sorter.options.max_elements_per_draw != 0;
        }
    }
    return queries;
}

TEST_CASE("few ops run during a query of a round, where the driver has room for few results", "[programs]") {
    Choices choices = some_choices();
    const Queries any = queries_of(choices);
    CHECK(any.most_ops > 2000);
    CHECK(any.pieces);
    for (Offer& offer : choices.offers)
        offer.strict_queries = true;
    const Queries few = queries_of(choices);
    CHECK(few.most_ops < 200);
    CHECK_FALSE(few.pieces);
    CHECK(few.count > any.count / 20);
}

TEST_CASE("rounds are possible, of all kinds, and a good part of them large or in another state", "[programs]") {
    const Choices choices = some_choices();
    std::set<std::string> algorithms;
    std::set<Upload> uploads;
    std::set<Reading> readings;
    std::set<Between> between;
    std::set<Farewell> farewells;
    std::set<Storage> storages;
    std::size_t calls = 0;
    std::size_t large = 0;
    std::size_t hostile = 0;
    std::size_t overwritten = 0;
    std::size_t configurations = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Round round = make_round(mixed(9, seed), choices);
        configurations += round.sorters.size();
        for (const SorterPlan& sorter : round.sorters) {
            const Offer& offer = *std::ranges::find(choices.offers, sorter.context(), &Offer::context);
            INFO(to_source(sorter));
            CHECK(is_possible(sorter.spec, offer, sorter.least_limits ? offer.least : offer.limits));
            algorithms.insert(sorter.spec.algorithm);
            farewells.insert(sorter.farewell);
            for (const SlotPlan& slot : sorter.slots)
                storages.insert(slot.storage);
        }
        for (const Visit& visit : round.visits) {
            configurations += visit.state ? 1 : 0;
            for (std::size_t i = 0; i < visit.calls.size(); ++i) {
                const Call& call = visit.calls[i];
                const SorterPlan& sorter = round.sorters[visit.sorter];
                uploads.insert(call.upload);
                readings.insert(call.reading);
                between.insert(call.between);
                ++calls;
                large += sorter.samples[call.sample].count > 1u << 12 ? 1 : 0;
                hostile += visit.state ? 1 : 0;
                overwritten += i > 0 && visit.calls[i - 1].keep == Keep::dropped &&
                                       visit.calls[i - 1].slot == call.slot && call.upload == Upload::sub_data
                                   ? 1
                                   : 0;
                // In an unusual state there are only quiet ways.
                if (visit.state) CHECK(is_quiet(call.upload));
                if (visit.state && call.keep == Keep::now) CHECK(is_quiet(call.reading));
            }
        }
    }
    std::size_t variants = 0;
    for (const Algorithm& algorithm : glsort::algorithms())
        variants += algorithm.variants.size();
    CAPTURE(algorithms);
    CHECK(algorithms.size() == variants + 1);  // `automatic`
    CHECK(uploads.size() == upload_ways);
    CHECK(readings.size() == reading_ways);
    CHECK(between.size() == betweens);
    CHECK(farewells.size() == 5);
    CHECK(storages.size() == 4);
    CHECK(calls > 40 * configurations);
    CHECK(large > calls / 10);
    CHECK(hostile > calls / 5);
    CHECK(overwritten > calls / 100);
}

TEST_CASE("textures are filled and read by quiet ways in any state", "[programs]") {
    Contexts contexts({Tier::gl33, Tier::es30});
    for (const Offer& offer : contexts.offers()) {
        const GladGLContext& gl = contexts.use(offer.tier).gl();
        trial::reset_state(gl);
        Copies copies(gl);
        for (const std::uint32_t channels : {1u, 2u, 4u}) {
            TextureView shape;
            shape.width = 37;
            shape.height = 3;
            const bool immutable = offer.tier == Tier::es30 && channels == 2;
            CheckedTexture texture(gl, copies, shape, channels, Words(std::size_t{37} * 3 * channels), immutable);
            for (std::uint64_t seed = 0; seed < 8; ++seed) {
                const trial::DirtyState dirty(gl, seed);
                const trial::StateSnapshot before = trial::take_snapshot(gl);
                for (const Upload way : {Upload::sub_image, Upload::unpack, Upload::image, Upload::copy_image}) {
                    if (immutable && way == Upload::image) continue;
                    INFO(trial::tier_name(offer.tier) << ", " << channels << " channels, " << to_string(way));
                    REQUIRE(is_quiet(way));
                    for (std::uint32_t& word : texture.expected)
                        word = word * 1664525u + 1013904223u + static_cast<std::uint32_t>(seed);
                    texture.upload(way);
                    for (const Reading reading : {Reading::pixels, Reading::pack})
                        CHECK(read_texture(gl, copies, texture.view(), channels, reading) == texture.expected);
                    CHECK(texture.changed_parameters() == "");
                }
                CHECK(trial::diff(before, trial::take_snapshot(gl)).empty());
            }
        }
        CHECK(contexts.use(offer.tier).problems().empty());
    }
}

TEST_CASE("samples expect what the cpu sorter makes of them", "[programs]") {
    struct Case {
        SortSpec spec;
        int comparison;
        std::uint32_t lists;
    };
    std::vector<Case> cases;
    for (const KeyType key : {KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64, KeyType::f64})
        for (const Direction order : {Direction::ascending, Direction::descending})
            for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(12)})
                for (const std::uint32_t lists : {0u, 5u}) {
                    SortSpec spec;
                    spec.order.key = key;
                    spec.order.direction = order;
                    spec.payload = payload;
                    spec.capacity = 200;
                    spec.algorithm = "merge";
                    cases.push_back({spec, -1, lists});
                    if (lists > 0) continue;
                    spec.algorithm = "radix";
                    spec.order.bits = {3, 17};
                    cases.push_back({spec, -1, 0});
                }
    for (int i = 0; i < static_cast<int>(comparisons().size()); ++i) {
        SortSpec spec;
        spec.order.comparison = comparisons()[static_cast<std::size_t>(i)].comparison;
        spec.order.direction = i % 2 == 0 ? Direction::ascending : Direction::descending;
        spec.capacity = 200;
        spec.algorithm = "merge";
        if (comparisons()[static_cast<std::size_t>(i)].strict_weak) cases.push_back({spec, i, 3});
    }
    for (const Case& each : cases) {
        SorterPlan plan;
        plan.spec = each.spec;
        INFO(to_source(plan));
        const KnownComparison* known =
            each.comparison < 0 ? nullptr : &comparisons()[static_cast<std::size_t>(each.comparison)];
        const Sample sample =
            make_sample(each.spec, known,
                        {.count = 200, .distribution = demo::Distribution::special, .seed = 4, .lists = each.lists});
        Words keys = sample.keys;
        Words values = sample.values;
        if (each.spec.payload.kind == Payload::Kind::none) values.clear();
        PlanRequest request = request_of(each.spec, Limits{}, 200);
        request.spec.backend = Backend::cpu;
        CpuSorter sorter(request.spec, request.limits);
        if (each.lists > 0)
            sorter.merge(keys, values, sample.lists);
        else
            sorter.sort(keys, values);
        CHECK(keys == sample.sorted_keys);
        if (!values.empty()) CHECK(values == sample.sorted_values);
    }
}

TEST_CASE("a specification is told as C++", "[programs]") {
    SorterPlan plan;
    CHECK(to_source(plan) == "SortSpec{}");
    SortSpec& spec = plan.spec;
    spec.order.key = KeyType::f64;
    spec.order.bits = {2, 9};
    spec.payload = Payload::bytes(8);
    spec.order.direction = Direction::descending;
    spec.algorithm = "radix";
    spec.capacity = 70;
    spec.layout = Layout::z_order;
    spec.tuning.radix.digit_bits = 4;
    plan.options.state = StatePolicy::caller_resets;
    plan.shared_scratch = true;
    plan.options.max_elements_per_draw = 64;
    CHECK(to_source(plan) ==
          "SortSpec{.order = {.key = KeyType::f64, .bits = {2, 9}, .direction = Direction::descending}, "
          ".payload = Payload::bytes(8), .capacity = 70, .algorithm = \"radix\", "
          ".tuning = {.radix = {.digit_bits = 4}}, .layout = Layout::z_order}, "
          "SorterOptions{.state = StatePolicy::caller_resets, .shared_scratch = scratch, "
          ".max_elements_per_draw = 64}");
}

TEST_CASE("words that are not the caller's to find changed are found", "[programs]") {
    Contexts contexts({Tier::gl33});
    if (contexts.offers().empty()) return;
    const GladGLContext& gl = contexts.use(Tier::gl33).gl();
    trial::reset_state(gl);
    Copies copies(gl);
    const Round round = one_sort(Tier::gl33, plain_spec(Backend::fragment, 40), 30);
    const SorterPlan& plan = round.sorters.front();
    Sorter sorter(plan.spec, contexts.loader());
    SlotPlan place;
    place.before_keys = 3;
    Slot slot(gl, copies, plan, place, sorter);
    const Sample sample = make_sample(plan.spec, nullptr, plan.samples.front());
    const auto wrong_after = [&](std::size_t word, bool flip) {
        slot.load(sample, Call{});
        sorter.sort(slot.arguments());
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, std::get<Buffers>(slot.arguments().input).keys.name);
        std::uint32_t value = 0;
        gl.GetBufferSubData(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(4 * word), 4, &value);
        value ^= flip ? 1 : 0;
        gl.BufferSubData(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(4 * word), 4, &value);
        slot.expect_result(sample, true, {});
        std::string wrong = slot.wrong();
        value ^= flip ? 1 : 0;
        gl.BufferSubData(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(4 * word), 4, &value);
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
        return wrong;
    };
    CHECK(wrong_after(2, false) == "");
    CHECK_THAT(wrong_after(2, true), Contains("word 2 of the buffer of keys (outside of the slice)"));
    CHECK_THAT(wrong_after(3, true), Contains("word 0 of key 0)"));
    CHECK_THAT(wrong_after(3 + 30, true), Contains("key 30, past the count"));
    CHECK_THAT(wrong_after(3 + 40, true), Contains("outside of the slice"));
}

namespace {

// More seconds than any shrinking takes, even on a busy machine.
constexpr double no_hurry = 3600;

GlProcedure own_function(const char* name) {
    return TestContext::get_proc_address()(name);
}

// A driver that binds at most 256 bytes of a buffer for compute shaders.
PFNGLBINDBUFFERRANGEPROC bind_buffer_range = nullptr;
void GLAD_API_PTR bind_short_range(GLenum target, GLuint index, GLuint buffer, GLintptr offset, GLsizeiptr size) {
    const bool storage = target == GL_SHADER_STORAGE_BUFFER;
    bind_buffer_range(target, index, buffer, offset, storage ? std::min<GLsizeiptr>(size, 256) : size);
}
GlProcedure short_ranges(const char* name) {
    const GlProcedure own = own_function(name);
    if (own == nullptr || name != std::string("glBindBufferRange")) return own;
    bind_buffer_range = reinterpret_cast<PFNGLBINDBUFFERRANGEPROC>(own);
    return reinterpret_cast<GlProcedure>(&bind_short_range);
}

// A library that never restores a write mask.
PFNGLCOLORMASKIPROC color_mask = nullptr;
void GLAD_API_PTR all_channels(GLuint index, GLboolean, GLboolean, GLboolean, GLboolean) {
    color_mask(index, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}
GlProcedure masks_stay(const char* name) {
    const GlProcedure own = own_function(name);
    if (own == nullptr || name != std::string("glColorMaski")) return own;
    color_mask = reinterpret_cast<PFNGLCOLORMASKIPROC>(own);
    return reinterpret_cast<GlProcedure>(&all_channels);
}

}  // namespace

TEST_CASE("a driver that is broken is found out, and the failure made small and told", "[programs]") {
    Contexts contexts({Tier::gl45}, &short_ranges);
    const Choices choices = choices_of(contexts, {Backend::compute});
    if (choices.offers.empty()) return;
    Round round = one_sort(Tier::gl45, plain_spec(Backend::compute, 1000), 900);
    round.sorters.front().slots.front().storage = Storage::mapped;
    round.visits.front().calls.front().upload = Upload::persistent;
    round.visits.front().calls.front().reading = Reading::copy;
    // The failure does not need these: a state, another order, calls before and after.
    round.sorters.front().spec.order.direction = Direction::descending;
    round.sorters.front().born = State{.seed = 3};
    round.visits.front().state = State{.seed = 4};
    round.visits.front().calls.insert(round.visits.front().calls.begin(), round.visits.front().calls.front());
    round.sorters.front().samples.push_back({.count = 5, .seed = 8});
    round.visits.front().calls.front().sample = 1;
    round.visits.push_back(round.visits.front());
    Totals totals;
    Runner runner(contexts, totals);
    const std::optional<Failure> failure = runner.run(round);
    REQUIRE(failure);
    CHECK_THAT(failure->what, StartsWith("result: ") && Contains("instead of"));
    const Shrunk shrunk = shrink(
        round, *failure, choices, [&](const Round& smaller) { return runner.run(smaller); }, no_hurry);
    CHECK(shrunk.repeats == shrunk.of_repeats);
    // 64 words are visible, and the 65th word is not.
    CHECK(shrunk.round.visits.size() == 1);
    REQUIRE(shrunk.round.visits.front().calls.size() == 1);
    CHECK_FALSE(shrunk.round.visits.front().state);
    CHECK_FALSE(shrunk.round.sorters.front().born);
    CHECK(shrunk.round.sorters.front().spec.order.direction == Direction::ascending);
    CHECK(shrunk.round.sorters.front().samples[shrunk.round.visits.front().calls.front().sample].count == 65);
    CHECK(shrunk.round.sorters.front().spec.capacity == 65);

    Finding finding{.seed = 1,
                    .round = shrunk.round,
                    .failure = shrunk.failure,
                    .repeats = 3,
                    .of_repeats = 3,
                    .settings = {},
                    .command = "glsort check --reproduce 1",
                    .alike = {}};
    Summary summary;
    summary.findings = {finding};
    const auto told = to_json(summary, totals, contexts)["failures"][0];
    REQUIRE(told["calls"].size() == 1);
    CHECK_THAT(told["calls"][0].get<std::string>(), Contains("upload by ") && Contains("n 65"));
    CHECK(told["places"].size() == 1);
    const std::string text = to_text(finding, contexts);
    CHECK_THAT(text, Contains("gl45: ") && Contains("n          65") && Contains("SortSpec{") &&
                         Contains(".capacity = 65") && Contains("place 0    0 words before keys") &&
                         EndsWith("glsort check --reproduce 1\n"));
}

TEST_CASE("a state that is not put back is found out", "[programs]") {
    Contexts contexts({Tier::gl33}, &masks_stay);
    const Choices choices = choices_of(contexts, {Backend::fragment});
    if (choices.offers.empty()) return;
    Totals totals;
    Runner runner(contexts, totals);
    Round round = one_sort(Tier::gl33, plain_spec(Backend::fragment, 50), 40);
    CHECK_FALSE(runner.run(round));  // In the state of a new context, all channels are written.
    round.visits.front().state = State{.seed = 4};
    const std::optional<Failure> failure = runner.run(round);
    REQUIRE(failure);
    CHECK_THAT(failure->what, StartsWith("state changed by sort: ") && Contains("GL_COLOR_WRITEMASK"));
    const Shrunk shrunk = shrink(
        round, *failure, choices, [&](const Round& smaller) { return runner.run(smaller); }, no_hurry);
    REQUIRE(shrunk.round.visits.size() == 1);
    CHECK(shrunk.round.visits.front().state);
    CHECK(totals.state_values > 1000);
}

TEST_CASE("a campaign counts its rounds, and gives each round a seed of its own", "[programs]") {
    Contexts contexts({Tier::gl33, Tier::gl33}, &own_function);
    const Choices choices = choices_of(contexts, {Backend::fragment});
    REQUIRE(choices.offers.size() <= 2);  // At most one of them shows all extensions.
    if (choices.offers.empty()) return;
    Campaign campaign(contexts, choices, " --contexts gl33");
    std::vector<std::uint64_t> seeds;
    campaign.run(
        {.seed = 21, .rounds = 1}, [&](const Round& round) { seeds.push_back(round.seed); }, [](const std::string&) {});
    CHECK(seeds == std::vector<std::uint64_t>{mixed(21, 0)});
    CHECK(campaign.totals().rounds == 1);
    CHECK(campaign.totals().sorts > 0);
    CHECK(campaign.summary().seed == 21);
    std::uint64_t failures = campaign.summary().untold;
    for (const Finding& finding : campaign.summary().findings)
        failures += 1 + finding.alike.size();
    CHECK(failures == campaign.totals().failures);
}

TEST_CASE("memory that grows fails a run that is long enough", "[programs]") {
    const auto rounds = [](std::size_t count, double kib_per_sort) {
        std::vector<Memory> all;
        for (std::size_t i = 0; i < count; ++i) {
            const double sorts = 1000.0 * static_cast<double>(i);
            // Caches fill during the first half. Then memory varies from round to round.
            const double cache = i < count / 2 ? 500.0 * static_cast<double>(i) : 250.0 * static_cast<double>(count);
            all.push_back({sorts, 100'000 + cache + kib_per_sort * sorts + (i % 2 == 0 ? 9000.0 : 0.0)});
        }
        return all;
    };
    CHECK_FALSE(memory_growth(rounds(49, 1)));
    CHECK(memory_growth(rounds(200, 1)).value() == Approx(1000).margin(50));
    CHECK(std::abs(memory_growth(rounds(200, 0)).value()) < 50);
    CHECK_FALSE(leaks_memory(rounds(600, 1)));
    CHECK(leaks_memory(rounds(600, 4)));
    CHECK_FALSE(leaks_memory(rounds(499, 4)));
}

TEST_CASE("objects that are left behind are counted", "[programs]") {
    Contexts contexts({Tier::gl33});
    if (contexts.offers().empty()) return;
    TestContext& context = contexts.use(Tier::gl33);
    forget_objects(&context);
    GladGLContext counted{};
    REQUIRE(gladLoadGLContext(&counted, contexts.loader()) != 0);
    GLuint names[2] = {};
    counted.GenBuffers(2, names);
    const GLuint program = counted.CreateProgram();
    CHECK(objects_alive(&context) == "2 buffers, 1 programs");
    counted.DeleteBuffers(1, names);
    counted.DeleteProgram(program);
    CHECK(objects_alive(&context) == "1 buffers");
    counted.DeleteBuffers(2, names);
    CHECK(objects_alive(&context) == "");
}
