#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "../common/suite.h"
#include "scenes.h"

/// Pictures of OGRE in glsort's order equal those in an order that the CPU finds, pixel for pixel.

namespace {

using scenes::Knot;
using scenes::Order;
using scenes::Scene;
using suite::Failure;
using suite::Picture;

constexpr std::uint32_t point_count = 20000;

template <class Function>
Function* find(const char* name) {
    return reinterpret_cast<Function*>(glXGetProcAddressARB(reinterpret_cast<const unsigned char*>(name)));
}

void require_no_error() {
    if (const unsigned int error = find<unsigned int()>("glGetError")(); error != 0)
        throw Failure("OpenGL error " + std::to_string(error));
}

Picture read(Ogre::RenderWindow& window) {
    Picture picture(std::size_t{4} * scenes::width * scenes::height);
    window.copyContentsToMemory(Ogre::Box(0, 0, scenes::width, scenes::height),
                                Ogre::PixelBox(scenes::width, scenes::height, 1, Ogre::PF_BYTE_RGBA, picture.data()));
    return picture;
}

void render(Scene& scene, int frames = 3) {
    for (int frame = 0; frame < frames; ++frame) {
        scene.aim(0.4f * static_cast<float>(frame));
        Ogre::Root::getSingleton().renderOneFrame();
    }
    require_no_error();
}

/// The pictures of the windows, with one object.
std::vector<Picture> draw(Knot& object, const std::vector<Ogre::RenderWindow*>& windows) {
    Scene scene;
    scene.add(object);
    for (Ogre::RenderWindow* const window : windows)
        scene.show_in(*window);
    render(scene);
    std::vector<Picture> pictures;
    for (Ogre::RenderWindow* const window : windows) {
        pictures.push_back(read(*window));
        window->removeAllViewports();
    }
    object.detachFromParent();
    return pictures;
}

class Tests {
  public:
    explicit Tests(Ogre::RenderWindow& window) : window_(window) {}

    /// `points`: 0 for triangles. `change` may change each object that is drawn.
    void compare(Order order, std::uint32_t points, const std::function<void(Knot&)>& change = nullptr) const {
        const auto drawn = [&](Order by) {
            Knot object(by, points != 0 ? std::optional(points) : std::nullopt);
            if (change) change(object);
            return draw(object, {&window_})[0];
        };
        const Picture expected = drawn(Order::cpu);
        suite::require_equal(drawn(order), expected);
        suite::require_different(drawn(Order::as_made), expected);
    }

    void compare_in_two_windows(Order order) const {
        Ogre::RenderWindow& other = *scenes::make_window("other");
        Knot expected(Order::cpu, point_count);
        Knot object(order, point_count);
        const std::vector<Picture> right = draw(expected, {&window_, &other});
        const std::vector<Picture> found = draw(object, {&window_, &other});
        for (std::size_t i = 0; i < right.size(); ++i)
            suite::require_equal(found[i], right[i], "window " + std::to_string(i));
        close(other);
        // The object outlives the second context.
        suite::require_equal(draw(object, {&window_})[0], right[0], "after the second window was closed");
        Ogre::RenderWindow& third = *scenes::make_window("third");
        suite::require_equal(draw(object, {&third})[0], right[0], "in a new window");
        close(third);
    }

    void compare_after_changes(Order order) const {
        const auto drawn = [&](Order by) {
            Scene scene;
            scene.show_in(window_);
            Knot growing(by, 3000);
            Knot removed(by, std::nullopt);
            scene.add(growing);
            scene.add(removed);
            render(scene, 2);
            removed.detachFromParent();
            growing.set_points(9000);
            render(scene);
            Picture picture = read(window_);
            growing.detachFromParent();
            window_.removeAllViewports();
            return picture;
        };
        suite::require_equal(drawn(order), drawn(Order::cpu));
    }

    /// OGRE's own lists of billboards are sorted by the CPU. An operation that glsort does not sort is refused.
    static void refuse_what_cannot_be_sorted() {
        glsort_ogre::DepthSort sort;
        Ogre::RenderOperation operation;
        Ogre::VertexData data;
        operation.vertexData = &data;
        Scene scene;
        Ogre::Camera& camera = *Ogre::Root::getSingleton().createSceneManager()->createCamera("other");
        try {
            sort.sort(operation, Ogre::Matrix4::IDENTITY, camera);
        } catch (const Ogre::InvalidParametersException& error) {
            if (error.getDescription().find("no positions") != std::string::npos) return;
            throw;
        }
        throw Failure("an operation without positions was not refused");
    }

