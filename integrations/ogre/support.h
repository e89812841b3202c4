#pragma once

#include <Ogre.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

/// What example and test need of OGRE, without a sort: a start, materials, vertices.

namespace support {

/// OGRE with GL3Plus, and a reader and writer of PNG. The first window makes the first context.
struct Engine {
    Ogre::LogManager logs;  // before the root, which would write a file otherwise
    Ogre::Log* log = logs.createLog("ogre.log", true, false, true);
    Ogre::Root root{"", "", ""};

    Engine() {
        for (const char* plugin : {"RenderSystem_GL3Plus", "Codec_STBI"})
            root.loadPlugin(std::string(OGRE_PLUGINS "/") + plugin);
        root.setRenderSystem(root.getAvailableRenderers().front());
        root.initialise(false);
    }
    Ogre::RenderWindow* open(const std::string& name, unsigned int width, unsigned int height) {
        const Ogre::NameValuePairList options{{"hidden", "true"}, {"FSAA", "0"}};
        return root.createRenderWindow(name, width, height, false, &options);
    }
};

inline Ogre::Pass& make_material(const std::string& name, const char* vertex, const char* fragment) {
    auto& programs = Ogre::HighLevelGpuProgramManager::getSingleton();
    const auto program = [&](const char* stage, Ogre::GpuProgramType type, const char* text) {
        programs.createProgram(name + stage, "General", "glsl", type)->setSource(text);
        return name + stage;
    };
    const auto material = Ogre::MaterialManager::getSingleton().create(name, "General");
    Ogre::Pass& pass = *material->getTechnique(0)->getPass(0);
    pass.setVertexProgram(program(".vertex", Ogre::GPT_VERTEX_PROGRAM, vertex));
    pass.setFragmentProgram(program(".fragment", Ogre::GPT_FRAGMENT_PROGRAM, fragment));
    pass.getVertexProgramParameters()->setNamedAutoConstant("to_clip",
                                                            Ogre::GpuProgramParameters::ACT_WORLDVIEWPROJ_MATRIX);
    return pass;
}

inline void blend(Ogre::Pass& pass) {
    pass.setSceneBlending(Ogre::SBT_TRANSPARENT_ALPHA);
    pass.setDepthWriteEnabled(false);
    pass.setCullingMode(Ogre::CULL_NONE);
}

/// Round points of 0.05 units across, and in a window of 400 pixels in height.
inline Ogre::Pass& make_point_material(const std::string& name) {
    Ogre::Pass& pass = make_material(name,
                                     "#version 330\n"
                                     "in vec4 vertex;\n"
                                     "in vec4 colour;\n"
                                     "uniform mat4 to_clip;\n"
                                     "out vec4 point_colour;\n"
                                     "void main() {\n"
                                     "    gl_Position = to_clip * vertex;\n"
                                     "    gl_PointSize = 90.0 / gl_Position.w;\n"
                                     "    point_colour = colour;\n"
                                     "}\n",
                                     "#version 330\n"
                                     "in vec4 point_colour;\n"
                                     "out vec4 result;\n"
                                     "void main() {\n"
                                     "    vec2 place = 2.0 * gl_PointCoord - 1.0;\n"
                                     "    if (dot(place, place) > 1.0) discard;\n"
                                     "    result = vec4(point_colour.rgb * (1.0 - 0.5 * dot(place, place)), "
                                     "point_colour.a);\n"
                                     "}\n");
    pass.setPointSpritesEnabled(true);
    pass.setPointAttenuation(true);
    blend(pass);
    return pass;
}

inline Ogre::Pass& make_opaque_material(const std::string& name) {
    return make_material(name,
                         "#version 330\n"
                         "in vec4 vertex;\n"
                         "in vec3 normal;\n"
                         "uniform mat4 to_clip;\n"
                         "out vec3 direction;\n"
                         "void main() {\n"
                         "    gl_Position = to_clip * vertex;\n"
                         "    direction = normal;\n"
                         "}\n",
                         "#version 330\n"
                         "in vec3 direction;\n"
                         "out vec4 result;\n"
                         "void main() {\n"
                         "    float light = 0.45 + 0.4 * dot(normalize(direction), vec3(0.5, -0.6, 0.62));\n"
                         "    result = vec4(vec3(light), 1.0);\n"
                         "}\n");
}

struct Vertex {
    std::array<float, 3> position;
    std::uint32_t colour;  ///< Red in the low byte, then green, blue, alpha.
};

inline std::uint32_t colour_of(float red, float green, float blue, float alpha) {
    std::uint32_t colour = 0;
    for (const float part : {alpha, blue, green, red})
        colour = colour << 8 | static_cast<std::uint32_t>(255.0f * part + 0.5f);
    return colour;
}

/// A point of one of two rings that hang in each other. `along` and `around` are turns.
inline std::array<float, 3> ring_point(bool second, float along, float around, float thickness) {
    const float turn = 2.0f * std::numbers::pi_v<float>;
    const float radius = 1.1f + thickness * std::cos(turn * around);
    const float height = thickness * std::sin(turn * around);
    const float x = radius * std::cos(turn * along);
    const float y = radius * std::sin(turn * along);
    return second ? std::array{x + 0.55f, height, y} : std::array{x - 0.55f, y, height};
}

/// First all points of the orange ring, then all points of the blue ring.
inline std::vector<Vertex> ring_points(std::size_t count, float alpha) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> unit;
    std::vector<Vertex> vertices(count);
    for (std::size_t i = 0; i < count; ++i) {
        const bool second = 2 * i >= count;
        const float along = unit(random);
        const float around = unit(random);
        const float shade = 0.7f + 0.3f * unit(random);
        vertices[i].position = ring_point(second, along, around, 0.22f * std::sqrt(unit(random)));
        vertices[i].colour = second ? colour_of(0.15f * shade, 0.5f * shade, shade, alpha)
                                    : colour_of(shade, 0.5f * shade, 0.1f * shade, alpha);
    }
    return vertices;
}

