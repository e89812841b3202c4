#include <glsort/exec/pieces.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sorter/gl_spy.h"
#include "sorter/scenes.h"
#include "sorter/sorting.h"
#include "support/hostile_state.h"
#include "support/random.h"

/// `SorterOptions::max_elements_per_draw`: no draw, dispatch or transfer is longer, and the result stays the same.

namespace glsort::test {
namespace {

/// A draw, a dispatch or a transfer.
struct Piece {
    std::string function;
    std::uint64_t size = 0;  ///< Texels, points or groups.
    bool cut_out = false;    ///< Whether a scissor box says what is drawn.
};

std::vector<Piece>& pieces() {
    static std::vector<Piece> all;
    return all;
}

void note_draw(GLenum mode, GLsizei count) {
    if (mode == GL_POINTS) return pieces().push_back({"points", static_cast<std::uint64_t>(count), false});
    std::array<GLint, 4> box{};
    const bool cut_out = GlSpy::gl().IsEnabled(GL_SCISSOR_TEST) == GL_TRUE;
    GlSpy::gl().GetIntegerv(cut_out ? GL_SCISSOR_BOX : GL_VIEWPORT, box.data());
    pieces().push_back({"draw", static_cast<std::uint64_t>(box[2]) * static_cast<std::uint64_t>(box[3]), cut_out});
}

void note_pieces(GlSpy& spy) {
    spy.replace(
        "glDrawArrays", +[](GLenum mode, GLint first, GLsizei count) {
            note_draw(mode, count);
            GlSpy::gl().DrawArrays(mode, first, count);
        });
    spy.replace(
        "glDispatchCompute", +[](GLuint x, GLuint y, GLuint z) {
            pieces().push_back({"dispatch", std::uint64_t{x} * y * z});
            GlSpy::gl().DispatchCompute(x, y, z);
        });
    spy.replace(
        "glDispatchComputeIndirect", +[](GLintptr place) {
            const void* mapped = GlSpy::gl().MapBufferRange(GL_DISPATCH_INDIRECT_BUFFER, place, 12, GL_MAP_READ_BIT);
            const auto* groups = static_cast<const std::uint32_t*>(mapped);
            pieces().push_back({"dispatch", std::uint64_t{groups[0]} * groups[1] * groups[2]});
            GlSpy::gl().UnmapBuffer(GL_DISPATCH_INDIRECT_BUFFER);
            GlSpy::gl().DispatchComputeIndirect(place);
        });
    spy.replace(
        "glTexSubImage2D", +[](GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height,
                               GLenum format, GLenum type, const void* data) {
            pieces().push_back({"upload", static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height)});
            GlSpy::gl().TexSubImage2D(target, level, x, y, width, height, format, type, data);
        });
    spy.replace(
        "glReadPixels", +[](GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void* data) {
            pieces().push_back({"download", static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height)});
            GlSpy::gl().ReadPixels(x, y, width, height, format, type, data);
        });
}

/// What is wrong with the pieces of an op. Empty if nothing is.
std::string wrong_pieces(const StreamProgram& program, const Op& op, std::uint32_t limit, bool gpu_count) {
    if (pieces().empty()) return "no piece";
    const bool transfer = op.kernel->transfer;
    if (limit == 0) {
        // Full rows, and the rest of the last row.
        if (pieces().size() > (transfer ? 2u : 1u)) return fmt::format("{} pieces without a limit", pieces().size());
        return pieces().front().cut_out ? "a scissor box without a limit" : "";
    }
    // What the elements of one instance, or of one group, are at the least.
    const std::uint64_t per_record = program.streams[op.writes.front().stream].elements_per_record;
    std::uint64_t unit = per_record;
    std::uint64_t instances = op.domain.size();
    if (program.backend == Backend::compute && op.kernel->group_size > 1) {
        unit = op.kernel->shape.tile ? op.kernel->shape.tile->of(op) : 1;
    } else if (program.backend == Backend::compute) {
        unit = 128 * per_record;
        instances = (instances + 127) / 128;
    }
    std::uint64_t sum = 0;
    for (const Piece& piece : pieces()) {
        if (piece.function == "draw" && !piece.cut_out && pieces().size() > 1) return "a piece without a scissor box";
        // A viewport may be larger than the rectangles in it.
        const bool whole = piece.function == "draw" && !piece.cut_out;
        const std::uint64_t size = whole ? std::min(piece.size, instances) : piece.size;
        if (size * unit > std::max<std::uint64_t>(limit, unit))
            return fmt::format("a {} of {} times {} elements", piece.function, size, unit);
        sum += size;
    }
    if (sum < instances && !gpu_count) return fmt::format("{} of {} instances", sum, instances);
    const bool exact = program.backend == Backend::compute || transfer || pieces().front().function == "points";
    if (sum > instances && exact) return fmt::format("{} instead of {} instances", sum, instances);
    return "";
}

