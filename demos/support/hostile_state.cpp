#include "support/hostile_state.h"

#include "support/headless_context.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <map>
#include <random>
#include <span>
#include <sstream>
#include <stdexcept>

namespace glsort::trial {

namespace {

// The versions (10 * major + minor) that brought something; `never` where one family lacks it.
struct Since {
    int gl;
    int es;
};
constexpr int never = 1000;

bool is_es(const GladGLContext& gl) {
    return gl.ES_VERSION_3_0 != 0;
}

bool has(const GladGLContext& gl, Since since) {
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

constexpr Since all_versions{33, 30};
constexpr Since desktop{33, never};

struct Capability {
    const char* name;
    GLenum value;
    Since since;
    bool initially = false;
    bool compiled_in = false;  // Into shaders, by some driver.
};

constexpr Capability capabilities[] = {
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

constexpr TextureTarget texture_targets[] = {
    {"GL_TEXTURE_BINDING_2D", GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D, all_versions},
    {"GL_TEXTURE_BINDING_3D", GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D, all_versions},
    {"GL_TEXTURE_BINDING_2D_ARRAY", GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY, all_versions},
    {"GL_TEXTURE_BINDING_CUBE_MAP", GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP, all_versions},
    {"GL_TEXTURE_BINDING_1D", GL_TEXTURE_1D, GL_TEXTURE_BINDING_1D, desktop},
    {"GL_TEXTURE_BINDING_1D_ARRAY", GL_TEXTURE_1D_ARRAY, GL_TEXTURE_BINDING_1D_ARRAY, desktop},
    {"GL_TEXTURE_BINDING_RECTANGLE", GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE, desktop},
    {"GL_TEXTURE_BINDING_BUFFER", GL_TEXTURE_BUFFER, GL_TEXTURE_BINDING_BUFFER, {33, 32}},
    {"GL_TEXTURE_BINDING_2D_MULTISAMPLE",
     GL_TEXTURE_2D_MULTISAMPLE,
     GL_TEXTURE_BINDING_2D_MULTISAMPLE,
     {33, 31}},
    {"GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY",
     GL_TEXTURE_2D_MULTISAMPLE_ARRAY,
     GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY,
     {33, 32}},
    {"GL_TEXTURE_BINDING_CUBE_MAP_ARRAY",
     GL_TEXTURE_CUBE_MAP_ARRAY,
     GL_TEXTURE_BINDING_CUBE_MAP_ARRAY,
     {40, 32}},
};

struct BufferTarget {
    const char* name;
    GLenum target;
    GLenum binding;
    Since since;
};

// Without GL_ELEMENT_ARRAY_BUFFER, which belongs to the vertex array.
constexpr BufferTarget buffer_targets[] = {
    {"GL_ARRAY_BUFFER", GL_ARRAY_BUFFER, GL_ARRAY_BUFFER_BINDING, all_versions},
    {"GL_COPY_READ_BUFFER", GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER_BINDING, all_versions},
    {"GL_COPY_WRITE_BUFFER", GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER_BINDING, all_versions},
    {"GL_PIXEL_PACK_BUFFER", GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING, all_versions},
    {"GL_PIXEL_UNPACK_BUFFER", GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING,
     all_versions},
    {"GL_UNIFORM_BUFFER", GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING, all_versions},
    {"GL_TRANSFORM_FEEDBACK_BUFFER", GL_TRANSFORM_FEEDBACK_BUFFER,
     GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, all_versions},
    {"GL_TEXTURE_BUFFER", GL_TEXTURE_BUFFER, GL_TEXTURE_BUFFER_BINDING, {33, 32}},
    {"GL_DRAW_INDIRECT_BUFFER", GL_DRAW_INDIRECT_BUFFER, GL_DRAW_INDIRECT_BUFFER_BINDING, {40, 31}},
    {"GL_DISPATCH_INDIRECT_BUFFER",
     GL_DISPATCH_INDIRECT_BUFFER,
     GL_DISPATCH_INDIRECT_BUFFER_BINDING,
     {43, 31}},
    {"GL_SHADER_STORAGE_BUFFER",
     GL_SHADER_STORAGE_BUFFER,
     GL_SHADER_STORAGE_BUFFER_BINDING,
     {43, 31}},
    {"GL_ATOMIC_COUNTER_BUFFER",
     GL_ATOMIC_COUNTER_BUFFER,
     GL_ATOMIC_COUNTER_BUFFER_BINDING,
     {42, 31}},
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

constexpr IndexedBufferTarget indexed_buffer_targets[] = {
    {"GL_UNIFORM_BUFFER", GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER_START,
     GL_UNIFORM_BUFFER_SIZE, GL_MAX_UNIFORM_BUFFER_BINDINGS, all_versions},
    {"GL_TRANSFORM_FEEDBACK_BUFFER", GL_TRANSFORM_FEEDBACK_BUFFER,
     GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, GL_TRANSFORM_FEEDBACK_BUFFER_START,
     GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, GL_MAX_TRANSFORM_FEEDBACK_SEPARATE_ATTRIBS, all_versions},
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

constexpr Setting settings[] = {
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

// `odd` is what a DirtyState sets; all are valid, and none is initial.
struct PixelStore {
    const char* name;
    GLenum value;
    Since since;
    GLint initial;
    std::array<GLint, 2> odd;
};

constexpr PixelStore pixel_stores[] = {
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
    {"GL_UNPACK_COMPRESSED_BLOCK_HEIGHT",
     GL_UNPACK_COMPRESSED_BLOCK_HEIGHT,
     {42, never},
     0,
     {4, 8}},
    {"GL_UNPACK_COMPRESSED_BLOCK_DEPTH", GL_UNPACK_COMPRESSED_BLOCK_DEPTH, {42, never}, 0, {1, 2}},
    {"GL_UNPACK_COMPRESSED_BLOCK_SIZE", GL_UNPACK_COMPRESSED_BLOCK_SIZE, {42, never}, 0, {8, 16}},
};

struct QueryTarget {
    const char* name;
    GLenum target;
    Since since;
};

constexpr QueryTarget query_targets[] = {
    {"GL_ANY_SAMPLES_PASSED", GL_ANY_SAMPLES_PASSED, all_versions},
    {"GL_ANY_SAMPLES_PASSED_CONSERVATIVE", GL_ANY_SAMPLES_PASSED_CONSERVATIVE, {43, 30}},
    {"GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN", GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN,
     all_versions},
    {"GL_PRIMITIVES_GENERATED", GL_PRIMITIVES_GENERATED, {33, 32}},
    {"GL_SAMPLES_PASSED", GL_SAMPLES_PASSED, desktop},
    {"GL_TIME_ELAPSED", GL_TIME_ELAPSED, desktop},
};

// Front, then back. Initially all ones, of which Mesa keeps 8.
constexpr std::array<GLenum, 4> stencil_masks = {GL_STENCIL_VALUE_MASK, GL_STENCIL_WRITEMASK,
                                                 GL_STENCIL_BACK_VALUE_MASK,
                                                 GL_STENCIL_BACK_WRITEMASK};

constexpr Since indexed_blending{40, 32};
constexpr Since image_units{42, 31};
constexpr Since vertex_bindings{43, 31};

GLint integer(const GladGLContext& gl, GLenum name) {
    GLint value = 0;
    gl.GetIntegerv(name, &value);
    return value;
}

GLuint count_of(const GladGLContext& gl, GLenum name) {
    return static_cast<GLuint>(std::max(integer(gl, name), 0));
}

// Functions for one of several draw buffers: of the version or of an extension; null where there are none.
auto is_enabled_indexed(const GladGLContext& gl) {
    return gl.IsEnabledi != nullptr      ? gl.IsEnabledi
           : gl.IsEnablediOES != nullptr ? gl.IsEnablediOES
                                         : gl.IsEnablediEXT;
}
auto color_mask_indexed(const GladGLContext& gl) {
    return gl.ColorMaski != nullptr      ? gl.ColorMaski
           : gl.ColorMaskiOES != nullptr ? gl.ColorMaskiOES
                                         : gl.ColorMaskiEXT;
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

// State of extensions, and of compatibility profiles: what the version does not tell.
struct ExtensionState {
    using Random = std::mt19937_64;
    const char* name;  // As `state_items` has it.
    bool (*is_there)(const GladGLContext&);
    void (*make_hostile)(const GladGLContext&, Random&);
    void (*reset)(const GladGLContext&);
    void (*record)(const GladGLContext&, std::ostream&);
};

bool is_compatibility(const GladGLContext& gl) {
    return !is_es(gl) && (integer(gl, GL_CONTEXT_PROFILE_MASK) & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT) != 0;
}

// What the loader of core profiles does not know.
constexpr GLenum polygon_stipple = 0x0B42;
constexpr GLenum alpha_test = 0x0BC0;
template <class Function>
Function old_function(const char* name) {
    return reinterpret_cast<Function>(demo::HeadlessContext::get_proc_address()(name));
}

// An enable of an extension; `flag` is the loader's.
template <GLenum capability, auto flag>
constexpr ExtensionState extension_capability(const char* name) {
    return {name, [](const GladGLContext& gl) { return gl.*flag != 0; },
            [](const GladGLContext& gl, ExtensionState::Random&) { gl.Enable(capability); },
            [](const GladGLContext& gl) { gl.Disable(capability); },
            [](const GladGLContext& gl, std::ostream& out) { out << static_cast<int>(gl.IsEnabled(capability)); }};
}

// The same where every viewport has its own: that of viewport 0 is on, and of others some.
template <GLenum capability, auto flag>
constexpr ExtensionState extension_viewport_capability(const char* name) {
    return {name, [](const GladGLContext& gl) { return gl.*flag != 0 && ViewportArray(gl); },
            [](const GladGLContext& gl, ExtensionState::Random& random) {
                const ViewportArray array(gl);
                for (GLuint i = 0; i < count_of(gl, GL_MAX_VIEWPORTS); ++i)
                    if (i == 0 || random() % 2 == 0) array.enable(capability, i);
            },
            [](const GladGLContext& gl) { gl.Disable(capability); },
            [](const GladGLContext& gl, std::ostream& out) {
                const ViewportArray array(gl);
                for (GLuint i = 0; i < count_of(gl, GL_MAX_VIEWPORTS); ++i)
                    out << static_cast<int>(array.is_enabled(capability, i)) << " ";
            }};
}

template <GLenum parameter, GLint odd, auto flag>
constexpr ExtensionState extension_pixel_store(const char* name) {
    return {name, [](const GladGLContext& gl) { return gl.*flag != 0; },
            [](const GladGLContext& gl, ExtensionState::Random&) { gl.PixelStorei(parameter, odd); },
            [](const GladGLContext& gl) { gl.PixelStorei(parameter, 0); },
            [](const GladGLContext& gl, std::ostream& out) { out << integer(gl, parameter); }};
}

constexpr GLint most_window_rectangles = 8;

const ExtensionState extension_states[] = {
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
         for (GLuint i = 0; i < 8; ++i) gl.Enable(GL_CLIP_DISTANCE0 + i);
     },
     [](const GladGLContext& gl) {
         for (GLuint i = 0; i < 8; ++i) gl.Disable(GL_CLIP_DISTANCE0 + i);
     },
     [](const GladGLContext& gl, std::ostream& out) {
         for (GLuint i = 0; i < 8; ++i) out << static_cast<int>(gl.IsEnabled(GL_CLIP_DISTANCE0 + i)) << " ";
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
             for (const GLint side : box) out << " " << side;
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
         for (const GLenum name : {GL_VIEWPORT_POSITION_W_SCALE_X_COEFF_NV, GL_VIEWPORT_POSITION_W_SCALE_Y_COEFF_NV}) {
             GLfloat value = 0;
             array.get_floats(name, 0, &value);
             out << value << " ";
         }
     }},
    extension_viewport_capability<GL_SCISSOR_TEST_EXCLUSIVE_NV, &GladGLContext::NV_scissor_exclusive>(
        "GL_SCISSOR_TEST_EXCLUSIVE_NV"),
    extension_viewport_capability<GL_SHADING_RATE_IMAGE_NV, &GladGLContext::NV_shading_rate_image>(
        "GL_SHADING_RATE_IMAGE_NV"),
    extension_capability<GL_CONSERVATIVE_RASTERIZATION_NV, &GladGLContext::NV_conservative_raster>(
        "GL_CONSERVATIVE_RASTERIZATION_NV"),
    extension_capability<GL_CONSERVATIVE_RASTERIZATION_INTEL, &GladGLContext::INTEL_conservative_rasterization>(
        "GL_CONSERVATIVE_RASTERIZATION_INTEL"),
    extension_capability<GL_REPRESENTATIVE_FRAGMENT_TEST_NV, &GladGLContext::NV_representative_fragment_test>(
        "GL_REPRESENTATIVE_FRAGMENT_TEST_NV"),
    extension_capability<GL_BLACKHOLE_RENDER_INTEL, &GladGLContext::INTEL_blackhole_render>(
        "GL_BLACKHOLE_RENDER_INTEL"),
    extension_capability<GL_ALPHA_TEST_QCOM, &GladGLContext::QCOM_alpha_test>("GL_ALPHA_TEST_QCOM"),
    extension_capability<GL_FRAGMENT_COVERAGE_TO_COLOR_NV, &GladGLContext::NV_fragment_coverage_to_color>(
        "GL_FRAGMENT_COVERAGE_TO_COLOR_NV"),
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
         out << static_cast<int>(gl.IsEnabled(GL_RASTER_MULTISAMPLE_EXT)) << " " << integer(gl, GL_RASTER_SAMPLES_EXT);
     }},
    {"GL_SHADING_RATE_EXT", [](const GladGLContext& gl) { return gl.EXT_fragment_shading_rate != 0; },
     [](const GladGLContext& gl, ExtensionState::Random&) { gl.ShadingRateEXT(GL_SHADING_RATE_2X2_PIXELS_EXT); },
     [](const GladGLContext& gl) { gl.ShadingRateEXT(GL_SHADING_RATE_1X1_PIXELS_EXT); },
     [](const GladGLContext& gl, std::ostream& out) { out << std::hex << integer(gl, GL_SHADING_RATE_EXT); }},
    {"GL_SHADING_RATE_QCOM", [](const GladGLContext& gl) { return gl.QCOM_shading_rate != 0; },
     [](const GladGLContext& gl, ExtensionState::Random&) { gl.ShadingRateQCOM(GL_SHADING_RATE_2X2_PIXELS_QCOM); },
     [](const GladGLContext& gl) { gl.ShadingRateQCOM(GL_SHADING_RATE_1X1_PIXELS_QCOM); },
     [](const GladGLContext& gl, std::ostream& out) { out << std::hex << integer(gl, GL_SHADING_RATE_QCOM); }},
    extension_pixel_store<GL_PACK_ROW_BYTES_APPLE, 4096, &GladGLContext::APPLE_row_bytes>("GL_PACK_ROW_BYTES_APPLE"),
    extension_pixel_store<GL_UNPACK_ROW_BYTES_APPLE, 4096, &GladGLContext::APPLE_row_bytes>(
        "GL_UNPACK_ROW_BYTES_APPLE"),
    extension_pixel_store<GL_PACK_INVERT_MESA, 1, &GladGLContext::MESA_pack_invert>("GL_PACK_INVERT_MESA"),
    extension_pixel_store<GL_PACK_REVERSE_ROW_ORDER_ANGLE, 1, &GladGLContext::ANGLE_pack_reverse_row_order>(
        "GL_PACK_REVERSE_ROW_ORDER_ANGLE"),
};

// Collects values under names.
class Recorder {
  public:
    explicit Recorder(const GladGLContext& gl) : gl_(gl) {}

    StateSnapshot take() {
        entries_.reserve(4096);
        for (const Setting& setting : settings)
            if (has(gl_, setting.since)) record(setting);
        capability_values();
        draw_buffers();
        viewports();
        extensions();
        buffers();
        textures();
        images();
        vertex_array();
        for (const PixelStore& store : pixel_stores)
            if (has(gl_, store.since)) add(store.name, integer(gl_, store.value));
        queries();
        sample_masks();
        return std::move(entries_);
    }

  private:
    // Most values are one number, and a stream takes long to make.
    void add(std::string name, GLint value) {
        entries_.emplace_back(std::move(name), std::to_string(value));
    }

    template <typename... Values>
    void add(std::string name, const Values&... values) {
        std::ostringstream text;
        text << std::setprecision(9);
        const char* separator = "";
        ((text << separator << values, separator = " "), ...);
        entries_.emplace_back(std::move(name), text.str());
    }

    static std::string element(const char* name, GLuint index) {
        return std::string(name) + "[" + std::to_string(index) + "]";
    }

    static std::string hexadecimal(GLint value) {
        std::ostringstream text;
        text << "0x" << std::hex << static_cast<GLuint>(value);
        return text.str();
    }

    void record(const Setting& setting) {
        constexpr int most = 16;
        std::ostringstream text;
        text << std::setprecision(9);
        const auto join = [&](const auto& values, const auto& print) {
            for (int i = 0; i < setting.count; ++i)
                text << (i == 0 ? "" : " ") << print(values[static_cast<std::size_t>(i)]);
        };
        const auto as_it_is = [](auto value) { return value; };
        switch (setting.kind) {
            case Kind::floating: {
                std::array<GLfloat, most> values{};
                gl_.GetFloatv(setting.value, values.data());
                join(values, as_it_is);
                break;
            }
            case Kind::boolean: {
                std::array<GLboolean, most> values{};
                gl_.GetBooleanv(setting.value, values.data());
                join(values, [](GLboolean value) { return static_cast<int>(value); });
                break;
            }
            case Kind::enumerant: {
                std::array<GLint, most> values{};
                gl_.GetIntegerv(setting.value, values.data());
                join(values, [](GLint value) { return hexadecimal(value); });
                break;
            }
            case Kind::integer: {
                std::array<GLint, most> values{};
                gl_.GetIntegerv(setting.value, values.data());
                join(values, as_it_is);
                break;
            }
        }
        entries_.emplace_back(setting.name, text.str());
    }

    void capability_values() {
        for (const Capability& capability : capabilities)
            if (has(gl_, capability.since))
                add(capability.name, static_cast<int>(gl_.IsEnabled(capability.value)));
        if (!has(gl_, desktop)) return;
        const GLuint planes = count_of(gl_, GL_MAX_CLIP_DISTANCES);
        for (GLuint i = 0; i < planes; ++i)
            add(element("GL_CLIP_DISTANCE", i),
                static_cast<int>(gl_.IsEnabled(GL_CLIP_DISTANCE0 + i)));
    }

    void draw_buffers() {
        const GLuint count = count_of(gl_, GL_MAX_DRAW_BUFFERS);
        for (GLuint i = 0; i < count; ++i) {
            add(element("GL_DRAW_BUFFER", i), hexadecimal(integer(gl_, GL_DRAW_BUFFER0 + i)));
            if (const auto enabled = is_enabled_indexed(gl_)) {
                add(element("GL_BLEND", i), static_cast<int>(enabled(GL_BLEND, i)));
                std::array<GLint, 4> mask{};
                gl_.GetIntegeri_v(GL_COLOR_WRITEMASK, i, mask.data());
                add(element("GL_COLOR_WRITEMASK", i), mask[0], mask[1], mask[2], mask[3]);
            }
            if (has(gl_, indexed_blending)) {
                for (const auto& [name, factor] : {std::pair{"GL_BLEND_SRC_RGB", GL_BLEND_SRC_RGB},
                                                   {"GL_BLEND_DST_RGB", GL_BLEND_DST_RGB},
                                                   {"GL_BLEND_SRC_ALPHA", GL_BLEND_SRC_ALPHA},
                                                   {"GL_BLEND_DST_ALPHA", GL_BLEND_DST_ALPHA}})
                    add(element(name, i), indexed_enumerant(factor, i));
                add(element("GL_BLEND_EQUATION", i), indexed_enumerant(GL_BLEND_EQUATION_RGB, i),
                    indexed_enumerant(GL_BLEND_EQUATION_ALPHA, i));
            }
        }
    }

    void viewports() {
        const ViewportArray array(gl_);
        if (!array) return;
        const GLuint count = count_of(gl_, GL_MAX_VIEWPORTS);
        for (GLuint i = 0; i < count; ++i) {
            std::array<GLfloat, 4> viewport{};
            std::array<GLfloat, 2> range{};
            std::array<GLint, 4> scissor{};
            array.get_floats(GL_VIEWPORT, i, viewport.data());
            array.get_floats(GL_DEPTH_RANGE, i, range.data());
            gl_.GetIntegeri_v(GL_SCISSOR_BOX, i, scissor.data());
            add(element("GL_VIEWPORT", i), viewport[0], viewport[1], viewport[2], viewport[3]);
            add(element("GL_DEPTH_RANGE", i), range[0], range[1]);
            add(element("GL_SCISSOR_BOX", i), scissor[0], scissor[1], scissor[2], scissor[3]);
            add(element("GL_SCISSOR_TEST", i), static_cast<int>(array.is_enabled(GL_SCISSOR_TEST, i)));
        }
    }

    void extensions() {
        for (const ExtensionState& state : extension_states) {
            if (!state.is_there(gl_)) continue;
            std::ostringstream text;
            state.record(gl_, text);
            entries_.emplace_back(state.name, text.str());
        }
    }

    void buffers() {
        for (const BufferTarget& target : buffer_targets)
            if (has(gl_, target.since))
                add(std::string(target.name) + "_BINDING", integer(gl_, target.binding));
        for (const IndexedBufferTarget& target : indexed_buffer_targets) {
            if (!has(gl_, target.since)) continue;
            const GLuint count = count_of(gl_, target.count);
            for (GLuint i = 0; i < count; ++i) {
                GLint64 start = 0;
                GLint64 size = 0;
                gl_.GetInteger64i_v(target.start, i, &start);
                gl_.GetInteger64i_v(target.size, i, &size);
                add(element(target.name, i), "buffer", indexed_integer(target.binding, i), "offset",
                    start, "size", size);
            }
        }
    }

    void textures() {
        const GLint active = integer(gl_, GL_ACTIVE_TEXTURE);
        add("GL_ACTIVE_TEXTURE", hexadecimal(active));
        const GLuint count = count_of(gl_, GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS);
        for (GLuint unit = 0; unit < count; ++unit) {
            gl_.ActiveTexture(GL_TEXTURE0 + unit);
            for (const TextureTarget& target : texture_targets)
                if (has(gl_, target.since)) add(element(target.binding_name, unit), integer(gl_, target.binding));
            add(element("GL_SAMPLER_BINDING", unit), integer(gl_, GL_SAMPLER_BINDING));
        }
        gl_.ActiveTexture(static_cast<GLenum>(active));
    }

    void images() {
        if (!has(gl_, image_units)) return;
        const GLuint count = count_of(gl_, GL_MAX_IMAGE_UNITS);
        for (GLuint i = 0; i < count; ++i) {
            GLboolean layered = GL_FALSE;
            gl_.GetBooleani_v(GL_IMAGE_BINDING_LAYERED, i, &layered);
            add(element("GL_IMAGE_BINDING", i), "texture", indexed_integer(GL_IMAGE_BINDING_NAME, i),
                "level", indexed_integer(GL_IMAGE_BINDING_LEVEL, i), "layered",
                static_cast<int>(layered), "layer", indexed_integer(GL_IMAGE_BINDING_LAYER, i),
                "access", indexed_enumerant(GL_IMAGE_BINDING_ACCESS, i), "format",
                indexed_enumerant(GL_IMAGE_BINDING_FORMAT, i));
        }
    }

    void vertex_array() {
        // A core profile has no vertex array 0 to ask about.
        const bool bound = is_es(gl_) || integer(gl_, GL_VERTEX_ARRAY_BINDING) != 0;
        const GLuint count = count_of(gl_, GL_MAX_VERTEX_ATTRIBS);
        // In a compatibility profile attribute 0 has no current value: it makes a vertex.
        const bool compatible =
            has(gl_, {33, never}) &&
            (integer(gl_, GL_CONTEXT_PROFILE_MASK) & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT) != 0;
        for (GLuint i = 0; i < count; ++i) {
            if (!compatible || i > 0) {
                std::array<GLfloat, 4> current{};
                gl_.GetVertexAttribfv(i, GL_CURRENT_VERTEX_ATTRIB, current.data());
                add(element("current vertex attribute", i), current[0], current[1], current[2],
                    current[3]);
            }
            if (!bound) continue;
            void* pointer = nullptr;
            gl_.GetVertexAttribPointerv(i, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
            add(element("vertex attribute", i), "enabled",
                attribute(i, GL_VERTEX_ATTRIB_ARRAY_ENABLED), "size",
                attribute(i, GL_VERTEX_ATTRIB_ARRAY_SIZE), "type",
                hexadecimal(attribute(i, GL_VERTEX_ATTRIB_ARRAY_TYPE)), "normalized",
                attribute(i, GL_VERTEX_ATTRIB_ARRAY_NORMALIZED), "integer",
                attribute(i, GL_VERTEX_ATTRIB_ARRAY_INTEGER), "stride",
                attribute(i, GL_VERTEX_ATTRIB_ARRAY_STRIDE), "divisor",
                attribute(i, GL_VERTEX_ATTRIB_ARRAY_DIVISOR), "buffer",
                attribute(i, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING), "pointer", pointer);
        }
        if (!bound || !has(gl_, vertex_bindings)) return;
        const GLuint bindings = count_of(gl_, GL_MAX_VERTEX_ATTRIB_BINDINGS);
        for (GLuint i = 0; i < bindings; ++i) {
            GLint64 offset = 0;
            gl_.GetInteger64i_v(GL_VERTEX_BINDING_OFFSET, i, &offset);
            add(element("vertex binding", i), "buffer",
                indexed_integer(GL_VERTEX_BINDING_BUFFER, i), "offset", offset, "stride",
                indexed_integer(GL_VERTEX_BINDING_STRIDE, i), "divisor",
                indexed_integer(GL_VERTEX_BINDING_DIVISOR, i));
        }
    }

    void queries() {
        for (const QueryTarget& target : query_targets) {
            if (!has(gl_, target.since)) continue;
            GLint query = 0;
            gl_.GetQueryiv(target.target, GL_CURRENT_QUERY, &query);
            add(std::string("active query ") + target.name, query);
        }
    }

    void sample_masks() {
        if (!has(gl_, {33, 31})) return;
        const GLuint words = count_of(gl_, GL_MAX_SAMPLE_MASK_WORDS);
        for (GLuint i = 0; i < words; ++i)
            add(element("GL_SAMPLE_MASK_VALUE", i), indexed_enumerant(GL_SAMPLE_MASK_VALUE, i));
    }

    GLint indexed_integer(GLenum name, GLuint index) {
        GLint value = 0;
        gl_.GetIntegeri_v(name, index, &value);
        return value;
    }
    std::string indexed_enumerant(GLenum name, GLuint index) {
        return hexadecimal(indexed_integer(name, index));
    }
    GLint attribute(GLuint index, GLenum name) {
        GLint value = 0;
        gl_.GetVertexAttribiv(index, name, &value);
        return value;
    }

    const GladGLContext& gl_;
    StateSnapshot entries_;
};

void set_enabled(const GladGLContext& gl, GLenum capability, bool enabled) {
    if (enabled)
        gl.Enable(capability);
    else
        gl.Disable(capability);
}

void throw_on_error(const GladGLContext& gl, const char* where) {
    const GLenum error = gl.GetError();
    if (error == GL_NO_ERROR) return;
    std::ostringstream text;
    text << where << ": glGetError 0x" << std::hex << error;
    throw std::runtime_error(text.str());
}

void set_depth_range(const GladGLContext& gl, float near_value, float far_value) {
    if (is_es(gl))
        gl.DepthRangef(near_value, far_value);
    else
        gl.DepthRange(near_value, far_value);
}

void set_clear_depth(const GladGLContext& gl, float depth) {
    if (is_es(gl))
        gl.ClearDepthf(depth);
    else
        gl.ClearDepth(depth);
}

constexpr const char* vertex_source = R"(
uniform float scale;
in vec4 place;
out float feedback;
void main() {
    feedback = scale * place.x;
    gl_Position = place;
    gl_PointSize = 1.0;
}
)";

constexpr const char* fragment_source = R"(
precision highp float;
in float feedback;
layout(location = 0) out vec4 colour;
void main() { colour = vec4(feedback); }
)";

GLuint compile(const GladGLContext& gl, GLenum stage, const char* source) {
    const GLuint shader = gl.CreateShader(stage);
    const char* parts[] = {is_es(gl) ? "#version 300 es\n" : "#version 330 core\n", source};
    gl.ShaderSource(shader, 2, parts, nullptr);
    gl.CompileShader(shader);
    return shader;
}

}  // namespace

StateSnapshot take_snapshot(const GladGLContext& gl) {
    return Recorder(gl).take();
}

std::vector<std::string> diff(const StateSnapshot& before, const StateSnapshot& after) {
    std::vector<std::string> lines;
    // Nearly always the names are the same, in the same order; thousands of them. From the first
    // that is not, each is looked up.
    std::size_t same = 0;
    for (; same < before.size() && same < after.size(); ++same) {
        const auto& [name, value] = before[same];
        if (name != after[same].first) break;
        if (value != after[same].second)
            lines.push_back(name + ": " + value + " -> " + after[same].second);
    }
    const auto from = static_cast<std::ptrdiff_t>(same);
    std::map<std::string, std::string> rest(after.begin() + from, after.end());
    for (const auto& [name, value] : std::span(before).subspan(same)) {
        const auto found = rest.find(name);
        if (found == rest.end()) {
            lines.push_back(name + ": " + value + " -> (not there)");
            continue;
        }
        if (found->second != value) lines.push_back(name + ": " + value + " -> " + found->second);
        rest.erase(found);
    }
    for (const auto& [name, value] : std::span(after).subspan(same))
        if (rest.contains(name)) lines.push_back(name + ": (not there) -> " + value);
    return lines;
}

// Builds the state of a DirtyState, part by part.
class DirtyState::Maker {
  public:
    Maker(DirtyState& owner, std::uint64_t seed, const DirtyOptions& options)
        : owner_(owner), gl_(owner.gl_), es_(is_es(owner.gl_)), random_(seed), options_(options) {}

