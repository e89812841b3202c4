#pragma once

#include <glsort/error.h>
#include <glsort/gl_types.h>
#include <glsort/limits.h>
#include <glsort/spec.h>
#include <glsort/stream/program.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Sorting inside the caller's OpenGL context, and on the CPU.

namespace glsort {

namespace gl {
struct Api;
}

class Session;
template <class Session>
class Serving;
struct ScratchMemory;

/// Scratch memory that several sorters of one context share (`SorterOptions::shared_scratch`). Sorts of one context run
/// one after the other, so one piece of memory serves all sorters.
///
/// The memory grows while a sorter that needs more is made or grows, and never shrinks. After a growth, the next sort
/// of every other sorter prepares its ops anew. Each sorter still has some KiB of its own, for streams that must begin
/// as zero.
class GLSORT_API Scratch {
  public:
    /// The current context must be the context of the sorters. `get_proc_address` finds the functions of this context.
    /// Throws `Error` if no context is current, if the context is older than OpenGL 3.3 or OpenGL ES 3.0, and if a
    /// function is missing.
    explicit Scratch(const GetProcAddress& get_proc_address);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    /// Bytes of GPU memory that all sorters share.
    std::uint64_t bytes() const;
    /// Forgets all objects without calling OpenGL, as `Sorter::abandon` does. Also abandon the sorters that share the
    /// memory.
    void abandon() noexcept;

  private:
    friend std::shared_ptr<ScratchMemory> shared_memory(const Scratch* scratch, const gl::Api& api);

