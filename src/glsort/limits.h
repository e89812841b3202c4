#pragma once

#include <glsort/error.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

/// What a device offers: the numbers and properties that limit which programs can run there.

namespace glsort {

/// The extension that subgroup operations come from.
enum class Subgroups {
    none,
    ballot,  ///< GL_ARB_shader_ballot. Used on software rasterisers only: their subgroups run in lockstep.
    khr,     ///< GL_KHR_shader_subgroup: basic, ballot, shuffle, arithmetic.
};

/// What a context offers. The defaults are those of `glsort plan`. `limit_table` describes each member.
struct Limits {
    std::uint32_t attachments = 8;       ///< Colour attachments that make a complete framebuffer.
    std::uint32_t texture_size = 16384;  ///< Texels of a texture's side.
    std::uint32_t textures_read = 4;     ///< Max textures that a shader of the fragment backend reads.
    /// Texels of a buffer that a shader reads as a texture (OpenGL, not OpenGL ES). 0: no shader does. For the fragment
    /// backend.
    std::uint32_t texture_buffer = 0;
    std::uint32_t shared_memory = 32768;     ///< Bytes that a group shares.
    std::uint32_t invocations = 1024;        ///< Invocations of a group.
    std::uint32_t storage_blocks = 8;        ///< Storage buffers that a kernel reaches.
    std::uint64_t storage_bytes = 1u << 27;  ///< Bytes of a storage buffer.
    /// Whether a kernel may index an array of storage blocks by a number that is known only when the kernel runs
    /// (OpenGL, not OpenGL ES).
    bool block_arrays = true;
    std::uint32_t subgroup_size = 0;  ///< Invocations of a subgroup; 0: no subgroup operations.
    /// The extension of subgroup operations, if `subgroup_size` is above 0. A context without such an extension reports
    /// `none`.
    Subgroups subgroups = Subgroups::khr;
    /// Whether a group of invocations, once begun, keeps running while other groups wait for its results. No
    /// specification guarantees this progress. True only for GPUs of vendors whose GPUs are known to behave so.
    bool look_back = false;
    /// Multiprocessors of the GPU, as the driver reports them (NV_shader_thread_group). 0: not known.
    std::uint32_t multiprocessors = 0;
    /// Whether one draw may read some texels of a texture and write others (OpenGL 4.5, ARB_texture_barrier or
    /// NV_texture_barrier). For the fragment backend.
    bool texture_barrier = false;
    /// Whether textures of every format can be packed into buffers (glReadPixels). OpenGL guarantees every format.
    /// OpenGL ES guarantees only formats of four channels. For the fragment backend.
    bool pixel_pack = true;
    /// Whether the context is a software rasteriser. A few CPU cores then run group after group, and barriers are
    /// expensive.
    bool software = false;
    /// Whether each invocation may store to an array at its own index. False for drivers with a fault
    /// (docs/driver-faults.md, "Stores to arrays share an index").
    bool array_stores = true;

    bool has_subgroups() const { return subgroup_size != 0 && subgroups != Subgroups::none; }
};

/// A limit, as command line, reports and JSON name and print the limit.
struct GLSORT_API LimitRow {
    using Member = std::variant<std::uint32_t Limits::*, std::uint64_t Limits::*, bool Limits::*, Subgroups Limits::*>;
    std::string_view name;    ///< The name of the member: `attachments`.
    Member member;            ///< The member of `Limits`. The type of the member says which values there are.
    std::string_view help;    ///< One line: what is counted, and in which unit.
    std::uint64_t least = 1;  ///< The least number that `apply_limits` takes. 0 where `help` says what 0 means.

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
/// `Error`, and sets nothing, for an unknown name and for a value that the limit does not take.
GLSORT_API void apply_limits(Limits& limits, std::string_view text);

/// `none`, `ballot` or `khr`.
GLSORT_API std::string_view to_string(Subgroups subgroups);

}  // namespace glsort
