// Draws points and triangles of OGRE by the order of glsort, and by an order sorted on the CPU, and compares the
// pictures pixel for pixel. `ogre_test` runs all cases, each in a process of its own. `--time` measures.
#include <glsort/ogre.h>
#include <glsort/ogre_splats.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "gl_calls.h"
#include "support.h"
#include "timing.h"

namespace {

using Clock = std::chrono::steady_clock;
using glsort::Backend;
using Indices = std::vector<std::uint32_t>;

double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::string text_of(Backend backend) {
    return std::string(glsort::to_string(backend));
}

void require(bool condition, const std::string& text) {
    if (!condition) throw std::runtime_error(text);
}

// --- Objects -----------------------------------------------------------------------------------------------------

enum class Order { stored, cpu, gpu };

/// How the triangles of an object are given.
enum class Corners { none, u16, u32, u16_odd_start, without_indices };

/// Points or triangles in one of three orders.
class Drawn : public Ogre::SimpleRenderable {
  public:
    explicit Drawn(Backend backend) : sort_(backend) {
        setBoundingBox(Ogre::AxisAlignedBox(-3, -3, -3, 3, 3, 3));
        setMaterial(Ogre::MaterialManager::getSingleton().getByName("points"));
        mRenderOp.operationType = Ogre::RenderOperation::OT_POINT_LIST;
        mRenderOp.useIndexes = false;
    }
    ~Drawn() override { clear(); }

    void set(const std::vector<support::Vertex>& vertices, const Indices& triangles = {},
             Corners corners = Corners::none) {
        clear();
        vertices_ = vertices;
        indices_ = triangles;
        mRenderOp.vertexData = support::make_vertices(vertices);
        if (corners == Corners::none) return;
        setMaterial(Ogre::MaterialManager::getSingleton().getByName("triangles"));
        mRenderOp.operationType = Ogre::RenderOperation::OT_TRIANGLE_LIST;
        if (corners != Corners::without_indices) set_indices(triangles, corners);
    }
    /// Of triangles or of points.
    void set_indices(const Indices& indices, Corners corners) {
        indices_ = indices;
        const bool is_long = corners == Corners::u32;
        const std::size_t start = corners == Corners::u16_odd_start ? 3 : 0;
        mRenderOp.useIndexes = true;
        mRenderOp.indexData = OGRE_NEW Ogre::IndexData;
        mRenderOp.indexData->indexStart = start;
        mRenderOp.indexData->indexCount = indices.size();
        mRenderOp.indexData->indexBuffer = Ogre::HardwareBufferManager::getSingleton().createIndexBuffer(
            is_long ? Ogre::HardwareIndexBuffer::IT_32BIT : Ogre::HardwareIndexBuffer::IT_16BIT, start + indices.size(),
            Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY);
        std::vector<std::uint16_t> shorts(start, 0);
        shorts.insert(shorts.end(), indices.begin(), indices.end());
        mRenderOp.indexData->indexBuffer->writeData(
            0, mRenderOp.indexData->indexBuffer->getSizeInBytes(),
            is_long ? static_cast<const void*>(indices.data()) : static_cast<const void*>(shorts.data()), true);
    }

    /// Texture coordinate 0 of each vertex.
    void set_sizes(const std::vector<float>& sizes) {
        Ogre::VertexData& data = *mRenderOp.vertexData;
        data.vertexDeclaration->addElement(1, 0, Ogre::VET_FLOAT1, Ogre::VES_TEXTURE_COORDINATES);
        const auto buffer = Ogre::HardwareBufferManager::getSingleton().createVertexBuffer(
            sizeof(float), sizes.size(), Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY);
        buffer->writeData(0, buffer->getSizeInBytes(), sizes.data(), true);
        data.vertexBufferBinding->setBinding(1, buffer);
    }

    Ogre::Real getBoundingRadius() const override { return 3; }
    Ogre::Real getSquaredViewDepth(const Ogre::Camera* camera) const override {
        return (getParentNode()->_getDerivedPosition() - camera->getDerivedPosition()).squaredLength();
    }

    bool preRender(Ogre::SceneManager* scene, Ogre::RenderSystem*) override {
        if (finish) gl_calls::finish();
        const Clock::time_point begin = Clock::now();
        Ogre::Matrix4 model;
        getWorldTransforms(&model);
        const Ogre::Camera& camera = *scene->getCurrentViewport()->getCamera();
        if (order == Order::gpu) sort_.sort(mRenderOp, model, camera);
        if (order == Order::cpu) sort_on_cpu(view_of(camera) * model);
        if (finish) {
            gl_calls::finish();
            milliseconds += milliseconds_since(begin);
        }
        return true;
    }
    void getRenderOperation(Ogre::RenderOperation& operation) override {
        operation = mRenderOp;
        if (order == Order::gpu) return;
        sort_.restore(operation);
        if (order == Order::stored) return;
        operation.indexData = &cpu_indices_;
        operation.useIndexes = true;
    }

    Order order = Order::gpu;
    bool finish = false;
    double milliseconds = 0;  ///< Of all sorts, with `finish`.

