#include <glsort/exec/cpu_executor.h>
#include <glsort/stream/program.h>
#include <glsort/stream/scheduler.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "sorter/gl_spy.h"
#include "sorter/scenes.h"
#include "sorter/sorting.h"
#include "support/random.h"

namespace glsort::test {
namespace {

/// A run of the program of a sort by the cpu executor, on copies of the caller's streams.
class CpuRun {
  public:
    /// `limits`: the limits for which the program was planned.
    CpuRun(const StreamProgram& program, const Limits& limits, const Sample& sample) : scheduler_(executor_) {
        scheduler_.prepare(program, limits);
        for (StreamId id = 0; id < program.streams.size(); ++id) {
            const Stream& stream = program.streams[id];
            if (stream.role == StreamRole::scratch) continue;
            Words& words = memory_[id];
            words.assign(static_cast<std::size_t>(stream.bytes() / 4), 0);
            for (std::uint32_t i = 0; i < program.n; ++i) {
                if (stream.name == "keys") words[i] = sample.keys[i];
                if (stream.name == "values") words[i] = sample.values[i];
                if (stream.name == "input") {
                    words[std::size_t{i} * stream.words] = sample.keys[i];
                    if (stream.words == 2) words[std::size_t{i} * 2 + 1] = sample.values[i];
                }
            }
            executor_.bind(id, words);
        }
    }

    bool step() { return scheduler_.step(); }
    Words read(StreamId id) { return scheduler_.read(id); }

  private:
    CpuExecutor executor_;
    Scheduler scheduler_;
    std::map<StreamId, Words> memory_;
};

/// Compares the records that an op wrote to each specified output.
std::string compare_outputs(Stepper& stepper, CpuRun& cpu, const StreamProgram& program, std::size_t number) {
    const Op& op = program.ops[number];
    const std::vector<Port> ports = output_ports(op);
    for (std::size_t i = 0; i < op.writes.size(); ++i) {
        if (!ports[i].specified) continue;
        const StreamId id = op.writes[i].stream;
        const Stream& stream = program.streams[id];
        const Words expected = cpu.read(id);
        const Words found = stepper.read(id);
        const std::size_t words = std::size_t{stream.words} * stream.elements_per_record;
        if (expected.size() != found.size())
            return fmt::format("op {}: {} words of {}", number, found.size(), stream.name);
        for (const Block& block : op.writes[i].records.blocks())
            for (std::size_t w = block.begin * words; w < block.end * words; ++w)
                if (expected[w] != found[w])
                    return fmt::format("op {} ({}): word {} of {} is {:#x} instead of {:#x}", number, describe(op), w,
                                       stream.name, found[w], expected[w]);
    }
    return "";
}

/// The buffers that were mapped or read back, recorded by the spy.
std::set<GLuint>& touched_buffers() {
    static std::set<GLuint> names;
    return names;
}

void note_buffer(GLenum target) {
    const std::map<GLenum, GLenum> bindings{{GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER_BINDING},
                                            {GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER_BINDING},
                                            {GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING}};
    GLint name = 0;
    GlSpy::gl().GetIntegerv(bindings.at(target), &name);
    touched_buffers().insert(static_cast<GLuint>(name));
}

TEST_CASE("reading while stepping neither maps a buffer of the caller's nor reads it back", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        GlSpy spy(context);
        spy.replace(
            "glMapBufferRange", +[](GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) -> void* {
                note_buffer(target);
                return GlSpy::gl().MapBufferRange(target, offset, length, access);
            });
        spy.replace(
            "glGetBufferSubData", +[](GLenum target, GLintptr offset, GLsizeiptr size, void* data) {
                note_buffer(target);
                GlSpy::gl().GetBufferSubData(target, offset, size, data);
            });
        SortSpec spec;
        spec.payload = Payload::bytes(4);
        spec.backend = place.backend;
        spec.capacity = 50;
        Sorter sorter(spec, GlSpy::loader());
        Stepper stepper(sorter);
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 50, 1);
        const SortArguments arguments = caller.load(sample);
        touched_buffers().clear();
        stepper.begin(arguments);
        while (stepper.step())
            for (const char* name : {"keys", "values"})
                stepper.read(sorter.program(50).stream(name));
        INFO(describe(place));
        CHECK(stepper.read(sorter.program(50).stream("keys")) == sample.sorted_keys);
        CHECK(!touched_buffers().empty());
        CHECK(touched_buffers().count(buffers_of(arguments).keys.name) == 0);
        CHECK(touched_buffers().count(buffers_of(arguments).values.name) == 0);
        context.require_clean("reading while stepping");
    }
}

