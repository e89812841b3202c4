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

#include "studio.h"

namespace {

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

osg::ref_ptr<osg::Geometry> make_cloud() {
    osg::ref_ptr<osg::Geometry> cloud = studio::make_ribbon(9000, 0.13f, 0.5f);
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
    const studio::Call call = studio::read_call(argc, argv, "osg_example", "a translucent cloud of points");
    if (call.code >= 0) return call.code;

    osg::ref_ptr<osg::Geometry> cloud = make_cloud();
    // [example]
    osg::StateSet& state = *cloud->getOrCreateStateSet();
    state.setAttributeAndModes(new osg::BlendFunc);
    state.setAttributeAndModes(new osg::Depth(osg::Depth::LESS, 0.0, 1.0, false));  // no depth writes
    state.setRenderingHint(osg::StateSet::TRANSPARENT_BIN);                         // after opaque things
    glsort_osg::draw_back_to_front(*cloud);                                         // glsort's only line
    // [end]
    if (!call.sorted) cloud->setDrawCallback(nullptr);

    osg::ref_ptr<osg::Group> scene = studio::make_room();
    scene->addChild(cloud);
    return studio::photograph(*scene, call, {1.5, -8.5, 3.4});
}
