#include <glsort/osg.h>
#include <osg/AlphaFunc>
#include <osg/PolygonMode>
#include <osg/PolygonStipple>
#include <osg/Scissor>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "../common/suite.h"
#include "scenes.h"

/// Pictures of OpenSceneGraph in glsort's order equal those in an order that the CPU finds, pixel for pixel.

namespace {

using Geometry = osg::ref_ptr<osg::Geometry>;
using suite::Failure;
using suite::Picture;

/// What users of OpenSceneGraph write without glsort: a sort on the CPU, and an upload of the indices.
class SortOnCpu : public osg::Drawable::DrawCallback {
  public:
    SortOnCpu(osg::DrawElementsUInt* indices, unsigned int corners)
        : indices_(indices), first_(indices->begin(), indices->end()), corners_(corners) {}

    void drawImplementation(osg::RenderInfo& info, const osg::Drawable* drawable) const override {
        const auto begin = std::chrono::steady_clock::now();
        const auto& positions = static_cast<const osg::Vec3Array&>(*drawable->asGeometry()->getVertexArray());
        const osg::Matrixd& view = info.getState()->getModelViewMatrix();
        std::array<float, 4> plane{};
        for (int i = 0; i < 4; ++i)
            plane[static_cast<std::size_t>(i)] = -static_cast<float>(view(i, 2));
        std::vector<float> depths(first_.size() / corners_);
        for (std::size_t i = 0; i < depths.size(); ++i) {
            osg::Vec3 position = positions[first_[corners_ * i]];
            if (corners_ == 3) {
                const osg::Vec3& b = positions[first_[3 * i + 1]];
                const osg::Vec3& c = positions[first_[3 * i + 2]];
                for (int axis = 0; axis < 3; ++axis)
                    position[axis] = ((position[axis] + b[axis]) + c[axis]) / 3.0f;
            }
            depths[i] = ((plane[0] * position.x() + plane[1] * position.y()) + plane[2] * position.z()) + plane[3];
        }
        std::vector<unsigned int> order(depths.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(),
                         [&](unsigned int a, unsigned int b) { return depths[a] > depths[b]; });
        for (std::size_t i = 0; i < order.size(); ++i)
            std::copy_n(first_.begin() + corners_ * order[i], corners_, indices_->begin() + corners_ * i);
        indices_->dirty();
        milliseconds += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        drawable->drawImplementation(info);
    }
    mutable double milliseconds = 0;

