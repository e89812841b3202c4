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

/// Scratch memory that several sorters of one context share. Sorts of one context run one after the other, so one piece
/// of memory serves all of them.
///
/// The memory grows when a sorter is made that needs more, and never shrinks. After a growth the next sort of every
/// other sorter takes some microseconds longer. Streams that must begin as zero stay each sorter's own: some KiB.
class GLSORT_API Scratch {
  public:
    /// The current context must be the context of the sorters, and `get_proc_address` belongs to this context. Throws
    /// `Error` as the constructor of `Sorter` does.
    explicit Scratch(const GetProcAddress& get_proc_address);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::uint64_t bytes() const;  ///< Bytes of GPU memory that all sorters share.
    /// Forgets all objects without calling OpenGL, as `Sorter::abandon` does. The sorters must be abandoned, too.
    void abandon() noexcept;

  private:
    friend std::shared_ptr<ScratchMemory> shared_memory(const Scratch* scratch, const gl::Api& api);

    std::shared_ptr<ScratchMemory> memory_;
};

/// How a sorter behaves in its context. The options do not change the result.
struct SorterOptions {
    StatePolicy state = StatePolicy::restore;
    /// A memory barrier before the first op. The sort then sees what shaders of the caller have written. The fragment
    /// backend always makes the barrier.
    ///
    /// False saves 1.4 us of a sort on an H100. Choose false in two cases:
    /// - you have issued the barrier: GL_SHADER_STORAGE_BARRIER_BIT, and for textures also GL_TEXTURE_FETCH_BARRIER_BIT
    ///   and GL_SHADER_IMAGE_ACCESS_BARRIER_BIT;
    /// - uploads, copies or a sort of this sorter were the last to touch the buffers and textures.
    /// A sort then ends with a barrier for storage and textures, whatever `Readers` says.
    bool barrier_before = true;
    /// Every op becomes a debug group (KHR_debug) named after the op, for frame debuggers.
    bool debug_groups = false;
    /// Scratch memory that the sorter shares with other sorters of the context. Null: the sorter has memory of its own.
    /// Every sort in shared memory begins with a barrier, whatever `barrier_before` says.
    std::shared_ptr<Scratch> shared_scratch = nullptr;
    /// The application gives scratch memory to each call, in `SortArguments::scratch`. Compute backend only. Barriers
    /// as with `shared_scratch`.
    bool caller_scratch = false;
};

/// What one sort works on. `input` holds `Buffers` or a `TextureView`, as `SortSpec::input` says. A call refuses
/// members that are set although the specification does not use them, and names the member.
struct SortArguments {
    std::variant<Buffers, TextureView> input = {};
    TextureView output = {};  ///< Only for a `SortSpec::output` of texture without `own_output`.
    std::uint32_t count = 0;  ///< Elements, from 0 to the capacity. 0 with `SortSpec::gpu_count`.
    /// Only with `SortSpec::gpu_count`, instead of `count`: a u32 in a buffer. The offset is a multiple of 4. A count
    /// above the capacity is clamped to the capacity. Keys, values and textures have room for the capacity.
    BufferSlice gpu_count = {};
    /// Only with `SorterOptions::caller_scratch`: `Sorter::caller_scratch_bytes()` bytes that the call may overwrite.
    /// The offset is a multiple of GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT. The slice overlaps neither keys nor
    /// values.
    BufferSlice scratch = {};
};

