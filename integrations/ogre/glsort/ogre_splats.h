#pragma once

#include <Ogre.h>
#include <glsort/splats.h>

#include <string>

/// A material of OGRE 1.12 that draws points as splats or as billboards.

namespace glsort_ogre {

using Splats = glsort::integrations::Splats;

/// Makes a material for point lists: each point becomes a square that faces the camera. The material blends, and does
/// not write depth. The order of the points is that of the draw, which `BackToFront` sorts.
///
/// - `name`: of the material. Its programs are `name.vertex`, `name.geometry` and `name.fragment`.
/// - Vertices have colours (VES_DIFFUSE), and positions (VES_POSITION). With `Splats::sized`, they have the sizes as
///   texture coordinate 0.
/// - Textures for `Splats::look` are texture units of the pass: unit 0 is a `sampler2D` whose uniform is 0. Uniforms
/// are
///   those of the fragment program. `glsort_radius` is a parameter of the vertex program.
///
/// Needs the render system GL3Plus, and OpenGL 3.3. OGRE compiles in the first draw, and then logs errors of GLSL.
/// Throws `Ogre::Exception` if the material or one of its programs exists.
inline Ogre::MaterialPtr make_splat_material(const std::string& name, const Splats& splats = {},
                                             const std::string& group = Ogre::RGN_DEFAULT) {
    using Parameters = Ogre::GpuProgramParameters;
    const std::string head = "#version 330\n";
    const auto program = [&](const char* stage, Ogre::GpuProgramType type, const std::string& text) {
        Ogre::HighLevelGpuProgramManager::getSingleton()
            .createProgram(name + stage, group, "glsl", type)
            ->setSource(text);
        return name + stage;
    };
    const Ogre::MaterialPtr material = Ogre::MaterialManager::getSingleton().create(name, group);
    Ogre::Pass& pass = *material->getTechnique(0)->getPass(0);
    pass.setVertexProgram(program(".vertex", Ogre::GPT_VERTEX_PROGRAM,
                                  glsort::integrations::splat_vertex_shader(
                                      splats,
                                      head + "in vec4 vertex;\nin vec4 colour;\n" +
                                          (splats.sized ? "in vec4 uv0;\n" : "") + "uniform mat4 glsort_to_camera;\n",
                                      "glsort_to_camera * vertex", "colour", "uv0.x")));
    pass.setGeometryProgram(program(
        ".geometry", Ogre::GPT_GEOMETRY_PROGRAM,
        glsort::integrations::splat_geometry_shader(head + "uniform mat4 glsort_to_clip;\n", "glsort_to_clip")));
    pass.setFragmentProgram(
        program(".fragment", Ogre::GPT_FRAGMENT_PROGRAM, glsort::integrations::splat_fragment_shader(splats, head)));
    pass.getVertexProgramParameters()->setNamedAutoConstant("glsort_to_camera", Parameters::ACT_WORLDVIEW_MATRIX);
    pass.getVertexProgramParameters()->setNamedConstant("glsort_radius", splats.radius);
    pass.getGeometryProgramParameters()->setNamedAutoConstant("glsort_to_clip", Parameters::ACT_PROJECTION_MATRIX);
    pass.setSceneBlending(Ogre::SBT_TRANSPARENT_ALPHA);
    pass.setDepthWriteEnabled(false);
    pass.setCullingMode(Ogre::CULL_NONE);
    return material;
}

}  // namespace glsort_ogre
