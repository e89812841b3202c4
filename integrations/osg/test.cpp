// Draws scenes by OpenSceneGraph, in glsort's order and in an order sorted on the CPU, and compares the pictures.
//
//   osg_test [CASE...]   all cases without names; the exit code is 0 if all passed
//   osg_test --list      the names

#include <glsort/osg.h>
#include <glsort/osg_splats.h>

#include <osg/MatrixTransform>
#include <osg/PolygonMode>
#include <osg/PolygonStipple>
#include <osg/Scissor>
#include <osg/Shape>
#include <osg/ShapeDrawable>
#include <osg/Texture2D>
#include <osgDB/WriteFile>
#include <osgViewer/Viewer>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "scenes.h"
#include "suite.h"

namespace {

using namespace scenes;
using suite::require;
using Image = osg::ref_ptr<osg::Image>;
using glsort::Backend;
using Threading = osgViewer::ViewerBase::ThreadingModel;

constexpr int size = 400;
constexpr int point_count = 20000;
constexpr unsigned many = 1000;  // pixels by which a wrong order differs at least

std::string program_path;

/// OpenSceneGraph checks for OpenGL errors once a frame, and reports these here, as the adapter does its own warnings.
class Warnings : public osg::NotifyHandler {
  public:
    void notify(osg::NotifySeverity severity, const char* message) override {
        if (severity <= osg::WARN) messages.add(message);
    }
    suite::Messages messages;
};
osg::ref_ptr<Warnings> warnings;

// --- Scenes --------------------------------------------------------------------------------------

/// Three tori that go through each other: a set of 32 bits, one of 16 bits, and one without indices.
osg::ref_ptr<osg::Geometry> make_rings() {
    constexpr unsigned around = 56;
    constexpr unsigned across = 20;
    osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array;
    osg::ref_ptr<osg::Vec4Array> colors = new osg::Vec4Array(osg::Array::BIND_PER_VERTEX);
    const auto place = [](unsigned ring, unsigned i, unsigned j) {
        const float a = 6.2831853f * float(i) / around, b = 6.2831853f * float(j) / across;
        const float r = 1.3f + 0.35f * std::cos(b), x = r * std::cos(a), y = r * std::sin(a), z = 0.35f * std::sin(b);
        const float shift = 0.6f * float(ring) - 0.6f;
        return ring == 0   ? osg::Vec3(x + shift, y, z)
               : ring == 1 ? osg::Vec3(x + shift, z, y)
                           : osg::Vec3(x + shift, 0.6f * (y - z), 0.8f * (y + z));
    };
    const auto color = [](unsigned ring, unsigned i) {
        const float light = i % 4 < 2 ? 1.0f : 0.6f;
        return osg::Vec4(ring == 0 ? light : 0.1f, ring == 1 ? light : 0.2f, ring == 2 ? light : 0.1f, 0.45f);
    };
    const auto corners = [](const auto& add) {
        for (unsigned i = 0; i < around; ++i)
            for (unsigned j = 0; j < across; ++j)
                for (const auto& [di, dj] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}})
                    add((i + unsigned(di)) % around, (j + unsigned(dj)) % across);
    };
    osg::ref_ptr<osg::DrawElementsUInt> wide = new osg::DrawElementsUInt(GL_TRIANGLES);
    osg::ref_ptr<osg::DrawElementsUShort> narrow = new osg::DrawElementsUShort(GL_TRIANGLES);
    for (unsigned ring = 0; ring < 2; ++ring) {
        const auto base = unsigned(positions->size());
        for (unsigned i = 0; i < around; ++i)
            for (unsigned j = 0; j < across; ++j) {
                positions->push_back(place(ring, i, j));
                colors->push_back(color(ring, i));
            }
        corners([&](unsigned i, unsigned j) {
            const unsigned corner = base + i * across + j;
            ring == 0 ? wide->push_back(corner) : narrow->push_back(GLushort(corner));
        });
    }
    const auto base = int(positions->size());
    corners([&](unsigned i, unsigned j) {
        positions->push_back(place(2, i, j));
        colors->push_back(color(2, i));
    });
    osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    geometry->setVertexArray(positions);
    geometry->setColorArray(colors);
    geometry->addPrimitiveSet(wide);
    geometry->addPrimitiveSet(narrow);
    geometry->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLES, base, int(positions->size()) - base));
    make_translucent(*geometry, 12);
    return geometry;
}