  private:
    void clear() {
        sort_.restore(mRenderOp);
        OGRE_DELETE mRenderOp.vertexData;
        OGRE_DELETE mRenderOp.indexData;
        mRenderOp.vertexData = nullptr;
        mRenderOp.indexData = nullptr;
        mRenderOp.useIndexes = false;
    }

    /// To a space where OGRE draws points with a smaller z behind others.
    Ogre::Matrix4 view_of(const Ogre::Camera& camera) const {
        Ogre::Matrix4 view = camera.getViewMatrix(true);
        if (getUseIdentityView()) view = Ogre::Matrix4::IDENTITY;
        // Without a projection, OpenGL takes a greater z for farther.
        if (getUseIdentityProjection())
            for (std::size_t column = 0; column < 4; ++column)
                view[2][column] = -view[2][column];
        return view;
    }

    /// As an application without glsort: the keys of glsort, a stable sort, and an upload.
    void sort_on_cpu(const Ogre::Matrix4& view) {
        // Mesa adds the products of a dot() from the last one on. Another order of the sum would give other last bits,
        // and other neighbours would change places.
        const auto depth = [&](const std::array<float, 3>& p) {
            return ((-view[2][3] - view[2][2] * p[2]) - view[2][1] * p[1]) - view[2][0] * p[0];
        };
        const bool is_mesh = mRenderOp.operationType == Ogre::RenderOperation::OT_TRIANGLE_LIST;
        const std::size_t elements = is_mesh            ? indices_.size() / 3
                                     : indices_.empty() ? vertices_.size()
                                                        : indices_.size();
        depths_.resize(elements);
        for (std::size_t i = 0; i < elements; ++i) {
            if (!is_mesh) {
                depths_[i] = depth(vertices_[indices_.empty() ? i : indices_[i]].position);
                continue;
            }
            std::array<float, 3> middle{};
            for (std::size_t axis = 0; axis < 3; ++axis)
                middle[axis] =
                    (vertices_[indices_[3 * i]].position[axis] + vertices_[indices_[3 * i + 1]].position[axis] +
                     vertices_[indices_[3 * i + 2]].position[axis]) /
                    3.0f;
            depths_[i] = depth(middle);
        }
        numbers_.resize(elements);
        std::iota(numbers_.begin(), numbers_.end(), 0u);
        std::stable_sort(numbers_.begin(), numbers_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return depths_[a] > depths_[b]; });
        if (is_mesh) {
            Indices sorted(3 * elements);
            for (std::size_t i = 0; i < sorted.size(); ++i)
                sorted[i] = indices_[3 * numbers_[i / 3] + i % 3];
            numbers_ = std::move(sorted);
        } else if (!indices_.empty()) {
            for (std::uint32_t& number : numbers_)
                number = indices_[number];
        }
        if (!cpu_indices_.indexBuffer || cpu_indices_.indexCount != numbers_.size())
            cpu_indices_.indexBuffer = Ogre::HardwareBufferManager::getSingleton().createIndexBuffer(
                Ogre::HardwareIndexBuffer::IT_32BIT, numbers_.size(), Ogre::HardwareBuffer::HBU_DYNAMIC_WRITE_ONLY);
        cpu_indices_.indexCount = numbers_.size();
        cpu_indices_.indexBuffer->writeData(0, 4 * numbers_.size(), numbers_.data(), true);
    }

    glsort_ogre::DepthSort sort_;
    std::vector<support::Vertex> vertices_;
    Indices indices_;
    std::vector<float> depths_;
    Indices numbers_;
    Ogre::IndexData cpu_indices_;
};

/// Two interlocked rings of triangles. `triangles` is twice a multiple of 2 * `around`; `left_out` triangles are cut
/// off at the end.
void make_rings(std::size_t along, std::size_t around, std::size_t left_out, std::vector<support::Vertex>& vertices,
                Indices& corners) {
    for (std::size_t ring = 0; ring < 2; ++ring)
        for (std::size_t i = 0; i < along; ++i)
            for (std::size_t j = 0; j < around; ++j) {
                const float shade = (i + j) % 2 == 0 ? 1.0f : 0.6f;
                vertices.push_back(
                    {support::ring_point(ring == 1, float(i) / float(along), float(j) / float(around), 0.3f),
                     ring == 1 ? support::colour_of(0.2f * shade, 0.5f * shade, shade, 0.5f)
                               : support::colour_of(shade, 0.5f * shade, 0.1f, 0.5f)});
            }
    const auto number = [&](std::size_t ring, std::size_t i, std::size_t j) {
        return static_cast<std::uint32_t>((ring * along + i % along) * around + j % around);
    };
    for (std::size_t ring = 0; ring < 2; ++ring)
        for (std::size_t i = 0; i < along; ++i)
            for (std::size_t j = 0; j < around; ++j)
                for (const std::uint32_t corner :
                     {number(ring, i, j), number(ring, i + 1, j), number(ring, i, j + 1), number(ring, i, j + 1),
                      number(ring, i + 1, j), number(ring, i + 1, j + 1)})
                    corners.push_back(corner);
    corners.resize(corners.size() - 3 * left_out);
}

// --- Pictures ----------------------------------------------------------------------------------------------------

constexpr unsigned int width = 480;
constexpr unsigned int height = 360;
using Picture = std::vector<std::uint32_t>;

