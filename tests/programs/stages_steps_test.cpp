// The stage viewer's sorts, stepped on OpenGL.

#include <glsort/stream/program.h>
#include <imgui.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "stages/availability.h"
#include "stages/images.h"
#include "stages/offscreen.h"
#include "stages/pane.h"
#include "stages/run.h"
#include "stages/view.h"
#include "stages/viewer.h"
#include "support/gl_buffer.h"
#include "support/headless_context.h"
#include "support/picture.h"

using namespace glsort;
using namespace glsort::demo;
using Catch::Contains;

namespace {

struct Context {
    HeadlessContext context{HeadlessOptions{.major = 4, .minor = 5}};
    Device device = make_device(HeadlessContext::get_proc_address());
};

// Draws frames of a viewer, as a window does.
class ViewerFrames {
  public:
    ViewerFrames(Viewer& viewer, Size size, const GladGLContext& gl)
        : viewer_(viewer), size_(size), gl_(gl), gui_(size), offscreen_(gl, size) {}

    void draw() {
        gui_.begin_frame();
        viewer_.draw(size_, 0.25, gui_);
        offscreen_.begin();
        gui_.end_frame();
        gl_.Finish();
    }
    Picture picture() const { return offscreen_.picture(); }
    /// Draws until the sorts are made and have arrived where they are sent.
    void settle() {
        while (viewer_.player().making() || !viewer_.player().arrived())
            draw();
    }

  private:
    Viewer& viewer_;
    Size size_;
    const GladGLContext& gl_;
    Gui gui_;
    Offscreen offscreen_;
};

std::vector<std::string> algorithm_variants() {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            names.push_back(algorithm.name + ":" + variant.name);
    return names;
}

// The keys and indices that a sorter gives without steps.
std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> sorted_at_once(const Input& input,
                                                                                 const Method& method,
                                                                                 const Device& device) {
    Sorter sorter(sort_spec(input, method), device.get_proc_address);
    const GlBuffer keys(device.gl, glsort::demo::make_keys(input));
    const GlBuffer values(device.gl, std::vector<std::uint32_t>(input.n));
    sorter.sort({keys.name(), 0}, {values.name(), 0}, input.n);
    return {keys.download(), values.download()};
}

// Streams in which an op leaves unspecified words. These words differ from run to run, and are never shown as keys.
std::vector<bool> unspecified_streams(const StreamProgram& program) {
    std::vector<bool> unspecified(program.streams.size());
    for (const Op& op : program.ops) {
        const std::vector<Port> ports = output_ports(op);
        for (std::size_t i = 0; i < ports.size(); ++i)
            if (!ports[i].specified) unspecified[op.writes[i].stream] = true;
    }
    return unspecified;
}

}  // namespace

TEST_CASE("stages: on OpenGL, steps forward and back end in the bits of a sort", "[programs]") {
    Context context;
    std::size_t runs = 0;
    for (const std::string& name : algorithm_variants())
        for (const Backend backend : {Backend::fragment, Backend::compute}) {
            const Input input{backend == Backend::fragment ? 200u : 77u, Distribution::few_distinct, KeyType::u32,
                              Direction::ascending, 5};
            Method method;
            method.algorithm = name;
            method.backend = backend;
            if (!why_not(input, method, context.device).empty()) continue;
            CAPTURE(name, to_string(backend), input.n);
            ++runs;
            // With little memory, the run must begin again now and then.
            Run run(input, method, &context.device, 3000);
            // The traces are traces of this program.
            CHECK(run.moment().next_trace != nullptr);
            const std::vector<bool> unspecified = unspecified_streams(run.program());
            std::vector<std::vector<std::vector<std::uint32_t>>> states;
            for (std::size_t done = 0; done <= run.ops(); ++done) {
                run.go_to(done);
                states.push_back(*run.moment().streams);
            }
            for (const std::size_t target :
                 {run.ops() - 1, run.ops() / 2, std::size_t{0}, run.ops() / 3, run.ops(), std::size_t{1}, run.ops()}) {
                run.go_to(target);
                for (StreamId id = 0; id < run.program().streams.size(); ++id)
                    if (!unspecified[id]) REQUIRE((*run.moment().streams)[id] == states[target][id]);
            }
            const auto [keys, values] = sorted_at_once(input, method, context.device);
            CHECK((*run.moment().streams)[run.program().stream("keys")] == keys);
            CHECK((*run.moment().streams)[run.program().stream("values")] == values);
            CHECK(std::ranges::is_sorted(keys));
            bool any_source = false;
            for (std::size_t op = 0; op < run.ops(); ++op) {
                CHECK(run.milliseconds(op).has_value());
                if (run.program().ops[op].kernel->transfer)
                    CHECK(run.source(op).empty());
                else
                    any_source = any_source || run.source(op).find("void main()") != std::string::npos;
            }
            CHECK(any_source);
        }
    CHECK(runs >= 20);
}

