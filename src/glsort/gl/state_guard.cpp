#include <glsort/gl/state_guard.h>

#include <algorithm>

namespace glsort::gl {
namespace {

constexpr std::array<GLenum, 6> unpack_names{GL_UNPACK_ROW_LENGTH,  GL_UNPACK_SKIP_ROWS,
                                             GL_UNPACK_SKIP_PIXELS, GL_UNPACK_ALIGNMENT,
                                             GL_UNPACK_SWAP_BYTES,  GL_UNPACK_LSB_FIRST};
constexpr std::array<GLenum, 6> pack_names{GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS,
                                           GL_PACK_SKIP_PIXELS, GL_PACK_ALIGNMENT,
                                           GL_PACK_SWAP_BYTES, GL_PACK_LSB_FIRST};
/// OpenGL ES has no byte swapping: the first four names of the six above.
std::size_t pixel_store_count(const Api& api) { return api.es ? 4 : 6; }

GLint get(const Api& api, GLenum name) {
    GLint value = 0;
    api.GetIntegerv(name, &value);
    return value;
}

void set_enabled(const Api& api, GLenum capability, bool enabled) {
    enabled ? api.Enable(capability) : api.Disable(capability);
}

/// Viewports, scissors and clip control came one by one; each context has its own set.
bool has_viewport_array(const Api& api) { return api.at_least(41, 0); }
bool has_clip_control(const Api& api) { return api.at_least(45, 0); }
bool has_indexed_mask(const Api& api) { return api.at_least(30, 32); }
bool has_feedback_object(const Api& api) { return api.at_least(40, 30); }

bool scissor_enabled(const Api& api) {
    return (has_viewport_array(api) ? api.IsEnabledi(GL_SCISSOR_TEST, 0)
                                    : api.IsEnabled(GL_SCISSOR_TEST)) == GL_TRUE;
}

void set_scissor(const Api& api, bool enabled) {
    if (!has_viewport_array(api)) return set_enabled(api, GL_SCISSOR_TEST, enabled);
    enabled ? api.Enablei(GL_SCISSOR_TEST, 0) : api.Disablei(GL_SCISSOR_TEST, 0);
}

/// Clip distances a context has; the enable is OpenGL's alone.
std::size_t clip_distances(const Api& api) {
    return static_cast<std::size_t>(std::clamp(api.clip_distances, 0, 8));
}

/// Draw buffers whose colour mask is theirs: one mask for all where masks are not indexed.
std::size_t color_masks(const Api& api) {
    if (!has_indexed_mask(api)) return 1;
    return std::min(static_cast<std::size_t>(api.draw_buffers), max_attachments);
}

}  // namespace

void set_viewport(const Api& api, GLint x, GLint y, GLsizei width, GLsizei height) {
    if (!has_viewport_array(api)) return api.Viewport(x, y, width, height);
    api.ViewportIndexedf(0, static_cast<GLfloat>(x), static_cast<GLfloat>(y),
                         static_cast<GLfloat>(width), static_cast<GLfloat>(height));
}

void set_draw_state(const Api& api) {
    set_scissor(api, false);
    api.Disable(GL_CULL_FACE);
    api.Disable(GL_RASTERIZER_DISCARD);
    if (!api.es) {
        api.Disable(GL_COLOR_LOGIC_OP);
        // In contexts below OpenGL 4 some drivers drop the vertex that has the restart index, in
        // draws without indices too.
        api.Disable(GL_PRIMITIVE_RESTART);
        api.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
        for (std::size_t i = 0; i < clip_distances(api); ++i)
            api.Disable(GL_CLIP_DISTANCE0 + static_cast<GLenum>(i));
    }
    if (has_clip_control(api)) api.ClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    if (!has_indexed_mask(api)) return api.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    for (std::size_t i = 0; i < color_masks(api); ++i)
        api.ColorMaski(static_cast<GLuint>(i), GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void set_unpack_state(const Api& api) {
    for (std::size_t i = 0; i < pixel_store_count(api); ++i)
        api.PixelStorei(unpack_names[i], unpack_names[i] == GL_UNPACK_ALIGNMENT ? 4 : 0);
}

void set_pack_state(const Api& api) {
    for (std::size_t i = 0; i < pixel_store_count(api); ++i)
        api.PixelStorei(pack_names[i], pack_names[i] == GL_PACK_ALIGNMENT ? 4 : 0);
}

StateGuard::StateGuard(const Api& api, const Scope& scope, bool active)
    : api_(api), scope_(scope), active_(active) {
    if (!active_) return;
    // A program cannot be changed while a transform feedback is active and not paused.
    if (has_feedback_object(api_)) {
        GLint feedback_active = 0;
        GLint feedback_paused = 0;
        api_.GetIntegerv(GL_TRANSFORM_FEEDBACK_ACTIVE, &feedback_active);
        api_.GetIntegerv(GL_TRANSFORM_FEEDBACK_PAUSED, &feedback_paused);
        paused_feedback_ = feedback_active != 0 && feedback_paused == 0;
        if (paused_feedback_) api_.PauseTransformFeedback();
    }
    program_ = get(api_, GL_CURRENT_PROGRAM);
    if (scope_.textures) {
        active_texture_ = get(api_, GL_ACTIVE_TEXTURE);
        for (std::size_t i = 0; i < max_units; ++i) {
            api_.ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
            units_[i].texture_2d = get(api_, GL_TEXTURE_BINDING_2D);
            units_[i].texture_array = get(api_, GL_TEXTURE_BINDING_2D_ARRAY);
            units_[i].sampler = get(api_, GL_SAMPLER_BINDING);
        }
        api_.ActiveTexture(static_cast<GLenum>(active_texture_));
    }
    if (scope_.draw) save_draw();
    if (scope_.feedback) save_feedback();
    if (scope_.storage) {
        storage_buffer_ = get(api_, GL_SHADER_STORAGE_BUFFER_BINDING);
        for (std::size_t i = 0; i < storage_blocks(api_); ++i)
            save_indexed(GL_SHADER_STORAGE_BUFFER_BINDING, GL_SHADER_STORAGE_BUFFER_START,
                         GL_SHADER_STORAGE_BUFFER_SIZE, i, storage_buffers_[i]);
    }
    if (scope_.images) {
        for (std::size_t i = 0; i < max_units; ++i) {
            const auto unit = static_cast<GLuint>(i);
            api_.GetIntegeri_v(GL_IMAGE_BINDING_NAME, unit, &images_[i].name);
            api_.GetIntegeri_v(GL_IMAGE_BINDING_LEVEL, unit, &images_[i].level);
            api_.GetIntegeri_v(GL_IMAGE_BINDING_LAYERED, unit, &images_[i].layered);
            api_.GetIntegeri_v(GL_IMAGE_BINDING_LAYER, unit, &images_[i].layer);
            api_.GetIntegeri_v(GL_IMAGE_BINDING_ACCESS, unit, &images_[i].access);
            api_.GetIntegeri_v(GL_IMAGE_BINDING_FORMAT, unit, &images_[i].format);
        }
    }
    if (scope_.unpack) {
        unpack_buffer_ = get(api_, GL_PIXEL_UNPACK_BUFFER_BINDING);
        for (std::size_t i = 0; i < pixel_store_count(api_); ++i)
            unpack_[i] = get(api_, unpack_names[i]);
    }
    if (scope_.pack) {
        pack_buffer_ = get(api_, GL_PIXEL_PACK_BUFFER_BINDING);
        for (std::size_t i = 0; i < pixel_store_count(api_); ++i)
            pack_[i] = get(api_, pack_names[i]);
        read_framebuffer_ = get(api_, GL_READ_FRAMEBUFFER_BINDING);
    }
    if (scope_.copy) {
        copy_read_ = get(api_, GL_COPY_READ_BUFFER_BINDING);
        copy_write_ = get(api_, GL_COPY_WRITE_BUFFER_BINDING);
    }
    if (scope_.array) array_buffer_ = get(api_, GL_ARRAY_BUFFER_BINDING);
}

StateGuard::~StateGuard() {
    if (!active_) return;
    if (scope_.array) api_.BindBuffer(GL_ARRAY_BUFFER, static_cast<GLuint>(array_buffer_));
    if (scope_.copy) {
        api_.BindBuffer(GL_COPY_READ_BUFFER, static_cast<GLuint>(copy_read_));
        api_.BindBuffer(GL_COPY_WRITE_BUFFER, static_cast<GLuint>(copy_write_));
    }
    if (scope_.pack) {
        api_.BindBuffer(GL_PIXEL_PACK_BUFFER, static_cast<GLuint>(pack_buffer_));
        for (std::size_t i = 0; i < pixel_store_count(api_); ++i)
            api_.PixelStorei(pack_names[i], pack_[i]);
        api_.BindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_framebuffer_));
    }
    if (scope_.unpack) {
        api_.BindBuffer(GL_PIXEL_UNPACK_BUFFER, static_cast<GLuint>(unpack_buffer_));
        for (std::size_t i = 0; i < pixel_store_count(api_); ++i)
            api_.PixelStorei(unpack_names[i], unpack_[i]);
    }
    if (scope_.images) {
        for (std::size_t i = 0; i < max_units; ++i) {
            const ImageUnit& image = images_[i];
            api_.BindImageTexture(static_cast<GLuint>(i), static_cast<GLuint>(image.name),
                                  image.level, static_cast<GLboolean>(image.layered), image.layer,
                                  static_cast<GLenum>(image.access),
                                  static_cast<GLenum>(image.format));
        }
    }
    if (scope_.storage) {
        for (std::size_t i = 0; i < storage_blocks(api_); ++i)
            restore_indexed(GL_SHADER_STORAGE_BUFFER, i, storage_buffers_[i]);
        api_.BindBuffer(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(storage_buffer_));
    }
    if (scope_.feedback) restore_feedback();
    if (scope_.draw) restore_draw();
    if (scope_.textures) {
        for (std::size_t i = 0; i < max_units; ++i) {
            api_.ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
            api_.BindTexture(GL_TEXTURE_2D, static_cast<GLuint>(units_[i].texture_2d));
            api_.BindTexture(GL_TEXTURE_2D_ARRAY, static_cast<GLuint>(units_[i].texture_array));
            api_.BindSampler(static_cast<GLuint>(i), static_cast<GLuint>(units_[i].sampler));
        }
        api_.ActiveTexture(static_cast<GLenum>(active_texture_));
    }
    // One that was flagged for deletion is gone.
    const auto program = static_cast<GLuint>(program_);
    api_.UseProgram(api_.IsProgram(program) == GL_TRUE ? program : 0);
    if (paused_feedback_) api_.ResumeTransformFeedback();
}

void StateGuard::save_draw() {
    draw_framebuffer_ = get(api_, GL_DRAW_FRAMEBUFFER_BINDING);
    vertex_array_ = get(api_, GL_VERTEX_ARRAY_BINDING);
    if (has_viewport_array(api_))
        api_.GetFloati_v(GL_VIEWPORT, 0, viewport_.data());
    else
        api_.GetFloatv(GL_VIEWPORT, viewport_.data());
    scissor_ = scissor_enabled(api_);
    cull_ = api_.IsEnabled(GL_CULL_FACE) == GL_TRUE;
    discard_ = api_.IsEnabled(GL_RASTERIZER_DISCARD) == GL_TRUE;
    if (!api_.es) {
        logic_op_ = api_.IsEnabled(GL_COLOR_LOGIC_OP) == GL_TRUE;
        primitive_restart_ = api_.IsEnabled(GL_PRIMITIVE_RESTART) == GL_TRUE;
        // Some drivers return the modes of both faces.
        std::array<GLint, 2> modes{GL_FILL, GL_FILL};
        api_.GetIntegerv(GL_POLYGON_MODE, modes.data());
        polygon_mode_ = modes[0];
        for (std::size_t i = 0; i < clip_distances(api_); ++i)
            clip_distance_[i] =
                api_.IsEnabled(GL_CLIP_DISTANCE0 + static_cast<GLenum>(i)) == GL_TRUE;
    }
    if (has_clip_control(api_)) {
        clip_origin_ = get(api_, GL_CLIP_ORIGIN);
        clip_depth_ = get(api_, GL_CLIP_DEPTH_MODE);
    }
    if (!has_indexed_mask(api_)) return api_.GetBooleanv(GL_COLOR_WRITEMASK, color_mask_[0].data());
    for (std::size_t i = 0; i < color_masks(api_); ++i)
        api_.GetBooleani_v(GL_COLOR_WRITEMASK, static_cast<GLuint>(i), color_mask_[i].data());
}

void StateGuard::restore_draw() const {
    api_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_framebuffer_));
    api_.BindVertexArray(static_cast<GLuint>(vertex_array_));
    if (has_viewport_array(api_))
        api_.ViewportIndexedf(0, viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
    else
        api_.Viewport(static_cast<GLint>(viewport_[0]), static_cast<GLint>(viewport_[1]),
                      static_cast<GLsizei>(viewport_[2]), static_cast<GLsizei>(viewport_[3]));
    set_scissor(api_, scissor_);
    set_enabled(api_, GL_CULL_FACE, cull_);
    set_enabled(api_, GL_RASTERIZER_DISCARD, discard_);
    if (!api_.es) {
        set_enabled(api_, GL_COLOR_LOGIC_OP, logic_op_);
        set_enabled(api_, GL_PRIMITIVE_RESTART, primitive_restart_);
        api_.PolygonMode(GL_FRONT_AND_BACK, static_cast<GLenum>(polygon_mode_));
        for (std::size_t i = 0; i < clip_distances(api_); ++i)
            set_enabled(api_, GL_CLIP_DISTANCE0 + static_cast<GLenum>(i), clip_distance_[i]);
    }
    if (has_clip_control(api_))
        api_.ClipControl(static_cast<GLenum>(clip_origin_), static_cast<GLenum>(clip_depth_));
    if (!has_indexed_mask(api_)) {
        const auto& mask = color_mask_[0];
        return api_.ColorMask(mask[0], mask[1], mask[2], mask[3]);
    }
    for (std::size_t i = 0; i < color_masks(api_); ++i) {
        const auto& mask = color_mask_[i];
        api_.ColorMaski(static_cast<GLuint>(i), mask[0], mask[1], mask[2], mask[3]);
    }
}