std::size_t difference(const Picture& a, const Picture& b) {
    std::size_t pixels = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        pixels += a[i] != b[i];
    return pixels;
}

/// OGRE, a scene with opaque balls, and windows.
struct Stage {
    support::Engine engine;
    Ogre::SceneManager* scene = nullptr;
    Ogre::RenderWindow* window = open("first", {1.5f, -4.2f, 2.6f});
    std::vector<std::unique_ptr<Drawn>> objects;  // destroyed before OGRE
    std::string report;

    Stage() { require(gl_calls::error() == 0, "errors of OpenGL after the start"); }
    ~Stage() {
        for (const auto& object : objects)
            if (object->isAttached()) object->detachFromParent();
    }

    Ogre::RenderWindow* open(const std::string& name, const Ogre::Vector3& eye) {
        Ogre::RenderWindow* const opened = engine.open(name, width, height);
        if (scene == nullptr) {
            scene = engine.root.createSceneManager();
            support::make_point_material("points");
            support::blend(support::make_material("triangles",
                                                  "#version 330\n"
                                                  "in vec4 vertex;\n"
                                                  "in vec4 colour;\n"
                                                  "uniform mat4 to_clip;\n"
                                                  "out vec4 corner_colour;\n"
                                                  "void main() {\n"
                                                  "    gl_Position = to_clip * vertex;\n"
                                                  "    corner_colour = colour;\n"
                                                  "}\n",
                                                  "#version 330\n"
                                                  "in vec4 corner_colour;\n"
                                                  "out vec4 result;\n"
                                                  "void main() { result = corner_colour; }\n"));
            support::make_opaque_material("balls");
            for (const float x : {-0.95f, 0.95f}) {
                Ogre::Entity* const ball = scene->createEntity(Ogre::SceneManager::PT_SPHERE);
                ball->setMaterialName("balls");
                auto* const node = scene->getRootSceneNode()->createChildSceneNode(Ogre::Vector3(x, 0, 0));
                node->setScale(0.007f, 0.007f, 0.007f);
                node->attachObject(ball);
            }
        }
        const std::string camera = name + " camera";
        opened->addViewport(scene->hasCamera(camera) ? scene->getCamera(camera)
                                                     : support::make_camera(*scene, camera, eye));
        return opened;
    }
    void close(Ogre::RenderWindow* closed) { engine.root.destroyRenderTarget(closed); }

    Drawn& add(Backend backend) {
        objects.push_back(std::make_unique<Drawn>(backend));
        auto* const node = scene->getRootSceneNode()->createChildSceneNode(Ogre::Vector3(0.05f, 0.1f, -0.05f));
        node->yaw(Ogre::Degree(10));
        node->attachObject(objects.back().get());
        return *objects.back();
    }
    Drawn& add_points(Backend backend, std::size_t count = 20000) {
        Drawn& object = add(backend);
        object.set(support::ring_points(count, 0.35f));
        return object;
    }
    void remove(Drawn& object) {
        object.detachFromParent();
        std::erase_if(objects, [&](const auto& held) { return held.get() == &object; });
    }

    Picture picture_of(Ogre::RenderWindow& drawn, Order order) {
        for (const auto& object : objects)
            object->order = order;
        drawn.update(false);
        Picture picture(std::size_t{width} * height);
        const Ogre::PixelBox box(width, height, 1, Ogre::PF_BYTE_RGBA, picture.data());
        drawn.copyContentsToMemory(Ogre::Box(0, 0, width, height), box, Ogre::RenderTarget::FB_BACK);
        const unsigned int error = gl_calls::error();
        require(error == 0, "error " + std::to_string(error) + " of OpenGL");
        return picture;
    }
    /// Compares. Windows without an unsorted picture that differs test nothing.
    void compare(Ogre::RenderWindow& drawn, std::size_t must_differ = 1000) {
        const Picture stored = picture_of(drawn, Order::stored);
        const Picture cpu = picture_of(drawn, Order::cpu);
        const Picture gpu = picture_of(drawn, Order::gpu);
        const std::size_t sorted = difference(gpu, cpu);
        const std::size_t unsorted = difference(stored, cpu);
        report += (report.empty() ? "" : "; ") + std::to_string(sorted) + " (" + std::to_string(unsorted) + ")";
        if (const char* const folder = std::getenv("OGRE_TEST_PICTURES"))
            drawn.writeContentsToFile(std::string(folder) + "/" + std::to_string(getpid()) + "-" +
                                      std::to_string(report.size()) + ".png");
        require(sorted == 0, report + ": pixels differ from the order of the CPU");
        require(unsorted >= must_differ, report + ": too few pixels differ without a sort");
    }
    void compare() { compare(*window); }
};

// --- Cases -------------------------------------------------------------------------------------------------------

/// Returns what to print.
using Run = std::function<std::string(Backend)>;

std::string points(Backend backend) {
    Stage stage;
    stage.add_points(backend);
    for (const Ogre::Vector3& eye : {Ogre::Vector3(1.5f, -4.2f, 2.6f), {-3, 3, 1}, {0.3f, -0.4f, 0.2f}}) {
        auto* const node = stage.scene->getCamera("first camera")->getParentSceneNode();
        node->setPosition(eye);
        node->lookAt(Ogre::Vector3(0.1f, 0, 0), Ogre::Node::TS_PARENT);
        stage.compare();
    }
    return stage.report;
}

