#pragma once

#include <glad/gl.h>
#include <glsort/gl/state_table.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iosfwd>
#include <random>
#include <string>
#include <vector>

/// The settings of a context as data, for snapshots (state_snapshot.cpp), hostile settings (hostile_state.cpp) and
/// initial values (state_reset.cpp).

namespace glsort::trial::settings {

// The versions (10 * major + minor) that introduced a setting. `never`: the family lacks the setting.
struct Since {
    int gl;
    int es;
};
inline constexpr int never = 1000;

inline bool is_es(const GladGLContext& gl) {
    return gl.ES_VERSION_3_0 != 0;
}

inline bool has(const GladGLContext& gl, Since since) {
    if (is_es(gl)) {
        const int version = gl.ES_VERSION_3_2 != 0 ? 32 : gl.ES_VERSION_3_1 != 0 ? 31 : 30;
        return version >= since.es;
    }
    const int version = gl.VERSION_4_6 != 0   ? 46
                        : gl.VERSION_4_5 != 0 ? 45
                        : gl.VERSION_4_4 != 0 ? 44
                        : gl.VERSION_4_3 != 0 ? 43
                        : gl.VERSION_4_2 != 0 ? 42
                        : gl.VERSION_4_1 != 0 ? 41
                        : gl.VERSION_4_0 != 0 ? 40
                        : gl.VERSION_3_3 != 0 ? 33
                                              : 0;
    return version >= since.gl;
}

inline constexpr Since all_versions{33, 30};
inline constexpr Since desktop{33, never};

struct Capability {
    const char* name;
    GLenum value;
    Since since;
    bool initially = false;
    bool compiled_in = false;  // Whether some driver compiles the setting into shaders.
};

inline constexpr Capability capabilities[] = {
    {"GL_BLEND", GL_BLEND, all_versions},
    {"GL_CULL_FACE", GL_CULL_FACE, all_versions},
    {"GL_DEPTH_TEST", GL_DEPTH_TEST, all_versions},
    {"GL_DITHER", GL_DITHER, all_versions, true, true},
    {"GL_POLYGON_OFFSET_FILL", GL_POLYGON_OFFSET_FILL, all_versions},
    {"GL_SAMPLE_ALPHA_TO_COVERAGE", GL_SAMPLE_ALPHA_TO_COVERAGE, all_versions},
    {"GL_SAMPLE_COVERAGE", GL_SAMPLE_COVERAGE, all_versions},
    {"GL_SCISSOR_TEST", GL_SCISSOR_TEST, all_versions},
    {"GL_STENCIL_TEST", GL_STENCIL_TEST, all_versions},
    {"GL_RASTERIZER_DISCARD", GL_RASTERIZER_DISCARD, all_versions},
    {"GL_PRIMITIVE_RESTART_FIXED_INDEX", GL_PRIMITIVE_RESTART_FIXED_INDEX, {43, 30}},
    {"GL_SAMPLE_MASK", GL_SAMPLE_MASK, {33, 31}},
    {"GL_SAMPLE_SHADING", GL_SAMPLE_SHADING, {40, 32}},
    {"GL_COLOR_LOGIC_OP", GL_COLOR_LOGIC_OP, desktop},
    {"GL_DEPTH_CLAMP", GL_DEPTH_CLAMP, desktop, false, true},
    {"GL_FRAMEBUFFER_SRGB", GL_FRAMEBUFFER_SRGB, desktop},
    {"GL_LINE_SMOOTH", GL_LINE_SMOOTH, desktop},
    {"GL_MULTISAMPLE", GL_MULTISAMPLE, desktop, true},
    {"GL_POLYGON_OFFSET_LINE", GL_POLYGON_OFFSET_LINE, desktop},
    {"GL_POLYGON_OFFSET_POINT", GL_POLYGON_OFFSET_POINT, desktop},
    {"GL_POLYGON_SMOOTH", GL_POLYGON_SMOOTH, desktop},
    {"GL_PRIMITIVE_RESTART", GL_PRIMITIVE_RESTART, desktop},
    {"GL_PROGRAM_POINT_SIZE", GL_PROGRAM_POINT_SIZE, desktop},
    {"GL_SAMPLE_ALPHA_TO_ONE", GL_SAMPLE_ALPHA_TO_ONE, desktop},
    {"GL_TEXTURE_CUBE_MAP_SEAMLESS", GL_TEXTURE_CUBE_MAP_SEAMLESS, desktop},
};

struct TextureTarget {
    const char* binding_name;
    GLenum target;
    GLenum binding;
    Since since;
};

inline constexpr TextureTarget texture_targets[] = {
    {"GL_TEXTURE_BINDING_2D", GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, all_versions},
    {"GL_TEXTURE_BINDING_3D", GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D, all_versions},
    {"GL_TEXTURE_BINDING_2D_ARRAY", GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY, all_versions},
    {"GL_TEXTURE_BINDING_CUBE_MAP", GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP, all_versions},
    {"GL_TEXTURE_BINDING_1D", GL_TEXTURE_1D, GL_TEXTURE_BINDING_1D, desktop},
    {"GL_TEXTURE_BINDING_1D_ARRAY", GL_TEXTURE_1D_ARRAY, GL_TEXTURE_BINDING_1D_ARRAY, desktop},
    {"GL_TEXTURE_BINDING_RECTANGLE", GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE, desktop},
    {"GL_TEXTURE_BINDING_BUFFER", GL_TEXTURE_BUFFER, GL_TEXTURE_BINDING_BUFFER, {33, 32}},
    {"GL_TEXTURE_BINDING_2D_MULTISAMPLE", GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BINDING_2D_MULTISAMPLE, {33, 31}},
    {"GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY",
     GL_TEXTURE_2D_MULTISAMPLE_ARRAY,
     GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY,
     {33, 32}},
    {"GL_TEXTURE_BINDING_CUBE_MAP_ARRAY", GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_BINDING_CUBE_MAP_ARRAY, {40, 32}},
};

struct BufferTarget {
    const char* name;
    GLenum target;
    GLenum binding;
    Since since;
};

// Without GL_ELEMENT_ARRAY_BUFFER, which belongs to the vertex array.
inline constexpr BufferTarget buffer_targets[] = {
    {"GL_ARRAY_BUFFER", GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING, all_versions},
    {"GL_COPY_READ_BUFFER", GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER_BINDING, all_versions},
    {"GL_COPY_WRITE_BUFFER", GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER_BINDING, all_versions},
    {"GL_PIXEL_PACK_BUFFER", GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING, all_versions},
    {"GL_PIXEL_UNPACK_BUFFER", GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING, all_versions},
    {"GL_UNIFORM_BUFFER", GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING, all_versions},
    {"GL_TRANSFORM_FEEDBACK_BUFFER", GL_TRANSFORM_FEEDBACK_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, all_versions},
    {"GL_TEXTURE_BUFFER", GL_TEXTURE_BUFFER, GL_TEXTURE_BUFFER_BINDING, {33, 32}},
    {"GL_DRAW_INDIRECT_BUFFER", GL_DRAW_INDIRECT_BUFFER, GL_DRAW_INDIRECT_BUFFER_BINDING, {40, 31}},
    {"GL_DISPATCH_INDIRECT_BUFFER", GL_DISPATCH_INDIRECT_BUFFER, GL_DISPATCH_INDIRECT_BUFFER_BINDING, {43, 31}},
    {"GL_SHADER_STORAGE_BUFFER", GL_SHADER_STORAGE_BUFFER, GL_SHADER_STORAGE_BUFFER_BINDING, {43, 31}},
    {"GL_ATOMIC_COUNTER_BUFFER", GL_ATOMIC_COUNTER_BUFFER, GL_ATOMIC_COUNTER_BUFFER_BINDING, {42, 31}},
    {"GL_QUERY_BUFFER", GL_QUERY_BUFFER, GL_QUERY_BUFFER_BINDING, {44, never}},
    {"GL_PARAMETER_BUFFER", GL_PARAMETER_BUFFER, GL_PARAMETER_BUFFER_BINDING, {46, never}},
};

struct IndexedBufferTarget {
    const char* name;
    GLenum target;
    GLenum binding;
    GLenum start;
    GLenum size;
    GLenum count;
    Since since;
};

inline constexpr IndexedBufferTarget indexed_buffer_targets[] = {
    {"GL_UNIFORM_BUFFER", GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER_SIZE,
     GL_MAX_UNIFORM_BUFFER_BINDINGS, all_versions},
    {"GL_TRANSFORM_FEEDBACK_BUFFER", GL_TRANSFORM_FEEDBACK_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING,
     GL_TRANSFORM_FEEDBACK_BUFFER_START, GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS,
     all_versions},
    {"GL_SHADER_STORAGE_BUFFER",
     GL_SHADER_STORAGE_BUFFER,
     GL_SHADER_STORAGE_BUFFER_BINDING,
     GL_SHADER_STORAGE_BUFFER_START,
     GL_SHADER_STORAGE_BUFFER_SIZE,
     GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS,
     {43, 31}},
    {"GL_ATOMIC_COUNTER_BUFFER",
     GL_ATOMIC_COUNTER_BUFFER,
     GL_ATOMIC_COUNTER_BUFFER_BINDING,
     GL_ATOMIC_COUNTER_BUFFER_START,
     GL_ATOMIC_COUNTER_BUFFER_SIZE,
     GL_MAX_ATOMIC_COUNTER_BUFFER_BINDINGS,
     {42, 31}},
};

// A setting that glGet() reads as it is.
enum class Kind { integer, enumerant, floating, boolean };

struct Setting {
    const char* name;
    GLenum value;
    Kind kind;
    Since since = all_versions;
    int count = 1;
};

inline constexpr Setting plain_settings[] = {
    {"GL_CURRENT_PROGRAM", GL_CURRENT_PROGRAM, Kind::integer},
    {"GL_PROGRAM_PIPELINE_BINDING", GL_PROGRAM_PIPELINE_BINDING, Kind::integer, {41, 31}},
    {"GL_VERTEX_ARRAY_BINDING", GL_VERTEX_ARRAY_BINDING, Kind::integer},
    {"GL_ELEMENT_ARRAY_BUFFER_BINDING", GL_ELEMENT_ARRAY_BUFFER_BINDING, Kind::integer},
    {"GL_DRAW_FRAMEBUFFER_BINDING", GL_DRAW_FRAMEBUFFER_BINDING, Kind::integer},
    {"GL_READ_FRAMEBUFFER_BINDING", GL_READ_FRAMEBUFFER_BINDING, Kind::integer},
    {"GL_RENDERBUFFER_BINDING", GL_RENDERBUFFER_BINDING, Kind::integer},
    {"GL_READ_BUFFER", GL_READ_BUFFER, Kind::enumerant},
    {"GL_TRANSFORM_FEEDBACK_BINDING", GL_TRANSFORM_FEEDBACK_BINDING, Kind::integer, {40, 30}},
    {"GL_TRANSFORM_FEEDBACK_ACTIVE", GL_TRANSFORM_FEEDBACK_ACTIVE, Kind::boolean, {40, 30}},
    {"GL_TRANSFORM_FEEDBACK_PAUSED", GL_TRANSFORM_FEEDBACK_PAUSED, Kind::boolean, {40, 30}},

    {"GL_VIEWPORT", GL_VIEWPORT, Kind::integer, all_versions, 4},
    {"GL_DEPTH_RANGE", GL_DEPTH_RANGE, Kind::floating, all_versions, 2},
    {"GL_SCISSOR_BOX", GL_SCISSOR_BOX, Kind::integer, all_versions, 4},

    {"GL_BLEND_COLOR", GL_BLEND_COLOR, Kind::floating, all_versions, 4},
    {"GL_BLEND_SRC_RGB", GL_BLEND_SRC_RGB, Kind::enumerant},
    {"GL_BLEND_DST_RGB", GL_BLEND_DST_RGB, Kind::enumerant},
    {"GL_BLEND_SRC_ALPHA", GL_BLEND_SRC_ALPHA, Kind::enumerant},
    {"GL_BLEND_DST_ALPHA", GL_BLEND_DST_ALPHA, Kind::enumerant},
    {"GL_BLEND_EQUATION_RGB", GL_BLEND_EQUATION_RGB, Kind::enumerant},
    {"GL_BLEND_EQUATION_ALPHA", GL_BLEND_EQUATION_ALPHA, Kind::enumerant},
    {"GL_LOGIC_OP_MODE", GL_LOGIC_OP_MODE, Kind::enumerant, desktop},
    {"GL_COLOR_WRITEMASK", GL_COLOR_WRITEMASK, Kind::boolean, all_versions, 4},

    {"GL_DEPTH_FUNC", GL_DEPTH_FUNC, Kind::enumerant},
    {"GL_DEPTH_WRITEMASK", GL_DEPTH_WRITEMASK, Kind::boolean},
    {"GL_STENCIL_FUNC", GL_STENCIL_FUNC, Kind::enumerant},
    {"GL_STENCIL_REF", GL_STENCIL_REF, Kind::integer},
    {"GL_STENCIL_VALUE_MASK", GL_STENCIL_VALUE_MASK, Kind::enumerant},
    {"GL_STENCIL_FAIL", GL_STENCIL_FAIL, Kind::enumerant},
    {"GL_STENCIL_PASS_DEPTH_FAIL", GL_STENCIL_PASS_DEPTH_FAIL, Kind::enumerant},
    {"GL_STENCIL_PASS_DEPTH_PASS", GL_STENCIL_PASS_DEPTH_PASS, Kind::enumerant},
    {"GL_STENCIL_WRITEMASK", GL_STENCIL_WRITEMASK, Kind::enumerant},
    {"GL_STENCIL_BACK_FUNC", GL_STENCIL_BACK_FUNC, Kind::enumerant},
    {"GL_STENCIL_BACK_REF", GL_STENCIL_BACK_REF, Kind::integer},
    {"GL_STENCIL_BACK_VALUE_MASK", GL_STENCIL_BACK_VALUE_MASK, Kind::enumerant},
    {"GL_STENCIL_BACK_FAIL", GL_STENCIL_BACK_FAIL, Kind::enumerant},
    {"GL_STENCIL_BACK_PASS_DEPTH_FAIL", GL_STENCIL_BACK_PASS_DEPTH_FAIL, Kind::enumerant},
    {"GL_STENCIL_BACK_PASS_DEPTH_PASS", GL_STENCIL_BACK_PASS_DEPTH_PASS, Kind::enumerant},
    {"GL_STENCIL_BACK_WRITEMASK", GL_STENCIL_BACK_WRITEMASK, Kind::enumerant},
    {"GL_SAMPLE_COVERAGE_VALUE", GL_SAMPLE_COVERAGE_VALUE, Kind::floating},
    {"GL_SAMPLE_COVERAGE_INVERT", GL_SAMPLE_COVERAGE_INVERT, Kind::boolean},
    {"GL_MIN_SAMPLE_SHADING_VALUE", GL_MIN_SAMPLE_SHADING_VALUE, Kind::floating, {40, 32}},

    {"GL_CULL_FACE_MODE", GL_CULL_FACE_MODE, Kind::enumerant},
    {"GL_FRONT_FACE", GL_FRONT_FACE, Kind::enumerant},
    {"GL_POLYGON_OFFSET_FACTOR", GL_POLYGON_OFFSET_FACTOR, Kind::floating},
    {"GL_POLYGON_OFFSET_UNITS", GL_POLYGON_OFFSET_UNITS, Kind::floating},
    {"GL_POLYGON_OFFSET_CLAMP", GL_POLYGON_OFFSET_CLAMP, Kind::floating, {46, never}},
    {"GL_POLYGON_MODE", GL_POLYGON_MODE, Kind::enumerant, desktop},
    {"GL_LINE_WIDTH", GL_LINE_WIDTH, Kind::floating},
    {"GL_POINT_SIZE", GL_POINT_SIZE, Kind::floating, desktop},
    {"GL_POINT_FADE_THRESHOLD_SIZE", GL_POINT_FADE_THRESHOLD_SIZE, Kind::floating, desktop},
    {"GL_POINT_SPRITE_COORD_ORIGIN", GL_POINT_SPRITE_COORD_ORIGIN, Kind::enumerant, desktop},
    {"GL_PROVOKING_VERTEX", GL_PROVOKING_VERTEX, Kind::enumerant, desktop},
    {"GL_PRIMITIVE_RESTART_INDEX", GL_PRIMITIVE_RESTART_INDEX, Kind::integer, desktop},
    {"GL_PATCH_VERTICES", GL_PATCH_VERTICES, Kind::integer, {40, 32}},
    {"GL_PATCH_DEFAULT_INNER_LEVEL", GL_PATCH_DEFAULT_INNER_LEVEL, Kind::floating, {40, never}, 2},
    {"GL_PATCH_DEFAULT_OUTER_LEVEL", GL_PATCH_DEFAULT_OUTER_LEVEL, Kind::floating, {40, never}, 4},
    {"GL_PRIMITIVE_BOUNDING_BOX", GL_PRIMITIVE_BOUNDING_BOX, Kind::floating, {never, 32}, 8},
    {"GL_CLAMP_READ_COLOR", GL_CLAMP_READ_COLOR, Kind::enumerant, desktop},

    {"GL_COLOR_CLEAR_VALUE", GL_COLOR_CLEAR_VALUE, Kind::floating, all_versions, 4},
    {"GL_DEPTH_CLEAR_VALUE", GL_DEPTH_CLEAR_VALUE, Kind::floating},
    {"GL_STENCIL_CLEAR_VALUE", GL_STENCIL_CLEAR_VALUE, Kind::integer},

    {"GL_FRAGMENT_SHADER_DERIVATIVE_HINT", GL_FRAGMENT_SHADER_DERIVATIVE_HINT, Kind::enumerant},
    {"GL_GENERATE_MIPMAP_HINT", GL_GENERATE_MIPMAP_HINT, Kind::enumerant, {never, 30}},
    {"GL_LINE_SMOOTH_HINT", GL_LINE_SMOOTH_HINT, Kind::enumerant, desktop},
    {"GL_POLYGON_SMOOTH_HINT", GL_POLYGON_SMOOTH_HINT, Kind::enumerant, desktop},
    {"GL_TEXTURE_COMPRESSION_HINT", GL_TEXTURE_COMPRESSION_HINT, Kind::enumerant, desktop},

    {"GL_DEBUG_OUTPUT", GL_DEBUG_OUTPUT, Kind::boolean, {43, 32}},
    {"GL_DEBUG_OUTPUT_SYNCHRONOUS", GL_DEBUG_OUTPUT_SYNCHRONOUS, Kind::boolean, {43, 32}},
    {"GL_DEBUG_GROUP_STACK_DEPTH", GL_DEBUG_GROUP_STACK_DEPTH, Kind::integer, {43, 32}},
};

// `odd` is the value that a DirtyState sets. All these values are valid, and none is initial.
struct PixelStore {
    const char* name;
    GLenum value;
    Since since;
    GLint initial;
    std::array<GLint, 2> odd;
};

inline constexpr PixelStore pixel_stores[] = {
    {"GL_PACK_ALIGNMENT", GL_PACK_ALIGNMENT, all_versions, 4, {1, 8}},
    {"GL_PACK_ROW_LENGTH", GL_PACK_ROW_LENGTH, all_versions, 0, {37, 1}},
    {"GL_PACK_SKIP_PIXELS", GL_PACK_SKIP_PIXELS, all_versions, 0, {3, 5}},
    {"GL_PACK_SKIP_ROWS", GL_PACK_SKIP_ROWS, all_versions, 0, {7, 2}},
    {"GL_PACK_IMAGE_HEIGHT", GL_PACK_IMAGE_HEIGHT, desktop, 0, {41, 1}},
    {"GL_PACK_SKIP_IMAGES", GL_PACK_SKIP_IMAGES, desktop, 0, {2, 1}},
    {"GL_PACK_SWAP_BYTES", GL_PACK_SWAP_BYTES, desktop, 0, {1, 1}},
    {"GL_PACK_LSB_FIRST", GL_PACK_LSB_FIRST, desktop, 0, {1, 1}},
    {"GL_UNPACK_ALIGNMENT", GL_UNPACK_ALIGNMENT, all_versions, 4, {1, 8}},
    {"GL_UNPACK_ROW_LENGTH", GL_UNPACK_ROW_LENGTH, all_versions, 0, {39, 1}},
    {"GL_UNPACK_SKIP_PIXELS", GL_UNPACK_SKIP_PIXELS, all_versions, 0, {5, 3}},
    {"GL_UNPACK_SKIP_ROWS", GL_UNPACK_SKIP_ROWS, all_versions, 0, {2, 9}},
    {"GL_UNPACK_IMAGE_HEIGHT", GL_UNPACK_IMAGE_HEIGHT, all_versions, 0, {43, 1}},
    {"GL_UNPACK_SKIP_IMAGES", GL_UNPACK_SKIP_IMAGES, all_versions, 0, {1, 2}},
    {"GL_UNPACK_SWAP_BYTES", GL_UNPACK_SWAP_BYTES, desktop, 0, {1, 1}},
    {"GL_UNPACK_LSB_FIRST", GL_UNPACK_LSB_FIRST, desktop, 0, {1, 1}},
    {"GL_PACK_COMPRESSED_BLOCK_WIDTH", GL_PACK_COMPRESSED_BLOCK_WIDTH, {42, never}, 0, {4, 8}},
    {"GL_PACK_COMPRESSED_BLOCK_HEIGHT", GL_PACK_COMPRESSED_BLOCK_HEIGHT, {42, never}, 0, {4, 8}},
    {"GL_PACK_COMPRESSED_BLOCK_DEPTH", GL_PACK_COMPRESSED_BLOCK_DEPTH, {42, never}, 0, {1, 2}},
    {"GL_PACK_COMPRESSED_BLOCK_SIZE", GL_PACK_COMPRESSED_BLOCK_SIZE, {42, never}, 0, {8, 16}},
    {"GL_UNPACK_COMPRESSED_BLOCK_WIDTH", GL_UNPACK_COMPRESSED_BLOCK_WIDTH, {42, never}, 0, {4, 8}},
    {"GL_UNPACK_COMPRESSED_BLOCK_HEIGHT", GL_UNPACK_COMPRESSED_BLOCK_HEIGHT, {42, never}, 0, {4, 8}},
    {"GL_UNPACK_COMPRESSED_BLOCK_DEPTH", GL_UNPACK_COMPRESSED_BLOCK_DEPTH, {42, never}, 0, {1, 2}},
    {"GL_UNPACK_COMPRESSED_BLOCK_SIZE", GL_UNPACK_COMPRESSED_BLOCK_SIZE, {42, never}, 0, {8, 16}},
};

struct QueryTarget {
    const char* name;
    GLenum target;
    Since since;
};

inline constexpr QueryTarget query_targets[] = {
    {"GL_ANY_SAMPLES_PASSED", GL_ANY_SAMPLES_PASSED, all_versions},
    {"GL_ANY_SAMPLES_PASSED_CONSERVATIVE", GL_ANY_SAMPLES_PASSED_CONSERVATIVE, {43, 30}},
    {"GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN", GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, all_versions},
    {"GL_PRIMITIVES_GENERATED", GL_PRIMITIVES_GENERATED, {33, 32}},
    {"GL_SAMPLES_PASSED", GL_SAMPLES_PASSED, desktop},
    {"GL_TIME_ELAPSED", GL_TIME_ELAPSED, desktop},
};

// Front, then back. Initially all ones, of which Mesa keeps 8 bits.
inline constexpr std::array<GLenum, 4> stencil_masks = {GL_STENCIL_VALUE_MASK, GL_STENCIL_WRITEMASK,
                                                        GL_STENCIL_BACK_VALUE_MASK, GL_STENCIL_BACK_WRITEMASK};

inline constexpr Since indexed_blending{40, 32};
inline constexpr Since image_units{42, 31};
inline constexpr Since vertex_bindings{43, 31};

inline GLint integer(const GladGLContext& gl, GLenum name) {
    // NVIDIA's driver writes two values for GL_POLYGON_MODE on OpenGL ES, too.
    std::array<GLint, 2> values{};
    gl.GetIntegerv(name, values.data());
    return values[0];
}

inline GLuint count_of(const GladGLContext& gl, GLenum name) {
    return static_cast<GLuint>(std::max(integer(gl, name), 0));
}

// Functions for one of several draw buffers, of the version or of an extension. Null if the context has none.
inline auto is_enabled_indexed(const GladGLContext& gl) {
    return gl.IsEnabledi != nullptr ? gl.IsEnabledi : gl.IsEnablediOES != nullptr ? gl.IsEnablediOES : gl.IsEnablediEXT;
}
inline auto color_mask_indexed(const GladGLContext& gl) {
    return gl.ColorMaski != nullptr ? gl.ColorMaski : gl.ColorMaskiOES != nullptr ? gl.ColorMaskiOES : gl.ColorMaskiEXT;
}

// Functions for one of several viewports.
struct ViewportArray {
    explicit ViewportArray(const GladGLContext& gl) {
        const bool core = gl.ViewportIndexedf != nullptr;
        const bool oes = !core && gl.ViewportIndexedfOES != nullptr;
        viewport = core ? gl.ViewportIndexedf : oes ? gl.ViewportIndexedfOES : gl.ViewportIndexedfNV;
        scissor = core ? gl.ScissorIndexed : oes ? gl.ScissorIndexedOES : gl.ScissorIndexedNV;
        get_floats = core ? gl.GetFloati_v : oes ? gl.GetFloati_vOES : gl.GetFloati_vNV;
        is_enabled = gl.IsEnabledi != nullptr ? gl.IsEnabledi : oes ? gl.IsEnablediOES : gl.IsEnablediNV;
        enable = gl.Enablei != nullptr ? gl.Enablei : oes ? gl.EnableiOES : gl.EnableiNV;
        disable = gl.Disablei != nullptr ? gl.Disablei : oes ? gl.DisableiOES : gl.DisableiNV;
    }
    explicit operator bool() const { return viewport != nullptr; }

