#include <glsort/osg.h>
#include <osgDB/WriteFile>

#include <cstdio>
#include <exception>
#include <string>

#include "scenes.h"

/// Draws a translucent knot of 20 000 points from back to front, in OpenSceneGraph.
int main(int argc, char** argv) try {
    const std::string path = argc == 2 ? argv[1] : "osg.png";
    if (argc > 2 || path.rfind("--", 0) == 0) {
        std::puts("Usage: osg_example [PICTURE]\n\nDraws 20 000 translucent points and writes the picture (osg.png).");
        return path == "--help" && argc == 2 ? 0 : 2;
    }
    osg::ref_ptr<osg::Geometry> points = scenes::points(20000);
    // [example]
    glsort_osg::draw_back_to_front(*points);
    // [end]

    osgViewer::Viewer viewer;
    const osg::ref_ptr<scenes::ReadBack> read_back = scenes::set_up(viewer, scenes::around({points}));
    if (!read_back) return std::fputs("osg_example: no OpenGL context; is DISPLAY set?\n", stderr), 1;
    viewer.realize();
    viewer.frame();
    if (!osgDB::writeImageFile(*read_back->image, path)) return std::fputs("osg_example: no picture\n", stderr), 1;
    std::printf("%s: 20000 points from back to front, OpenGL %s\n", path.c_str(), read_back->version.c_str());
} catch (const std::exception& error) {
    std::fprintf(stderr, "osg_example: %s\n", error.what());
    return 1;
}