    void make() {
        const auto part = [this](const char* name, void (Maker::*function)()) {
            (this->*function)();
            throw_on_error(gl_, name);
        };
        // Objects first: what follows (pixel storage, unpack buffers) changes how they are filled.
        if (chance()) part("DirtyState: framebuffers", &Maker::framebuffers);
        part("DirtyState: extensions", &Maker::extensions);
        const bool feedback = options_.active_transform_feedback && has(gl_, {40, 30});
        if (feedback || chance()) part("DirtyState: program", &Maker::program);
        if (chance()) part("DirtyState: vertex array", &Maker::vertex_array);
        if (chance()) part("DirtyState: images", &Maker::images);
        part("DirtyState: textures", &Maker::textures);
        if (chance()) part("DirtyState: transform feedback", &Maker::transform_feedback);
        part("DirtyState: buffers", &Maker::buffers);
        part("DirtyState: fragment operations", &Maker::fragment_operations);
        part("DirtyState: rasterisation", &Maker::rasterisation);
        part("DirtyState: viewports", &Maker::viewports);
        part("DirtyState: pixel storage", &Maker::pixel_storage);
        part("DirtyState: capabilities", &Maker::enable_all);
        if (options_.active_query) {
            GLuint query = 0;
            gl_.GenQueries(1, &query);
            owner_.queries_.push_back(query);
            gl_.BeginQuery(GL_ANY_SAMPLES_PASSED, query);
            owner_.active_.active_query = true;
        }
        if (feedback) {
            gl_.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER));
            gl_.BeginTransformFeedback(GL_POINTS);
            owner_.active_.active_transform_feedback = true;
        }
        throw_on_error(gl_, "DirtyState: queries and transform feedback");
    }