TEST_CASE("no draw, dispatch or transfer is longer than the limit, and without a limit an op is one", "[sorter]") {
    const Seed seed;
    struct Way {
        const char* algorithm;
        Medium input;
        Medium output;
        Payload payload;
    };
    std::uint64_t turn = seed.value();
    for (const Place& place : places_in_turn())
        for (const Way& way : {Way{"bitonic:step", Medium::buffer, Medium::buffer, Payload::bytes(4)},
                               Way{"merge", Medium::buffer, Medium::texture, Payload::index()},
                               Way{"merge", Medium::texture, Medium::texture, Payload::none()},
                               Way{"abisort", Medium::buffer, Medium::buffer, Payload::none()},
                               Way{"radix", Medium::buffer, Medium::buffer, Payload::bytes(8)}}) {
            if (way.algorithm == std::string("radix") && place.backend != Backend::compute) continue;
            if (way.output == Medium::texture && !writes_textures(place)) continue;
            if (way.algorithm == std::string("abisort") && place.tier != Tier::gl45) continue;
            TestContext& context = clean_context(place.tier);
            GlSpy spy(context);
            note_pieces(spy);
            SortSpec spec;
            spec.algorithm = way.algorithm;
            spec.backend = place.backend;
            spec.payload = way.payload;
            spec.input = way.input;
            spec.output = way.output;
            spec.capacity = 1200;
            spec.layout = ++turn % 2 == 0 ? Layout::row_wise : Layout::z_order;
            for (const std::uint32_t limit : {0u, 30u, 500u}) {
                // All ways in one tier, one way in three in the others.
                if (place.tier != Tier::gl45 && ++turn % 3 != 0) continue;
                SorterOptions options;
                options.max_elements_per_draw = limit;
                Sorter sorter(spec, GlSpy::loader(), options);
                Stepper stepper(sorter);
                Caller caller(context.gl(), sorter);
                std::size_t several = 0;
                for (const std::uint32_t n : {1200u, 1u, 700u}) {
                    const StreamProgram program = sorter.program(n);
                    const Sample sample = make_sample(spec, demo::Distribution::special, n, turn);
                    stepper.begin(caller.load(sample));
                    for (const Op& op : program.ops) {
                        INFO(describe(place) << ": " << describe(spec) << ", " << way.algorithm << ", n " << n
                                             << ", limit " << limit << ", op " << describe(op));
                        pieces().clear();
                        stepper.step();
                        CHECK(wrong_pieces(program, op, limit, false) == "");
                        several += pieces().size() > 1 ? 1 : 0;
                    }
                    CHECK(caller.wrong(sample) == "");
                }
                CHECK((several > 0 || limit == 0 || (limit == 500 && place.backend == Backend::compute)));
                context.require_clean("pieces");
            }
        }
}

