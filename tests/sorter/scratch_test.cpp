#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "sorter/between_calls.h"
#include "sorter/gl_spy.h"
#include "support/random.h"

namespace glsort::test {
namespace {

using Catch::Contains;

SorterOptions sharing(const std::shared_ptr<Scratch>& scratch) {
    SorterOptions options;
    options.shared_scratch = scratch;
    return options;
}

/// Specifications with different sizes, keys, payloads and algorithms.
std::vector<SortSpec> various_specs(Backend backend) {
    std::vector<SortSpec> specs;
    const auto add = [&](const char* algorithm, std::uint32_t capacity, KeyType key, const Payload& payload) {
        SortSpec spec;
        spec.algorithm = algorithm;
        spec.capacity = capacity;
        spec.order.key = key;
        spec.payload = payload;
        spec.backend = backend;
        specs.push_back(spec);
    };
    add("merge", 300, KeyType::u32, Payload::bytes(4));
    add("bitonic:step", 65, KeyType::u64, Payload::index());
    if (backend == Backend::compute) {
        add("radix:reduce-then-scan", 5000, KeyType::f32, Payload::none());
        add("sample", 3000, KeyType::i32, Payload::bytes(12));
        add("radix:one-sweep", 7000, KeyType::u32, Payload::index());
    } else {
        add("merge", 5000, KeyType::f32, Payload::index());
        add("abisort", 256, KeyType::u32, Payload::bytes(4));
    }
    return specs;
}

/// Whether the device runs the algorithm. Only radix:one-sweep needs what devices may lack.
bool can_sort(TestContext& context, const SortSpec& spec) {
    if (spec.algorithm != "radix:one-sweep") return true;
    return runs_on(describe_context(context.get_proc_address()).limits, spec);
}

struct SharedBench {
    SharedBench(TestContext& context, const SortSpec& spec, const std::shared_ptr<Scratch>& scratch)
        : sorter(spec, context.get_proc_address(), sharing(scratch)), caller(context.gl(), sorter) {}

    std::string wrong(std::uint32_t count, std::uint64_t seed) {
        const Sample sample = make_sample(sorter.spec(), demo::Distribution::uniform, count, seed);
        sorter.sort(caller.load(sample));
        return caller.wrong(sample);
    }

    Sorter sorter;
    Caller caller;
};

TEST_CASE("a growth of shared scratch memory that fails leaves other sorters intact", "[scratch]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        SortSpec spec;
        spec.algorithm = "merge";
        spec.payload = Payload::bytes(4);
        spec.backend = place.backend;
        spec.capacity = 600;
        const auto scratch = std::make_shared<Scratch>(context.get_proc_address());
        SharedBench small(context, spec, scratch);
        CHECK(small.wrong(600, seed.value()) == "");
        const std::uint64_t bytes = scratch->bytes();
        {
            GlSpy spy(context);
            static bool failed;
            failed = false;
            // A texture or a buffer without memory.
            spy.replace(
                "glTexImage2D",
                +[](GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void*) { failed = true; });
            spy.replace(
                "glBufferData", +[](GLenum target, GLsizeiptr size, const void* data, GLenum usage) {
                    failed = target == GL_COPY_WRITE_BUFFER && data == nullptr;
                    if (!failed) GlSpy::gl().BufferData(target, size, data, usage);
                });
            spy.replace(
                "glGetError", +[] { return std::exchange(failed, false) ? GLenum{GL_OUT_OF_MEMORY} : GLenum{0}; });
            // As wide as the textures of the first sorter, and higher.
            spec.capacity = 1000;
            CHECK_THROWS_WITH(Sorter(spec, spy.loader(), sharing(scratch)), Contains("the device cannot hold"));
        }
        CHECK(scratch->bytes() == bytes);
        CHECK(small.wrong(600, seed.value() + 1) == "");
        context.require_clean("a growth that failed");
    }
}

TEST_CASE("sorters that share scratch memory sort by turns, and together need less", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const auto scratch = std::make_shared<Scratch>(context.get_proc_address());
        CHECK(scratch->bytes() == 0);
        std::vector<std::unique_ptr<SharedBench>> benches;
        std::uint64_t alone = 0;
        std::uint64_t own = 0;
        std::uint64_t shared = 0;
        for (const SortSpec& spec : various_specs(place.backend)) {
            if (!can_sort(context, spec)) continue;
            alone += Sorter(spec, context.get_proc_address()).scratch_bytes();
            benches.push_back(std::make_unique<SharedBench>(context, spec, scratch));
            own += benches.back()->sorter.scratch_bytes();
            // Scratch memory never shrinks. Sorters that existed before a growth continue to sort.
            CHECK(scratch->bytes() >= shared);
            shared = scratch->bytes();
            for (const auto& bench : benches) {
                INFO(describe(place) << ": " << describe(bench->sorter.spec()) << ", seed " << seed.value());
                CHECK(bench->wrong(bench->sorter.spec().capacity, seed.value()) == "");
                CHECK(bench->wrong(bench->sorter.spec().capacity / 3, seed.value() + 1) == "");
            }
        }
        INFO(describe(place));
        CHECK(scratch->bytes() == shared);
        CHECK(own + shared < alone);
        // After one sorter is destroyed, the others continue to sort.
        benches.erase(benches.begin());
        for (const auto& bench : benches)
            CHECK(bench->wrong(bench->sorter.spec().capacity, seed.value() + 2) == "");
        context.require_clean("shared scratch memory");
    }
}