TEST_CASE("step by step, every op writes what the cpu writes, and the end is the sort's", "[sorter]") {
    const Seed seed;
    struct Way {
        Medium input;
        Medium output;
        Payload payload;
        const char* algorithm = "automatic";
    };
    std::uint64_t turn = seed.value();
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const Limits limits = describe_context(context.get_proc_address()).limits;
        for (const Way& mode : {Way{Medium::buffer, Medium::buffer, Payload::none()},
                                Way{Medium::buffer, Medium::buffer, Payload::bytes(4)},
                                Way{Medium::buffer, Medium::texture, Payload::index()},
                                Way{Medium::texture, Medium::texture, Payload::bytes(4)},
                                Way{Medium::buffer, Medium::buffer, Payload::bytes(4), "abisort"}}) {
            if (mode.output == Medium::texture && !writes_textures(place)) continue;
            // GPU-ABiSort only if both backends store in place.
            if (mode.algorithm == std::string("abisort") && place.tier != Tier::gl45) continue;
            SortSpec spec;
            spec.algorithm = mode.algorithm;
            spec.order.key = KeyType::i32;
            spec.payload = mode.payload;
            spec.backend = place.backend;
            spec.capacity = 70;
            spec.input = mode.input;
            spec.output = mode.output;
            spec.layout = ++turn % 2 == 0 ? Layout::row_wise : Layout::z_order;
            Sorter sorter(spec, context.get_proc_address());
            Stepper stepper(sorter);
            Arrangement arrangement;
            if (turn % 3 == 0) arrangement.output = TextureView{0, 9, 9, Layout::row_wise};
            Caller caller(context.gl(), sorter, arrangement);
            for (const std::uint32_t n : {1u, 2u, 32u, 70u}) {
                INFO(describe(place) << ": " << describe(spec) << ", n " << n);
                const StreamProgram program = sorter.program(n);
                const Sample sample = make_sample(spec, demo::Distribution::special, n, turn);
                CpuRun cpu(program, limits, sample);
                stepper.begin(caller.load(sample));
                CHECK(stepper.steps_done() == 0);
                // The caller's streams already hold the input. Other streams have any contents.
                for (StreamId id = 0; id < program.streams.size(); ++id)
                    CHECK(stepper.read(id).size() == program.streams[id].bytes() / 4);
                for (std::size_t number = 0; number < program.ops.size(); ++number) {
                    const Op& op = program.ops[number];
                    if (op.kernel->transfer)
                        CHECK(stepper.source(number) == "");
                    else
                        CHECK_THAT(stepper.source(number),
                                   Catch::StartsWith("#version ") && Catch::Contains("void main()"));
                    REQUIRE(stepper.step());
                    cpu.step();
                    CHECK(stepper.steps_done() == number + 1);
                    CHECK(compare_outputs(stepper, cpu, program, number) == "");
                    // All other streams can be read, too. A read changes nothing.
                    for (StreamId id = 0; id < program.streams.size(); ++id)
                        CHECK(stepper.read(id).size() == program.streams[id].bytes() / 4);
                }
                CHECK_FALSE(stepper.step());
                CHECK_FALSE(stepper.step());
                CHECK(stepper.steps_done() == program.ops.size());
                CHECK_THROWS_AS(stepper.source(program.ops.size()), Error);
                CHECK(caller.wrong(sample) == "");
                // A sort without steps gives equal bits, because both results are right.
                sorter.sort(caller.load(sample));
                CHECK(caller.wrong(sample) == "");
            }
            context.require_clean("steps");
        }
    }
}