/// Points and triangles between things that the fixed pipeline draws before and afterwards, whose state must survive.
struct Scene {
    osg::ref_ptr<osg::Group> root = new osg::Group;
    osg::ref_ptr<osg::MatrixTransform> model = new osg::MatrixTransform(osg::Matrix::rotate(0.4, 0, 1, 0));
    osg::ref_ptr<osg::Geometry> points;
    osg::ref_ptr<osg::Geometry> rings;
};

using Change = std::function<void(Scene&)>;

Scene make_scene(Sort sort, const Change& before_sort = {}) {
    Scene scene;
    osg::ref_ptr<osg::ShapeDrawable> box = new osg::ShapeDrawable(new osg::Box({0.5f, 0.2f, -0.3f}, 0.9f));
    box->setColor({0.9f, 0.8f, 0.3f, 1});
    scene.root->addChild(box);
    scene.points = make_points(point_count);
    scene.rings = make_rings();
    if (before_sort) before_sort(scene);
    for (osg::Geometry* geometry : {scene.points.get(), scene.rings.get()}) {
        apply(*geometry, sort);
        scene.model->addChild(geometry);
    }
    scene.root->addChild(scene.model);
    osg::ref_ptr<osg::ShapeDrawable> ball = new osg::ShapeDrawable(new osg::Sphere({-1, 0, 1.2f}, 0.4f));
    ball->setColor({0.3f, 0.5f, 1, 0.7f});
    ball->getOrCreateStateSet()->setRenderBinDetails(20, "RenderBin");
    ball->getOrCreateStateSet()->setMode(GL_BLEND, osg::StateAttribute::ON);
    scene.root->addChild(ball);
    return scene;
}

// --- Windows -------------------------------------------------------------------------------------

struct ReadBack : osg::Camera::DrawCallback {
    void operator()(osg::RenderInfo&) const override {
        image->readPixels(0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE);
        if (const GLenum found = glGetError()) error = found;
        version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    }
    Image image = new osg::Image;
    mutable std::atomic<GLenum> error = 0;
    mutable std::string version;
};

struct Windows {
    std::vector<int> views = {0};  ///< A window for each. The number decides where its camera is.
    Threading threading = osgViewer::ViewerBase::SingleThreaded;
    bool share = false;  ///< Whether the contexts share objects.
};

/// A viewer, with its contexts.
class Show {
  public:
    explicit Show(osg::Node* root, const Windows& windows = {}) {
        viewer_.setThreadingModel(windows.threading);
        viewer_.getCamera()->setProjectionMatrixAsPerspective(45, 1, 0.5, 50);
        viewer_.getCamera()->setViewMatrixAsLookAt({1, -6.5, 2}, {0, 0, 0}, {0, 0, 1});
        viewer_.getCamera()->setComputeNearFarMode(osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR);
        for (const int view : windows.views) {
            osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
            traits->readDISPLAY();
            traits->width = traits->height = size;
            traits->alpha = 8;
            traits->pbuffer = true;
            if (windows.share && !contexts_.empty()) traits->sharedContext = contexts_.front();
            contexts_.push_back(osg::GraphicsContext::createGraphicsContext(traits));
            require(contexts_.back().valid(), "no context; is there a display?");
            osg::ref_ptr<osg::Camera> camera = new osg::Camera;
            camera->setGraphicsContext(contexts_.back());
            camera->setViewport(0, 0, size, size);
            camera->setClearColor({0.1f, 0.1f, 0.15f, 1});
            camera->setDrawBuffer(GL_FRONT);
            camera->setReadBuffer(GL_FRONT);
            read_backs_.push_back(new ReadBack);
            camera->setFinalDrawCallback(read_backs_.back());
            viewer_.addSlave(camera, osg::Matrixd(), osg::Matrixd::rotate(0.05 * view, 0, 1, 0.3 * view));
        }
        viewer_.setSceneData(root);
        viewer_.realize();
    }

