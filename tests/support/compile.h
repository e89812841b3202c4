#pragma once

#include <glad/gl.h>

#include <catch2/catch.hpp>
#include <string>

namespace glsort::test {

/// Compiles a shader of a test. The test fails if the shader does not compile.
inline GLuint compile(const GladGLContext& gl, GLenum stage, const std::string& source) {
    const GLuint shader = gl.CreateShader(stage);
    const char* text = source.c_str();
    gl.ShaderSource(shader, 1, &text, nullptr);
    gl.CompileShader(shader);
    GLint compiled = GL_FALSE;
    gl.GetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    REQUIRE(compiled == GL_TRUE);
    return shader;
}

}  // namespace glsort::test