TEST_CASE("a sort of nothing has no steps", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SortSpec spec;
        spec.backend = place.backend;
        spec.capacity = 8;
        INFO(describe(place));
        Sorter sorter(spec, context.get_proc_address());
        Stepper stepper(sorter);
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 8, 1);
        for (int repeat = 0; repeat < 2; ++repeat) {
            SortArguments arguments = caller.load(sample);
            arguments.count = 0;
            stepper.begin(arguments);
            for (StreamId id = 0; id < sorter.program(0).streams.size(); ++id)
                CHECK(stepper.read(id).empty());
            CHECK_FALSE(stepper.step());
            CHECK(stepper.steps_done() == 0);
            CHECK(caller.changed() == "");
            sorter.sort(caller.arguments());
            CHECK(caller.wrong(sample) == "");
        }
        context.require_clean("nothing");
    }
}

TEST_CASE("begin ends the sort before, wherever that was", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SortSpec spec;
        // bitonic:step has many ops on all devices. The automatic choice may have one.
        spec.algorithm = "bitonic:step";
        spec.backend = place.backend;
        spec.capacity = 40;
        INFO(describe(place));
        Sorter sorter(spec, context.get_proc_address());
        Stepper stepper(sorter);
        Caller abandoned(context.gl(), sorter);
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 40, seed.value());
        for (std::size_t steps = 0; steps < sorter.program(40).ops.size(); steps += 3) {
            stepper.begin(abandoned.load(sample));
            for (std::size_t i = 0; i < steps; ++i)
                stepper.step();
            stepper.begin(caller.load(sample));
            CHECK(stepper.steps_done() == 0);
            while (stepper.step()) {
            }
            CHECK(caller.wrong(sample) == "");
        }
        context.require_clean("abandoned sorts");
    }
}

// The first op adds to sums that must be zero, and the second one leaves zeros there.
TEST_CASE("a sort that was left behind any step leaves no sums to the next", "[sorter]") {
    const Seed seed;
    constexpr std::uint32_t count = 9000;
    for (const Place& place : places_in_turn()) {
        if (place.backend != Backend::compute) continue;
        TestContext& context = clean_context(place.tier);
        SortSpec spec;
        spec.algorithm = "radix:one-sweep";
        spec.backend = place.backend;
        spec.capacity = count;
        INFO(describe(place));
        if (describe_context(context.get_proc_address()).limits.subgroup_size == 0) {
            leave_out("no subgroups");
            continue;
        }
        std::optional<Sorter> sorter;
        sorter.emplace(spec, context.get_proc_address());
        Caller caller(context.gl(), *sorter);
        const StreamProgram program = sorter->program(count);
        CHECK(std::any_of(program.streams.begin(), program.streams.end(),
                          [](const Stream& stream) { return stream.begins_zero; }));
        Stepper stepper(*sorter);
        const Sample left = make_sample(spec, demo::Distribution::uniform, count, seed.value());
        const Sample sample = make_sample(spec, demo::Distribution::uniform, count, seed.value() + 1);
        for (std::size_t steps = 1; steps < program.ops.size(); ++steps)
            for (const bool by_steps : {false, true}) {
                INFO(steps << " steps, then " << (by_steps ? "steps" : "a sort"));
                stepper.begin(caller.load(left));
                for (std::size_t i = 0; i < steps; ++i)
                    stepper.step();
                SortArguments nothing = caller.arguments();
                nothing.count = 0;
                sorter->sort(nothing);
                if (by_steps) {
                    stepper.begin(caller.load(sample));
                    while (stepper.step()) {
                    }
                } else {
                    sorter->sort(caller.load(sample));
                }
                CHECK(caller.wrong(sample) == "");
            }
        context.require_clean("sums of sorts that were left");
    }
}