    /// Draws three frames. Returns the picture of a window.
    Image frame(std::size_t window = 0) {
        for (int i = 0; i < 3; ++i)
            viewer_.frame();
        // Draw threads may be at work still.
        const bool threads = viewer_.areThreadsRunning();
        if (threads) viewer_.stopThreading();
        const ReadBack& read_back = *read_backs_[window];
        require(read_back.error == 0, "OpenGL error " + std::to_string(read_back.error));
        Image copy = new osg::Image(*read_back.image, osg::CopyOp::DEEP_COPY_ALL);
        if (threads) viewer_.startThreading();
        return copy;
    }

    const std::string& version() const { return read_backs_.front()->version; }
    osgViewer::Viewer& viewer() { return viewer_; }

  private:
    std::vector<osg::ref_ptr<osg::GraphicsContext>> contexts_;
    std::vector<osg::ref_ptr<ReadBack>> read_backs_;
    osgViewer::Viewer viewer_;
};

unsigned differences(const Image& a, const Image& b) {
    require(a->getTotalSizeInBytes() == 4 * size * size && b->getTotalSizeInBytes() == 4 * size * size, "no picture");
    unsigned count = 0;
    for (int i = 0; i < size * size; ++i)
        count += std::memcmp(a->data() + 4 * i, b->data() + 4 * i, 4) != 0;
    return count;
}

/// The picture that the CPU's order gives, in a viewer of its own.
Image expected(int view = 0, const Change& before_sort = {}) {
    Show show(make_scene(Sort::cpu, before_sort).root, {.views = {view}});
    return show.frame();
}

void require_equal(const Image& picture, const Image& reference, const std::string& name) {
    const unsigned count = differences(picture, reference);
    if (count == 0) return;
    osgDB::writeImageFile(*picture, "osg_test_got.png");
    osgDB::writeImageFile(*reference, "osg_test_expected.png");
    require(false, name + ": " + std::to_string(count) + " pixels differ (osg_test_got.png, osg_test_expected.png)");
}

const char* name_of(Sort sort) {
    return sort == Sort::fragment ? "fragment" : "compute";
}

/// Both backends draw the scene as the CPU's order does.
void compare(const Change& before_sort = {}, const std::vector<Sort>& sorts = {Sort::fragment, Sort::compute}) {
    const Image reference = expected(0, before_sort);
    for (const Sort sort : sorts) {
        Show show(make_scene(sort, before_sort).root);
        require_equal(show.frame(), reference, name_of(sort));
    }
}

/// Gaussians.
void splats(Scene& scene) {
    glsort_osg::draw_as_splats(*scene.points, {.radius = 0.08f});
}

/// Pictures of four texels, each point of another size.
void billboards(Scene& scene) {
    osg::ref_ptr<osg::FloatArray> sizes = new osg::FloatArray(osg::Array::BIND_PER_VERTEX);
    for (int i = 0; i < point_count; ++i)
        sizes->push_back(0.5f + 0.1f * float(i % 11));
    scene.points->setTexCoordArray(0, sizes);
    osg::ref_ptr<osg::Image> image = new osg::Image;
    image->allocateImage(2, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE);
    const std::array<GLubyte, 16> texels{255, 0, 0, 255, 0, 255, 0, 200, 0, 0, 255, 150, 255, 255, 255, 100};
    std::copy(texels.begin(), texels.end(), image->data());
    osg::StateSet& state = *scene.points->getOrCreateStateSet();
    state.removeTextureAttribute(0, osg::StateAttribute::POINTSPRITE);
    state.setTextureAttribute(0, new osg::Texture2D(image));
    state.addUniform(new osg::Uniform("picture", 0));
    glsort_osg::draw_as_splats(
        *scene.points,
        {.radius = 0.04f,
         .sized = true,
         .look = "uniform sampler2D picture;\n"
                 "vec4 splat(vec4 color, vec2 place) { return color * texture(picture, 0.5 * place + 0.5); }\n"});
}