    std::shared_ptr<ScratchMemory> memory_;
};

/// Who waits while the shaders of a sorter are compiled. Compiling takes from some milliseconds to some seconds.
///
/// A call that waits needs the context, and throws as the constructor does. `options`, `reserve`, `finished`, `fence`
/// and `abandon` need no shaders: they never wait, and never throw for this reason. All other functions count as calls,
/// also those that only return a value, such as `spec` and `scratch_bytes`.
enum class Construction {
    waits,         ///< The constructor waits. Afterwards no call waits for shaders.
    calls_wait,    ///< The constructor returns within a few milliseconds. A call before `ready` waits.
    calls_refuse,  ///< The constructor returns within a few milliseconds. A call before `ready` throws an `Error`.
};

/// How a sorter behaves in its context. The options do not change the result.
struct SorterOptions {
    StatePolicy state = StatePolicy::restore;
    /// Whether a memory barrier precedes the first op. With the barrier a sort sees what the caller's shaders have
    /// written. The fragment backend always issues the barrier.
    ///
    /// False saves 1.4 us of a sort on an H100. False is right in two cases:
    /// - you have issued the barrier: GL_SHADER_STORAGE_BARRIER_BIT, and for textures also GL_TEXTURE_FETCH_BARRIER_BIT
    ///   and GL_SHADER_IMAGE_ACCESS_BARRIER_BIT;
    /// - uploads, copies or a sort of this sorter were the last to touch the buffers and textures.
    ///
    /// With false, the barrier after a sort always includes storage buffers, and textures if the output is one.
    bool barrier_before = true;
    /// Whether every op becomes a debug group (KHR_debug), named after the op. For frame debuggers.
    bool debug_groups = false;
    /// Scratch memory that the sorter shares with other sorters of its context. Null: the sorter has memory of its own.
    /// Every sort in shared memory begins with a barrier, whatever `barrier_before` says.
    std::shared_ptr<Scratch> shared_scratch = nullptr;
    /// Whether the application gives scratch memory to each call, in `SortArguments::scratch`. Compute backend only,
    /// and not with `shared_scratch`. Every sort begins with a barrier, whatever `barrier_before` says.
    bool caller_scratch = false;
    /// The most elements that one draw, dispatch or transfer of pixels touches in any of its streams. Longer ops run as
    /// several, one after the other, and give the same bits. 0: no limit.
    ///
    /// For a GPU that other programs need at short intervals, or that has a watchdog: the GPU can switch between two
    /// draws, but hardly ever within one. Every piece takes further commands, so small limits are slow.
    ///
    /// The smallest piece is one group of invocations on the compute backend, and one texel or vertex on the fragment
    /// backend. Some groups handle a tile of some thousand elements. A limit below the elements of the smallest piece
    /// has no further effect. The pieces of a draw are rectangles of texels. A rectangle may contain texels that the op
    /// does not write, so an op may take more pieces than its elements alone require. If several instances read an
    /// element, the element counts once.
    ///
    /// With a count on the GPU, the number of pieces is that for the capacity. Pieces behind the count are empty.
    /// Construction for the compute backend then throws `Error` if the capacity takes millions of pieces.
    std::uint32_t max_elements_per_draw = 0;
    Construction construction = Construction::waits;
    /// Where the binaries of compiled shaders are kept, so that the next start compiles nothing. Empty: nowhere.
    ProgramBinaries binaries = {};
    /// Whether `finished` reports sorts. Costs two timestamps and a fence for each sort. If the count lies on the GPU,
    /// also costs a copy of 8 bytes, and the barrier for transfers. Has no effect in browsers: there `finished` always
    /// throws `Error`.
    bool report_finished = false;
    /// Whether a fence follows each sort, merge or scene (`Sorter::fence`). A sort of no elements gets a fence, too.
    bool fence = false;
    /// Called around each op of a sort. For profilers.
    OpHook hook = {};
    /// What the labels of all buffers, textures and programs begin with (KHR_debug). For frame debuggers. Labels have
    /// up to 255 characters, and longer ones are cut.
    std::string name = "glsort";
};

/// What is known of a sort that the GPU has finished.
struct FinishedSort {
    /// Counts the sorts, merges and scenes of a sorter, from 1 on. A sort or merge whose `SortArguments::count` is 0
    /// does not count, unless the sorter has `SortSpec::gpu_count`.
    std::uint64_t number = 0;
    std::uint32_t count = 0;  ///< Elements that were sorted. Of a scene: its visible items.
    bool clamped = false;     ///< Whether a count on the GPU was above its capacity.
    /// GPU time from the first to the last command. The time includes waits for other work of the GPU. Empty if the
    /// context has no timestamps: OpenGL ES needs GL_EXT_disjoint_timer_query. Also empty if the clock of the GPU was
    /// set back during the sort. In OpenGL ES, a GPU that changes its clock may report a wrong time: the flag
    /// GL_GPU_DISJOINT_EXT says so, but reading the flag would reset the flag for the application.
    std::optional<double> milliseconds = std::nullopt;
};

/// What one sort works on. `input` holds `Buffers` or a `TextureView`, as `SortSpec::input` says. A call throws an
/// `Error` for a member that is set although the specification does not use the member. Without `gpu_count`, a call
/// with a count of 0 checks neither input, output nor scratch.
struct SortArguments {
    std::variant<Buffers, TextureView> input = {};
    TextureView output = {};  ///< Only for a `SortSpec::output` of texture without `own_output`.
    std::uint32_t count = 0;  ///< Elements, from 0 to the capacity. 0 with `SortSpec::gpu_count`.
    /// Only with `SortSpec::gpu_count`, instead of `count`: a u32 in a buffer. The offset is a multiple of 4. A count
    /// above the capacity is clamped to the capacity. Keys, values and textures have room for the capacity. The four
    /// bytes lie outside of this room, and outside of `scratch`.
    BufferSlice gpu_count = {};
    /// Only with a `SortSpec::gpu_count_medium` of texture, instead of `gpu_count`: the count is the red channel of
    /// texel (0, 0) of level 0. The texture has unsigned integers of any size, and is not the output.
    TextureView gpu_count_texture = {};
    /// Only with `SorterOptions::caller_scratch`: `Sorter::caller_scratch_bytes()` bytes that the call may overwrite.
    /// The offset is a multiple of GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT. The slice overlaps neither keys nor
    /// values nor `gpu_count`.
    BufferSlice scratch = {};
};

/// Sorts keys, or keys and values, in GPU memory.
///
/// Construction allocates and compiles everything. With `SorterOptions::construction`, construction need not block:
/// call `ready` in each frame, until `ready` returns true. `reserve` makes the capacity larger in the same way.
///
/// A sort only issues commands. A sort does not wait for the GPU and never reads back. Two software drivers are
/// exceptions, on which a sort may end with glFinish: zink over a software rasteriser, if the sort uses textures of the
/// caller, and llvmpipe, if fragment shaders read buffers of the caller.
///
/// A sort allocates nothing, neither on the GPU nor on the CPU, whatever its count. Exceptions: `fence` and
/// `report_finished` make a sync object for each sort. A texture of another width or layout makes the CPU prepare ops
/// anew, and with `gpu_count` makes two small buffers anew. After a growth of `shared_scratch`, the next call prepares
/// ops anew. On fragments this call also makes framebuffers, and on compute with `gpu_count` two small buffers. Other
/// lists of a merge, and another count where the `program` has no `StreamProgram::counts`, make the CPU plan anew.
///
/// Sorts are stable. All backends give identical bits.
///
/// Several sorters and several contexts may exist at once. Only one thread at a time may use a sorter. Sorters that
/// share a `Scratch` have one context, so one thread at a time may use all of them.
///
/// During a call, conditional rendering must not be active. Transform feedback must not be active on OpenGL 3.3, nor
/// under `StatePolicy::caller_resets`.
///
/// **Between calls** the context is the application's. The application may have:
/// - *errors pending*: sorts, steps and reads leave these errors unread. Construction must read errors, for only errors
///   tell of a failed allocation. Construction therefore throws an `Error` that lists the pending errors, which are
///   read then. A call that waits for a construction or a growth, or that finds a texture of a wrong target, throws
///   such an `Error`, too;
/// - *no context current*: calls that need OpenGL throw an `Error` that says so;
/// - *another context current* than at construction: calls that need OpenGL throw an `Error` that says so;
/// - *objects shared*: a context that shares objects with the sorter's context is another context. The sorter's context
///   can sort objects that were made there;
/// - *names deleted*: calls and steps throw an `Error` for a deleted name;
/// - *buffers mapped*: a persistently mapped buffer is sorted like any other, except by the fragment backend on ANGLE.
///   Under `StatePolicy::restore` a call throws an `Error` for a mapped buffer that this backend would write on ANGLE.
///   On any backend, a call throws an `Error` for a buffer that is mapped without GL_MAP_PERSISTENT_BIT. Under
///   `StatePolicy::caller_resets` do not pass such buffers: transfers raise an OpenGL error, and dispatches read and
///   write unspecified data;
/// - *programs flagged for deletion*: if the current program is flagged, OpenGL deletes the program during a call, and
///   no program is current afterwards;
/// - *subroutine uniforms set*: OpenGL resets these uniforms when a program becomes current again after a call;
/// - *queries active*: queries count the primitives and samples that the library draws (fragment backend);
/// - *transform feedback active*: `restore` pauses transform feedback during a call, except on OpenGL 3.3;
/// - *uploads* of keys and values right before and right after a call: nothing needs to wait. Uploads after a call need
///   `Readers::transfer`. NVIDIA's driver may lose a `glBufferSubData` that does not directly follow a sort of the
///   buffer (workaround: docs/driver-faults.md);
/// - *sorters moved from*: calls throw an `Error`. Such a sorter may be assigned to and destroyed;
/// - *sorters destroyed* in another context or in none: no object there is touched. The objects of the sorter stay in
///   the sorter's context;
/// - *a context destroyed* before its sorter: call `abandon` first. A new context may get the address of the old
///   context. The library cannot tell the two apart.
///
/// The library asks EGL, GLX, WGL, CGL, OSMesa or the browser which context is current. A context that none of these
/// made is unknown to the library. Then the context of construction must be current at every call and at destruction.
class GLSORT_API Sorter {
  public:
    /// Compiles and allocates for `spec` in the current context. `get_proc_address` finds the functions of this
    /// context.
    ///
    /// Throws `Error` if:
    /// - no context is current, the context is too old (`SortSpec::backend` lists the versions), or OpenGL errors are
    ///   pending;
    /// - `get_proc_address` lacks a function of the context's version;
    /// - the algorithm or the backend does not support the specification;
    /// - the GLSL of a comparison does not compile;
    /// - `hook` has only one of its two functions;
    /// - `caller_scratch` comes together with `shared_scratch`, or with the fragment backend;
    /// - `shared_scratch` belongs to another context, or was abandoned;
    /// - the device cannot hold the capacity.
    ///
    /// Construction restores all state of the context but one number. If the limit of threads that compile shaders
    /// (GL_MAX_SHADER_COMPILER_THREADS_KHR) has its default, 2^32-1, construction sets 2^32-2: NVIDIA's driver compiles
    /// in threads only after such a call. Any other number stays.
    Sorter(const SortSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options = {});
    ~Sorter();
    Sorter(Sorter&&) noexcept;
    Sorter& operator=(Sorter&&) noexcept;