void StateGuard::save_feedback() {
    discard_ = api_.IsEnabled(GL_RASTERIZER_DISCARD) == GL_TRUE;
    feedback_buffer_ = get(api_, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING);
    // A transform feedback object of ours leaves the buffers of the caller's alone.
    if (has_feedback_object(api_)) {
        feedback_object_ = get(api_, GL_TRANSFORM_FEEDBACK_BINDING);
        return;
    }
    for (std::size_t i = 0; i < max_feedback_buffers; ++i)
        save_indexed(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, GL_TRANSFORM_FEEDBACK_BUFFER_START,
                     GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, i, feedback_buffers_[i]);
}

void StateGuard::restore_feedback() const {
    set_enabled(api_, GL_RASTERIZER_DISCARD, discard_);
    if (has_feedback_object(api_)) {
        api_.BindTransformFeedback(GL_TRANSFORM_FEEDBACK, static_cast<GLuint>(feedback_object_));
    } else {
        for (std::size_t i = 0; i < max_feedback_buffers; ++i)
            restore_indexed(GL_TRANSFORM_FEEDBACK_BUFFER, i, feedback_buffers_[i]);
    }
    api_.BindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLuint>(feedback_buffer_));
}

void StateGuard::save_indexed(GLenum binding, GLenum start, GLenum size, std::size_t index,
                              IndexedBuffer& buffer) const {
    const auto i = static_cast<GLuint>(index);
    api_.GetIntegeri_v(binding, i, &buffer.name);
    api_.GetInteger64i_v(start, i, &buffer.start);
    api_.GetInteger64i_v(size, i, &buffer.size);
}

void StateGuard::restore_indexed(GLenum target, std::size_t index,
                                 const IndexedBuffer& buffer) const {
    const auto i = static_cast<GLuint>(index);
    const auto name = static_cast<GLuint>(buffer.name);
    // A size of 0 stands for the whole buffer, and for none.
    if (buffer.size == 0) return api_.BindBufferBase(target, i, name);
    api_.BindBufferRange(target, i, name, static_cast<GLintptr>(buffer.start),
                         static_cast<GLsizeiptr>(buffer.size));
}

}  // namespace glsort::gl