// --- Cases ---------------------------------------------------------------------------------------

void only_points(Scene& scene) {
    scene.rings->setNodeMask(0);
}
void only_rings(Scene& scene) {
    scene.points->setNodeMask(0);
}

void can_fail() {
    for (const Change& change : {Change(only_points), Change(only_rings)}) {
        Show unsorted(make_scene(Sort::none, change).root);
        const unsigned count = differences(unsorted.frame(), expected(0, change));
        require(count > many, "without sorting only " + std::to_string(count) + " pixels differ");
    }
}

void compare_splats(const Change& change) {
    const Change alone = [&](Scene& scene) { only_points(scene), change(scene); };
    compare(alone);
    Show unsorted(make_scene(Sort::none, alone).root);
    const unsigned count = differences(unsorted.frame(), expected(0, alone));
    require(count > many, "without sorting only " + std::to_string(count) + " pixels differ");
    compare(change);  // with triangles, behind and before
}

/// Two points without a look of their own: the squares have the size that was asked for, and stay upright.
void size_of_splats() {
    for (const Sort sort : backends) {
        osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
        const std::array<osg::Vec3, 2> positions{osg::Vec3(-1, 0, 0), osg::Vec3(1, 0, 0)};
        const std::array<osg::Vec4, 2> colors{osg::Vec4(1, 0, 0, 1), osg::Vec4(0, 1, 0, 1)};
        const std::array<float, 2> sizes{1, 2};
        geometry->setVertexArray(new osg::Vec3Array(2, positions.data()));
        geometry->setColorArray(new osg::Vec4Array(2, colors.data()), osg::Array::BIND_PER_VERTEX);
        geometry->setTexCoordArray(0, new osg::FloatArray(2, sizes.data()), osg::Array::BIND_PER_VERTEX);
        geometry->addPrimitiveSet(new osg::DrawArrays(GL_POINTS, 0, 2));
        make_translucent(*geometry, 11);
        glsort_osg::draw_as_splats(
            *geometry,
            {.radius = 0.25f, .sized = true, .look = "vec4 splat(vec4 color, vec2 place) { return color; }"});
        apply(*geometry, sort);
        // The scale of a model moves points, and does not change their size.
        osg::ref_ptr<osg::MatrixTransform> model = new osg::MatrixTransform(osg::Matrix::scale(0.5, 3, 3));
        model->addChild(geometry);
        Show show(model);
        show.viewer().getCamera()->setViewMatrixAsLookAt({0, -5, 0}, {0, 0, 0}, {0, 0, 1});
        const Image picture = show.frame();
        // Pixels of a unit of length at a distance of 5: the camera sees 45 degrees.
        const double unit = size / (2 * 5 * std::tan(osg::PI / 8));
        for (const auto& [channel, edge] : {std::pair{0, 0.5 * unit}, std::pair{1, unit}}) {
            const double middle = size / 2.0 + (channel == 0 ? -0.5 : 0.5) * unit;
            for (int row = 0; row < size; ++row)
                for (int column = 0; column < size; ++column) {
                    const double x = std::abs(column + 0.5 - middle), y = std::abs(row + 0.5 - size / 2.0);
                    const double from_edge = std::max(x, y) - edge / 2;
                    const bool is_drawn = picture->data(column, row)[channel] == 255;
                    require(std::abs(from_edge) < 1 || is_drawn == (from_edge < 0),
                            name_of(sort) + std::string(": a square of another size, pixel ") + std::to_string(column) +
                                ", " + std::to_string(row));
                }
        }
    }
}