    /// Forgets all objects without calling OpenGL. For a context that is destroyed, or soon will be. Afterwards calls
    /// throw an `Error`, as after a move.
    void abandon() noexcept;

    /// Continues the construction, or the growth that `reserve` has begun. Returns true if nothing is left to do. With
    /// `Construction::waits` this is always so, unless `reserve` was called.
    ///
    /// One call takes about `time`. Drivers with GL_KHR_parallel_shader_compile compile in threads of their own, and no
    /// call waits for them. Other drivers compile in the call: the call then compiles one program at least, however
    /// long that takes.
    ///
    /// Throws `Error` as the constructor does. If the construction has failed, each further call throws the same error.
    /// If a growth has failed, only this call throws, and the capacity stays as it was. A failed growth also drops the
    /// growths that were asked for later. A call that waits for a growth throws the error of the growth. The OpenGL
    /// state stays the application's, whatever `SorterOptions::state` says.
    bool ready(std::chrono::microseconds time = std::chrono::milliseconds(1));

    /// Begins to make the capacity larger. Calls of `ready` do the work. Until the growth is done, the old capacity
    /// serves. A growth under way is finished first. Its capacity then serves until the next growth is done. `ready`
    /// returns true after the last growth, and `spec` has the capacity of the next call. This function never waits. A
    /// smaller capacity changes nothing.
    ///
    /// A growth does not shorten the time for which earlier results are valid. Until the next call, `own_texture` and
    /// `status` return the objects of the last call, and both capacities hold memory. Each later call of `sort`,
    /// `merge` or `ready` frees one buffer or texture of the old capacity. OpenGL programs stay until the sorter is
    /// destroyed. Names that `own_texture` and `status` return change with the capacity. A `Stepper` that was made
    /// before the growth keeps the old capacity.
    ///
    /// A call with more elements than the old capacity waits, or throws an `Error` with `Construction::calls_refuse`
    /// and with `SorterOptions::caller_scratch`.
    ///
    /// A growth chooses anew what the specification leaves open: algorithm, backend and layout. After the growth,
    /// `caller_scratch_bytes` may be larger. With `SortSpec::gpu_count`, the objects of a call then need room for the
    /// new capacity.
    ///
    /// Throws `Error` if the construction has failed. `ready` throws for a capacity above the limit of the
    /// specification, and if the device cannot hold the capacity.
    void reserve(std::uint32_t capacity);

