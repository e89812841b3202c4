#pragma once

#include <glad/gl.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace glsort::trial {

/// The answers of glGet() and its relatives for a context: names and values as text, in a fixed order.
using StateSnapshot = std::vector<std::pair<std::string, std::string>>;

/// Reads every binding, enable and setting of the current context that its version can be asked about:
/// - program, pipeline, and the vertex array with its attributes;
/// - every buffer target, with indexed bindings, their offsets and sizes;
/// - every texture target and the sampler of every texture unit, and image units;
/// - framebuffers with their draw and read buffers, viewports, scissors, and all fragment operations;
/// - pixel storage, transform feedback, active queries, clear values, current vertex attributes, hints, and the depth
///   of the debug groups.
///
/// Not included: the contents of objects.
///
/// Needs GL 3.3 or ES 3.0. Asks for the state of the version that `gl` was loaded with. With the functions of
/// TestContext::driver() these are more. Changes no state and raises no OpenGL error. Up to 3,000 values on llvmpipe,
/// which has 192 texture units: about 1 ms.
StateSnapshot take_snapshot(const GladGLContext& gl);

/// The differences, a line each: "GL_BLEND: 1 -> 0". Equal values have no line.
std::vector<std::string> diff(const StateSnapshot& before, const StateSnapshot& after);

/// What a DirtyState includes besides settings and bindings.
struct DirtyOptions {
    /// Transform feedback is active and not paused, in an object of its own. Needs GL 4.0 or ES 3.0. Ignored on GL 3.3.
    bool active_transform_feedback = false;
    /// An occlusion query (GL_ANY_SAMPLES_PASSED) is active.
    bool active_query = false;
    /// Also settings that drivers compile into shaders: GL_DITHER and GL_DEPTH_CLAMP. With both, llvmpipe compiles each
    /// shader up to four times.
    bool compiled_in = true;
    /// Each setting becomes hostile with this probability.
    double share = 1.0;
};

/// Puts the current context into a valid state in which next to nothing has its initial value. Objects are bound to
/// every target, unit and index, samplers and unpack buffers included. Write masks are off. Tests and rasterizer
/// discard are on. Pixel storage is odd. A library that is called then must work, and must leave everything as it was.
/// `seed` chooses among the unusual values.
///
/// Uses only state of the version that `gl` was loaded with. A library that is held to this version can then save all
/// state. A tier hides newer functions but cannot hide newer enumerants, so pass the gl() of a TestContext, not its
/// driver().
///
/// The destructor, or restore(), gives the context the initial state of a new context, and deletes the objects.
/// Viewport, scissor and stencil masks return to their values before construction. The context must be current, in the
/// state that the constructor left.
class DirtyState {
  public:
    /// Throws std::runtime_error if OpenGL reports an error.
    DirtyState(const GladGLContext& gl, std::uint64_t seed, const DirtyOptions& options = {});
    ~DirtyState();
    DirtyState(const DirtyState&) = delete;
    DirtyState& operator=(const DirtyState&) = delete;

    void restore();

  private:
    class Maker;

    void save_boxes();
    void restore_boxes() const;

    const GladGLContext& gl_;
    bool restored_ = false;
    DirtyOptions active_;
    std::vector<std::array<GLfloat, 4>> viewports_;
    std::vector<std::array<GLint, 4>> scissors_;
    GLint stencil_masks_[4] = {};
    std::vector<GLuint> textures_;
    std::vector<GLuint> buffers_;
    std::vector<GLuint> samplers_;
    std::vector<GLuint> framebuffers_;
    std::vector<GLuint> renderbuffers_;
    std::vector<GLuint> vertex_arrays_;
    std::vector<GLuint> transform_feedbacks_;
    std::vector<GLuint> pipelines_;
    std::vector<GLuint> queries_;
    std::vector<GLuint> programs_;
};

/// All pixel storage of the context, with initial values.
std::vector<std::pair<GLenum, GLint>> initial_pixel_storage(const GladGLContext& gl);

/// The state of extensions and profiles that a DirtyState makes hostile if the context has them. Named as `state_items`
/// names state.
std::vector<std::string> hostile_extension_names();

/// Makes a DirtyState, as its constructor does, for use in expressions.
[[nodiscard]] DirtyState dirty_state(const GladGLContext& gl, std::uint64_t seed, const DirtyOptions& options = {});

/// Gives every setting of the current context its initial value, and unbinds every object. Leaves out viewport and
/// scissor boxes, which OpenGL takes from the first surface. Ends no active query and no active transform feedback.
void reset_state(const GladGLContext& gl);

}  // namespace glsort::trial
