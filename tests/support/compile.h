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

/// Links a program of a test from two shaders, and deletes the shaders. The test fails if the program does not link.
inline void link_program(const GladGLContext& gl, GLuint program, GLuint vertex, GLuint fragment) {
    gl.AttachShader(program, vertex);
    gl.AttachShader(program, fragment);
    gl.LinkProgram(program);
    gl.DeleteShader(vertex);
    gl.DeleteShader(fragment);
    GLint linked = GL_FALSE;
    gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    REQUIRE(linked == GL_TRUE);
}

}  // namespace glsort::test
