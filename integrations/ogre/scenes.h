#pragma once

#include <glsort/ogre.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "../common/knot.h"

/// What the example and the test draw: a translucent knot around opaque boxes.

namespace scenes {

inline constexpr std::uint32_t width = 960;
inline constexpr std::uint32_t height = 540;

/// OGRE without files of settings and resources.
inline std::unique_ptr<Ogre::Root> make_root() {
    auto* const log = new Ogre::LogManager;
    log->createLog("", true, false, true);  // nowhere
    auto root = std::make_unique<Ogre::Root>("", "", "");
    root->loadPlugin(OGRE_PLUGINS "/RenderSystem_GL3Plus");
    root->loadPlugin(OGRE_PLUGINS "/Codec_STBI");
    root->setRenderSystem(root->getAvailableRenderers().front());
    root->initialise(false);
    return root;
}

inline Ogre::RenderWindow* make_window(const std::string& name) {
    const Ogre::NameValuePairList options{{"hidden", "true"}, {"FSAA", "0"}};
    return Ogre::Root::getSingleton().createRenderWindow(name, width, height, false, &options);
}

inline void make_material(const std::string& name, const char* vertex_shader, const char* fragment_shader,
                          bool translucent) {
    auto& programs = Ogre::HighLevelGpuProgramManager::getSingleton();
    const auto add = [&](const char* ending, Ogre::GpuProgramType type, const char* text) {
        const auto program = programs.createProgram(name + ending, "General", "glsl", type);
        program->setSource(text);
        return program->getName();
    };
    const auto material = Ogre::MaterialManager::getSingleton().create(name, "General");
    Ogre::Pass& pass = *material->getTechnique(0)->getPass(0);
    pass.setVertexProgram(add(".vert", Ogre::GPT_VERTEX_PROGRAM, vertex_shader));
    pass.setFragmentProgram(add(".frag", Ogre::GPT_FRAGMENT_PROGRAM, fragment_shader));
    pass.getVertexProgramParameters()->setNamedAutoConstant("to_clip",
                                                            Ogre::GpuProgramParameters::ACT_WORLDVIEWPROJ_MATRIX);
    if (translucent) {
        pass.setSceneBlending(Ogre::SBT_TRANSPARENT_ALPHA);
        pass.setDepthWriteEnabled(false);
        pass.setCullingMode(Ogre::CULL_NONE);
        pass.setPointSpritesEnabled(true);
        pass.setPointSize(8);
        pass.setPointAttenuation(true);
    }
    material->load();
}

/// "splats" for points, "glass" for triangles, "boxes" for the opaque ones.
inline void make_materials() {
    make_material("splats", R"(#version 330
in vec4 vertex;
in vec4 colour;
uniform mat4 to_clip;
out vec4 color;
void main() {
    gl_Position = to_clip * vertex;
    gl_PointSize = 70.0 / gl_Position.w;
    color = colour;
})",
                  R"(#version 330
in vec4 color;
out vec4 result;
void main() {
    vec2 place = 2.0 * gl_PointCoord - 1.0;
    float distance = dot(place, place);
    if (distance > 1.0) discard;
    result = vec4(color.rgb * (1.0 - 0.5 * distance), color.a);
})",
                  true);
    make_material("glass", R"(#version 330
in vec4 vertex;
in vec4 colour;
uniform mat4 to_clip;
out vec4 color;
void main() {
    gl_Position = to_clip * vertex;
    color = colour;
})",
                  R"(#version 330
in vec4 color;
out vec4 result;
void main() {
    result = color;
})",
                  true);
    make_material("boxes", R"(#version 330
in vec4 vertex;
in vec3 normal;
uniform mat4 to_clip;
out vec3 lit;
void main() {
    gl_Position = to_clip * vertex;
    lit = normal;
})",
                  R"(#version 330
in vec3 lit;
out vec4 result;
void main() {
    result = vec4(0.5 + 0.4 * lit, 1.0);
})",
                  false);
}

enum class Order { as_made, cpu, fragment, compute };

