#pragma once

#include <osg/Geometry>
#include <osg/Image>
#include <osg/Shape>
#include <osg/ShapeDrawable>
#include <osgDB/WriteFile>
#include <osgViewer/Viewer>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>

/// What the examples share, all of it ordinary OpenSceneGraph: their arguments, things to draw, and a photograph.

namespace studio {

/// How an example was called.
struct Call {
    std::string picture;
    bool sorted = true;
    int code = -1;  ///< Where the program ends at once: its exit code.
};

inline Call read_call(int argc, char** argv, const std::string& name, const char* what) {
    Call call{.picture = name + ".png"};
    for (int i = 1; i < argc && call.code < 0; ++i) {
        if (std::strcmp(argv[i], "--unsorted") == 0) {
            call.sorted = false;
        } else if (argv[i][0] == '-') {
            std::printf("Usage: %s [PICTURE.png] [--unsorted]\n\nDraws %s (%s.png).\n", name.c_str(), what,
                        name.c_str());
            call.code = std::strcmp(argv[i], "--help") == 0 ? 0 : 2;
        } else {
            call.picture = argv[i];
        }
    }
    return call;
}

/// Points along a ribbon of three windings around the axis, each of a colour.
inline osg::ref_ptr<osg::Geometry> make_ribbon(int count, float spread, float alpha) {
    osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array;
    osg::ref_ptr<osg::Vec4Array> colors = new osg::Vec4Array(osg::Array::BIND_PER_VERTEX);
    const osg::Vec3 palette[] = {{1.0f, 0.62f, 0.1f}, {0.15f, 0.75f, 0.95f}, {0.95f, 0.2f, 0.45f}};
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0.0f, spread);
    for (int i = 0; i < count; ++i) {
        const int strand = 3 * i / count;
        const float angle = 6.2831853f * float(i % (count / 3)) / float(count / 3);
        const float tilt = 2.0943951f * float(strand);
        const osg::Vec3 on_ring(2.1f * std::cos(angle), 2.1f * std::sin(angle), 0.0f);
        const osg::Quat turn(1.15, osg::Vec3d(std::cos(tilt), std::sin(tilt), 0));
        positions->push_back(turn * on_ring + osg::Vec3(normal(random), normal(random), normal(random)));
        colors->push_back(osg::Vec4(palette[strand], alpha));
    }
    osg::ref_ptr<osg::Geometry> ribbon = new osg::Geometry;
    ribbon->setVertexArray(positions);
    ribbon->setColorArray(colors);
    ribbon->addPrimitiveSet(new osg::DrawArrays(GL_POINTS, 0, count));
    return ribbon;
}

inline void add_thing(osg::Group& scene, osg::Shape* shape, const osg::Vec4& color) {
    osg::ref_ptr<osg::ShapeDrawable> thing = new osg::ShapeDrawable(shape);
    thing->setColor(color);
    scene.addChild(thing);
}

/// A ball on a floor, between columns.
inline osg::ref_ptr<osg::Group> make_room() {
    osg::ref_ptr<osg::Group> room = new osg::Group;
    add_thing(*room, new osg::Sphere(osg::Vec3(), 1.0f), {0.75f, 0.75f, 0.72f, 1});
    add_thing(*room, new osg::Box(osg::Vec3(0, 0, -2.45f), 7.0f, 7.0f, 0.1f), {0.85f, 0.87f, 0.9f, 1});
    for (const float x : {-2.6f, 2.6f})
        add_thing(*room, new osg::Cylinder(osg::Vec3(x, 0.0f, -0.9f), 0.28f, 3.0f), {0.55f, 0.57f, 0.6f, 1});
    return room;
}

/// Draws a frame, and writes a picture of it. Returns the exit code of a program.
inline int photograph(osg::Node& scene, const Call& call, const osg::Vec3d& eye) {
    constexpr int width = 1280;
    constexpr int height = 720;
    osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
    traits->readDISPLAY();
    traits->width = width;
    traits->height = height;
    traits->pbuffer = true;
    osg::ref_ptr<osg::GraphicsContext> context = osg::GraphicsContext::createGraphicsContext(traits);
    if (!context) return std::puts("no context; is there a display?"), 1;

    struct Photograph : osg::Camera::DrawCallback {
        void operator()(osg::RenderInfo&) const override {
            image->readPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE);
        }
        osg::ref_ptr<osg::Image> image = new osg::Image;
    };
    osg::ref_ptr<Photograph> taken = new Photograph;
    osgViewer::Viewer viewer;
    viewer.setThreadingModel(osgViewer::Viewer::SingleThreaded);
    osg::Camera& camera = *viewer.getCamera();
    camera.setGraphicsContext(context);
    camera.setViewport(0, 0, width, height);
    camera.setClearColor({0.93f, 0.94f, 0.96f, 1});
    camera.setProjectionMatrixAsPerspective(36, double(width) / height, 1, 100);
    camera.setViewMatrixAsLookAt(eye, {0, 0, -0.35}, {0, 0, 1});
    camera.setFinalDrawCallback(taken);
    viewer.setSceneData(&scene);
    viewer.frame();

    if (!osgDB::writeImageFile(*taken->image, call.picture))
        return std::printf("cannot write %s\n", call.picture.c_str()), 1;
    std::printf("%s: %dx%d, points drawn %s\n", call.picture.c_str(), width, height,
                call.sorted ? "from back to front" : "in the order of the array");
    return 0;
}

}  // namespace studio