    /// Sorts `arguments.count` elements. `readers` says who reads the result next.
    ///
    /// Throws `Error`, with nothing changed, for:
    /// - a count above the capacity;
    /// - an offset that is not aligned as `BufferSlice` says;
    /// - on the fragment backend in OpenGL 3.3 to 4.2, an offset with which elements up to the capacity lie beyond the
    ///   first GL_MAX_TEXTURE_BUFFER_SIZE elements of a buffer. A sort in steps then ends;
    /// - on the compute backend, an offset with which a storage block would exceed GL_MAX_SHADER_STORAGE_BLOCK_SIZE. A
    ///   block begins at a multiple of GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT. A sort in steps then ends;
    /// - a slice that reaches past the end of its buffer;
    /// - a name that is not a buffer, or not a 2D texture;
    /// - keys, values, scratch memory and a count on the GPU that overlap, and an input texture that is also the
    ///   output;
    /// - a texture of a wrong format, too small for the count, or of another size than the `TextureView` says. OpenGL
    ///   ES 3.0 cannot query textures. There the sorter trusts the `TextureView`;
    /// - state of a compatibility profile: a render mode other than GL_RENDER, and a display list under construction.
    ///   docs/state.md lists further preconditions, which no call checks.
    ///
    /// Under `caller_resets` the sorter trusts sizes and formats, too.
    ///
    /// Cost on the GPU: `cost(program(count))`. With `SortSpec::gpu_count`: `cost(program(capacity), count)`. Counts
    /// that share a program (`StreamProgram::counts`) are planned at construction. If such a count differs from that of
    /// the last call, the CPU takes some nanoseconds for each op. An op that draws several rectangles takes about a
    /// microsecond.
    void sort(const SortArguments& arguments, Readers readers = Readers::all);

    /// Sorts keys in a buffer, in place. For a payload `none`.
    void sort(BufferSlice keys, std::uint32_t count, Readers readers = Readers::all) {
        sort({.input = Buffers{keys}, .count = count}, readers);
    }
    /// Sorts keys and values in buffers, in place.
    void sort(BufferSlice keys, BufferSlice values, std::uint32_t count, Readers readers = Readers::all) {
        sort({.input = Buffers{keys, values}, .count = count}, readers);
    }