TEST_CASE("sorters of both backends share scratch memory, which outlives its owner", "[sorter]") {
    for (const Tier tier : {Tier::gl45, Tier::es31}) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        auto scratch = std::make_shared<Scratch>(context.get_proc_address());
        std::vector<std::unique_ptr<SharedBench>> benches;
        for (const Backend backend : {Backend::fragment, Backend::compute})
            for (const SortSpec& spec : various_specs(backend))
                if (can_sort(context, spec)) benches.push_back(std::make_unique<SharedBench>(context, spec, scratch));
        scratch.reset();
        for (std::uint64_t turn = 0; turn < 2; ++turn)
            for (const auto& bench : benches) {
                INFO(tier_name(tier) << ": " << describe(bench->sorter.spec()));
                CHECK(bench->wrong(bench->sorter.spec().capacity, 7 + turn) == "");
            }
        context.require_clean("both backends");
    }
}

TEST_CASE("scratch memory serves the sorters of its own context", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext first(place.tier);
        const auto scratch = std::make_shared<Scratch>(first.get_proc_address());
        {
            TestContext second(place.tier);
            CHECK_THAT(
                error_of([&] { Sorter(small_spec(place.backend), second.get_proc_address(), sharing(scratch)); }),
                Contains("Sorter::Sorter: shared_scratch was made in another OpenGL context"));
            second.require_clean("scratch memory of another context");
        }
        first.make_current();
        SharedBench bench(first, small_spec(place.backend), scratch);
        CHECK(bench.wrong(50, 1) == "");
        first.require_clean("the context of the scratch memory");
    }
}

TEST_CASE("scratch memory that is abandoned deletes nothing", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext context(place.tier);  // Abandoned objects stay in the context.
        GlSpy spy(context);
        spy.count<&GladGLContext::DeleteBuffers>("glDeleteBuffers");
        spy.count<&GladGLContext::DeleteTextures>("glDeleteTextures");
        {
            const auto scratch = std::make_shared<Scratch>(spy.loader());
            Sorter sorter(stepped_spec(place.backend), spy.loader(), sharing(scratch));
            CHECK(scratch->bytes() > 0);
            spy.forget();
            sorter.abandon();
            scratch->abandon();
            CHECK_THROWS_WITH(Sorter(stepped_spec(place.backend), spy.loader(), sharing(scratch)),
                              Contains("shared_scratch was abandoned"));
            spy.forget();
        }
        CHECK(spy.called() == "");
        context.require_clean("abandoned scratch memory");
    }
}