  private:
    osg::ref_ptr<osg::DrawElementsUInt> indices_;
    std::vector<GLuint> first_;
    unsigned int corners_;
};

enum class Order { as_made, cpu, fragment, compute };

glsort::Backend backend_of(Order order) {
    return order == Order::fragment ? glsort::Backend::fragment : glsort::Backend::compute;
}

const char* name_of(Order order) {
    return order == Order::fragment ? "fragment" : "compute";
}

void put_in(Order order, osg::Geometry& geometry) {
    if (order == Order::as_made) return;
    if (order != Order::cpu) return glsort_osg::draw_back_to_front(geometry, backend_of(order));
    // The indices that glsort makes, sorted by the CPU.
    glsort_osg::draw_back_to_front(geometry);
    auto* const indices = static_cast<osg::DrawElementsUInt*>(geometry.getPrimitiveSet(0));
    geometry.setDrawCallback(new SortOnCpu(indices, indices->getMode() == GL_POINTS ? 1 : 3));
}

Picture picture_of(const scenes::ReadBack& read_back) {
    if (read_back.error != GL_NO_ERROR) throw Failure("OpenGL error " + std::to_string(read_back.error));
    const osg::Image& image = *read_back.image;
    return {image.data(), image.data() + image.getTotalSizeInBytes()};
}

struct Look {
    osgViewer::ViewerBase::ThreadingModel threads = osgViewer::ViewerBase::SingleThreaded;
    int windows = 1;
    /// Called before the last frames.
    std::function<void()> change = nullptr;
};

/// The pictures of all windows after some frames. The viewer is closed then.
std::vector<Picture> draw(osg::Group* root, const Look& look = {}) {
    osgViewer::Viewer viewer;
    std::vector<osg::ref_ptr<scenes::ReadBack>> read_backs{scenes::set_up(viewer, root)};
    if (!read_backs[0]) throw Failure("no OpenGL context; is DISPLAY set?");
    for (int i = 1; i < look.windows; ++i) {
        osg::ref_ptr<osg::Camera> camera = new osg::Camera;
        camera->setGraphicsContext(scenes::make_context());
        camera->setViewport(0, 0, scenes::width, scenes::height);
        read_backs.push_back(new scenes::ReadBack);
        camera->setFinalDrawCallback(read_backs.back());
        viewer.addSlave(camera, osg::Matrixd(), osg::Matrixd::rotate(0.7 * i, 0, 1, 0));
    }
    viewer.setThreadingModel(look.threads);
    viewer.realize();
    for (int frame = 0; frame < 4; ++frame) {
        if (frame == 2 && look.change) look.change();
        scenes::aim(viewer, 0.4 * frame);
        viewer.frame();
    }
    viewer.stopThreading();
    std::vector<Picture> pictures;
    for (const auto& read_back : read_backs)
        pictures.push_back(picture_of(*read_back));
    return pictures;
}

void require_equal(const std::vector<Picture>& found, const std::vector<Picture>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        suite::require_equal(found[i], expected[i], "picture " + std::to_string(i));
}

constexpr unsigned int point_count = 20000;

/// Draws what `make` makes in an order of the CPU and in glsort's.
void compare(Order order, const std::function<Geometry()>& make, const Look& look = {}) {
    const auto drawn = [&](Order by, const Look& with) {
        const Geometry geometry = make();
        put_in(by, *geometry);
        return draw(scenes::around({geometry}), with);
    };
    // Contexts share the indices that the CPU sorts, so threads must not.
    const Look in_turn{.windows = look.windows};
    const std::vector<Picture> expected = drawn(Order::cpu, in_turn);
    require_equal(drawn(order, look), expected);
    suite::require_different(drawn(Order::as_made, in_turn)[0], expected[0]);
}

Geometry plain_points() {
    return scenes::points(point_count);
}

/// State of the application that draws and reads depend on.
std::vector<std::pair<std::string, std::function<void(osg::StateSet&)>>> hostile_states() {
    return {
        {"polygon stipple",
         [](osg::StateSet& state) {
             std::array<GLubyte, 128> mask{};
             for (std::size_t i = 0; i < mask.size(); ++i)
                 mask[i] = i / 4 % 2 == 0 ? 0xaa : 0x55;
             osg::ref_ptr<osg::PolygonStipple> stipple = new osg::PolygonStipple;
             stipple->setMask(mask.data());
             state.setAttributeAndModes(stipple);
         }},
        {"wireframe",
         [](osg::StateSet& state) {
             state.setAttributeAndModes(new osg::PolygonMode(osg::PolygonMode::FRONT_AND_BACK, osg::PolygonMode::LINE));
         }},
        {"scissor", [](osg::StateSet& state) { state.setAttributeAndModes(new osg::Scissor(80, 60, 700, 400)); }},
        {"alpha test",
         [](osg::StateSet& state) { state.setAttributeAndModes(new osg::AlphaFunc(osg::AlphaFunc::GREATER, 0.3f)); }}};
}

/// The state in `plain_points`, with a change.
void compare_in_state(Order order, const std::function<void(osg::StateSet&)>& change) {
    compare(order, [&] {
        Geometry points = plain_points();
        change(*points->getOrCreateStateSet());
        return points;
    });
}

/// A group that shrinks, grows, and gets more, while a viewer draws.
void compare_after_changes(Order order) {
    const auto drawn = [](Order by) {
        const Geometry growing = scenes::points(3000);
        const Geometry removed = scenes::tube();
        put_in(by, *growing);
        put_in(by, *removed);
        const osg::ref_ptr<osg::Group> root = scenes::around({growing, removed});
        return draw(root, {.change = [&] {
                        root->removeChild(removed);
                        scenes::set_vertices(*growing, knot::points(9000));
                        growing->dirtyBound();
                        put_in(by, *growing);
                    }});
    };
    require_equal(drawn(order), drawn(Order::cpu));
}

void compare_in_viewers_in_turn(Order order) {
    const Geometry sorted = plain_points();
    put_in(order, *sorted);
    const Geometry expected = plain_points();
    put_in(Order::cpu, *expected);
    const osg::ref_ptr<osg::Group> root = scenes::around({sorted});  // outlives each of its contexts
    for (int viewer = 0; viewer < 3; ++viewer)
        require_equal(draw(root), draw(scenes::around({expected})));
}

void refuse_what_cannot_be_sorted() {
    const auto refusal = [](const std::function<void(osg::Geometry&)>& change) -> std::string {
        const Geometry geometry = scenes::points(4);
        change(*geometry);
        try {
            glsort_osg::draw_back_to_front(*geometry);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "nothing";
    };
    const auto expect = [](const std::string& text, const std::string& part) {
        if (text.find(part) == std::string::npos) throw Failure("refused by: " + text);
    };
    expect(refusal([](osg::Geometry& geometry) { geometry.setVertexArray(nullptr); }), "no vertex array");
    expect(refusal([](osg::Geometry& geometry) { geometry.setVertexArray(new osg::Vec3dArray(4)); }), "2 to 4 floats");
    expect(refusal([](osg::Geometry& geometry) { geometry.addPrimitiveSet(new osg::DrawArrays(GL_LINES, 0, 2)); }),
           "a primitive set has mode");
}

/// Milliseconds of a frame and of its sort, beside those of a sort on the CPU.
int measure() {
    for (const unsigned int count : {1u << 17, 1u << 20})
        for (const Order order : {Order::as_made, Order::cpu, Order::fragment, Order::compute}) {
            const Geometry points = scenes::points(count);
            put_in(order, *points);
            osgViewer::Viewer viewer;
            if (!scenes::set_up(viewer, scenes::around({points}))) throw Failure("no OpenGL context; is DISPLAY set?");
            viewer.getCamera()->setFinalDrawCallback(nullptr);
            // The GPU has finished when a pixel is read.
            struct Finish : osg::Camera::DrawCallback {
                void operator()(osg::RenderInfo&) const override { glFinish(); }
            };
            viewer.getCamera()->setFinalDrawCallback(new Finish);
            viewer.realize();
            std::vector<double> frames;
            for (int frame = 0; frame < 9; ++frame) {
                scenes::aim(viewer, 0.1 * frame);
                const auto begin = std::chrono::steady_clock::now();
                viewer.frame();
                const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
                if (frame >= 2) frames.push_back(took.count());
            }
            std::sort(frames.begin(), frames.end());
            constexpr std::array names{"not sorted", "sorted by the CPU", "glsort, fragment", "glsort, compute"};
            std::printf("%7u points, %-17s %8.1f ms a frame\n", count, names[static_cast<std::size_t>(order)],
                        frames[frames.size() / 2]);
            std::fflush(stdout);
        }
    return 0;
}

int usage(int code) {
    std::puts(
        "Usage: osg_test [--time]\n\n"
        "Compares pictures of OpenSceneGraph in glsort's order with those in an order of the CPU.\n"
        "Ends with a line \"N passed, N failed\".\n\n"
        "  --time  measures frames of 2^17 and 2^20 points instead\n"
        "  --help  prints this text");
    return code;
}

bool has_compute() {
    osg::ref_ptr<osg::GraphicsContext> context = scenes::make_context();
    if (!context || !context->realize() || !context->makeCurrent()) throw Failure("no OpenGL context; is DISPLAY set?");
    const std::string version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    context->releaseContext();
    std::printf("OpenGL %s\n", version.c_str());
    return version >= "4.3";
}

}  // namespace

int main(int argc, char** argv) try {
    const std::string option = argc > 1 ? argv[1] : "";
    if (option == "--help") return usage(0);
    if (argc > 2 || (argc == 2 && option != "--time")) return usage(2);
    if (option == "--time") return measure();

    suite::Suite all;
    std::vector<Order> orders{Order::fragment};
    if (has_compute()) orders.push_back(Order::compute);
    for (const Order order : orders) {
        const std::string on = std::string(", ") + name_of(order);
        all.run("points" + on, [&] { compare(order, plain_points); });
        all.run("triangles" + on, [&] { compare(order, scenes::tube); });
        for (const auto& [name, change] : hostile_states())
            all.run("points with " + name + on, [&] { compare_in_state(order, change); });
        all.run("two windows" + on, [&] { compare(order, plain_points, {.windows = 2}); });
        all.run("a thread that draws" + on,
                [&] { compare(order, plain_points, {.threads = osgViewer::ViewerBase::DrawThreadPerContext}); });
        all.run("two windows, a thread for each" + on, [&] {
            compare(order, plain_points,
                    {.threads = osgViewer::ViewerBase::CullThreadPerCameraDrawThreadPerContext, .windows = 2});
        });
        all.run("an object that grows, and one that goes" + on, [&] { compare_after_changes(order); });
        all.run("viewers in turn" + on, [&] { compare_in_viewers_in_turn(order); });
    }
    all.run("what cannot be sorted", refuse_what_cannot_be_sorted);
    return all.conclude();
} catch (const std::exception& error) {
    std::fprintf(stderr, "osg_test: %s\n", error.what());
    return 1;
}
