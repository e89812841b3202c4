#include <string>

#include "sorter/sorting.h"
#include "support/compile.h"
#include "support/random.h"

namespace glsort::test {
namespace {

/// Draws smooth lines and a triangle, with the first vertex as the provoking one, into a texture of its own.
void draw_smooth_lines(const GladGLContext& gl) {
    const GLuint program = gl.CreateProgram();
    const GLuint vertex = compile(gl, GL_VERTEX_SHADER, R"(#version 330 core
flat out vec4 colour;
void main() {
    colour = vec4(gl_VertexID);
    gl_Position = vec4(vec2(gl_VertexID % 2, gl_VertexID / 2) * 4.0 - 1.0, 0.0, 1.0);
})");
    const GLuint fragment = compile(gl, GL_FRAGMENT_SHADER, R"(#version 330 core
flat in vec4 colour;
out vec4 out_colour;
void main() { out_colour = colour; })");
    gl.AttachShader(program, vertex);
    gl.AttachShader(program, fragment);
    gl.LinkProgram(program);
    GLuint texture = 0;
    GLuint framebuffer = 0;
    GLuint array = 0;
    gl.GenTextures(1, &texture);
    gl.GenFramebuffers(1, &framebuffer);
    gl.GenVertexArrays(1, &array);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    gl.BindVertexArray(array);
    gl.UseProgram(program);
    gl.Viewport(0, 0, 64, 64);
    gl.ProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
    gl.Enable(GL_LINE_SMOOTH);
    gl.DrawArrays(GL_LINES, 0, 2);
    gl.DrawArrays(GL_TRIANGLES, 0, 3);
    reset_state(gl);
    gl.DeleteProgram(program);
    gl.DeleteShader(vertex);
    gl.DeleteShader(fragment);
    gl.DeleteVertexArrays(1, &array);
    gl.DeleteFramebuffers(1, &framebuffer);
    gl.DeleteTextures(1, &texture);
}

TEST_CASE("flat values of blocks are right after smooth lines with the first vertex provoking", "[sorter]") {
    const Seed seed;
    for (const Tier tier : {Tier::gl45, Tier::gl33}) {
        if (!available(tier)) continue;
        // Of its own: what a draw leaves behind in a driver stays with the context.
        TestContext context(tier);
        const GladGLContext& gl = context.gl();
        for (const char* algorithm : {"abisort", "automatic"}) {
            SortSpec spec;
            spec.algorithm = algorithm;
            spec.backend = Backend::fragment;
            spec.capacity = 3000;
            Sorter sorter(spec, context.get_proc_address());
            Caller caller(gl, sorter);
            for (const std::uint32_t n : {3000u, 512u, 77u}) {
                const Sample sample = make_sample(spec, demo::Distribution::uniform, n, seed.value());
                for (int turn = 0; turn < 2; ++turn) {
                    draw_smooth_lines(gl);
                    gl.ProvokingVertex(turn == 0 ? GL_LAST_VERTEX_CONVENTION : GL_FIRST_VERTEX_CONVENTION);
                    sorter.sort(caller.load(sample));
                    gl.ProvokingVertex(GL_LAST_VERTEX_CONVENTION);
                    INFO(tier_name(tier) << " " << algorithm << ", n " << n << ", turn " << turn);
                    CHECK(caller.wrong(sample) == "");
                }
            }
        }
        context.require_clean("flat values");
    }
}

}  // namespace
}  // namespace glsort::test