/// All windows draw both geometries. Each window has another camera.
void compare_windows(const Windows& windows) {
    for (const Sort sort : backends) {
        Show show(make_scene(sort).root, windows);
        show.frame();
        for (std::size_t i = 0; i < windows.views.size(); ++i)
            require_equal(show.frame(i), expected(windows.views[i]),
                          name_of(sort) + std::string(" in window ") + std::to_string(i));
    }
}

void second_viewer() {
    const Image reference = expected();
    for (const Sort sort : backends) {
        const Scene scene = make_scene(sort);
        for (int i = 0; i < 3; ++i) {
            Show show(scene.root);
            require_equal(show.frame(), reference, name_of(sort) + std::string(" in viewer ") + std::to_string(i));
        }
    }
}

void outlives_context() {
    const Image reference = expected();
    for (const Sort sort : backends) {
        Scene scene = make_scene(sort);
        { Show(scene.root).frame(); }
        Show show(make_scene(sort).root);
        show.frame();
        scene = {};  // the objects of the closed viewer go while another context is current
        require_equal(show.frame(), reference, name_of(sort));
    }
}

void context_lost() {
    // OpenSceneGraph calls this where it cannot make a context current that it closes.
    const Image reference = expected();
    for (const Sort sort : backends) {
        Show show(make_scene(sort).root);
        show.frame();
        osg::get<glsort_osg::detail::ContextsOfNumber>(
            show.viewer().getSlave(0)._camera->getGraphicsContext()->getState()->getContextID())
            ->discardAllGLObjects();
        require_equal(show.frame(), reference, name_of(sort));
    }
}

void changes() {
    const auto move = [](Scene& scene) {
        auto& vertices = static_cast<osg::Vec3Array&>(*scene.rings->getVertexArray());
        for (osg::Vec3& vertex : vertices)
            vertex.set(vertex.y(), 0.8f * vertex.z(), vertex.x());
        vertices.dirty();
    };
    const auto grow = [](Scene& scene) {
        add_points(*scene.points, 2 * point_count);
        static_cast<osg::DrawArrays*>(scene.points->getPrimitiveSet(1))->setCount(2 * point_count + point_count / 2);
    };
    const auto shrink = [](Scene& scene) {
        scene.points->removePrimitiveSet(1, scene.points->getNumPrimitiveSets() - 1);
        scene.rings->removePrimitiveSet(0, 1);
    };
    const auto grown = [&](Scene& scene) { move(scene), grow(scene); };
    const auto shrunk = [&](Scene& scene) { grown(scene), shrink(scene); };
    const Image few = expected();
    const Image moved = expected(0, move);
    const Image more = expected(0, grown);
    const Image less = expected(0, shrunk);
    for (const Sort sort : backends) {
        Scene scene = make_scene(sort);
        Show show(scene.root);
        require_equal(show.frame(), few, name_of(sort));
        move(scene);
        require_equal(show.frame(), moved, name_of(sort) + std::string(", moved"));
        grow(scene);
        require_equal(show.frame(), more, name_of(sort) + std::string(", grown"));
        shrink(scene);
        require_equal(show.frame(), less, name_of(sort) + std::string(", shrunk"));
    }
}

void removed() {
    const Image reference = expected(0, only_rings);
    for (const Sort sort : backends) {
        Scene scene = make_scene(sort);
        Show show(scene.root);
        show.frame();
        scene.model->removeChild(scene.points);
        scene.points = nullptr;
        require_equal(show.frame(), reference, name_of(sort));
    }
}

Change state(osg::StateAttribute* attribute) {
    osg::ref_ptr<osg::StateAttribute> kept = attribute;
    return [kept](Scene& scene) { scene.root->getOrCreateStateSet()->setAttributeAndModes(kept.get()); };
}

osg::PolygonStipple* make_stipple() {
    std::array<GLubyte, 128> mask;
    for (std::size_t i = 0; i < mask.size(); ++i)
        mask[i] = (i / 4) % 2 ? 0x33 : 0xCC;
    return new osg::PolygonStipple(mask.data());
}