    /// The latest sort that the GPU has finished, if there is one. Does not wait and does not flush: a sort counts as
    /// finished some time after the application has flushed or swapped buffers. At most four sorts are observed at
    /// once. A further sort is never reported, even if the further sort is the latest. Sorts in steps are not reported.
    /// Only with `SorterOptions::report_finished`; throws `Error` without.
    std::optional<FinishedSort> finished();
    /// The fence behind the last sort, a `GLsync`. Null before the first sort. Valid until the next sort, or until the
    /// sorter is destroyed: the sorter deletes the fence. Sorts in steps set no fence. Only with
    /// `SorterOptions::fence`; throws `Error` without.
    void* fence() const;

    /// Sorts as `sort` does, into the sorter's own texture. Returns the texture, which holds the result until the next
    /// call. Shaders read element i by `texelFetch` at `texel_of({layout, width}, i)` (stream/stream.h), with `layout`
    /// and `width` of the returned view. Throws `Error` as `sort` does, and without `SortSpec::own_output`.
    TextureView sort_to_texture(const SortArguments& arguments, Readers readers = Readers::texture);
    /// The sorter's own texture, as the last sort, merge or step left it. Throws `Error` without
    /// `SortSpec::own_output`.
    TextureView own_texture() const;

    /// Merges sorted lists into one order, by a multiway merge path (Odeh et al. 2012).
    ///
    /// `arguments` are the arguments of `sort`. `lists` has the length of each list, in elements. The lists lie one
    /// after the other. Each list is in the order of the specification. If a list is not in order, the result is
    /// unspecified.
    ///
    /// The result is the result of `sort`: equal keys stay in the order of their lists. A payload `index` counts from
    /// the first element of the first list.
    ///
    /// There are up to `SortSpec::max_lists` lists, of any lengths. Empty lists cost nothing. Uneven lists cost no more
    /// than even ones.
    ///
    /// Throws `Error`, with nothing changed, as `sort` does. Also throws for more lists than `max_lists`, for lengths
    /// that do not add up to the count, and for a count above 2^31.
    ///
    /// Cost: `cost(program(count, lists))`. Up to eight lists take two passes over the data: one loads, one merges and
    /// stores. Outputs that the second pass cannot write take one more, which stores. More than eight lists also take
    /// one more pass. On a context with one attachment (`Limits`) the bound is four lists, not eight. New lengths are
    /// planned on the CPU. Nothing is compiled or allocated on the GPU.
    void merge(const SortArguments& arguments, std::span<const std::uint32_t> lists, Readers readers = Readers::all);
    /// Merges as `merge` does, into the sorter's own texture. Returns the texture, as `sort_to_texture` does.
    TextureView merge_to_texture(const SortArguments& arguments, std::span<const std::uint32_t> lists,
                                 Readers readers = Readers::texture);

    /// The program by which this sorter sorts `count` elements, or merges `lists`. `to_text` prints a program, and
    /// `cost` sums up the cost. Once the sorter is `ready`, plans on the CPU without OpenGL. Throws `Error` for a count
    /// above the capacity, and for lists that `merge` would refuse. With `SortSpec::gpu_count`, `count` must be the
    /// capacity.
    StreamProgram program(std::uint32_t count, std::span<const std::uint32_t> lists = {}) const;

    /// The size and layout with which the sorter accesses a texture of `count` elements fastest. The name in the view
    /// is 0. Textures of other widths work, too.
    TextureView texture_for(std::uint32_t count) const;

    /// The specification given at construction, with `algorithm`, `backend` and `layout` resolved. `capacity` is that
    /// of the next call. The reference is valid until the next call, or the next `ready`.
    const SortSpec& spec() const;
    /// The options given at construction.
    const SorterOptions& options() const;
    /// Bytes of GPU memory that belong to this sorter alone, its own texture included. The number is that of the
    /// capacity of the next call. Memory of other capacities is not counted.
    std::uint64_t scratch_bytes() const;
    /// Bytes that a call needs from the offset of `SortArguments::scratch` on. 0 without
    /// `SorterOptions::caller_scratch`.
    std::uint64_t caller_scratch_bytes() const;
    /// With `SortSpec::gpu_count`: four u32 in a buffer of the sorter's, which the last sort or `Stepper::begin` wrote.
    /// Word 0: the count of elements sorted. Word 1: 1 if the count was clamped to the capacity, otherwise 0. Words 2
    /// and 3: 0. Valid until the next sort, for the readers that the sort named. Before the first sort, the contents
    /// are undefined. Throws `Error` without `gpu_count`.
    BufferSlice status() const;