TEST_CASE("pieces of a count on the GPU end at the count", "[sorter]") {
    for (const Place& place : places_in_turn())
        for (const std::uint32_t limit : {0u, 100u, 1000u}) {
            TestContext& context = clean_context(place.tier);
            const Limits limits = describe_context(context.get_proc_address()).limits;
            GlSpy spy(context);
            note_pieces(spy);
            SortSpec spec;
            spec.algorithm = "bitonic:step";
            spec.backend = place.backend;
            spec.capacity = 3000;
            spec.gpu_count = true;
            spec.payload = Payload::none();
            SorterOptions options;
            options.max_elements_per_draw = limit;
            Sorter sorter(spec, GlSpy::loader(), options);
            const StreamProgram program = sorter.program(3000);
            Stepper stepper(sorter);
            Caller caller(context.gl(), sorter);
            for (const std::uint32_t n : {3000u, 1300u, 1u, 0u}) {
                const Sample sample = make_sample(spec, demo::Distribution::uniform, n, n);
                SortArguments arguments = caller.load(sample);
                CallerBuffer count(context.gl(), {n});
                arguments.gpu_count = {count.name(), 0};
                arguments.count = 0;
                stepper.begin(arguments);
                for (const Op& op : program.ops) {
                    INFO(describe(place) << ", n " << n << ", limit " << limit << ", op " << describe(op));
                    pieces().clear();
                    stepper.step();
                    CHECK(wrong_pieces(program, op, limit, true) == "");
                    if (place.backend != Backend::compute) continue;
                    std::uint64_t groups = 0;
                    for (const Piece& piece : pieces())
                        groups += piece.size;
                    // On hardware, all groups of so small a capacity begin. The first op reads the count itself, and
                    // all its groups always begin.
                    const bool all = !limits.software || &op == &program.ops.front();
                    const std::uint32_t begun = all ? 3000 : n;
                    const std::uint64_t instances = begun == 0 ? 0 : op.domain.at(begun).size();
                    CHECK(groups == (instances + 127) / 128);
                }
                CHECK(caller.wrong(sample) == "");
            }
            context.require_clean("pieces of a count on the GPU");
        }
}

/// Which of the pieces of a scene's op touches more elements than the limit. Empty if none does.
std::string too_large(const StreamProgram& program, const Op& op, const std::vector<Piece>& found,
                      std::uint32_t limit) {
    // The smallest piece is a group of invocations, a texel or a point.
    const bool in_groups = program.backend == Backend::compute && op.kernel->group_size == 1;
    const std::uint64_t unit = std::uint64_t{elements_of_instance(program, op)} * (in_groups ? 128 : 1);
    for (const Piece& piece : found) {
        // A viewport may be larger than the rectangles in it.
        const bool whole = piece.function == "draw" && !piece.cut_out;
        const std::uint64_t size = whole ? std::min<std::uint64_t>(piece.size, op.domain.size()) : piece.size;
        if (size * unit > std::max<std::uint64_t>(limit, unit))
            return fmt::format("a {} of {} times {} elements", piece.function, size, unit);
    }
    return "";
}

TEST_CASE("no draw, dispatch or transfer of a scene touches more elements than the limit", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn())
        for (const std::uint32_t limit : {30u, 500u}) {
            TestContext& context = clean_context(place.tier);
            GlSpy spy(context);
            note_pieces(spy);
            // The hook tells to which op a piece belongs.
            std::vector<std::vector<Piece>> of_ops;
            SorterOptions options;
            options.max_elements_per_draw = limit;
            options.hook.begin = [](std::string_view) { pieces().clear(); };
            options.hook.end = [&of_ops] { of_ops.push_back(pieces()); };
            SceneSpec spec{.sources = {weighted(1200), weighted(400)},
                           .key = KeyType::u32,
                           .backend = place.backend,
                           .results = {item_numbers()}};
            spec.sources[1].gpu_count = true;
            SceneSorter sorter(spec, GlSpy::loader(), options);
            // Copies for the capacities: a call changes the domains of some ops.
            const std::array<StreamProgram, 3> programs{sorter.key_program(), sorter.sort_program(),
                                                        sorter.sink_program()};
            for (const std::uint32_t count : {1200u, 700u, 1u}) {
                const std::vector<Filled> contents{filled(1200, 3, random), filled(400, 3, random)};
                const std::vector<std::uint32_t> counts{count, count / 3};
                SceneCaller caller(context.gl(), spec, contents, counts);
                caller.arguments.results = {{.target = {caller.buffer(Words(std::size_t{4} * 1600)), 0}}};
                of_ops.clear();
                sorter.sort(caller.arguments);
                INFO(describe(place) << ", count " << count << ", limit " << limit);
                REQUIRE(of_ops.size() == programs[0].ops.size() + programs[1].ops.size() + programs[2].ops.size());
                auto found = of_ops.cbegin();
                std::size_t several = 0;
                for (const StreamProgram& program : programs)
                    for (const Op& op : program.ops) {
                        INFO("op " << describe(op));
                        // Every op has work for full counts.
                        CHECK((!found->empty() || count < 1200));
                        CHECK(too_large(program, op, *found, limit) == "");
                        several += found++->size() > 1 ? 1 : 0;
                    }
                CHECK((several > 0 || count < 1200));
                CHECK(caller.wrong(sorter, expected_order(spec, contents, counts), false) == "");
            }
            context.require_clean("pieces of a scene");
        }
}

