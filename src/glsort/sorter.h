#pragma once

#include <glsort/error.h>
#include <glsort/gl_types.h>
#include <glsort/limits.h>
#include <glsort/spec.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Sorting inside the caller's OpenGL context.

namespace glsort {

namespace gl {
struct Api;
}

class Session;
struct ScratchMemory;

/// Scratch memory that several sorters of one context share. Sorts of one context run one after the other, so that one
/// piece of memory serves all of them. A sorter that needs more makes the memory grow at its construction. The next
/// sort of each other sorter then costs some microseconds more.
///
/// Small streams that must begin as zero stay each sorter's own. On the fragment backend streams share textures of
/// equal formats, and of equal widths.
class GLSORT_API Scratch {
  public:
    /// `get_proc_address` belongs to the current context, which is that of the sorters. Throws `Error` as `Sorter`
    /// does.
    explicit Scratch(const GetProcAddress& get_proc_address);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::uint64_t bytes() const;  ///< GPU memory that all sorters share.
    /// As `Sorter::abandon`. Sorters that share the memory must be abandoned, too.
    void abandon() noexcept;

  private:
    friend std::shared_ptr<ScratchMemory> shared_memory(const Scratch* scratch, const gl::Api& api);

    std::shared_ptr<ScratchMemory> memory_;
};

/// How a sorter behaves in its context. The order that it makes does not depend on these options.
struct SorterOptions {
    StatePolicy state = StatePolicy::restore;
    /// A memory barrier before the first op: shaders of the caller's have then written what the sort reads, and have
    /// read what the sort overwrites. The fragment backend always makes the barrier.
    ///
    /// Set to false if you have already issued the barrier (GL_SHADER_STORAGE_BARRIER_BIT; for textures
    /// GL_TEXTURE_FETCH_BARRIER_BIT and GL_SHADER_IMAGE_ACCESS_BARRIER_BIT), or if uploads, copies or a sort of this
    /// sorter were the last to touch these buffers and textures. A sort then ends with a barrier for storage, and for
    /// textures, whatever `Readers` says. Saves 1.4 us of a sort on an H100.
    bool barrier_before = true;
    /// Every op becomes a debug group (KHR_debug) named after the op, for frame debuggers.
    bool debug_groups = false;
    /// Scratch memory that the sorter shares with others of its context. Null: memory of its own. Before each sort
    /// there is a barrier then, whatever `barrier_before` says.
    std::shared_ptr<Scratch> shared_scratch = nullptr;
    /// The application gives scratch memory to each call, in `SortArguments::scratch`. Compute backend only; barriers
    /// as with `shared_scratch`.
    bool caller_scratch = false;
};

/// What one sort works on. The members match the specification: `input` holds `Buffers` or a `TextureView`, as
/// `SortSpec::input` says. A member that the specification does not use is refused by name where it is given.
struct SortArguments {
    std::variant<Buffers, TextureView> input = {};
    TextureView output = {};  ///< Only where `SortSpec::output` is a texture, and the sorter does not hold its own.
    std::uint32_t count = 0;  ///< Elements, from 0 to the capacity.
    /// With `SorterOptions::caller_scratch`: `Sorter::caller_scratch_bytes()` bytes that the call may overwrite. The
    /// offset is a multiple of GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT. The slice overlaps neither keys nor values.
    BufferSlice scratch = {};
};

/// Sorts keys, or keys and values, in GPU memory. Everything is allocated and compiled at
/// construction; a sort only issues commands: it never waits for the GPU, never reads back, and for
/// a count like the last one's allocates nothing.
///
/// Stable; the result is the same bits on every backend.
///
/// Several sorters and several contexts may live at once; a sorter is not for two threads at a
/// time.
///
/// During a call conditional rendering must not be active, nor on OpenGL 3.3 a transform feedback.
///
/// **Between calls** the context is the application's. It may have:
/// - *errors pending*: sorts, steps and reads leave them unread. Construction throws an `Error` that
///   names them, and they are gone then: errors alone say that an allocation failed, and OpenGL takes
///   none back. The same holds for a check that provokes an error of its own;
/// - *no context current*: calls that need OpenGL throw an `Error` that says so;
/// - *another context current* than at construction: these calls throw an `Error` that says so;
/// - *objects shared*: a context that shares objects with the sorter's is another context, and what
///   the application made there is sorted in the sorter's;
/// - *names deleted*: calls and steps refuse a name that is gone;
/// - *buffers mapped*: those mapped persistently are sorted as all others, and others refused by
///   name under `restore`. Under `caller_resets` there must be none: transfers are refused by an error of
///   OpenGL's, and what a dispatch finds is unspecified;
/// - *programs flagged for deletion*: if the current one is, OpenGL deletes it during a call, and
///   none is current afterwards (subroutine uniforms are reset by OpenGL, too);
/// - *queries active*: they count the primitives and samples that the library draws (fragment backend);
/// - *transform feedback active*: `restore` pauses it during a call, but on OpenGL 3.3;
/// - *uploads* of keys and values right before and right after a call: nothing needs to wait. NVIDIA's
///   driver may lose a `glBufferSubData` that is not right behind a sort of the buffer
///   (docs/driver-faults.md has a way round);
/// - *sorters moved from*: their calls throw an `Error`, and they may be assigned to and destroyed;
/// - *sorters destroyed* in another context or in none: no object there is touched, and what the
///   sorter held stays in its own context;
/// - *a context destroyed* before its sorter: call `abandon` before that, as a new context may get
///   the address of the old one, and would be taken for it.
///
/// EGL, GLX, WGL, CGL, OSMesa or the browser are asked which context is current. Where none of them
/// made the context, the library cannot tell: then that of construction must be current at every
/// call and at destruction.
class GLSORT_API Sorter {
  public:
    /// Compiles and allocates for `spec`. `get_proc_address` belongs to the current context.
    ///
    /// Throws `Error` where no context is current or it is too old, and where `get_proc_address` lacks
    /// a function of that version. Throws where errors of OpenGL are pending. Throws for a specification
    /// that the algorithm or the backend cannot do, and for a capacity that the device cannot hold.
    Sorter(const SortSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options = {});
    ~Sorter();
    Sorter(Sorter&&) noexcept;
    Sorter& operator=(Sorter&&) noexcept;

