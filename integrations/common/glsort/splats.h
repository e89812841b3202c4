#pragma once

#include <string>

/// What the adapters for engines share: shaders that draw a square in place of each point. A geometry shader makes the
/// square, so the order of the points is the order of the squares.

namespace glsort::integrations {

/// How points look. Each is a square around the point: of a fixed size in space, upright, and parallel to the image.
/// All squares of a draw are parallel, so none cuts another. Needs OpenGL 3.3.
struct Splats {
    /// Half of an edge, in units of the camera's space. The transform of a model moves points, and does not scale
    /// squares.
    float radius = 0.05f;
    /// Whether each point has a size of its own. The first component of texture coordinate 0 is then multiplied with
    /// `radius`.
    bool sized = false;
    /// GLSL that defines `vec4 splat(vec4 color, vec2 place)`: the colour of a place of the square. `color` is that of
    /// the point. `place` is (-1, -1) at the lower left corner, and (1, 1) at the upper right one. May discard, and may
    /// declare uniforms, which are then yours to set. The default is a Gaussian whose standard deviation is a third of
    /// `radius`.
    std::string look =
        "vec4 splat(vec4 color, vec2 place) {\n"
        "    float square = dot(place, place);\n"
        "    if (square > 1.0) discard;\n"
        "    return vec4(color.rgb, color.a * exp(-4.5 * square));\n"
        "}\n";
};

/// The vertex shader. `head`: the version, and declarations for the three expressions: `position` in the camera's
/// space, a vec4; `color`, a vec4; `size`, a float that is read only with `Splats::sized`.
inline std::string splat_vertex_shader(const Splats& splats, const std::string& head, const std::string& position,
                                       const std::string& color, const std::string& size) {
    return head +
           "uniform float glsort_radius;\n"
           "out vec4 glsort_point_color;\n"
           "out float glsort_point_radius;\n"
           "void main() {\n"
           "    gl_Position = " +
           position +
           ";\n"
           "    glsort_point_color = " +
           color +
           ";\n"
           "    glsort_point_radius = glsort_radius" +
           (splats.sized ? " * " + size : std::string()) +
           ";\n"
           "}\n";
}

/// The geometry shader. `head`: the version, and what `projection` needs, a mat4 from the camera's space to clip space.
inline std::string splat_geometry_shader(const std::string& head, const std::string& projection) {
    return head +
           "layout(points) in;\n"
           "layout(triangle_strip, max_vertices = 4) out;\n"
           "in vec4 glsort_point_color[];\n"
           "in float glsort_point_radius[];\n"
           "out vec4 glsort_color;\n"
           "out vec2 glsort_place;\n"
           "void main() {\n"
           "    for (int corner = 0; corner < 4; ++corner) {\n"
           "        glsort_place = vec2(corner % 2, corner / 2) * 2.0 - 1.0;\n"
           "        glsort_color = glsort_point_color[0];\n"
           "        gl_Position = " +
           projection +
           " * (gl_in[0].gl_Position + vec4(glsort_point_radius[0] * glsort_place, 0.0, 0.0));\n"
           "        EmitVertex();\n"
           "    }\n"
           "    EndPrimitive();\n"
           "}\n";
}

/// The fragment shader. `head`: the version.
inline std::string splat_fragment_shader(const Splats& splats, const std::string& head) {
    return head +
           "in vec4 glsort_color;\n"
           "in vec2 glsort_place;\n"
           "out vec4 glsort_result;\n" +
           splats.look + "\nvoid main() { glsort_result = splat(glsort_color, glsort_place); }\n";
}

}  // namespace glsort::integrations