/// Sorts keys, or keys and values, in GPU memory.
///
/// Construction allocates and compiles everything. A sort only issues commands. A sort never waits for the GPU and
/// never reads back. A sort with the count of the last sort allocates nothing, neither on the GPU nor on the CPU.
///
/// Sorts are stable. The result has the same bits on every backend.
///
/// Several sorters and several contexts may live at once. One sorter is for one thread at a time.
///
/// During a call conditional rendering must not be active. On OpenGL 3.3 this also holds for transform feedback.
///
///
/// **Between calls** the context is the application's. It may have:
/// - *errors pending*: sorts, steps and reads leave these errors unread. Construction must read errors, as they alone
/// say
///   that an allocation failed. Construction therefore throws an `Error` that lists the pending errors, which reading
///   has cleared. So does a call that finds a texture of a wrong target;
/// - *no context current*: calls that need OpenGL throw an `Error` that says so;
/// - *another context current* than at construction: these calls throw an `Error` that says so;
/// - *objects shared*: a context that shares objects with the sorter's context is another context. Objects that were
/// made
///   there can be sorted in the sorter's context;
/// - *names deleted*: calls and steps refuse a name that is gone;
/// - *buffers mapped*: a buffer that is mapped persistently is sorted as any other. Under `restore` a call refuses
/// other
///   mapped buffers, and names them. Under `caller_resets` no such buffer may be given: transfers fail with an error of
///   OpenGL's, and what a dispatch finds is unspecified;
/// - *programs flagged for deletion*: if the current program is one, OpenGL deletes the program during a call, and no
///   program is current afterwards. OpenGL also resets subroutine uniforms;
/// - *queries active*: queries count the primitives and samples that the library draws (fragment backend);
/// - *transform feedback active*: `restore` pauses transform feedback during a call, except on OpenGL 3.3;
/// - *uploads* of keys and values right before and right after a call: nothing needs to wait. NVIDIA's driver may lose
/// a
///   `glBufferSubData` that is not right behind a sort of the buffer (docs/driver-faults.md has a way round);
/// - *sorters moved from*: calls throw an `Error`. Such a sorter may be assigned to and destroyed;
/// - *sorters destroyed* in another context or in none: no object there is touched. The objects of the sorter stay in
/// the
///   sorter's context;
/// - *a context destroyed* before its sorter: call `abandon` first. A new context may get the address of the old one,
/// and
///   the library would take the new context for the old one.
///
/// The library asks EGL, GLX, WGL, CGL, OSMesa or the browser which context is current. If none of them made the
/// context, the library cannot tell. Then the context of construction must be current at every call and at destruction.
class GLSORT_API Sorter {
  public:
    /// Compiles and allocates for `spec`. `get_proc_address` belongs to the current context.
    ///
    /// Throws `Error` if no context is current, or a context that is too old, or one with OpenGL errors pending. Throws
    /// if `get_proc_address` lacks a function of the context's version. Throws for a specification that the algorithm
    /// or the backend cannot do, and for a capacity that the device cannot hold.
    Sorter(const SortSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options = {});
    ~Sorter();
    Sorter(Sorter&&) noexcept;
    Sorter& operator=(Sorter&&) noexcept;

    /// Forgets all objects without calling OpenGL: for a context that is destroyed, or soon will be. Afterwards the
    /// sorter is like a sorter that was moved from.
    void abandon() noexcept;

    /// Sorts `arguments.count` elements. `readers` says who reads the result next.
    ///
    /// Throws `Error`, with nothing changed, for:
    /// - a count above the capacity;
    /// - an offset that is no multiple of what `BufferSlice` says, and a slice that reaches past the end of its buffer;
    /// - a name that is not a buffer, or not a 2D texture;
    /// - keys, values and scratch memory that overlap, and an input texture that is also the output;
    /// - a texture of a wrong format, or one that is too small for the count. OpenGL ES 3.0 cannot query textures, so
    ///   there the view is trusted.
    ///
    /// Cost: `cost(program(count))` on the GPU. A count that differs from the last one is planned anew on the CPU, into
    /// the same storage: some microseconds an op.
    void sort(const SortArguments& arguments, Readers readers = Readers::all);

    /// Keys in a buffer, in place (payload none).
    void sort(BufferSlice keys, std::uint32_t count, Readers readers = Readers::all) {
        sort({.input = Buffers{keys}, .count = count}, readers);
    }
    /// Keys and values in buffers, in place.
    void sort(BufferSlice keys, BufferSlice values, std::uint32_t count, Readers readers = Readers::all) {
        sort({.input = Buffers{keys, values}, .count = count}, readers);
    }

    /// Sorts as `sort` does, into the sorter's own texture (`SortSpec::own_output`). Returns the texture, which holds
    /// the result until the next sort. Shaders read element i by `texelFetch` at `texel_of(layout, i)`.
    TextureView sort_to_texture(const SortArguments& arguments, Readers readers = Readers::texture);
    /// The sorter's own texture, as the last sort, merge or step left it.
    TextureView own_texture() const;

    /// Merges sorted lists into one order, by a multiway merge path (Odeh et al. 2012).
    ///
    /// `arguments` are those of `sort`. The elements form lists that lie one after the other: first `lists[0]`
    /// elements, then `lists[1]`, and so on. Each list is in the order of the specification. A payload `index` counts
    /// from the first element of the first list. The result is that of `sort`: equal keys stay in the order of their
    /// lists. If a list is not sorted, the result is unspecified.
    ///
    /// There are up to `SortSpec::max_lists` lists, of any lengths. Empty lists cost nothing. Uneven lists cost no more
    /// than even ones.
    ///
    /// Throws `Error`, with nothing changed, as `sort` does. Throws for more lists than `max_lists`, and for lengths
    /// that do not add up to the count.
    ///
    /// Cost: `cost(program(count, lists))`. Up to eight lists move all data three times: load, merge, store. More lists
    /// move all data four times. With one attachment (`Limits`) these eight lists are four. Lengths that differ from
    /// those of the last call are planned anew on the CPU. Nothing is compiled or allocated on the GPU.
    void merge(const SortArguments& arguments, std::span<const std::uint32_t> lists, Readers readers = Readers::all);
    /// Merges as `merge` does, into the sorter's own texture, as `sort_to_texture` does.
    TextureView merge_to_texture(const SortArguments& arguments, std::span<const std::uint32_t> lists,
                                 Readers readers = Readers::texture);