/// Vertices of positions and colours in a buffer of OGRE's.
inline Ogre::VertexData* make_vertices(const std::vector<Vertex>& vertices) {
    auto* const data = OGRE_NEW Ogre::VertexData;
    data->vertexDeclaration->addElement(0, 0, Ogre::VET_FLOAT3, Ogre::VES_POSITION);
    data->vertexDeclaration->addElement(0, offsetof(Vertex, colour), Ogre::VET_COLOUR_ABGR, Ogre::VES_DIFFUSE);
    const auto buffer = Ogre::HardwareBufferManager::getSingleton().createVertexBuffer(
        sizeof(Vertex), vertices.size(), Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY);
    buffer->writeData(0, buffer->getSizeInBytes(), vertices.data(), true);
    data->vertexBufferBinding->setBinding(0, buffer);
    data->vertexCount = vertices.size();
    return data;
}

/// Points as OGRE draws them: in the order of their buffer.
class Points : public Ogre::SimpleRenderable {
  public:
    Points(const std::vector<Vertex>& vertices, const Ogre::MaterialPtr& material) {
        mRenderOp.operationType = Ogre::RenderOperation::OT_POINT_LIST;
        mRenderOp.useIndexes = false;
        mRenderOp.vertexData = make_vertices(vertices);
        setBoundingBox(Ogre::AxisAlignedBox(-3, -3, -3, 3, 3, 3));
        setMaterial(material);
    }
    ~Points() override { OGRE_DELETE mRenderOp.vertexData; }
    Ogre::Real getBoundingRadius() const override { return 3; }
    Ogre::Real getSquaredViewDepth(const Ogre::Camera* camera) const override {
        return (getParentNode()->_getDerivedPosition() - camera->getDerivedPosition()).squaredLength();
    }
};

inline Ogre::Camera* make_camera(Ogre::SceneManager& scene, const std::string& name, const Ogre::Vector3& position) {
    Ogre::Camera* const camera = scene.createCamera(name);
    camera->setNearClipDistance(0.1f);
    camera->setAutoAspectRatio(true);
    camera->setFOVy(Ogre::Degree(40));
    Ogre::SceneNode* const node = scene.getRootSceneNode()->createChildSceneNode(position);
    node->setFixedYawAxis(true, Ogre::Vector3::UNIT_Z);
    node->lookAt(Ogre::Vector3::ZERO, Ogre::Node::TS_PARENT);
    node->attachObject(camera);
    return camera;
}

/// Shows objects of visibility flag 1 in the left half of a window, and those of flag 2 in the right half.
inline void show_halves(Ogre::RenderWindow& window, Ogre::Camera* camera) {
    for (int half = 0; half < 2; ++half) {
        Ogre::Viewport* const viewport = window.addViewport(camera, half, 0.5f * static_cast<float>(half), 0, 0.5f);
        viewport->setBackgroundColour(Ogre::ColourValue(0.95f, 0.95f, 0.93f));
        viewport->setVisibilityMask(1u << half);
    }
}

}  // namespace support
