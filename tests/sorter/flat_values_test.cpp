#include <cstddef>
#include <cstdint>

#include "sorter/sorting.h"
#include "support/compile.h"
#include "support/random.h"

/// A fault of a driver that the library works around: docs/driver-faults.md.

namespace glsort::test {
namespace {

/// Draws triangles that reach far beyond a texture. Each triangle has its own flat value.
class ClippedTriangle {
  public:
    explicit ClippedTriangle(const GladGLContext& gl) : gl_(gl), program_(gl.CreateProgram()) {
        const GLuint vertex = compile(gl, GL_VERTEX_SHADER, R"(#version 330 core
uniform uint value;
flat out uint flat_value;
void main() {
    flat_value = value;
    gl_Position = vec4(vec2(gl_VertexID % 2, gl_VertexID / 2) * 8.0 - 1.0, 0.0, 1.0);
})");
        const GLuint fragment = compile(gl, GL_FRAGMENT_SHADER, R"(#version 330 core
flat in uint flat_value;
out uint out_value;
void main() { out_value = flat_value; })");
        gl.AttachShader(program_, vertex);
        gl.AttachShader(program_, fragment);
        gl.LinkProgram(program_);
        gl.DeleteShader(vertex);
        gl.DeleteShader(fragment);
        gl.GenTextures(1, &texture_);
        gl.GenFramebuffers(1, &framebuffer_);
        gl.GenVertexArrays(1, &array_);
        gl.BindTexture(GL_TEXTURE_2D, texture_);
        gl.TexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, side, side, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
        gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    }
    ~ClippedTriangle() {
        gl_.DeleteProgram(program_);
        gl_.DeleteVertexArrays(1, &array_);
        gl_.DeleteFramebuffers(1, &framebuffer_);
        gl_.DeleteTextures(1, &texture_);
    }
    ClippedTriangle(const ClippedTriangle&) = delete;
    ClippedTriangle& operator=(const ClippedTriangle&) = delete;

    /// Draws a triangle. Returns the number of texels with another value.
    std::size_t wrong() {
        gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        gl_.BindVertexArray(array_);
        gl_.UseProgram(program_);
        gl_.Viewport(0, 0, side, side);
        value_ += 17;
        gl_.Uniform1ui(gl_.GetUniformLocation(program_, "value"), value_);
        gl_.DrawArrays(GL_TRIANGLES, 0, 3);
        Words texels(std::size_t{4} * side * side);
        gl_.ReadPixels(0, 0, side, side, GL_RGBA_INTEGER, GL_UNSIGNED_INT, texels.data());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < texels.size(); i += 4)
            if (texels[i] != value_) ++wrong;
        return wrong;
    }

    /// Unbinds the objects that `wrong` binds.
    void unbind() const {
        gl_.UseProgram(0);
        gl_.BindVertexArray(0);
        gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
        gl_.BindTexture(GL_TEXTURE_2D, 0);
    }

  private:
    static constexpr GLsizei side = 64;

    const GladGLContext& gl_;
    GLuint program_ = 0;
    GLuint texture_ = 0;
    GLuint framebuffer_ = 0;
    GLuint array_ = 0;
    std::uint32_t value_ = 1000;
};

/// Draws with smooth lines and the provoking vertex `before`. Then draws without smooth lines, with the provoking
/// vertex `after`. From then on, a driver with the fault gives wrong values. Returns whether the driver has the fault.
bool provoke_fault(const GladGLContext& gl, ClippedTriangle& triangle, GLenum before, GLenum after) {
    gl.ProvokingVertex(before);
    gl.Enable(GL_LINE_SMOOTH);
    CHECK(triangle.wrong() == 0);
    gl.ProvokingVertex(after);
    gl.Disable(GL_LINE_SMOOTH);
    triangle.wrong();
    const bool there = triangle.wrong() != 0;
    triangle.unbind();
    return there;
}

TEST_CASE("flat values of blocks are right where a driver spoils those of clipped triangles", "[sorter]") {
    const Seed seed;
    bool fault = false;
    for (const Tier tier : {Tier::gl45, Tier::gl33}) {
        if (!available(tier)) continue;
        // A separate context, because draws leave the fault in the context.
        TestContext context(tier);
        const GladGLContext& gl = context.gl();
        ClippedTriangle triangle(gl);
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
                    const SortArguments& arguments = caller.load(sample);
                    const GLenum vertices[] = {GL_FIRST_VERTEX_CONVENTION, GL_LAST_VERTEX_CONVENTION};
                    if (provoke_fault(gl, triangle, vertices[turn], vertices[1 - turn])) fault = true;
                    sorter.sort(arguments);
                    gl.ProvokingVertex(GL_LAST_VERTEX_CONVENTION);
                    INFO(tier_name(tier) << " " << algorithm << ", n " << n << ", turn " << turn);
                    CHECK(caller.wrong(sample) == "");
                }
            }
        }
        context.require_clean("flat values");
    }
    if (fault) WARN("this driver spoils flat values of clipped triangles (docs/driver-faults.md)");
}

}  // namespace
}  // namespace glsort::test