TEST_CASE("stages: what cannot run says why", "[programs]") {
    Context context;
    Method method;
    method.algorithm = "radix";
    method.backend = Backend::fragment;
    CHECK_THAT(why_not({64}, method, context.device), Contains("fragment"));
    method.backend = Backend::compute;
    CHECK(why_not({64}, method, context.device).empty());
    for (ContextReport::Offer& offer : context.device.report.offers)
        if (offer.backend == Backend::compute) offer = {Backend::compute, false, "needs OpenGL 4.3"};
    CHECK_THAT(why_not({64}, method, context.device), Contains("needs OpenGL 4.3"));

    // The viewer shows the library's error, and goes on.
    Options options;
    options.method = method;
    options.backend = Backend::fragment;
    Viewer viewer(options, context.device);
    viewer.player().update(0.0, 1.0);
    REQUIRE(viewer.player().slots().size() == 1);
    CHECK(viewer.player().slots()[0].run == nullptr);
    CHECK_THAT(viewer.player().slots()[0].error, Contains("fragment"));
    CHECK_THAT(viewer.title(), Contains("cannot be sorted"));
    viewer.obey(Command::forward);
    viewer.obey(Command::next_algorithm);
    viewer.player().update(0.0, 1.0);
    CHECK(viewer.player().slots()[0].run != nullptr);
}

TEST_CASE("stages: two sorts go on together, by op or by time", "[programs]") {
    Context context;
    Player player(context.device);
    Method first;
    first.algorithm = "bitonic:step";
    Method second;
    second.algorithm = "merge:multiway";
    player.choose({64}, {first, second});
    const auto settle = [&player] {
        do
            player.update(0.0, 10.0);
        while (player.making() || !player.arrived());
        player.update(0.0, 10.0);
    };
    settle();
    Run& slow = *player.slots()[0].run;
    Run& fast = *player.slots()[1].run;
    REQUIRE(slow.ops() > fast.ops());
    player.step(2);
    settle();
    CHECK(slow.done() == 2);
    CHECK(fast.done() == 2);
    player.seek_end();
    settle();
    CHECK(slow.done() == slow.ops());
    CHECK(fast.done() == fast.ops());
    player.step(-1);
    settle();
    CHECK(slow.done() == slow.ops() - 1);

    // By time, a step ends at the next end of an op. A step is one op, or two ops that end together.
    player.set_pace(Player::Pace::time);
    for (int i = 0; i < 4; ++i)
        settle();
    CHECK(slow.done() == 0);
    CHECK(fast.done() == 0);
    std::size_t steps = 0;
    while (!player.at_end() && steps < 1000) {
        const std::size_t before = slow.done() + fast.done();
        player.step(1);
        settle();
        CHECK(slow.done() + fast.done() > before);
        ++steps;
    }
    CHECK(slow.done() == slow.ops());
    CHECK(fast.done() == fast.ops());
    CHECK(steps <= slow.ops() + fast.ops());
    CHECK(steps >= slow.ops());
    std::size_t back = 0;
    while (slow.done() + fast.done() > 0 && back < 1000) {
        player.step(-1);
        settle();
        ++back;
    }
    CHECK(back == steps);

    // Play runs to the end.
    player.set_pace(Player::Pace::op);
    player.set_speed(100.0);
    player.play(true);
    for (int i = 0; i < 1000 && player.playing(); ++i)
        player.update(0.02, 10.0);
    settle();
    CHECK_FALSE(player.playing());
    CHECK(slow.done() == slow.ops());
}

