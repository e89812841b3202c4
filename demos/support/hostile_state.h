#pragma once

#include <glad/gl.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace glsort::trial {

/// What glGet() and its relatives tell about a context: names and values as text, in a fixed order.
using StateSnapshot = std::vector<std::pair<std::string, std::string>>;

/// Reads every binding, enable and setting of the current context that its version can be asked
/// about: program, pipeline, vertex array (with the attributes of the bound one), every buffer
/// target (with the indexed ones, their offsets and sizes), every texture target and the sampler of
/// every texture unit, image units, framebuffers with their draw and read buffers, viewports,
/// scissors, all fragment operations, pixel storage, transform feedback, active queries, clear
/// values, current vertex attributes, hints and the depth of the debug groups. Not: what objects
/// contain.
///
/// Needs GL 3.3 or ES 3.0; asks what the version that `gl` was loaded with has (so, with the
/// functions of a TestContext's driver(), more). Changes no state and raises no OpenGL error.
/// Up to 3,000 values on llvmpipe, which has 192 texture units: about 1 ms.
StateSnapshot take_snapshot(const GladGLContext& gl);

/// The differences, a line each: "GL_BLEND: 1 -> 0". No line where both are the same.
std::vector<std::string> diff(const StateSnapshot& before, const StateSnapshot& after);

/// What to add to a DirtyState.
struct DirtyOptions {
    /// Transform feedback is active, not paused. Needs GL 4.0 or ES 3.0 (an object of its own);
    /// not done on GL 3.3.
    bool active_transform_feedback = false;
    /// An occlusion query (GL_ANY_SAMPLES_PASSED) is active.
    bool active_query = false;
    /// Also what drivers compile into shaders: GL_DITHER and GL_DEPTH_CLAMP. With both, llvmpipe compiles each shader
    /// up to four times.
    bool compiled_in = true;
    /// Each setting becomes hostile with this probability.
    double share = 1.0;
};

/// Puts the current context into a valid state in which next to nothing has its initial value:
/// objects bound to every target, unit and index (samplers and unpack buffers too), write masks
/// off, tests and rasterizer discard on, odd pixel storage, and so on. A library called then has to
/// work, and to leave everything as it was. `seed` chooses among the unusual values.
///
/// Uses only what the version has that `gl` was loaded with, so that a library held to this version
/// can answer it. Enumerants, not functions, are what a tier cannot hold back: pass a TestContext's
/// gl(), not its driver().
///
/// The destructor (or restore()) puts the initial state of a new context in place, with the
/// viewport, scissor and stencil masks that were there before, and deletes the objects; the context
/// must be current. It expects the state that the constructor left.
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

/// All pixel storage that the context has, with initial values.
std::vector<std::pair<GLenum, GLint>> initial_pixel_storage(const GladGLContext& gl);

/// What a DirtyState makes hostile where a context has the extension or profile, named as `state_items` does.
std::vector<std::string> hostile_extension_names();

/// Makes a DirtyState; the same as its constructor, for use in expressions.
[[nodiscard]] DirtyState dirty_state(const GladGLContext& gl, std::uint64_t seed, const DirtyOptions& options = {});

/// Gives every setting of the current context its initial value and unbinds every object, but for
/// viewport and scissor boxes, whose initial values OpenGL takes from the first surface. Ends
/// nothing that is active.
void reset_state(const GladGLContext& gl);

}  // namespace glsort::trial