/// A translucent object: points, or triangles of 16-bit indices.
class Knot : public Ogre::SimpleRenderable {
  public:
    Knot(Order order, std::optional<std::uint32_t> points) : order_(order) {
        mRenderOp.vertexData = OGRE_NEW Ogre::VertexData;
        auto& declaration = *mRenderOp.vertexData->vertexDeclaration;
        declaration.addElement(0, 0, Ogre::VET_FLOAT3, Ogre::VES_POSITION);
        declaration.addElement(0, 12, Ogre::VET_UBYTE4_NORM, Ogre::VES_DIFFUSE);
        if (points) {
            set_points(*points);
        } else {
            set_vertices(knot::tube());
            set_triangles();
        }
        if (order == Order::fragment || order == Order::compute)
            depth_sort_.emplace(order == Order::fragment ? glsort::Backend::fragment : glsort::Backend::compute);
        setBoundingBox(Ogre::AxisAlignedBox(-4, -4, -4, 4, 4, 4));
        setMaterial(Ogre::MaterialManager::getSingleton().getByName(points ? "splats" : "glass"));
    }
    ~Knot() override {
        OGRE_DELETE mRenderOp.vertexData;
        OGRE_DELETE mRenderOp.indexData;
    }

    void set_points(std::uint32_t count) {
        mRenderOp.operationType = Ogre::RenderOperation::OT_POINT_LIST;
        mRenderOp.useIndexes = false;
        set_vertices(knot::points(count));
        corners_.resize(count);
        std::iota(corners_.begin(), corners_.end(), 0u);
    }

    // [example]
    bool preRender(Ogre::SceneManager* scene, Ogre::RenderSystem*) override {
        Ogre::Matrix4 model;
        getWorldTransforms(&model);
        const Ogre::Camera& camera = *scene->getCurrentViewport()->getCamera();
        if (depth_sort_) depth_sort_->sort(mRenderOp, model, camera);
        // [end]
        if (order_ == Order::cpu) sort_on_cpu(model, camera);
        if (before_draw) before_draw();
        return true;
    }
    Ogre::Real getBoundingRadius() const override { return 4; }
    Ogre::Real getSquaredViewDepth(const Ogre::Camera* camera) const override {
        return (getParentNode()->_getDerivedPosition() - camera->getDerivedPosition()).squaredLength();
    }

    std::function<void()> before_draw = nullptr;

  private:
    struct Vertex {
        knot::Position position;
        knot::Color color;
    };

    void set_vertices(const knot::Vertices& vertices) {
        positions_ = vertices.positions;
        std::vector<Vertex> data;
        for (std::size_t i = 0; i < vertices.positions.size(); ++i)
            data.push_back({vertices.positions[i], vertices.colors[i]});
        const auto buffer = Ogre::HardwareBufferManager::getSingleton().createVertexBuffer(
            sizeof(Vertex), data.size(), Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY);
        buffer->writeData(0, buffer->getSizeInBytes(), data.data(), true);
        mRenderOp.vertexData->vertexBufferBinding->setBinding(0, buffer);
        mRenderOp.vertexData->vertexCount = data.size();
    }

    void set_triangles() {
        mRenderOp.operationType = Ogre::RenderOperation::OT_TRIANGLE_LIST;
        corners_ = knot::tube_triangles();
        const std::vector<std::uint16_t> indices(corners_.begin(), corners_.end());
        mRenderOp.indexData = OGRE_NEW Ogre::IndexData;
        mRenderOp.useIndexes = true;
        mRenderOp.indexData->indexBuffer = Ogre::HardwareBufferManager::getSingleton().createIndexBuffer(
            Ogre::HardwareIndexBuffer::IT_16BIT, indices.size(), Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY);
        mRenderOp.indexData->indexBuffer->writeData(0, 2 * indices.size(), indices.data(), true);
        mRenderOp.indexData->indexCount = indices.size();
    }