    /// Lets go of everything without a call of OpenGL: for a context that is gone, or going.
    /// Afterwards the sorter is as one that was moved from.
    void abandon() noexcept;

    /// Sorts `arguments.count` elements. `readers` says who reads the result next.
    ///
    /// Throws `Error`, with nothing changed, for: a count above the capacity; an offset that is not
    /// a multiple of what BufferSlice says, or with the count reaches past the buffer's end; a name
    /// that is not a buffer (a 2D texture); keys and values that overlap; an input texture that is
    /// also the output; a texture of another format, or too small for the count (OpenGL ES 3.0 cannot
    /// be asked for size and format: there the view is believed).
    ///
    /// Cost: `cost(program(count))` on the GPU. A count other than the last one's is planned anew,
    /// into the same storage: some microseconds an op.
    void sort(const SortArguments& arguments, Readers readers = Readers::all);

    /// Keys in a buffer, in place (payload none).
    void sort(BufferSlice keys, std::uint32_t count, Readers readers = Readers::all) {
        sort({.input = Buffers{keys}, .count = count}, readers);
    }
    /// Keys and values in buffers, in place.
    void sort(BufferSlice keys, BufferSlice values, std::uint32_t count, Readers readers = Readers::all) {
        sort({.input = Buffers{keys, values}, .count = count}, readers);
    }

    /// Sorts as `sort` does, into the sorter's own texture (`own_output`), and returns that: valid
    /// until the next sort. Read element i there with `texelFetch` at `texel_of(layout, i)`.
    TextureView sort_to_texture(const SortArguments& arguments, Readers readers = Readers::texture);
    /// That texture, as the last sort, merge or step left it.
    TextureView own_texture() const;

    /// Merges sorted lists into one order, by a multiway merge path (Odeh et al. 2012).
    /// `arguments` as for `sort`; its elements are lists of `lists[0]`, `lists[1]`, ... elements, one after
    /// the other, each in the order of the specification: ascending or descending, or by the comparison (a
    /// payload `index` is the place among all of them). The result is that of `sort`, where `sort` puts it:
    /// equal keys stay in the order of their lists. Where a list is not sorted, the result is unspecified.
    ///
    /// Up to `max_lists` lists, of any lengths: empty ones cost nothing, and uneven ones no more than even
    /// ones.
    ///
    /// Throws `Error`, with nothing changed, as `sort` does, for more lists than `max_lists`, and for
    /// lengths that do not add up to the count.
    ///
    /// Cost: `cost(program(count, lists))`; all data are moved three times for up to eight lists (loaded,
    /// merged, stored), four times for more, on every backend by the same kernels. With one
    /// attachment (`Limits`) a merge takes four lists, not eight. Lengths other than the last call's are
    /// planned anew, on the CPU; nothing is compiled or allocated on the GPU.
    void merge(const SortArguments& arguments, std::span<const std::uint32_t> lists, Readers readers = Readers::all);
    /// The same, into the sorter's own texture, as `sort_to_texture` does.
    TextureView merge_to_texture(const SortArguments& arguments, std::span<const std::uint32_t> lists,
                                 Readers readers = Readers::texture);

    /// The program that sorts `count` elements here, or merges lists of that many: print it
    /// (`to_text`), cost it (`cost`). Throws `Error` for a count above the capacity, and for
    /// lists that `merge` would refuse.
    StreamProgram program(std::uint32_t count, std::span<const std::uint32_t> lists = {}) const;