  private:
    template <typename T, std::size_t count>
    T pick(const std::array<T, count>& values) {
        return values[random_() % count];
    }
    GLfloat fraction() {  // within (0, 1), exact in 8 bits
        return static_cast<GLfloat>(1 + random_() % 254) / 256.0f;
    }
    GLint small() { return static_cast<GLint>(1 + random_() % 9); }
    /// Whether the next setting becomes hostile.
    bool chance() { return static_cast<double>(random_() % 4096) < options_.share * 4096; }

    GLuint make_texture(GLenum target) {
        GLuint texture = 0;
        gl_.GenTextures(1, &texture);
        owner_.textures_.push_back(texture);
        gl_.BindTexture(target, texture);
        return texture;
    }

    GLuint make_buffer(GLenum target) {
        GLuint buffer = 0;
        gl_.GenBuffers(1, &buffer);
        owner_.buffers_.push_back(buffer);
        gl_.BindBuffer(target, buffer);
        gl_.BufferData(target, buffer_size, nullptr, GL_STATIC_DRAW);
        return buffer;
    }

    void framebuffers() {
        for (const GLenum target :
             std::array<GLenum, 2>{GL_READ_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER}) {
            GLuint framebuffer = 0;
            gl_.GenFramebuffers(1, &framebuffer);
            owner_.framebuffers_.push_back(framebuffer);
            gl_.BindFramebuffer(target, framebuffer);
            for (GLuint i = 0; i < 2; ++i) {
                const GLuint texture = make_texture(GL_TEXTURE_2D);
                gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                               nullptr);
                gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
                gl_.FramebufferTexture2D(target, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D, texture,
                                         0);
            }
            GLuint renderbuffer = 0;
            gl_.GenRenderbuffers(1, &renderbuffer);
            owner_.renderbuffers_.push_back(renderbuffer);
            gl_.BindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
            gl_.RenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, 16, 16);
            gl_.FramebufferRenderbuffer(target, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                                        renderbuffer);
        }
        constexpr GLenum second[] = {GL_NONE, GL_COLOR_ATTACHMENT1};
        gl_.DrawBuffers(2, second);
        gl_.ReadBuffer(GL_COLOR_ATTACHMENT1);
    }

    void program() {
        const GLuint vertex = compile(gl_, GL_VERTEX_SHADER, vertex_source);
        const GLuint fragment = compile(gl_, GL_FRAGMENT_SHADER, fragment_source);
        const GLuint program = gl_.CreateProgram();
        owner_.programs_.push_back(program);
        gl_.AttachShader(program, vertex);
        gl_.AttachShader(program, fragment);
        constexpr const char* varying = "feedback";
        gl_.TransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
        gl_.LinkProgram(program);
        gl_.DeleteShader(vertex);
        gl_.DeleteShader(fragment);
        gl_.UseProgram(program);
        gl_.Uniform1f(gl_.GetUniformLocation(program, "scale"), fraction());
        if (has(gl_, {41, 31})) {
            GLuint pipeline = 0;
            gl_.GenProgramPipelines(1, &pipeline);
            owner_.pipelines_.push_back(pipeline);
            gl_.BindProgramPipeline(pipeline);
        }
    }

    void vertex_array() {
        GLuint array = 0;
        gl_.GenVertexArrays(1, &array);
        owner_.vertex_arrays_.push_back(array);
        gl_.BindVertexArray(array);
        make_buffer(GL_ELEMENT_ARRAY_BUFFER);
        make_buffer(GL_ARRAY_BUFFER);
        const GLuint count = count_of(gl_, GL_MAX_VERTEX_ATTRIBS);
        for (GLuint i = 0; i < count; ++i) {
            gl_.VertexAttrib4f(i, fraction(), fraction(), fraction(), fraction());
            gl_.EnableVertexAttribArray(i);
            gl_.VertexAttribPointer(i, 3, GL_SHORT, GL_TRUE, 16,
                                    reinterpret_cast<const void*>(std::uintptr_t{4}));
            gl_.VertexAttribDivisor(i, static_cast<GLuint>(small()));
        }
    }

    void images() {
        if (!has(gl_, image_units)) return;
        const GLuint texture = make_texture(GL_TEXTURE_2D_ARRAY);
        gl_.TexStorage3D(GL_TEXTURE_2D_ARRAY, 2, GL_R32UI, 8, 8, 4);
        const GLuint count = count_of(gl_, GL_MAX_IMAGE_UNITS);
        for (GLuint i = 0; i < count; ++i)
            gl_.BindImageTexture(i, texture, 1, GL_FALSE, 1 + static_cast<GLint>(i % 3),
                                 pick(std::array<GLenum, 2>{GL_READ_WRITE, GL_WRITE_ONLY}),
                                 GL_R32UI);
    }

    void textures() {
        GLuint samplers[2] = {};
        gl_.GenSamplers(2, samplers);
        owner_.samplers_.assign(samplers, samplers + 2);
        for (const GLuint sampler : samplers) {
            // What makes an integer texture incomplete, and comparisons of a depth texture.
            gl_.SamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
            gl_.SamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
            gl_.SamplerParameteri(sampler, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        }
        const GLuint units = count_of(gl_, GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS);
        for (const TextureTarget& target : texture_targets) {
            if (!has(gl_, target.since)) continue;
            const GLuint textures[2] = {make_texture(target.target), make_texture(target.target)};
            for (GLuint unit = 0; unit < units; ++unit) {
                gl_.ActiveTexture(GL_TEXTURE0 + unit);
                if (chance()) gl_.BindTexture(target.target, textures[random_() % 2]);
            }
        }
        for (GLuint unit = 0; unit < units; ++unit)
            if (chance()) gl_.BindSampler(unit, samplers[random_() % 2]);
        gl_.ActiveTexture(GL_TEXTURE1 + static_cast<GLuint>(random_() % (units - 1)));
    }

    void transform_feedback() {
        if (!has(gl_, {40, 30})) return;
        GLuint object = 0;
        gl_.GenTransformFeedbacks(1, &object);
        owner_.transform_feedbacks_.push_back(object);
        gl_.BindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
    }

    void buffers() {
        for (const BufferTarget& target : buffer_targets)
            if (has(gl_, target.since) && chance()) make_buffer(target.target);
        const auto alignment = [this](GLenum target) {
            if (target == GL_UNIFORM_BUFFER)
                return std::max(integer(gl_, GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT), 4);
            if (target == GL_SHADER_STORAGE_BUFFER)
                return std::max(integer(gl_, GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT), 4);
            return 4;
        };
        for (const IndexedBufferTarget& target : indexed_buffer_targets) {
            if (!has(gl_, target.since)) continue;
            const GLint step = alignment(target.target);
            const GLuint count = count_of(gl_, target.count);
            const GLuint buffer = make_buffer(target.target);
            for (GLuint i = 0; i < count; ++i)
                if (chance())
                    gl_.BindBufferRange(target.target, i, buffer, GLintptr{step} * small(),
                                        GLsizeiptr{4} * small());
            if (chance()) make_buffer(target.target);  // another one for the target itself
        }
    }

    void fragment_operations() {
        using Enums = std::array<GLenum, 3>;
        constexpr Enums comparisons = {GL_NEVER, GL_GREATER, GL_EQUAL};
        constexpr Enums operations = {GL_REPLACE, GL_INCR, GL_INVERT};
        gl_.BlendColor(fraction(), fraction(), fraction(), fraction());
        blending();
        if (chance()) gl_.ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        const GLuint count = count_of(gl_, GL_MAX_DRAW_BUFFERS);
        for (GLuint i = 0; i < count; ++i) {
            const GLboolean green = i % 2 == 1 ? GL_TRUE : GL_FALSE;
            if (const auto mask = color_mask_indexed(gl_); mask != nullptr && chance())
                mask(i, GL_FALSE, green, GL_FALSE, GL_FALSE);
        }
        if (chance()) gl_.DepthFunc(pick(comparisons));
        if (chance()) gl_.DepthMask(GL_FALSE);
        for (const GLenum face : std::array<GLenum, 2>{GL_FRONT, GL_BACK}) {
            gl_.StencilFuncSeparate(face, pick(comparisons), small(), static_cast<GLuint>(small()));
            gl_.StencilOpSeparate(face, pick(operations), pick(operations), pick(operations));
            gl_.StencilMaskSeparate(face, static_cast<GLuint>(small()));
        }
        gl_.SampleCoverage(fraction(), GL_TRUE);
        if (has(gl_, {33, 31})) {
            const GLuint words = count_of(gl_, GL_MAX_SAMPLE_MASK_WORDS);
            for (GLuint i = 0; i < words; ++i)
                gl_.SampleMaski(i, static_cast<GLuint>(small()));
        }
        if (has(gl_, {40, 32})) gl_.MinSampleShading(fraction());
        gl_.ClearColor(fraction(), fraction(), fraction(), fraction());
        set_clear_depth(gl_, fraction());
        gl_.ClearStencil(small());
        if (es_) return;
        if (chance()) gl_.LogicOp(pick(Enums{GL_XOR, GL_CLEAR, GL_INVERT}));
        if (chance()) gl_.ClampColor(GL_CLAMP_READ_COLOR, pick(std::array<GLenum, 2>{GL_TRUE, GL_FALSE}));
    }

    void blending() {
        std::vector<GLenum> factors{GL_DST_COLOR, GL_SRC_ALPHA, GL_ONE_MINUS_DST_COLOR};
        // Of two sources: what renderers of text leave.
        if (!es_ || gl_.EXT_blend_func_extended != 0)
            factors.insert(factors.end(), {GL_SRC1_COLOR, GL_ONE_MINUS_SRC1_COLOR, GL_SRC1_ALPHA});
        constexpr std::array<GLenum, 3> equations{GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MAX};
        const auto factor = [&] { return factors[random_() % factors.size()]; };
        if (chance()) gl_.BlendFuncSeparate(factor(), factor(), factor(), factor());
        // An advanced equation is one for colour and alpha.
        const bool advanced = gl_.KHR_blend_equation_advanced != 0 && random_() % 2 == 0;
        if (advanced)
            gl_.BlendEquation(pick(std::array<GLenum, 2>{GL_MULTIPLY_KHR, GL_SCREEN_KHR}));
        else if (chance())
            gl_.BlendEquationSeparate(pick(equations), pick(equations));
        const GLuint count = has(gl_, indexed_blending) ? count_of(gl_, GL_MAX_DRAW_BUFFERS) : 0;
        for (GLuint i = 0; i < count; ++i) {
            if (chance()) gl_.BlendFuncSeparatei(i, factor(), factor(), factor(), factor());
            if (!advanced && chance()) gl_.BlendEquationSeparatei(i, pick(equations), pick(equations));
        }
    }

    void rasterisation() {
        gl_.CullFace(pick(std::array<GLenum, 2>{GL_FRONT, GL_FRONT_AND_BACK}));
        if (chance()) gl_.FrontFace(GL_CW);
        gl_.PolygonOffset(fraction(), fraction());
        gl_.LineWidth(fraction());
        gl_.Hint(GL_FRAGMENT_SHADER_DERIVATIVE_HINT, GL_NICEST);
        if (has(gl_, {40, 32})) gl_.PatchParameteri(GL_PATCH_VERTICES, 4 + small());
        if (es_) {
            gl_.Hint(GL_GENERATE_MIPMAP_HINT, GL_FASTEST);
            if (has(gl_, {never, 32}))
                gl_.PrimitiveBoundingBox(-0.5f, -0.25f, -0.5f, 0.5f, 0.5f, 0.25f, 0.5f, 2.0f);
            return;
        }
        gl_.Hint(GL_LINE_SMOOTH_HINT, GL_FASTEST);
        gl_.Hint(GL_POLYGON_SMOOTH_HINT, GL_NICEST);
        gl_.Hint(GL_TEXTURE_COMPRESSION_HINT, GL_FASTEST);
        if (chance()) gl_.PolygonMode(GL_FRONT_AND_BACK, pick(std::array<GLenum, 2>{GL_LINE, GL_POINT}));
        gl_.PointSize(1.0f + fraction());
        gl_.PointParameterf(GL_POINT_FADE_THRESHOLD_SIZE, fraction());
        gl_.PointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);
        if (chance()) gl_.ProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
        gl_.PrimitiveRestartIndex(static_cast<GLuint>(small()));
        if (has(gl_, {40, never})) {
            const GLfloat levels[4] = {2.0f, 3.0f, 4.0f, 5.0f};
            gl_.PatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, levels);
            gl_.PatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels);
        }
        if (has(gl_, {46, never})) gl_.PolygonOffsetClamp(fraction(), fraction(), fraction());
    }

    void viewports() {
        gl_.Viewport(small(), small(), 3 + small(), 3 + small());
        gl_.Scissor(small(), small(), 3 + small(), 3 + small());
        set_depth_range(gl_, 0.25f, 0.5f + 0.25f * fraction());
        const ViewportArray array(gl_);
        if (!array) return;
        const GLuint count = count_of(gl_, GL_MAX_VIEWPORTS);
        for (GLuint i = 0; i < count; ++i) {
            const GLfloat shift = static_cast<GLfloat>(i);
            if (chance()) array.viewport(i, shift, 1.5f, 20.0f + shift, 7.25f);
            if (chance()) array.scissor(i, small(), static_cast<GLint>(i), 30 + small(), 2);
            // Viewport 0 is a sort's; that of others must not be touched by an enable for all.
            if (i > 0 && random_() % 2 == 0) array.disable(GL_SCISSOR_TEST, i);
            if (!es_) gl_.DepthRangeIndexed(i, 0.5, 0.125);
        }
    }

    void pixel_storage() {
        for (const PixelStore& store : pixel_stores)
            if (has(gl_, store.since) && chance()) gl_.PixelStorei(store.value, pick(store.odd));
    }

    void enable_all() {
        for (const Capability& capability : capabilities)
            if (has(gl_, capability.since) && chance() && (options_.compiled_in || !capability.compiled_in))
                set_enabled(gl_, capability.value, !capability.initially);
        if (es_) return;
        const GLuint planes = count_of(gl_, GL_MAX_CLIP_DISTANCES);
        for (GLuint i = 0; i < planes; ++i)
            if (chance()) gl_.Enable(GL_CLIP_DISTANCE0 + i);
    }

    void extensions() {
        for (const ExtensionState& state : extension_states)
            if (state.is_there(gl_) && chance()) state.make_hostile(gl_, random_);
    }

    static constexpr GLsizeiptr buffer_size = 16384;

    DirtyState& owner_;
    const GladGLContext& gl_;
    bool es_;
    std::mt19937_64 random_;
    DirtyOptions options_;
};

