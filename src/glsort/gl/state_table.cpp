#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/gl/state_table.h>
#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

namespace glsort::gl {
namespace {

using Cell = StateRow::Cell;

// State of compatibility profiles. The loader knows only core profiles.
constexpr GLenum polygon_stipple = 0x0B42;
constexpr GLenum alpha_test = 0x0BC0;
constexpr GLenum render_mode = 0x0C40;
constexpr GLint rendering = 0x1C00;
constexpr GLenum list_index = 0x0B33;

GLint get(const Api& api, GLenum name) {
    GLint value = 0;
    api.GetIntegerv(name, &value);
    return value;
}

GLint get(const Api& api, GLenum name, std::size_t index) {
    GLint value = 0;
    api.GetIntegeri_v(name, static_cast<GLuint>(index), &value);
    return value;
}

void save_number(const Api& api, const StateRow& row, Cell* cells) {
    *cells = get(api, row.name);
}

// --- Functions with several names ------------------------------------------------------------

/// Enables a capability for one draw buffer. Null: all draw buffers share their state.
PFNGLENABLEIPROC enable_buffer(const Api& api) {
    return api.Enablei != nullptr ? api.Enablei : api.EnableiOES != nullptr ? api.EnableiOES : api.EnableiEXT;
}
PFNGLDISABLEIPROC disable_buffer(const Api& api) {
    return api.Disablei != nullptr ? api.Disablei : api.DisableiOES != nullptr ? api.DisableiOES : api.DisableiEXT;
}
PFNGLISENABLEDIPROC is_buffer_enabled(const Api& api) {
    return api.IsEnabledi != nullptr      ? api.IsEnabledi
           : api.IsEnablediOES != nullptr ? api.IsEnablediOES
                                          : api.IsEnablediEXT;
}
PFNGLCOLORMASKIPROC mask_buffer(const Api& api) {
    return api.ColorMaski != nullptr      ? api.ColorMaski
           : api.ColorMaskiOES != nullptr ? api.ColorMaskiOES
                                          : api.ColorMaskiEXT;
}
PFNGLBLENDFUNCSEPARATEIPROC blend_buffer(const Api& api) {
    return api.BlendFuncSeparatei != nullptr      ? api.BlendFuncSeparatei
           : api.BlendFuncSeparateiARB != nullptr ? api.BlendFuncSeparateiARB
           : api.BlendFuncSeparateiOES != nullptr ? api.BlendFuncSeparateiOES
                                                  : api.BlendFuncSeparateiEXT;
}

/// The number of draw buffers whose state is saved. 1 if all share their state.
std::size_t draw_buffers(const Api& api, bool several) {
    if (!several) return 1;
    return std::clamp(static_cast<std::size_t>(std::max(api.draw_buffers, 1)), std::size_t{1}, max_attachments);
}

/// Sets one viewport. Null: there is only one viewport.
PFNGLVIEWPORTINDEXEDFPROC viewport_indexed(const Api& api) {
    return api.ViewportIndexedf != nullptr      ? api.ViewportIndexedf
           : api.ViewportIndexedfOES != nullptr ? api.ViewportIndexedfOES
                                                : api.ViewportIndexedfNV;
}
PFNGLGETFLOATI_VPROC get_floats_indexed(const Api& api) {
    return api.GetFloati_v != nullptr      ? api.GetFloati_v
           : api.GetFloati_vOES != nullptr ? api.GetFloati_vOES
                                           : api.GetFloati_vNV;
}

/// Enables or disables a capability for viewport 0, or for all viewports if they share the capability.
void enable_viewport(const Api& api, GLenum name, bool enabled) {
    if (viewport_indexed(api) == nullptr) return enabled ? api.Enable(name) : api.Disable(name);
    const PFNGLENABLEIPROC set_true = api.Enablei != nullptr      ? api.Enablei
                                      : api.EnableiOES != nullptr ? api.EnableiOES
                                                                  : api.EnableiNV;
    const PFNGLDISABLEIPROC set_false = api.Disablei != nullptr      ? api.Disablei
                                        : api.DisableiOES != nullptr ? api.DisableiOES
                                                                     : api.DisableiNV;
    enabled ? set_true(name, 0) : set_false(name, 0);
}

bool is_viewport_enabled(const Api& api, GLenum name) {
    if (viewport_indexed(api) == nullptr) return api.IsEnabled(name) == GL_TRUE;
    const PFNGLISENABLEDIPROC ask = api.IsEnabledi != nullptr      ? api.IsEnabledi
                                    : api.IsEnablediOES != nullptr ? api.IsEnablediOES
                                                                   : api.IsEnablediNV;
    return ask(name, 0) == GL_TRUE;
}

// --- Enables --------------------------------------------------------------------------------------

void set_enabled(const Api& api, GLenum name, bool enabled) {
    enabled ? api.Enable(name) : api.Disable(name);
}

void save_capability(const Api& api, const StateRow& row, Cell* cells) {
    *cells = api.IsEnabled(row.name);
}
void restore_capability(const Api& api, const StateRow& row, const Cell* cells) {
    set_enabled(api, row.name, *cells != 0);
}
void disable(const Api& api, const StateRow& row) {
    api.Disable(row.name);
}

void save_viewport_capability(const Api& api, const StateRow& row, Cell* cells) {
    *cells = is_viewport_enabled(api, row.name);
}
void restore_viewport_capability(const Api& api, const StateRow& row, const Cell* cells) {
    enable_viewport(api, row.name, *cells != 0);
}
void disable_viewport(const Api& api, const StateRow& row) {
    enable_viewport(api, row.name, false);
}

/// The number of clip distances of the context.
std::size_t clip_distances(const Api& api) {
    return static_cast<std::size_t>(std::clamp(api.clip_distances, 0, 8));
}
void save_clip_distances(const Api& api, const StateRow&, Cell* cells) {
    for (std::size_t i = 0; i < clip_distances(api); ++i)
        cells[i] = api.IsEnabled(GL_CLIP_DISTANCE0 + static_cast<GLenum>(i));
}
void restore_clip_distances(const Api& api, const StateRow&, const Cell* cells) {
    for (std::size_t i = 0; i < clip_distances(api); ++i)
        set_enabled(api, GL_CLIP_DISTANCE0 + static_cast<GLenum>(i), cells[i] != 0);
}
void disable_clip_distances(const Api& api, const StateRow&) {
    for (std::size_t i = 0; i < clip_distances(api); ++i)
        api.Disable(GL_CLIP_DISTANCE0 + static_cast<GLenum>(i));
}

// --- Draw buffers ---------------------------------------------------------------------------------

void save_blend(const Api& api, const StateRow&, Cell* cells) {
    const auto ask = is_buffer_enabled(api);
    for (std::size_t i = 0; i < draw_buffers(api, ask != nullptr); ++i)
        cells[i] = ask != nullptr ? ask(GL_BLEND, static_cast<GLuint>(i)) : api.IsEnabled(GL_BLEND);
}
void restore_blend(const Api& api, const StateRow&, const Cell* cells) {
    const auto set_true = enable_buffer(api);
    if (set_true == nullptr) return set_enabled(api, GL_BLEND, cells[0] != 0);
    const auto set_false = disable_buffer(api);
    for (std::size_t i = 0; i < draw_buffers(api, true); ++i)
        (cells[i] != 0 ? set_true : set_false)(GL_BLEND, static_cast<GLuint>(i));
}
/// Disables blending for the buffers that a sort may draw to. Higher buffers keep their state.
void disable_blend(const Api& api, const StateRow&) {
    const auto set_false = disable_buffer(api);
    if (set_false == nullptr) return api.Disable(GL_BLEND);
    for (std::size_t i = 0; i < draw_buffers(api, true); ++i)
        set_false(GL_BLEND, static_cast<GLuint>(i));
}

constexpr std::array<GLenum, 4> blend_factors{GL_BLEND_SRC_RGB, GL_BLEND_DST_RGB, GL_BLEND_SRC_ALPHA,
                                              GL_BLEND_DST_ALPHA};

void save_blend_function(const Api& api, const StateRow&, Cell* cells) {
    const bool several = blend_buffer(api) != nullptr;
    for (std::size_t i = 0; i < draw_buffers(api, several); ++i)
        for (const GLenum factor : blend_factors)
            *cells++ = several ? get(api, factor, i) : get(api, factor);
}
void restore_blend_function(const Api& api, const StateRow&, const Cell* cells) {
    const auto set_one = blend_buffer(api);
    const auto factor = [&cells] { return static_cast<GLenum>(*cells++); };
    for (std::size_t i = 0; i < draw_buffers(api, set_one != nullptr); ++i) {
        const GLenum source = factor();
        const GLenum destination = factor();
        const GLenum source_alpha = factor();
        const GLenum destination_alpha = factor();
        if (set_one != nullptr)
            set_one(static_cast<GLuint>(i), source, destination, source_alpha, destination_alpha);
        else
            api.BlendFuncSeparate(source, destination, source_alpha, destination_alpha);
    }
}
void set_blend_function(const Api& api, const StateRow&) {
    const auto set_one = blend_buffer(api);
    if (set_one == nullptr) return api.BlendFunc(GL_ONE, GL_ZERO);
    for (std::size_t i = 0; i < draw_buffers(api, true); ++i)
        set_one(static_cast<GLuint>(i), GL_ONE, GL_ZERO, GL_ONE, GL_ZERO);
}

void save_color_masks(const Api& api, const StateRow&, Cell* cells) {
    const bool several = mask_buffer(api) != nullptr;
    for (std::size_t i = 0; i < draw_buffers(api, several); ++i) {
        std::array<GLint, 4> mask{};
        several ? api.GetIntegeri_v(GL_COLOR_WRITEMASK, static_cast<GLuint>(i), mask.data())
                : api.GetIntegerv(GL_COLOR_WRITEMASK, mask.data());
        for (const GLint channel : mask)
            *cells++ = channel;
    }
}
void restore_color_masks(const Api& api, const StateRow&, const Cell* cells) {
    const auto set_one = mask_buffer(api);
    for (std::size_t i = 0; i < draw_buffers(api, set_one != nullptr); ++i, cells += 4) {
        const auto channel = [cells](std::size_t c) { return static_cast<GLboolean>(cells[c] != 0); };
        if (set_one != nullptr)
            set_one(static_cast<GLuint>(i), channel(0), channel(1), channel(2), channel(3));
        else
            api.ColorMask(channel(0), channel(1), channel(2), channel(3));
    }
}
void set_color_masks(const Api& api, const StateRow&) {
    const auto set_one = mask_buffer(api);
    if (set_one == nullptr) return api.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    for (std::size_t i = 0; i < draw_buffers(api, true); ++i)
        set_one(static_cast<GLuint>(i), GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

// --- Viewport and rasterisation -------------------------------------------------------------------

void save_viewport(const Api& api, const StateRow&, Cell* cells) {
    std::array<GLfloat, 4> box{};
    if (const auto ask = get_floats_indexed(api); viewport_indexed(api) != nullptr)
        ask(GL_VIEWPORT, 0, box.data());
    else
        api.GetFloatv(GL_VIEWPORT, box.data());
    std::transform(box.begin(), box.end(), cells, [](GLfloat side) { return std::bit_cast<GLint>(side); });
}
void restore_viewport(const Api& api, const StateRow&, const Cell* cells) {
    const auto side = [cells](std::size_t i) { return std::bit_cast<GLfloat>(static_cast<GLint>(cells[i])); };
    if (const auto set_one = viewport_indexed(api)) return set_one(0, side(0), side(1), side(2), side(3));
    api.Viewport(static_cast<GLint>(side(0)), static_cast<GLint>(side(1)), static_cast<GLsizei>(side(2)),
                 static_cast<GLsizei>(side(3)));
}

PFNGLSCISSORINDEXEDPROC scissor_indexed(const Api& api) {
    return api.ScissorIndexed != nullptr      ? api.ScissorIndexed
           : api.ScissorIndexedOES != nullptr ? api.ScissorIndexedOES
                                              : api.ScissorIndexedNV;
}
void save_scissor(const Api& api, const StateRow&, Cell* cells) {
    std::array<GLint, 4> box{};
    viewport_indexed(api) != nullptr ? api.GetIntegeri_v(GL_SCISSOR_BOX, 0, box.data())
                                     : api.GetIntegerv(GL_SCISSOR_BOX, box.data());
    std::copy(box.begin(), box.end(), cells);
}
void restore_scissor(const Api& api, const StateRow&, const Cell* cells) {
    set_scissor(api, static_cast<GLint>(cells[0]), static_cast<GLint>(cells[1]), static_cast<GLsizei>(cells[2]),
                static_cast<GLsizei>(cells[3]));
}

PFNGLPOLYGONMODEPROC polygon_mode(const Api& api) {
    return api.PolygonMode != nullptr ? api.PolygonMode : api.PolygonModeNV;
}
/// Core profiles have one mode for both faces. Some drivers still write two numbers.
void save_polygon_mode(const Api& api, const StateRow&, Cell* cells) {
    std::array<GLint, 2> modes{GL_FILL, GL_FILL};
    api.GetIntegerv(GL_POLYGON_MODE, modes.data());
    cells[0] = modes[0];
    cells[1] = api.compatibility ? modes[1] : modes[0];
}
void restore_polygon_mode(const Api& api, const StateRow&, const Cell* cells) {
    if (cells[0] == cells[1]) return polygon_mode(api)(GL_FRONT_AND_BACK, static_cast<GLenum>(cells[0]));
    polygon_mode(api)(GL_FRONT, static_cast<GLenum>(cells[0]));
    polygon_mode(api)(GL_BACK, static_cast<GLenum>(cells[1]));
}
void set_polygon_mode(const Api& api, const StateRow&) {
    polygon_mode(api)(GL_FRONT_AND_BACK, GL_FILL);
}

PFNGLCLIPCONTROLPROC clip_control(const Api& api) {
    return api.ClipControl != nullptr ? api.ClipControl : api.ClipControlEXT;
}
void save_clip_control(const Api& api, const StateRow&, Cell* cells) {
    cells[0] = get(api, GL_CLIP_ORIGIN);
    cells[1] = get(api, GL_CLIP_DEPTH_MODE);
}
void restore_clip_control(const Api& api, const StateRow&, const Cell* cells) {
    clip_control(api)(static_cast<GLenum>(cells[0]), static_cast<GLenum>(cells[1]));
}
void set_clip_control(const Api& api, const StateRow&) {
    clip_control(api)(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
}

/// The extension guarantees four. No known implementation has more than eight.
constexpr std::size_t max_window_rectangles = 8;
void save_window_rectangles(const Api& api, const StateRow&, Cell* cells) {
    const auto count =
        static_cast<std::size_t>(std::clamp<GLint>(get(api, GL_NUM_WINDOW_RECTANGLES_EXT), 0, max_window_rectangles));
    *cells++ = get(api, GL_WINDOW_RECTANGLE_MODE_EXT);
    *cells++ = static_cast<Cell>(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::array<GLint, 4> box{};
        api.GetIntegeri_v(GL_WINDOW_RECTANGLE_EXT, static_cast<GLuint>(i), box.data());
        cells = std::copy(box.begin(), box.end(), cells);
    }
}
void restore_window_rectangles(const Api& api, const StateRow&, const Cell* cells) {
    std::array<GLint, 4 * max_window_rectangles> boxes{};
    std::transform(cells + 2, cells + 2 + 4 * cells[1], boxes.begin(),
                   [](Cell side) { return static_cast<GLint>(side); });
    api.WindowRectanglesEXT(static_cast<GLenum>(cells[0]), static_cast<GLsizei>(cells[1]), boxes.data());
}
void set_window_rectangles(const Api& api, const StateRow&) {
    api.WindowRectanglesEXT(GL_EXCLUSIVE_EXT, 0, nullptr);
}

/// Some drivers can be queried for the coefficients, but not for whether they are enabled.
constexpr std::array<GLenum, 2> w_coefficients{GL_VIEWPORT_POSITION_W_SCALE_X_COEFF_NV,
                                               GL_VIEWPORT_POSITION_W_SCALE_Y_COEFF_NV};
void save_w_scale(const Api& api, const StateRow&, Cell* cells) {
    for (const GLenum name : w_coefficients) {
        GLfloat value = 0;
        get_floats_indexed(api)(name, 0, &value);
        *cells++ = std::bit_cast<GLint>(value);
    }
}
void restore_w_scale(const Api& api, const StateRow&, const Cell* cells) {
    const auto value = [cells](std::size_t i) { return std::bit_cast<GLfloat>(static_cast<GLint>(cells[i])); };
    api.ViewportPositionWScaleNV(0, value(0), value(1));
}
void set_w_scale(const Api& api, const StateRow&) {
    api.ViewportPositionWScaleNV(0, 0.0f, 0.0f);
}

constexpr std::array<GLenum, 4> swizzles{GL_VIEWPORT_SWIZZLE_X_NV, GL_VIEWPORT_SWIZZLE_Y_NV, GL_VIEWPORT_SWIZZLE_Z_NV,
                                         GL_VIEWPORT_SWIZZLE_W_NV};
void save_swizzle(const Api& api, const StateRow&, Cell* cells) {
    for (std::size_t i = 0; i < swizzles.size(); ++i)
        cells[i] = get(api, swizzles[i], 0);
}
void restore_swizzle(const Api& api, const StateRow&, const Cell* cells) {
    const auto axis = [cells](std::size_t i) { return static_cast<GLenum>(cells[i]); };
    api.ViewportSwizzleNV(0, axis(0), axis(1), axis(2), axis(3));
}
void set_swizzle(const Api& api, const StateRow&) {
    api.ViewportSwizzleNV(0, GL_VIEWPORT_SWIZZLE_POSITIVE_X_NV, GL_VIEWPORT_SWIZZLE_POSITIVE_Y_NV,
                          GL_VIEWPORT_SWIZZLE_POSITIVE_Z_NV, GL_VIEWPORT_SWIZZLE_POSITIVE_W_NV);
}

void restore_shading_rate_ext(const Api& api, const StateRow&, const Cell* cells) {
    api.ShadingRateEXT(static_cast<GLenum>(*cells));
}
void set_shading_rate_ext(const Api& api, const StateRow&) {
    api.ShadingRateEXT(GL_SHADING_RATE_1X1_PIXELS_EXT);
}
void restore_shading_rate_qcom(const Api& api, const StateRow&, const Cell* cells) {
    api.ShadingRateQCOM(static_cast<GLenum>(*cells));
}
void set_shading_rate_qcom(const Api& api, const StateRow&) {
    api.ShadingRateQCOM(GL_SHADING_RATE_1X1_PIXELS_QCOM);
}

// --- Bindings -------------------------------------------------------------------------------------

GLuint object(const Cell* cells) {
    return static_cast<GLuint>(*cells);
}
/// A program that was flagged for deletion no longer exists.
void restore_program(const Api& api, const StateRow&, const Cell* cells) {
    api.UseProgram(api.IsProgram(object(cells)) == GL_TRUE ? object(cells) : 0);
}
void restore_framebuffer(const Api& api, const StateRow& row, const Cell* cells) {
    api.BindFramebuffer(row.target, object(cells));
}
void restore_vertex_array(const Api& api, const StateRow&, const Cell* cells) {
    api.BindVertexArray(object(cells));
}
void restore_buffer(const Api& api, const StateRow& row, const Cell* cells) {
    api.BindBuffer(row.target, object(cells));
}

/// Calls `visit(unit)` for each unit of a row while the unit is active, and then activates `active`.
template <class Visit>
void visit_units(const Api& api, const StateRow& row, GLint active, const Visit& visit) {
    for (std::size_t i = 0; i < row.indices; ++i) {
        api.ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
        visit(static_cast<GLuint>(i));
    }
    api.ActiveTexture(static_cast<GLenum>(active));
}

void save_units(const Api& api, const StateRow& row, Cell* cells) {
    const GLint active = get(api, GL_ACTIVE_TEXTURE);
    *cells++ = active;
    visit_units(api, row, active, [&](GLuint) {
        *cells++ = get(api, GL_TEXTURE_BINDING_2D);
        *cells++ = get(api, GL_TEXTURE_BINDING_2D_ARRAY);
        *cells++ = get(api, GL_SAMPLER_BINDING);
    });
}
void restore_units(const Api& api, const StateRow& row, const Cell* cells) {
    const auto active = static_cast<GLint>(*cells++);
    visit_units(api, row, active, [&](GLuint unit) {
        api.BindTexture(GL_TEXTURE_2D, object(cells++));
        api.BindTexture(GL_TEXTURE_2D_ARRAY, object(cells++));
        api.BindSampler(unit, object(cells++));
    });
}

void save_buffer_textures(const Api& api, const StateRow& row, Cell* cells) {
    visit_units(api, row, get(api, GL_ACTIVE_TEXTURE), [&](GLuint) { *cells++ = get(api, GL_TEXTURE_BINDING_BUFFER); });
}
void restore_buffer_textures(const Api& api, const StateRow& row, const Cell* cells) {
    visit_units(api, row, get(api, GL_ACTIVE_TEXTURE),
                [&](GLuint) { api.BindTexture(GL_TEXTURE_BUFFER, object(cells++)); });
}

/// The buffers bound to the indices of a target, each with its range.
struct IndexedBinding {
    GLenum start;
    GLenum size;
    std::size_t count;
};
IndexedBinding indexed_binding(const StateRow& row) {
    if (row.target == GL_UNIFORM_BUFFER) return {GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER_SIZE, 1};
    if (row.target == GL_SHADER_STORAGE_BUFFER)
        return {GL_SHADER_STORAGE_BUFFER_START, GL_SHADER_STORAGE_BUFFER_SIZE, row.indices};
    return {GL_TRANSFORM_FEEDBACK_BUFFER_START, GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, max_feedback_buffers};
}
void save_indexed(const Api& api, const StateRow& row, Cell* cells) {
    const IndexedBinding binding = indexed_binding(row);
    for (std::size_t i = 0; i < binding.count; ++i) {
        const auto index = static_cast<GLuint>(i);
        *cells++ = get(api, row.name, i);
        api.GetInteger64i_v(binding.start, index, cells++);
        api.GetInteger64i_v(binding.size, index, cells++);
    }
}
void restore_indexed(const Api& api, const StateRow& row, const Cell* cells) {
    for (std::size_t i = 0; i < indexed_binding(row).count; ++i, cells += 3) {
        const auto index = static_cast<GLuint>(i);
        // A size of 0 means the whole buffer, or no buffer.
        if (cells[2] == 0)
            api.BindBufferBase(row.target, index, object(cells));
        else
            api.BindBufferRange(row.target, index, object(cells), static_cast<GLintptr>(cells[1]),
                                static_cast<GLsizeiptr>(cells[2]));
    }
}

bool has_feedback_object(const Api& api) {
    return api.at_least(40, 30);
}
/// A separate feedback object leaves the caller's buffers alone. Without feedback objects the buffers are saved.
void save_feedback(const Api& api, const StateRow& row, Cell* cells) {
    if (has_feedback_object(api))
        *cells = get(api, GL_TRANSFORM_FEEDBACK_BINDING);
    else
        save_indexed(api, row, cells);
}
void restore_feedback(const Api& api, const StateRow& row, const Cell* cells) {
    if (has_feedback_object(api))
        api.BindTransformFeedback(GL_TRANSFORM_FEEDBACK, object(cells));
    else
        restore_indexed(api, row, cells);
}

/// A program cannot change while transform feedback is active and not paused.
void pause_feedback(const Api& api, const StateRow&, Cell* cells) {
    *cells = get(api, GL_TRANSFORM_FEEDBACK_ACTIVE) != 0 && get(api, GL_TRANSFORM_FEEDBACK_PAUSED) == 0;
    if (*cells != 0) api.PauseTransformFeedback();
}
void resume_feedback(const Api& api, const StateRow&, const Cell* cells) {
    if (*cells != 0) api.ResumeTransformFeedback();
}

constexpr std::array<GLenum, 5> image_names{GL_IMAGE_BINDING_LEVEL, GL_IMAGE_BINDING_LAYERED, GL_IMAGE_BINDING_LAYER,
                                            GL_IMAGE_BINDING_ACCESS, GL_IMAGE_BINDING_FORMAT};
void save_images(const Api& api, const StateRow& row, Cell* cells) {
    for (std::size_t i = 0; i < row.indices; ++i) {
        *cells++ = get(api, GL_IMAGE_BINDING_NAME, i);
        for (const GLenum name : image_names)
            *cells++ = get(api, name, i);
    }
}
void restore_images(const Api& api, const StateRow& row, const Cell* cells) {
    for (std::size_t i = 0; i < row.indices; ++i, cells += 6)
        api.BindImageTexture(static_cast<GLuint>(i), object(cells), static_cast<GLint>(cells[1]),
                             static_cast<GLboolean>(cells[2]), static_cast<GLint>(cells[3]),
                             static_cast<GLenum>(cells[4]), static_cast<GLenum>(cells[5]));
}

// --- Pixel storage --------------------------------------------------------------------------------

void restore_pixel_store(const Api& api, const StateRow& row, const Cell* cells) {
    api.PixelStorei(row.name, static_cast<GLint>(*cells));
}
void set_pixel_store(const Api& api, const StateRow& row) {
    api.PixelStorei(row.name, row.value);
}

// --- The table ------------------------------------------------------------------------------------

using Scope = StateScope;

constexpr StateRow precondition(std::string_view names, std::string_view words, std::string_view set_to,
                                std::string_view unreached, int gl, int es, std::array<Extension, 4> extensions = {}) {
    return {.names = names,
            .words = words,
            .set_to = set_to,
            .gl = gl,
            .es = es,
            .extensions = extensions,
            .unreached = unreached};
}

constexpr StateRow capability(GLenum name, std::string_view names, std::string_view words, int gl, int es,
                              std::array<Extension, 4> extensions = {}) {
    return {.part = &Scope::draw,
            .names = names,
            .words = words,
            .set_to = "disabled",
            .gl = gl,
            .es = es,
            .extensions = extensions,
            .kind = StateRow::Kind::capability,
            .name = name,
            .cells = 1,
            .save = save_capability,
            .restore = restore_capability,
            .set = disable};
}

/// A capability that each viewport has separately.
constexpr StateRow viewport_capability(GLenum name, std::string_view names, std::string_view words, int gl, int es,
                                       std::array<Extension, 4> extensions = {}) {
    StateRow row = capability(name, names, words, gl, es, extensions);
    row.indices = 1;
    row.kind = StateRow::Kind::viewport_capability;
    row.save = save_viewport_capability;
    row.restore = restore_viewport_capability;
    row.set = disable_viewport;
    return row;
}

constexpr StateRow compatibility_capability(GLenum name, std::string_view names, std::string_view words) {
    StateRow row = capability(name, names, words, 33, 0);
    row.compatibility = true;
    return row;
}

constexpr StateRow buffer(bool Scope::*part, GLenum target, GLenum name, std::string_view names, std::string_view words,
                          int gl = 33, int es = 30) {
    return {.part = part,
            .names = names,
            .words = words,
            .set_to = "a buffer of the sort's, or none",
            .gl = gl,
            .es = es,
            .name = name,
            .target = target,
            .cells = 1,
            .save = save_number,
            .restore = restore_buffer};
}

constexpr StateRow pixel_store(bool Scope::*part, GLenum name, std::string_view names, std::string_view words,
                               GLint value, GLint hostile, int gl, int es, std::array<Extension, 4> extensions = {}) {
    return {.part = part,
            .names = names,
            .words = words,
            .set_to = value == 4 ? "4" : "0",
            .gl = gl,
            .es = es,
            .extensions = extensions,
            .kind = StateRow::Kind::pixel_store,
            .hostile = hostile,
            .name = name,
            .value = value,
            .cells = 1,
            .save = save_number,
            .restore = restore_pixel_store,
            .set = set_pixel_store};
}

#define GLSORT_EXTENSION(name, drivers)            \
    Extension {                                    \
        &GladGLContext::name, "GL_" #name, drivers \
    }

/// Max texture units of an op. Every context has at least this number.
constexpr std::size_t max_units = 16;
/// Max image units of an op.
constexpr std::size_t max_images = 4;
/// Max storage blocks of an op.
constexpr std::size_t max_blocks = 16;

constexpr StateRow rows[] = {
    // State that a sort cannot set aside.
    {.names = "GL_RENDER_MODE",
     .words = "render mode",
     .set_to = "must be GL_RENDER, or the sort throws Error",
     .gl = 33,
     .compatibility = true},
    {.names = "GL_LIST_INDEX",
     .words = "display list under construction",
     .set_to = "must be none, or the sort throws Error",
     .gl = 33,
     .compatibility = true},
    precondition("glBegin", "primitive between glBegin and glEnd", "must be none", "no query is valid between the two",
                 33, 0),
    precondition("glBeginConditionalRender", "conditional rendering", "must be off: it drops draws and dispatches",
                 "a dropped sort leaves no result to compare", 33, 0,
                 {Extension{nullptr, "GL_NV_conditional_render", "NVIDIA"}}),
    precondition("GL_TRANSFORM_FEEDBACK_BUFFER_ACTIVE", "active transform feedback on OpenGL 3.3", "must be none",
                 "OpenGL refuses the draws of a sort, and has no query to detect that before", 33, 0),
    precondition("GL_SHADER_PIXEL_LOCAL_STORAGE_EXT", "pixel local storage", "must be disabled", "", 0, 0,
                 {Extension{nullptr, "GL_EXT_shader_pixel_local_storage", ""}}),
    precondition(
        "glStartTilingQCOM", "tiled rendering", "must be ended", "", 0, 0,
        {Extension{nullptr, "GL_QCOM_tiled_rendering", ""}, Extension{nullptr, "GL_IMG_tile_region_protection", ""}}),
    precondition("GL_RENDER_GPU_MASK_NV", "GPUs that render", "must be all", "", 0, 0,
                 {Extension{nullptr, "GL_NV_gpu_multicast", ""}}),

    // Saved first and restored last.
    {.names = "GL_TRANSFORM_FEEDBACK_ACTIVE, GL_TRANSFORM_FEEDBACK_PAUSED",
     .words = "active transform feedback",
     .set_to = "paused meanwhile",
     .gl = 40,
     .es = 30,
     .cells = 1,
     .save = pause_feedback,
     .restore = resume_feedback},
    {.names = "GL_CURRENT_PROGRAM",
     .words = "current program",
     .set_to = "none",
     .gl = 33,
     .es = 30,
     .name = GL_CURRENT_PROGRAM,
     .cells = 1,
     .save = save_number,
     .restore = restore_program},

    {.part = &Scope::textures,
     .names = "GL_ACTIVE_TEXTURE, GL_TEXTURE_BINDING_2D, GL_TEXTURE_BINDING_2D_ARRAY, GL_SAMPLER_BINDING",
     .words = "active texture; 2D and 2D array textures, and samplers, of the units that the sort uses",
     .set_to = "what the sort reads",
     .indices = max_units,
     .used = &Scope::texture_units,
     .gl = 33,
     .es = 30,
     .cells = 1 + 3 * max_units,
     .save = save_units,
     .restore = restore_units},
    {.part = &Scope::texture_buffers,
     .names = "GL_TEXTURE_BINDING_BUFFER",
     .words = "buffer textures of the units that the sort uses, where fragment shaders read buffers",
     .set_to = "what the sort reads",
     .indices = max_units,
     .used = &Scope::texture_units,
     .gl = 33,
     .cells = max_units,
     .save = save_buffer_textures,
     .restore = restore_buffer_textures},

    // Draws: where to.
    {.part = &Scope::draw_buffers,
     .names = "GL_DRAW_FRAMEBUFFER_BINDING",
     .words = "draw framebuffer",
     .set_to = "a framebuffer of the sort's",
     .gl = 33,
     .es = 30,
     .name = GL_DRAW_FRAMEBUFFER_BINDING,
     .target = GL_DRAW_FRAMEBUFFER,
     .cells = 1,
     .save = save_number,
     .restore = restore_framebuffer},
    {.part = &Scope::draw,
     .names = "GL_VERTEX_ARRAY_BINDING",
     .words = "vertex array",
     .set_to = "a vertex array of the sort's",
     .gl = 33,
     .es = 30,
     .name = GL_VERTEX_ARRAY_BINDING,
     .cells = 1,
     .save = save_number,
     .restore = restore_vertex_array},
    {.part = &Scope::draw,
     .names = "GL_VIEWPORT",
     .words = "viewport 0",
     .set_to = "what the sort draws",
     .indices = 1,
     .gl = 33,
     .es = 30,
     .cells = 4,
     .save = save_viewport,
     .restore = restore_viewport},

    // Draws: which fragments are made.
    viewport_capability(GL_SCISSOR_TEST, "GL_SCISSOR_TEST", "scissor test of viewport 0", 33, 30),
    {.part = &Scope::scissor,
     .names = "GL_SCISSOR_BOX",
     .words = "scissor box of viewport 0, only with max_elements_per_draw",
     .set_to = "what the sort draws",
     .indices = 1,
     .gl = 33,
     .es = 30,
     .cells = 4,
     .save = save_scissor,
     .restore = restore_scissor},
    capability(GL_CULL_FACE, "GL_CULL_FACE", "face culling", 33, 30),
    capability(GL_RASTERIZER_DISCARD, "GL_RASTERIZER_DISCARD", "rasterizer discard", 33, 30),
    // In contexts below OpenGL 4, some drivers drop the vertex with the restart index, even in draws without indices.
    capability(GL_PRIMITIVE_RESTART, "GL_PRIMITIVE_RESTART", "primitive restart", 33, 0),
    {.part = &Scope::draw,
     .names = "GL_POLYGON_MODE",
     .words = "polygon mode",
     .set_to = "fill",
     .gl = 33,
     .extensions = {GLSORT_EXTENSION(NV_polygon_mode, "NVIDIA")},
     .cells = 2,
     .save = save_polygon_mode,
     .restore = restore_polygon_mode,
     .set = set_polygon_mode},
    compatibility_capability(polygon_stipple, "GL_POLYGON_STIPPLE", "polygon stipple"),
    {.part = &Scope::draw,
     .names = "GL_CLIP_DISTANCE",
     .words = "clip distances 0 to 7",
     .set_to = "disabled",
     .indices = 8,
     .gl = 33,
     .extensions = {GLSORT_EXTENSION(EXT_clip_cull_distance, "Mesa, NVIDIA"),
                    GLSORT_EXTENSION(APPLE_clip_distance, "")},
     .cells = 8,
     .save = save_clip_distances,
     .restore = restore_clip_distances,
     .set = disable_clip_distances},
    {.part = &Scope::draw,
     .names = "GL_CLIP_ORIGIN, GL_CLIP_DEPTH_MODE",
     .words = "clip control",
     .set_to = "lower left, -1 to 1",
     .gl = 45,
     .extensions = {GLSORT_EXTENSION(ARB_clip_control, "Mesa, NVIDIA"),
                    GLSORT_EXTENSION(EXT_clip_control, "Mesa, NVIDIA")},
     .cells = 2,
     .save = save_clip_control,
     .restore = restore_clip_control,
     .set = set_clip_control},
    {.part = &Scope::draw,
     .names = "GL_WINDOW_RECTANGLE_EXT, GL_WINDOW_RECTANGLE_MODE_EXT, GL_NUM_WINDOW_RECTANGLES_EXT",
     .words = "window rectangles",
     .set_to = "none are excluded",
     .indices = max_window_rectangles,
     .extensions = {GLSORT_EXTENSION(EXT_window_rectangles, "NVIDIA")},
     .cells = 2 + 4 * max_window_rectangles,
     .save = save_window_rectangles,
     .restore = restore_window_rectangles,
     .set = set_window_rectangles},
    viewport_capability(GL_SCISSOR_TEST_EXCLUSIVE_NV, "GL_SCISSOR_TEST_EXCLUSIVE_NV",
                        "exclusive scissor test of viewport 0", 0, 0,
                        {GLSORT_EXTENSION(NV_scissor_exclusive, "NVIDIA")}),
    {.part = &Scope::draw,
     .names = "GL_VIEWPORT_SWIZZLE_X_NV, GL_VIEWPORT_SWIZZLE_Y_NV, GL_VIEWPORT_SWIZZLE_Z_NV, GL_VIEWPORT_SWIZZLE_W_NV",
     .words = "swizzle of viewport 0",
     .set_to = "x, y, z, w",
     .indices = 1,
     .extensions = {GLSORT_EXTENSION(NV_viewport_swizzle, "NVIDIA")},
     .cells = 4,
     .save = save_swizzle,
     .restore = restore_swizzle,
     .set = set_swizzle},
    {.part = &Scope::draw,
     .names = "GL_VIEWPORT_POSITION_W_SCALE_X_COEFF_NV, GL_VIEWPORT_POSITION_W_SCALE_Y_COEFF_NV",
     .words = "coefficients of clip-space w of viewport 0",
     .set_to = "0",
     .indices = 1,
     .extensions = {GLSORT_EXTENSION(NV_clip_space_w_scaling, "NVIDIA")},
     .cells = 2,
     .save = save_w_scale,
     .restore = restore_w_scale,
     .set = set_w_scale},
    capability(GL_CONSERVATIVE_RASTERIZATION_NV, "GL_CONSERVATIVE_RASTERIZATION_NV",
               "conservative rasterization (NVIDIA)", 0, 0, {GLSORT_EXTENSION(NV_conservative_raster, "NVIDIA")}),
    capability(GL_CONSERVATIVE_RASTERIZATION_INTEL, "GL_CONSERVATIVE_RASTERIZATION_INTEL",
               "conservative rasterization (Intel)", 0, 0, {GLSORT_EXTENSION(INTEL_conservative_rasterization, "")}),
    capability(
        GL_RASTER_MULTISAMPLE_EXT, "GL_RASTER_MULTISAMPLE_EXT", "multisample rasterization without samples", 0, 0,
        {GLSORT_EXTENSION(EXT_raster_multisample, "NVIDIA"), GLSORT_EXTENSION(NV_framebuffer_mixed_samples, "NVIDIA")}),
    viewport_capability(GL_SHADING_RATE_IMAGE_NV, "GL_SHADING_RATE_IMAGE_NV", "shading rate image of viewport 0", 0, 0,
                        {GLSORT_EXTENSION(NV_shading_rate_image, "NVIDIA")}),
    {.part = &Scope::draw,
     .names = "GL_SHADING_RATE_EXT",
     .words = "shading rate",
     .set_to = "1 by 1 pixel",
     .extensions = {GLSORT_EXTENSION(EXT_fragment_shading_rate, "")},
     .name = GL_SHADING_RATE_EXT,
     .cells = 1,
     .save = save_number,
     .restore = restore_shading_rate_ext,
     .set = set_shading_rate_ext},
    {.part = &Scope::draw,
     .names = "GL_SHADING_RATE_QCOM",
     .words = "shading rate (Qualcomm)",
     .set_to = "1 by 1 pixel",
     .extensions = {GLSORT_EXTENSION(QCOM_shading_rate, "")},
     .name = GL_SHADING_RATE_QCOM,
     .cells = 1,
     .save = save_number,
     .restore = restore_shading_rate_qcom,
     .set = set_shading_rate_qcom},
    capability(GL_REPRESENTATIVE_FRAGMENT_TEST_NV, "GL_REPRESENTATIVE_FRAGMENT_TEST_NV", "representative fragment test",
               0, 0, {GLSORT_EXTENSION(NV_representative_fragment_test, "NVIDIA")}),
    capability(GL_BLACKHOLE_RENDER_INTEL, "GL_BLACKHOLE_RENDER_INTEL", "black hole rendering", 0, 0,
               {GLSORT_EXTENSION(INTEL_blackhole_render, "")}),

    // Draws: which fragments are written, and how.
    compatibility_capability(alpha_test, "GL_ALPHA_TEST", "alpha test"),
    capability(GL_ALPHA_TEST_QCOM, "GL_ALPHA_TEST_QCOM", "alpha test (Qualcomm)", 0, 0,
               {GLSORT_EXTENSION(QCOM_alpha_test, "")}),
    // Integer colours are not blended. But drivers refuse draws to several integer buffers with an advanced blend
    // equation. NVIDIA's loses the context in a draw, or in a read of pixels, if draw buffer 0 does not blend with such
    // an equation and another draw buffer does.
    {.part = &Scope::draw_buffers,
     .names = "GL_BLEND",
     .words = "blending of draw buffers 0 to 7",
     .set_to = "disabled",
     .indices = max_attachments,
     .gl = 33,
     .es = 30,
     .cells = max_attachments,
     .save = save_blend,
     .restore = restore_blend,
     .set = disable_blend},
    // Mesa refuses draws to several buffers with a dual-source blend function, even if blending is disabled.
    {.part = &Scope::draw,
     .names = "GL_BLEND_SRC_RGB, GL_BLEND_DST_RGB, GL_BLEND_SRC_ALPHA, GL_BLEND_DST_ALPHA",
     .words = "blend functions of draw buffers 0 to 7",
     .set_to = "one and zero",
     .indices = max_attachments,
     .gl = 33,
     .extensions = {GLSORT_EXTENSION(EXT_blend_func_extended, "Mesa, NVIDIA")},
     .cells = 4 * max_attachments,
     .save = save_blend_function,
     .restore = restore_blend_function,
     .set = set_blend_function},
    {.part = &Scope::draw,
     .names = "GL_COLOR_WRITEMASK",
     .words = "colour masks of draw buffers 0 to 7",
     .set_to = "all channels",
     .indices = max_attachments,
     .gl = 33,
     .es = 30,
     .cells = 4 * max_attachments,
     .save = save_color_masks,
     .restore = restore_color_masks,
     .set = set_color_masks},
    capability(GL_COLOR_LOGIC_OP, "GL_COLOR_LOGIC_OP", "logic operation", 33, 0),
    capability(GL_FRAGMENT_COVERAGE_TO_COLOR_NV, "GL_FRAGMENT_COVERAGE_TO_COLOR_NV", "coverage to colour", 0, 0,
               {GLSORT_EXTENSION(NV_fragment_coverage_to_color, "NVIDIA")}),

    // Transform feedback. Binding to an index binds to the target too, so the target is restored last.
    buffer(&Scope::draw, GL_TRANSFORM_FEEDBACK_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING,
           "GL_TRANSFORM_FEEDBACK_BUFFER_BINDING", "transform feedback buffer"),
    {.part = &Scope::draw,
     .names = "GL_TRANSFORM_FEEDBACK_BINDING, GL_TRANSFORM_FEEDBACK_BUFFER",
     .words = "transform feedback object; on OpenGL 3.3 transform feedback buffers 0 to 3",
     .set_to = "an object of the sort's; on OpenGL 3.3 none",
     .gl = 33,
     .es = 30,
     .name = GL_TRANSFORM_FEEDBACK_BUFFER_BINDING,
     .target = GL_TRANSFORM_FEEDBACK_BUFFER,
     .cells = 3 * max_feedback_buffers,
     .save = save_feedback,
     .restore = restore_feedback},

    // Dispatches.
    buffer(&Scope::storage, GL_SHADER_STORAGE_BUFFER, GL_SHADER_STORAGE_BUFFER_BINDING,
           "GL_SHADER_STORAGE_BUFFER_BINDING", "shader storage buffer", 43, 31),
    {.part = &Scope::storage,
     .names = "GL_SHADER_STORAGE_BUFFER",
     .words = "shader storage buffers that the sort uses",
     .set_to = "what the sort reads and writes",
     .indices = max_blocks,
     .used = &Scope::storage_blocks,
     .gl = 43,
     .es = 31,
     .name = GL_SHADER_STORAGE_BUFFER_BINDING,
     .target = GL_SHADER_STORAGE_BUFFER,
     .cells = 3 * max_blocks,
     .save = save_indexed,
     .restore = restore_indexed},
    {.part = &Scope::images,
     .names = "GL_IMAGE_BINDING",
     .words = "image units that the sort uses, where it writes textures",
     .set_to = "what the sort writes",
     .indices = max_images,
     .used = &Scope::image_units,
     .gl = 43,
     .es = 31,
     .cells = 6 * max_images,
     .save = save_images,
     .restore = restore_images},

    // Uniform buffer 0 holds the numbers that the GPU has written. `order_updates` also binds to this index, for a
    // driver that loses track of GPU writes.
    buffer(&Scope::uniform, GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING, "GL_UNIFORM_BUFFER_BINDING", "uniform buffer",
           33, 30),
    {.part = &Scope::uniform,
     .names = "GL_UNIFORM_BUFFER",
     .words = "uniform buffer 0",
     .set_to = "numbers of the sort, or none",
     .indices = 1,
     .gl = 33,
     .es = 30,
     .name = GL_UNIFORM_BUFFER_BINDING,
     .target = GL_UNIFORM_BUFFER,
     .cells = 3,
     .save = save_indexed,
     .restore = restore_indexed},

    buffer(&Scope::indirect, GL_DISPATCH_INDIRECT_BUFFER, GL_DISPATCH_INDIRECT_BUFFER_BINDING,
           "GL_DISPATCH_INDIRECT_BUFFER_BINDING", "dispatch indirect buffer", 43, 31),

    // Pixel transfers.
    buffer(&Scope::unpack, GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING, "GL_PIXEL_UNPACK_BUFFER_BINDING",
           "pixel unpack buffer"),
    pixel_store(&Scope::unpack, GL_UNPACK_ALIGNMENT, "GL_UNPACK_ALIGNMENT", "unpack alignment", 4, 8, 33, 30),
    pixel_store(&Scope::unpack, GL_UNPACK_ROW_LENGTH, "GL_UNPACK_ROW_LENGTH", "unpack row length", 0, 37, 33, 30),
    pixel_store(&Scope::unpack, GL_UNPACK_SKIP_ROWS, "GL_UNPACK_SKIP_ROWS", "unpack skipped rows", 0, 7, 33, 30),
    pixel_store(&Scope::unpack, GL_UNPACK_SKIP_PIXELS, "GL_UNPACK_SKIP_PIXELS", "unpack skipped pixels", 0, 3, 33, 30),
    pixel_store(&Scope::unpack, GL_UNPACK_SWAP_BYTES, "GL_UNPACK_SWAP_BYTES", "unpack byte swap", 0, 1, 33, 0),
    pixel_store(&Scope::unpack, GL_UNPACK_LSB_FIRST, "GL_UNPACK_LSB_FIRST", "unpack bit order", 0, 1, 33, 0),
    pixel_store(&Scope::unpack, GL_UNPACK_ROW_BYTES_APPLE, "GL_UNPACK_ROW_BYTES_APPLE", "unpack row bytes", 0, 4096, 0,
                0, {GLSORT_EXTENSION(APPLE_row_bytes, "")}),
    buffer(&Scope::pack, GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING, "GL_PIXEL_PACK_BUFFER_BINDING",
           "pixel pack buffer"),
    pixel_store(&Scope::pack, GL_PACK_ALIGNMENT, "GL_PACK_ALIGNMENT", "pack alignment", 4, 8, 33, 30),
    pixel_store(&Scope::pack, GL_PACK_ROW_LENGTH, "GL_PACK_ROW_LENGTH", "pack row length", 0, 37, 33, 30),
    pixel_store(&Scope::pack, GL_PACK_SKIP_ROWS, "GL_PACK_SKIP_ROWS", "pack skipped rows", 0, 7, 33, 30),
    pixel_store(&Scope::pack, GL_PACK_SKIP_PIXELS, "GL_PACK_SKIP_PIXELS", "pack skipped pixels", 0, 3, 33, 30),
    pixel_store(&Scope::pack, GL_PACK_SWAP_BYTES, "GL_PACK_SWAP_BYTES", "pack byte swap", 0, 1, 33, 0),
    pixel_store(&Scope::pack, GL_PACK_LSB_FIRST, "GL_PACK_LSB_FIRST", "pack bit order", 0, 1, 33, 0),
    pixel_store(&Scope::pack, GL_PACK_ROW_BYTES_APPLE, "GL_PACK_ROW_BYTES_APPLE", "pack row bytes", 0, 4096, 0, 0,
                {GLSORT_EXTENSION(APPLE_row_bytes, "")}),
    pixel_store(&Scope::pack, GL_PACK_INVERT_MESA, "GL_PACK_INVERT_MESA", "pack inversion", 0, 1, 0, 0,
                {GLSORT_EXTENSION(MESA_pack_invert, "Mesa")}),
    pixel_store(&Scope::pack, GL_PACK_REVERSE_ROW_ORDER_ANGLE, "GL_PACK_REVERSE_ROW_ORDER_ANGLE", "pack row order", 0,
                1, 0, 0, {GLSORT_EXTENSION(ANGLE_pack_reverse_row_order, "Mesa")}),
    {.part = &Scope::pack,
     .names = "GL_READ_FRAMEBUFFER_BINDING",
     .words = "read framebuffer",
     .set_to = "a framebuffer of the sort's",
     .gl = 33,
     .es = 30,
     .name = GL_READ_FRAMEBUFFER_BINDING,
     .target = GL_READ_FRAMEBUFFER,
     .cells = 1,
     .save = save_number,
     .restore = restore_framebuffer},

    // Other buffers.
    buffer(&Scope::copy, GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER_BINDING, "GL_COPY_READ_BUFFER_BINDING",
           "copy-read buffer"),
    buffer(&Scope::copy, GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER_BINDING, "GL_COPY_WRITE_BUFFER_BINDING",
           "copy-write buffer"),
    buffer(&Scope::array, GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING, "GL_ARRAY_BUFFER_BINDING", "array buffer"),
};

#undef GLSORT_EXTENSION

/// Browsers have the state of OpenGL ES 3.0. JavaScript keeps the state of WebGL's extensions (web/src/state.js). The
/// other rows, and the texts of all rows, would take a thirtieth of the module.
constexpr bool is_kept(const StateRow& row) {
    return !in_browser || (row.es != 0 && row.es <= 30);
}
constexpr auto table = [] {
    std::array<StateRow, static_cast<std::size_t>(std::count_if(std::begin(rows), std::end(rows), is_kept))> kept{};
    std::copy_if(std::begin(rows), std::end(rows), kept.begin(), is_kept);
    if constexpr (in_browser) {
        for (StateRow& row : kept) {
            row.names = row.words = row.set_to = row.unreached = {};
            row.extensions = {};
        }
    }
    return kept;
}();

constexpr std::size_t cells_of_all() {
    std::size_t cells = 0;
    for (const StateRow& row : rows)
        cells += row.cells;
    return cells;
}
static_assert(cells_of_all() <= state_cells);

}  // namespace

std::span<const StateRow> state_table() {
    return table;
}

std::size_t max_indices(std::size_t StateScope::*used) {
    const auto row = std::find_if(std::begin(table), std::end(table),
                                  [used](const StateRow& candidate) { return candidate.used == used; });
    return row != std::end(table) ? row->indices : 0;
}

bool has_state(const Api& api, const StateRow& row) {
    if constexpr (in_browser) return true;  // no other rows are kept
    if (row.compatibility && !api.compatibility) return false;
    if (api.at_least(row.gl, row.es)) return true;
    return std::any_of(row.extensions.begin(), row.extensions.end(), [&api](const Extension& extension) {
        return extension.loaded != nullptr && api.*extension.loaded != 0;
    });
}

std::string origin(const StateRow& row) {
    std::string text;
    const auto add = [&text](const std::string& item) { text += (text.empty() ? "" : ", ") + item; };
    if (row.gl != 0)
        add(fmt::format("OpenGL {}.{}{}", row.gl / 10, row.gl % 10, row.compatibility ? " compatibility" : ""));
    if (row.es != 0) add(fmt::format("OpenGL ES {}.{}", row.es / 10, row.es % 10));
    for (const Extension& extension : row.extensions)
        if (!extension.name.empty()) add(std::string(extension.name));
    return text;
}

std::string unreached_state() {
    std::string text;
    for (const StateRow& row : state_table()) {
        if (!row.unreached.empty()) text += fmt::format("- {} (`{}`): {}.\n", row.words, row.names, row.unreached);
        for (const Extension& extension : row.extensions) {
            const bool everywhere = extension.drivers == "Mesa, NVIDIA";
            if (extension.name.empty() || everywhere || !row.unreached.empty()) continue;
            text += fmt::format("- {} of `{}`: {}.\n", row.words, extension.name,
                                extension.drivers.empty() ? "no driver in the tests has it"
                                                          : fmt::format("only {}'s driver has it", extension.drivers));
        }
    }
    return text;
}

void set_viewport(const Api& api, GLint x, GLint y, GLsizei width, GLsizei height) {
    if (const auto set_one = viewport_indexed(api))
        set_one(0, static_cast<GLfloat>(x), static_cast<GLfloat>(y), static_cast<GLfloat>(width),
                static_cast<GLfloat>(height));
    else
        api.Viewport(x, y, width, height);
}

void set_scissor(const Api& api, GLint x, GLint y, GLsizei width, GLsizei height) {
    // Both functions come from the same version or extension.
    if (viewport_indexed(api) != nullptr && scissor_indexed(api) != nullptr)
        scissor_indexed(api)(0, x, y, width, height);
    else
        api.Scissor(x, y, width, height);
}

void enable_scissor(const Api& api, bool enabled) {
    enable_viewport(api, GL_SCISSOR_TEST, enabled);
}

std::string state_refusal(const Api& api) {
    if (in_browser || !api.compatibility) return "";
    if (get(api, render_mode) != rendering)
        return "the context's render mode is not GL_RENDER; call glRenderMode(GL_RENDER) first";
    if (const GLint list = get(api, list_index); list != 0)
        return fmt::format("display list {} is under construction; call glEndList() first", list);
    return "";
}

}  // namespace glsort::gl