    /// The program that sorts `count` elements here, or that merges `lists`. `to_text` prints and `cost` sums up a
    /// program. Throws `Error` for a count above the capacity, and for lists that `merge` would refuse.
    StreamProgram program(std::uint32_t count, std::span<const std::uint32_t> lists = {}) const;

    /// The shape of a texture for `count` elements that the sorter reads and writes fastest. The name in the view is 0.
    /// Textures of any other width work, too.
    TextureView texture_for(std::uint32_t count) const;

    const SortSpec& spec() const;          ///< As given, with `algorithm` and `backend` resolved.
    const SorterOptions& options() const;  ///< As given.
    /// Bytes of GPU memory that belong to this sorter alone.
    std::uint64_t scratch_bytes() const;
    /// Bytes that a call needs from the offset of `SortArguments::scratch` on. 0 without
    /// `SorterOptions::caller_scratch`.
    std::uint64_t caller_scratch_bytes() const;
    /// With `SortSpec::gpu_count`: four u32 that the last sort or `Stepper::begin` wrote into a buffer of the sorter's:
    /// the count of elements sorted, 1 if the count was clamped to the capacity and else 0, 0, 0. Valid until the next
    /// sort, for the readers that the sort named. Throws `Error` without `gpu_count`.
    BufferSlice status() const;

  private:
    friend class Stepper;

    std::shared_ptr<Session> session_;
};

/// Runs a sort of a sorter operation by operation. Between two steps every stream can be read. For tools and tests:
/// steps cost more than the sort.
///
/// Stepper and sorter share programs, buffers and textures, which live as long as one of the two. The list at `Sorter`
/// of what an application may do between calls holds between steps, too.
class GLSORT_API Stepper {
  public:
    /// Throws `Error` for a sorter with `shared_scratch` or `caller_scratch`: between two steps others would overwrite
    /// its streams.
    explicit Stepper(const Sorter& sorter);
    ~Stepper();
    Stepper(Stepper&&) noexcept;
    Stepper& operator=(Stepper&&) noexcept;

    /// Begins a sort, or a merge if there are `lists`. Throws `Error` as `Sorter::sort` and `Sorter::merge` do. Any
    /// later sort, merge or `begin` of the same sorter ends this sort. Keep the objects that `arguments` name until the
    /// last `step` and `read`.
    void begin(const SortArguments& arguments, std::span<const std::uint32_t> lists = {});
    /// Runs the next op. Returns false, and runs nothing, if all ops are done. Throws `Error` as `begin` does, and if
    /// no sort has begun.
    bool step();
    /// The number of ops run since `begin`. Throws `Error` if no sort has begun.
    std::size_t steps_done() const;
    /// The current words of a stream of the program, element by element. Waits for the GPU. Throws `Error` if no sort
    /// has begun, and for a stream that the program does not have.
    std::vector<std::uint32_t> read(StreamId stream);
    /// The GLSL of op `number` as compiled: the fragment, vertex or compute shader. Empty for a transfer. Throws
    /// `Error` if no sort has begun, and past the last op. Cost: composes the text anew, without OpenGL.
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
        std::string reason;  ///< The version or extensions that make the backend available, or that are missing.
    };
    std::string renderer;
    std::string version;
    std::string shading_language;
    Limits limits;
    std::vector<Offer> offers;              ///< One for each backend: fragment, compute, cpu.
    Backend automatic = Backend::fragment;  ///< What `Backend::automatic` becomes.
    std::string automatic_reason;
};

/// Asks the current context. Throws `Error` if no context is current, and if the context is too old for every backend.
GLSORT_API ContextReport describe_context(const GetProcAddress& get_proc_address);

/// One piece of OpenGL state that can change what a sort does.
struct StateItem {
    std::string_view names;   ///< Names for glGet, separated by ", ": "GL_CLIP_ORIGIN, GL_CLIP_DEPTH_MODE".
    std::string words;        ///< The state in words: "clip control".
    std::string_view set_to;  ///< The value that a sort sets: "lower left, -1 to 1".
    /// The versions and extensions with this state: "OpenGL 4.5, GL_ARB_clip_control, GL_EXT_clip_control".
    std::string origin;
    /// For state with an index (units, draw buffers, viewports): a sort changes the indices from 0 up to, but not
    /// including, this number. 0 for state without an index.
    std::size_t indices = 0;
    bool precondition = false;  ///< A sort does not change this state. The state must be as `set_to` says.
    bool fragment = false;      ///< Whether sorts of the fragment backend change the state.
    bool compute = false;       ///< Whether sorts of the compute backend change the state.
};

/// All items, of all versions and extensions.
GLSORT_API std::vector<StateItem> state_items();

/// The state that a sort changes under `StatePolicy::caller_resets`, in words: "face culling (disabled)". Empty for the
/// cpu backend.
GLSORT_API std::vector<std::string> clobbered_state(Backend backend);

/// The version of the library that is linked, as "major.minor.patch". The string is static.
GLSORT_API const char* version() noexcept;

}  // namespace glsort