    /// The shape of a texture for `count` elements that the sorter reads and writes fastest; its
    /// name is 0. Any other width does as well.
    TextureView texture_for(std::uint32_t count) const;

    const SortSpec& spec() const;          ///< As given, with `algorithm` and `backend` resolved.
    const SorterOptions& options() const;  ///< As given.
    /// Bytes of GPU memory that the sorter alone holds.
    std::uint64_t scratch_bytes() const;
    /// Bytes that `SortArguments::scratch` must have behind its offset. 0 without `caller_scratch`.
    std::uint64_t caller_scratch_bytes() const;

  private:
    friend class Stepper;

    std::shared_ptr<Session> session_;
};

/// A sort of a sorter, operation by operation: between two steps every stream can be read, and GLSL and numbers can be
/// looked at. For tools and tests; a step costs more than its part of a sort.
///
/// The sorter's programs, textures and buffers serve the stepper, and stay alive as long as one of both does. What
/// `Sorter` says of calls between calls holds for steps as well.
class GLSORT_API Stepper {
  public:
    /// Throws `Error` for a sorter with `shared_scratch` or `caller_scratch`: other sorts would overwrite what lies
    /// between two steps.
    explicit Stepper(const Sorter& sorter);
    ~Stepper();
    Stepper(Stepper&&) noexcept;
    Stepper& operator=(Stepper&&) noexcept;

    /// Begins a sort, or with `lists` a merge of these. Checks as `Sorter::sort` and `Sorter::merge` do. Any later
    /// sort, merge or `begin` of the same sorter ends the sort begun. The objects that `arguments` name are needed
    /// until the last step and the last `read`.
    void begin(const SortArguments& arguments, std::span<const std::uint32_t> lists = {});
    /// Runs the next op. False, and nothing runs, if all ops are done. Throws `Error` if no sort has begun, and as
    /// `begin` does.
    bool step();
    /// The number of ops run since `begin`. Throws `Error` if no sort has begun.
    std::size_t steps_done() const;
    /// The current words of a stream of the program, in stream order. Waits for the GPU. Throws `Error` if no sort has
    /// begun, and for a stream that the program does not have.
    std::vector<std::uint32_t> read(StreamId stream);
    /// The GLSL of op `number` as compiled: the fragment, vertex or compute shader. Empty for a transfer. Throws
    /// `Error` if no sort has begun, and past the last op. Cost: the text is composed anew; no OpenGL call.
    std::string source(std::size_t number) const;

  private:
    template <class Call>
    decltype(auto) in_sort(const char* function, const Call& call) const;

    std::shared_ptr<Session> session_;
    std::uint64_t begun_ = 0;  ///< The number of the sort begun; 0: none.
};

/// What a context offers.
struct ContextReport {
    struct Offer {
        Backend backend = Backend::fragment;
        bool available = false;
        std::string reason;  ///< What it stands on, or what is missing.
    };
    std::string renderer;
    std::string version;
    std::string shading_language;
    Limits limits;
    std::vector<Offer> offers;              ///< fragment, compute, cpu.
    Backend automatic = Backend::fragment;  ///< What `Backend::automatic` becomes.
    std::string automatic_reason;
};

/// Asks the current context. Throws `Error` where none is current or it is too old for any backend.
GLSORT_API ContextReport describe_context(const GetProcAddress& get_proc_address);

/// One piece of OpenGL state that can change what a sort does.
struct StateItem {
    std::string_view names;   ///< What glGet knows it by, separated by ", ": "GL_CLIP_ORIGIN, GL_CLIP_DEPTH_MODE".
    std::string words;        ///< What it is: "clip control".
    std::string_view set_to;  ///< What a sort sets it to: "lower left, -1 to 1".
    /// The versions and extensions that have it: "OpenGL 4.5, GL_ARB_clip_control, GL_EXT_clip_control".
    std::string origin;
    /// Of state that there is several times (units, draw buffers, viewports): the number of them that a
    /// sort changes, from 0 on. Else 0.
    std::size_t indices = 0;
    bool precondition = false;  ///< Not changed by a sort: it must be as `set_to` says.
    bool fragment = false;      ///< Sorts of the fragment backend change it.
    bool compute = false;       ///< Sorts of the compute backend change it.
};

/// Every item, of all versions and extensions.
GLSORT_API std::vector<StateItem> state_items();

/// The state that a sort changes under `StatePolicy::caller_resets`, in words, an item each: "face culling
/// (disabled)". Empty for the cpu backend.
GLSORT_API std::vector<std::string> clobbered_state(Backend backend);

/// The version of the library as "major.minor.patch"; a string with static lifetime.
GLSORT_API const char* version() noexcept;

}  // namespace glsort
