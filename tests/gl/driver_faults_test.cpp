#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "support/gl_contexts.h"
#include "support/gl_state_snapshot.h"
#include "support/skip.h"

/// Faults of drivers that the library goes round, without the library: docs/driver-faults.md.

namespace glsort::test {
namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::uint32_t count = 4096;

/// A program whose invocations turn the words x of a storage buffer into 3 x + 1, after a while.
GLuint tripling_program(const GladGLContext& gl, bool es) {
    const std::string source = std::string(es ? "#version 310 es\n" : "#version 430 core\n") + R"(
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Words { uint words[]; };
uniform uint turns;
void main() {
    uint x = words[gl_GlobalInvocationID.x];
    for (uint i = 0u; i < turns; ++i) x = x * 1664525u + 1013904223u;
    for (uint i = 0u; i < turns; ++i) x = (x - 1013904223u) * 4276115653u;
    words[gl_GlobalInvocationID.x] = x * 3u + 1u;
})";
    const GLuint shader = gl.CreateShader(GL_COMPUTE_SHADER);
    const char* text = source.c_str();
    gl.ShaderSource(shader, 1, &text, nullptr);
    gl.CompileShader(shader);
    const GLuint program = gl.CreateProgram();
    gl.AttachShader(program, shader);
    gl.LinkProgram(program);
    gl.DeleteShader(shader);
    return program;
}

enum class WayRound { none, bound_as_uniform_buffer };

/// What a buffer holds after: upload, dispatch, unbind, upload of `second`, without waiting.
Words after_second_upload(const GladGLContext& gl, GLuint program, const Words& second, WayRound way_round) {
    const Words first(count, 7);
    GLuint buffer = 0;
    gl.GenBuffers(1, &buffer);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    gl.BufferData(GL_COPY_WRITE_BUFFER, 4 * count, first.data(), GL_DYNAMIC_COPY);
    gl.UseProgram(program);
    gl.Uniform1ui(gl.GetUniformLocation(program, "turns"), 2000);
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    gl.DispatchCompute(count / 64, 1, 1);
    gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    if (way_round == WayRound::bound_as_uniform_buffer) {
        gl.BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
        gl.BindBufferBase(GL_UNIFORM_BUFFER, 0, 0);
    }
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    gl.BufferSubData(GL_COPY_WRITE_BUFFER, 0, 4 * count, second.data());
    gl.Finish();
    const auto* mapped = static_cast<const std::uint32_t*>(
        gl.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, 4 * count, GL_MAP_READ_BIT));
    REQUIRE(mapped != nullptr);
    Words found(mapped, mapped + count);
    gl.UnmapBuffer(GL_COPY_WRITE_BUFFER);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    gl.UseProgram(0);
    gl.DeleteBuffers(1, &buffer);
    return found;
}

TEST_CASE("an upload stays behind what a shader wrote before, once the buffer was bound as a uniform buffer",
          "[gl]") {
    for (const Tier tier : {Tier::gl45, Tier::es31}) {
        if (!available(tier)) continue;
        TestContext& found = context(tier);
        const GladGLContext& gl = found.gl();
        reset_state(gl);
        const GLuint program = tripling_program(gl, tier == Tier::es31);
        int overtaken = 0;
        for (std::uint32_t turn = 0; turn < 20; ++turn) {
            const Words second(count, 1000 + turn);
            CHECK(after_second_upload(gl, program, second, WayRound::bound_as_uniform_buffer) == second);
            overtaken += after_second_upload(gl, program, second, WayRound::none) == second ? 0 : 1;
        }
        gl.DeleteProgram(program);
        if (overtaken > 0)
            WARN(tier_name(tier) << ", " << found.headless().version_string() << ": " << overtaken
                                 << " of 20 uploads overtook what a shader wrote (docs/driver-faults.md)");
        found.require_clean("driver faults");
    }
}