void several_kinds_of_arrays(Scene& scene) {
    // Points as indices in any order, and from a vertex in the middle on.
    osg::ref_ptr<osg::DrawElementsUInt> shuffled = new osg::DrawElementsUInt(GL_POINTS);
    for (unsigned i = 0; i < 5000; ++i)
        shuffled->push_back(7000 + (i * 7) % 5000);
    scene.points->removePrimitiveSet(0, 2);
    scene.points->addPrimitiveSet(shuffled);
    scene.points->addPrimitiveSet(new osg::DrawArrays(GL_POINTS, 12000, 3000));
    // One colour for all, and light by normals.
    osg::ref_ptr<osg::Vec4Array> color = new osg::Vec4Array(osg::Array::BIND_OVERALL);
    color->push_back({0.9f, 0.4f, 0.2f, 0.5f});
    scene.rings->setColorArray(color);
    osg::ref_ptr<osg::Vec3Array> normals = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
    for (const osg::Vec3& position : static_cast<osg::Vec3Array&>(*scene.rings->getVertexArray())) {
        normals->push_back(position);
        normals->back().normalize();
    }
    scene.rings->setNormalArray(normals);
    scene.rings->getOrCreateStateSet()->setMode(GL_LIGHTING, osg::StateAttribute::ON);
}

/// Two of three vertices of a part of the array, in any order.
void some_points(Scene& scene) {
    only_points(scene);
    osg::ref_ptr<osg::DrawElementsUInt> some = new osg::DrawElementsUInt(GL_POINTS);
    for (unsigned i = 0; i < 10000; ++i)
        if (const unsigned vertex = (i * 7) % 10000; vertex % 3 != 0) some->push_back(5000 + vertex);
    scene.points->removePrimitiveSet(0, 2);
    scene.points->addPrimitiveSet(some);
    scene.points->addPrimitiveSet(new osg::DrawArrays(GL_POINTS, 16000, 1000));
}

/// All vertices, and many of them again.
void points_again(Scene& scene) {
    only_points(scene);
    osg::ref_ptr<osg::DrawElementsUShort> again = new osg::DrawElementsUShort(GL_POINTS);
    for (unsigned i = 0; i < 30000; ++i)
        again->push_back(GLushort((i * 7) % 9000));
    scene.points->addPrimitiveSet(again);
}

void vertex_array_objects(Scene& scene) {
    scene.points->setUseVertexArrayObject(true);
    scene.rings->setUseVertexArrayObject(true);
}

/// Counts the draws whose vertices come from a buffer, and the others.
class CountSources : public glsort_osg::BackToFront {
  public:
    explicit CountSources(Backend backend) : BackToFront(backend) {}

    void drawImplementation(osg::RenderInfo& info, const osg::Drawable* drawable) const override {
        BackToFront::drawImplementation(info, drawable);
        GLint buffer = 0;
        glGetIntegerv(GL_VERTEX_ARRAY_BUFFER_BINDING_ARB, &buffer);
        ++(buffer != 0 ? from_buffer : from_memory);
    }

    mutable int from_buffer = 0;
    mutable int from_memory = 0;
};

/// A drawable that compiles a display list turns vertex buffers off. Sorted draws turn them on again.
void display_list() {
    const auto add_list = [](Scene& scene) {
        osg::ref_ptr<osg::ShapeDrawable> listed = new osg::ShapeDrawable(new osg::Box({1.3f, -0.6f, 0.4f}, 0.5f));
        listed->setUseDisplayList(true);
        listed->setUseVertexBufferObjects(false);
        scene.root->addChild(listed);
    };
    const Image reference = expected(0, add_list);
    for (const Sort sort : backends) {
        const Scene scene = make_scene(sort, add_list);
        std::vector<osg::ref_ptr<CountSources>> callbacks;
        for (osg::Geometry* geometry : {scene.points.get(), scene.rings.get()}) {
            callbacks.push_back(new CountSources(backend_of(sort)));
            geometry->setDrawCallback(callbacks.back());
        }
        Show show(scene.root);
        require_equal(show.frame(), reference, name_of(sort));
        for (const auto& callback : callbacks)
            require(callback->from_buffer > 0 && callback->from_memory == 0,
                    name_of(sort) + std::string(": vertices came from a buffer in ") +
                        std::to_string(callback->from_buffer) + " draws, from memory in " +
                        std::to_string(callback->from_memory));
    }
}