TEST_CASE("sorts in pieces are right for all counts, and leave the state of the context as it was", "[sorter]") {
    const Seed seed;
    std::uint64_t turn = seed.value();
    for (const Place& place : places_in_turn())
        for (const std::uint32_t limit : {1u, 7u, 256u, 4096u}) {
            TestContext& context = clean_context(place.tier);
            SortSpec spec;
            spec.backend = place.backend;
            spec.payload = ++turn % 3 == 0 ? Payload::none() : turn % 3 == 1 ? Payload::index() : Payload::bytes(4);
            // Small limits make many pieces.
            spec.capacity = limit < 100 ? 300 : 5000;
            if (writes_textures(place) && turn % 2 == 0) spec.output = Medium::texture;
            SorterOptions options;
            options.max_elements_per_draw = limit;
            Sorter sorter(spec, context.get_proc_address(), options);
            Caller caller(context.gl(), sorter);
            for (const std::uint32_t n : {spec.capacity, 0u, 1u, 2u, 257u, spec.capacity - 1}) {
                INFO(describe(place) << ": " << describe(spec) << ", limit " << limit << ", n " << n);
                const Sample sample = make_sample(spec, demo::Distribution::uniform, n, ++turn);
                caller.load(sample);
                {
                    const trial::DirtyState dirty(context.gl(), turn);
                    const StateSnapshot before = take_snapshot(context.gl());
                    sorter.sort(caller.arguments());
                    CHECK(diff(before, take_snapshot(context.gl())).empty());
                }
                CHECK(caller.wrong(sample) == "");
            }
            context.require_clean("sorts in pieces");
        }
}

TEST_CASE("sorts in pieces make no more objects and storage than whole sorts", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        const auto calls = [&](std::uint32_t limit) {
            TestContext& context = clean_context(place.tier);
            GlSpy spy(context);
            spy.count<&GladGLContext::BufferData>("glBufferData");
            spy.count<&GladGLContext::TexImage2D>("glTexImage2D");
            spy.count<&GladGLContext::TexImage3D>("glTexImage3D");
            spy.count<&GladGLContext::LinkProgram>("glLinkProgram");
            spy.count<&GladGLContext::GenBuffers>("glGenBuffers");
            spy.count<&GladGLContext::GenTextures>("glGenTextures");
            spy.count<&GladGLContext::GenFramebuffers>("glGenFramebuffers");
            SortSpec spec;
            spec.backend = place.backend;
            spec.capacity = 3000;
            SorterOptions options;
            options.max_elements_per_draw = limit;
            Sorter sorter(spec, GlSpy::loader(), options);
            const std::string made = spy.called();
            spy.forget();
            GLuint names[2]{};
            context.gl().GenBuffers(2, names);
            for (const GLuint name : names) {
                context.gl().BindBuffer(GL_COPY_WRITE_BUFFER, name);
                context.gl().BufferData(GL_COPY_WRITE_BUFFER, 4 * 3000, nullptr, GL_DYNAMIC_COPY);
            }
            for (const std::uint32_t n : {3000u, 1u, 100u, 2999u})
                sorter.sort({.input = Buffers{.keys = {names[0]}, .values = {names[1]}}, .count = n});
            context.gl().DeleteBuffers(2, names);
            context.require_clean("objects of pieces");
            return made + "; " + spy.called() + "; " + std::to_string(sorter.scratch_bytes());
        };
        INFO(describe(place));
        CHECK(calls(50) == calls(0));
    }
}

}  // namespace
}  // namespace glsort::test
