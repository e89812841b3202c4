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

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../common/knot.h"

/// What the example and the test draw: a translucent knot around opaque boxes.

namespace scenes {

inline constexpr int width = 960;
inline constexpr int height = 540;

/// Replaces vertices and colours.
inline void set_vertices(osg::Geometry& geometry, const knot::Vertices& vertices) {
    osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array;
    for (const auto& [x, y, z] : vertices.positions)
        positions->push_back(osg::Vec3(x, y, z));
    osg::ref_ptr<osg::Vec4ubArray> colors = new osg::Vec4ubArray;
    for (const auto& [red, green, blue, alpha] : vertices.colors)
        colors->push_back(osg::Vec4ub(red, green, blue, alpha));
    colors->setNormalize(true);
    geometry.setVertexArray(positions);
    geometry.setColorArray(colors, osg::Array::BIND_PER_VERTEX);
}

/// A geometry with everything but primitives.
inline osg::ref_ptr<osg::Geometry> geometry_of(const knot::Vertices& vertices) {
    osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    geometry->setDataVariance(osg::Object::DYNAMIC);
    set_vertices(*geometry, vertices);
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
    osg::ref_ptr<osg::Geometry> geometry = geometry_of(knot::points(count));
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

/// A tube that crosses itself, of both kinds of lists of triangles, and strips.
inline osg::ref_ptr<osg::Geometry> tube() {
    osg::ref_ptr<osg::Geometry> geometry = geometry_of(knot::tube());
    osg::ref_ptr<osg::DrawElementsUInt> list = new osg::DrawElementsUInt(GL_TRIANGLES);
    osg::ref_ptr<osg::DrawElementsUShort> short_list = new osg::DrawElementsUShort(GL_TRIANGLES);
    for (std::uint32_t ring = 0; ring + 1 < knot::rings; ++ring) {
        if (ring % 3 == 2) {
            osg::ref_ptr<osg::DrawElementsUInt> strip = new osg::DrawElementsUInt(GL_TRIANGLE_STRIP);
            for (std::uint32_t j = 0; j <= knot::ring_points; ++j)
                for (const std::uint32_t next : {0u, 1u})
                    strip->push_back((ring + next) * knot::ring_points + j % knot::ring_points);
            geometry->addPrimitiveSet(strip);
            continue;
        }
        for (const std::uint32_t corner : knot::triangles_behind(ring)) {
            if (ring % 3 == 0)
                list->push_back(corner);
            else
                short_list->push_back(static_cast<GLushort>(corner));
        }
    }
    geometry->addPrimitiveSet(list);
    geometry->addPrimitiveSet(short_list);
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
