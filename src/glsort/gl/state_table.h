#pragma once

#include <glsort/gl/api.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// All OpenGL state that can change what a sort draws, dispatches, transfers or reads, one row each. Saving,
/// restoring, setting, `state_items` and the documentation go by this table.
///
/// Its sources are the state tables of OpenGL 4.6 core and compatibility (chapter 23) and of OpenGL ES 3.2
/// (chapter 21), and the "New State" sections of the extensions in the Khronos registry. State that cannot reach
/// a sort is left out: the sort's framebuffers have neither depth, stencil nor samples, and only integer colours.

namespace glsort::gl {

/// Colour attachments an op may draw to.
inline constexpr std::size_t max_attachments = 8;
/// Buffers a feedback op may write.
inline constexpr std::size_t max_feedback_buffers = 4;

/// Which parts of the state a piece of work changes.
struct StateScope {
    bool textures = false;  ///< Texture and sampler bindings of the first `texture_units`.
    bool draw = false;      ///< Framebuffer, vertex array, transform feedback, and all that decides which
                            ///< fragments are written.
    bool storage = false;   ///< Storage buffer bindings, the first `storage_blocks`.
    bool images = false;    ///< Image units, the first `image_units`.
    bool unpack = false;    ///< Pixel unpack buffer and parameters.
    bool pack = false;      ///< Pixel pack buffer and parameters, read framebuffer.
    bool copy = false;      ///< Copy-read and copy-write buffers.
    bool array = false;     ///< Array buffer.
    bool uniform = false;   ///< Uniform buffer 0, where the driver needs it (`Api::updates_overtake_writes`).

    std::size_t texture_units = 1;
    std::size_t storage_blocks = 1;
    std::size_t image_units = 1;
};

/// An extension by what glad knows of it.
struct Extension {
    int GladGLContext::*loaded = nullptr;  ///< Null: the library cannot tell whether it is there.
    std::string_view name;                 ///< Empty: none.
    /// Those of the tests' drivers that have it: "Mesa", "NVIDIA", "Mesa, NVIDIA"; empty: none of them.
    std::string_view drivers;
};

/// One piece of state.
struct StateRow {
    using Cell = GLint64;

    /// The part that it belongs to; null: it belongs to every part.
    bool StateScope::*part = nullptr;
    /// The names that glGet knows it by, separated by commas.
    std::string_view names;
    /// What it is called in words.
    std::string_view words;
    /// What a sort sets it to, in words.
    std::string_view set_to;
    /// Where there are several (units, draw buffers, viewports): how many of them a sort changes, from 0 on.
    std::size_t indices = 0;
    /// How many of these a piece of work changes; null: all.
    std::size_t StateScope::*used = nullptr;

    /// The versions (10 * major + minor) that brought it; 0: none did.
    int gl = 0;
    int es = 0;
    std::array<Extension, 4> extensions{};
    /// Only in compatibility profiles.
    bool compatibility = false;
    /// Only where the context has this property.
    bool Api::*needs = nullptr;
    /// Why no test here makes it hostile, whatever the driver has; empty where one does.
    std::string_view unreached = {};

    /// What kind of state it is: the tests make their settings of the first three from the table.
    enum class Kind { other, capability, viewport_capability, pixel_store };
    Kind kind = Kind::other;
    GLint hostile = 0;  ///< Of a pixel store: a valid value that a sort has to put aside.

    /// How it is asked for and set. Functions for `indices` of them go by that number of the row that they get, which
    /// may be smaller than the table's.
    GLenum name = 0;
    GLenum target = 0;
    GLint value = 0;        ///< What `set` sets where `name` is a number.
    std::size_t cells = 0;  ///< Numbers that `save` writes. 0: what the caller must not have set.
    void (*save)(const Api&, const StateRow&, Cell*) = nullptr;
    void (*restore)(const Api&, const StateRow&, const Cell*) = nullptr;
    /// Null: the executors set it, by binding what they use.
    void (*set)(const Api&, const StateRow&) = nullptr;
};

/// In the order in which state is saved. It is restored the other way round.
std::span<const StateRow> state_table();

/// How many units or bindings of a part a sort may use: what its row of the table has as `indices`.
std::size_t most_indices(std::size_t StateScope::*used);

/// Numbers that all rows together take.
inline constexpr std::size_t state_cells = 256;

/// Whether a context has that state.
bool has_state(const Api& api, const StateRow& row);

/// Where a row comes from: "OpenGL 4.1, GL_ARB_viewport_array, GL_OES_viewport_array".
std::string origin(const StateRow& row);

/// What of the table the tests do not reach, and why: lines of Markdown.
std::string unreached_state();

/// Sets viewport 0, and leaves the others where there are more.
void set_viewport(const Api& api, GLint x, GLint y, GLsizei width, GLsizei height);

/// Why nothing can be drawn or dispatched in the context's state; empty where all is well. A query or two in
/// compatibility profiles, none in others.
std::string state_refusal(const Api& api);

}  // namespace glsort::gl