Ogre::MaterialPtr gaussians() {
    return glsort_ogre::make_splat_material("gaussians", {.radius = 0.08f});
}

std::string splats(Backend backend) {
    Stage stage;
    stage.add_points(backend).setMaterial(gaussians());
    for (const Ogre::Vector3& eye : {Ogre::Vector3(1.5f, -4.2f, 2.6f), {-3, 3, 1}, {0.3f, -0.4f, 0.2f}}) {
        auto* const node = stage.scene->getCamera("first camera")->getParentSceneNode();
        node->setPosition(eye);
        node->lookAt(Ogre::Vector3(0.1f, 0, 0), Ogre::Node::TS_PARENT);
        stage.compare();
    }
    return stage.report;
}

/// Pictures of four texels, each point of another size.
Ogre::MaterialPtr pictures(bool sized) {
    std::array<std::uint8_t, 16> texels{255, 0, 0, 255, 0, 255, 0, 200, 0, 0, 255, 150, 255, 255, 255, 100};
    Ogre::Image image;
    image.loadDynamicImage(texels.data(), 2, 2, Ogre::PF_BYTE_RGBA);
    const Ogre::MaterialPtr material = glsort_ogre::make_splat_material(
        "pictures",
        {.radius = 0.04f,
         .sized = sized,
         .look = "uniform sampler2D picture;\n"
                 "vec4 splat(vec4 color, vec2 place) { return color * texture(picture, 0.5 * place + 0.5); }\n"});
    material->getTechnique(0)->getPass(0)->createTextureUnitState()->setTexture(
        Ogre::TextureManager::getSingleton().loadImage("picture", Ogre::RGN_DEFAULT, image));
    return material;
}

std::string billboards(Backend backend) {
    Stage stage;
    Drawn& object = stage.add_points(backend);
    std::vector<float> sizes(20000);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        sizes[i] = 0.5f + 0.1f * float(i % 11);
    object.set_sizes(sizes);
    object.setMaterial(pictures(true));
    stage.compare();
    return stage.report;
}

/// OGRE's own billboards, which hand their centres to the GPU, sorted by `BackToFront`.
std::string billboard_set(Backend backend) {
    Stage stage;
    const Ogre::MaterialPtr material = pictures(false);
    Drawn& object = stage.add_points(backend);
    object.setMaterial(material);
    stage.compare();
    const Picture expected = stage.picture_of(*stage.window, Order::cpu);
    Ogre::SceneNode* const node = object.getParentSceneNode();
    stage.remove(object);
    std::unique_ptr<Ogre::BillboardSet> set;
    if (backend == Backend::fragment)
        set = std::make_unique<glsort_ogre::BackToFront<Ogre::BillboardSet, Backend::fragment>>("set", 20000u);
    else
        set = std::make_unique<glsort_ogre::BackToFront<Ogre::BillboardSet, Backend::compute>>("set", 20000u);
    set->setPointRenderingEnabled(true);
    set->setMaterial(material);
    for (const support::Vertex& vertex : support::ring_points(20000, 0.35f)) {
        Ogre::ColourValue colour;
        colour.setAsABGR(vertex.colour);
        set->createBillboard(Ogre::Vector3(vertex.position.data()), colour);
    }
    node->attachObject(set.get());
    const std::size_t pixels = difference(stage.picture_of(*stage.window, Order::gpu), expected);
    set->detachFromParent();
    set.reset();
    require(pixels == 0, std::to_string(pixels) + " pixels differ");
    return stage.report + "; " + std::to_string(pixels);
}

/// Two points without a look of their own: the squares have the size that was asked for, and stay upright.
std::string size_of_splats(Backend backend) {
    Stage stage;
    Drawn& object = stage.add(backend);
    object.set({{{-1, 0, 0}, support::colour_of(1, 0, 0, 1)}, {{1, 0, 0}, support::colour_of(0, 1, 0, 1)}});
    object.set_sizes({1, 2});
    object.setMaterial(glsort_ogre::make_splat_material(
        "squares", {.radius = 0.25f, .sized = true, .look = "vec4 splat(vec4 color, vec2 place) { return color; }"}));
    auto* const node = static_cast<Ogre::SceneNode*>(object.getParentNode());
    node->resetOrientation();
    node->setPosition(0, 0, 1.5f);  // above the balls
    node->setScale(0.5f, 3, 3);     // moves points, and does not change their size
    auto* const eye = stage.scene->getCamera("first camera")->getParentSceneNode();
    eye->setPosition(0, -5, 1.5f);
    eye->lookAt(Ogre::Vector3(0, 0, 1.5f), Ogre::Node::TS_PARENT);
    const Picture picture = stage.picture_of(*stage.window, Order::gpu);
    // Pixels of a unit of length at a distance of 5: the camera sees 40 degrees.
    const double unit = height / (2 * 5 * std::tan(std::numbers::pi / 9));
    for (const auto& [shift, edge] : {std::pair{-0.5, 0.5 * unit}, std::pair{0.5, unit}})
        for (unsigned int row = 0; row < height; ++row)
            for (unsigned int column = 0; column < width; ++column) {
                const double x = std::abs(column + 0.5 - (width / 2.0 + shift * unit));
                const double y = std::abs(row + 0.5 - height / 2.0);
                const double from_edge = std::max(x, y) - edge / 2;
                const bool is_drawn = (picture[row * width + column] & 0xffffff) == (shift < 0 ? 0xffu : 0xff00u);
                require(std::abs(from_edge) < 1 || is_drawn == (from_edge < 0),
                        "a square of another size, pixel " + std::to_string(column) + ", " + std::to_string(row));
            }
    return "squares of " + std::to_string(int(0.5 * unit)) + " and " + std::to_string(int(unit)) + " pixels";
}