  private:
    static void close(Ogre::RenderWindow& window) {
        glsort_ogre::forget(window);
        Ogre::Root::getSingleton().destroyRenderTarget(&window);
    }

    Ogre::RenderWindow& window_;
};

bool prints_compute() {
    const auto* const version =
        reinterpret_cast<const char*>(find<const unsigned char*(unsigned int)>("glGetString")(0x1f02));
    std::printf("OpenGL %s\n", version);
    return std::string(version) >= "4.3";
}

int run_suite() {
    const std::unique_ptr<Ogre::Root> root = scenes::make_root();
    Ogre::RenderWindow& window = *scenes::make_window("first");
    scenes::make_materials();
    const Tests tests(window);
    suite::Suite all;
    std::vector<Order> orders{Order::fragment};
    if (prints_compute()) orders.push_back(Order::compute);
    for (const Order order : orders) {
        const std::string on = order == Order::fragment ? ", fragment" : ", compute";
        all.run("points" + on, [&] { tests.compare(order, point_count); });
        all.run("triangles" + on, [&] { tests.compare(order, 0); });
        Ogre::Pass& splats = *Ogre::MaterialManager::getSingleton().getByName("splats")->getTechnique(0)->getPass(0);
        all.run("wireframe" + on, [&] {
            splats.setPolygonMode(Ogre::PM_WIREFRAME);
            tests.compare(order, point_count);
            splats.setPolygonMode(Ogre::PM_SOLID);
        });
        all.run("scissor" + on, [&] {
            Ogre::RenderSystem& system = *root->getRenderSystem();
            tests.compare(order, point_count, [&](Knot& object) {
                object.before_draw = [&system] { system.setScissorTest(true, Ogre::Rect(80, 60, 780, 460)); };
            });
            system.setScissorTest(false);
        });
        all.run("two windows, one closed, another one opened" + on, [&] { tests.compare_in_two_windows(order); });
        all.run("an object that grows, and one that goes" + on, [&] { tests.compare_after_changes(order); });
    }
    all.run("what cannot be sorted", Tests::refuse_what_cannot_be_sorted);
    return all.conclude();
}

/// Milliseconds of a frame, by the order.
int measure() {
    const std::unique_ptr<Ogre::Root> root = scenes::make_root();
    Ogre::RenderWindow& window = *scenes::make_window("first");
    scenes::make_materials();
    for (const std::uint32_t count : {1u << 17, 1u << 20})
        for (const Order order : {Order::as_made, Order::cpu, Order::fragment, Order::compute}) {
            Knot object(order, count);
            Scene scene;
            scene.add(object);
            scene.show_in(window);
            std::vector<double> frames;
            for (int frame = 0; frame < 9; ++frame) {
                scene.aim(0.1f * static_cast<float>(frame));
                const auto begin = std::chrono::steady_clock::now();
                root->renderOneFrame();
                find<void()>("glFinish")();
                const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
                if (frame >= 2) frames.push_back(took.count());
            }
            std::sort(frames.begin(), frames.end());
            constexpr std::array names{"not sorted", "sorted by the CPU", "glsort, fragment", "glsort, compute"};
            std::printf("%7u points, %-17s %8.1f ms a frame\n", count, names[static_cast<std::size_t>(order)],
                        frames[frames.size() / 2]);
            std::fflush(stdout);
            object.detachFromParent();
            window.removeAllViewports();
        }
    return 0;
}

int usage(int code) {
    std::puts(
        "Usage: ogre_test [--thread | --time]\n\n"
        "Compares pictures of OGRE in glsort's order with those in an order of the CPU.\n"
        "Ends with a line \"N passed, N failed\".\n\n"
        "  --thread  does so in another thread than the main one\n"
        "  --time    measures frames of 2^17 and 2^20 points instead\n"
        "  --help    prints this text");
    return code;
}

/// The exit code of `run`, which prints what it throws.
int guarded(int (*run)()) try { return run(); } catch (const std::exception& error) {
    std::fprintf(stderr, "ogre_test: %s\n", error.what());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string option = argc > 1 ? argv[1] : "";
    if (option == "--help") return usage(0);
    if (argc > 2 || (argc == 2 && option != "--time" && option != "--thread")) return usage(2);
    if (option == "--time") return guarded(measure);
    if (option != "--thread") return guarded(run_suite);
    int code = 1;
    std::thread([&code] { code = guarded(run_suite); }).join();
    return code;
}
