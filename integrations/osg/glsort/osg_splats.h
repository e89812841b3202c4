#pragma once

#include <glsort/splats.h>

#include <osg/Geometry>
#include <osg/Program>
#include <osg/Shader>
#include <osg/StateSet>
#include <osg/Uniform>

#include <string>

/// Points of OpenSceneGraph 3.6, drawn as splats or as billboards.

namespace glsort_osg {

using Splats = glsort::integrations::Splats;

/// Lets the points of `geometry` be drawn as squares that face the camera. Sets a program and the uniform
/// `glsort_radius` in the state set of the geometry. Blending, depth and the order of the points stay as they are:
/// `draw_back_to_front` sorts, before or after this call.
///
/// The geometry has GL_POINTS, and an array of colours that is bound for each vertex or overall. With `Splats::sized`,
/// texture coordinate array 0 has the sizes, such as an `osg::FloatArray`. Textures and uniforms for `Splats::look` go
/// to the state set, as for every program. `osg::Uniform` `glsort_radius` may be changed at any time.
///
/// The shaders are of GLSL 1.50 in its compatibility profile, as OpenSceneGraph's contexts are. Needs OpenGL 3.2 there,
/// and 3.3 for the sort. OpenSceneGraph reports errors of GLSL in the first draw (`osg::notify`).
inline void draw_as_splats(osg::Geometry& geometry, const Splats& splats = {}) {
    const std::string head = "#version 150 compatibility\n";
    osg::ref_ptr<osg::Program> program = new osg::Program;
    program->addShader(new osg::Shader(
        osg::Shader::VERTEX, glsort::integrations::splat_vertex_shader(splats, head, "gl_ModelViewMatrix * gl_Vertex",
                                                                       "gl_Color", "gl_MultiTexCoord0.x")));
    program->addShader(new osg::Shader(osg::Shader::GEOMETRY,
                                       glsort::integrations::splat_geometry_shader(head, "gl_ProjectionMatrix")));
    program->addShader(
        new osg::Shader(osg::Shader::FRAGMENT, glsort::integrations::splat_fragment_shader(splats, head)));
    osg::StateSet& state = *geometry.getOrCreateStateSet();
    state.setAttributeAndModes(program);
    state.addUniform(new osg::Uniform("glsort_radius", splats.radius));
}

}  // namespace glsort_osg