std::string version_33(Backend backend) {
    Stage stage;
    const std::string version = gl_calls::version();
    require(version.starts_with("3.3"), "the context is " + version);
    stage.add_points(backend);
    stage.compare();
    Drawn& mesh = stage.add(backend);
    std::vector<support::Vertex> vertices;
    Indices corners;
    make_rings(60, 13, 1, vertices, corners);
    mesh.set(vertices, corners, Corners::u16);
    stage.compare();
    stage.remove(mesh);
    stage.objects.front()->setMaterial(gaussians());
    stage.compare();
    return stage.report + ", " + version;
}

std::string triangles(Backend backend) {
    Stage stage;
    Drawn& mesh = stage.add(backend);
    for (const Corners kind : {Corners::u32, Corners::u16, Corners::u16_odd_start, Corners::without_indices})
        for (const std::size_t left_out : {0, 1}) {
            std::vector<support::Vertex> vertices;
            Indices corners;
            make_rings(100, 16, left_out, vertices, corners);
            if (kind == Corners::without_indices) {
                std::vector<support::Vertex> single;
                for (std::uint32_t& corner : corners) {
                    single.push_back(vertices[corner]);
                    corner = static_cast<std::uint32_t>(single.size() - 1);
                }
                vertices = std::move(single);
            }
            mesh.set(vertices, corners, kind);
            stage.compare();
        }
    return stage.report;
}

/// Points that leave out vertices, and draw some of them several times.
std::string points_by_indices(Backend backend) {
    Stage stage;
    Drawn& object = stage.add(backend);
    for (const Corners kind : {Corners::u32, Corners::u16, Corners::u16_odd_start})
        for (const std::uint32_t count : {30000, 30001}) {
            Indices indices(count);
            for (std::uint32_t i = 0; i < count; ++i)
                indices[i] = i * 7 % 15000 + (i % 3 == 0 ? 1000 : 0);
            object.set(support::ring_points(20000, 0.35f));
            object.set_indices(indices, kind);
            stage.compare();
        }
    return stage.report;
}

std::string windows(Backend backend) {
    Stage stage;
    Ogre::RenderWindow* const second = stage.open("second", {-3, -3, 1});
    stage.add_points(backend);
    stage.add_points(backend, 5000);
    for (int i = 0; i < 2; ++i) {
        stage.compare();
        stage.compare(*second);
    }
    stage.engine.root.renderOneFrame();  // both in turn
    require(gl_calls::error() == 0, "errors of OpenGL after a frame");
    return stage.report;
}

/// A window is closed while its objects live, and others are opened. Their contexts may get the address of the first
/// one, so the adapter must know a context that has ended.
std::string window_again(Backend backend) {
    Stage stage;
    stage.add_points(backend);
    stage.compare();
    const glsort_ogre::detail::ContextLife first(glsort_ogre::detail::current_context());
    for (int i = 0; i < 3; ++i) {
        Ogre::RenderWindow* const second = stage.open("second", {-3, -3, 1});
        stage.compare(*second);
        const glsort_ogre::detail::ContextLife life(glsort_ogre::detail::current_context());
        require(!life.ended() && !life.is(first), "the second window has no context of its own");
        stage.close(second);
        require(life.ended() && !first.ended(), "the wrong context has ended");
        stage.compare();
    }
    return stage.report;
}

std::string engine_again(Backend backend) {
    std::string report;
    for (int i = 0; i < 3; ++i) {
        Stage stage;
        stage.add_points(backend);
        stage.compare();
        report += (report.empty() ? "" : "; ") + stage.report;
    }
    return report;
}

/// The object goes after the window that alone has drawn it, and its sorter with another context current.
std::string outlives(Backend backend) {
    Stage stage;
    Drawn& kept = stage.add_points(backend);
    Ogre::RenderWindow* second = stage.open("second", {-3, -3, 1});
    Drawn& gone = stage.add_points(backend, 4000);
    gone.setVisible(true);
    stage.compare(*second);
    stage.close(second);
    stage.remove(gone);
    stage.compare();
    second = stage.open("third", {-3, 3, 1});
    stage.compare(*second);
    glsort_ogre::release_sorters();
    stage.compare(*second);
    stage.compare();
    stage.close(second);
    stage.remove(kept);
    require(gl_calls::error() == 0, "errors of OpenGL");
    return stage.report;
}

