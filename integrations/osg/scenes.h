#pragma once

#include <osg/BlendFunc>
#include <osg/Camera>
#include <osg/Depth>
#include <osg/Geometry>
#include <osg/Image>
#include <osg/Notify>
#include <osg/Point>
#include <osg/PointSprite>
#include <osg/Program>
#include <osg/ShapeDrawable>
#include <osgViewer/Viewer>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

/// What the example and the test draw: a translucent knot of points or of triangles around opaque boxes.

namespace scenes {

inline constexpr int width = 960;
inline constexpr int height = 540;

struct Knot {
    osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array;
    osg::ref_ptr<osg::Vec4ubArray> colors = new osg::Vec4ubArray;

    void add(const osg::Vec3& position, float turn, GLubyte alpha) {
        const auto channel = [turn](float shift) {
            return static_cast<GLubyte>(140.0f + 110.0f * std::cos(turn + shift));
        };
        positions->push_back(position);
        colors->push_back(osg::Vec4ub(channel(0.0f), channel(2.1f), channel(4.2f), alpha));
    }
};

inline osg::Vec3 on_knot(float turn) {
    const float radius = 1.5f + 0.6f * std::cos(3.0f * turn);
    return {radius * std::cos(2.0f * turn), radius * std::sin(2.0f * turn), 0.9f * std::sin(3.0f * turn)};
}

inline constexpr float full_turn = 6.2831853f;

/// Points around a trefoil knot. More points keep the first ones.
inline void add_points(Knot& knot, unsigned int count) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0.0f, 0.13f);
    for (unsigned int i = 0; i < count; ++i) {
        const float turn = full_turn * std::fmod(static_cast<float>(i) * 0.618034f, 1.0f);
        const osg::Vec3 shift(normal(random), normal(random), normal(random));
        if (i >= knot.positions->size()) knot.add(on_knot(turn) + shift, turn, 90);
    }
}

/// A geometry with everything but primitives.
inline osg::ref_ptr<osg::Geometry> geometry_of(const Knot& knot) {
    osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    geometry->setDataVariance(osg::Object::DYNAMIC);
    geometry->setVertexArray(knot.positions);
    knot.colors->setNormalize(true);
    geometry->setColorArray(knot.colors, osg::Array::BIND_PER_VERTEX);
    osg::StateSet& state = *geometry->getOrCreateStateSet();
    state.setAttributeAndModes(
        new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA));
    state.setAttributeAndModes(new osg::Depth(osg::Depth::LESS, 0, 1, false));
    state.setMode(GL_LIGHTING, osg::StateAttribute::OFF);
    state.setRenderingHint(osg::StateSet::TRANSPARENT_BIN);
    return geometry;
}