TEST_CASE("the program of a sort prints, whatever the count", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SortSpec spec;
        spec.backend = place.backend;
        spec.capacity = 16;
        const Sorter sorter(spec, context.get_proc_address());
        for (std::uint32_t n = 0; n <= 16; ++n) {
            const StreamProgram program = sorter.program(n);
            CHECK(program.n == n);
            CHECK(program.backend == place.backend);
            CHECK(to_text(program).find(sorter.spec().algorithm) == 0);
            CHECK_FALSE(to_table(program).empty());
            CHECK(to_json(program).find("\"backend\"") != std::string::npos);
            CHECK(to_dot(program).find("digraph") != std::string::npos);
        }
        context.require_clean("programs");
    }
}

TEST_CASE("debug groups are the ops, by name", "[sorter]") {
    // In OpenGL ES 3.0 these functions belong to an extension, and have other names.
    const Tier tier = GENERATE(Tier::gl45, Tier::es30);
    if (skipped_without(tier)) return;
    TestContext context(tier, {"*"});
    if (context.driver().KHR_debug == 0) return;
    for (const Backend backend : backends_of_tier(tier)) {
        SortSpec spec;
        spec.backend = backend;
        spec.capacity = 8;
        for (const bool groups : {true, false}) {
            SorterOptions options;
            options.debug_groups = groups;
            Sorter sorter(spec, context.get_proc_address(), options);
            Caller caller(context.gl(), sorter);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, 8, 1);
            caller.load(sample);
            context.clear();
            sorter.sort(caller.arguments());
            std::vector<std::string> found;
            for (const DebugMessage& message : context.messages())
                if (message.type == GL_DEBUG_TYPE_PUSH_GROUP) found.push_back(message.text);
            std::vector<std::string> expected;
            if (groups)
                for (const Op& op : sorter.program(8).ops)
                    expected.push_back(describe(op));
            CHECK(found == expected);
        }
    }
    context.require_clean("debug groups");
}

/// The texts of the debug groups that were opened since `TestContext::clear`.
std::vector<std::string> opened_groups(const TestContext& context) {
    std::vector<std::string> found;
    for (const DebugMessage& message : context.messages())
        if (message.type == GL_DEBUG_TYPE_PUSH_GROUP) found.push_back(message.text);
    return found;
}

TEST_CASE("debug groups of a scene are its ops, by name, and each group ends", "[sorter][scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const Tier tier = GENERATE(Tier::gl45, Tier::es30);
    if (skipped_without(tier)) return;
    TestContext context(tier, {"*"});
    if (context.driver().KHR_debug == 0) return;
    for (const Backend backend : backends_of_tier(tier))
        for (const bool groups : {true, false}) {
            INFO(describe(Place{tier, backend}) << ", groups " << groups);
            const SceneSpec spec{.sources = {weighted(50), weighted(30)},
                                 .key = KeyType::u32,
                                 .backend = backend,
                                 .results = {item_numbers()}};
            SorterOptions options;
            options.debug_groups = groups;
            SceneSorter sorter(spec, context.get_proc_address(), options);
            const std::vector<Filled> contents{filled(50, 3, random), filled(30, 3, random)};
            SceneCaller caller(context.gl(), spec, contents, {50, 30});
            caller.arguments.results = {{.target = {caller.buffer(Words(320)), 0}}};
            context.require_clean("a scene that will be sorted");
            context.clear();
            sorter.sort(caller.arguments);
            CHECK(opened_groups(context) == (groups ? op_names(sorter) : std::vector<std::string>()));
            GLint depth = 0;
            context.gl().GetIntegerv(GL_DEBUG_GROUP_STACK_DEPTH, &depth);
            CHECK(depth == 1);  // The group of the context itself.
            CHECK(caller.wrong(sorter, expected_order(spec, contents, {50, 30}), false) == "");
            context.require_clean("debug groups of a scene");
        }
}

}  // namespace
}  // namespace glsort::test