/// A program whose invocations copy the words of one storage buffer to another.
GLuint copying_program(const GladGLContext& gl) {
    constexpr const char* text = R"(#version 430 core
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer From { uint from[]; };
layout(std430, binding = 1) writeonly buffer To { uint to[]; };
void main() { to[gl_GlobalInvocationID.x] = from[gl_GlobalInvocationID.x]; }
)";
    const GLuint shader = gl.CreateShader(GL_COMPUTE_SHADER);
    gl.ShaderSource(shader, 1, &text, nullptr);
    gl.CompileShader(shader);
    const GLuint program = gl.CreateProgram();
    gl.AttachShader(program, shader);
    gl.LinkProgram(program);
    gl.DeleteShader(shader);
    return program;
}

/// What a shader reads from `buffer`, all words; `read` gets them.
void read_by_dispatch(const GladGLContext& gl, GLuint program, GLuint buffer, GLuint target, Words* read) {
    gl.UseProgram(program);
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, target);
    gl.DispatchCompute(count / 64, 1, 1);
    gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, 0);
    gl.UseProgram(0);
    if (read == nullptr) return;
    gl.BindBuffer(GL_COPY_READ_BUFFER, target);
    read->resize(count);
    gl.GetBufferSubData(GL_COPY_READ_BUFFER, 0, 4 * count, read->data());
    gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
}

GLuint new_buffer(const GladGLContext& gl, const Words& words) {
    GLuint buffer = 0;
    gl.GenBuffers(1, &buffer);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    gl.BufferData(GL_COPY_WRITE_BUFFER, 4 * count, words.data(), GL_DYNAMIC_COPY);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    return buffer;
}

/// The first sequence of docs/driver-faults.md; what the last dispatch reads.
Words after_update_behind_mapping(const GladGLContext& gl, GLuint program, const Words& second, bool maps) {
    const GLuint buffer = new_buffer(gl, Words(count, 7));
    const GLuint target = new_buffer(gl, Words(count, 0));
    read_by_dispatch(gl, program, buffer, target, nullptr);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    const Words first(count, 8);
    if (maps) {
        auto* mapped =
            static_cast<std::uint32_t*>(gl.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, 4 * count, GL_MAP_WRITE_BIT));
        REQUIRE(mapped != nullptr);
        std::copy(first.begin(), first.end(), mapped);
        gl.UnmapBuffer(GL_COPY_WRITE_BUFFER);
        Words held(count);
        gl.GetBufferSubData(GL_COPY_WRITE_BUFFER, 0, 4 * count, held.data());
    } else {
        gl.BufferSubData(GL_COPY_WRITE_BUFFER, 0, 4 * count, first.data());
    }
    gl.BufferSubData(GL_COPY_WRITE_BUFFER, 0, 4 * count, second.data());
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    Words found;
    read_by_dispatch(gl, program, buffer, target, &found);
    for (const GLuint name : {buffer, target}) gl.DeleteBuffers(1, &name);
    return found;
}

TEST_CASE("an update by glBufferSubData is seen where the buffer was never mapped", "[gl]") {
    if (skipped_without(Tier::gl45)) return;
    TestContext& found = context(Tier::gl45);
    const GladGLContext& gl = found.gl();
    reset_state(gl);
    const GLuint program = copying_program(gl);
    int lost = 0;
    for (std::uint32_t turn = 0; turn < 20; ++turn) {
        const Words second(count, 1000 + turn);
        CHECK(after_update_behind_mapping(gl, program, second, false) == second);
        lost += after_update_behind_mapping(gl, program, second, true) == second ? 0 : 1;
    }
    gl.DeleteProgram(program);
    if (lost > 0)
        WARN(found.headless().version_string() << ": " << lost
                                               << " of 20 updates behind a mapping were lost (docs/driver-faults.md)");
    found.require_clean("updates behind mappings");
}

}  // namespace
}  // namespace glsort::test