DirtyState::DirtyState(const GladGLContext& gl, std::uint64_t seed, const DirtyOptions& options)
    : gl_(gl) {
    save_boxes();
    for (std::size_t i = 0; i < stencil_masks.size(); ++i)
        gl_.GetIntegerv(stencil_masks[i], &stencil_masks_[i]);
    try {
        Maker(*this, seed, options).make();
    } catch (...) {
        restore();
        throw;
    }
}

void DirtyState::save_boxes() {
    const ViewportArray array(gl_);
    viewports_.resize(array ? count_of(gl_, GL_MAX_VIEWPORTS) : 1);
    scissors_.resize(viewports_.size());
    if (!array) {
        gl_.GetFloatv(GL_VIEWPORT, viewports_[0].data());
        gl_.GetIntegerv(GL_SCISSOR_BOX, scissors_[0].data());
        return;
    }
    for (GLuint i = 0; i < viewports_.size(); ++i) {
        array.get_floats(GL_VIEWPORT, i, viewports_[i].data());
        gl_.GetIntegeri_v(GL_SCISSOR_BOX, i, scissors_[i].data());
    }
}

void DirtyState::restore_boxes() const {
    const ViewportArray array(gl_);
    for (GLuint i = 0; i < viewports_.size(); ++i) {
        const auto& v = viewports_[i];
        const auto& s = scissors_[i];
        if (array) {
            array.viewport(i, v[0], v[1], v[2], v[3]);
            array.scissor(i, s[0], s[1], s[2], s[3]);
        } else {
            gl_.Viewport(static_cast<GLint>(v[0]), static_cast<GLint>(v[1]), static_cast<GLsizei>(v[2]),
                         static_cast<GLsizei>(v[3]));
            gl_.Scissor(s[0], s[1], s[2], s[3]);
        }
    }
}

