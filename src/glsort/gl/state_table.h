#pragma once

#include <glsort/gl/api.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// All OpenGL state that can change what a sort draws, dispatches, transfers or reads, one row each. Saving, restoring
/// and setting state, `state_items` and the documentation all use this table.
///
/// Sources: the state tables of OpenGL 4.6 core and compatibility (chapter 23) and of OpenGL ES 3.2 (chapter 21). For
/// extensions: the "New State" sections in the Khronos registry. State that cannot affect a sort is left out. The
/// framebuffers of a sort have no depth, stencil or samples, and only integer colours.

namespace glsort::gl {

/// Max colour attachments that an op draws to.
inline constexpr std::size_t max_attachments = 8;
/// Max buffers that a transform feedback op writes.
inline constexpr std::size_t max_feedback_buffers = 4;

/// Which parts of the state an activity changes.
struct StateScope {
    bool textures = false;         ///< Texture and sampler bindings of the first `texture_units`.
    bool texture_buffers = false;  ///< The buffer textures of these units.
    bool draw = false;             ///< Vertex array, transform feedback, and fragment state.
    /// The draw framebuffer, and whether its draw buffers blend. Some drivers need both in reads of pixels too
    /// (docs/driver-faults.md).
    bool draw_buffers = false;
    bool storage = false;   ///< Storage buffer bindings, the first `storage_blocks`.
    bool images = false;    ///< Image units, the first `image_units`.
    bool unpack = false;    ///< Pixel unpack buffer and parameters.
    bool pack = false;      ///< Pixel pack buffer and parameters, read framebuffer.
    bool copy = false;      ///< Copy-read and copy-write buffers.
    bool array = false;     ///< Array buffer.
    bool uniform = false;   ///< Uniform buffer 0.
    bool indirect = false;  ///< The buffer of dispatch arguments.
    bool scissor = false;   ///< The scissor box.

    std::size_t texture_units = 1;
    std::size_t storage_blocks = 1;
    std::size_t image_units = 1;
};

/// All parts of both scopes.
constexpr StateScope united(const StateScope& a, const StateScope& b) {
    return {.textures = a.textures || b.textures,
            .texture_buffers = a.texture_buffers || b.texture_buffers,
            .draw = a.draw || b.draw,
            .draw_buffers = a.draw_buffers || b.draw_buffers,
            .storage = a.storage || b.storage,
            .images = a.images || b.images,
            .unpack = a.unpack || b.unpack,
            .pack = a.pack || b.pack,
            .copy = a.copy || b.copy,
            .array = a.array || b.array,
            .uniform = a.uniform || b.uniform,
            .indirect = a.indirect || b.indirect,
            .scissor = a.scissor || b.scissor,
            .texture_units = std::max(a.texture_units, b.texture_units),
            .storage_blocks = std::max(a.storage_blocks, b.storage_blocks),
            .image_units = std::max(a.image_units, b.image_units)};
}

/// An OpenGL extension, as glad knows it.
struct Extension {
    int GladGLContext::*loaded = nullptr;  ///< Null: the library cannot detect the extension.
    std::string_view name;                 ///< Empty: no extension.
    /// The tested drivers that have the extension: "Mesa", "NVIDIA", "Mesa, NVIDIA". Empty: none.
    std::string_view drivers;
};

/// One piece of state.
struct StateRow {
    using Cell = GLint64;

    /// The part that the state belongs to. Null: every part.
    bool StateScope::*part = nullptr;
    /// The names of the state for glGet, separated by commas.
    std::string_view names;
    /// A description in words.
    std::string_view words;
    /// The value that a sort sets, in words.
    std::string_view set_to;
    /// For state with several instances (units, draw buffers, viewports): how many a sort changes, from 0 on.
    std::size_t indices = 0;
    /// How many instances an activity changes. Null: all of `indices`.
    std::size_t StateScope::*used = nullptr;

    /// The versions of OpenGL and OpenGL ES (10 * major + minor) that introduced the state. 0: no version did.
    int gl = 0;
    int es = 0;
    std::array<Extension, 4> extensions{};
    /// Whether only compatibility profiles have the state.
    bool compatibility = false;
    /// Why no test sets a hostile value, even on a driver that has the state. Empty: a test does.
    std::string_view unreached = {};

    /// The kind of state. The tests derive their hostile values for the last three kinds from the table.
    enum class Kind { other, capability, viewport_capability, pixel_store };
    Kind kind = Kind::other;
    GLint hostile = 0;  ///< For a pixel store: a valid value that a sort must set aside.

    /// How the state is queried and set. Functions for several instances use the `indices` of their argument, which may
    /// be smaller than those of the table.
    GLenum name = 0;
    GLenum target = 0;
    GLint value = 0;        ///< The value that `set` sets if `name` is a number.
    std::size_t cells = 0;  ///< Numbers that `save` writes. 0: a precondition, which no sort saves.
    void (*save)(const Api&, const StateRow&, Cell*) = nullptr;
    void (*restore)(const Api&, const StateRow&, const Cell*) = nullptr;
    /// Null: the executors set the state when they bind objects.
    void (*set)(const Api&, const StateRow&) = nullptr;
};

/// The rows in the order in which state is saved. State is restored in reverse order.
std::span<const StateRow> state_table();

/// Max units or bindings of a part that a sort uses: `indices` of its row.
std::size_t max_indices(std::size_t StateScope::*used);

/// Numbers that all rows together take.
inline constexpr std::size_t state_cells = 384;

/// Whether a context has the state of a row.
bool has_state(const Api& api, const StateRow& row);

/// Where the state comes from: "OpenGL 4.1, GL_ARB_viewport_array, GL_OES_viewport_array".
std::string origin(const StateRow& row);

/// The state that the tests do not reach, and why, as lines of Markdown.
std::string unreached_state();

/// Sets viewport 0 and leaves all other viewports alone.
void set_viewport(const Api& api, GLint x, GLint y, GLsizei width, GLsizei height);
/// Sets the scissor box of viewport 0, and leaves all other viewports alone.
void set_scissor(const Api& api, GLint x, GLint y, GLsizei width, GLsizei height);
/// Enables or disables the scissor test of viewport 0, and leaves all other viewports alone.
void enable_scissor(const Api& api, bool enabled);

/// The reason why the context's state prevents draws and dispatches. Empty if nothing does. Costs one or two queries in
/// compatibility profiles, none in others.
std::string state_refusal(const Api& api);

}  // namespace glsort::gl