    PFNGLVIEWPORTINDEXEDFPROC viewport;
    PFNGLSCISSORINDEXEDPROC scissor;
    PFNGLGETFLOATI_VPROC get_floats;
    PFNGLISENABLEDIPROC is_enabled;
    PFNGLENABLEIPROC enable;
    PFNGLDISABLEIPROC disable;
};

inline auto blend_function_indexed(const GladGLContext& gl) {
    return gl.BlendFuncSeparatei != nullptr      ? gl.BlendFuncSeparatei
           : gl.BlendFuncSeparateiARB != nullptr ? gl.BlendFuncSeparateiARB
           : gl.BlendFuncSeparateiOES != nullptr ? gl.BlendFuncSeparateiOES
                                                 : gl.BlendFuncSeparateiEXT;
}
inline auto enable_indexed(const GladGLContext& gl) {
    return gl.Enablei != nullptr ? gl.Enablei : gl.EnableiOES != nullptr ? gl.EnableiOES : gl.EnableiEXT;
}
inline auto disable_indexed(const GladGLContext& gl) {
    return gl.Disablei != nullptr ? gl.Disablei : gl.DisableiOES != nullptr ? gl.DisableiOES : gl.DisableiEXT;
}
inline bool is_compatibility(const GladGLContext& gl) {
    return !is_es(gl) && (integer(gl, GL_CONTEXT_PROFILE_MASK) & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT) != 0;
}

/// State of extensions, and of compatibility profiles. The version alone does not imply such state.
struct ExtensionState {
    using Random = std::mt19937_64;
    std::string name;  ///< The name in `state_items`.
    std::function<bool(const GladGLContext&)> is_there;
    std::function<void(const GladGLContext&, Random&)> make_hostile;
    std::function<void(const GladGLContext&)> reset;
    std::function<void(const GladGLContext&, std::ostream&)> record;
};

/// Whether the context has an extension that brings the state.
bool has_extension_of(const GladGLContext& gl, const gl::StateRow& row);

/// All such state. Enables and pixel storage come from the library's table.
const std::vector<ExtensionState>& extension_states();

inline void set_enabled(const GladGLContext& gl, GLenum capability, bool enabled) {
    if (enabled)
        gl.Enable(capability);
    else
        gl.Disable(capability);
}

inline void set_depth_range(const GladGLContext& gl, float near_value, float far_value) {
    if (is_es(gl))
        gl.DepthRangef(near_value, far_value);
    else
        gl.DepthRange(near_value, far_value);
}

inline void set_clear_depth(const GladGLContext& gl, float depth) {
    if (is_es(gl))
        gl.ClearDepthf(depth);
    else
        gl.ClearDepth(depth);
}

}  // namespace glsort::trial::settings