/// A thread draws what another thread has made and drawn.
std::string thread(Backend backend) {
    Stage stage;
    Ogre::RenderWindow* const second = stage.open("second", {-3, -3, 1});
    stage.add_points(backend);
    stage.compare();
    gl_calls::leave_context();
    std::string error;
    std::thread([&] {
        try {
            glsort_ogre::detail::current_context().setCurrent();
            stage.add_points(backend, 3000);
            stage.compare();
            stage.compare(*second);
        } catch (const std::exception& thrown) {
            error = thrown.what();
        }
        gl_calls::leave_context();
    }).join();
    glsort_ogre::detail::current_context().setCurrent();
    require(error.empty(), error);
    stage.compare(*second);
    stage.compare();
    return stage.report;
}

struct Scissor : Ogre::RenderTargetListener {
    Ogre::RenderSystem* system = nullptr;
    void preViewportUpdate(const Ogre::RenderTargetViewportEvent&) override {
        system->setScissorTest(true, Ogre::Rect(100, 80, 300, 200));
    }
};

std::string states(Backend backend) {
    Stage stage;
    stage.add_points(backend);
    Drawn& mesh = stage.add(backend);
    std::vector<support::Vertex> vertices;
    Indices corners;
    make_rings(100, 16, 0, vertices, corners);
    mesh.set(vertices, corners, Corners::u32);
    Ogre::Camera& camera = *stage.scene->getCamera("first camera");
    camera.setPolygonMode(Ogre::PM_WIREFRAME);
    stage.compare();
    camera.setPolygonMode(Ogre::PM_POINTS);
    stage.compare(*stage.window, 0);
    camera.setPolygonMode(Ogre::PM_SOLID);
    Scissor scissor;
    scissor.system = stage.engine.root.getRenderSystem();
    stage.window->addListener(&scissor);
    stage.compare();
    stage.window->removeListener(&scissor);
    scissor.system->setScissorTest(false);
    return stage.report;
}

std::string stipple(Backend backend) {
    Stage stage;
    stage.add_points(backend);
    stage.compare();
    gl_calls::stipple(true);
    if (gl_calls::error() != 0) return stage.report + ", a core context: no stipple";
    stage.compare();
    gl_calls::stipple(false);
    return stage.report;
}

/// A viewport that is part of the window, a reflected camera, an orthographic one, and a scaled node.
std::string cameras(Backend backend) {
    Stage stage;
    Drawn& object = stage.add_points(backend);
    Ogre::Camera& camera = *stage.scene->getCamera("first camera");
    stage.window->getViewport(0)->setDimensions(0.2f, 0.1f, 0.5f, 0.6f);
    stage.compare();
    camera.enableReflection(Ogre::Plane(Ogre::Vector3::UNIT_Z, -0.2f));
    stage.compare();
    camera.disableReflection();
    camera.setProjectionType(Ogre::PT_ORTHOGRAPHIC);
    camera.setOrthoWindowHeight(4);
    stage.compare();
    object.getParentNode()->setScale(1.5f, 0.5f, 0.8f);
    stage.compare();
    return stage.report;
}

std::string grows(Backend backend) {
    Stage stage;
    Drawn& first = stage.add_points(backend, 1000);
    Drawn& second = stage.add_points(backend, 3000);
    stage.compare(*stage.window, 100);
    for (const std::size_t count : {1500, 20000, 70000, 10}) {
        first.set(support::ring_points(count, 0.35f));
        stage.compare();
    }
    stage.remove(second);
    first.set(support::ring_points(9000, 0.35f));
    stage.compare();
    stage.add_points(backend, 2000);
    stage.compare();
    return stage.report;
}

/// Points as OGRE draws them, for `BackToFront`.
struct Plain : Ogre::SimpleRenderable {
    explicit Plain(const std::vector<support::Vertex>& vertices) {
        mRenderOp.operationType = Ogre::RenderOperation::OT_POINT_LIST;
        mRenderOp.useIndexes = false;
        mRenderOp.vertexData = support::make_vertices(vertices);
        setBoundingBox(Ogre::AxisAlignedBox(-3, -3, -3, 3, 3, 3));
        setMaterial(Ogre::MaterialManager::getSingleton().getByName("points"));
    }
    ~Plain() override {
        require(mRenderOp.indexData == nullptr, "the operation of the base has changed");
        OGRE_DELETE mRenderOp.vertexData;
    }
    Ogre::Real getBoundingRadius() const override { return 3; }
    Ogre::Real getSquaredViewDepth(const Ogre::Camera*) const override { return 1; }
};

/// Draws `vertices` by `BackToFront` in place of `object`, which has these vertices, too. Returns how many pixels
/// differ from the order of the CPU.
std::size_t difference_of_mixin(Stage& stage, Drawn& object, const std::vector<support::Vertex>& vertices,
                                Backend backend) {
    const Picture expected = stage.picture_of(*stage.window, Order::cpu);
    Ogre::SceneNode* const node = object.getParentSceneNode();
    std::unique_ptr<Ogre::SimpleRenderable> plain;
    if (backend == Backend::fragment)
        plain = std::make_unique<glsort_ogre::BackToFront<Plain, Backend::fragment>>(vertices);
    else
        plain = std::make_unique<glsort_ogre::BackToFront<Plain, Backend::compute>>(vertices);
    plain->setUseIdentityView(object.getUseIdentityView());
    plain->setUseIdentityProjection(object.getUseIdentityProjection());
    object.detachFromParent();
    node->attachObject(plain.get());
    const std::size_t pixels = difference(stage.picture_of(*stage.window, Order::gpu), expected);
    plain->detachFromParent();
    node->attachObject(&object);
    return pixels;
}