void refused() {
    const auto refuses = [](const char* part, const Change& change) {
        Scene scene = make_scene(Sort::none, change);
        for (osg::Geometry* geometry : {scene.points.get(), scene.rings.get()}) {
            try {
                glsort_osg::draw_back_to_front(*geometry);
            } catch (const std::invalid_argument& error) {
                require(std::strstr(error.what(), part), std::string("the message is: ") + error.what());
                require(!geometry->getDrawCallback(), "a refused geometry got a callback");
                return;
            }
        }
        require(false, std::string("not refused: ") + part);
    };
    refuses("mode 5", [](Scene& s) { s.rings->getPrimitiveSet(1)->setMode(GL_TRIANGLE_STRIP); });
    refuses("mixes", [](Scene& s) { s.rings->addPrimitiveSet(new osg::DrawArrays(GL_POINTS, 0, 3)); });
    refuses("instances", [](Scene& s) { s.rings->getPrimitiveSet(0)->setNumInstances(2); });
    refuses("Vec3dArray", [](Scene& s) { s.points->setVertexArray(new osg::Vec3dArray(point_count)); });
    refuses("no vertex array", [](Scene& s) { s.points->setVertexArray(nullptr); });
    refuses("each primitive set",
            [](Scene& s) { s.rings->setColorArray(new osg::Vec4Array(3), osg::Array::BIND_PER_PRIMITIVE_SET); });
    refuses("reach past", [](Scene& s) { s.points->addPrimitiveSet(new osg::DrawArrays(GL_POINTS, point_count, 1)); });
    refuses("an index is 20000; there are 20000 vertices", [](Scene& s) {
        const GLuint index = point_count;
        s.points->addPrimitiveSet(new osg::DrawElementsUInt(GL_POINTS, 1, &index));
    });
    refuses("three each", [](Scene& s) { static_cast<osg::DrawArrays*>(s.rings->getPrimitiveSet(2))->setCount(4); });
    refuses("an index is 1073741824",
            [](Scene& s) { static_cast<osg::DrawElementsUInt*>(s.rings->getPrimitiveSet(0))->front() = 1u << 30; });
    refuses("is a DrawArrayLengths",
            [](Scene& s) { s.rings->addPrimitiveSet(new osg::DrawArrayLengths(GL_TRIANGLES, 0)); });
}

/// What cannot be sorted while drawing is drawn in its own order, with one warning.
void warned() {
    const auto spoil = [](Scene& scene) { scene.rings->getPrimitiveSet(1)->setMode(GL_LINES); };
    Scene plain = make_scene(Sort::none, [&](Scene& s) { only_rings(s), spoil(s); });
    const Image reference = Show(plain.root).frame();
    Scene scene = make_scene(Sort::compute, only_rings);
    Show show(scene.root);
    show.frame();
    require(warnings->messages.take().empty(), "warned too early");
    spoil(scene);
    require_equal(show.frame(), reference, "unsorted");
    const std::string text = warnings->messages.take();
    require(text.find("Drawn without sorting") != std::string::npos, "no warning");
    require(text.find("Drawn without", text.find("Drawn without") + 1) == std::string::npos, "warned in each frame");
}

