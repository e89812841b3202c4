#pragma once

#include <glsort/error.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

/// What a device offers: the numbers and facts that a program must fit.

namespace glsort {

/// The extension that subgroup operations come from.
enum class Subgroups {
    none,
    ballot,  ///< GL_ARB_shader_ballot, on software rasterisers, whose subgroups run in step.
    khr,     ///< GL_KHR_shader_subgroup: basic, ballot, shuffle, arithmetic.
};

/// What a context offers. The defaults are those of `glsort plan`. `limit_table` has a line on each member.
struct Limits {
    std::uint32_t attachments = 8;           ///< Colour attachments that make a complete framebuffer.
    std::uint32_t texture_size = 16384;      ///< Texels of a texture's side.
    std::uint32_t textures_read = 4;         ///< Textures that a shader of the fragment backend reads.
    std::uint32_t shared_memory = 32768;     ///< Bytes that a group shares.
    std::uint32_t invocations = 1024;        ///< Invocations of a group.
    std::uint32_t storage_blocks = 8;        ///< Storage buffers that a kernel reaches.
    std::uint64_t storage_bytes = 1u << 27;  ///< Bytes of a storage buffer.
    std::uint32_t subgroup_size = 0;         ///< Invocations of a subgroup; 0: no subgroup operations.
    /// Where subgroup operations come from, if `subgroup_size` is above 0. A context without them reports `none`.
    Subgroups subgroups = Subgroups::khr;
    /// Whether a group of invocations that has begun goes on running while other groups wait for its results. True only
    /// for GPUs that are known to do so.
    bool look_back = false;
    /// Multiprocessors of the GPU, where the driver says (NV_shader_thread_group); 0: not known.
    std::uint32_t multiprocessors = 0;
    /// The fragment backend may read a texture whose other texels it writes (OpenGL 4.5, ARB_texture_barrier or
    /// NV_texture_barrier).
    bool texture_barrier = false;
    /// The fragment backend may pack textures of every format into buffers. OpenGL promises so. OpenGL ES promises only
    /// formats of four channels.
    bool pixel_pack = true;
    /// A software rasteriser: a few CPU cores run one group after the other, and barriers are expensive.
    bool software = false;

    bool has_subgroups() const { return subgroup_size != 0 && subgroups != Subgroups::none; }
};

/// A limit, as people name it: by command line, report and JSON.
struct GLSORT_API LimitRow {
    using Member = std::variant<std::uint32_t Limits::*, std::uint64_t Limits::*, bool Limits::*, Subgroups Limits::*>;
    std::string_view name;  ///< The name of the member: `attachments`.
    Member member;          ///< The member of `Limits`. The type of the member says which values there are.
    std::string_view help;  ///< One line: what is counted, and in which unit.

    /// Whether the values are numbers.
    bool is_number() const { return member.index() < 2; }
    /// The values that `apply_limits` takes: `number`, `yes|no`, `none|ballot|khr`.
    std::string_view values() const;
    /// `8`, `yes` or `khr`.
    std::string text(const Limits& limits) const;
};

/// Every limit, in the order of the members.
GLSORT_API std::span<const LimitRow> limit_table();

/// Sets the limits named in `text`: `attachments=4,look_back=yes,subgroups=khr`. 1 stands for yes, and 0 for no. Throws
/// `Error` for a name that is no limit, and for a value that the limit does not take. Then nothing is set.
GLSORT_API void apply_limits(Limits& limits, std::string_view text);

/// `none`, `ballot` or `khr`.
GLSORT_API std::string_view to_string(Subgroups subgroups);

}  // namespace glsort