/// What OGRE draws by `BackToFront` is what it draws by `DepthSort`.
std::string mixin(Backend backend) {
    Stage stage;
    Drawn& object = stage.add_points(backend);
    stage.compare();
    const std::size_t pixels = difference_of_mixin(stage, object, support::ring_points(20000, 0.35f), backend);
    require(pixels == 0, std::to_string(pixels) + " pixels differ");
    return stage.report + "; " + std::to_string(pixels);
}

/// Objects that OGRE draws without the camera's view, without its projection, or without both.
std::string identity(Backend backend) {
    struct Setting {
        bool view;
        bool projection;
        Ogre::Vector3 eye;  // OGRE leaves out what this camera does not see
        Ogre::Vector3 place;
        float scale;
    };
    const std::vector<Setting> settings{{true, false, {2, 2, -9}, {0, 0, -5}, 1},  // seen by the camera from behind
                                        {true, true, {1.5f, -4.2f, 2.6f}, {0, 0, 0}, 0.4f},
                                        {false, true, {0.1f, -0.3f, 0.2f}, {0, 0, 0}, 0.3f}};
    Stage stage;
    const std::vector<support::Vertex> vertices = support::ring_points(2000, 0.35f);
    Drawn& object = stage.add(backend);
    object.set(vertices);
    Ogre::SceneNode* const eye = stage.scene->getCamera("first camera")->getParentSceneNode();
    Ogre::SceneNode* const node = object.getParentSceneNode();
    for (const Setting& setting : settings) {
        object.setUseIdentityView(setting.view);
        object.setUseIdentityProjection(setting.projection);
        node->setPosition(setting.place);
        node->setScale(setting.scale, setting.scale, setting.scale);
        eye->setPosition(setting.eye);
        eye->lookAt(setting.place, Ogre::Node::TS_PARENT);
        const Picture stored = stage.picture_of(*stage.window, Order::stored);
        const std::size_t unsorted = difference(stored, stage.picture_of(*stage.window, Order::cpu));
        const std::size_t sorted = difference_of_mixin(stage, object, vertices, backend);
        stage.report +=
            (stage.report.empty() ? "" : "; ") + std::to_string(sorted) + " (" + std::to_string(unsorted) + ")";
        require(sorted == 0, stage.report + ": pixels differ from the order of the CPU");
        require(unsorted >= 1000, stage.report + ": too few pixels differ without a sort");
    }
    return stage.report;
}