/// Round splats that are larger where they are nearer.
inline osg::ref_ptr<osg::Geometry> points(unsigned int count) {
    Knot knot;
    add_points(knot, count);
    osg::ref_ptr<osg::Geometry> geometry = geometry_of(knot);
    geometry->addPrimitiveSet(new osg::DrawArrays(GL_POINTS, 0, static_cast<int>(count)));
    osg::StateSet& state = *geometry->getOrCreateStateSet();
    osg::ref_ptr<osg::Program> program = new osg::Program;
    program->addShader(new osg::Shader(osg::Shader::VERTEX, R"(#version 120
varying vec4 color;
void main() {
    gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;
    gl_PointSize = 70.0 / gl_Position.w;
    color = gl_Color;
})"));
    program->addShader(new osg::Shader(osg::Shader::FRAGMENT, R"(#version 120
varying vec4 color;
void main() {
    vec2 place = 2.0 * gl_PointCoord - 1.0;
    float distance = dot(place, place);
    if (distance > 1.0) discard;
    gl_FragColor = vec4(color.rgb * (1.0 - 0.5 * distance), color.a);
})"));
    state.setAttribute(program);
    state.setMode(GL_VERTEX_PROGRAM_POINT_SIZE, osg::StateAttribute::ON);
    state.setTextureAttributeAndModes(0, new osg::PointSprite);
    return geometry;
}

/// Interlocked tubes of triangles: half of them by a strip, half by 16-bit indices.
inline osg::ref_ptr<osg::Geometry> tubes() {
    constexpr int along = 120;
    constexpr int around = 12;
    Knot knot;
    for (int i = 0; i <= along; ++i)
        for (int j = 0; j < around; ++j) {
            const float turn = full_turn * static_cast<float>(i) / along;
            const float angle = full_turn * static_cast<float>(j) / around;
            osg::Vec3 outwards = on_knot(turn);
            outwards.normalize();
            knot.add(on_knot(turn) + outwards * (0.3f * std::cos(angle)) + osg::Vec3(0, 0, 0.3f * std::sin(angle)),
                     turn, 110);
        }
    osg::ref_ptr<osg::Geometry> geometry = geometry_of(knot);
    osg::ref_ptr<osg::DrawElementsUShort> list = new osg::DrawElementsUShort(GL_TRIANGLES);
    for (int i = 0; i < along; ++i) {
        osg::ref_ptr<osg::DrawElementsUInt> strip = new osg::DrawElementsUInt(GL_TRIANGLE_STRIP);
        for (int j = 0; j <= around; ++j) {
            const int a = i * around + j % around;
            const int b = a + around;
            if (i % 2 == 0) {
                strip->push_back(static_cast<GLuint>(a));
                strip->push_back(static_cast<GLuint>(b));
            } else if (j < around) {
                const int c = i * around + (j + 1) % around;
                for (const int corner : {a, b, c, c, b, c + around})
                    list->push_back(static_cast<GLushort>(corner));
            }
        }
        if (i % 2 == 0) geometry->addPrimitiveSet(strip);
    }
    geometry->addPrimitiveSet(list);
    return geometry;
}

/// Opaque boxes, lit by the fixed pipeline, and what is given.
inline osg::ref_ptr<osg::Group> around(const std::vector<osg::ref_ptr<osg::Geometry>>& geometries) {
    osg::ref_ptr<osg::Group> root = new osg::Group;
    for (int i = -1; i <= 1; ++i) {
        osg::ref_ptr<osg::ShapeDrawable> box =
            new osg::ShapeDrawable(new osg::Box(osg::Vec3(1.5f * static_cast<float>(i), 0, 0), 0.5f));
        box->setColor(osg::Vec4(0.9f, 0.6f + 0.3f * static_cast<float>(i), 0.3f, 1));
        root->addChild(box);
    }
    for (const auto& geometry : geometries)
        root->addChild(geometry);
    return root;
}

/// Reads the picture at the end of a frame.
struct ReadBack : osg::Camera::DrawCallback {
    void operator()(osg::RenderInfo&) const override {
        error = glGetError();
        image->readPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE);
        version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    }
    mutable GLenum error = GL_NO_ERROR;
    mutable std::string version;
    osg::ref_ptr<osg::Image> image = new osg::Image;
};

/// A context without a window on the screen.
inline osg::ref_ptr<osg::GraphicsContext> make_context() {
    osg::setNotifyLevel(osg::FATAL);  // OpenSceneGraph reports each kind of context that it tries.
    osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
    traits->width = width;
    traits->height = height;
    traits->pbuffer = true;
    traits->alpha = 8;
    traits->readDISPLAY();
    return osg::GraphicsContext::createGraphicsContext(traits);
}

inline void aim(osgViewer::Viewer& viewer, double angle) {
    viewer.getCamera()->setViewMatrixAsLookAt(osg::Vec3d(6 * std::cos(angle), 6 * std::sin(angle), 2.2), osg::Vec3d(),
                                              osg::Vec3d(0, 0, 1));
}

/// Gives the camera of the viewer a context. Returns null if there is none.
inline osg::ref_ptr<ReadBack> set_up(osgViewer::Viewer& viewer, osg::Node* root) {
    osg::ref_ptr<osg::GraphicsContext> context = make_context();
    if (!context) return nullptr;
    osg::Camera& camera = *viewer.getCamera();
    camera.setGraphicsContext(context);
    camera.setViewport(0, 0, width, height);
    camera.setProjectionMatrixAsPerspective(40, double{width} / height, 0.1, 100);
    camera.setComputeNearFarMode(osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR);
    camera.setClearColor(osg::Vec4(0.06f, 0.06f, 0.09f, 1));
    osg::ref_ptr<ReadBack> read_back = new ReadBack;
    camera.setFinalDrawCallback(read_back);
    viewer.setThreadingModel(osgViewer::ViewerBase::SingleThreaded);
    viewer.setSceneData(root);
    aim(viewer, 0.5);
    return read_back;
}

}  // namespace scenes
