// Makes a picture: a translucent cloud of points, which winds around and through opaque things.
//
//   osg_example [PICTURE.png] [--unsorted]
//
// One line is glsort's: draw_back_to_front. All else is an ordinary program of OpenSceneGraph.

#include <glsort/osg.h>

#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/PointSprite>
#include <osg/Program>
#include <osg/Shape>
#include <osg/ShapeDrawable>
#include <osgDB/WriteFile>
#include <osgViewer/Viewer>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>

namespace {

constexpr int width = 1280;
constexpr int height = 720;

const char* const vertex_shader = R"(#version 120
varying vec4 color;
void main() {
    gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;
    gl_PointSize = 150.0 / gl_Position.w;
    color = gl_Color;
})";
/// Balls that let light through: each hides a part of what lies behind.
const char* const fragment_shader = R"(#version 120
varying vec4 color;
void main() {
    vec2 place = 2.0 * gl_PointCoord - 1.0;
    float square = dot(place, place);
    if (square > 1.0) discard;
    float light = 0.45 + 0.55 * dot(vec3(place.x, -place.y, sqrt(1.0 - square)), vec3(-0.48, 0.6, 0.64));
    gl_FragColor = vec4(color.rgb * light, color.a);
})";

/// A ribbon of three windings around the axis, each of a colour.
osg::ref_ptr<osg::Geometry> make_cloud() {
    constexpr int count = 9000;
    osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array;
    osg::ref_ptr<osg::Vec4Array> colors = new osg::Vec4Array(osg::Array::BIND_PER_VERTEX);
    const osg::Vec3 palette[] = {{1.0f, 0.62f, 0.1f}, {0.15f, 0.75f, 0.95f}, {0.95f, 0.2f, 0.45f}};
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0.0f, 0.13f);
    for (int i = 0; i < count; ++i) {
        const int strand = 3 * i / count;
        const float angle = 6.2831853f * float(i % (count / 3)) / float(count / 3);
        const float tilt = 2.0943951f * float(strand);
        const osg::Vec3 on_ring(2.1f * std::cos(angle), 2.1f * std::sin(angle), 0.0f);
        const osg::Quat turn(1.15, osg::Vec3d(std::cos(tilt), std::sin(tilt), 0));
        positions->push_back(turn * on_ring + osg::Vec3(normal(random), normal(random), normal(random)));
        colors->push_back(osg::Vec4(palette[strand], 0.5f));
    }
    osg::ref_ptr<osg::Geometry> cloud = new osg::Geometry;
    cloud->setVertexArray(positions);
    cloud->setColorArray(colors);
    cloud->addPrimitiveSet(new osg::DrawArrays(GL_POINTS, 0, count));

    osg::StateSet* const state = cloud->getOrCreateStateSet();
    osg::ref_ptr<osg::Program> program = new osg::Program;
    program->addShader(new osg::Shader(osg::Shader::VERTEX, vertex_shader));
    program->addShader(new osg::Shader(osg::Shader::FRAGMENT, fragment_shader));
    state->setAttribute(program);
    state->setMode(GL_VERTEX_PROGRAM_POINT_SIZE, osg::StateAttribute::ON);
    state->setTextureAttributeAndModes(0, new osg::PointSprite);
    return cloud;
}

}  // namespace

int main(int argc, char** argv) {
    std::string picture = "osg_example.png";
    bool sorted = true;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--unsorted") == 0) {
            sorted = false;
        } else if (argv[i][0] == '-') {
            std::puts(
                "Usage: osg_example [PICTURE.png] [--unsorted]\n\nDraws a translucent cloud of points "
                "(osg_example.png).");
            return std::strcmp(argv[i], "--help") == 0 ? 0 : 2;
        } else {
            picture = argv[i];
        }
    }

    osg::ref_ptr<osg::Geometry> cloud = make_cloud();
    // [example]
    osg::StateSet& state = *cloud->getOrCreateStateSet();
    state.setAttributeAndModes(new osg::BlendFunc);
    state.setAttributeAndModes(new osg::Depth(osg::Depth::LESS, 0.0, 1.0, false));  // no depth writes
    state.setRenderingHint(osg::StateSet::TRANSPARENT_BIN);                         // after opaque things
    glsort_osg::draw_back_to_front(*cloud);                                         // glsort's only line
    // [end]
    if (!sorted) cloud->setDrawCallback(nullptr);

    osg::ref_ptr<osg::Group> scene = new osg::Group;
    const auto add = [&](osg::Shape* shape, const osg::Vec4& color) {
        osg::ref_ptr<osg::ShapeDrawable> thing = new osg::ShapeDrawable(shape);
        thing->setColor(color);
        scene->addChild(thing);
    };
    add(new osg::Sphere(osg::Vec3(), 1.0f), {0.75f, 0.75f, 0.72f, 1});
    add(new osg::Box(osg::Vec3(0, 0, -2.45f), 7.0f, 7.0f, 0.1f), {0.85f, 0.87f, 0.9f, 1});
    for (const float x : {-2.6f, 2.6f})
        add(new osg::Cylinder(osg::Vec3(x, 0.0f, -0.9f), 0.28f, 3.0f), {0.55f, 0.57f, 0.6f, 1});
    scene->addChild(cloud);

    osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
    traits->readDISPLAY();
    traits->width = width;
    traits->height = height;
    traits->pbuffer = true;
    osg::ref_ptr<osg::GraphicsContext> context = osg::GraphicsContext::createGraphicsContext(traits);
    if (!context) return std::puts("osg_example: no context; is there a display?"), 1;

    struct Photograph : osg::Camera::DrawCallback {
        void operator()(osg::RenderInfo&) const override {
            image->readPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE);
        }
        osg::ref_ptr<osg::Image> image = new osg::Image;
    };
    osg::ref_ptr<Photograph> photograph = new Photograph;
    osgViewer::Viewer viewer;
    viewer.setThreadingModel(osgViewer::Viewer::SingleThreaded);
    osg::Camera& camera = *viewer.getCamera();
    camera.setGraphicsContext(context);
    camera.setViewport(0, 0, width, height);
    camera.setClearColor({0.93f, 0.94f, 0.96f, 1});
    camera.setProjectionMatrixAsPerspective(36, double(width) / height, 1, 100);
    camera.setViewMatrixAsLookAt({1.5, -8.5, 3.4}, {0, 0, -0.35}, {0, 0, 1});
    camera.setFinalDrawCallback(photograph);
    viewer.setSceneData(scene);
    viewer.frame();

    if (!osgDB::writeImageFile(*photograph->image, picture))
        return std::printf("osg_example: cannot write %s\n", picture.c_str()), 1;
    std::printf("%s: %ux%u, points drawn %s\n", picture.c_str(), width, height,
                sorted ? "from back to front" : "in the order of the array");
}