std::string errors(Backend backend) {
    Stage stage;
    Drawn& object = stage.add_points(backend);
    stage.compare();
    Ogre::RenderOperation operation;
    glsort_ogre::DepthSort sort(backend);
    const Ogre::Camera& camera = *stage.scene->getCamera("first camera");
    const auto message = [&] {
        try {
            sort.sort(operation, Ogre::Matrix4::IDENTITY, camera);
        } catch (const glsort::Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    object.getRenderOperation(operation);
    const Ogre::RenderOperation sorted = operation;
    operation.operationType = Ogre::RenderOperation::OT_TRIANGLE_STRIP;
    require(message().find("operationType 5") != std::string::npos, "a strip was sorted: " + message());
    operation.operationType = Ogre::RenderOperation::OT_POINT_LIST;
    operation.useIndexes = false;
    Ogre::VertexData empty;
    operation.vertexData = &empty;
    require(message().find("VES_POSITION") != std::string::npos, "no positions were sorted: " + message());
    empty.vertexDeclaration->addElement(0, 0, Ogre::VET_SHORT4, Ogre::VES_POSITION);
    require(message().find("VES_POSITION has type") != std::string::npos, "shorts were sorted: " + message());
    operation = sorted;
    operation.useIndexes = false;
    operation.vertexData->vertexCount = 0;
    require(message().empty(), "no points: " + message());
    operation.vertexData->vertexCount = 20000;
    stage.compare();
    return stage.report;
}

struct Case {
    const char* name;
    Run run;
    std::vector<Backend> backends = {Backend::fragment, Backend::compute};
    const char* version = nullptr;  ///< Of the context, for Mesa.
};

std::vector<Case> all_cases() {
    return {{"points", points},
            {"3.3", version_33, {Backend::automatic}, "3.3"},
            {"triangles", triangles},
            {"points-by-indices", points_by_indices},
            {"splats", splats},
            {"billboards", billboards},
            {"billboard-set", billboard_set},
            {"size-of-splats", size_of_splats},
            {"windows", windows},
            {"window-again", window_again},
            {"engine-again", engine_again},
            {"outlives", outlives},
            {"thread", thread},
            {"states", states},
            {"stipple", stipple},
            {"cameras", cameras},
            {"grows", grows},
            {"mixin", mixin},
            {"identity", identity},
            {"errors", errors}};
}

/// In a process of its own, for OGRE is one for each process, and a crash must not end the others.
bool run_apart(const char* program, const Case& test, Backend backend) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (test.version != nullptr) setenv("MESA_GL_VERSION_OVERRIDE", test.version, 1);
        execl(program, program, "--case", test.name, text_of(backend).c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        std::printf("FAILED %s %s: signal %d\n", test.name, text_of(backend).c_str(), WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int run_all(const char* program) {
    int passed = 0;
    int failed = 0;
    for (const Case& test : all_cases())
        for (const Backend backend : test.backends)
            ++(run_apart(program, test, backend) ? passed : failed);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}

int run_case(const std::string& name, Backend backend) {
    for (const Case& test : all_cases()) {
        if (test.name != name) continue;
        try {
            const std::string report = test.run(backend);
            std::printf("ok %s %s: %s\n", test.name, text_of(backend).c_str(), report.c_str());
            return 0;
        } catch (const std::exception& error) {
            std::printf("FAILED %s %s: %s\n", test.name, text_of(backend).c_str(), error.what());
            return 1;
        }
    }
    std::fprintf(stderr, "ogre_test: no case %s\n", name.c_str());
    return 1;
}

// --- Times -------------------------------------------------------------------------------------------------------

void turn_camera(Stage& stage) {
    stage.scene->getCamera("first camera")->getParentSceneNode()->rotate(Ogre::Vector3::UNIT_Z, Ogre::Degree(3));
}

/// OGRE's own: a radix sort of a BillboardSet on the CPU. Without the upload of all vertices that follows.
double milliseconds_of_billboards(Stage& stage, const std::vector<support::Vertex>& vertices) {
    Ogre::BillboardSet* const set = stage.scene->createBillboardSet(static_cast<unsigned int>(vertices.size()));
    set->setSortingEnabled(true);
    set->setMaterialName("points");
    for (const support::Vertex& vertex : vertices)
        set->createBillboard(vertex.position[0], vertex.position[1], vertex.position[2]);
    Ogre::SceneNode* const node = stage.scene->getRootSceneNode()->createChildSceneNode();
    node->attachObject(set);
    Ogre::Camera* const camera = stage.scene->getCamera("first camera");
    std::vector<double> times;
    for (int i = 0; i < 9; ++i) {
        turn_camera(stage);
        set->_notifyCurrentCamera(camera);
        times.push_back(timing::milliseconds([&] { set->_sortBillboards(camera); }));
    }
    node->detachAllObjects();
    stage.scene->destroyBillboardSet(set);
    return timing::median(times);
}

/// As CSV in the form of docs/results.
void measure(Stage& stage, const char* series, Order order, Backend backend,
             const std::vector<support::Vertex>& vertices) {
    Drawn& object = stage.add(backend);
    object.set(vertices);
    object.order = order;
    const auto draw = [&](int) {
        turn_camera(stage);
        stage.window->update(false);
    };
    const auto count = static_cast<std::uint32_t>(vertices.size());
    timing::print_row(series, 4, count, timing::median_frame(draw));
    object.finish = true;
    std::vector<double> sorts;
    for (int i = 0; i < 9; ++i) {
        object.milliseconds = 0;
        draw(i);
        sorts.push_back(object.milliseconds);
    }
    if (order != Order::stored) timing::print_row(std::string(series) + timing::alone, 4, count, timing::median(sorts));
    stage.remove(object);
}

int time_all() {
    Stage stage;
    std::fprintf(stderr, "%s\n", timing::description().c_str());
    timing::print_head();
    for (const std::uint32_t count : {1u << 17, 1u << 20}) {
        const std::vector<support::Vertex> vertices = support::ring_points(count, 0.1f);
        measure(stage, timing::not_sorted, Order::stored, Backend::automatic, vertices);
        measure(stage, "sorted by std::stable_sort", Order::cpu, Backend::automatic, vertices);
        measure(stage, timing::by_fragment, Order::gpu, Backend::fragment, vertices);
        if (timing::has_compute()) measure(stage, timing::by_compute, Order::gpu, Backend::compute, vertices);
        timing::print_row("sorted by Ogre::BillboardSet" + std::string(timing::alone), 4, count,
                          milliseconds_of_billboards(stage, vertices));
    }
    return 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
    const std::vector<std::string> options(arguments + 1, arguments + argument_count);
    try {
        if (options.empty()) return run_all(arguments[0]);
        if (options.size() == 1 && options[0] == "--time") return time_all();
        if (options.size() == 1 && options[0] == "--list") {
            for (const Case& test : all_cases())
                std::printf("%s\n", test.name);
            return 0;
        }
        if (options.size() == 3 && options[0] == "--case")
            return run_case(options[1], glsort::backend_from_string(options[2]));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ogre_test: %s\n", error.what());
        return 1;
    }
    const bool help = options.size() == 1 && options[0] == "--help";
    std::fprintf(help ? stdout : stderr,
                 "usage: ogre_test                        all cases\n"
                 "       ogre_test --case NAME BACKEND    one case on fragment, compute or automatic\n"
                 "       ogre_test --list                 the names of the cases\n"
                 "       ogre_test --time                 medians of milliseconds as CSV: frames of 2^17 and\n"
                 "                                        of 2^20 points, and what a sort takes alone\n"
                 "       ogre_test --help                 this text\n");
    return help ? 0 : 1;
}