  private:
    friend class Stepper;

    std::shared_ptr<Serving<Session>> serving_;
};

/// Runs a sort of a sorter op by op. Between two steps `read` gives every stream. For tools and tests: steps cost more
/// than the sort.
///
/// Stepper and sorter share programs, buffers and textures. These live until both are destroyed. What an application
/// may do between calls (the list at `Sorter`), an application may also do between steps, with one exception: until the
/// last step, leave keys, values, count and output alone. Uploads there spoil the sort, without an error. With a
/// payload `index`, reads of the indices are fine: only the last step writes there.
class GLSORT_API Stepper {
  public:
    /// Throws `Error` for a sorter with `shared_scratch` or `caller_scratch`. Other sorts would overwrite streams in
    /// such memory between two steps. A sorter that is not `ready` waits, or throws, as `SorterOptions::construction`
    /// says.
    explicit Stepper(const Sorter& sorter);
    ~Stepper();
    Stepper(Stepper&&) noexcept;
    Stepper& operator=(Stepper&&) noexcept;

    /// Begins a sort, or a merge if there are `lists`. Throws `Error` as `Sorter::sort` and `Sorter::merge` do. The
    /// sort ends with the next sort, merge or `begin` of the sorter, of any capacity. The objects that `arguments` name
    /// must exist until the last `step` and `read`.
    void begin(const SortArguments& arguments, std::span<const std::uint32_t> lists = {});
    /// Runs the next op. Returns false, and runs nothing, if all ops are done. Throws `Error` as `begin` does, and if
    /// no sort has begun, or the sort has ended.
    bool step();
    /// The number of ops run since `begin`. Throws `Error` if no sort has begun, or the sort has ended.
    std::size_t steps_done() const;
    /// The current words of a stream, element by element. `stream` is an index into `StreamProgram::streams` of
    /// `Sorter::program`. Waits for the GPU. Throws `Error` past the last stream, and if no sort has begun, or the sort
    /// has ended.
    std::vector<std::uint32_t> read(StreamId stream);
    /// The GLSL of op `number` as the driver compiled it: the fragment, vertex or compute shader. Empty for a transfer.
    /// Throws `Error` past the last op, and if no sort has begun, or the sort has ended. Cost: composes the text anew,
    /// without OpenGL.
    std::string source(std::size_t number) const;

  private:
    template <class Call>
    decltype(auto) in_sort(const char* function, const Call& call) const;

    std::weak_ptr<Serving<Session>> serving_;  ///< Of the sorter, which may be gone.
    std::shared_ptr<Session> session_;
    std::uint64_t begun_ = 0;  ///< The number of the sort that this stepper began last; 0: none.
};

/// Runs stream programs in plain C++ over host memory, without a context, as a whole or op by op. The results specify
/// what the other backends must write. Not fast. A sorter that was moved from may only be assigned to and destroyed.
///
/// Several sorters may run in several threads at once. A build of the library with GLSORT_CPU=OFF lacks this class.
class GLSORT_API CpuSorter {
  public:
    /// `spec.backend` decides which program runs. `fragment` and `compute` choose the program that a device with these
    /// limits would run. `cpu` and `automatic` choose the program of the cpu backend. `spec.capacity` and
    /// `spec.max_lists` are ignored: any count is sorted that the limits allow. The program of the cpu backend has no
    /// limits.
    ///
    /// Throws `Error` as `plan` does, for an input or output of texture, and for a comparison without a host function.
    /// For `fragment` and `compute`, a comparison also needs its GLSL.
    explicit CpuSorter(const SortSpec& spec, const Limits& limits = {});
    ~CpuSorter();
    CpuSorter(CpuSorter&&) noexcept;
    CpuSorter& operator=(CpuSorter&&) noexcept;