TEST_CASE("a sorter whose scratch memory others use is not stepped", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const auto scratch = std::make_shared<Scratch>(context.get_proc_address());
        const Sorter sorter(small_spec(place.backend), context.get_proc_address(), sharing(scratch));
        CHECK_THAT(error_of([&] { Stepper{sorter}; }),
                   Contains("Stepper::Stepper: the sorter was made with shared_scratch or caller_scratch"));
        SorterOptions both = sharing(scratch);
        both.caller_scratch = true;
        CHECK_THAT(error_of([&] { Sorter(small_spec(place.backend), context.get_proc_address(), both); }),
                   Contains("Sorter::Sorter: shared_scratch and caller_scratch are both given"));
        context.require_clean("steps that are refused");
    }
}

SorterOptions with_caller_scratch() {
    SorterOptions options;
    options.caller_scratch = true;
    return options;
}

TEST_CASE("no call takes more of the caller's scratch memory than the caller has asked for", "[scratch]") {
    for (const Tier tier : {Tier::gl45, Tier::es31}) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        SortSpec spec;
        spec.backend = Backend::compute;
        spec.capacity = 100;
        Sorter sorter(spec, context.get_proc_address(), with_caller_scratch());
        const std::uint64_t bytes = sorter.caller_scratch_bytes();
        sorter.reserve(20000);
        const CallerBuffer keys(context.gl(), Words(20000));
        const CallerBuffer values(context.gl(), Words(20000));
        const CallerBuffer memory(context.gl(), Words(bytes / 4 + 1));
        const SortArguments arguments{
            .input = Buffers{{keys.name()}, {values.name()}}, .count = 20000, .scratch = {memory.name()}};
        CHECK_THROWS_WITH(sorter.sort(arguments), Contains("the larger capacity, which is not `ready`"));
        while (!sorter.ready())
            continue;
        CHECK(sorter.caller_scratch_bytes() > bytes);
        context.require_clean("a growth with caller_scratch");
    }
}

std::uint64_t offset_alignment(const GladGLContext& gl) {
    GLint alignment = 0;
    gl.GetIntegerv(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &alignment);
    return static_cast<std::uint64_t>(alignment);
}

std::vector<Tier> compute_tiers() {
    std::vector<Tier> tiers;
    for (const Tier tier : {Tier::gl45, Tier::es31})
        if (available(tier)) tiers.push_back(tier);
    return tiers;
}

TEST_CASE("sorts work in scratch memory of the caller's, and in no byte beside", "[sorter]") {
    const Seed seed;
    for (const Tier tier : compute_tiers()) {
        TestContext& context = clean_context(tier);
        const std::uint64_t alignment = offset_alignment(context.gl());
        int written = 0;
        for (const SortSpec& spec : various_specs(Backend::compute)) {
            if (!can_sort(context, spec)) continue;
            INFO(tier_name(tier) << ": " << describe(spec) << ", seed " << seed.value());
            Sorter sorter(spec, context.get_proc_address(), with_caller_scratch());
            const std::uint64_t bytes = sorter.caller_scratch_bytes();
            const Sorter alone(spec, context.get_proc_address());
            CHECK(bytes > 0);
            CHECK(alone.caller_scratch_bytes() == 0);
            CHECK(sorter.scratch_bytes() < alone.scratch_bytes());
            Caller caller(context.gl(), sorter);
            for (std::uint64_t turn = 0; turn < 3; ++turn) {
                // Random words, at another offset each time.
                const std::uint64_t offset = turn * alignment;
                CallerBuffer scratch(context.gl(), random_words(seed.value() + turn, (offset + bytes) / 4 + 9));
                const std::uint32_t count = spec.capacity / static_cast<std::uint32_t>(1 + turn);
                const Sample sample = make_sample(spec, demo::Distribution::uniform, count, seed.value() + turn);
                SortArguments arguments = caller.load(sample);
                arguments.scratch = {scratch.name(), offset};
                sorter.sort(arguments);
                CHECK(caller.wrong(sample) == "");
                Words found = scratch.read();
                const auto begin = static_cast<std::ptrdiff_t>(offset / 4);
                const auto end = static_cast<std::ptrdiff_t>((offset + bytes) / 4);
                written += found != scratch.expected ? 1 : 0;
                std::copy(scratch.expected.begin() + begin, scratch.expected.begin() + end, found.begin() + begin);
                CHECK(found == scratch.expected);
            }
            context.require_clean("scratch memory of the caller's");
        }
        // A sort of one group needs no scratch memory, and writes none.
        CHECK(written > 0);
    }
}