DirtyState::~DirtyState() {
    restore();
}

void DirtyState::restore() {
    if (restored_) return;
    restored_ = true;
    if (active_.active_transform_feedback) gl_.EndTransformFeedback();
    if (active_.active_query) gl_.EndQuery(GL_ANY_SAMPLES_PASSED);
    reset_state(gl_);
    restore_boxes();
    for (const GLenum face : std::array<GLenum, 2>{GL_FRONT, GL_BACK}) {
        const std::size_t first = face == GL_FRONT ? 0 : 2;
        gl_.StencilFuncSeparate(face, GL_ALWAYS, 0, static_cast<GLuint>(stencil_masks_[first]));
        gl_.StencilMaskSeparate(face, static_cast<GLuint>(stencil_masks_[first + 1]));
    }

    const auto destroy = [](auto function, const std::vector<GLuint>& names) {
        if (!names.empty()) function(static_cast<GLsizei>(names.size()), names.data());
    };
    destroy(gl_.DeleteTextures, textures_);
    destroy(gl_.DeleteBuffers, buffers_);
    destroy(gl_.DeleteSamplers, samplers_);
    destroy(gl_.DeleteFramebuffers, framebuffers_);
    destroy(gl_.DeleteRenderbuffers, renderbuffers_);
    destroy(gl_.DeleteVertexArrays, vertex_arrays_);
    destroy(gl_.DeleteTransformFeedbacks, transform_feedbacks_);
    destroy(gl_.DeleteProgramPipelines, pipelines_);
    destroy(gl_.DeleteQueries, queries_);
    for (const GLuint program : programs_)
        gl_.DeleteProgram(program);
}

std::vector<std::string> hostile_extension_names() {
    std::vector<std::string> names;
    for (const ExtensionState& state : extension_states) names.emplace_back(state.name);
    return names;
}

DirtyState dirty_state(const GladGLContext& gl, std::uint64_t seed, const DirtyOptions& options) {
    return DirtyState(gl, seed, options);
}

void reset_state(const GladGLContext& gl) {
    const bool es = is_es(gl);
    for (const ExtensionState& state : extension_states)
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

    // Bindings. The vertex array and the transform feedback object go first: the element buffer and
    // the indexed feedback buffers that follow belong to the default ones then.
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
        // GL_R8 is the initial format of GL; ES begins with GL_R32UI.
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
        if (has(gl, {never, 32}))
            gl.PrimitiveBoundingBox(-1.0f, -1.0f, -1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f);
        return;
    }
    gl.LogicOp(GL_COPY);
    gl.ClampColor(GL_CLAMP_READ_COLOR, GL_FIXED_ONLY);
    for (const GLenum hint : std::array<GLenum, 3>{GL_LINE_SMOOTH_HINT, GL_POLYGON_SMOOTH_HINT,
                                                   GL_TEXTURE_COMPRESSION_HINT})
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