    /// Sorts `keys` in place. Keys are raw bits, with `key_bytes / 4` words each, the low word of a 64-bit key first.
    ///
    /// There are as many values as keys, with `payload.size / 4` words each. With a payload `bytes` the values move
    /// with their keys. With a payload `index` a sort writes to the values the position of each key in the input.
    ///
    /// Throws `Error` as `plan` does, for a number of words that does not fit, and for more than 2^32-1 keys. Also
    /// throws if a program of `fragment` or `compute` exceeds the limits.
    void sort(std::span<std::uint32_t> keys, std::span<std::uint32_t> values = {});

    /// Merges sorted lists in place, as `Sorter::merge` does. Keys and values are laid out as for `sort`. There are up
    /// to `max_merge_lists` lists, of which any may be empty. Throws `Error` as `sort` does, and for lengths that do
    /// not add up to the number of keys.
    void merge(std::span<std::uint32_t> keys, std::span<std::uint32_t> values, std::span<const std::uint32_t> lists);

    /// Begins a sort, or a merge if there are `lists`, for `step` to run op by op. The memory of keys and values must
    /// outlive the last `step` and `read`. After `sort` and `merge`, `read` of keys and values reads the caller's
    /// memory, too. Throws `Error` as `sort` and `merge` do.
    void begin(std::span<std::uint32_t> keys, std::span<std::uint32_t> values = {},
               std::span<const std::uint32_t> lists = {});
    /// Runs the next op. Returns false, and runs nothing, if all ops are done.
    bool step();
    /// Runs the next op, and replaces `trace` by what the op read, wrote and compared. A trace grows with every
    /// element, so traces are for small sorts.
    bool step(OpTrace& trace);
    /// The number of ops run since `begin`.
    std::size_t steps_done() const;
    /// The current words of a stream, element by element. `stream` is an index into the `streams` of `program()`.
    /// Throws `Error` past the last stream.
    std::vector<std::uint32_t> read(StreamId stream);

    /// The program of the last sort or merge. Before the first, a program of no elements.
    const StreamProgram& program() const;
    /// Comparisons of elements in the last sort or merge, up to the last step.
    std::uint64_t comparisons() const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// What a context offers.
struct ContextReport {
    /// Whether a backend can run in the context, and why.
    struct Offer {
        Backend backend = Backend::fragment;
        bool available = false;
        std::string reason;  ///< What makes the backend available, such as a version, or what is missing.
    };
    std::string renderer;          ///< GL_RENDERER.
    std::string version;           ///< GL_VERSION.
    std::string shading_language;  ///< GL_SHADING_LANGUAGE_VERSION.
    Limits limits;
    std::vector<Offer> offers;              ///< One for each backend: fragment, compute, cpu.
    Backend automatic = Backend::fragment;  ///< What `Backend::automatic` usually becomes (`SortSpec::backend`).
    std::string automatic_reason;           ///< Why.
};

/// Describes the current context. If the context has subgroups, runs a small compute shader to test them, and waits for
/// the GPU. Throws `Error` for a null `get_proc_address`, if no context is current, if the context is older than OpenGL
/// 3.3 or OpenGL ES 3.0, and if a function is missing.
GLSORT_API ContextReport describe_context(const GetProcAddress& get_proc_address);

/// One piece of OpenGL state that can change what a sort does.
struct StateItem {
    std::string_view names;   ///< Names for glGet, separated by ", ": "GL_CLIP_ORIGIN, GL_CLIP_DEPTH_MODE".
    std::string words;        ///< The state in words: "clip control".
    std::string_view set_to;  ///< The value that a sort sets: "lower left, -1 to 1".
    /// The versions and extensions with this state: "OpenGL 4.5, GL_ARB_clip_control, GL_EXT_clip_control".
    std::string origin;
    /// For state with an index, such as texture units, draw buffers or viewports: how many indices a sort changes, from
    /// index 0 on. 0 for state without an index.
    std::size_t indices = 0;
    bool precondition = false;  ///< Whether a sort requires the value `set_to` of the caller, and changes nothing.
    bool fragment = false;      ///< Whether sorts of the fragment backend change the state.
    bool compute = false;       ///< Whether sorts of the compute backend change the state.
};

/// All items of all versions and extensions. A context has only some of them.
GLSORT_API std::vector<StateItem> state_items();

/// The state that a sort changes under `StatePolicy::caller_resets`, in words: "face culling (disabled)". Empty for the
/// cpu backend.
GLSORT_API std::vector<std::string> clobbered_state(Backend backend);

/// The version of the library that is linked, as "major.minor.patch". The string is static.
GLSORT_API const char* version() noexcept;

}  // namespace glsort