TEST_CASE("scratch memory that cannot serve is refused, and nothing changes", "[sorter]") {
    for (const Tier tier : compute_tiers()) {
        INFO(tier_name(tier));
        TestContext& context = clean_context(tier);
        const std::uint64_t alignment = offset_alignment(context.gl());
        const SortSpec spec = stepped_spec(Backend::compute);
        Sorter sorter(spec, context.get_proc_address(), with_caller_scratch());
        const std::uint64_t bytes = sorter.caller_scratch_bytes();
        Caller caller(context.gl(), sorter);
        const CallerBuffer scratch(context.gl(), Words(bytes / 4 + alignment));
        const CallerBuffer small(context.gl(), Words(bytes / 4 - 1));
        const Sample sample = make_sample(spec, demo::Distribution::uniform, spec.capacity, 3);
        SortArguments arguments = caller.load(sample);
        const auto check = [&](const BufferSlice& slice, const std::string& message) {
            arguments.scratch = slice;
            CHECK_THAT(error_of([&] { sorter.sort(arguments); }), Contains("Sorter::sort: " + message));
            CHECK(caller.changed() == "");
        };
        check({}, "scratch.name 0 is not a buffer");
        check({1000000}, "scratch.name 1000000 is not a buffer");
        if (alignment > 4)
            check({scratch.name(), alignment / 2},
                  fmt::format("scratch.offset {} is not a multiple of {} bytes", alignment / 2, alignment));
        check({small.name()}, fmt::format("scratch at offset 0 with {} bytes reaches past the end", bytes));
        // The scratch memory lies in the buffer of the keys, which is large enough.
        {
            CallerBuffer shared(context.gl(), Words(bytes / 4 + 2 * spec.capacity));
            SortArguments overlapping = arguments;
            buffers_of(overlapping).keys = {shared.name(), bytes - 4};
            overlapping.scratch = {shared.name(), 0};
            CHECK_THAT(error_of([&] { sorter.sort(overlapping); }),
                       Contains("Sorter::sort: keys and scratch overlap in buffer"));
            buffers_of(overlapping).keys = buffers_of(arguments).keys;
            buffers_of(overlapping).values = {shared.name(), bytes - 4};
            CHECK_THAT(error_of([&] { sorter.sort(overlapping); }),
                       Contains("Sorter::sort: values and scratch overlap in buffer"));
        }
        arguments.scratch = {scratch.name(), alignment};
        sorter.sort(arguments);
        CHECK(caller.wrong(sample) == "");
        // A sort of no elements needs no scratch memory.
        arguments.count = 0;
        arguments.scratch = {};
        sorter.sort(arguments);

        Sorter own(spec, context.get_proc_address());
        arguments = caller.load(sample);
        arguments.scratch = {scratch.name(), 0};
        CHECK_THAT(error_of([&] { own.sort(arguments); }),
                   Contains("Sorter::sort: scratch.name") && Contains("was made without caller_scratch"));
        CHECK_THAT(
            error_of([&] { Sorter(small_spec(Backend::fragment), context.get_proc_address(), with_caller_scratch()); }),
            Contains("Sorter::Sorter: caller_scratch needs backend compute"));
        context.require_clean("scratch memory that cannot serve");
    }
}

}  // namespace
}  // namespace glsort::test