    /// What users of OGRE write without glsort.
    void sort_on_cpu(const Ogre::Matrix4& model, const Ogre::Camera& camera) {
        const std::size_t corners = mRenderOp.operationType == Ogre::RenderOperation::OT_POINT_LIST ? 1 : 3;
        const Ogre::Matrix4 view = camera.getViewMatrix(true) * model;
        std::vector<float> depths(corners_.size() / corners);
        for (std::size_t i = 0; i < depths.size(); ++i) {
            auto [x, y, z] = positions_[corners_[corners * i]];
            if (corners == 3) {
                const knot::Position& b = positions_[corners_[3 * i + 1]];
                const knot::Position& c = positions_[corners_[3 * i + 2]];
                x = (x + b[0] + c[0]) / 3.0f;
                y = (y + b[1] + c[1]) / 3.0f;
                z = (z + b[2] + c[2]) / 3.0f;
            }
            // In the order in which llvmpipe adds up a dot product.
            depths[i] = ((-view[2][3] - view[2][2] * z) - view[2][1] * y) - view[2][0] * x;
        }
        std::vector<std::uint32_t> order(depths.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return depths[a] > depths[b]; });
        std::vector<std::uint32_t> sorted;
        for (const std::uint32_t i : order)
            sorted.insert(sorted.end(), corners_.begin() + static_cast<std::ptrdiff_t>(corners * i),
                          corners_.begin() + static_cast<std::ptrdiff_t>(corners * (i + 1)));
        if (mRenderOp.indexData == nullptr) mRenderOp.indexData = OGRE_NEW Ogre::IndexData;
        mRenderOp.useIndexes = true;
        mRenderOp.indexData->indexBuffer = Ogre::HardwareBufferManager::getSingleton().createIndexBuffer(
            Ogre::HardwareIndexBuffer::IT_32BIT, sorted.size(), Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY);
        mRenderOp.indexData->indexBuffer->writeData(0, 4 * sorted.size(), sorted.data(), true);
        mRenderOp.indexData->indexCount = sorted.size();
    }

    Order order_;
    std::optional<glsort_ogre::DepthSort> depth_sort_;
    std::vector<knot::Position> positions_;
    std::vector<std::uint32_t> corners_;
};

/// Three boxes, and a camera that looks at them.
class Scene {
  public:
    Scene() : manager_(Ogre::Root::getSingleton().createSceneManager()) {
        for (int i = -1; i <= 1; ++i) {
            auto* const box = manager_->createEntity(Ogre::SceneManager::PT_CUBE);
            box->setMaterialName("boxes");
            auto* const node =
                manager_->getRootSceneNode()->createChildSceneNode(Ogre::Vector3(1.5f * static_cast<float>(i), 0, 0));
            node->setScale(Ogre::Vector3(0.005f));
            node->attachObject(box);
        }
        camera_ = manager_->createCamera("camera");
        camera_node_ = manager_->getRootSceneNode()->createChildSceneNode();
        camera_node_->attachObject(camera_);
        camera_node_->setFixedYawAxis(true, Ogre::Vector3::UNIT_Z);
        camera_->setNearClipDistance(0.1f);
        camera_->setFarClipDistance(100);
        camera_->setFOVy(Ogre::Degree(40));
        camera_->setAspectRatio(float{width} / height);
        aim(0.5f);
    }
    ~Scene() { Ogre::Root::getSingleton().destroySceneManager(manager_); }
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    void add(Knot& object) { manager_->getRootSceneNode()->createChildSceneNode()->attachObject(&object); }
    void show_in(Ogre::RenderWindow& window) const {
        window.removeAllViewports();
        window.addViewport(camera_)->setBackgroundColour(Ogre::ColourValue(0.06f, 0.06f, 0.09f));
    }
    void aim(float angle) const {
        camera_node_->setPosition(6 * std::cos(angle), 6 * std::sin(angle), 2.2f);
        camera_node_->lookAt(Ogre::Vector3::ZERO, Ogre::Node::TS_PARENT);
    }

  private:
    Ogre::SceneManager* manager_;
    Ogre::Camera* camera_ = nullptr;
    Ogre::SceneNode* camera_node_ = nullptr;
};

}  // namespace scenes
