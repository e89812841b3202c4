#include <glsort/gl/state_table.h>

#include <array>

#include "support/hostile_state.h"
#include "support/state_settings.h"

namespace glsort::trial {

using namespace settings;

std::vector<std::pair<GLenum, GLint>> initial_pixel_storage(const GladGLContext& gl) {
    std::vector<std::pair<GLenum, GLint>> storage;
    for (const PixelStore& store : pixel_stores)
        if (has(gl, store.since)) storage.emplace_back(store.value, store.initial);
    for (const gl::StateRow& row : gl::state_table())
        if (row.kind == gl::StateRow::Kind::pixel_store && has_extension_of(gl, row))
            storage.emplace_back(row.name, row.value);
    return storage;
}

std::vector<std::string> hostile_extension_names() {
    std::vector<std::string> names;
    for (const ExtensionState& state : extension_states())
        names.push_back(state.name);
    return names;
}

void reset_state(const GladGLContext& gl) {
    const bool es = is_es(gl);
    for (const ExtensionState& state : extension_states())
        if (state.is_there(gl)) state.reset(gl);
    for (const Capability& capability : capabilities)
        if (has(gl, capability.since)) set_enabled(gl, capability.value, capability.initially);
    if (!es) {
        const GLuint planes = count_of(gl, GL_MAX_CLIP_DISTANCES);
        for (GLuint i = 0; i < planes; ++i)
            gl.Disable(GL_CLIP_DISTANCE0 + i);
    }
    for (const PixelStore& store : pixel_stores)
        if (has(gl, store.since)) gl.PixelStorei(store.value, store.initial);

    // Bindings. The vertex array and the transform feedback object go first. The element buffer and the indexed
    // feedback buffers, which follow, then belong to the default objects.
    gl.UseProgram(0);
    if (has(gl, {41, 31})) gl.BindProgramPipeline(0);
    gl.BindVertexArray(0);
    if (has(gl, {40, 30})) gl.BindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    for (const IndexedBufferTarget& target : indexed_buffer_targets) {
        if (!has(gl, target.since)) continue;
        const GLuint count = count_of(gl, target.count);
        for (GLuint i = 0; i < count; ++i)
            gl.BindBufferBase(target.target, i, 0);
    }
    for (const BufferTarget& target : buffer_targets)
        if (has(gl, target.since)) gl.BindBuffer(target.target, 0);
    const GLuint units = count_of(gl, GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS);
    for (GLuint unit = 0; unit < units; ++unit) {
        gl.ActiveTexture(GL_TEXTURE0 + unit);
        for (const TextureTarget& target : texture_targets)
            if (has(gl, target.since)) gl.BindTexture(target.target, 0);
        gl.BindSampler(unit, 0);
    }
    gl.ActiveTexture(GL_TEXTURE0);
    if (has(gl, image_units)) {
        const GLuint count = count_of(gl, GL_MAX_IMAGE_UNITS);
        // The initial format is GL_R8 in OpenGL, and GL_R32UI in OpenGL ES.
        for (GLuint i = 0; i < count; ++i)
            gl.BindImageTexture(i, 0, 0, GL_FALSE, 0, GL_READ_ONLY, es ? GL_R32UI : GL_R8);
    }
    gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl.BindRenderbuffer(GL_RENDERBUFFER, 0);

    // Fragment operations. Functions without index set all indexes.
    gl.BlendColor(0.0f, 0.0f, 0.0f, 0.0f);
    gl.BlendFunc(GL_ONE, GL_ZERO);
    gl.BlendEquation(GL_FUNC_ADD);
    gl.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    gl.DepthFunc(GL_LESS);
    gl.DepthMask(GL_TRUE);
    gl.StencilFunc(GL_ALWAYS, 0, ~GLuint{0});
    gl.StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    gl.StencilMask(~GLuint{0});
    gl.SampleCoverage(1.0f, GL_FALSE);
    if (has(gl, {33, 31})) {
        const GLuint words = count_of(gl, GL_MAX_SAMPLE_MASK_WORDS);
        for (GLuint i = 0; i < words; ++i)
            gl.SampleMaski(i, ~GLuint{0});
    }
    if (has(gl, {40, 32})) gl.MinSampleShading(0.0f);
    gl.ClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    set_clear_depth(gl, 1.0f);
    gl.ClearStencil(0);
    set_depth_range(gl, 0.0f, 1.0f);

    // Rasterisation.
    gl.CullFace(GL_BACK);
    gl.FrontFace(GL_CCW);
    gl.PolygonOffset(0.0f, 0.0f);
    gl.LineWidth(1.0f);
    gl.Hint(GL_FRAGMENT_SHADER_DERIVATIVE_HINT, GL_DONT_CARE);
    if (has(gl, {40, 32})) gl.PatchParameteri(GL_PATCH_VERTICES, 3);
    const GLuint attributes = count_of(gl, GL_MAX_VERTEX_ATTRIBS);
    for (GLuint i = 0; i < attributes; ++i)
        gl.VertexAttrib4f(i, 0.0f, 0.0f, 0.0f, 1.0f);
    if (es) {
        gl.Hint(GL_GENERATE_MIPMAP_HINT, GL_DONT_CARE);
        if (has(gl, {never, 32})) gl.PrimitiveBoundingBox(-1.0f, -1.0f, -1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f);
        return;
    }
    gl.LogicOp(GL_COPY);
    gl.ClampColor(GL_CLAMP_READ_COLOR, GL_FIXED_ONLY);
    for (const GLenum hint :
         std::array<GLenum, 3>{GL_LINE_SMOOTH_HINT, GL_POLYGON_SMOOTH_HINT, GL_TEXTURE_COMPRESSION_HINT})
        gl.Hint(hint, GL_DONT_CARE);
    gl.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    gl.PointSize(1.0f);
    gl.PointParameterf(GL_POINT_FADE_THRESHOLD_SIZE, 1.0f);
    gl.PointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_UPPER_LEFT);
    gl.ProvokingVertex(GL_LAST_VERTEX_CONVENTION);
    gl.PrimitiveRestartIndex(0);
    if (has(gl, {40, never})) {
        constexpr GLfloat levels[4] = {1.0f, 1.0f, 1.0f, 1.0f};
        gl.PatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, levels);
        gl.PatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels);
    }
    if (has(gl, {46, never})) gl.PolygonOffsetClamp(0.0f, 0.0f, 0.0f);
}

}  // namespace glsort::trial
