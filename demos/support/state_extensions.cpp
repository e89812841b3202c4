#include <glsort/gl/state_table.h>

#include <algorithm>
#include <ostream>
#include <string_view>

#include "support/headless_context.h"
#include "support/state_settings.h"

namespace glsort::trial::settings {

namespace {

// Enumerants that the loader of core profiles does not know.
constexpr GLenum polygon_stipple = 0x0B42;
constexpr GLenum alpha_test = 0x0BC0;
template <class Function>
Function old_function(const char* name) {
    return reinterpret_cast<Function>(demo::HeadlessContext::get_proc_address()(name));
}

constexpr GLint most_window_rectangles = 8;

const std::vector<ExtensionState>& written_by_hand() {
    static const std::vector<ExtensionState> states = {
        {"GL_CLIP_ORIGIN",
         [](const GladGLContext& gl) { return gl.ClipControl != nullptr || gl.ClipControlEXT != nullptr; },
         [](const GladGLContext& gl, ExtensionState::Random&) {
             (gl.ClipControl != nullptr ? gl.ClipControl : gl.ClipControlEXT)(GL_UPPER_LEFT, GL_ZERO_TO_ONE);
         },
         [](const GladGLContext& gl) {
             (gl.ClipControl != nullptr ? gl.ClipControl : gl.ClipControlEXT)(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
         },
         [](const GladGLContext& gl, std::ostream& out) {
             out << std::hex << integer(gl, GL_CLIP_ORIGIN) << " " << integer(gl, GL_CLIP_DEPTH_MODE);
         }},
        {"GL_POLYGON_STIPPLE", is_compatibility,
         [](const GladGLContext& gl, ExtensionState::Random&) {
             const std::array<GLubyte, 128> nothing{};
             old_function<void (*)(const GLubyte*)>("glPolygonStipple")(nothing.data());
             gl.Enable(polygon_stipple);
         },
         [](const GladGLContext& gl) { gl.Disable(polygon_stipple); },
         [](const GladGLContext& gl, std::ostream& out) { out << static_cast<int>(gl.IsEnabled(polygon_stipple)); }},
        {"GL_ALPHA_TEST", is_compatibility,
         [](const GladGLContext& gl, ExtensionState::Random&) {
             old_function<void (*)(GLenum, GLfloat)>("glAlphaFunc")(GL_NEVER, 0.5f);
             gl.Enable(alpha_test);
         },
         [](const GladGLContext& gl) {
             old_function<void (*)(GLenum, GLfloat)>("glAlphaFunc")(GL_ALWAYS, 0.0f);
             gl.Disable(alpha_test);
         },
         [](const GladGLContext& gl, std::ostream& out) { out << static_cast<int>(gl.IsEnabled(alpha_test)); }},
        {"GL_POLYGON_MODE", [](const GladGLContext& gl) { return gl.PolygonModeNV != nullptr; },
         [](const GladGLContext& gl, ExtensionState::Random& random) {
             gl.PolygonModeNV(GL_FRONT_AND_BACK, random() % 2 == 0 ? GL_LINE : GL_POINT);
         },
         [](const GladGLContext& gl) { gl.PolygonModeNV(GL_FRONT_AND_BACK, GL_FILL); },
         [](const GladGLContext& gl, std::ostream& out) { out << std::hex << integer(gl, GL_POLYGON_MODE); }},
        {"GL_CLIP_DISTANCE", [](const GladGLContext& gl) { return gl.EXT_clip_cull_distance != 0; },
         [](const GladGLContext& gl, ExtensionState::Random&) {
             for (GLuint i = 0; i < 8; ++i)
                 gl.Enable(GL_CLIP_DISTANCE0 + i);
         },
         [](const GladGLContext& gl) {
             for (GLuint i = 0; i < 8; ++i)
                 gl.Disable(GL_CLIP_DISTANCE0 + i);
         },
         [](const GladGLContext& gl, std::ostream& out) {
             for (GLuint i = 0; i < 8; ++i)
                 out << static_cast<int>(gl.IsEnabled(GL_CLIP_DISTANCE0 + i)) << " ";
         }},
        {"GL_WINDOW_RECTANGLE_EXT", [](const GladGLContext& gl) { return gl.EXT_window_rectangles != 0; },
         [](const GladGLContext& gl, ExtensionState::Random& random) {
             const GLint boxes[] = {1, 2, 3, 4, 0, 0, 40, 30};
             gl.WindowRectanglesEXT(random() % 2 == 0 ? GL_INCLUSIVE_EXT : GL_EXCLUSIVE_EXT, 2, boxes);
         },
         [](const GladGLContext& gl) { gl.WindowRectanglesEXT(GL_EXCLUSIVE_EXT, 0, nullptr); },
         [](const GladGLContext& gl, std::ostream& out) {
             const GLint count = std::min(integer(gl, GL_NUM_WINDOW_RECTANGLES_EXT), most_window_rectangles);
             out << std::hex << integer(gl, GL_WINDOW_RECTANGLE_MODE_EXT) << std::dec << " " << count;
             for (GLint i = 0; i < count; ++i) {
                 std::array<GLint, 4> box{};
                 gl.GetIntegeri_v(GL_WINDOW_RECTANGLE_EXT, static_cast<GLuint>(i), box.data());
                 for (const GLint side : box)
                     out << " " << side;
             }
         }},
        {"GL_VIEWPORT_SWIZZLE_X_NV", [](const GladGLContext& gl) { return gl.NV_viewport_swizzle != 0; },
         [](const GladGLContext& gl, ExtensionState::Random&) {
             gl.ViewportSwizzleNV(0, GL_VIEWPORT_SWIZZLE_NEGATIVE_Y_NV, GL_VIEWPORT_SWIZZLE_POSITIVE_X_NV,
                                  GL_VIEWPORT_SWIZZLE_POSITIVE_Z_NV, GL_VIEWPORT_SWIZZLE_POSITIVE_W_NV);
         },
         [](const GladGLContext& gl) {
             gl.ViewportSwizzleNV(0, GL_VIEWPORT_SWIZZLE_POSITIVE_X_NV, GL_VIEWPORT_SWIZZLE_POSITIVE_Y_NV,
                                  GL_VIEWPORT_SWIZZLE_POSITIVE_Z_NV, GL_VIEWPORT_SWIZZLE_POSITIVE_W_NV);
         },
         [](const GladGLContext& gl, std::ostream& out) {
             for (const GLenum name : {GL_VIEWPORT_SWIZZLE_X_NV, GL_VIEWPORT_SWIZZLE_Y_NV, GL_VIEWPORT_SWIZZLE_Z_NV,
                                       GL_VIEWPORT_SWIZZLE_W_NV}) {
                 GLint axis = 0;
                 gl.GetIntegeri_v(name, 0, &axis);
                 out << std::hex << axis << " ";
             }
         }},
        {"GL_VIEWPORT_POSITION_W_SCALE_X_COEFF_NV",
         [](const GladGLContext& gl) { return gl.NV_clip_space_w_scaling != 0 && ViewportArray(gl); },
         [](const GladGLContext& gl, ExtensionState::Random&) {
             gl.ViewportPositionWScaleNV(0, 0.25f, -0.125f);
             gl.Enable(GL_VIEWPORT_POSITION_W_SCALE_NV);
         },
         [](const GladGLContext& gl) {
             gl.ViewportPositionWScaleNV(0, 0.0f, 0.0f);
             gl.Disable(GL_VIEWPORT_POSITION_W_SCALE_NV);
         },
         [](const GladGLContext& gl, std::ostream& out) {
             const ViewportArray array(gl);
             for (const GLenum name :
                  {GL_VIEWPORT_POSITION_W_SCALE_X_COEFF_NV, GL_VIEWPORT_POSITION_W_SCALE_Y_COEFF_NV}) {
                 GLfloat value = 0;
                 array.get_floats(name, 0, &value);
                 out << value << " ";
             }
         }},
        {"GL_RASTER_MULTISAMPLE_EXT", [](const GladGLContext& gl) { return gl.EXT_raster_multisample != 0; },
         [](const GladGLContext& gl, ExtensionState::Random&) {
             gl.RasterSamplesEXT(2, GL_TRUE);
             gl.Enable(GL_RASTER_MULTISAMPLE_EXT);
         },
         [](const GladGLContext& gl) {
             gl.Disable(GL_RASTER_MULTISAMPLE_EXT);
             gl.RasterSamplesEXT(0, GL_FALSE);
         },
         [](const GladGLContext& gl, std::ostream& out) {
             out << static_cast<int>(gl.IsEnabled(GL_RASTER_MULTISAMPLE_EXT)) << " "
                 << integer(gl, GL_RASTER_SAMPLES_EXT);
         }},
        {"GL_SHADING_RATE_EXT", [](const GladGLContext& gl) { return gl.EXT_fragment_shading_rate != 0; },
         [](const GladGLContext& gl, ExtensionState::Random&) { gl.ShadingRateEXT(GL_SHADING_RATE_2X2_PIXELS_EXT); },
         [](const GladGLContext& gl) { gl.ShadingRateEXT(GL_SHADING_RATE_1X1_PIXELS_EXT); },
         [](const GladGLContext& gl, std::ostream& out) { out << std::hex << integer(gl, GL_SHADING_RATE_EXT); }},
        {"GL_SHADING_RATE_QCOM", [](const GladGLContext& gl) { return gl.QCOM_shading_rate != 0; },
         [](const GladGLContext& gl, ExtensionState::Random&) { gl.ShadingRateQCOM(GL_SHADING_RATE_2X2_PIXELS_QCOM); },
         [](const GladGLContext& gl) { gl.ShadingRateQCOM(GL_SHADING_RATE_1X1_PIXELS_QCOM); },
         [](const GladGLContext& gl, std::ostream& out) { out << std::hex << integer(gl, GL_SHADING_RATE_QCOM); }},
    };
    return states;
}

ExtensionState capability_of(const gl::StateRow& row) {
    return {std::string(row.names), [&row](const GladGLContext& gl) { return has_extension_of(gl, row); },
            [&row](const GladGLContext& gl, ExtensionState::Random&) { gl.Enable(row.name); },
            [&row](const GladGLContext& gl) { gl.Disable(row.name); },
            [&row](const GladGLContext& gl, std::ostream& out) { out << static_cast<int>(gl.IsEnabled(row.name)); }};
}

// As capability_of(), for a capability of each viewport. Enables the capability of viewport 0 and of some others.
ExtensionState viewport_capability_of(const gl::StateRow& row) {
    ExtensionState state = capability_of(row);
    state.is_there = [&row](const GladGLContext& gl) { return has_extension_of(gl, row) && ViewportArray(gl); };
    state.make_hostile = [&row](const GladGLContext& gl, ExtensionState::Random& random) {
        const ViewportArray array(gl);
        for (GLuint i = 0; i < count_of(gl, GL_MAX_VIEWPORTS); ++i)
            if (i == 0 || random() % 2 == 0) array.enable(row.name, i);
    };
    state.record = [&row](const GladGLContext& gl, std::ostream& out) {
        const ViewportArray array(gl);
        for (GLuint i = 0; i < count_of(gl, GL_MAX_VIEWPORTS); ++i)
            out << static_cast<int>(array.is_enabled(row.name, i)) << " ";
    };
    return state;
}

ExtensionState pixel_store_of(const gl::StateRow& row) {
    return {std::string(row.names), [&row](const GladGLContext& gl) { return has_extension_of(gl, row); },
            [&row](const GladGLContext& gl, ExtensionState::Random&) { gl.PixelStorei(row.name, row.hostile); },
            [&row](const GladGLContext& gl) { gl.PixelStorei(row.name, row.value); },
            [&row](const GladGLContext& gl, std::ostream& out) { out << integer(gl, row.name); }};
}

std::vector<ExtensionState> make_states() {
    std::vector<ExtensionState> states = written_by_hand();
    const auto is_written = [&states](std::string_view name) {
        return std::ranges::find(states, name, &ExtensionState::name) != states.end();
    };
    for (const gl::StateRow& row : gl::state_table()) {
        // The tables of versions list the state of versions.
        if (row.gl != 0 || row.es != 0 || is_written(row.names)) continue;
        if (row.kind == gl::StateRow::Kind::capability) states.push_back(capability_of(row));
        if (row.kind == gl::StateRow::Kind::viewport_capability) states.push_back(viewport_capability_of(row));
        if (row.kind == gl::StateRow::Kind::pixel_store) states.push_back(pixel_store_of(row));
    }
    return states;
}

}  // namespace

bool has_extension_of(const GladGLContext& gl, const gl::StateRow& row) {
    return std::ranges::any_of(row.extensions, [&gl](const gl::Extension& extension) {
        return extension.loaded != nullptr && gl.*extension.loaded != 0;
    });
}

const std::vector<ExtensionState>& extension_states() {
    static const std::vector<ExtensionState> states = make_states();
    return states;
}

}  // namespace glsort::trial::settings