TEST_CASE("stages: a view of the command line fits both sorts, and a second sort gets a view that fits", "[programs]") {
    Context context;
    Options options;
    options.method.algorithm = "abisort:overlapped";
    options.backend = Backend::cpu;
    options.view = "trees";
    {
        Viewer viewer(options, context.device);
        ViewerFrames frames(viewer, options.size, context.device.gl);
        viewer.obey(Command::compare);
        frames.settle();
        frames.draw();
        REQUIRE(viewer.player().slots().size() == 2);
        REQUIRE(viewer.player().slots()[1].run != nullptr);
        CHECK(viewer.player().slots()[1].run->program().algorithm == "bitonic");
    }
    {
        // A scene is compared with an algorithm that sorts scenes.
        Options scene;
        scene.input.sources = 2;
        Viewer viewer(scene, context.device);
        ViewerFrames frames(viewer, scene.size, context.device.gl);
        viewer.obey(Command::compare);
        viewer.obey(Command::next_layout);
        frames.settle();
        frames.draw();
        REQUIRE(viewer.player().slots().size() == 2);
        CHECK(viewer.player().slots()[1].error.empty());
        CHECK(viewer.player().slots()[1].run != nullptr);
        CHECK_FALSE(viewer.player().slots()[0].method.layout.has_value());
    }
    options.compared = "bitonic:step";
    CHECK_THROWS_WITH(Viewer(options, context.device), Contains("no view \"trees\" fits bitonic:step with n = 64"));
    options.compared = "abisort:paper";
    CHECK_NOTHROW(Viewer(options, context.device));
}

TEST_CASE("stages: every view draws into a pane of any size, and ends", "[programs]") {
    Context context;
    const auto views = make_views();
    Images images(context.device.gl);
    for (const float scale : {1.0f, 4.0f}) {
        const Size window{600, 400};
        Gui gui(window, scale);
        Offscreen offscreen(context.device.gl, window);
        for (const char* name : {"bitonic:step", "merge:multiway", "radix", "sample", "abisort:overlapped"})
            for (const std::uint32_t n : {64u, 1u << 14}) {
                if (n > 64 && std::string(name) == "abisort:overlapped") continue;
                Run run({.n = n}, {.algorithm = name}, nullptr);
                for (std::size_t done = 0; done <= run.ops(); done += run.ops() / 10 + 1) {
                    run.go_to(done);
                    gui.begin_frame();
                    ImGui::Begin("picture", nullptr, ImGuiWindowFlags_NoDecoration);
                    for (const auto& view : views) {
                        if (!view->fits(run.program())) continue;
                        CAPTURE(scale, name, n, done, view->name());
                        // A few are too narrow for the parts beside a strip, or for the margins.
                        for (const Point size : {Point{1, 1}, {20, 300}, {100, 20}, {140, 400}, {160, 200}, {500, 400}})
                            draw_pane(run, *view, std::nullopt, {}, size, gui, images);
                    }
                    ImGui::End();
                    offscreen.begin();
                    gui.end_frame();
                    images.end_frame();
                }
            }
    }
    context.device.gl.Finish();
    CHECK(context.device.gl.GetError() == GL_NO_ERROR);
}

TEST_CASE("stages: a narrow window shows the help in place of the sort", "[programs]") {
    Context context;
    Viewer viewer({}, context.device);
    ViewerFrames frames(viewer, {600, 400}, context.device.gl);
    const auto picture = [&frames] {
        for (int i = 0; i < 3; ++i)
            frames.draw();
        return frames.picture();
    };
    frames.settle();
    const Picture sort = picture();
    viewer.obey(Command::help);
    CHECK(picture() != sort);
    viewer.obey(Command::help);
    CHECK(picture() == sort);
}

// Frames per second of the whole window while a sort plays: `glsort_gl_tests "[frames]"`.
TEST_CASE("stages: frames a second", "[.][frames]") {
    Context context;
    for (const char* name : {"bitonic:step", "merge:multiway", "abisort:fused", "abisort:paper"}) {
        Options options;
        options.method.algorithm = name;
        options.input.n = 1u << 16;
        Viewer viewer(options, context.device);
        ViewerFrames frames(viewer, options.size, context.device.gl);
        frames.settle();
        const Run& run = *viewer.player().slots()[0].run;
        for (const char* what : {"first time", "again"}) {
            const auto start = std::chrono::steady_clock::now();
            const std::size_t steps = std::min<std::size_t>(run.ops(), 100);
            for (std::size_t i = 0; i < steps; ++i) {
                viewer.player().step(1);
                frames.draw();
            }
            const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            WARN(name << " " << what << ": " << static_cast<double>(steps) / seconds << " frames a second, an op each");
            CHECK(static_cast<double>(steps) / seconds >= 10.0);
            viewer.player().seek_begin();
            frames.settle();
            frames.draw();
        }
    }
}