/// Mesa gives a context of OpenGL 3.3 if asked when the process begins. There, only the fragment backend runs.
void old_context() {
    if (!std::getenv("MESA_GL_VERSION_OVERRIDE")) {
        const std::string command = "MESA_GL_VERSION_OVERRIDE=3.3COMPAT MESA_GLSL_VERSION_OVERRIDE=330 \"" +
                                    program_path + "\" --quiet opengl-3.3";
        require(std::system(command.c_str()) == 0, "failed in its process");
        return;
    }
    Show show(make_scene(Sort::cpu).root);
    show.frame();
    require(show.version().rfind("3.3", 0) == 0, "the context has OpenGL " + show.version());
    compare({}, {Sort::fragment});
    compare(splats, {Sort::fragment});
    Scene scene = make_scene(Sort::none);
    glsort_osg::draw_back_to_front(*scene.points);
    glsort_osg::draw_back_to_front(*scene.rings);
    require_equal(Show(scene.root).frame(), expected(), "automatic");
}

struct Case {
    const char* name;
    std::function<void()> run;
};

const std::vector<Case> cases{
    {"points-fragment", [] { compare(only_points, {Sort::fragment}); }},
    {"points-compute", [] { compare(only_points, {Sort::compute}); }},
    {"triangles-fragment", [] { compare(only_rings, {Sort::fragment}); }},
    {"triangles-compute", [] { compare(only_rings, {Sort::compute}); }},
    {"splats", [] { compare_splats(splats); }},
    {"billboards", [] { compare_splats(billboards); }},
    {"size-of-splats", size_of_splats},
    {"unsorted-differs", can_fail},
    {"several-objects", [] { compare(); }},
    {"opengl-3.3", old_context},
    {"two-windows",
     [] {
         compare_windows({.views = {0, 7}});
     }},
    {"two-windows-share",
     [] {
         compare_windows({.views = {0, 7}, .share = true});
     }},
    {"draw-threads",
     [] {
         compare_windows({.views = {0, 7}, .threading = osgViewer::ViewerBase::DrawThreadPerContext});
     }},
    {"cull-threads",
     [] {
         compare_windows(
             {.views = {3, 9}, .threading = osgViewer::ViewerBase::CullThreadPerCameraDrawThreadPerContext});
     }},
    {"second-viewer", second_viewer},
    {"outlives-context", outlives_context},
    {"context-lost", context_lost},
    {"stipple", [] { compare(state(make_stipple())); }},
    {"wireframe",
     [] { compare(state(new osg::PolygonMode(osg::PolygonMode::FRONT_AND_BACK, osg::PolygonMode::LINE))); }},
    {"scissor", [] { compare(state(new osg::Scissor(50, 80, 220, 200))); }},
    {"kinds-of-arrays", [] { compare(several_kinds_of_arrays); }},
    {"some-points", [] { compare(some_points); }},
    {"points-again", [] { compare(points_again); }},
    {"vertex-array-objects", [] { compare(vertex_array_objects); }},
    {"display-list", display_list},
    {"changes", changes},
    {"removed", removed},
    {"refused", refused},
    {"warned", warned},
};

/// OpenSceneGraph must be silent.
void run(const Case& test) {
    warnings->messages.take();
    test.run();
    const std::string text = warnings->messages.take();
    require(text.empty(), "OpenSceneGraph warned: " + text);
}

}  // namespace

int main(int argc, char** argv) {
    program_path = argv[0];
    osg::setNotifyHandler(warnings = new Warnings);
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto has = [&](const std::string& word) {
        return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
    };
    if (has("--list")) {
        for (const Case& test : cases)
            std::puts(test.name);
        return 0;
    }
    const bool quiet = has("--quiet");
    std::vector<const Case*> chosen;
    for (const Case& test : cases)
        if (arguments.size() == (quiet ? 1u : 0u) || has(test.name)) chosen.push_back(&test);
    if (chosen.empty()) return std::puts("osg_test: no such case; --list prints the names"), 1;
    suite::Suite all(quiet);
    for (const Case* test : chosen)
        all.run(test->name, [test] { run(*test); });
    return all.conclude();
}
